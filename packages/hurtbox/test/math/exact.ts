/**
 * The oracle of the maths tests: true values, in whole numbers of any size. Too slow to ship, too simple to be wrong.
 *
 * A number is m · 2^e with a BigInt m. Series are summed with 192 binary places, so that results are good to 120 bits and
 * more: enough to tell on which side of a rounding a double should lie. A library alone would not do: the one at hand
 * (`stdlib.test.ts`) is off by up to 1.7 units itself, and could not tell our errors from its own.
 */

export type Exact = { readonly m: bigint; readonly e: number }

const PLACES = 192
const ONE = 1n << 192n
/** Places of π for arguments as large as doubles go. */
const WIDE = 1500

const LN_2 = 2n * inverseTanh(ONE / 3n)
const WIDE_PI = computePi(BigInt(WIDE))
const PI = WIDE_PI >> BigInt(WIDE - PLACES)
/** atan(k/16), k from 0 to 16. */
const ATAN_16THS = computeAtan16ths()

const NEXT_AFTER_LARGEST: Exact = { m: 1n, e: 1024 }

const word = new DataView(new ArrayBuffer(8))

/**
 * How far `result` is from the true value, in units of the last place a double near the true value has. Infinity counts as
 * the number that would follow the largest double.
 */
export function errorInUlps(result: number, truth: Exact): number {
  if (Number.isNaN(result)) return Infinity
  if (truth.m === 0n) return result === 0 ? 0 : Infinity
  const length = truth.e + bitLength(truth.m)
  if (length > 1024) return result === (truth.m > 0n ? Infinity : -Infinity) ? 0 : Infinity
  if (length < -1200) return result === 0 ? 0 : Infinity
  // Both in units of 2^-20 of the last place.
  const unit = Math.max(length - 53, -1074) - 20
  const difference =
    scaled(truth, unit) - scaled(Number.isFinite(result) ? fromDouble(result) : NEXT_AFTER_LARGEST, unit)
  return Math.abs(Number(difference)) / 0x100000
}

export function exactSin(x: number): Exact {
  const { quadrant, remainder } = reduce(fromDouble(x))
  return negateIf((quadrant & 2) !== 0, (quadrant & 1) === 0 ? sinSeries(remainder) : cosSeries(remainder))
}

export function exactCos(x: number): Exact {
  const { quadrant, remainder } = reduce(fromDouble(x))
  return negateIf(((quadrant + 1) & 2) !== 0, (quadrant & 1) === 0 ? cosSeries(remainder) : sinSeries(remainder))
}

/** For finite arguments that are not both zero. */
export function exactAtan2(y: number, x: number): Exact {
  const a = absolute(fromDouble(y))
  const b = absolute(fromDouble(x))
  const e = Math.min(a.e, b.e)
  const p = a.m << BigInt(a.e - e)
  const q = b.m << BigInt(b.e - e)
  const steep = p > q
  const angle = steep ? atanOfRatio(q, p) : atanOfRatio(p, q)
  const firstQuadrant = steep ? minus({ m: PI >> 1n, e: -PLACES }, angle) : angle
  const upperHalf = x < 0 ? minus({ m: PI, e: -PLACES }, firstQuadrant) : firstQuadrant
  return negateIf(y < 0, upperHalf)
}

export function exactExp(x: number): Exact {
  return expOfFixed(scaled(fromDouble(x), -PLACES))
}

export function exactLog(x: number): Exact {
  return { m: logOfDouble(x), e: -PLACES }
}

/** For positive `x`. */
export function exactPow(x: number, y: number): Exact {
  const power = fromDouble(y)
  return expOfFixed(scaled({ m: power.m * logOfDouble(x), e: power.e - PLACES }, -PLACES))
}

export function fromDouble(x: number): Exact {
  word.setFloat64(0, x)
  const bits = word.getBigUint64(0)
  const biased = Number((bits >> 52n) & 0x7ffn)
  const fraction = bits & 0xfffffffffffffn
  const m = biased === 0 ? fraction : fraction | 0x10000000000000n
  return negateIf(bits >> 63n === 1n, { m, e: Math.max(biased, 1) - 1075 })
}

/** x = quadrant · π/2 + remainder. */
function reduce(x: Exact): { quadrant: number; remainder: Exact } {
  const fixed = scaled(x, -WIDE)
  // 1.5 < 2·x/π + 0.5: below an eighth of a turn the argument itself is the remainder, however small.
  if (4n * magnitude(fixed) <= WIDE_PI) return { quadrant: 0, remainder: x }
  const half = WIDE_PI >> 1n
  const quadrant = floorDivide(2n * fixed + half, 2n * half)
  return { quadrant: Number(quadrant & 3n), remainder: { m: fixed - quadrant * half, e: -WIDE } }
}

/** x · (1 - x²/3! + x⁴/5! - …), so that a small x keeps all its digits. */
function sinSeries(x: Exact): Exact {
  const square = scaled({ m: x.m * x.m, e: 2 * x.e }, -PLACES)
  return { m: x.m * alternating(square, (n) => 2n * n * (2n * n + 1n)), e: x.e - PLACES }
}

