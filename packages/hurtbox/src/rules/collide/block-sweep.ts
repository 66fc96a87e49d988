/**
 * When something round that moves first meets a map in space: a body that walks, a missile, a ray.
 *
 * Of a small map every piece is looked at, each with six comparisons before anything else. In a large one the grid of the map
 * finds the few that are near; the answer is the same to the last bit.
 */

import { createPairList } from '../../geometry/space/pair-list.ts'
import { findStaticPairs } from '../../geometry/space/statics.ts'
import type { BlockGap, Blocks, Upright } from './blocks.ts'

/** An upright capsule and its move. Numbers in an object: V8 would put each on the heap to pass it to a function. */
export type MovingCapsule = { -readonly [K in keyof Upright]: number } & {
  dx: number
  dy: number
  dz: number
  /** The layers of the map that it meets, one bit each. */
  meets: number
}

export function createMovingCapsule(): MovingCapsule {
  const n = Number.NaN
  return { x: n, y: n, z: n, radius: n, halfLength: n, dx: n, dy: n, dz: n, meets: 0xffffffff }
}

/** Where something that moves first meets the map. */
export type BlockHit = {
  /** Part of the move until then, 0 to 1. */
  time: number
  /** Unit vector out of the piece. */
  normalX: number
  normalY: number
  normalZ: number
  /** The piece, by its place in the map. */
  place: number
}

export function createBlockHit(): BlockHit {
  // Made of NaN so that the fields are doubles from the start; see `pose`.
  const n = Number.NaN
  return { time: n, normalX: n, normalY: n, normalZ: n, place: -1 }
}

/** Scratch: each is written before it is read. */
const gap: BlockGap = { distance: Number.NaN, x: Number.NaN, y: Number.NaN, z: Number.NaN }
const at: { -readonly [K in keyof Upright]: number } = createMovingCapsule()

/**
 * Surfaces closer than this touch. Rounding of coordinates below 100,000 stays a hundred times smaller, and no eye sees it.
 */
const TOUCH = 1e-8

/** A move that closes in by less than this part of its length runs along the surface. */
const GRAZE = 1e-9

/** Maps of at most this many pieces are looked at whole. */
const FEW = 24

/**
 * The earliest hit on any piece that is no open door; of several at once, the first of the map. What touches or overlaps a piece at the
 * start hits it at time 0, unless it moves away from it or along it.
 */
export function sweepBlocks(world: object, blocks: Blocks, mover: MovingCapsule, out: BlockHit): boolean {
  out.time = Number.POSITIVE_INFINITY
  const count = findNear(blocks, mover)
  for (let i = 0; i < count; i++) {
    const place = nearAt(blocks, i)
    if (mayHit(blocks, place, mover) && !blocks.isOpen(world, place)) sweepPiece(blocks, place, mover, out)
  }
  return out.time <= 1
}

/** Whether it touches or overlaps a piece where it stands; if so, `out` says which one, the first of the map, at time 0. */
export function touchesBlocks(world: object, blocks: Blocks, mover: MovingCapsule, out: BlockHit): boolean {
  const count = findNear(blocks, mover)
  for (let i = 0; i < count; i++) {
    const place = nearAt(blocks, i)
    if (!mayHit(blocks, place, mover) || blocks.isOpen(world, place)) continue
    blocks.gap(place, mover, gap)
    if (gap.distance > TOUCH) continue
    writeHit(out, 0, place)
    return true
  }
  return false
}

/** The pieces near the whole move: all of a small map, else those that the grid finds. */
const near = createPairList()
const circle = {
  count: 1,
  x: new Float64Array(1),
  y: new Float64Array(1),
  radius: new Float64Array(1),
  layer: new Uint8Array(1),
}
const layers = { meets: new Uint32Array(1) }

