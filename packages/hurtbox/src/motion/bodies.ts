/**
 * Bodies: things that are upright capsules in space, under gravity, on terrain.
 *
 * Not a physics engine: a body never turns over and never bounces, it walks, falls, slides and is pushed. What a fighter
 * needs is that this is the same on every machine, that nobody ever falls through a floor, and that a jump is as high as the
 * table says at every tick rate. Speeds are per second, lengths in units of the world, z is up.
 */

import type { AnyTable } from '../table.ts'
import type { Vector } from '../volumes/pose.ts'
import { createTerrainHit, createTraveller, leaveTerrain, sweepTerrain, type Terrain } from './terrain.ts'

/** The columns of a body. (x, y, z) is the centre of the capsule. */
export type Bodies = AnyTable & {
  readonly x: Float64Array
  readonly y: Float64Array
  readonly z: Float64Array
  readonly vx: Float64Array
  readonly vy: Float64Array
  readonly vz: Float64Array
  readonly radius: Float64Array
  /** Half of the straight part: the body is 2 × (halfLength + radius) tall. */
  readonly halfLength: Float64Array
  /** 1 / mass; 0 for what nobody can push. */
  readonly invMass: Float64Array
  /** 1 when the last move ended on something to stand on. */
  readonly grounded: Uint8Array
}

export type BodyWorld = {
  readonly game: { readonly declaration: { readonly tickRate: number } }
  readonly tick: number
  readonly seed: number
  readonly tables: { readonly things: Bodies }
}

export type MoveOptions<W extends BodyWorld> = {
  readonly terrain: Terrain
  /** How much speed falling things gain per second. Read once per tick. */
  readonly gravity: (world: W) => number
  /** Whether the thing in this row is a body that moves now: no bullet, not held, not in hit stop. Default: all do. */
  readonly moves?: (world: W, row: number) => boolean
}

/** One can stand on what is less steep than 45°; steeper is slid off. */
export const STEEPEST_FLOOR = Math.sqrt(0.5)

/** How often one move may be turned aside. A corner of three walls takes three; more is a wedge, and it stops there. */
const MOST_TURNS = 5

/** Makes a phase that lets bodies fall and moves them by their speed, along the terrain and never into it. */
export function moveBodies<W extends BodyWorld>(options: MoveOptions<W>): (world: W) => void {
  const { terrain, gravity, moves } = options
  return (world) => {
    const things = world.tables.things
    const { vx, vy, vz, grounded, leaving } = things
    const seconds = 1 / world.game.declaration.tickRate
    const fall = gravity(world) * seconds
    for (let row = 0, count = things.count; row < count; row++) {
      if (leaving[row] !== 0 || (moves !== undefined && !moves(world, row))) continue
      way.x = vx[row] * seconds
      way.y = vy[row] * seconds
      // With the mean of the speeds before and after, a flight is the exact parabola at any tick rate.
      way.z = (vz[row] - fall / 2) * seconds
      way.fallen = (fall / 2) * seconds
      way.gained = fall
      vz[row] -= fall
      grounded[row] = 0
      slide(things, row, terrain)
    }
  }
}

/**
 * Scratch: the way that the next `slide` goes, how much of it is a fall from rest within this tick, and the speed that gave.
 * Each of these is written before it is read.
 */
export const way = { x: Number.NaN, y: Number.NaN, z: Number.NaN, fallen: Number.NaN, gained: Number.NaN }
const traveller = createTraveller()
const hit = createTerrainHit()

/**
 * Moves a body by `way`. Where it meets terrain it loses what leads into it, of its way and of its speed, and goes on along
 * it. Taking away is all that ever happens to speed here, so no corner can fling anybody.
 */
