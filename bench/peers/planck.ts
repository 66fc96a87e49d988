/**
 * planck: Box2D 2 in JavaScript.
 *
 * Favourable use: kinematic bodies, which planck moves and never tests against each other, and one box query per question with the
 * exact test here. That is several times faster than sensors with contact events.
 */

import { Box, Circle, type Fixture, Serializer, Settings, Vec2, World } from 'planck'
import { addMatch, type Contender, type PairHistory, type WallMap } from '../contender.ts'
import { polygonNear, sweptHull } from '../oracles/exact.ts'
import type { Circles } from '../scenes/circles.ts'
import { addPair, createPairList } from '../scenes/pair-list.ts'
import type { Walls } from '../scenes/walls.ts'
import { hitsByAsking } from './hits.ts'
import { steeredCrowd } from './steered-crowd.ts'

const TICKS_PER_SECOND = 60
// Its units are metres; ours are px, so its limit on the distance of one step has to be lifted.
Settings.maxTranslation = 1000

export const planck: Contender = {
  walls: staticWalls,
  pairs: findPairs,
  history: findPairs,
  bullets: (scene) => {
    const { circles, enemies, owner } = scene
    const targets = movingTargets(circles, enemies)
    const { x, y, radius } = circles
    const box = createBox()
    let bullet = 0
    let victim = -1
    const onFixture = (fixture: Fixture) => {
      const enemy = fixture.getUserData() as number
      const dx = x[bullet] - x[enemy]
      const dy = y[bullet] - y[enemy]
      const reach = radius[bullet] + radius[enemy]
      if (dx * dx + dy * dy > reach * reach || enemy === owner[bullet]) return true
      if (victim === -1 || enemy < victim) victim = enemy
      return true
    }
    return hitsByAsking(scene, targets.move, (asked) => {
      bullet = asked
      victim = -1
      setBox(box, x[bullet], y[bullet], radius[bullet])
      targets.world.queryAABB(box, onFixture)
      return victim
    })
  },
  crowd: (scene) => {
    const world = new World({ gravity: { x: 0, y: 0 }, allowSleep: false })
    const bodies = Array.from({ length: scene.count }, (_, thing) => {
      const body = world.createBody({
        type: scene.mass[thing] === 0 ? 'static' : 'dynamic',
        position: { x: scene.x[thing], y: scene.y[thing] },
        fixedRotation: true,
      })
      const density = scene.mass[thing] / (Math.PI * scene.radius[thing] * scene.radius[thing])
      body.createFixture({ shape: new Circle(scene.radius[thing]), density, friction: 0 })
      return body
    })
    return steeredCrowd(scene, {
      place(thing, out) {
        const at = bodies[thing].getPosition()
        out.x = at.x
        out.y = at.y
      },
      walk: (thing, { x, y }) => bodies[thing].setLinearVelocity(new Vec2(x * TICKS_PER_SECOND, y * TICKS_PER_SECOND)),
      step: () => world.step(1 / TICKS_PER_SECOND),
    })
  },
  queries: (circles) => {
    const targets = movingTargets(circles, circles.count)
    const { x, y, radius } = circles
    const box = createBox()
    const hullX = new Float64Array(8)
    const hullY = new Float64Array(8)
    return {
      update: targets.move,
      regions(regions, out) {
        let place = 0
        let region = 0
        const onFixture = (fixture: Fixture) => {
          const thing = fixture.getUserData() as number
          const dx = x[thing] - regions.x[region]
          const dy = y[thing] - regions.y[region]
          const reach = radius[thing] + regions.radius[region]
          if (dx * dx + dy * dy <= reach * reach) place = addMatch(out, place, thing)
          return true
        }
        for (; region < regions.count; region++) {
          out.start[region] = place
          setBox(box, regions.x[region], regions.y[region], regions.radius[region])
          targets.world.queryAABB(box, onFixture)
        }
        out.start[regions.count] = place
      },
      rays(rays, out) {
        let first = -1
        let nearest = 1
        const onFixture = (fixture: Fixture, _point: Vec2, _normal: Vec2, fraction: number) => {
          first = fixture.getUserData() as number
          nearest = fraction
          return fraction
        }
        for (let ray = 0; ray < rays.count; ray++) {
          first = -1
          nearest = 1
          const start = new Vec2(rays.x[ray], rays.y[ray])
          const end = new Vec2(start.x + rays.dx[ray] * rays.length, start.y + rays.dy[ray] * rays.length)
          targets.world.rayCast(start, end, onFixture)
          out.thing[ray] = first
          out.distance[ray] = nearest * rays.length
        }
      },
      swings(swings, out) {
        let place = 0
        let corners = 0
        const onFixture = (fixture: Fixture) => {
          const thing = fixture.getUserData() as number
          if (polygonNear(hullX, hullY, corners, x[thing], y[thing], radius[thing])) place = addMatch(out, place, thing)
          return true
        }
        for (let swing = 0; swing < swings.count; swing++) {
          out.start[swing] = place
          corners = sweptHull(swings, swing, hullX, hullY)
          box.lowerBound.x = Math.min(...hullX.subarray(0, corners))
          box.lowerBound.y = Math.min(...hullY.subarray(0, corners))
          box.upperBound.x = Math.max(...hullX.subarray(0, corners))
          box.upperBound.y = Math.max(...hullY.subarray(0, corners))
          targets.world.queryAABB(box, onFixture)
        }
        out.start[swings.count] = place
      },
    }
  },
}

