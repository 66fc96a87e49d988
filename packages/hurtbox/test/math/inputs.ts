/** Seeded inputs for the maths tests, independent of the generator under test. */

export type Source = () => number

/** Unsigned 32-bit numbers: a Weyl sequence through a mixer (splitmix32). */
export function words(seed: number): Source {
  let state = seed | 0
  return () => {
    state = (state + 0x9e3779b9) | 0
    let t = state ^ (state >>> 16)
    t = Math.imul(t, 0x21f0aaad)
    t ^= t >>> 15
    t = Math.imul(t, 0x735a2d97)
    return (t ^ (t >>> 15)) >>> 0
  }
}

/** From 0 up to but not 1, 53 bits. */
export function fraction(word: Source): number {
  return ((word() >>> 5) * 0x4000000 + (word() >>> 6)) / 0x20000000000000
}

/** Evenly spread from -limit to limit. */
export function within(word: Source, limit: number): number {
  return (fraction(word) * 2 - 1) * limit
}

const bits = new DataView(new ArrayBuffer(8))

/** Any of the 2^64 bit patterns except NaN and infinities. */
export function anyDouble(word: Source): number {
  for (;;) {
    bits.setUint32(0, word())
    bits.setUint32(4, word())
    const x = bits.getFloat64(0)
    if (Number.isFinite(x)) return x
  }
}

/** Either sign, any fraction, a power of two from 2^least to 2^most. Below -1022 it is denormal. */
export function anyWithExponent(word: Source, least: number, most: number): number {
  const exponent = least + (word() % (most - least + 1))
  const biased = Math.max(exponent + 1023, 0)
  const fraction = (BigInt(word() >>> 12) << 32n) | BigInt(word())
  const denormal = (fraction | (1n << 52n)) >> BigInt(Math.max(-1022 - exponent, 0))
  bits.setBigUint64(0, biased === 0 ? denormal : (BigInt(biased) << 52n) | fraction)
  return (word() & 1) === 0 ? bits.getFloat64(0) : -bits.getFloat64(0)
}

/** A double some places up or down the number line. Not across zero. */
export function neighbour(x: number, places: number): number {
  bits.setFloat64(0, x)
  bits.setBigInt64(0, bits.getBigInt64(0) + BigInt(places))
  return bits.getFloat64(0)
}
