/**
 * Our own engine, used as a game uses it: layers on, pairs in canonical order, buffers kept between steps; and for going back in time
 * a world with the columns of a combat game, whose ticks are real ticks.
 */

import { createWorld, declareGame, defineGame, defineStatics, restore, snapshot, spawn } from 'hurtbox'
import { SEPARATION_CROWD, separate } from 'hurtbox/motion'
import { movePlatformer, platformer } from 'hurtbox/platformer'
import { createMapIndex, raycastMap } from 'hurtbox/query'
import { arcBand, boundingCircle, box, circle, createImpact, type MovingShape, pose, sweep } from 'hurtbox/shapes'
import {
  buildIndex,
  createAnswer,
  createIndex,
  createPairFinder,
  createPairList,
  findPairs,
  nearest,
  overlapBox,
  overlapCircle,
  raycast,
} from 'hurtbox/space'
import { createEncodedInputs, type Snapshot, stepEncoded } from 'hurtbox/tools'
import {
  addMatch,
  type Contender,
  type Crowd,
  type Matches,
  type PairFinder,
  type PairHistory,
  type QueryIndex,
  type WallMap,
} from '../contender.ts'
import { ARC } from '../oracles/arcs.ts'
import type { Circles } from '../scenes/circles.ts'
import { type CrowdScene, steer } from '../scenes/crowd.ts'
import { jumpsNow, RUNNER, TILE, type TowerScene } from '../scenes/tower.ts'
import type { Walls } from '../scenes/walls.ts'
import { hitsFromOrderedPairs } from './hits.ts'

export const hurtbox: Contender = {
  pairs: pairFinder,
  history: pairHistory,
  bullets: (scene) => hitsFromOrderedPairs(scene, pairFinder(scene.circles).find),
  queries: queryIndex,
  walls: wallMap,
  crowd: holdApart,
  runners: runInTower,
}

function pairFinder(circles: Circles): PairFinder {
  const finder = createPairFinder()
  const pairs = createPairList()
  return {
    find() {
      findPairs(finder, circles, pairs, circles)
      return pairs
    },
  }
}

function pairHistory(given: Circles): PairHistory {
  const finder = createPairFinder()
  const pairs = createPairList()
  const declaration = declareGame({
    id: 'bench',
    tickRate: 60,
    seats: { min: 0, max: 4 },
    layers: { circle: ['circle'] },
    capacity: given.count,
    // What a fighter has besides a body: about 96 bytes in all.
    things: {
      hp: 'f64',
      invMass: 'f64',
      faceX: 'f64',
      faceY: 'f64',
      invulnerableUntil: 'timer',
      readyAt: 'timer',
    },
  })
  const game = defineGame(declaration, {
    phases: { detect: () => findPairs(finder, circles, pairs, circles) },
  })
  const world = createWorld(game)
  for (let thing = 0; thing < given.count; thing++) {
    const { x, y, vx, vy, radius } = given
    spawn(world, 'circle', {
      x: x[thing],
      y: y[thing],
      vx: vx[thing],
      vy: vy[thing],
      radius: radius[thing],
      hp: 100,
      invMass: 1,
    })
  }
  const { x, y, vx, vy, radius, layer } = world.tables.things
  const circles: Circles = { ...given, x, y, vx, vy, radius, layer }
  const inputs = createEncodedInputs(world)
  return {
    circles,
    find() {
      stepEncoded(world, inputs)
      return pairs
    },
    save: (into) => snapshot(world, into as Snapshot | undefined),
    restore: (saved) => restore(world, saved as Snapshot),
    savedBytes: (saved) => (saved as Snapshot).byteLength,
  }
}

/** A game of two phases: all units walk, then the crowd separates. */
function holdApart(scene: CrowdScene): Crowd {
  const declaration = declareGame({
    id: 'bench-crowd',
    tickRate: 30,
    seats: { min: 0, max: 1 },
    layers: { unit: [] },
    capacity: scene.count,
    things: { invMass: 'f64' },
  })
  const velocity = { x: 0, y: 0 }
  const game = defineGame(declaration, {
    phases: {
      walk({ tables: { things } }) {
        const { count, x, y, vx, vy } = things
        for (let thing = 0; thing < count; thing++) {
          steer(scene, thing, x[thing], y[thing], velocity)
          vx[thing] = velocity.x
          vy[thing] = velocity.y
          x[thing] += velocity.x
          y[thing] += velocity.y
        }
      },
      separate: separate({ settings: () => SEPARATION_CROWD }),
    },
  })
  const world = createWorld(game)
  const { things } = world.tables
  for (let thing = 0; thing < scene.count; thing++) {
    const mass = scene.mass[thing]
    spawn(world, 'unit', {
      x: scene.x[thing],
      y: scene.y[thing],
      radius: scene.radius[thing],
      invMass: mass === 0 ? 0 : 1 / mass,
    })
  }
  const inputs = createEncodedInputs(world)
  return {
    tick: () => stepEncoded(world, inputs),
    read(x, y) {
      x.set(things.x)
      y.set(things.y)
    },
  }
}

