/**
 * matter-js: rigid bodies in JavaScript, popular for its ease.
 *
 * Favourable use: its bodies are moved by its own integrator and its detector is called directly, without the rest of the engine, which
 * keeps contacts that are not needed here. A circle is a polygon of up to 26 sides to it, so it misses pairs that barely touch; that is
 * reported, not corrected. It has no snapshot; `structuredClone` of the world is what its users do.
 */

import { serialize } from 'node:v8'
import Matter from 'matter-js'
import type { Contender, PairHistory } from '../contender.ts'
import type { Circles } from '../scenes/circles.ts'
import { addPair, createPairList } from '../scenes/pair-list.ts'
import { hitsFromPairs } from './hits.ts'
import { steeredCrowd } from './steered-crowd.ts'

const { Bodies, Body, Composite, Detector, Engine } = Matter
/** Its velocities are px per this many ms. */
const STEP_MS = 1000 / 60

export const matter: Contender = {
  pairs: findPairs,
  history: findPairs,
  bullets: (scene) => hitsFromPairs(scene, findPairs(scene.circles).find),
  crowd: (scene) => {
    const engine = Engine.create({ gravity: { x: 0, y: 0 } })
    const bodies = Array.from({ length: scene.count }, (_, thing) => {
      const options = { friction: 0, frictionAir: 0, frictionStatic: 0, inertia: Number.POSITIVE_INFINITY }
      const body = Bodies.circle(scene.x[thing], scene.y[thing], scene.radius[thing], {
        ...options,
        isStatic: scene.mass[thing] === 0,
      })
      if (scene.mass[thing] !== 0) Body.setMass(body, scene.mass[thing])
      return body
    })
    Composite.add(engine.world, bodies)
    return steeredCrowd(scene, {
      place(thing, out) {
        out.x = bodies[thing].position.x
        out.y = bodies[thing].position.y
      },
      walk: (thing, velocity) => Body.setVelocity(bodies[thing], velocity),
      step: () => Engine.update(engine, STEP_MS),
    })
  },
}

function findPairs(circles: Circles): PairHistory {
  const moving = movingBodies(circles)
  const pairs = createPairList(circles.count)
  return {
    circles,
    find() {
      moving.move()
      pairs.count = 0
      for (const { bodyA, bodyB } of Detector.collisions(moving.detector)) {
        addPair(pairs, moving.thingOf(bodyA), moving.thingOf(bodyB))
      }
      return pairs
    },
    save: () => structuredClone(moving.bodies),
    restore: (saved) => moving.adopt(structuredClone(saved) as Matter.Body[]),
    savedBytes: (saved) => serialize(saved).byteLength,
  }
}

function movingBodies({ count, x, y, vx, vy, radius, layer, meets, turned, placed }: Circles) {
  const detector = Detector.create()
  let bodies = Array.from({ length: count }, (_, thing) => {
    const body = Bodies.circle(x[thing], y[thing], radius[thing], {
      isSensor: true,
      frictionAir: 0,
      collisionFilter: { category: 1 << layer[thing], mask: meets[layer[thing]], group: 0 },
    })
    Body.setVelocity(body, { x: vx[thing], y: vy[thing] })
    return body
  })
  // Ids are numbered by the library, across all bodies of the process.
  const firstId = bodies[0].id
  Detector.setBodies(detector, bodies)
  return {
    detector,
    get bodies() {
      return bodies
    },
    thingOf: (body: Matter.Body) => body.id - firstId,
    move() {
      for (let i = 0; i < placed.count; i++) {
        const thing = placed.things[i]
        Body.setPosition(bodies[thing], { x: x[thing], y: y[thing] })
        Body.setVelocity(bodies[thing], { x: 0, y: 0 })
      }
      for (const body of bodies) Body.update(body, STEP_MS)
      for (const changed of [placed, turned]) {
        for (let i = 0; i < changed.count; i++) {
          const thing = changed.things[i]
          Body.setVelocity(bodies[thing], { x: vx[thing], y: vy[thing] })
        }
      }
    },
    adopt(restored: Matter.Body[]) {
      bodies = restored
      Detector.setBodies(detector, bodies)
    },
  }
}
