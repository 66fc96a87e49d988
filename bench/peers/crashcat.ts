/**
 * crashcat: rigid bodies in space, in plain JavaScript. Circles become spheres at height 0.
 *
 * Favourable use: kinematic sensors that it moves itself, with contacts added and removed reported by its listener. Like rapier it detects
 * before it integrates, so its world runs one step ahead. The world is plain data, and JSON is how its manual saves it.
 */

import {
  addBroadphaseLayer,
  addObjectLayer,
  CastRayStatus,
  castRay,
  createClosestCastRayCollector,
  createDefaultCastRaySettings,
  createWorld,
  createWorldSettings,
  dof,
  enableCollision,
  filter,
  MotionType,
  type RigidBody,
  registerAll,
  rigidBody,
  sphere,
  updateWorld,
  type World,
} from 'crashcat'
import type { Contender, PairHistory } from '../contender.ts'
import type { Circles } from '../scenes/circles.ts'
import { beginPair, copyLivePairs, createLivePairs, endPair, type LivePairs } from '../scenes/pair-list.ts'
import { hitsFromPairs } from './hits.ts'
import { steeredCrowd } from './steered-crowd.ts'

const TICKS_PER_SECOND = 60
registerAll()

export const crashcat: Contender = {
  pairs: findPairs,
  history: findPairs,
  bullets: (scene) => hitsFromPairs(scene, findPairs(scene.circles).find),
  crowd: (scene) => {
    const { settings, layers } = worldSettings([1])
    const world = createWorld(settings)
    const bodies = Array.from({ length: scene.count }, (_, thing) =>
      rigidBody.create(world, {
        shape: sphere.create({ radius: scene.radius[thing] }),
        motionType: scene.mass[thing] === 0 ? MotionType.STATIC : MotionType.DYNAMIC,
        objectLayer: layers[0],
        position: [scene.x[thing], scene.y[thing], 0],
        allowSleeping: false,
        friction: 0,
        linearDamping: 0,
        allowedDegreesOfFreedom: dof(true, true, false, false, false, false),
        ...(scene.mass[thing] === 0 ? {} : { mass: scene.mass[thing] }),
      }),
    )
    return steeredCrowd(scene, {
      place(thing, out) {
        out.x = bodies[thing].position[0]
        out.y = bodies[thing].position[1]
      },
      walk: (thing, { x, y }) =>
        rigidBody.setLinearVelocity(world, bodies[thing], [x * TICKS_PER_SECOND, y * TICKS_PER_SECOND, 0]),
      step: () => updateWorld(world, undefined, 1 / TICKS_PER_SECOND),
    })
  },
  queries: (circles) => {
    const { world, ids, thingOf } = movingSensors(circles)
    const { x, y } = circles
    const everything = filter.create(world.settings.layers)
    const settings = createDefaultCastRaySettings()
    const collector = createClosestCastRayCollector()
    return {
      update() {
        for (let thing = 0; thing < circles.count; thing++) {
          rigidBody.setPosition(world, bodyOf(world, ids[thing]), [x[thing], y[thing], 0], false)
        }
      },
      rays(rays, out) {
        for (let ray = 0; ray < rays.count; ray++) {
          collector.reset()
          const from: [number, number, number] = [rays.x[ray], rays.y[ray], 0]
          castRay(world, collector, settings, from, [rays.dx[ray], rays.dy[ray], 0], rays.length, everything)
          const { hit } = collector
          const isHit = hit.status === CastRayStatus.COLLIDING
          out.thing[ray] = isHit ? (thingOf.get(hit.bodyIdB) as number) : -1
          out.distance[ray] = isHit ? hit.fraction * rays.length : rays.length
        }
      },
    }
  },
}

function findPairs(circles: Circles): PairHistory {
  const { count, x, y, vx, vy, turned, placed } = circles
  const sensors = movingSensors(circles)
  let { world } = sensors
  const { ids, thingOf } = sensors
  let live = createLivePairs(count)
  const listener = {
    onContactAdded: (a: RigidBody, b: RigidBody) =>
      beginPair(live, thingOf.get(a.id) as number, thingOf.get(b.id) as number),
    onContactRemoved: (a: number, b: number) => endPair(live, thingOf.get(a) as number, thingOf.get(b) as number),
  }
  const setVelocity = (thing: number) => {
    rigidBody.setLinearVelocity(world, bodyOf(world, ids[thing]), [vx[thing], vy[thing], 0])
  }
  updateWorld(world, listener, 1)
  return {
    circles,
    find() {
      for (let i = 0; i < placed.count; i++) {
        const thing = placed.things[i]
        rigidBody.setPosition(world, bodyOf(world, ids[thing]), [x[thing], y[thing], 0], true)
        setVelocity(thing)
      }
      for (let i = 0; i < turned.count; i++) setVelocity(turned.things[i])
      updateWorld(world, listener, 1)
      return live.list
    },
    save: () => ({ world: JSON.stringify(world), live: copyLivePairs(live) }),
    restore(saved) {
      const { world: text, live: pairs } = saved as { world: string; live: LivePairs }
      world = JSON.parse(text) as World
      live = copyLivePairs(pairs)
    },
    savedBytes: (saved) => (saved as { world: string }).world.length,
  }
}

function movingSensors({ count, x, y, vx, vy, radius, layer, meets }: Circles) {
  const { settings, layers } = worldSettings(meets)
  const world = createWorld(settings)
  const thingOf = new Map<number, number>()
  const ids = Array.from({ length: count }, (_, thing) => {
    const body = rigidBody.create(world, {
      shape: sphere.create({ radius: radius[thing] }),
      motionType: MotionType.KINEMATIC,
      objectLayer: layers[layer[thing]],
      position: [x[thing], y[thing], 0],
      linearDamping: 0,
      allowSleeping: false,
      sensor: true,
      collideKinematicVsNonDynamic: true,
    })
    rigidBody.setLinearVelocity(world, body, [vx[thing], vy[thing], 0])
    thingOf.set(body.id, thing)
    return body.id
  })
  return { world, ids, thingOf }
}

function worldSettings(meets: ArrayLike<number>) {
  const settings = createWorldSettings()
  settings.gravity = [0, 0, 0]
  const broadphaseLayer = addBroadphaseLayer(settings)
  const layers = Array.from(meets, () => addObjectLayer(settings, broadphaseLayer))
  for (let a = 0; a < layers.length; a++) {
    for (let b = a; b < layers.length; b++) {
      if (meets[a] & (1 << b)) enableCollision(settings, layers[a], layers[b])
    }
  }
  return { settings, layers }
}

function bodyOf(world: World, id: number): RigidBody {
  return rigidBody.get(world, id) as RigidBody
}