export function slide(things: Bodies, row: number, terrain: Terrain): void {
  const { x, y, z, vx, vy, vz } = things
  traveller.x = x[row]
  traveller.y = y[row]
  traveller.z = z[row]
  traveller.radius = things.radius[row]
  traveller.halfLength = things.halfLength[row]
  leaveTerrain(terrain, traveller)
  traveller.wayX = way.x
  traveller.wayY = way.y
  traveller.wayZ = way.z
  speed.x = vx[row]
  speed.y = vy[row]
  speed.z = vz[row]
  rest.least = -way.fallen
  speed.least = -way.gained
  let turns = 0
  while (turns < MOST_TURNS && sweepTerrain(terrain, traveller, hit)) {
    traveller.x += traveller.wayX * hit.time
    traveller.y += traveller.wayY * hit.time
    traveller.z += traveller.wayZ * hit.time
    rest.x = traveller.wayX * (1 - hit.time)
    rest.y = traveller.wayY * (1 - hit.time)
    rest.z = traveller.wayZ * (1 - hit.time)
    if (hit.normalZ >= STEEPEST_FLOOR) things.grounded[row] = 1
    walls.x[turns] = hit.normalX
    walls.y[turns] = hit.normalY
    walls.z[turns] = hit.normalZ
    turnAside(rest, turns)
    turnAside(speed, turns)
    traveller.wayX = rest.x
    traveller.wayY = rest.y
    traveller.wayZ = rest.z
    turns++
  }
  const isStuck = turns === MOST_TURNS
  x[row] = traveller.x + (isStuck ? 0 : traveller.wayX)
  y[row] = traveller.y + (isStuck ? 0 : traveller.wayY)
  z[row] = traveller.z + (isStuck ? 0 : traveller.wayZ)
  if (turns === 0) return
  // Who wanted to fall and cannot stands, be it between two slopes too steep to stand on.
  if (way.z < 0 && (isStuck || traveller.wayZ >= 0)) things.grounded[row] = 1
  vx[row] = isStuck ? 0 : speed.x
  vy[row] = isStuck ? 0 : speed.y
  vz[row] = isStuck ? 0 : speed.z
}

/** Scratch: what is left of the way, the speed, and the walls that this move has met so far. Written before they are read. */
const rest: Turned = { x: Number.NaN, y: Number.NaN, z: Number.NaN, least: Number.NaN }
const speed: Turned = { x: Number.NaN, y: Number.NaN, z: Number.NaN, least: Number.NaN }
const walls = {
  x: new Float64Array(MOST_TURNS),
  y: new Float64Array(MOST_TURNS),
  z: new Float64Array(MOST_TURNS),
}

/** `least` is its z if it had only just begun to fall: 0 or below. */
type Turned = Vector & { least: number }

/** Takes out of a vector what leads into the wall that was just hit, and into those before it. */
function turnAside(vector: Turned, last: number): void {
  const { normalX, normalY, normalZ } = hit
  if (normalZ >= STEEPEST_FLOOR) {
    // Feet hold on to the floor: who falls on the edge of a box stays where it landed instead of creeping off. But who goes
    // up there goes up against gravity.
    const isGoingUp = vector.x * normalX + vector.y * normalY < 0
    vector.z = Math.max(vector.z, isGoingUp ? vector.least : 0)
  } else if (normalZ > 0) {
    // Too steep to stand on: a wall for who walks against it, or running would climb it.
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
  for (let wall = 0; wall < last; wall++) if (leadsInto(vector, wall)) followEdge(vector, wall, last)
}

/** Between two walls there is one way to go, along both; a third wall ends it. */
function followEdge(vector: Vector, a: number, b: number): void {
  const x = walls.y[a] * walls.z[b] - walls.z[a] * walls.y[b]
  const y = walls.z[a] * walls.x[b] - walls.x[a] * walls.z[b]
  const z = walls.x[a] * walls.y[b] - walls.y[a] * walls.x[b]
  const squared = x * x + y * y + z * z
  const share = squared > 1e-12 ? (vector.x * x + vector.y * y + vector.z * z) / squared : 0
  vector.x = x * share
  vector.y = y * share
  vector.z = z * share
  for (let wall = 0; wall < b; wall++) {
    if (wall === a || !leadsInto(vector, wall)) continue
    vector.x = 0
    vector.y = 0
    vector.z = 0
  }
}

function leadsInto(vector: Vector, wall: number): boolean {
  const into = vector.x * walls.x[wall] + vector.y * walls.y[wall] + vector.z * walls.z[wall]
  return into < -1e-9 * (Math.abs(vector.x) + Math.abs(vector.y) + Math.abs(vector.z))
}
