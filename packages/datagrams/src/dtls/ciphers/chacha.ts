/**
 * TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256 (RFC 7905, 2), the suite that is chosen where a client has it. Sections below are those of RFC 8439.
 *
 * Node has ChaCha20-Poly1305 too, but there each small packet is an object and five calls into native code, which take ten times as long as the
 * arithmetic does here. It is made of additions, rotations and products only, so the time it takes says nothing about the key, as it would
 * with the tables of AES. The tests compare it with Node's.
 */

import type { Aead, CipherSuite } from './suites.ts'

const TAG_BYTES = 16

export const CHACHA_SUITE: CipherSuite = { id: 0xcca9, keyBytes: 32, fixedIvBytes: 12, create: createChaCha }

/** AEAD_CHACHA20_POLY1305 (2.8). */
function createChaCha(key: Uint8Array, fixedIv: Uint8Array): Aead {
  const keyWords = wordsOf(key)
  const ivWords = wordsOf(fixedIv)
  return {
    explicitNonceBytes: 0,
    tagBytes: TAG_BYTES,
    encrypt(additionalData, fragment) {
      const end = fragment.length - TAG_BYTES
      setNonce(ivWords, additionalData)
      applyKeystream(keyWords, fragment, end)
      computeTag(keyWords, additionalData, fragment, end)
      fragment.set(tag, end)
    },
    decrypt(additionalData, fragment) {
      const end = fragment.length - TAG_BYTES
      setNonce(ivWords, additionalData)
      computeTag(keyWords, additionalData, fragment, end)
      let difference = 0
      for (let i = 0; i < TAG_BYTES; i++) difference |= tag[i] ^ fragment[end + i]
      if (difference !== 0) return false
      applyKeystream(keyWords, fragment, end)
      return true
    },
    forget() {
      keyWords.fill(0)
      ivWords.fill(0)
    },
  }
}

// ChaCha20 (2.1 to 2.4)

const BLOCK_BYTES = 64
const [C0, C1, C2, C3] = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574]
/** The words of the nonce in use, and the last block of the keystream, as words and as bytes. */
let [nonce0, nonce1, nonce2] = [0, 0, 0]
const block = new Uint32Array(16)
const keystream = new Uint8Array(block.buffer)
const work = new Int32Array(16)

/** The fixed IV, with epoch and sequence number added by XOR (RFC 7905, 2); the additional data begins with these. */
function setNonce(fixedIv: Uint32Array, additionalData: Uint8Array): void {
  nonce0 = fixedIv[0]
  nonce1 = fixedIv[1] ^ wordAt(additionalData, 0)
  nonce2 = fixedIv[2] ^ wordAt(additionalData, 4)
}

function applyKeystream(key: Uint32Array, bytes: Uint8Array, end: number): void {
  for (let from = 0, counter = 1; from < end; from += BLOCK_BYTES, counter++) {
    makeBlock(key, counter)
    const length = Math.min(BLOCK_BYTES, end - from)
    for (let i = 0; i < length; i++) bytes[from + i] ^= keystream[i]
  }
}

function makeBlock(key: Uint32Array, counter: number): void {
  block[0] = C0
  block[1] = C1
  block[2] = C2
  block[3] = C3
  for (let i = 0; i < 8; i++) block[4 + i] = key[i]
  block[12] = counter
  block[13] = nonce0
  block[14] = nonce1
  block[15] = nonce2
  work.set(block)
  for (let round = 0; round < 10; round++) {
    quarterRound(0, 4, 8, 12)
    quarterRound(1, 5, 9, 13)
    quarterRound(2, 6, 10, 14)
    quarterRound(3, 7, 11, 15)
    quarterRound(0, 5, 10, 15)
    quarterRound(1, 6, 11, 12)
    quarterRound(2, 7, 8, 13)
    quarterRound(3, 4, 9, 14)
  }
  for (let i = 0; i < 16; i++) block[i] += work[i]
}

function quarterRound(ia: number, ib: number, ic: number, id: number): void {
  let a = work[ia]
  let b = work[ib]
  let c = work[ic]
  let d = work[id]
  a = (a + b) | 0
  d ^= a
  d = (d << 16) | (d >>> 16)
  c = (c + d) | 0
  b ^= c
  b = (b << 12) | (b >>> 20)
  a = (a + b) | 0
  d ^= a
  d = (d << 8) | (d >>> 24)
  c = (c + d) | 0
  b ^= c
  b = (b << 7) | (b >>> 25)
  work[ia] = a
  work[ib] = b
  work[ic] = c
  work[id] = d
}

// Poly1305 (2.5): numbers of 130 bits as six limbs of 22, whose products are exact in doubles.

const LIMBS = 6
const LIMB = 1 << 22
const LIMB_MASK = LIMB - 1
/** 2^132 in multiples of 2^130 − 5: what a product that runs over the last limb counts. */
const WRAP = 20
/** What the last limb holds of 130 bits: 2^20. */
const TOP = 1 << 20
const accumulator = new Float64Array(LIMBS)
/** r, behind itself times `WRAP`: the product for limb i takes six in a row, ending at 6 + i. */
const r = new Float64Array(2 * LIMBS)
const product = new Float64Array(LIMBS)
const lastBlock = new Uint8Array(16)
const tag = new Uint8Array(TAG_BYTES)

