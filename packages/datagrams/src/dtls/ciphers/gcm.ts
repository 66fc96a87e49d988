/** TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256 (RFC 5288, 3; RFC 5289, 3.2), by Node: for clients that do not have ChaCha20-Poly1305. */

import { createCipheriv, createDecipheriv, createSecretKey } from 'node:crypto'
import type { Aead, CipherSuite } from './suites.ts'

const ALGORITHM = 'aes-128-gcm'
const EXPLICIT_NONCE_BYTES = 8
const TAG_BYTES = 16

export const GCM_SUITE: CipherSuite = { id: 0xc02b, keyBytes: 16, fixedIvBytes: 4, create: createGcm }

/** The nonce is the salt, which is the fixed IV, and `nonce_explicit`, which is epoch and sequence number. */
function createGcm(keyBytes: Uint8Array, fixedIv: Uint8Array): Aead {
  const salt = Uint8Array.from(fixedIv)
  // Made once: from bytes, Node makes one for every record, which takes longer than the record.
  const key = createSecretKey(keyBytes)
  return {
    explicitNonceBytes: EXPLICIT_NONCE_BYTES,
    tagBytes: TAG_BYTES,
    encrypt(additionalData, fragment) {
      fragment.set(additionalData.subarray(0, EXPLICIT_NONCE_BYTES))
      const nonce = Buffer.concat([salt, fragment.subarray(0, EXPLICIT_NONCE_BYTES)])
      const cipher = createCipheriv(ALGORITHM, key, nonce)
      cipher.setAAD(additionalData)
      const end = fragment.length - TAG_BYTES
      fragment.set(cipher.update(fragment.subarray(EXPLICIT_NONCE_BYTES, end)), EXPLICIT_NONCE_BYTES)
      cipher.final()
      fragment.set(cipher.getAuthTag(), end)
    },
    decrypt(additionalData, fragment) {
      const nonce = Buffer.concat([salt, fragment.subarray(0, EXPLICIT_NONCE_BYTES)])
      const cipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
      const end = fragment.length - TAG_BYTES
      cipher.setAAD(additionalData)
      cipher.setAuthTag(fragment.subarray(end))
      const plaintext = cipher.update(fragment.subarray(EXPLICIT_NONCE_BYTES, end))
      try {
        cipher.final()
      } catch {
        return false
      }
      fragment.set(plaintext, EXPLICIT_NONCE_BYTES)
      return true
    },
    // The key itself is in memory of Node, which overwrites it when its object is collected.
    forget: () => void salt.fill(0),
  }
}
