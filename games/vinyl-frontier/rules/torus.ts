/**
 * The plane of the game and its arithmetic: a square that closes upon itself, and velocities as length and angle.
 *
 * The original keeps velocities polar and brings every place back into the square after each addition. Angles of π and
 * −π, and a heading of 0 for what stands still, follow from its order of operations, so that order is kept here. +y points
 * down; angle 0 is +x.
 */

import { PI, TAU } from 'hurtbox/math'
import { atan2, direction, setHeading } from './trig.ts'

/** Side of the square; x and y run from −HALF up to but not HALF. */
export const SIDE = 1024
const HALF = SIDE / 2

export type Place = { readonly x: number; readonly y: number }
/** A velocity: `speed` is never negative, `heading` lies within −π and π and is 0 for what stands still. */
export type Polar = { readonly speed: number; readonly heading: number }

/** Where a result is written by code that must not make a new object each time. */
export type PolarScratch = { speed: number; heading: number }

export const STANDING: Polar = { speed: 0, heading: 0 }

/** Brings a coordinate into the square. Exactly half a world away is −HALF. */
export function wrapCoordinate(value: number): number {
  let rest = (value + HALF) % SIDE
  if (rest < 0) rest += SIDE
  // A hair below zero rounds up to the far edge, which is the near one.
  return rest < SIDE ? rest - HALF : -HALF
}

/** The same for a thing that has moved. */
export function wrapPlace(thing: { x: number; y: number }): void {
  thing.x = wrapCoordinate(thing.x)
  thing.y = wrapCoordinate(thing.y)
}

export function shift(place: Place, by: Place, out = { x: 0, y: 0 }): Place {
  out.x = place.x + by.x
  out.y = place.y + by.y
  wrapPlace(out)
  return out
}

/** The shortest way from one place to another. */
export function wayTo(from: Place, to: Place, out = { x: 0, y: 0 }): Place {
  out.x = to.x - from.x
  out.y = to.y - from.y
  wrapPlace(out)
  return out
}

export function distance(from: Place, to: Place): number {
  return hypot(wrapCoordinate(to.x - from.x), wrapCoordinate(to.y - from.y))
}

export function angleTo(from: Place, to: Place): number {
  if (from.x === to.x && from.y === to.y) return 0
  return atan2(wrapCoordinate(to.y - from.y), wrapCoordinate(to.x - from.x))
}

export function polar(speed: number, heading: number, out: PolarScratch = { speed: 0, heading: 0 }): Polar {
  out.speed = speed < 0 ? -speed : speed
  out.heading = speed === 0 ? 0 : wrapHeading(speed < 0 ? heading + PI : heading)
  return out
}

/** An angle within −π and π. What lies there already stays as it is, −π as well as π. */
export function wrapHeading(angle: number): number {
  if (angle < -PI) return PI - ((-PI - angle) % TAU)
  return angle > PI ? ((angle + PI) % TAU) - PI : angle
}

const along = { x: 0, y: 0 }
const along2 = { x: 0, y: 0 }
const total = { x: 0, y: 0 }

export function toPlane(vector: Polar, out = { x: 0, y: 0 }): Place {
  direction(vector, out)
  out.x *= vector.speed
  out.y *= vector.speed
  return out
}

/** A vector of the plane as length and angle. Like a place it wraps, were it longer than half the world. */
export function toPolar(vector: Place, out: PolarScratch = { speed: 0, heading: 0 }): Polar {
  out.speed = distance(ORIGIN, vector)
  out.heading = angleTo(ORIGIN, vector)
  return out
}

const ORIGIN: Place = { x: 0, y: 0 }

export function addPolar(a: Polar, b: Polar, out: PolarScratch = { speed: 0, heading: 0 }): Polar {
  direction(a, along)
  direction(b, along2)
  total.x = a.speed * along.x + b.speed * along2.x
  total.y = a.speed * along.y + b.speed * along2.y
  setLength(total, out)
  if (out.speed === 0) out.heading = 0
  else setHeading(total, out)
  return out
}

/** From record to record, because numbers that pass through a call of this size are put on the heap. */
function setLength({ x, y }: Place, out: PolarScratch): void {
  out.speed = hypot(x, y)
}

/** a − b. */
export function subtractPolar(a: Polar, b: Polar, out?: PolarScratch): Polar {
  opposite.speed = b.speed
  opposite.heading = wrapHeading(b.heading + PI)
  return addPolar(opposite, a, out)
}

const opposite: PolarScratch = { speed: 0, heading: 0 }

export function scalePolar({ speed, heading }: Polar, factor: number): Polar {
  return polar(speed * factor, heading)
}

export function dividePolar({ speed, heading }: Polar, divisor: number): Polar {
  return polar(speed / divisor, heading)
}

/** The same direction, but no faster than `limit`. */
export function limitSpeed(velocity: Polar, limit: number): Polar {
  return velocity.speed > limit ? { speed: limit, heading: velocity.heading } : velocity
}

/**
 * Length of (x, y), right to the last bit in all but very few cases: the plain square root, corrected once by what it
 * lacks (Borges, "An improved algorithm for hypot(a, b)", 2019). Circles that exactly touch are decided by that bit.
 */
export function hypot(x: number, y: number): number {
  const long = Math.max(Math.abs(x), Math.abs(y))
  const short = Math.min(Math.abs(x), Math.abs(y))
  if (short === 0) return long
  const root = Math.sqrt(long * long + short * short)
  if (root === 0) return long
  let excess: number
  if (root <= 2 * short) {
    const delta = root - short
    excess = long * (2 * delta - long) + (delta - 2 * (long - short)) * delta
  } else {
    const delta = root - long
    excess = 2 * delta * (long - 2 * short) + ((4 * delta - short) * short + delta * delta)
  }
  return root - excess / (2 * root)
}
