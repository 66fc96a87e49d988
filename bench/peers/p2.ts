/**
 * p2-es: rigid bodies in JavaScript, with sweep and prune along one axis.
 *
 * Favourable use: only its broad phase is called, after positions are set, and the exact test is made here; its own step with overlap
 * events costs more. Positions are f32 in its arrays, which the scenes' numbers fit.
 */

import { Body, Circle, Ray, RaycastResult, SAPBroadphase, World } from 'p2-es'
import type { Contender, PairFinder } from '../contender.ts'
import type { Circles } from '../scenes/circles.ts'
import { addPair, createPairList } from '../scenes/pair-list.ts'
import { hitsFromPairs } from './hits.ts'
import { steeredCrowd } from './steered-crowd.ts'

const TICKS_PER_SECOND = 60

export const p2: Contender = {
  pairs: findPairs,
  bullets: (scene) => hitsFromPairs(scene, findPairs(scene.circles).find),
  crowd: (scene) => {
    const world = new World({ gravity: [0, 0], broadphase: new SAPBroadphase() })
    world.defaultContactMaterial.friction = 0
    const bodies = Array.from({ length: scene.count }, (_, thing) => {
      const body = new Body({
        mass: scene.mass[thing],
        position: [scene.x[thing], scene.y[thing]],
        fixedRotation: true,
        damping: 0,
      })
      body.addShape(new Circle({ radius: scene.radius[thing] }))
      world.addBody(body)
      return body
    })
    return steeredCrowd(scene, {
      place(thing, out) {
        out.x = bodies[thing].position[0]
        out.y = bodies[thing].position[1]
      },
      walk(thing, { x, y }) {
        bodies[thing].velocity[0] = x * TICKS_PER_SECOND
        bodies[thing].velocity[1] = y * TICKS_PER_SECOND
      },
      step: () => world.step(1 / TICKS_PER_SECOND),
    })
  },
  queries: (circles) => {
    const targets = movingTargets(circles)
    return {
      update: targets.move,
      rays(rays, out) {
        const result = new RaycastResult()
        const cast = new Ray({ mode: Ray.CLOSEST })
        for (let ray = 0; ray < rays.count; ray++) {
          cast.from[0] = rays.x[ray]
          cast.from[1] = rays.y[ray]
          cast.to[0] = rays.x[ray] + rays.dx[ray] * rays.length
          cast.to[1] = rays.y[ray] + rays.dy[ray] * rays.length
          cast.update()
          result.reset()
          targets.world.raycast(result, cast)
          out.thing[ray] = result.body ? result.body.index : -1
          out.distance[ray] = result.body ? result.fraction * rays.length : rays.length
        }
      },
    }
  },
}

function findPairs(circles: Circles): PairFinder {
  const targets = movingTargets(circles)
  const { x, y, radius, layer, meets, count } = circles
  const pairs = createPairList(count)
  return {
    find() {
      targets.move()
      pairs.count = 0
      const candidates = targets.broadphase.getCollisionPairs(targets.world)
      for (let i = 0; i < candidates.length; i += 2) {
        const a = candidates[i].index
        const b = candidates[i + 1].index
        const dx = x[a] - x[b]
        const dy = y[a] - y[b]
        const reach = radius[a] + radius[b]
        if (dx * dx + dy * dy <= reach * reach && (meets[layer[a]] & (1 << layer[b])) !== 0) addPair(pairs, a, b)
      }
      return pairs
    },
  }
}

function movingTargets({ count, x, y, radius }: Circles) {
  const broadphase = new SAPBroadphase()
  const world = new World({ gravity: [0, 0], broadphase })
  const bodies = Array.from({ length: count }, (_, thing) => {
    const body = new Body({ mass: 1, position: [x[thing], y[thing]] })
    body.addShape(new Circle({ radius: radius[thing] }))
    world.addBody(body)
    return body
  })
  return {
    world,
    broadphase,
    move() {
      for (let thing = 0; thing < count; thing++) {
        const body = bodies[thing]
        body.position[0] = x[thing]
        body.position[1] = y[thing]
        body.aabbNeedsUpdate = true
      }
    },
  }
}
