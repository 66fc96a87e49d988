/**
 * check2d: a detection library over an R-tree (rbush) with exact SAT tests; detect-collisions is now this package.
 *
 * Favourable use: positions are set without an immediate update and the tree is brought up to date once per step. Each body is asked
 * for its collisions; pairs come twice and are taken from the lower id. Sensors ("triggers") skip the response.
 */

import { type Body as Check2dBody, Circle, Polygon, System } from 'check2d'
import { addMatch, type Contender } from '../contender.ts'
import { sweptHull } from '../oracles/exact.ts'
import type { Circles } from '../scenes/circles.ts'
import { addPair, createPairList } from '../scenes/pair-list.ts'
import { hitsByAsking } from './hits.ts'
import { steeredCrowd } from './steered-crowd.ts'

type Tagged = Circle & { thing: number }

export const check2d: Contender = {
  pairs: (circles) => {
    const targets = movingTargets(circles, circles.count)
    const { layer, meets } = circles
    const pairs = createPairList(circles.count)
    const onCollision = ({ a, b }: { a: Check2dBody; b: Check2dBody }) => {
      const thingA = (a as Tagged).thing
      const thingB = (b as Tagged).thing
      if (thingA < thingB && (meets[layer[thingA]] & (1 << layer[thingB])) !== 0) addPair(pairs, thingA, thingB)
    }
    return {
      find() {
        targets.move()
        pairs.count = 0
        for (const body of targets.bodies) targets.system.checkOne(body, onCollision)
        return pairs
      },
    }
  },
  bullets: (scene) => {
    const { circles, enemies, owner } = scene
    const targets = movingTargets(circles, enemies)
    const probe = new Circle({ x: 0, y: 0 }, circles.radius[enemies], { isTrigger: true })
    let bullet = 0
    let victim = -1
    const onCollision = ({ b }: { b: Check2dBody }) => {
      const enemy = (b as Tagged).thing
      if (enemy !== owner[bullet] && (victim === -1 || enemy < victim)) victim = enemy
    }
    return hitsByAsking(scene, targets.move, (asked) => {
      bullet = asked
      victim = -1
      placeProbe(probe, circles.x[bullet], circles.y[bullet])
      targets.system.checkOne(probe as Tagged, onCollision)
      return victim
    })
  },
  // It has no masses: `separateBody` moves the asked body all the way, so pillars are kept by being static.
  crowd: (scene) => {
    const system = new System<Tagged>()
    const bodies = Array.from({ length: scene.count }, (_, thing) => {
      const at = { x: scene.x[thing], y: scene.y[thing] }
      return tag(system.createCircle(at, scene.radius[thing], { isStatic: scene.mass[thing] === 0 }), thing)
    })
    return steeredCrowd(scene, {
      place(thing, out) {
        out.x = bodies[thing].pos.x
        out.y = bodies[thing].pos.y
      },
      walk(thing, { x, y }) {
        const body = bodies[thing]
        body.setPosition(body.pos.x + x, body.pos.y + y, false)
      },
      step() {
        system.update()
        system.separate()
      },
    })
  },
  queries: (circles) => {
    const targets = movingTargets(circles, circles.count)
    const hullX = new Float64Array(8)
    const hullY = new Float64Array(8)
    const found: number[] = []
    const onCollision = ({ b }: { b: Check2dBody }) => {
      found.push((b as Tagged).thing)
    }
    return {
      update: targets.move,
      regions(regions, out) {
        const probe = new Circle({ x: 0, y: 0 }, regions.radius[0], { isTrigger: true })
        let place = 0
        for (let region = 0; region < regions.count; region++) {
          out.start[region] = place
          placeProbe(probe, regions.x[region], regions.y[region])
          found.length = 0
          targets.system.checkOne(probe as Tagged, onCollision)
          for (const thing of found) place = addMatch(out, place, thing)
        }
        out.start[regions.count] = place
      },
      rays(rays, out) {
        for (let ray = 0; ray < rays.count; ray++) {
          const start = { x: rays.x[ray], y: rays.y[ray] }
          const end = { x: start.x + rays.dx[ray] * rays.length, y: start.y + rays.dy[ray] * rays.length }
          const hit = targets.system.raycast(start, end)
          out.thing[ray] = hit ? (hit.body as Tagged).thing : -1
          out.distance[ray] = hit ? Math.hypot(hit.point.x - start.x, hit.point.y - start.y) : rays.length
        }
      },
      // No sweep of its own: the polygon that the swing covers.
      swings(swings, out) {
        let place = 0
        for (let swing = 0; swing < swings.count; swing++) {
          out.start[swing] = place
          const corners = sweptHull(swings, swing, hullX, hullY)
          const points = Array.from({ length: corners }, (_, i) => ({
            x: hullX[i] - swings.x[swing],
            y: hullY[i] - swings.y[swing],
          }))
          const hull = new Polygon({ x: swings.x[swing], y: swings.y[swing] }, points, { isTrigger: true })
          Object.assign(hull, hull.getAABBAsBBox())
          hull.bbox = hull.getAABBAsBBox()
          found.length = 0
          targets.system.checkOne(hull as unknown as Tagged, onCollision)
          for (const thing of found) place = addMatch(out, place, thing)
        }
        out.start[swings.count] = place
      },
    }
  },
}

function movingTargets({ x, y, radius }: Circles, count: number) {
  const system = new System<Tagged>()
  const bodies = Array.from({ length: count }, (_, thing) =>
    tag(system.createCircle({ x: x[thing], y: y[thing] }, radius[thing], { isTrigger: true }), thing),
  )
  return {
    system,
    bodies,
    move() {
      for (let thing = 0; thing < count; thing++) bodies[thing].setPosition(x[thing], y[thing], false)
      system.update()
    },
  }
}

/** A body that asks without being in the tree needs its box set by hand. */
function placeProbe(probe: Circle, x: number, y: number): void {
  probe.pos.x = x
  probe.pos.y = y
  probe.minX = x - probe.r
  probe.minY = y - probe.r
  probe.maxX = x + probe.r
  probe.maxY = y + probe.r
  probe.bbox = probe
}

function tag(circle: Circle, thing: number): Tagged {
  return Object.assign(circle, { thing })
}