function findPairs(circles: Circles): PairHistory {
  const targets = movingTargets(circles, circles.count)
  const { count, x, y, radius, layer, meets } = circles
  const pairs = createPairList(count)
  const box = createBox()
  let thing = 0
  const onFixture = (fixture: Fixture) => {
    const other = fixture.getUserData() as number
    if (other <= thing) return true
    const dx = x[thing] - x[other]
    const dy = y[thing] - y[other]
    const reach = radius[thing] + radius[other]
    if (dx * dx + dy * dy <= reach * reach && (meets[layer[thing]] & (1 << layer[other])) !== 0) {
      addPair(pairs, thing, other)
    }
    return true
  }
  return {
    circles,
    find() {
      targets.move()
      pairs.count = 0
      for (thing = 0; thing < count; thing++) {
        setBox(box, x[thing], y[thing], radius[thing])
        targets.world.queryAABB(box, onFixture)
      }
      return pairs
    },
    save: () => JSON.stringify(Serializer.toJson(targets.world)),
    restore(saved) {
      targets.adopt(Serializer.fromJson(JSON.parse(saved as string)))
    },
    savedBytes: (saved) => (saved as string).length,
  }
}

function movingTargets({ x, y, vx, vy, radius, turned, placed }: Circles, count: number) {
  let world = new World({ gravity: { x: 0, y: 0 }, allowSleep: false })
  let bodies = Array.from({ length: count }, (_, thing) => {
    const body = world.createBody({
      type: 'kinematic',
      position: { x: x[thing], y: y[thing] },
      linearVelocity: { x: vx[thing], y: vy[thing] },
      userData: thing,
    })
    body.createFixture({ shape: new Circle(radius[thing]), isSensor: true, userData: thing })
    return body
  })
  return {
    get world() {
      return world
    },
    move() {
      // Things put elsewhere stand still for this step, because the scene has moved them already.
      for (let i = 0; i < placed.count; i++) {
        const thing = placed.things[i]
        if (thing >= count) continue
        bodies[thing].setTransform(new Vec2(x[thing], y[thing]), 0)
        bodies[thing].setLinearVelocity(new Vec2(0, 0))
      }
      world.step(1)
      for (const changed of [placed, turned]) {
        for (let i = 0; i < changed.count; i++) {
          const thing = changed.things[i]
          if (thing < count) bodies[thing].setLinearVelocity(new Vec2(vx[thing], vy[thing]))
        }
      }
    },
    /** Takes over a world that was read from a file; user data is not part of it, the order of bodies is. */
    adopt(restored: World) {
      world = restored
      bodies = []
      for (let body = world.getBodyList(); body; body = body.getNext()) bodies.push(body)
      bodies.reverse()
      for (let thing = 0; thing < count; thing++) bodies[thing].getFixtureList()?.setUserData(thing)
    },
  }
}

function createBox() {
  return { lowerBound: { x: 0, y: 0 }, upperBound: { x: 0, y: 0 } }
}

function setBox(box: ReturnType<typeof createBox>, x: number, y: number, half: number): void {
  box.lowerBound.x = x - half
  box.lowerBound.y = y - half
  box.upperBound.x = x + half
  box.upperBound.y = y + half
}

/** One static body with a box fixture per wall. */
function staticWalls({ count, minX, minY, maxX, maxY }: Walls): WallMap {
  const world = new World()
  const body = world.createBody()
  for (let i = 0; i < count; i++) {
    const middle = new Vec2((minX[i] + maxX[i]) / 2, (minY[i] + maxY[i]) / 2)
    const fixture = body.createFixture(new Box((maxX[i] - minX[i]) / 2, (maxY[i] - minY[i]) / 2, middle))
    fixture.setUserData(i)
  }
  let first = -1
  let nearest = 1
  const onFixture = (fixture: Fixture, _point: Vec2, _normal: Vec2, fraction: number) => {
    first = fixture.getUserData() as number
    nearest = fraction
    return fraction
  }
  return {
    rays(rays, out) {
      for (let ray = 0; ray < rays.count; ray++) {
        first = -1
        nearest = 1
        const start = new Vec2(rays.x[ray], rays.y[ray])
        world.rayCast(
          start,
          new Vec2(start.x + rays.dx[ray] * rays.length, start.y + rays.dy[ray] * rays.length),
          onFixture,
        )
        out.thing[ray] = first
        out.distance[ray] = nearest * rays.length
      }
    },
  }
}
