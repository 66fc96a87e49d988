/**
 * box2d3-wasm: Box2D v3 compiled to WebAssembly.
 *
 * Favourable use: kinematic bodies with one sensor each (half the time of dynamic ones), which Box2D moves itself; begin and end events
 * keep the set of pairs. It detects after it integrates, so its world runs with the scene. Bullets: enemies are the sensors
 * and bullets their visitors, so every overlap is reported once. Objects of the wrapper are made once and reused; those it returns by
 * handle are freed.
 */

import Box2DFactory from 'box2d3-wasm'
import { addMatch, type Contender, type Crowd, type PairFinder, type QueryIndex } from '../contender.ts'
import { sweptHull } from '../oracles/exact.ts'
import type { Circles } from '../scenes/circles.ts'
import type { CrowdScene } from '../scenes/crowd.ts'
import { beginPair, createLivePairs, endPair, type LivePairs } from '../scenes/pair-list.ts'
import { hitsFromPairs } from './hits.ts'
import { steeredCrowd } from './steered-crowd.ts'

type MainModule = Awaited<ReturnType<typeof Box2DFactory>>
type BodyId = ReturnType<MainModule['b2CreateBody']>
type ShapeId = ReturnType<MainModule['b2CreateCircleShape']>

const TICKS_PER_SECOND = 60

export async function box2d(): Promise<Contender> {
  const b2 = await Box2DFactory()
  return {
    pairs: (circles) => findPairs(b2, circles, () => true),
    bullets: (scene) => hitsFromPairs(scene, findPairs(b2, scene.circles, (thing) => thing < scene.enemies).find),
    crowd: (scene) => holdApart(b2, scene),
    queries: (circles) => queryIndex(b2, circles),
  }
}

function findPairs(b2: MainModule, circles: Circles, isSensor: (thing: number) => boolean): PairFinder {
  const moving = movingCircles(b2, circles, isSensor)
  const live = createLivePairs(circles.count)
  return {
    find() {
      moving.step()
      readEvents(b2, moving, live)
      return live.list
    },
  }
}

function queryIndex(b2: MainModule, circles: Circles): QueryIndex {
  const moving = movingCircles(b2, circles, undefined)
  const filter = b2.b2DefaultQueryFilter()
  const point = new b2.b2Vec2(0, 0)
  const along = new b2.b2Vec2(0, 0)
  const proxy = b2.b2MakeProxy(point, 1, 1)
  const hullX = new Float64Array(8)
  const hullY = new Float64Array(8)
  const found: number[] = []
  const onOverlap = ({ shapeId }: { shapeId: ShapeId }) => {
    found.push(moving.thingOf[shapeId.index1])
    return true
  }
  return {
    update: moving.step,
    regions(regions, out) {
      proxy.count = 1
      let place = 0
      for (let region = 0; region < regions.count; region++) {
        out.start[region] = place
        point.Set(regions.x[region], regions.y[region])
        proxy.setPoint(0, point)
        proxy.radius = regions.radius[region]
        found.length = 0
        b2.b2World_OverlapShape(moving.world, proxy, filter, onOverlap)
        for (const thing of found) place = addMatch(out, place, thing)
      }
      out.start[regions.count] = place
    },
    rays(rays, out) {
      for (let ray = 0; ray < rays.count; ray++) {
        point.Set(rays.x[ray], rays.y[ray])
        along.Set(rays.dx[ray] * rays.length, rays.dy[ray] * rays.length)
        const hit = b2.b2World_CastRayClosest(moving.world, point, along, filter)
        out.thing[ray] = hit.hit ? moving.thingOf[hit.shapeId.index1] : -1
        out.distance[ray] = hit.hit ? hit.fraction * rays.length : rays.length
        hit.delete()
      }
    },
    swings(swings, out) {
      proxy.radius = 0
      let place = 0
      for (let swing = 0; swing < swings.count; swing++) {
        out.start[swing] = place
        const corners = sweptHull(swings, swing, hullX, hullY)
        for (let i = 0; i < corners; i++) {
          point.Set(hullX[i], hullY[i])
          proxy.setPoint(i, point)
        }
        proxy.count = corners
        found.length = 0
        b2.b2World_OverlapShape(moving.world, proxy, filter, onOverlap)
        for (const thing of found) place = addMatch(out, place, thing)
      }
      out.start[swings.count] = place
    },
  }
}

type Moving = ReturnType<typeof movingCircles>

