/**
 * Sine, cosine and arc tangent of our own.
 *
 * `Math.sin` and its like are approximations that differ in the last bit between the engines people play on; one bit is
 * a desync. These use only operations whose every bit the language defines (+ - * / floor abs fround), so **the order of
 * operations is a contract**: rewriting a line into something algebraically equal changes replays. Golden hashes in the
 * tests hold it.
 *
 * Method: bring the argument into a short interval, carrying the remainder in two doubles, then evaluate a minimax
 * polynomial. The coefficients are the published ones of Sun's fdlibm. Errors stay below one unit in the last place.
 */

import { highWord, scaleByPowerOfTwo } from './binary.ts'

/** Sine of an angle in radians. */
export function sin(angle: number): number {
  if (Math.abs(angle) <= QUARTER_PI) return sinNearZero(angle, 0)
  const quadrant = reduce(angle)
  const even = (quadrant & 1) === 0
  const value = even ? sinNearZero(remainder[0], remainder[1]) : cosNearZero(remainder[0], remainder[1])
  return (quadrant & 2) === 0 ? value : -value
}

/** Cosine of an angle in radians. */
export function cos(angle: number): number {
  if (Math.abs(angle) <= QUARTER_PI) return cosNearZero(angle, 0)
  const quadrant = reduce(angle)
  const even = (quadrant & 1) === 0
  const value = even ? cosNearZero(remainder[0], remainder[1]) : sinNearZero(remainder[0], remainder[1])
  return ((quadrant + 1) & 2) === 0 ? value : -value
}

/** Writes the vector of length 1 with the given angle into `out`: its cosine and its sine, for the price of one and a half. */
export function direction(angle: number, out: { x: number; y: number }): void {
  handed[0] = angle
  writeDirection(out)
}

/** Scratch: what a function is asked about, written before it is read. V8 puts a double that is handed to a large function on the heap. */
const handed = new Float64Array(3)

function writeDirection(out: { x: number; y: number }): void {
  const angle = handed[0]
  let quadrant = 0
  if (Math.abs(angle) <= QUARTER_PI) {
    remainder[0] = angle
    remainder[1] = 0
  } else {
    quadrant = reduce(angle)
  }
  const nearSin = sinNearZero(remainder[0], remainder[1])
  const nearCos = cosNearZero(remainder[0], remainder[1])
  const even = (quadrant & 1) === 0
  const x = even ? nearCos : nearSin
  const y = even ? nearSin : nearCos
  out.x = ((quadrant + 1) & 2) === 0 ? x : -x
  out.y = (quadrant & 2) === 0 ? y : -y
}

/** Arc tangent in radians, from -π/2 to π/2. */
export function atan(slope: number): number {
  return atan2(slope, 1)
}

/** 0, atan ½, π/4, atan 2, π/2 and their mirror images up to π: the nearest double, and what it lacks. */
const BASE_ANGLE = Float64Array.of(
  0,
  0.4636476090008061,
  0.7853981633974483,
  1.1071487177940904,
  1.5707963267948966,
  2.0344439357957027,
  2.356194490192345,
  2.677945044588987,
  Math.PI,
)
const BASE_ANGLE_TAIL = Float64Array.of(
  0,
  2.2698777452961687e-17,
  3.061616997868383e-17,
  9.40447137356638e-17,
  6.123233995736766e-17,
  2.841996617907152e-17,
  9.184850993605148e-17,
  1.5527705369303147e-16,
  1.2246467991473532e-16,
)

/** Beyond these, sums and split products in `atan2` would leave the range of doubles. */
const GREAT = scaleByPowerOfTwo(1, 900)
const SMALL = scaleByPowerOfTwo(1, -900)
const SHRINK = scaleByPowerOfTwo(1, -200)
const GROW = scaleByPowerOfTwo(1, 200)
const TWO_POW_MINUS_27 = scaleByPowerOfTwo(1, -27)

