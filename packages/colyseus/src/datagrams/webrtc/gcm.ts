/** AES-128-GCM as DTLS uses it (RFC 5288), by Node: for clients that do not have ChaCha20-Poly1305. */

import { createCipheriv, createDecipheriv, createSecretKey } from 'node:crypto'
import type { Cipher, CipherSuite } from './ciphers.ts'

const ALGORITHM = 'aes-128-gcm'
const FRONT_BYTES = 8
const TAG_BYTES = 16

export const GCM_SUITE: CipherSuite = { id: 0xc02b, keyBytes: 16, nonceBytes: 4, create: createGcm }

/** The nonce of a record is a fixed part and eight bytes at its front, for which its number is as good as any. */
function createGcm(keyBytes: Uint8Array, fixed: Uint8Array): Cipher {
  // Made once: from bytes, Node makes one for every record, which takes longer than the record.
  const key = createSecretKey(keyBytes)
  return {
    frontBytes: FRONT_BYTES,
    tagBytes: TAG_BYTES,
    seal(header, body) {
      body.set(header.subarray(0, FRONT_BYTES))
      const cipher = createCipheriv(ALGORITHM, key, Buffer.concat([fixed, body.subarray(0, FRONT_BYTES)]))
      cipher.setAAD(header)
      const end = body.length - TAG_BYTES
      body.set(cipher.update(body.subarray(FRONT_BYTES, end)), FRONT_BYTES)
      cipher.final()
      body.set(cipher.getAuthTag(), end)
    },
    unseal(header, body) {
      const nonce = Buffer.concat([fixed, body.subarray(0, FRONT_BYTES)])
      const cipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
      const end = body.length - TAG_BYTES
      cipher.setAAD(header)
      cipher.setAuthTag(body.subarray(end))
      const opened = cipher.update(body.subarray(FRONT_BYTES, end))
      try {
        cipher.final()
      } catch {
        return false
      }
      body.set(opened, FRONT_BYTES)
      return true
    },
  }
}