/** A game of two phases: runners say what they want, then the kit moves them. */
function runInTower({ walls, slopes, count, x, y, way }: TowerScene): Crowd {
  const declaration = declareGame({
    id: 'bench-runners',
    tickRate: RUNNER.ticksPerSecond,
    seats: { min: 0, max: 1 },
    layers: { runner: ['wall'], wall: [] },
    capacity: count,
    things: { ...platformer.columns },
  })
  const pieces = Array.from({ length: walls.count }, (_, i) => ({
    layer: 'wall' as const,
    minX: walls.minX[i],
    minY: walls.minY[i],
    maxX: walls.maxX[i],
    maxY: walls.maxY[i],
  }))
  const hills = slopes.map(({ x, y }) => ({
    layer: 'wall' as const,
    points: [
      [x, y],
      [x + TILE, y],
      [x + TILE, y - TILE],
    ] as const,
  }))
  const game = defineGame(declaration, {
    phases: {
      want({ clock, tables: { things } }) {
        const { count, vx, vy, grounded, wallSide } = things
        for (let runner = 0; runner < count; runner++) {
          if (wallSide[runner] !== 0) vx[runner] = -wallSide[runner] * RUNNER.speed
          if (grounded[runner] !== 0 && jumpsNow(clock, runner)) vy[runner] = -RUNNER.jump
        }
      },
      move: movePlatformer(declaration, {
        bodies: ['runner'],
        statics: defineStatics(declaration, [...pieces, ...hills]),
        gravity: () => RUNNER.gravity,
      }),
    },
  })
  const world = createWorld(game)
  const { things } = world.tables
  const { halfWidth, halfHeight, speed } = RUNNER
  for (let runner = 0; runner < count; runner++) {
    spawn(world, 'runner', { x: x[runner], y: y[runner], halfWidth, halfHeight, vx: way[runner] * speed })
  }
  const inputs = createEncodedInputs(world)
  return {
    tick: () => stepEncoded(world, inputs),
    read(outX, outY) {
      outX.set(things.x)
      outY.set(things.y)
    },
  }
}

