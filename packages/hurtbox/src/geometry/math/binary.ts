/**
 * Reading and scaling the exponent of a double.
 *
 * Reading needs the bits. They are taken through a DataView with an explicit byte order, so the result is the same on a
 * big-endian machine. Scaling multiplies by exact powers of two from a table: building a double out of two 32-bit
 * writes and reading it back at once stalls the processor for longer than two multiplications take.
 */

/** Scratch, written before it is read. Not state. */
const bits = new DataView(new ArrayBuffer(8))

const LEAST_TABLED = -540
const GREATEST_TABLED = 540
const powersOfTwo = /* @__PURE__ */ tablePowersOfTwo()

/** The upper half of a double's bits: sign (1 bit), exponent + 1023 (11), first 20 bits of the fraction. */
export function highWord(x: number): number {
  bits.setFloat64(0, x, true)
  return bits.getUint32(4, true)
}

/**
 * x · 2^exponent, for exponents from -1080 to 1080.
 *
 * In two steps because 2^1024 is no double. The first step takes half of the way, so it stays in range and is exact as
 * long as |x| is near 1 or the result is: only the second step rounds.
 */
export function scaleByPowerOfTwo(x: number, exponent: number): number {
  const half = exponent >> 1
  return x * powersOfTwo[half - LEAST_TABLED] * powersOfTwo[exponent - half - LEAST_TABLED]
}

function tablePowersOfTwo(): Float64Array {
  const table = new Float64Array(GREATEST_TABLED - LEAST_TABLED + 1)
  table[-LEAST_TABLED] = 1
  for (let e = 1; e <= GREATEST_TABLED; e++) table[e - LEAST_TABLED] = 2 * table[e - 1 - LEAST_TABLED]
  for (let e = -1; e >= LEAST_TABLED; e--) table[e - LEAST_TABLED] = table[e + 1 - LEAST_TABLED] / 2
  return table
}
