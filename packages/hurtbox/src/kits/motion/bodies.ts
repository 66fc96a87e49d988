/**
 * Bodies: things that are upright capsules in space, under gravity, on a static map.
 *
 * Not a physics engine: a body never tips over and never bounces; it walks, falls, slides and is pushed. A fighting game
 * needs this to be the same on every machine, floors that hold at every speed, and jumps of the same height at every tick
 * rate. Speeds are per second, lengths in units of the world, z is up.
 */

import type { Vector } from '../../geometry/volumes/pose.ts'
import { createBlockHit, createMovingCapsule, pushOutOfBlocks, sweepBlocks } from '../../rules/collide/block-sweep.ts'
import type { Blocks } from '../../rules/collide/blocks.ts'
import { noteWall, openRecord, type PushRecord } from '../../rules/collide/pushes.ts'
import type { MapPhase } from '../../rules/collide/statics.ts'
import type { AnyTable } from '../../state/table.ts'
import { handleAt } from '../../world/handles/pool.ts'
import type { Layers } from '../../world/layers.ts'
import type { AnyWorld } from '../../world/world.ts'

/** The columns of a body. (x, y, z) is the centre of the capsule. */
export type Bodies = AnyTable & {
  readonly layer: Uint8Array
  readonly x: Float64Array
  readonly y: Float64Array
  readonly z: Float64Array
  readonly vx: Float64Array
  readonly vy: Float64Array
  readonly vz: Float64Array
  readonly radius: Float64Array
  /** Half of the straight part: the body is 2 × (halfLength + radius) tall. */
  readonly halfLength: Float64Array
  /** 1 / mass; 0 for what cannot be pushed. */
  readonly invMass: Float64Array
  /** 1 when the last move ended on something to stand on. */
  readonly grounded: Uint8Array
}

export type BodyWorld = {
  readonly game: { readonly declaration: { readonly tickRate: number }; readonly layers: Layers }
  readonly tick: number
  readonly seed: number
  readonly tables: { readonly things: Bodies }
  readonly memory: AnyWorld['memory']
}

export type MoveOptions<W extends BodyWorld, T> = {
  /** Floors and walls, by `defineBlocks`. A body meets the pieces on layers that its own layer meets. */
  readonly statics: Blocks
  /** How much speed falling things gain per second. Read once per tick. */
  readonly gravity: (world: W) => number
  /** Whether a thing is a body that moves now: no bullet, not held, not in hit stop. Default: all things are. */
  readonly moves?: (thing: T) => boolean
}

/** A slope below 45° holds a body; it slides off a steeper one. */
export const STEEPEST_FLOOR = Math.sqrt(0.5)

/** How often one move may be deflected. A corner of three walls takes three; more is a wedge, where the body stops. */
const MAX_DEFLECTIONS = 5

/** Makes a phase that lets bodies fall and moves them by their speed per second, along the static map and never into it. */
export function moveBodies<W extends BodyWorld, T>(options: MoveOptions<W, T>): MapPhase<W> {
  const { statics, gravity, moves } = options
  const run = (world: W) => {
    const { things } = world.tables
    const [pool] = world.memory.block.pools
    const { vx, vy, vz, grounded, leaving } = things
    const seconds = 1 / world.game.declaration.tickRate
    const fall = gravity(world) * seconds
    for (let row = 0, count = things.count; row < count; row++) {
      if (leaving[row] !== 0 || (moves !== undefined && !moves(handleAt(pool, row) as T))) continue
      move.x = vx[row] * seconds
      move.y = vy[row] * seconds
      // With the mean of the speeds before and after, a flight is the exact parabola at any tick rate.
      move.z = (vz[row] - fall / 2) * seconds
      move.fallen = (fall / 2) * seconds
      move.gained = fall
      vz[row] -= fall
      grounded[row] = 0
      slide(world, row, statics)
    }
  }
  return { create: (world) => ({ statics, run: () => run(world) }) }
}

/**
 * Scratch for the next `slide`: the move, how much of it is a fall from rest within this tick, and the speed gained by that.
 * Each of these is written before it is read.
 */
export const move = { x: Number.NaN, y: Number.NaN, z: Number.NaN, fallen: Number.NaN, gained: Number.NaN }
const mover = createMovingCapsule()
const hit = createBlockHit()

/**
 * Moves a body by `move`. Where it hits the map it loses the part of its move and of its speed that points into it, and goes
 * on along the surface. Speed is only ever taken away here, so no corner can fling a body.
 */
