/**
 * The shape of the plane: open, or a torus.
 *
 * On a torus every place is first brought
 * into the base rectangle, and the distance of two places is that of their nearest images. Everything that measures a
 * distance in this folder does it in the order of operations written here, so that a grid and a plain loop agree to the
 * last bit on things that just touch.
 *
 * An open plane is one that repeats after an infinite way. `torus` brings along what only a torus needs, so that a page without one
 * does not carry it.
 */

import { HurtboxError } from '../../base/errors.ts'
import type { Around } from './torus.ts'

/** An open plane, or what `torus(width, height)` returned. */
export type Topology = {
  /** After how far the plane repeats; infinite where it is open, so that nearest images need no second code path. */
  readonly width: number
  readonly height: number
  /** How grids are laid out and searched around a torus. */
  readonly around: Around | undefined
}

export const OPEN: Topology = { width: Number.POSITIVE_INFINITY, height: Number.POSITIVE_INFINITY, around: undefined }

export function requireTopology(topology: Topology): void {
  if (topology === OPEN || topology?.around !== undefined) return
  throw new HurtboxError('bad-argument', 'topology must be made with torus(width, height).')
}

/** Brings a coordinate into 0 ≤ result < period. Leaves it alone where the plane does not repeat. */
export function wrap(coordinate: number, period: number): number {
  if (period === Number.POSITIVE_INFINITY) return coordinate
  let wrapped = coordinate - Math.floor(coordinate / period) * period
  // The quotient may have rounded up to the next whole number, the sum up to the period itself.
  if (wrapped < 0) wrapped += period
  return wrapped < period ? wrapped : 0
}

/** Distance of two wrapped coordinates along one axis. The same for (a, b) and (b, a). */
export function nearestImage(a: number, b: number, period: number): number {
  const distance = Math.abs(a - b)
  return Math.min(distance, period - distance)
}

/** The shorter of the ways that lead by this much along one axis: a torus may be crossed at its seam. */
export function shorterWay(way: number, period: number): number {
  return period === Number.POSITIVE_INFINITY ? way : way - Math.round(way / period) * period
}
