/**
 * A running 64-bit hash of numbers, bit for bit, for the probes.
 *
 * Not the engine's own state hash on purpose: a fault there must not hide a difference here. Two 32-bit lanes with
 * different multipliers, because JavaScript multiplies 32 bits exactly and fast.
 */

export type Digest = { a: number; b: number }

const double = new Float64Array(1)
const words = new Uint32Array(double.buffer)
const CANONICAL_NAN = [0, 0x7ff80000]

export function createDigest(): Digest {
  return { a: 0x811c9dc5 | 0, b: 0x9747b28c | 0 }
}

export function addUint32(digest: Digest, value: number): void {
  const a = Math.imul(digest.a ^ value, 0x01000193)
  const b = Math.imul(digest.b ^ value, 0x85ebca6b)
  digest.a = a ^ (a >>> 15)
  digest.b = b ^ (b >>> 13)
}

/** All NaNs count as one: their bits are the one thing about a number the language leaves open. */
export function addDouble(digest: Digest, value: number): void {
  double[0] = value
  if (Number.isNaN(value)) words.set(CANONICAL_NAN)
  addUint32(digest, words[0]!)
  addUint32(digest, words[1]!)
}

export function addText(digest: Digest, text: string): void {
  addUint32(digest, text.length)
  for (let i = 0; i < text.length; i++) addUint32(digest, text.charCodeAt(i))
}

export function digestHex(digest: Digest): string {
  return hex8(digest.a) + hex8(digest.b)
}

function hex8(value: number): string {
  return (value >>> 0).toString(16).padStart(8, '0')
}
