/** Seeded inputs for the probes, made with integer operations alone so that they cannot differ themselves. */

export type Bits = { state: number }

const double = new Float64Array(1)
const words = new Uint32Array(double.buffer)

export function createBits(seed: number): Bits {
  return { state: seed >>> 0 || 1 }
}

/** xorshift32: any 32-bit value but 0. */
export function nextUint32(bits: Bits): number {
  let x = bits.state
  x ^= x << 13
  x ^= x >>> 17
  x ^= x << 5
  bits.state = x >>> 0
  return bits.state
}

/** From 0 up to but not including 1, in steps of 2⁻³². */
export function nextUnit(bits: Bits): number {
  return nextUint32(bits) / 4294967296
}

/** Any finite double at all: each exponent is as likely as the next, subnormals included. */
export function nextDouble(bits: Bits): number {
  const high = nextUint32(bits)
  words[0] = nextUint32(bits)
  // An exponent of all ones means Infinity or NaN; clearing its lowest bit gives the largest finite ones.
  words[1] = (high & 0x7ff00000) === 0x7ff00000 ? high ^ 0x00100000 : high
  return double[0]!
}
