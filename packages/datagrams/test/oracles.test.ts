/**
 * Edge cases of the classes that Wycheproof has, made here with a seed, and three who must agree: ours, @noble's in TypeScript, and Node's OpenSSL.
 *
 * Those of Poly1305 are computed backwards: from an accumulator, or a tag, that is at the edge, to the ciphertext that leads there.
 */

import {
  createCipheriv,
  createDecipheriv,
  createECDH,
  createPrivateKey,
  createPublicKey,
  sign,
  verify,
} from 'node:crypto'
import { gcm } from '@noble/ciphers/aes.js'
import { chacha20, chacha20poly1305 } from '@noble/ciphers/chacha.js'
import { p256 } from '@noble/curves/nist.js'
import { expect, test } from 'vitest'
import { createRandom, type Random } from '../../hurtbox/test/random.ts'
import { CHACHA_SUITE } from '../src/dtls/ciphers/chacha.ts'
import { GCM_SUITE } from '../src/dtls/ciphers/gcm.ts'
import { prf } from '../src/dtls/prf.ts'
import { expand, finishedOf } from './oracles.ts'
import { finishedByOurs, hex, isTakenByOurs, openByOurs, type Sealed } from './subjects.ts'

const bytesOf = (random: Random, length: number) =>
  Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)))
const pick = <T>(random: Random, all: readonly T[]): T => all[Math.floor(random() * all.length)]
const HEADER_BYTES = 13

// AEAD

type Algorithm = 'chacha20-poly1305' | 'aes-128-gcm'
const SUITES = { 'chacha20-poly1305': CHACHA_SUITE, 'aes-128-gcm': GCM_SUITE } as const

/** Plaintext, or undefined: refused. */
function openByNode(algorithm: Algorithm, { key, iv, aad, ciphertext, tag }: Sealed): Buffer | undefined {
  const decipher = createDecipheriv(algorithm as 'aes-128-gcm', key, iv, { authTagLength: 16 })
  decipher.setAAD(aad, { plaintextLength: ciphertext.length })
  decipher.setAuthTag(tag)
  const opened = decipher.update(ciphertext)
  try {
    decipher.final()
    return opened
  } catch {
    return undefined
  }
}

function openByNoble(algorithm: Algorithm, { key, iv, aad, ciphertext, tag }: Sealed): Buffer | undefined {
  const cipher = algorithm === 'aes-128-gcm' ? gcm(key, iv, aad) : chacha20poly1305(key, iv, aad)
  try {
    return Buffer.from(cipher.decrypt(Buffer.concat([ciphertext, tag])))
  } catch {
    return undefined
  }
}

/** All three say the same; returns what. */
function openByAll(algorithm: Algorithm, sealed: Sealed, what: string): Buffer | undefined {
  const [ours, node, noble] = [
    openByOurs(SUITES[algorithm], sealed),
    openByNode(algorithm, sealed),
    openByNoble(algorithm, sealed),
  ].map((opened) => opened?.toString('hex') ?? 'refused')
  if (ours !== node || ours !== noble)
    expect.unreachable(`${what}: ours ${ours.slice(0, 40)}, Node ${node.slice(0, 40)}, noble ${noble.slice(0, 40)}`)
  return ours === 'refused' ? undefined : Buffer.from(ours, 'hex')
}

