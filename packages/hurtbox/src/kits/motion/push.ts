/**
 * Bodies take up room: capsules that overlap are pushed apart and lose the speed with which they ran into each other.
 *
 * Like `separate` in the plane, with three differences. Bodies may be pushed upwards, so that one can land on another's head
 * and jump off it. No push, however hard, moves a body into a wall: a push is a move along the static map. And the speed is
 * shared by mass, so that a heavy runner pushes a light one along.
 */

import { purposeOf, unitVectorAt } from '../../geometry/math/random.ts'
import { NO_LAYER } from '../../geometry/space/circles.ts'
import { createPairFinder, findPairs } from '../../geometry/space/find-pairs.ts'
import { createPairList } from '../../geometry/space/pair-list.ts'
import type { Blocks } from '../../rules/collide/blocks.ts'
import { notePush, openRecord, type PushRecord } from '../../rules/collide/pushes.ts'
import type { MapPhase } from '../../rules/collide/statics.ts'
import { handleAt } from '../../world/handles/pool.ts'
import { type BodyWorld, move, STEEPEST_FLOOR, slide } from './bodies.ts'

export type PushOptions<T> = {
  /** Floors and walls, as in `moveBodies`. */
  readonly statics: Blocks
  /** Whether a thing takes up room now: no bullet, no fighter that is out of the ring. Default: all things do. */
  readonly takesRoom?: (thing: T) => boolean
}

/** Bodies nearer than this have no direction to part in; they get a random one that a rollback repeats. */
const COINCIDENT = 0.001
const PURPOSE = purposeOf('push')

/** Makes a phase that pushes overlapping bodies apart, pair by pair in canonical order. */
export function pushBodies<T>(options: PushOptions<T>): MapPhase<BodyWorld> {
  const { statics, takesRoom } = options
  const finder = createPairFinder()
  const pairs = createPairList()
  const pairOptions = { meets: Uint32Array.of(1) }
  let layer = new Uint8Array(0)
  // Kept, so that a tick makes no object.
  const none: Float64Array = new Float64Array(0)
  const circles = { count: 0, x: none, y: none, radius: none, layer }
  const run = (world: BodyWorld) => {
    const { things } = world.tables
    const [pool] = world.memory.block.pools
    const { count, capacity, leaving, x, y, radius } = things
    if (layer.length < capacity) layer = new Uint8Array(capacity)
    for (let row = 0; row < count; row++) {
      const takes = leaving[row] === 0 && (takesRoom === undefined || takesRoom(handleAt(pool, row) as T))
      layer[row] = takes ? 0 : NO_LAYER
    }
    circles.count = count
    circles.x = x
    circles.y = y
    circles.radius = radius
    circles.layer = layer
    findPairs(finder, circles, pairs, pairOptions)
    const record = openRecord(world)
    for (let i = 0; i < pairs.count; i++) {
      if (!findSeparation(world, pairs.a[i], pairs.b[i])) continue
      if (pushApart(world, pairs.a[i], pairs.b[i], statics) && record !== undefined) {
        note(record, world, pairs.a[i], pairs.b[i])
      }
    }
  }
  return { create: (world) => ({ statics, run: () => run(world) }) }
}

/** Scratch: written before it is read. The direction from a to b, and how deep they overlap. */
const apart = { x: Number.NaN, y: Number.NaN, z: Number.NaN, depth: Number.NaN }
const direction = { x: Number.NaN, y: Number.NaN }

function findSeparation(world: BodyWorld, a: number, b: number): boolean {
  const { x, y, z, radius, halfLength, id } = world.tables.things
  const reach = radius[a] + radius[b]
  const dx = x[b] - x[a]
  const dy = y[b] - y[a]
  const rise = z[b] - z[a]
  // The nearest points of two upright lines are level, unless one line begins above the end of the other.
  const over = Math.abs(rise) - halfLength[a] - halfLength[b]
  const dz = over <= 0 ? 0 : rise < 0 ? -over : over
  const squared = dx * dx + dy * dy + dz * dz
  // Earlier pushes may have separated them. Touching is not overlapping.
  if (squared >= reach * reach) return false
  const distance = Math.sqrt(squared)
  apart.depth = reach - distance
  if (distance < COINCIDENT) {
    unitVectorAt(world.seed, world.tick, id[a], id[b], PURPOSE, direction)
    apart.x = direction.x
    apart.y = direction.y
    apart.z = 0
    return true
  }
  apart.x = dx / distance
  apart.y = dy / distance
  apart.z = dz / distance
  return true
}

/** Returns whether there was one to push: not where both are immovable. */
function pushApart(world: BodyWorld, a: number, b: number, statics: Blocks): boolean {
  const { vx, vy, vz, invMass, grounded } = world.tables.things
  // A body on the ground cannot be pushed down: all of the push goes to the one on top.
  const giveA = apart.z > 0 && grounded[a] !== 0 ? 0 : invMass[a]
  const giveB = apart.z < 0 && grounded[b] !== 0 ? 0 : invMass[b]
  const give = giveA + giveB
  if (give === 0) return false
  const closing = (vx[a] - vx[b]) * apart.x + (vy[a] - vy[b]) * apart.y + (vz[a] - vz[b]) * apart.z
  // Speed first: what the map takes away from it below is then not given back.
  const impulse = closing > 0 ? closing / give : 0
  vx[a] -= apart.x * impulse * giveA
  vy[a] -= apart.y * impulse * giveA
  vz[a] -= apart.z * impulse * giveA
  vx[b] += apart.x * impulse * giveB
  vy[b] += apart.y * impulse * giveB
  vz[b] += apart.z * impulse * giveB
  if (apart.z >= STEEPEST_FLOOR) grounded[b] = 1
  if (apart.z <= -STEEPEST_FLOOR) grounded[a] = 1
  const push = apart.depth / give
  shift(world, a, -push * giveA, statics)
  shift(world, b, push * giveB, statics)
  share.first = push * giveA
  share.second = push * giveB
  return true
}

/** Scratch: how far the last push moved both, where no wall was in the way. */
const share = { first: Number.NaN, second: Number.NaN }

function note(record: PushRecord, world: BodyWorld, a: number, b: number): void {
  const { x, y, z, depth } = apart
  const { first: shareFirst, second: shareSecond } = share
  notePush(record, world, [a, b], { overlap: depth, push: depth, shareFirst, shareSecond, x, y, z })
}

function shift(world: BodyWorld, row: number, distance: number, statics: Blocks): void {
  if (distance === 0) return
  move.x = apart.x * distance
  move.y = apart.y * distance
  move.z = apart.z * distance
  move.fallen = 0
  move.gained = 0
  slide(world, row, statics)
}