/**
 * Angle in radians, from -π to π, of the vector (x, y): `Math.atan2`, including its table for zeros and infinities.
 *
 * With a the smaller and b the larger of |x| and |y|, a/b lies in [0, 1] and is compared with the nearest of 0, ½ and 1:
 *
 *     atan(a/b) = atan(c) + atan((a - c·b) / (b + c·a))
 *
 * Each eighth of the circle then is a base angle plus or minus a small one. The bases are kept in two doubles and added
 * last, so that mirroring into the other quadrants costs no rounding of its own.
 */
export function atan2(y: number, x: number): number {
  handed[0] = x
  handed[1] = y
  measureAngle()
  return handed[2]
}

function measureAngle(): void {
  const x = handed[0]
  const y = handed[1]
  const steep = Math.abs(y) > Math.abs(x)
  let a = steep ? Math.abs(x) : Math.abs(y)
  let b = steep ? Math.abs(y) : Math.abs(x)
  if (b > GREAT || b < SMALL) {
    if (a === b) {
      // Both zero: the angle of the nearest axis. Both infinite: of the diagonal.
      a = b === 0 ? 0 : 1
      b = 1
    } else {
      const scale = b > 1 ? SHRINK : GROW
      a *= scale
      b *= scale
    }
  }

  let base = 0
  let t: number
  let correction = 0
  if (16 * a > 11 * b) {
    base = 2
    t = (a - b) / (a + b)
  } else if (16 * a > 7 * b) {
    base = 1
    t = (2 * a - b) / (2 * b + a)
  } else {
    t = a / b
    // Only here can the angle be as small as the quotient, so that the quotient's own rounding would show.
    if (t > TWO_POW_MINUS_27) correction = divisionRemainder(a, b, t) / (b + t * a)
  }

  let sign = 1
  if (steep) {
    base = 4 - base
    sign = -1
  }
  if (isNegative(x)) {
    base = 8 - base
    sign = -sign
  }
  const angle = BASE_ANGLE[base] + sign * atanNearZero(t, correction + sign * BASE_ANGLE_TAIL[base])
  handed[2] = isNegative(y) ? -angle : angle
}

/** Whether the sign is minus, which for zero only division shows. */
function isNegative(x: number): boolean {
  return x < 0 || (x === 0 && 1 / x < 0)
}

/** a - quotient·b, exactly: both factors are split into halves whose products fit a double (Veltkamp, Dekker). */
function divisionRemainder(a: number, b: number, quotient: number): number {
  const qHigh = upperHalf(quotient)
  const qLow = quotient - qHigh
  const bHigh = upperHalf(b)
  const bLow = b - bHigh
  return a - qHigh * bHigh - qHigh * bLow - qLow * bHigh - qLow * bLow
}

/** The upper 26 of the 53 bits of `x`. */
function upperHalf(x: number): number {
  const shifted = x * 0x8000001
  return shifted - (shifted - x)
}

// Coefficients are named after the power they belong to.
const ATAN_3 = 0.3333333333333293
const ATAN_5 = -0.19999999999876483
const ATAN_7 = 0.14285714272503466
const ATAN_9 = -0.11111110405462356
const ATAN_11 = 0.09090887133436507
const ATAN_13 = -0.0769187620504483
const ATAN_15 = 0.06661073137387531
const ATAN_17 = -0.058335701337905735
const ATAN_19 = 0.049768779946159324
const ATAN_21 = -0.036531572744216916
const ATAN_23 = 0.016285820115365782

/** atan(t) + correction for |t| ≤ 7/16. Two interleaved sums, because two short chains are faster than a long one. */
function atanNearZero(t: number, correction: number): number {
  const z = t * t
  const w = z * z
  const odd = z * (ATAN_3 + w * (ATAN_7 + w * (ATAN_11 + w * (ATAN_15 + w * (ATAN_19 + w * ATAN_23)))))
  const even = w * (ATAN_5 + w * (ATAN_9 + w * (ATAN_13 + w * (ATAN_17 + w * ATAN_21))))
  return t - (t * (odd + even) - correction)
}