test.each(['chacha20-poly1305', 'aes-128-gcm'] as const)(
  '[DG153] three agree on records with extreme keys, nonces, numbers and lengths, and refuse what was changed: %s',
  (algorithm) => {
    let refused = 0
    for (let seed = 1; seed <= 400; seed++) {
      const random = createRandom(seed)
      const extreme = (length: number) =>
        pick(random, [
          () => Buffer.alloc(length),
          () => Buffer.alloc(length, 0xff),
          () => Buffer.alloc(length, 0x80),
          () => bytesOf(random, length),
        ])()
      const key = extreme(SUITES[algorithm].keyBytes)
      const [iv, aad] = [extreme(12), extreme(HEADER_BYTES)]
      const length = pick(
        random,
        [0, 1, 15, 16, 17, 31, 32, 63, 64, 65, 127, 128, 255, 256, 1_023, 1_100, 1_487, 16_384],
      )
      const cipher = createCipheriv(algorithm as 'aes-128-gcm', key, iv, { authTagLength: 16 })
      cipher.setAAD(aad, { plaintextLength: length })
      const plaintext = extreme(length)
      const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()])
      const sealed = { key, iv, aad, ciphertext, tag: cipher.getAuthTag() }
      if (!openByAll(algorithm, sealed, `seed ${seed}`)?.equals(plaintext))
        expect.unreachable(`seed ${seed} is not opened`)
      const changed = {
        ...sealed,
        tag: Buffer.from(sealed.tag),
        aad: Buffer.from(aad),
        ciphertext: Buffer.from(ciphertext),
      }
      const part = pick(random, [changed.tag, changed.aad, length === 0 ? changed.tag : changed.ciphertext])
      if (random() < 0.2) changed.tag = pick(random, [Buffer.alloc(16), Buffer.alloc(16, 0xff)])
      else part[Math.floor(random() * part.length)] ^= 1 << Math.floor(random() * 8)
      if (openByAll(algorithm, changed, `seed ${seed}, changed`) === undefined) refused++
    }
    expect(refused).toBe(400)
  },
)

const P130 = 2n ** 130n - 5n
const toNumber = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex') || '0'}`)
const toBytes = (value: bigint) => Buffer.from(value.toString(16).padStart(32, '0'), 'hex').reverse()
const mod = (value: bigint) => ((value % P130) + P130) % P130

function inverse(value: bigint): bigint {
  let [a, b, x, y] = [mod(value), P130, 1n, 0n]
  while (a > 1n) [a, b, x, y] = [b % a, a, y - (b / a) * x, x]
  return mod(x)
}

/** Accumulators in which carries run furthest or not at all, whatever the size of the limbs. */
const ACCUMULATORS: readonly bigint[] = [
  ...[0n, 1n, 2n, 3n, 4n, 5n, 6n],
  ...[1n, 2n, 3n, 4n, 5n, 6n].map((below) => P130 - below),
  ...[22n, 26n, 32n, 44n, 51n, 64n, 66n, 88n, 96n, 104n, 110n, 128n, 129n].flatMap((bits) => [
    2n ** bits - 1n,
    2n ** bits,
    P130 - 2n ** bits,
  ]),
]

/** A ciphertext of three blocks behind which, with its lengths, the accumulator is this one; undefined where the random blocks do not allow it. */
function ciphertextFor(target: bigint, r: bigint, aad: Buffer, random: Random): Buffer | undefined {
  const [first, second] = [bytesOf(random, 16), bytesOf(random, 16)]
  const blocks = [Buffer.concat([aad, Buffer.alloc(-aad.length & 15)]), first, second]
  const behind = blocks.reduce((sum, block) => mod((sum + toNumber(block) + 2n ** 128n) * r), 0n)
  const lengths = BigInt(aad.length) + 48n * 2n ** 64n + 2n ** 128n
  const back = inverse(r)
  const last = mod(mod(target * back - lengths) * back - behind - 2n ** 128n)
  return last < 2n ** 128n ? Buffer.concat([first, second, toBytes(last)]) : undefined
}

