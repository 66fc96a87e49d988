/**
 * Terrain: solid boxes along the axes, as content, and when something round first hits them.
 *
 * An upright capsule meets a box exactly when its centre comes within its radius of that box made taller by half the
 * capsule's straight part at both ends. So every question about a capsule, a sphere (no straight part) or a ray (no radius)
 * is a question about one point and one box, and the distance of a point and a box takes three clamps. The general
 * volumes would answer the same with ten times the arithmetic, for every character, on every tick.
 *
 * All boxes are looked at, each with six comparisons before anything else: an arena has some dozens.
 */

import { HurtboxError, MAX_MAGNITUDE, requireQuantity } from '../errors.ts'
import type { Vector } from '../volumes/pose.ts'

export type TerrainBox = {
  readonly minX: number
  readonly minY: number
  readonly minZ: number
  readonly maxX: number
  readonly maxY: number
  readonly maxZ: number
}

/** The boxes of a map, in the order given: a hit on the third one says `box: 2`. */
export type Terrain = {
  readonly count: number
  readonly minX: Float64Array
  readonly minY: Float64Array
  readonly minZ: Float64Array
  readonly maxX: Float64Array
  readonly maxY: Float64Array
  readonly maxZ: Float64Array
}

const SIDES = ['minX', 'minY', 'minZ', 'maxX', 'maxY', 'maxZ'] as const

export function defineTerrain(boxes: readonly TerrainBox[]): Terrain {
  const column = () => new Float64Array(boxes.length)
  const terrain: Terrain = {
    count: boxes.length,
    minX: column(),
    minY: column(),
    minZ: column(),
    maxX: column(),
    maxY: column(),
    maxZ: column(),
  }
  boxes.forEach((box, i) => {
    for (const side of SIDES) terrain[side][i] = requireQuantity(box[side], `terrain box ${i} ${side}`)
    if (box.minX > box.maxX || box.minY > box.maxY || box.minZ > box.maxZ) {
      const corners = `${box.minX}, ${box.minY}, ${box.minZ} to ${box.maxX}, ${box.maxY}, ${box.maxZ}`
      throw new HurtboxError('bad-argument', `terrain box ${i} must have min below max, got ${corners}.`)
    }
  })
  return terrain
}

/** A box that is the ground everywhere: solid from `z` downwards. */
export function ground(z: number): TerrainBox {
  const far = MAX_MAGNITUDE
  return { minX: -far, minY: -far, minZ: -far, maxX: far, maxY: far, maxZ: z }
}

/** Where something that moves first hits the terrain. */
export type TerrainHit = {
  /** Part of the move until then, 0 to 1. */
  time: number
  /** Unit vector out of the terrain. */
  normalX: number
  normalY: number
  normalZ: number
  box: number
}

export function createTerrainHit(): TerrainHit {
  // Made of NaN so that the fields are doubles from the start; see `pose`.
  const n = Number.NaN
  return { time: n, normalX: n, normalY: n, normalZ: n, box: -1 }
}

/** A ball: a bullet, or a ray with radius 0. A thing in space is one. */
export type Ball = { readonly x: number; readonly y: number; readonly z: number; readonly radius: number }

/**
 * Whether a ball that moves by `move` hits the terrain; if so, `out` says where. What touches or overlaps a box at the start
 * hits it at time 0, unless it moves away from it.
 */
export function hitTerrain(terrain: Terrain, ball: Ball, move: Readonly<Vector>, out: TerrainHit): boolean {
  moving.x = ball.x
  moving.y = ball.y
  moving.z = ball.z
  moving.dx = move.x
  moving.dy = move.y
  moving.dz = move.z
  moving.radius = ball.radius
  moving.halfLength = 0
  return sweepTerrain(terrain, moving, out)
}

/** An upright capsule and its move. Numbers in an object: V8 would put each on the heap to pass it to a function. */
export type Mover = {
  x: number
  y: number
  z: number
  dx: number
  dy: number
  dz: number
  radius: number
  halfLength: number
}

export function createMover(): Mover {
  const n = Number.NaN
  return { x: n, y: n, z: n, dx: n, dy: n, dz: n, radius: n, halfLength: n }
}

/** Scratch: each is written before it is read. */
const moving = createMover()
const gap = { distance: Number.NaN, x: Number.NaN, y: Number.NaN, z: Number.NaN }
const centre = { x: Number.NaN, y: Number.NaN, z: Number.NaN }

/**
 * Surfaces closer than this touch. Rounding of coordinates below 100,000 stays a hundred times smaller, and no eye sees it.
 */
const TOUCH = 1e-8

/** A move that closes in by less than this part of its length runs along the surface. */
const GRAZE = 1e-9

