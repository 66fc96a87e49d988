/**
 * Yielding: keeps a crowd that presses to one place apart in a single sweep.
 *
 * Shared by mass, a push passes half of an overlap on to the next neighbour, one neighbour per pass. In a crowd fifty ranks
 * deep it does not get through in a tick, the next tick adds more, and the middle collapses. A queue works differently:
 * units behind yield to units in front, never the reverse. Visited from front to back, each unit finds all those in front
 * in their final places, and one sweep gets through any number of ranks.
 *
 * No goal is needed to find the front. Of two units that walk in the same direction, the one further along is in front; so
 * is a standing unit that another walks into. Of two that walk at each other the heavier one is in front, and what cannot be
 * moved is in front of everything. Two standing units are equals: they share by mass.
 *
 * The measurements are in docs/decisions/007-crowds-yield.md.
 */

import { NO_LAYER } from '../../../geometry/space/circles.ts'
import { createPairList, type PairList } from '../../../geometry/space/pair-list.ts'
import { findStaticPairs } from '../../../geometry/space/statics.ts'
import { notePush, openRecord } from '../../../rules/collide/pushes.ts'
import type { Statics } from '../../../rules/collide/statics.ts'
import { findNear, type Limits, type Room, type SeparationWorld } from './room.ts'
import type { SeparationSettings } from './settings.ts'
import { applyLimits, COINCIDENT, overlapsWall, randomDirection, shareByMass } from './share-by-mass.ts'

/** Which units are in front of which. Scratch, kept between ticks; what one tick leaves in it does not matter to the next. */
export type Queue = {
  /** Radii with a margin: a unit that is pushed may reach those within it. */
  wideRadius: Float64Array
  /** Pairs in which neither is in front. */
  readonly equals: { count: number; a: Uint32Array; b: Uint32Array }
  /** Pairs in which one is in front. */
  readonly unequals: { count: number; ahead: Int32Array; behind: Int32Array }
  /** Row `r` yields to `ahead[aheadStart[r]]` up to `ahead[aheadStart[r + 1] - 1]`; the same for those behind it. */
  aheadStart: Int32Array
  ahead: Int32Array
  behindStart: Int32Array
  behind: Int32Array
  /** How many in front of each row are not in `order` yet; -1 for rows that are in it themselves. */
  waitingFor: Int32Array
  /** All rows, from front to back. */
  order: Int32Array
  /** Walls near rows, by row; row `r` owns those from `wallStart[r]` on. */
  readonly walls: PairList
  wallStart: Int32Array
}

/** Part of the radius that is searched beyond it. A unit that is pushed further finds its neighbours in the next tick. */
const MARGIN = 0.25

/**
 * How often a unit that yields to several is pushed by all of them in turn. Between two it converges to the place that
 * touches both, to about a thousandth of the overlap.
 */
const STEPS = 4

export function createQueue(): Queue {
  const none = new Int32Array(0)
  return {
    wideRadius: new Float64Array(0),
    equals: { count: 0, a: new Uint32Array(0), b: new Uint32Array(0) },
    unequals: { count: 0, ahead: none, behind: none },
    aheadStart: none,
    ahead: none,
    behindStart: none,
    behind: none,
    waitingFor: none,
    order: none,
    walls: createPairList(),
    wallStart: none,
  }
}

/** One pass: equals share by mass, then every unit yields to those in front, and to walls. */
export function yieldToFront(
  world: SeparationWorld,
  room: Room,
  queue: Queue,
  settings: SeparationSettings,
  limits: Limits,
): void {
  reserve(queue, world.tables.things.capacity)
  widen(world, queue)
  findNear(world, room, queue.wideRadius, settings)
  splitPairs(world, room.pairs, queue)
  group(queue, world.tables.things.count)
  sortFrontToBack(queue, world.tables.things.count)
  shareByMass(world, queue.equals, settings, room)
  findWalls(world, room, queue, limits.statics)
  sweep(world, room, queue, settings, limits)
  // A unit that was pushed further than the margin may overlap a wall that was not in its list.
  applyLimits(world, room, limits)
}

function reserve(queue: Queue, capacity: number): void {
  if (queue.order.length >= capacity) return
  queue.wideRadius = new Float64Array(capacity)
  queue.aheadStart = new Int32Array(capacity + 1)
  queue.behindStart = new Int32Array(capacity + 1)
  queue.wallStart = new Int32Array(capacity + 1)
  queue.waitingFor = new Int32Array(capacity)
  queue.order = new Int32Array(capacity)
}