const SIN_3 = -0.16666666666666632
const SIN_5 = 0.00833333333332249
const SIN_7 = -0.0001984126982985795
const SIN_9 = 0.0000027557313707070068
const SIN_11 = -2.5050760253406863e-8
const SIN_13 = 1.58969099521155e-10

/** sin(x + tail) for |x| ≤ π/4. */
function sinNearZero(x: number, tail: number): number {
  const z = x * x
  const cube = z * x
  const r = SIN_5 + z * (SIN_7 + z * (SIN_9 + z * (SIN_11 + z * SIN_13)))
  return x - (z * (0.5 * tail - cube * r) - tail - cube * SIN_3)
}

const COS_4 = 0.0416666666666666
const COS_6 = -0.001388888888887411
const COS_8 = 0.00002480158728947673
const COS_10 = -2.7557314351390663e-7
const COS_12 = 2.087572321298175e-9
const COS_14 = -1.1359647557788195e-11

/** cos(x + tail) for |x| ≤ π/4. What rounding 1 - x²/2 loses is added back at the end. */
function cosNearZero(x: number, tail: number): number {
  const z = x * x
  const r = z * (COS_4 + z * (COS_6 + z * (COS_8 + z * (COS_10 + z * (COS_12 + z * COS_14)))))
  const half = 0.5 * z
  const w = 1 - half
  return w + (1 - w - half + (z * r - x * tail))
}

/** The last result of `reduce`: the remainder, and the part of it that did not fit. Scratch, written before it is read. */
const remainder = new Float64Array(2)

const QUARTER_PI = Math.PI / 4
const TWO_OVER_PI = 2 / Math.PI
/** π/2 in pieces of 33 bits, so that their products with a count up to 2^20 are exact; and what is left after a piece. */
const HALF_PI_1 = 1.5707963267341256
const HALF_PI_1_REST = 6.077100506506192e-11
const HALF_PI_2 = 6.077100506303966e-11
const HALF_PI_3 = 2.0222662487111665e-21
const HALF_PI_3_REST = 8.4784276603689e-32
const LARGE = 0x100000 * 1.5
const TWO_POW_MINUS_16 = 1 / 0x10000

/**
 * Leaves angle - n·π/2, at most π/4 in size, in `remainder` and returns n, of which only the last two bits count.
 *
 * Cody and Waite's method. Near a multiple of π/2 the subtraction cancels most digits, so more pieces are needed there.
 */
function reduce(angle: number): number {
  if (!(Math.abs(angle) < LARGE)) return reduceLarge(angle)
  const n = Math.floor(angle * TWO_OVER_PI + 0.5)
  let r = angle - n * HALF_PI_1
  let w = n * HALF_PI_1_REST
  if (Math.abs(r - w) < Math.abs(angle) * TWO_POW_MINUS_16) {
    const w2 = n * HALF_PI_2
    const r2 = r - w2
    const w3 = n * HALF_PI_3
    const r3 = r2 - w3
    w = n * HALF_PI_3_REST - (r - r2 - w2) - (r2 - r3 - w3)
    r = r3
  }
  remainder[0] = r - w
  remainder[1] = r - remainder[0] - w
  return n
}

/**
 * 2/π in digits of 24 bits. The four zeros in front stand left of the point, so that the multiplication below needs no
 * special case there. 49 digits reach far enough for the largest double.
 */