test('[DG154] three agree where the accumulator of Poly1305 is at an edge, and where the tag is', () => {
  const aad = Buffer.from('header of 13b')
  let made = 0
  for (let seed = 1; seed <= 30; seed++) {
    const random = createRandom(seed)
    const [key, iv] = [bytesOf(random, 32), bytesOf(random, 12)]
    const oneTimeKey = Buffer.from(chacha20(key, iv, new Uint8Array(32)))
    const r = toNumber(oneTimeKey.subarray(0, 16)) & 0x0ffffffc0ffffffc0ffffffc0fffffffn
    const s = toNumber(oneTimeKey.subarray(16))
    // A tag is the accumulator plus s, in 128 bits.
    const tags = [0n, 1n, 2n ** 128n - 1n, 2n ** 127n, 2n ** 64n, 2n ** 32n - 1n].map(
      (tag) => (tag - s + 2n ** 128n) % 2n ** 128n,
    )
    for (const target of [...ACCUMULATORS, ...tags]) {
      let ciphertext: Buffer | undefined
      for (let tries = 0; tries < 40 && ciphertext === undefined; tries++)
        ciphertext = ciphertextFor(mod(target), r, aad, random)
      if (ciphertext === undefined) continue
      const tag = toBytes((mod(target) + s) % 2n ** 128n)
      const what = `seed ${seed}, accumulator ${target.toString(16)}`
      if (openByAll('chacha20-poly1305', { key, iv, aad, ciphertext, tag }, what) === undefined)
        expect.unreachable(`${what} is refused`)
      const wrong = toBytes((toNumber(tag) + pick(random, [1n, 5n, 2n ** 128n - 5n, 2n ** 64n])) % 2n ** 128n)
      if (openByAll('chacha20-poly1305', { key, iv, aad, ciphertext, tag: wrong }, `${what}, wrong tag`) !== undefined)
        expect.unreachable(`${what} is opened with another tag`)
      made++
    }
  }
  expect(made).toBeGreaterThan(30 * ACCUMULATORS.length)
})

// The key exchange

const { Point } = p256
const ORDER = Point.CURVE().n
const FIELD = Point.CURVE().p
const scalar = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex')

/** A point with this x, or the next one there is. */
function pointAt(x: bigint): Buffer {
  for (let at = x; ; at++) {
    try {
      return Buffer.from(Point.fromHex(`02${at.toString(16).padStart(64, '0')}`).toBytes(false))
    } catch {
      // Half of all numbers are no x.
    }
  }
}

test('[DG155] three agree on shared secrets of edge points and keys, and ours makes the right Finished of each', () => {
  const random = createRandom(5)
  const xs = [
    0n,
    1n,
    2n ** 32n - 1n,
    2n ** 64n,
    2n ** 96n - 1n,
    2n ** 128n,
    2n ** 192n - 1n,
    2n ** 224n,
    2n ** 255n,
    FIELD - 2n ** 200n,
    FIELD - 200n,
  ]
  const points = [...xs.map(pointAt), ...Array.from({ length: 5 }, () => pointAt(toNumber(bytesOf(random, 31))))]
  const keys = [
    1n,
    2n,
    3n,
    2n ** 128n,
    2n ** 255n,
    ORDER / 2n,
    ORDER - 2n,
    ORDER - 1n,
    toNumber(bytesOf(random, 31)),
  ].map(scalar)
  let withZeros = 0
  for (const point of points) {
    for (const key of keys) {
      const ecdh = createECDH('prime256v1')
      ecdh.setPrivateKey(key)
      const byNode = ecdh.computeSecret(point)
      const byNoble = Buffer.from(p256.getSharedSecret(key, point, true).subarray(1))
      expect(byNode).toEqual(byNoble)
      expect(finishedByOurs(key, point), `${point.toString('hex')} by ${key.toString('hex')}`).toEqual(
        finishedOf(byNoble),
      )
      // Zeros at the front are part of the secret (RFC 8422, 5.10).
      if (byNoble[0] === 0) withZeros++
    }
  }
  expect(withZeros).toBeGreaterThan(1)
})

// Signatures

const derInteger = (value: bigint) => {
  const text = value.toString(16)
  const bytes = hex(text.length % 2 === 0 ? text : `0${text}`)
  const positive = bytes[0] >= 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes
  return Buffer.concat([Buffer.of(2, positive.length), positive])
}
const derSequence = (...parts: readonly Buffer[]) => {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.of(0x30, body.length), body])
}
const signatureOf = (r: bigint, s: bigint) => derSequence(derInteger(r), derInteger(s))

