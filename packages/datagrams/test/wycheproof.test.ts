/** Wycheproof's own vectors, which are in the folder beside. Edge cases of the same classes that are made here: oracles.test.ts. */

import { createECDH } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CHACHA_SUITE } from '../src/dtls/ciphers/chacha.ts'
import { GCM_SUITE } from '../src/dtls/ciphers/gcm.ts'
import { finishedOf } from './oracles.ts'
import { finishedByOurs, hex, isTakenByOurs, openByOurs } from './subjects.ts'

type Vector = Readonly<Record<string, string>> & {
  readonly tcId: number
  readonly result: 'valid' | 'invalid' | 'acceptable'
}
type Group = { readonly publicKey: string; readonly tests: readonly Vector[] }

function groupsOf(name: string): readonly Group[] {
  const lines = readFileSync(new URL(`wycheproof/${name}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
  return lines.map((line) => JSON.parse(line))
}

test.each([
  ['chacha20_poly1305', CHACHA_SUITE, 316],
  ['aes_gcm', GCM_SUITE, 67],
] as const)('[DG152] Wycheproof: %s', (name, suite, count) => {
  const wrong: number[] = []
  let tried = 0
  for (const { tests } of groupsOf(name)) {
    for (const { tcId, result, key, iv, aad, ct, tag, msg } of tests) {
      const sealed = { key: hex(key), iv: hex(iv), aad: hex(aad), ciphertext: hex(ct), tag: hex(tag) }
      const opened = openByOurs(suite, sealed)
      const isRight = result === 'valid' ? opened?.equals(hex(msg)) : opened === undefined
      tried++
      if (!isRight) wrong.push(tcId)
    }
  }
  expect(tried).toBe(count)
  expect(wrong).toEqual([])
})

test('[DG152] Wycheproof: ECDH over P-256. A point must be in the uncompressed form, and is the shared secret’s', () => {
  const wrong: number[] = []
  let tried = 0
  for (const { tests } of groupsOf('ecdh_secp256r1_ecpoint')) {
    for (const vector of tests) {
      const point = hex(vector.public)
      // Numbers of up to 33 bytes.
      const privateKey = hex(vector.private.padStart(64, '0').slice(-64))
      let finished: Buffer | undefined
      try {
        finished = finishedByOurs(privateKey, point)
      } catch {
        // No point.
      }
      const isValid = vector.result === 'valid' && point[0] === 4
      const isRight = isValid ? finished?.equals(finishedOf(hex(vector.shared))) : finished === undefined
      tried++
      if (!isRight) wrong.push(vector.tcId)
    }
  }
  expect(tried).toBe(355)
  expect(wrong).toEqual([])
})

test('[DG152] Wycheproof: ECDSA over P-256 with SHA-256', () => {
  const point = createECDH('prime256v1').generateKeys()
  const wrong: number[] = []
  let tried = 0
  for (const { tests, publicKey } of groupsOf('ecdsa_secp256r1_sha256')) {
    for (const { tcId, result, msg, sig } of tests) {
      const isTaken = isTakenByOurs(hex(publicKey), hex(msg), hex(sig), point)
      tried++
      if (isTaken !== (result === 'valid')) wrong.push(tcId)
    }
  }
  expect(tried).toBe(484)
  expect(wrong).toEqual([])
})