export function slide(world: BodyWorld, row: number, statics: Blocks): void {
  const { things } = world.tables
  const { x, y, z, vx, vy, vz } = things
  const record = openRecord(world)
  mover.x = x[row]
  mover.y = y[row]
  mover.z = z[row]
  mover.radius = things.radius[row]
  mover.halfLength = things.halfLength[row]
  mover.meets = world.game.layers.meets[things.layer[row]]
  if (record === undefined) pushOutOfBlocks(world, statics, mover)
  else noteWayOut(record, world, row, statics)
  mover.dx = move.x
  mover.dy = move.y
  mover.dz = move.z
  speed.x = vx[row]
  speed.y = vy[row]
  speed.z = vz[row]
  rest.least = -move.fallen
  speed.least = -move.gained
  let deflections = 0
  while (deflections < MAX_DEFLECTIONS && sweepBlocks(world, statics, mover, hit)) {
    if (record !== undefined) noteStop(record, world, row, statics)
    mover.x += mover.dx * hit.time
    mover.y += mover.dy * hit.time
    mover.z += mover.dz * hit.time
    rest.x = mover.dx * (1 - hit.time)
    rest.y = mover.dy * (1 - hit.time)
    rest.z = mover.dz * (1 - hit.time)
    if (hit.normalZ >= STEEPEST_FLOOR) things.grounded[row] = 1
    walls.normalX[deflections] = hit.normalX
    walls.normalY[deflections] = hit.normalY
    walls.normalZ[deflections] = hit.normalZ
    deflect(rest, deflections)
    deflect(speed, deflections)
    mover.dx = rest.x
    mover.dy = rest.y
    mover.dz = rest.z
    deflections++
  }
  // Written into the scratch: a choice between 0 and a double is put on the heap.
  if (deflections === MAX_DEFLECTIONS) {
    mover.dx = 0
    mover.dy = 0
    mover.dz = 0
    speed.x = 0
    speed.y = 0
    speed.z = 0
  }
  x[row] = mover.x + mover.dx
  y[row] = mover.y + mover.dy
  z[row] = mover.z + mover.dz
  if (deflections === 0) return
  // A body that would fall and cannot is standing, even between two slopes that are too steep to stand on.
  if (move.z < 0 && mover.dz >= 0) things.grounded[row] = 1
  vx[row] = speed.x
  vy[row] = speed.y
  vz[row] = speed.z
}

function noteWayOut(record: PushRecord, world: BodyWorld, row: number, statics: Blocks): void {
  pushOutOfBlocks(world, statics, mover, (wall, { distance, x, y, z }) => {
    noteWall(record, world, row, { statics, wall, isOut: true, depth: -distance, x, y, z })
  })
}

function noteStop(record: PushRecord, world: BodyWorld, row: number, statics: Blocks): void {
  const { place: wall, normalX: x, normalY: y, normalZ: z } = hit
  noteWall(record, world, row, { statics, wall, isOut: false, depth: 0, x, y, z })
}

/** Scratch: what is left of the move, the speed, and the walls hit by this move so far. Written before they are read. */
const rest: Deflected = { least: Number.NaN, x: Number.NaN, y: Number.NaN, z: Number.NaN }
const speed: Deflected = { least: Number.NaN, x: Number.NaN, y: Number.NaN, z: Number.NaN }
// Not { x, y, z }: V8 would take arrays and numbers of that shape for one, and put the numbers on the heap.
const walls = {
  normalX: new Float64Array(MAX_DEFLECTIONS),
  normalY: new Float64Array(MAX_DEFLECTIONS),
  normalZ: new Float64Array(MAX_DEFLECTIONS),
}

/** `least` is its z if it had only just begun to fall: 0 or below. */
type Deflected = Vector & { least: number }

/** Removes from a vector what points into the wall that was just hit, and into those before it. */
function deflect(vector: Deflected, last: number): void {
  const { normalX, normalY, normalZ } = hit
  if (normalZ >= STEEPEST_FLOOR) {
    // Feet grip the floor: a body that lands on the edge of a box stays there instead of creeping off. One that walks up the
    // edge still works against gravity.
    const isGoingUp = vector.x * normalX + vector.y * normalY < 0
    vector.z = Math.max(vector.z, isGoingUp ? vector.least : 0)
  } else if (normalZ > 0) {
    // Too steep to stand on: a wall for a body that walks against it, or running would climb it.
    const into = vector.x * normalX + vector.y * normalY
    const share = into < 0 ? into / (normalX * normalX + normalY * normalY) : 0
    vector.x -= share * normalX
    vector.y -= share * normalY
  }
  const into = vector.x * normalX + vector.y * normalY + vector.z * normalZ
  if (into < 0) {
    vector.x -= into * normalX
    vector.y -= into * normalY
    vector.z -= into * normalZ
  }
  for (let wall = 0; wall < last; wall++) if (pointsInto(vector, wall)) followEdge(vector, wall, last)
}

/** Between two walls the only direction left is along both; a third wall blocks that too. */
function followEdge(vector: Vector, a: number, b: number): void {
  const x = walls.normalY[a] * walls.normalZ[b] - walls.normalZ[a] * walls.normalY[b]
  const y = walls.normalZ[a] * walls.normalX[b] - walls.normalX[a] * walls.normalZ[b]
  const z = walls.normalX[a] * walls.normalY[b] - walls.normalY[a] * walls.normalX[b]
  const squared = x * x + y * y + z * z
  const share = squared > 1e-12 ? (vector.x * x + vector.y * y + vector.z * z) / squared : 0
  vector.x = x * share
  vector.y = y * share
  vector.z = z * share
  for (let wall = 0; wall < b; wall++) {
    if (wall === a || !pointsInto(vector, wall)) continue
    vector.x = 0
    vector.y = 0
    vector.z = 0
  }
}

function pointsInto(vector: Vector, wall: number): boolean {
  const into = vector.x * walls.normalX[wall] + vector.y * walls.normalY[wall] + vector.z * walls.normalZ[wall]
  return into < -1e-9 * (Math.abs(vector.x) + Math.abs(vector.y) + Math.abs(vector.z))
}
