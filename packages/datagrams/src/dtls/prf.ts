/** The pseudorandom function of TLS 1.2 with SHA-256 (RFC 5246, 5). */

import { createHmac } from 'node:crypto'

const HASH_BYTES = 32

/** In memory of its own, so that it can be overwritten: small buffers of Node share theirs. */
export function prf(secret: Uint8Array, label: string, seed: Uint8Array, length: number): Buffer {
  const labelAndSeed = Buffer.concat([Buffer.from(label, 'latin1'), seed])
  const hmac = (...parts: readonly Uint8Array[]) => createHmac('sha256', secret).update(Buffer.concat(parts)).digest()
  const output = Buffer.alloc(length)
  // A(1) = HMAC(seed), A(i) = HMAC(A(i - 1)).
  for (let at = 0, a = hmac(labelAndSeed); at < length; at += HASH_BYTES, a = hmac(a)) {
    const part = hmac(a, labelAndSeed)
    part.copy(output, at)
    part.fill(0)
  }
  return output
}