/** The earliest hit on any box; of several at once, the first box. */
export function sweepTerrain(terrain: Terrain, mover: Mover, out: TerrainHit): boolean {
  out.time = Number.POSITIVE_INFINITY
  for (let box = 0; box < terrain.count; box++) {
    if (mayHit(terrain, box, mover)) sweepBox(terrain, box, mover, out)
  }
  return out.time <= 1
}

/** Whether the bounds of the whole move reach the box. */
function mayHit(terrain: Terrain, box: number, mover: Mover): boolean {
  const { x, y, z, dx, dy, dz } = mover
  const reach = mover.radius + TOUCH
  const reachZ = reach + mover.halfLength
  return (
    Math.max(x, x + dx) + reach >= terrain.minX[box] &&
    Math.min(x, x + dx) - reach <= terrain.maxX[box] &&
    Math.max(y, y + dy) + reach >= terrain.minY[box] &&
    Math.min(y, y + dy) - reach <= terrain.maxY[box] &&
    Math.max(z, z + dz) + reachZ >= terrain.minZ[box] &&
    Math.min(z, z + dz) - reachZ <= terrain.maxZ[box]
  )
}

/**
 * Writes a hit on this box into `out` if it is earlier than the one there.
 *
 * The distance to a box along a straight move is a convex function of time, so Newton's method never steps past the impact: no
 * tunnelling at any speed. A square hit takes two or three steps; a graze, where each step halves what is left, some twenty.
 */
function sweepBox(terrain: Terrain, box: number, mover: Mover, out: TerrainHit): void {
  const { x, y, z, dx, dy, dz } = mover
  const length = Math.sqrt(dx * dx + dy * dy + dz * dz)
  let time = 0
  for (let steps = 0; steps < 40; steps++) {
    centre.x = x + dx * time
    centre.y = y + dy * time
    centre.z = z + dz * time
    measureGap(terrain, box, mover)
    const closing = -(dx * gap.x + dy * gap.y + dz * gap.z)
    if (closing <= GRAZE * length && (closing <= 0 || gap.distance <= TOUCH)) return
    if (gap.distance <= TOUCH) break
    time += gap.distance / closing
    if (time > 1 || time >= out.time) return
  }
  if (time >= out.time) return
  out.time = time
  out.normalX = gap.x
  out.normalY = gap.y
  out.normalZ = gap.z
  out.box = box
}

/**
 * Writes into `gap` how far a capsule of this size at `centre` is from a box, negative when it is in it, and the direction
 * out of the box. A centre inside the box leaves by the nearest face, up before to the sides before down.
 */
function measureGap(terrain: Terrain, box: number, size: Mover): void {
  const { x, y, z } = centre
  const minX = terrain.minX[box]
  const minY = terrain.minY[box]
  const minZ = terrain.minZ[box] - size.halfLength
  const maxX = terrain.maxX[box]
  const maxY = terrain.maxY[box]
  const maxZ = terrain.maxZ[box] + size.halfLength
  const dx = x - Math.min(Math.max(x, minX), maxX)
  const dy = y - Math.min(Math.max(y, minY), maxY)
  const dz = z - Math.min(Math.max(z, minZ), maxZ)
  const distance = Math.sqrt(dx * dx + dy * dy + dz * dz)
  if (distance > 0) {
    gap.distance = distance - size.radius
    gap.x = dx / distance
    gap.y = dy / distance
    gap.z = dz / distance
    return
  }
  const depth = Math.min(maxZ - z, x - minX, maxX - x, y - minY, maxY - y, z - minZ)
  gap.distance = -depth - size.radius
  gap.x = 0
  gap.y = 0
  gap.z = 0
  if (depth === maxZ - z) gap.z = 1
  else if (depth === x - minX) gap.x = -1
  else if (depth === maxX - x) gap.x = 1
  else if (depth === y - minY) gap.y = -1
  else if (depth === maxY - y) gap.y = 1
  else gap.z = -1
}

/** Moves a mover out of the terrain it overlaps, out of each box in turn by the shortest move. */
export function pushOutOfTerrain(terrain: Terrain, mover: Mover): void {
  mover.dx = 0
  mover.dy = 0
  mover.dz = 0
  // Leaving one box may lead into its neighbour; a second and a third pass settle corners.
  for (let pass = 0; pass < 3; pass++) {
    let moved = false
    for (let box = 0; box < terrain.count; box++) {
      if (!mayHit(terrain, box, mover)) continue
      centre.x = mover.x
      centre.y = mover.y
      centre.z = mover.z
      measureGap(terrain, box, mover)
      if (gap.distance >= -TOUCH) continue
      mover.x -= gap.distance * gap.x
      mover.y -= gap.distance * gap.y
      mover.z -= gap.distance * gap.z
      moved = true
    }
    if (!moved) return
  }
}