function cosSeries(x: Exact): Exact {
  const square = scaled({ m: x.m * x.m, e: 2 * x.e }, -PLACES)
  return { m: alternating(square, (n) => (2n * n - 1n) * 2n * n), e: -PLACES }
}

/** 1 - x/d(1) + x²/(d(1)·d(2)) - … for x ≥ 0. */
function alternating(x: bigint, divisor: (n: bigint) => bigint): bigint {
  let term = ONE
  let sum = 0n
  for (let n = 1n; term !== 0n; n++) {
    sum += n % 2n === 1n ? term : -term
    term = times(term, x) / divisor(n)
  }
  return sum
}

/** atan(p/q) for 0 ≤ p ≤ q. */
function atanOfRatio(p: bigint, q: bigint): Exact {
  const k = (32n * p + q) / (2n * q)
  if (k === 0n) return atanSeries(divide(p, q))
  const rest = atanSeries(divide(16n * p - k * q, 16n * q + k * p))
  return { m: ATAN_16THS[Number(k)] + scaled(rest, -PLACES), e: -PLACES }
}

/** x · (1 - x²/3 + x⁴/5 - …) */
function atanSeries(x: Exact): Exact {
  const square = scaled({ m: x.m * x.m, e: 2 * x.e }, -PLACES)
  let power = ONE
  let sum = 0n
  for (let n = 1n; power !== 0n; n += 2n) {
    sum += n % 4n === 1n ? power / n : -power / n
    power = times(power, square)
  }
  return { m: x.m * sum, e: x.e - PLACES }
}

function expOfFixed(x: bigint): Exact {
  const k = floorDivide(2n * x + LN_2, 2n * LN_2)
  const r = x - k * LN_2
  let term = ONE
  let sum = 0n
  for (let n = 1n; term !== 0n; n++) {
    sum += term
    term = times(term, r) / n
  }
  return { m: sum, e: Number(k) - PLACES }
}

/** ln(x) with 192 places. */
function logOfDouble(x: number): bigint {
  const { m, e } = fromDouble(x)
  let length = bitLength(m)
  // x = 2^k · t with t from ¾ to 1½; ln t = 2·atanh((t - 1) / (t + 1)).
  if (2n * m < 3n << BigInt(length - 1)) length--
  const t = scaled({ m, e: -length }, -PLACES)
  return BigInt(e + length) * LN_2 + 2n * inverseTanh(((t - ONE) * ONE) / (t + ONE))
}

function inverseTanh(x: bigint): bigint {
  const square = times(x, x)
  let power = x
  let sum = 0n
  for (let n = 1n; power / n !== 0n; n += 2n) {
    sum += power / n
    power = times(power, square)
  }
  return sum
}

/** Machin: π/4 = 4·atan(1/5) - atan(1/239). */
function computePi(places: bigint): bigint {
  const guard = 32n
  const one = 1n << (places + guard)
  const atanInverse = (n: bigint): bigint => {
    let power = one / n
    let sum = power
    for (let i = 3n; power !== 0n; i += 2n) {
      power = -power / (n * n)
      sum += power / i
    }
    return sum
  }
  return (4n * (4n * atanInverse(5n) - atanInverse(239n))) >> guard
}

function computeAtan16ths(): bigint[] {
  const table = [0n]
  for (let k = 1n; k <= 16n; k++) {
    // From (k - 1)/16 to k/16 the angle grows by atan(16 / (256 + k(k - 1))).
    const step = atanSeries(divide(16n, 256n + k * (k - 1n)))
    table.push(table[Number(k) - 1] + scaled(step, -PLACES))
  }
  return table
}

/** p/q with at least 192 significant bits. */
function divide(p: bigint, q: bigint): Exact {
  const shift = Math.max(0, PLACES + bitLength(q) - bitLength(p) + 1)
  return { m: (p << BigInt(shift)) / q, e: -shift }
}

function minus(a: Exact, b: Exact): Exact {
  const e = Math.min(a.e, b.e, -PLACES)
  return { m: scaled(a, e) - scaled(b, e), e }
}

/** Product of two numbers with 192 places. */
function times(a: bigint, b: bigint): bigint {
  return (a * b) >> 192n
}

/** The number in units of 2^e. */
function scaled(x: Exact, e: number): bigint {
  return x.e >= e ? x.m << BigInt(x.e - e) : x.m >> BigInt(e - x.e)
}

function negateIf(negative: boolean, x: Exact): Exact {
  return negative ? { m: -x.m, e: x.e } : x
}

function absolute(x: Exact): Exact {
  return { m: magnitude(x.m), e: x.e }
}

function magnitude(m: bigint): bigint {
  return m < 0n ? -m : m
}

function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b
  return a % b < 0n ? quotient - 1n : quotient
}

function bitLength(m: bigint): number {
  const digits = magnitude(m).toString(16)
  return 4 * digits.length - (Math.clz32(Number.parseInt(digits[0], 16)) - 28)
}