function queryIndex(circles: Circles): QueryIndex {
  const index = createIndex()
  const answer = createAnswer()
  // What is asked, kept: a question allocates nothing.
  const region = { x: Number.NaN, y: Number.NaN, radius: Number.NaN }
  const ray = { x: Number.NaN, y: Number.NaN, dx: Number.NaN, dy: Number.NaN, limit: 1 }
  const asked = { x: Number.NaN, y: Number.NaN, limit: 1 }
  const around = { minX: Number.NaN, minY: Number.NaN, maxX: Number.NaN, maxY: Number.NaN }
  // Shapes are content: made once, posed again and again.
  const hurtboxes = Array.from(circles.radius, (radius) => circle(radius))
  const hurtbox = { shape: hurtboxes[0], pose: pose({ x: 0, y: 0 }) }
  const attackPose = pose({ x: 0, y: 0 })
  const impact = createImpact()
  const arc = { shape: arcBand(ARC.inner, ARC.outer, ARC.angle), pose: attackPose, dx: Number.NaN, dy: Number.NaN }
  const bound = { x: Number.NaN, y: Number.NaN, radius: Number.NaN }
  return {
    update: () => buildIndex(index, circles),
    regions(regions, out) {
      let place = 0
      for (let at = 0; at < regions.count; at++) {
        out.start[at] = place
        region.x = regions.x[at]
        region.y = regions.y[at]
        region.radius = regions.radius[at]
        overlapCircle(index, region, answer)
        for (let i = 0; i < answer.count; i++) place = addMatch(out, place, answer.circle[i])
      }
      out.start[regions.count] = place
    },
    nearest(places, limit, out) {
      let place = 0
      asked.limit = limit
      for (let at = 0; at < places.count; at++) {
        out.start[at] = place
        asked.x = places.x[at]
        asked.y = places.y[at]
        nearest(index, asked, answer)
        for (let i = 0; i < answer.count; i++) place = addMatch(out, place, answer.circle[i])
      }
      out.start[places.count] = place
    },
    rays(rays, out) {
      const { length } = rays
      for (let at = 0; at < rays.count; at++) {
        ray.x = rays.x[at]
        ray.y = rays.y[at]
        ray.dx = rays.dx[at] * length
        ray.dy = rays.dy[at] * length
        raycast(index, ray, answer)
        out.thing[at] = answer.count === 0 ? -1 : answer.circle[0]
        out.distance[at] = answer.count === 0 ? length : answer.measure[0] * length
      }
    },
    swings(swings, out) {
      const { halfLength, halfWidth } = swings
      const attack = { shape: box(halfLength, halfWidth), pose: attackPose, dx: Number.NaN, dy: Number.NaN }
      let place = 0
      for (let swing = 0; swing < swings.count; swing++) {
        out.start[swing] = place
        const moveX = swings.moveX[swing]
        const moveY = swings.moveY[swing]
        attack.dx = moveX
        attack.dy = moveY
        attackPose.x = swings.x[swing]
        attackPose.y = swings.y[swing]
        attackPose.facingX = swings.faceX[swing]
        attackPose.facingY = swings.faceY[swing]
        const halfX = Math.abs(attackPose.facingX) * halfLength + Math.abs(attackPose.facingY) * halfWidth
        const halfY = Math.abs(attackPose.facingY) * halfLength + Math.abs(attackPose.facingX) * halfWidth
        around.minX = attackPose.x - halfX + Math.min(0, moveX)
        around.minY = attackPose.y - halfY + Math.min(0, moveY)
        around.maxX = attackPose.x + halfX + Math.max(0, moveX)
        around.maxY = attackPose.y + halfY + Math.max(0, moveY)
        place = addSwept(attack, place, out)
      }
      out.start[swings.count] = place
    },
    arcs(swings, out) {
      let place = 0
      for (let swing = 0; swing < swings.count; swing++) {
        out.start[swing] = place
        arc.dx = swings.moveX[swing]
        arc.dy = swings.moveY[swing]
        attackPose.x = swings.x[swing]
        attackPose.y = swings.y[swing]
        attackPose.facingX = swings.faceX[swing]
        attackPose.facingY = swings.faceY[swing]
        boundingCircle(arc, bound)
        around.minX = bound.x - bound.radius + Math.min(0, arc.dx)
        around.minY = bound.y - bound.radius + Math.min(0, arc.dy)
        around.maxX = bound.x + bound.radius + Math.max(0, arc.dx)
        around.maxY = bound.y + bound.radius + Math.max(0, arc.dy)
        place = addSwept(arc, place, out)
      }
      out.start[swings.count] = place
    },
  }

  /** Adds what an attack meets on its way of those that are `around`. */
  function addSwept(attack: MovingShape, first: number, out: Matches): number {
    let place = first
    overlapBox(index, around, answer)
    for (let i = 0; i < answer.count; i++) {
      const thing = answer.circle[i]
      hurtbox.shape = hurtboxes[thing]
      hurtbox.pose.x = circles.x[thing]
      hurtbox.pose.y = circles.y[thing]
      if (sweep(attack, hurtbox, impact)) place = addMatch(out, place, thing)
    }
    return place
  }
}

/** The static map of a game, as its phases and bots ask it. */
function wallMap({ count, minX, minY, maxX, maxY }: Walls): WallMap {
  const declaration = declareGame({ id: 'walls', tickRate: 60, layers: { wall: [] } })
  const pieces = Array.from({ length: count }, (_, i) => ({
    layer: 'wall',
    minX: minX[i],
    minY: minY[i],
    maxX: maxX[i],
    maxY: maxY[i],
  }))
  const world = createWorld(defineGame(declaration, { phases: {} }))
  const map = createMapIndex(world, defineStatics(declaration, pieces))
  const from = { x: Number.NaN, y: Number.NaN }
  const along = { x: Number.NaN, y: Number.NaN }
  return {
    rays(rays, out) {
      for (let ray = 0; ray < rays.count; ray++) {
        from.x = rays.x[ray]
        from.y = rays.y[ray]
        along.x = rays.dx[ray] * rays.length
        along.y = rays.dy[ray] * rays.length
        const isMet = raycastMap(map, from, along)
        out.thing[ray] = isMet ? map.wall.place : -1
        out.distance[ray] = isMet ? map.wall.time * rays.length : rays.length
      }
    },
  }
}
