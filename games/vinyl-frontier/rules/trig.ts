/**
 * Sine, cosine and arc tangent to the last bit.
 *
 * The engine's own are right to within one unit in the last place. The original's C library rounds correctly in nearly
 * every case, and a match of three hundred turns multiplies one wrong last bit by ten million. So the sums here are
 * carried in pairs of doubles and rounded once. Angles must lie within −π and π, as all of this game's do.
 */

import { atan2 as nearAtan2 } from 'hurtbox/math'

type Heading = { readonly heading: number }

/** A number as the sum of a double and what that double lacks. */
type Pair = { high: number; low: number }

// Scratch, written before it is read: the results of the helpers below.
const zero = (): Pair => ({ high: 0, low: 0 })
const [angle, square, sum, product, sine, cosine] = [zero(), zero(), zero(), zero(), zero(), zero()]

/** π / 2 in three parts. Times −2 … 2, each is exact. */
const QUARTER = [1.5707963267948966, 6.123233995736766e-17, -1.4973849048591833e-33]

/** The direction of a heading: its cosine as x, its sine as y. */
export function direction(heading: Heading, out: { x: number; y: number }): void {
  const quadrant = reduce(heading) & 3
  const s = round(sumSine())
  const c = round(sumCosine())
  const isEven = (quadrant & 1) === 0
  const x = isEven ? c : s
  const y = isEven ? s : c
  out.x = quadrant === 1 || quadrant === 2 ? -x : x
  out.y = quadrant >= 2 ? -y : y
}

function round({ high, low }: Pair): number {
  return high + low
}

export function atan2(y: number, x: number): number {
  given.x = x
  given.y = y
  setHeading(given, found)
  return found.heading
}

const given = { x: 0, y: 0 }
const found = { heading: 0 }

/** The same from record to record: numbers that pass through a call of this size are put on the heap. */
export function setHeading(vector: Vector, out: { heading: number }): void {
  out.heading = nearAtan2(vector.y, vector.x)
  if (vector.x === 0 || vector.y === 0) return
  const quadrant = reduce(out) & 3
  sumSine()
  sumCosine()
  correct(vector, quadrant, out)
}

type Vector = { readonly x: number; readonly y: number }

/** Adds how far the direction in `sine` and `cosine` misses (x, y): the sine of the angle between them, a tiny one. */
function correct({ x, y }: Vector, quadrant: number, out: { heading: number }): void {
  const isEven = (quadrant & 1) === 0
  const s = isEven ? sine : cosine
  const c = isEven ? cosine : sine
  const sinSign = quadrant >= 2 ? -1 : 1
  const cosSign = quadrant === 1 || quadrant === 2 ? -1 : 1
  const scale = Math.max(Math.abs(x), Math.abs(y))
  const unitX = x / scale
  const unitY = y / scale
  // The scaled sides are rounded; what they lack is brought in to first order.
  const lackX = remainderOf(x, unitX, scale)
  const lackY = remainderOf(y, unitY, scale)
  multiply(unitY, 0, cosSign * c.high, cosSign * c.low)
  const { high, low } = product
  multiply(unitX, 0, sinSign * s.high, sinSign * s.low)
  const cross = high - product.high + (low - product.low) + lackY * cosSign * c.high - lackX * sinSign * s.high
  const along = unitX * cosSign * c.high + unitY * sinSign * s.high
  out.heading += cross / along
}

/** (whole − quotient · divisor) / divisor: what a rounded quotient lacks. */
function remainderOf(whole: number, quotient: number, divisor: number): number {
  multiply(quotient, 0, divisor, 0)
  return (whole - product.high - product.low) / divisor
}

/** Leaves in `angle` what remains within ±π/4 after whole quarter turns; returns how many those were. */
function reduce({ heading }: Heading): number {
  const quarters = Math.round(heading / QUARTER[0])
  const rest = heading - quarters * QUARTER[0]
  add(rest, 0, -quarters * QUARTER[1], -quarters * QUARTER[2])
  angle.high = sum.high
  angle.low = sum.low
  multiply(angle.high, angle.low, angle.high, angle.low)
  square.high = product.high
  square.low = product.low
  return quarters
}

/** x − x³/3! + x⁵/5! …: from the smallest term on, each step divides by the next two numbers and multiplies by x². */
function sumSine(): Pair {
  series(LAST_TERM)
  multiply(angle.high, angle.low, sum.high, sum.low)
  sine.high = product.high
  sine.low = product.low
  return sine
}

function sumCosine(): Pair {
  series(LAST_TERM - 1)
  cosine.high = sum.high
  cosine.low = sum.low
  return cosine
}

/**
 * 1 − x²/(n−1)n·(1 − …), nested; `last` is odd for the sine and even for the cosine. What a late term lacks is multiplied
 * by all the factors before it, so that only the first three need pairs.
 */
function series(last: number): void {
  let tail = 1
  let n = last
  for (; n > PAIRED; n -= 2) tail = 1 - (square.high * tail) / (n * (n - 1))
  sum.high = tail
  sum.low = 0
  for (; n >= 2; n -= 2) {
    multiply(square.high, square.low, sum.high, sum.low)
    divide(product.high, product.low, -(n * (n - 1)))
    add(1, 0, product.high, product.low)
  }
}

/** (π/4)²¹ / 21! lies far below the last bit that counts. */
const LAST_TERM = 21
const PAIRED = 7

function add(aHigh: number, aLow: number, bHigh: number, bLow: number): void {
  const high = aHigh + bHigh
  const back = high - aHigh
  const lost = aHigh - (high - back) + (bHigh - back)
  renew(sum, high, lost + aLow + bLow)
}

function multiply(aHigh: number, aLow: number, bHigh: number, bLow: number): void {
  const high = aHigh * bHigh
  const a = upperHalf(aHigh)
  const b = upperHalf(bHigh)
  const aRest = aHigh - a
  const bRest = bHigh - b
  const lost = a * b - high + a * bRest + aRest * b + aRest * bRest
  renew(product, high, lost + (aHigh * bLow + aLow * bHigh))
}

/** Divides by a small whole number, into `product`. */
function divide(high: number, low: number, divisor: number): void {
  const quotient = high / divisor
  const a = upperHalf(quotient)
  const exact = quotient * divisor
  const lost = a * divisor - exact + (quotient - a) * divisor
  renew(product, quotient, (high - exact - lost + low) / divisor)
}

function renew(pair: Pair, high: number, low: number): void {
  pair.high = high + low
  pair.low = low - (pair.high - high)
}

/** The upper 26 bits, so that products of halves are exact (Dekker). */
function upperHalf(value: number): number {
  const far = value * 134217729
  return far - (far - value)
}