function widen(world: SeparationWorld, { wideRadius }: Queue): void {
  const { count, radius } = world.tables.things
  for (let row = 0; row < count; row++) wideRadius[row] = radius[row] * (1 + MARGIN)
}

/** Splits the pairs into those in which one is in front and those of equals. */
function splitPairs(world: SeparationWorld, pairs: PairList, queue: Queue): void {
  const { x, y, vx, vy, invMass } = world.tables.things
  const { equals, unequals } = queue
  reservePairs(queue, pairs.count)
  equals.count = 0
  unequals.count = 0
  for (let i = 0; i < pairs.count; i++) {
    const a = pairs.a[i]
    const b = pairs.b[i]
    // Above zero: b is ahead; below: a is.
    let along = invMass[a] - invMass[b]
    if (invMass[a] !== 0 && invMass[b] !== 0 && (along === 0 || !isAgainst(vx[a], vy[a], vx[b], vy[b]))) {
      along = lead(vx[a] + vx[b], vy[a] + vy[b], x[b] - x[a], y[b] - y[a])
    }
    if (along === 0) {
      equals.a[equals.count] = a
      equals.b[equals.count++] = b
    } else {
      unequals.ahead[unequals.count] = along > 0 ? b : a
      unequals.behind[unequals.count++] = along > 0 ? a : b
    }
  }
}

/** Whether two walk at each other: their directions are opposite to within 8 degrees. */
function isAgainst(ax: number, ay: number, bx: number, by: number): boolean {
  const dot = ax * bx + ay * by
  return dot < 0 && 1.02 * dot * dot > (ax * ax + ay * ay) * (bx * bx + by * by)
}

/**
 * How far the second of two, (dx, dy) from the first, is in front along (vx, vy), the sum of their speeds. Two that are
 * abreast to within 3 degrees would take turns in yielding and never come to rest; there the first, which is older, is in
 * front.
 */
function lead(vx: number, vy: number, dx: number, dy: number): number {
  const along = vx * dx + vy * dy
  const isAbreast = 400 * along * along < (vx * vx + vy * vy) * (dx * dx + dy * dy)
  return isAbreast ? -1 : along
}

function reservePairs(queue: Queue, count: number): void {
  if (queue.ahead.length >= count) return
  const { equals, unequals } = queue
  equals.a = new Uint32Array(2 * count)
  equals.b = new Uint32Array(2 * count)
  unequals.ahead = new Int32Array(2 * count)
  unequals.behind = new Int32Array(2 * count)
  queue.ahead = new Int32Array(2 * count)
  queue.behind = new Int32Array(2 * count)
}

/** Two counting sorts: the units in front of each row, and those behind it. */
function group({ unequals, aheadStart, ahead, behindStart, behind }: Queue, rows: number): void {
  const { count, ahead: aheadOf, behind: behindOf } = unequals
  aheadStart.fill(0, 0, rows + 1)
  behindStart.fill(0, 0, rows + 1)
  for (let i = 0; i < count; i++) {
    aheadStart[behindOf[i]]++
    behindStart[aheadOf[i]]++
  }
  let aheadEnd = 0
  let behindEnd = 0
  for (let row = 0; row <= rows; row++) {
    aheadStart[row] = aheadEnd = (aheadEnd + aheadStart[row]) | 0
    behindStart[row] = behindEnd = (behindEnd + behindStart[row]) | 0
  }
  // Filling each row from its end turns the ends into starts; the last pair goes first, so that order is kept.
  for (let i = count - 1; i >= 0; i--) {
    ahead[--aheadStart[behindOf[i]]] = aheadOf[i]
    behind[--behindStart[aheadOf[i]]] = behindOf[i]
  }
}

/**
 * Lists rows so that each comes after all those in front of it. Units that walk in a ring are all behind each other; a ring is
 * cut in front of its lowest row.
 */