function findNear(blocks: Blocks, { x, y, dx, dy, radius, meets }: MovingCapsule): number {
  const { count } = blocks.map.rectangles
  if (count <= FEW) return count
  circle.x[0] = x + dx / 2
  circle.y[0] = y + dy / 2
  // A hair more than rounding can take off.
  circle.radius[0] = (Math.sqrt(dx * dx + dy * dy) / 2 + radius) * (1 + 1e-9) + TOUCH
  layers.meets[0] = meets
  findStaticPairs(blocks.map, circle, near, layers)
  return near.count
}

function nearAt(blocks: Blocks, i: number): number {
  return blocks.map.rectangles.count <= FEW ? i : near.b[i]
}

/** Whether the bounds of the whole move reach a piece that it meets. */
function mayHit({ map: { rectangles }, minZ, maxZ }: Blocks, place: number, mover: MovingCapsule): boolean {
  const { x, y, z, dx, dy, dz, radius, halfLength, meets } = mover
  const reach = radius + TOUCH
  const reachZ = reach + halfLength
  return (
    Math.max(x, x + dx) + reach >= rectangles.minX[place] &&
    Math.min(x, x + dx) - reach <= rectangles.maxX[place] &&
    Math.max(y, y + dy) + reach >= rectangles.minY[place] &&
    Math.min(y, y + dy) - reach <= rectangles.maxY[place] &&
    Math.max(z, z + dz) + reachZ >= minZ[place] &&
    Math.min(z, z + dz) - reachZ <= maxZ[place] &&
    ((meets >>> rectangles.layer[place]) & 1) === 1
  )
}

/**
 * Writes a hit on this piece into `out` if it is earlier than the one there.
 *
 * The distance to a convex piece along a straight move is a convex function of time, so Newton's method never steps past the impact:
 * no tunnelling at any speed. A square hit takes two or three steps; a graze, where each step halves what is left, some twenty.
 */
function sweepPiece(blocks: Blocks, place: number, mover: MovingCapsule, out: BlockHit): void {
  const { x, y, z, dx, dy, dz } = mover
  const length = Math.sqrt(dx * dx + dy * dy + dz * dz)
  at.radius = mover.radius
  at.halfLength = mover.halfLength
  let time = 0
  for (let steps = 0; steps < 40; steps++) {
    at.x = x + dx * time
    at.y = y + dy * time
    at.z = z + dz * time
    blocks.gap(place, at, gap)
    const closing = -(dx * gap.x + dy * gap.y + dz * gap.z)
    if (closing <= GRAZE * length && (closing <= 0 || gap.distance <= TOUCH)) return
    if (gap.distance <= TOUCH) break
    time += gap.distance / closing
    if (time > 1 || time >= out.time) return
  }
  if (time < out.time) writeHit(out, time, place)
}

function writeHit(out: BlockHit, time: number, place: number): void {
  out.time = time
  out.normalX = gap.x
  out.normalY = gap.y
  out.normalZ = gap.z
  out.place = place
}

/**
 * Moves a mover out of what it overlaps, out of each piece in turn by the shortest move. `note`, if given, is called for each with its place
 * and the way out.
 */
export function pushOutOfBlocks(
  world: object,
  blocks: Blocks,
  mover: MovingCapsule,
  note?: (place: number, way: Readonly<BlockGap>) => void,
): void {
  mover.dx = 0
  mover.dy = 0
  mover.dz = 0
  // Leaving one piece may lead into its neighbour; a second and a third pass settle corners.
  for (let pass = 0; pass < 3; pass++) {
    let moved = false
    let count = findNear(blocks, mover)
    for (let i = 0; i < count; i++) {
      const place = nearAt(blocks, i)
      if (!mayHit(blocks, place, mover) || blocks.isOpen(world, place)) continue
      blocks.gap(place, mover, gap)
      if (gap.distance >= -TOUCH) continue
      mover.x -= gap.distance * gap.x
      mover.y -= gap.distance * gap.y
      mover.z -= gap.distance * gap.z
      moved = true
      note?.(place, gap)
      // What is near has changed; those further on in the map are still to come.
      count = findNear(blocks, mover)
      i = 0
      while (i < count && nearAt(blocks, i) <= place) i++
      i--
    }
    if (!moved) return
  }
}