// biome-ignore format: a table
const TWO_OVER_PI_DIGITS = Uint32Array.of(
  0, 0, 0, 0,
  0xa2f983, 0x6e4e44, 0x1529fc, 0x2757d1, 0xf534dd, 0xc0db62, 0x95993c, 0x439041, 0xfe5163, 0xabdebb,
  0xc561b7, 0x246e3a, 0x424dd2, 0xe00649, 0x2eea09, 0xd1921c, 0xfe1deb, 0x1cb129, 0xa73ee8, 0x8235f5,
  0x2ebb44, 0x84e99c, 0x7026b4, 0x5f7e41, 0x3991d6, 0x398353, 0x39f49c, 0x845f8b, 0xbdf928, 0x3b1ff8,
  0x97ffde, 0x05980f, 0xef2f11, 0x8b5a0a, 0x6d1f6d, 0x367ecf, 0x27cb09, 0xb74f46, 0x3f669e, 0x5fea2d,
  0x7527ba, 0xc7ebe5, 0xf17b3d, 0x0739f7, 0x8a5292, 0xea6bfb, 0x5fb11f, 0x8d5d08, 0x560330,
)
const LAST_DIGIT_LEFT_OF_POINT = 3
const TWO_POW_24 = 0x1000000
const TWO_POW_MINUS_24 = 1 / TWO_POW_24
/** π/2; its upper 24 bits, and the rest. */
const HALF_PI = Math.PI / 2
const HALF_PI_HIGH = 1.5707963705062866
const HALF_PI_LOW = -4.3711390001862426e-8

/** Scratch of `reduceLarge`, written before it is read. */
const angleDigits = new Float64Array(4)
const productDigits = new Float64Array(8)

/**
 * `reduce` for any size of angle, after Payne and Hanek: multiply by 2/π in long multiplication with digits of 24 bits.
 *
 * Digits left of the last one before the point are multiples of 2^24 quarter turns and never computed. Seven digits
 * right of it leave 80 good bits even for the double that comes nearest to a multiple of π/2.
 */
function reduceLarge(angle: number): number {
  if (!(Math.abs(angle) < Infinity)) {
    remainder[0] = Number.NaN
    remainder[1] = 0
    return 0
  }

  // The angle as four digits, the first with weight 2^(24·place).
  const exponent = ((highWord(angle) >>> 20) & 0x7ff) - 1023
  const place = Math.floor(exponent / 24)
  let rest = scaleByPowerOfTwo(Math.abs(angle), -24 * place)
  for (let i = 0; i < 4; i++) {
    angleDigits[i] = Math.floor(rest)
    rest = (rest - angleDigits[i]) * TWO_POW_24
  }

  // Column by column from the right. A column is four products of at most 48 bits and a carry: exact.
  let carry = 0
  for (let column = 7; column >= 0; column--) {
    const first = LAST_DIGIT_LEFT_OF_POINT + place + column
    let sum = carry
    for (let i = 0; i < 4; i++) sum += angleDigits[i] * TWO_OVER_PI_DIGITS[first - i]
    carry = Math.floor(sum * TWO_POW_MINUS_24)
    productDigits[column] = sum - carry * TWO_POW_24
  }

  // Round to the nearest quarter turn. What is left is a fraction of at most ½ in size, summed up in two doubles.
  let n = productDigits[0] & 3
  if (productDigits[1] >= TWO_POW_24 / 2) {
    n++
    productDigits[1] -= TWO_POW_24
  }
  let fraction = 0
  for (let column = 7; column >= 1; column--) fraction = (fraction + productDigits[column]) * TWO_POW_MINUS_24
  let fractionTail = -fraction
  let weight = TWO_POW_MINUS_24
  for (let column = 1; column <= 7; column++) {
    fractionTail += productDigits[column] * weight
    weight *= TWO_POW_MINUS_24
  }

  // Times π/2, both factors split at 24 bits (what `fround` keeps), so that the leading product is exact.
  const sign = angle < 0 ? -1 : 1
  const high = Math.fround(fraction)
  const low = fraction - high + fractionTail
  const product = high * HALF_PI_HIGH
  const rests = high * HALF_PI_LOW + low * HALF_PI
  const y = product + rests
  remainder[0] = sign * y
  remainder[1] = sign * (product - y + rests)
  return sign * n
}

/** The angle from one facing to another, the short way round; half a turn is one to the left. */
export function turnBetween(fromX: number, fromY: number, toX: number, toY: number): number {
  return atan2(fromX * toY - fromY * toX, fromX * toX + fromY * toY)
}