/** Kinematic bodies that move as the scene does. `isSensor` is left out for bodies that are only asked about. */
function movingCircles(b2: MainModule, circles: Circles, isSensor: ((thing: number) => boolean) | undefined) {
  const { count, x, y, vx, vy, radius, layer, meets, turned, placed } = circles
  const world = createWorld(b2)
  const bodyDef = b2.b2DefaultBodyDef()
  bodyDef.type = b2.b2BodyType.b2_kinematicBody
  bodyDef.enableSleep = false
  const shapeDef = b2.b2DefaultShapeDef()
  shapeDef.enableSensorEvents = isSensor !== undefined
  const circle = new b2.b2Circle()
  const thingOf: number[] = []
  const bodies: BodyId[] = []
  for (let thing = 0; thing < count; thing++) {
    bodyDef.position.Set(x[thing], y[thing])
    bodyDef.linearVelocity.Set(vx[thing], vy[thing])
    shapeDef.isSensor = isSensor?.(thing) ?? false
    if (isSensor) {
      shapeDef.filter.categoryBits = 1 << layer[thing]
      shapeDef.filter.maskBits = meets[layer[thing]]
    }
    circle.radius = radius[thing]
    const body = b2.b2CreateBody(world, bodyDef)
    thingOf[b2.b2CreateCircleShape(body, shapeDef, circle).index1] = thing
    bodies.push(body)
  }
  const velocity = new b2.b2Vec2(0, 0)
  const place = new b2.b2Vec2(0, 0)
  const setVelocity = (thing: number, toX: number, toY: number) => {
    velocity.Set(toX, toY)
    b2.b2Body_SetLinearVelocity(bodies[thing], velocity)
  }
  return {
    world,
    thingOf,
    step() {
      // Things put elsewhere stand still for this step, because the scene has moved them already.
      for (let i = 0; i < placed.count; i++) {
        const thing = placed.things[i]
        place.Set(x[thing], y[thing])
        b2.b2Body_SetTransform(bodies[thing], place, b2.b2Rot_identity)
        setVelocity(thing, 0, 0)
      }
      b2.b2World_Step(world, 1, 1)
      for (let i = 0; i < placed.count; i++) setVelocity(placed.things[i], vx[placed.things[i]], vy[placed.things[i]])
      for (let i = 0; i < turned.count; i++) setVelocity(turned.things[i], vx[turned.things[i]], vy[turned.things[i]])
    },
  }
}

function readEvents(b2: MainModule, { world, thingOf }: Moving, live: LivePairs): void {
  const events = b2.b2World_GetSensorEvents(world)
  for (let i = 0; i < events.endCount; i++) {
    const { sensorShapeId, visitorShapeId } = events.GetEndEvent(i)
    endPair(live, thingOf[sensorShapeId.index1], thingOf[visitorShapeId.index1])
  }
  for (let i = 0; i < events.beginCount; i++) {
    const { sensorShapeId, visitorShapeId } = events.GetBeginEvent(i)
    beginPair(live, thingOf[sensorShapeId.index1], thingOf[visitorShapeId.index1])
  }
  events.delete()
}

function holdApart(b2: MainModule, scene: CrowdScene): Crowd {
  const world = createWorld(b2)
  // Its defaults, but for things of about 10 px instead of a metre: it may push them apart at 300 px/s instead of 3.
  b2.b2World_SetContactTuning(world, 30, 10, 300)
  const bodyDef = b2.b2DefaultBodyDef()
  bodyDef.enableSleep = false
  bodyDef.motionLocks.angularZ = true
  const shapeDef = b2.b2DefaultShapeDef()
  shapeDef.material.friction = 0
  const circle = new b2.b2Circle()
  const bodies = Array.from({ length: scene.count }, (_, thing) => {
    const fixed = scene.mass[thing] === 0
    bodyDef.type = fixed ? b2.b2BodyType.b2_staticBody : b2.b2BodyType.b2_dynamicBody
    bodyDef.position.Set(scene.x[thing], scene.y[thing])
    circle.radius = scene.radius[thing]
    shapeDef.density = fixed ? 0 : scene.mass[thing] / (Math.PI * circle.radius * circle.radius)
    const body = b2.b2CreateBody(world, bodyDef)
    b2.b2CreateCircleShape(body, shapeDef, circle)
    return body
  })
  const velocity = new b2.b2Vec2(0, 0)
  return steeredCrowd(scene, {
    place(thing, out) {
      const at = b2.b2Body_GetPosition(bodies[thing])
      out.x = at.x
      out.y = at.y
      at.delete()
    },
    walk(thing, { x, y }) {
      velocity.Set(x * TICKS_PER_SECOND, y * TICKS_PER_SECOND)
      b2.b2Body_SetLinearVelocity(bodies[thing], velocity)
    },
    step: () => b2.b2World_Step(world, 1 / TICKS_PER_SECOND, 4),
  })
}

function createWorld(b2: MainModule) {
  const def = b2.b2DefaultWorldDef()
  def.gravity.Set(0, 0)
  def.enableSleep = false
  def.enableContinuous = false
  return b2.b2CreateWorld(def)
}
