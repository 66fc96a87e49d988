/** The cipher suites, both AEAD (RFC 5116; RFC 5246, 6.2.3.3) with ECDHE, ECDSA and SHA-256. */

import { CHACHA_SUITE } from './chacha.ts'
import { GCM_SUITE } from './gcm.ts'

/** Protects the records of one direction. Fragments are encrypted and decrypted in place. */
export type Aead = {
  /** A fragment is the explicit part of the nonce, the ciphertext and the tag. */
  readonly explicitNonceBytes: number
  readonly tagBytes: number
  /** `additionalData` is authenticated only. It begins with epoch and sequence number, eight bytes that no other record has. */
  encrypt(additionalData: Uint8Array, fragment: Uint8Array): void
  /** False: the tag is wrong, and the fragment is as it was. */
  decrypt(additionalData: Uint8Array, fragment: Uint8Array): boolean
  /** Overwrites the keys, as far as the language lets one. It is not used afterwards. */
  forget(): void
}

export type CipherSuite = {
  readonly id: number
  /** `enc_key_length` and `fixed_iv_length` of RFC 5246, 6.3. */
  readonly keyBytes: number
  readonly fixedIvBytes: number
  create(key: Uint8Array, fixedIv: Uint8Array): Aead
}

/** The cheaper one first. Every WebRTC client has the second (RFC 8827, 6.5). */
export const SUITES: readonly CipherSuite[] = [CHACHA_SUITE, GCM_SUITE]
