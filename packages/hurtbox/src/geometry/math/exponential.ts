/**
 * Exponential, natural logarithm and power of our own, for the reason given in `trig.ts`: the built-in ones differ
 * between engines. As there, **the order of operations is a contract**. Errors stay below one unit in the last place.
 *
 * Method: tables take the argument so close to 0 (or 1) that a few terms of the Taylor series do the rest. A power needs
 * the logarithm to more than 53 bits, since its error is multiplied by the exponent; so logarithm and exponential speak
 * to each other in sums of two doubles. Where a product must be exact, its factors are cut to 24 bits by `fround`.
 */

import { highWord, scaleByPowerOfTwo } from './binary.ts'
import { LOG_TABLE_FOLD, logTable, powerTable } from './exponential-tables.ts'

const { value: powerValue, tail: powerTail } = powerTable
const { scale: logScale, value: logValue, tail: logTail } = logTable

/** e to the power of x. */
export function exp(x: number): number {
  return expOfSum(x, 0)
}

/** Natural logarithm. NaN for negative numbers, -Infinity for zero. */
export function log(x: number): number {
  if (!(x > 0)) return x === 0 ? -Infinity : Number.NaN
  if (x === Infinity) return x
  splitLog(x)
  return logarithm[0] + logarithm[1]
}

/** `x` to the power of `y`, with the special cases of `Math.pow`. */
export function pow(x: number, y: number): number {
  if (y === 2) return x * x
  const size = Math.abs(x)
  // Spelt so that NaN is special, too.
  if (!(size > 0 && size < Infinity && Math.abs(y) < Infinity) || size === 1 || y === 0) return powOfSpecial(x, y)
  if (x < 0 && Math.floor(y) !== y) return Number.NaN

  splitLog(size)
  const logHigh = Math.fround(logarithm[0])
  const logLow = logarithm[0] - logHigh + logarithm[1]
  // Beyond 2^64 even the doubles next to 1 give 0 or Infinity; cutting there keeps the products in range.
  const exponent = Math.max(-TWO_POW_64, Math.min(y, TWO_POW_64))
  const exponentHigh = Math.fround(exponent)
  const exponentLow = exponent - exponentHigh
  const power = expOfSum(exponentHigh * logHigh, exponentLow * logHigh + exponent * logLow)
  return x < 0 && isOdd(y) ? -power : power
}

const TWO_POW_64 = 0x100000000 * 0x100000000

function powOfSpecial(x: number, y: number): number {
  if (y === 0) return 1
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN
  const size = Math.abs(x)
  if (size === 1) {
    // `Math.pow` says that 1 to the power of ±Infinity is no number; C disagrees.
    if (Math.abs(y) === Infinity) return Number.NaN
    if (x === 1) return 1
    return Math.floor(y) !== y ? Number.NaN : isOdd(y) ? -1 : 1
  }
  const power = size > 1 === y > 0 ? Infinity : 0
  return (x < 0 || 1 / x < 0) && isOdd(y) ? -power : power
}

/** Whether `y` is an odd whole number. From 2^53 on every double is even. */
function isOdd(y: number): boolean {
  return y % 2 === 1 || y % 2 === -1
}

const STEPS_PER_UNIT = 184.6649652337873
/** ln 2 / 128, cut to 33 bits so that its product with a step count is exact, and the rest. */
const STEP_HIGH = 0.0054152123475432745
const STEP_LOW = 5.812982117197185e-13

/**
 * e^(high + low), where `high` has at most 48 bits or `low` is 0.
 *
 * The exponent is n steps of ln 2 / 128 and a remainder r of at most half a step: 2^(n/128) · e^r.
 */
function expOfSum(high: number, low: number): number {
  const sum = high + low
  // Beyond these the result is Infinity or rounds to zero. NaN fails both comparisons and comes out as NaN.
  if (sum > 710) return Infinity
  if (sum < -746) return 0
  const n = Math.floor(sum * STEPS_PER_UNIT + 0.5)
  const r = high - n * STEP_HIGH - n * STEP_LOW + low
  const z = r * r
  const step = n & 127
  const growth = powerTail[step] + r + z * (1 / 2 + r * (1 / 6)) + z * z * (1 / 24 + r * (1 / 120))
  const power = powerValue[step]
  return scaleByPowerOfTwo(power + power * growth, n >> 7)
}

/** ln 2 cut to 42 places after the point, and the rest. */
const LN_2_HIGH = 0.6931471805598903
const LN_2_LOW = 5.497923018708371e-14
const TWO_POW_54 = 0x40000000000000

/** The last result of `splitLog`. Scratch, written before it is read. */
const logarithm = new Float64Array(2)

/**
 * Leaves ln(x) in `logarithm`, as a sum of two doubles good to some 68 bits. `x` must be positive and finite.
 *
 * x = 2^k · m, and the table has a factor that brings m close to 1: m · scale = 1 + r, ln x = k·ln 2 - ln scale + ln(1 + r).
 * `scale` has so few bits that r is exact in two doubles, even the square of the upper one is exact, and the upper parts
 * of all three terms add up without rounding.
 */
function splitLog(x: number): void {
  let word = highWord(x)
  let k = -1023
  if (word < 0x100000) {
    // Denormals have no leading one of their own; give them one.
    x *= TWO_POW_54
    word = highWord(x)
    k -= 54
  }
  const m = scaleByPowerOfTwo(x, 1023 - (word >>> 20))
  const j = ((word & 0xfffff) + 0x1000) >>> 13
  // One more from the fold on, without a branch: which side of √2 comes next, no processor can guess.
  k += (word >>> 20) + ((j + 128 - LOG_TABLE_FOLD) >>> 7)

  const scale = logScale[j]
  const mHigh = Math.fround(m)
  let rHigh = mHigh * scale - 1
  let rLow = (m - mHigh) * scale
  const r = rHigh + rLow
  const base = k * LN_2_HIGH + logValue[j]
  if (base === 0) {
    // Next to 1 r is all there is, and may be small: then `rHigh` must be the upper bits of r, not those of 1 + r.
    rHigh = Math.fround(r)
    rLow = r - rHigh
  }

  // ln(1 + r) = r - r²/2 + r³/3 - …; the first two terms are the large ones.
  const squareHigh = -0.5 * rHigh * rHigh
  const squareLow = -0.5 * rLow * (rHigh + r)
  const upper = base + rHigh
  const sum = upper + squareHigh
  logarithm[0] = sum
  logarithm[1] = upper - sum + squareHigh + (k * LN_2_LOW + logTail[j] + (rLow + squareLow + logSeriesFromCube(r)))
}

/** r³/3 - r⁴/4 + … + r⁹/9. */
function logSeriesFromCube(r: number): number {
  const z = r * r
  return r * z * (1 / 3 - r * (1 / 4) + z * (1 / 5 - r * (1 / 6)) + z * z * (1 / 7 - r * (1 / 8) + z * (1 / 9)))
}