function sortFrontToBack({ aheadStart, behindStart, behind, waitingFor, order }: Queue, rows: number): void {
  let listed = 0
  for (let row = 0; row < rows; row++) {
    waitingFor[row] = aheadStart[row + 1] - aheadStart[row]
    if (waitingFor[row] > 0) continue
    waitingFor[row] = -1
    order[listed++] = row
  }
  let next = 0
  let lowest = 0
  while (next < rows) {
    if (next === listed) {
      while (waitingFor[lowest] === -1) lowest++
      waitingFor[lowest] = -1
      order[listed++] = lowest
    }
    const row = order[next++]
    for (let i = behindStart[row]; i < behindStart[row + 1]; i++) {
      const waiting = behind[i]
      if (waitingFor[waiting] > 1) waitingFor[waiting]--
      else if (waitingFor[waiting] === 1) {
        waitingFor[waiting] = -1
        order[listed++] = waiting
      }
    }
  }
}

function findWalls(world: SeparationWorld, room: Room, queue: Queue, statics: Statics | undefined): void {
  if (statics === undefined) return
  const { count, x, y } = world.tables.things
  const { walls: near, wallStart, wideRadius: radius } = queue
  findStaticPairs(statics.map, { count, x, y, radius, layer: room.layer }, near, room.withStatics)
  let i = 0
  for (let row = 0; row <= count; row++) {
    while (i < near.count && near.a[i] < row) i++
    wallStart[row] = i
  }
}

/** From front to back, each unit moves out of those in front of it, out of walls and inside the bounds. */
function sweep(
  world: SeparationWorld,
  room: Room,
  queue: Queue,
  { separationStrength, maxSeparationDistance }: SeparationSettings,
  limits: Limits,
): void {
  const { count, x, y, radius, invMass } = world.tables.things
  const { ahead, aheadStart, order } = queue
  const { layer, vector } = room
  const record = openRecord(world)
  const isOpen = limits.bounds === undefined && limits.statics === undefined
  for (let i = 0; i < count; i++) {
    const row = order[i]
    if (layer[row] === NO_LAYER || invMass[row] === 0) continue
    const start = aheadStart[row]
    const end = aheadStart[row + 1]
    const ownRadius = radius[row]
    for (let step = 0; step < STEPS; step++) {
      let ownX = x[row]
      let ownY = y[row]
      let isMoved = false
      for (let j = start; j < end; j++) {
        const other = ahead[j]
        const dx = ownX - x[other]
        const dy = ownY - y[other]
        const reach = ownRadius + radius[other]
        const squared = dx * dx + dy * dy
        if (squared >= reach * reach) continue
        isMoved = true
        const distance = Math.sqrt(squared)
        const push = Math.min((reach - distance) * separationStrength, maxSeparationDistance)
        const beforeX = ownX
        const beforeY = ownY
        if (distance >= COINCIDENT) {
          const part = push / distance
          ownX += dx * part
          ownY += dy * part
        } else {
          randomDirection(world, Math.min(row, other), Math.max(row, other), vector)
          const away = row > other ? push : -push
          ownX += vector.x * away
          ownY += vector.y * away
        }
        if (record === undefined || push === 0) continue
        notePush(record, world, [other, row], {
          overlap: reach - distance,
          push,
          shareFirst: 0,
          shareSecond: push,
          x: (ownX - beforeX) / push,
          y: (ownY - beforeY) / push,
          z: 0,
        })
      }
      x[row] = ownX
      y[row] = ownY
      const isKept = !isOpen && keepInside(world, queue, limits, row, vector)
      if (!isMoved && !isKept) break
    }
  }
}

/** Moves a row out of the walls near it, then inside the bounds. Returns whether it had to be moved. */
function keepInside(
  world: SeparationWorld,
  { walls: near, wallStart }: Queue,
  { bounds, statics }: Limits,
  row: number,
  out: { x: number; y: number },
): boolean {
  const { x, y, radius } = world.tables.things
  let isMoved = false
  if (statics !== undefined) {
    for (let i = wallStart[row]; i < wallStart[row + 1]; i++) {
      if (!overlapsWall(world, row, statics, near.b[i], out)) continue
      x[row] += out.x
      y[row] += out.y
      isMoved = true
    }
  }
  if (bounds === undefined) return isMoved
  const insideX = Math.min(Math.max(x[row], bounds.minX + radius[row]), bounds.maxX - radius[row])
  const insideY = Math.min(Math.max(y[row], bounds.minY + radius[row]), bounds.maxY - radius[row])
  isMoved ||= insideX !== x[row] || insideY !== y[row]
  x[row] = insideX
  y[row] = insideY
  return isMoved
}
