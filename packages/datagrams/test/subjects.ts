/** What is asked of ours by vectors: ciphers as records use them, and the key exchange and signatures as the handshake does. */

import { createECDH, createHash, createPublicKey } from 'node:crypto'
import { createCertificate } from '../src/dtls/certificate.ts'
import type { CipherSuite } from '../src/dtls/ciphers/suites.ts'
import { SUITES } from '../src/dtls/ciphers/suites.ts'
import { readClientFlight } from '../src/dtls/client-flight.ts'
import { deriveSecrets } from '../src/dtls/keys.ts'

export const hex = (text: string) => Buffer.from(text.replaceAll(/\s/g, ''), 'hex')

export type Sealed = {
  readonly key: Buffer
  readonly iv: Buffer
  readonly aad: Buffer
  readonly ciphertext: Buffer
  readonly tag: Buffer
}

/** The plaintext; undefined: refused. It must be left as it came then. */
export function openByOurs(suite: CipherSuite, { key, iv, aad, ciphertext, tag }: Sealed): Buffer | undefined {
  const isGcm = suite.fixedIvBytes === 4
  // A record's number is at the front of its additional data: of the nonce of ChaCha it is a part by XOR, that of GCM is in the record.
  const fixedIv = isGcm ? iv.subarray(0, 4) : iv.map((byte, i) => byte ^ (i < 4 ? 0 : (aad[i - 4] ?? 0)))
  const fragment = Buffer.concat([isGcm ? iv.subarray(4) : Buffer.alloc(0), ciphertext, tag])
  const before = Buffer.from(fragment)
  const aead = suite.create(key, fixedIv)
  if (aead.decrypt(aad, fragment)) return fragment.subarray(aead.explicitNonceBytes, fragment.length - aead.tagBytes)
  if (!fragment.equals(before)) throw new Error('A record that was refused is not as it came.')
  return undefined
}

const SPKI = hex('3059301306072a8648ce3d020106082a8648ce3d030107034200')
const own = createCertificate()
const ownKey = createPublicKey(own.key).export({ type: 'spki', format: 'der' })

/** A certificate for a point of P-256, with a signature that nobody looks at (RFC 8122). */
export function certificateFor(point: Buffer): Buffer {
  const at = own.der.indexOf(ownKey)
  return Buffer.concat([own.der.subarray(0, at), SPKI, point, own.der.subarray(at + ownKey.length)])
}

/** Whether the handshake takes a signature of a message by the key of a certificate. `point`: the client's of the key exchange. */
export function isTakenByOurs(publicPoint: Buffer, message: Buffer, signature: Buffer, point: Buffer): boolean {
  const der = certificateFor(publicPoint)
  const fingerprint = createHash('sha256').update(der).digest('hex').toUpperCase().match(/../g)!.join(':')
  const length24 = (bytes: Buffer) => Buffer.concat([Buffer.of(0, bytes.length >>> 8, bytes.length & 0xff), bytes])
  const length16 = (bytes: Buffer) => Buffer.concat([Buffer.of(bytes.length >>> 8, bytes.length & 0xff), bytes])
  const bodies = [
    length24(length24(der)),
    Buffer.concat([Buffer.of(point.length), point]),
    Buffer.concat([hex('0403'), length16(signature)]),
  ]
  try {
    return readClientFlight({ bodies, inOrder: [Buffer.alloc(0)], before: [message], fingerprint }) !== undefined
  } catch {
    return false
  }
}

/** What the client's Finished must say after a key exchange with this key: it depends on each bit of the shared secret. Throws for what is no point. */
export function finishedByOurs(privateKey: Buffer, point: Buffer): Buffer {
  const ecdh = createECDH('prime256v1')
  ecdh.setPrivateKey(privateKey)
  const exchange = { ecdh, suite: SUITES[0], randoms: Buffer.alloc(64, 7), nextReceiveSeq: 0 }
  return deriveSecrets(exchange, point, [Buffer.from('up to CertificateVerify')]).verifyData.client
}
