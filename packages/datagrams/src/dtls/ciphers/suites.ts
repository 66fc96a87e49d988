/** How records are sealed: the two ciphers that browsers have for it. */

import { CHACHA_SUITE } from './chacha.ts'
import { GCM_SUITE } from './gcm.ts'

/** Seals the records of one direction, each in its place. */
export type Cipher = {
  /** What a sealed body has before and behind what is sealed. */
  readonly frontBytes: number
  readonly tagBytes: number
  /** `header` is authenticated too, and stays readable. It begins with the number of the record, eight bytes that no other record has. */
  seal(header: Uint8Array, body: Uint8Array): void
  /** False: it was sealed with another key, or changed since. */
  unseal(header: Uint8Array, body: Uint8Array): boolean
}

export type CipherSuite = {
  readonly id: number
  readonly keyBytes: number
  readonly nonceBytes: number
  create(key: Uint8Array, nonce: Uint8Array): Cipher
}

/** The cheaper one first. Every client of WebRTC must have the second. */
export const SUITES: readonly CipherSuite[] = [CHACHA_SUITE, GCM_SUITE]
