/**
 * Tables of powers of two and of logarithms for `exponential.ts`, each value in two doubles.
 *
 * They are computed here, once, in whole numbers with 128 binary places: BigInt arithmetic is exact on every engine, the
 * rule behind the numbers stays visible, and some 600 literals need no proof-reader.
 */

const PLACES = 128n
const ONE = 1n << PLACES
const LN_2 = 2n * inverseTanh(1n, 3n)

/** 2^(i/128) for i from 0 to 127: the nearest double, and what it lacks, as a fraction of it. */
export const powerTable = /* @__PURE__ */ tablePowers()

/** The first fraction j of `logTable` that belongs to the next power of two. */
export const LOG_TABLE_FOLD = 53

/**
 * For every fraction j/128 from 0 to 1 a `scale` near 1 / (1 + j/128), of at most 10 bits, and -ln(scale), cut to 42
 * places after the point, and the rest. Above √2 the logarithm is that of half the number, so that near 2 as near 1 it
 * is exactly 0.
 */
export const logTable = /* @__PURE__ */ tableLogarithms()

function tablePowers(): { value: Float64Array; tail: Float64Array } {
  const value = new Float64Array(128)
  const tail = new Float64Array(128)
  const step = expOf(LN_2 / 128n)
  let power = ONE
  for (let i = 0; i < 128; i++) {
    value[i] = toNumber(power)
    tail[i] = toNumber(power - fromNumber(value[i])) / value[i]
    power = (power * step) >> PLACES
  }
  return { value, tail }
}

function tableLogarithms(): { scale: Float64Array; value: Float64Array; tail: Float64Array } {
  const scale = new Float64Array(129)
  const value = new Float64Array(129)
  const tail = new Float64Array(129)
  for (let j = 0; j <= 128; j++) {
    const in512ths = Math.floor((512 * 128) / (128 + j) + 0.5)
    scale[j] = in512ths / 512
    const one = j < LOG_TABLE_FOLD ? 512 : 256
    const logarithm = 2n * inverseTanh(BigInt(one - in512ths), BigInt(one + in512ths))
    const cut = (logarithm >> 86n) << 86n
    value[j] = toNumber(cut)
    tail[j] = toNumber(logarithm - cut)
  }
  return { scale, value, tail }
}

/** Half of ln((q + p) / (q - p)), as p/q + (p/q)³/3 + (p/q)⁵/5 + … */
function inverseTanh(p: bigint, q: bigint): bigint {
  let power = (p * ONE) / q
  const square = (power * power) >> PLACES
  let sum = 0n
  for (let n = 1n; power / n !== 0n; n += 2n) {
    sum += power / n
    power = (power * square) / ONE
  }
  return sum
}

function expOf(x: bigint): bigint {
  let term = ONE
  let sum = 0n
  for (let n = 1n; term !== 0n; n++) {
    sum += term
    term = (term * x) / (n * ONE)
  }
  return sum
}

function toNumber(x: bigint): number {
  return Number(x) / Number(ONE)
}

function fromNumber(x: number): bigint {
  return BigInt(x * Number(ONE))
}