/** Over the additional data, the ciphertext and the lengths of both (2.8), with a one-time key from block 0 of the keystream (2.6). */
function computeTag(key: Uint32Array, additionalData: Uint8Array, bytes: Uint8Array, end: number): void {
  makeBlock(key, 0)
  accumulator.fill(0)
  const w0 = block[0] & 0x0fffffff
  const w1 = block[1] & 0x0ffffffc
  const w2 = block[2] & 0x0ffffffc
  const w3 = block[3] & 0x0ffffffc
  r[LIMBS] = w0 & LIMB_MASK
  r[LIMBS + 1] = ((w0 >>> 22) | (w1 << 10)) & LIMB_MASK
  r[LIMBS + 2] = ((w1 >>> 12) | (w2 << 20)) & LIMB_MASK
  r[LIMBS + 3] = (w2 >>> 2) & LIMB_MASK
  r[LIMBS + 4] = ((w2 >>> 24) | (w3 << 8)) & LIMB_MASK
  r[LIMBS + 5] = w3 >>> 14
  for (let i = 0; i < LIMBS; i++) r[i] = WRAP * r[LIMBS + i]
  absorb(additionalData, additionalData.length)
  absorb(bytes, end)
  lastBlock.fill(0)
  lastBlock[0] = additionalData.length & 0xff
  lastBlock[1] = additionalData.length >>> 8
  lastBlock[8] = end & 0xff
  lastBlock[9] = end >>> 8
  absorb(lastBlock, 16)
  finishTag()
}

/** Takes in so many bytes, padded with zeros to whole blocks of sixteen. */
function absorb(bytes: Uint8Array, length: number): void {
  const whole = length & ~15
  for (let at = 0; at < whole; at += 16) absorbBlock(bytes, at)
  if (whole === length) return
  lastBlock.fill(0)
  for (let i = whole; i < length; i++) lastBlock[i - whole] = bytes[i]
  absorbBlock(lastBlock, 0)
}

function absorbBlock(bytes: Uint8Array, at: number): void {
  const w0 = wordAt(bytes, at)
  const w1 = wordAt(bytes, at + 4)
  const w2 = wordAt(bytes, at + 8)
  const w3 = wordAt(bytes, at + 12)
  accumulator[0] += w0 & LIMB_MASK
  accumulator[1] += ((w0 >>> 22) | (w1 << 10)) & LIMB_MASK
  accumulator[2] += ((w1 >>> 12) | (w2 << 20)) & LIMB_MASK
  accumulator[3] += (w2 >>> 2) & LIMB_MASK
  accumulator[4] += ((w2 >>> 24) | (w3 << 8)) & LIMB_MASK
  // The bit beyond the octets of the block: 2^128.
  accumulator[5] += (w3 >>> 14) + (1 << 18)
  let carry = 0
  for (let i = 0; i < LIMBS; i++) {
    let digit = carry
    for (let j = 0; j < LIMBS; j++) digit += accumulator[j] * r[LIMBS + i - j]
    carry = Math.floor(digit / LIMB)
    product[i] = digit - carry * LIMB
  }
  product[0] += WRAP * carry
  carry = Math.floor(product[0] / LIMB)
  product[0] -= carry * LIMB
  product[1] += carry
  accumulator.set(product)
}

function finishTag(): void {
  carryOn()
  // What runs over 2^130 comes back at the front as five times itself. What runs over again by that is less than 2^130 − 5 above it.
  const over = Math.floor(accumulator[5] / TOP)
  accumulator[5] -= over * TOP
  accumulator[0] += 5 * over
  carryOn()
  // At least 2^130 − 5: five more run over, and what is left is the rest.
  product.set(accumulator)
  accumulator[0] += 5
  carryOn()
  if (accumulator[5] >= TOP) accumulator[5] -= TOP
  else accumulator.set(product)
  const words = [
    accumulator[0] | (accumulator[1] << 22),
    (accumulator[1] >>> 10) | (accumulator[2] << 12),
    (accumulator[2] >>> 20) | (accumulator[3] << 2) | (accumulator[4] << 24),
    (accumulator[4] >>> 8) | (accumulator[5] << 14),
  ]
  let carry = 0
  for (let i = 0; i < 4; i++) {
    const word = (words[i] >>> 0) + block[4 + i] + carry
    carry = word > 0xffffffff ? 1 : 0
    for (let byte = 0; byte < 4; byte++) tag[4 * i + byte] = (word >>> (8 * byte)) & 0xff
  }
}

function carryOn(): void {
  for (let i = 0; i + 1 < LIMBS; i++) {
    const carry = Math.floor(accumulator[i] / LIMB)
    accumulator[i] -= carry * LIMB
    accumulator[i + 1] += carry
  }
}

function wordsOf(bytes: Uint8Array): Uint32Array {
  return Uint32Array.from({ length: bytes.length >>> 2 }, (_, i) => wordAt(bytes, 4 * i))
}

function wordAt(bytes: Uint8Array, at: number): number {
  return bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)
}
