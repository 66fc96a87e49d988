/**
 * The shape of the plane: open, or a torus.
 *
 * On a torus every place is first brought
 * into the base rectangle, and the distance of two places is that of their nearest images. Everything that measures a
 * distance in this folder does it in the order of operations written here, so that a grid and a plain loop agree to the
 * last bit on things that just touch.
 */

import { HurtboxError, requireSize, unknownName } from '../../base/errors.ts'

export type Topology =
  | { readonly kind: 'open' }
  | { readonly kind: 'torus'; readonly width: number; readonly height: number }

export const OPEN: Topology = { kind: 'open' }
const KINDS: readonly string[] = ['open', 'torus'] satisfies Topology['kind'][]

/** The period of the plane in x; infinite where it does not repeat, so that nearest images need no second code path. */
export function periodX(topology: Topology): number {
  return topology.kind === 'torus' ? topology.width : Number.POSITIVE_INFINITY
}

export function periodY(topology: Topology): number {
  return topology.kind === 'torus' ? topology.height : Number.POSITIVE_INFINITY
}

export function requireTopology(topology: Topology): void {
  if (!KINDS.includes(topology.kind)) throw unknownName('topology', String(topology.kind), KINDS)
  if (topology.kind !== 'torus') return
  requireSide(topology.width, 'topology.width')
  requireSide(topology.height, 'topology.height')
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

/** A world smaller than this around is a mistake in units, and dividing by it could overflow. */
const MIN_PERIOD = 1e-6

function requireSide(value: number, name: string): void {
  if (requireSize(value, name) >= MIN_PERIOD) return
  throw new HurtboxError('out-of-range', `${name} must be at least ${MIN_PERIOD}, got ${value}.`)
}
