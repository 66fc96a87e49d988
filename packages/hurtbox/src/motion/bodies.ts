/**
 * Bodies: things that are upright capsules in space, under gravity, on terrain.
 *
 * Not a physics engine: a body never turns over and never bounces, it walks, falls, slides and is pushed. What a fighter
 * needs is that this is the same on every machine, that nobody ever falls through a floor, and that a jump is as high as the
 * table says at every tick rate. Speeds are per second, lengths in units of the world, z is up.
 */

import type { AnyTable } from '../table.ts'
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
      vz[row] -= fall
      grounded[row] = 0
      slide(things, row, terrain)
    }
  }
}

/** Scratch: the way that the next `slide` goes. Each of these is written before it is read. */
export const way = { x: Number.NaN, y: Number.NaN, z: Number.NaN }
const traveller = createTraveller()
const hit = createTerrainHit()

/**
 * Moves a body by `way`. Where it meets terrain it loses what leads into it, of its way and of its speed, and goes on along
 * it. Taking away is all that ever happens to speed here, so no corner can fling anybody.
 */
export function slide(things: Bodies, row: number, terrain: Terrain): void {
  const { x, y, z } = things
  traveller.x = x[row]
  traveller.y = y[row]
  traveller.z = z[row]
  traveller.radius = things.radius[row]
  traveller.halfLength = things.halfLength[row]
  leaveTerrain(terrain, traveller)
  traveller.wayX = way.x
  traveller.wayY = way.y
  traveller.wayZ = way.z
  for (let turns = 0; turns < MOST_TURNS; turns++) {
    if (!sweepTerrain(terrain, traveller, hit)) {
      traveller.x += traveller.wayX
      traveller.y += traveller.wayY
      traveller.z += traveller.wayZ
      break
    }
    traveller.x += traveller.wayX * hit.time
    traveller.y += traveller.wayY * hit.time
    traveller.z += traveller.wayZ * hit.time
    traveller.wayX *= 1 - hit.time
    traveller.wayY *= 1 - hit.time
    traveller.wayZ *= 1 - hit.time
    turnAside(things, row)
  }
  x[row] = traveller.x
  y[row] = traveller.y
  z[row] = traveller.z
}

/** Takes out of the rest of the way, and of the speed, what leads into the terrain that was hit. */
function turnAside(things: Bodies, row: number): void {
  const { vz } = things
  const { normalX, normalY, normalZ } = hit
  if (normalZ >= STEEPEST_FLOOR) {
    // Feet hold on to the floor: who falls on the edge of a box stays where it landed instead of creeping off.
    things.grounded[row] = 1
    if (traveller.wayZ < 0) traveller.wayZ = 0
    if (vz[row] < 0) vz[row] = 0
  } else if (normalZ > 0) {
    // Too steep to stand on: a wall for who walks against it, or running would climb it.
    const level = Math.sqrt(normalX * normalX + normalY * normalY)
    hit.normalX = normalX / level
    hit.normalY = normalY / level
    hit.normalZ = 0
    clip(things, row)
    hit.normalX = normalX
    hit.normalY = normalY
    hit.normalZ = normalZ
  }
  clip(things, row)
}

function clip(things: Bodies, row: number): void {
  const { vx, vy, vz } = things
  const { normalX, normalY, normalZ } = hit
  const into = traveller.wayX * normalX + traveller.wayY * normalY + traveller.wayZ * normalZ
  if (into < 0) {
    traveller.wayX -= into * normalX
    traveller.wayY -= into * normalY
    traveller.wayZ -= into * normalZ
  }
  const speed = vx[row] * normalX + vy[row] * normalY + vz[row] * normalZ
  if (speed < 0) {
    vx[row] -= speed * normalX
    vy[row] -= speed * normalY
    vz[row] -= speed * normalZ
  }
}
