/**
 * Wycheproof's own vectors, which are on no registry: `git clone https://github.com/C2SP/wycheproof`, then
 * `HURTBOX_WYCHEPROOF=<folder> npx vitest run packages/datagrams/test/wycheproof.test.ts`. Edge cases of the same classes that are made here: oracles.test.ts.
 */

import { createECDH } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CHACHA_SUITE } from '../src/dtls/ciphers/chacha.ts'
import { GCM_SUITE } from '../src/dtls/ciphers/gcm.ts'
import { finishedOf } from './oracles.ts'
import { finishedByOurs, hex, isTakenByOurs, openByOurs } from './subjects.ts'

const folder = process.env.HURTBOX_WYCHEPROOF ?? ''
const isThere = folder !== '' && existsSync(join(folder, 'testvectors_v1'))

type Vector = Readonly<Record<string, string>> & {
  readonly tcId: number
  readonly result: 'valid' | 'invalid' | 'acceptable'
  readonly flags: string[]
}
type Group = {
  readonly tests: readonly Vector[]
  readonly ivSize: number
  readonly keySize: number
  readonly tagSize: number
  readonly publicKey: { readonly uncompressed: string }
}

function groupsOf(name: string): readonly Group[] {
  return JSON.parse(readFileSync(join(folder, 'testvectors_v1', `${name}_test.json`), 'utf8')).testGroups
}

test.runIf(isThere).each([
  ['chacha20_poly1305', CHACHA_SUITE],
  ['aes_gcm', GCM_SUITE],
] as const)('[DG152] Wycheproof: %s', (name, suite) => {
  const ours = groupsOf(name).filter(
    ({ ivSize, keySize, tagSize }) => ivSize === 96 && keySize === 8 * suite.keyBytes && tagSize === 128,
  )
  const wrong: number[] = []
  let tried = 0
  for (const { tests } of ours) {
    for (const { tcId, result, key, iv, aad, ct, tag, msg } of tests) {
      const sealed = { key: hex(key), iv: hex(iv), aad: hex(aad), ciphertext: hex(ct), tag: hex(tag) }
      const opened = openByOurs(suite, sealed)
      const isRight = result === 'valid' ? opened?.equals(hex(msg)) : opened === undefined
      tried++
      if (!isRight) wrong.push(tcId)
    }
  }
  console.log(`${name}: ${tried} vectors`)
  expect(tried).toBeGreaterThan(50)
  expect(wrong).toEqual([])
})

test.runIf(isThere)(
  '[DG152] Wycheproof: ECDH over P-256. A point must be in the uncompressed form, and is the shared secret’s',
  () => {
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
    console.log(`ecdh: ${tried} vectors`)
    expect(tried).toBeGreaterThan(300)
    expect(wrong).toEqual([])
  },
)

test.runIf(isThere)('[DG152] Wycheproof: ECDSA over P-256 with SHA-256', () => {
  const point = createECDH('prime256v1').generateKeys()
  const wrong: number[] = []
  let tried = 0
  for (const { tests, publicKey } of groupsOf('ecdsa_secp256r1_sha256')) {
    for (const { tcId, result, msg, sig } of tests) {
      const isTaken = isTakenByOurs(hex(publicKey.uncompressed), hex(msg), hex(sig), point)
      tried++
      if (isTaken !== (result === 'valid')) wrong.push(tcId)
    }
  }
  console.log(`ecdsa: ${tried} vectors`)
  expect(tried).toBeGreaterThan(400)
  expect(wrong).toEqual([])
})
