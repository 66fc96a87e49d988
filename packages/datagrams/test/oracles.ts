/** The same by others: @noble/hashes for the key schedule, written down once more (RFC 5246, 5, 6.3, 7.4.9; RFC 7627, 4). */

import { createHash, createHmac } from 'node:crypto'

/** What finishedByOurs (subjects.ts) must say for this shared secret. */
export function finishedOf(sharedSecret: Buffer): Buffer {
  const message = createHash('sha256').update('up to CertificateVerify').digest()
  // Without CertificateVerify there is nothing.
  const sessionHash = createHash('sha256').digest()
  const master = expand(sharedSecret, 'extended master secret', sessionHash, 48)
  return expand(master, 'client finished', message, 12)
}

/** P_SHA256. */
export function expand(secret: Buffer, label: string, seed: Buffer, length: number): Buffer {
  const hmac = (bytes: Buffer) => createHmac('sha256', secret).update(bytes).digest()
  const labelled = Buffer.concat([Buffer.from(label), seed])
  const parts: Buffer[] = []
  for (let a = hmac(labelled); 32 * parts.length < length; a = hmac(a)) parts.push(hmac(Buffer.concat([a, labelled])))
  return Buffer.concat(parts).subarray(0, length)
}
