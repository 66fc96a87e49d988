/** Questions asked of a `spreadScene`: circular regions, rays, and boxes swept along a line (a melee swing). */

import { createRandom, offLattice, onLattice } from './random.ts'

export type Regions = {
  readonly count: number
  readonly x: Float64Array
  readonly y: Float64Array
  readonly radius: Float64Array
}

/** Rays from (x, y) along the unit vector (dx, dy) for `length` px. */
export type Rays = {
  readonly count: number
  readonly x: Float64Array
  readonly y: Float64Array
  readonly dx: Float64Array
  readonly dy: Float64Array
  readonly length: number
}

/** Boxes facing the unit vector (faceX, faceY), swept from (x, y) by (moveX, moveY). */
export type Swings = {
  readonly count: number
  readonly x: Float64Array
  readonly y: Float64Array
  readonly faceX: Float64Array
  readonly faceY: Float64Array
  readonly moveX: Float64Array
  readonly moveY: Float64Array
  readonly halfLength: number
  readonly halfWidth: number
}

const REGION_RADIUS = 50
const RAY_LENGTH = 200
const SWING_LENGTH = 40

export function randomRegions(count: number, side: number, seed = 6): Regions {
  const random = createRandom(seed)
  const regions = {
    count,
    x: new Float64Array(count),
    y: new Float64Array(count),
    radius: new Float64Array(count).fill(offLattice(REGION_RADIUS)),
  }
  for (let i = 0; i < count; i++) {
    regions.x[i] = onLattice(random() * side)
    regions.y[i] = onLattice(random() * side)
  }
  return regions
}

export function randomRays(count: number, side: number, seed = 7): Rays {
  const random = createRandom(seed)
  const rays = {
    count,
    x: new Float64Array(count),
    y: new Float64Array(count),
    dx: new Float64Array(count),
    dy: new Float64Array(count),
    length: RAY_LENGTH,
  }
  for (let i = 0; i < count; i++) {
    rays.x[i] = onLattice(random() * side)
    rays.y[i] = onLattice(random() * side)
    const angle = random() * 2 * Math.PI
    rays.dx[i] = Math.cos(angle)
    rays.dy[i] = Math.sin(angle)
  }
  return rays
}

export function randomSwings(count: number, side: number, seed = 8): Swings {
  const random = createRandom(seed)
  const swings = {
    count,
    x: new Float64Array(count),
    y: new Float64Array(count),
    faceX: new Float64Array(count),
    faceY: new Float64Array(count),
    moveX: new Float64Array(count),
    moveY: new Float64Array(count),
    halfLength: 12,
    halfWidth: 4,
  }
  for (let i = 0; i < count; i++) {
    swings.x[i] = onLattice(random() * side)
    swings.y[i] = onLattice(random() * side)
    const face = random() * 2 * Math.PI
    swings.faceX[i] = Math.cos(face)
    swings.faceY[i] = Math.sin(face)
    const move = random() * 2 * Math.PI
    const distance = random() * SWING_LENGTH
    swings.moveX[i] = Math.cos(move) * distance
    swings.moveY[i] = Math.sin(move) * distance
  }
  return swings
}