test('[DG156] three agree on which signatures hold, those at the edges among them', () => {
  const clientPoint = pointAt(1n)
  const counts = { taken: 0, refused: 0 }
  for (let seed = 1; seed <= 25; seed++) {
    const random = createRandom(seed)
    const secret = scalar((toNumber(bytesOf(random, 32)) % (ORDER - 1n)) + 1n)
    const publicPoint = Buffer.from(p256.getPublicKey(secret, false))
    const [x, y] = [publicPoint.subarray(1, 33), publicPoint.subarray(33)].map((part) => part.toString('base64url'))
    const jwk = { kty: 'EC', crv: 'P-256', x, y, d: secret.toString('base64url') }
    const message = bytesOf(random, Math.floor(random() * 200))
    const right = sign('sha256', message, createPrivateKey({ key: jwk, format: 'jwk' }))
    const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
    const { r, s } = p256.Signature.fromBytes(right, 'der')
    const cases: Readonly<Record<string, Buffer>> = {
      right,
      // The other of the two, which holds too.
      'the order less s': signatureOf(r, ORDER - s),
      's of another': signatureOf(r, (s + 1n) % ORDER),
      'r and s changed over': signatureOf(s, r),
      'r plus the order': signatureOf(r + ORDER, s),
      's plus the order': signatureOf(r, s + ORDER),
      'r less the order': derSequence(
        Buffer.concat([Buffer.of(2, 33, 0xff), scalar(2n ** 256n - (ORDER - r))]),
        derInteger(s),
      ),
      'r is 0': signatureOf(0n, s),
      's is 0': signatureOf(r, 0n),
      'both 1': signatureOf(1n, 1n),
      'both the order less 1': signatureOf(ORDER - 1n, ORDER - 1n),
      'the field': signatureOf(FIELD, FIELD),
      'a zero more at the front': derSequence(
        Buffer.concat([Buffer.of(2, derInteger(r)[1] + 1, 0), derInteger(r).subarray(2)]),
        derInteger(s),
      ),
      'a byte behind': Buffer.concat([right, Buffer.of(0)]),
      'a third number': derSequence(derInteger(r), derInteger(s), derInteger(1n)),
      'of no definite length': Buffer.concat([Buffer.of(0x30, 0x80), right.subarray(2), Buffer.alloc(2)]),
      'a length in the long form': Buffer.concat([Buffer.of(0x30, 0x81), right.subarray(1)]),
    }
    for (const [name, signature] of Object.entries(cases)) {
      const ours = isTakenByOurs(publicPoint, message, signature, clientPoint)
      const byNode = verify('sha256', message, publicKey, signature)
      let byNoble = false
      try {
        byNoble = p256.verify(signature, message, publicPoint, { format: 'der', lowS: false })
      } catch {
        // It is not read.
      }
      const isExpected = name === 'right' || name === 'the order less s'
      if (ours !== isExpected || byNode !== isExpected || byNoble !== isExpected)
        expect.unreachable(`seed ${seed}, ${name}: ours ${ours}, Node ${byNode}, noble ${byNoble}`)
      counts[ours ? 'taken' : 'refused']++
    }
  }
  expect(counts).toEqual({ taken: 2 * 25, refused: 25 * 15 })
})

test('[DG157] the PRF is that of its definition, for secrets, labels and lengths at the edges', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const random = createRandom(seed)
    const secret = bytesOf(random, pick(random, [0, 1, 31, 32, 48, 63, 64, 65, 200]))
    const label = pick(random, ['extended master secret', 'key expansion', 'client finished', ''])
    const [bytes, length] = [
      bytesOf(random, pick(random, [0, 32, 64])),
      pick(random, [0, 1, 12, 31, 32, 33, 40, 48, 88, 100, 256]),
    ]
    expect(prf(secret, label, bytes, length), `seed ${seed}`).toEqual(expand(secret, label, bytes, length))
  }
})
