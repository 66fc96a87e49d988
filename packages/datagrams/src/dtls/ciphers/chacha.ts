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
  addRounds()
}

/** Twenty rounds (2.3), added to `block`. Each word is a variable, which is three times as fast as words of an array. */
function addRounds(): void {
  let x0 = block[0] | 0
  let x1 = block[1] | 0
  let x2 = block[2] | 0
  let x3 = block[3] | 0
  let x4 = block[4] | 0
  let x5 = block[5] | 0
  let x6 = block[6] | 0
  let x7 = block[7] | 0
  let x8 = block[8] | 0
  let x9 = block[9] | 0
  let x10 = block[10] | 0
  let x11 = block[11] | 0
  let x12 = block[12] | 0
  let x13 = block[13] | 0
  let x14 = block[14] | 0
  let x15 = block[15] | 0
  for (let round = 0; round < 10; round++) {
    x12 = rotate(x12 ^ (x0 = (x0 + x4) | 0), 16)
    x4 = rotate(x4 ^ (x8 = (x8 + x12) | 0), 12)
    x12 = rotate(x12 ^ (x0 = (x0 + x4) | 0), 8)
    x4 = rotate(x4 ^ (x8 = (x8 + x12) | 0), 7)
    x13 = rotate(x13 ^ (x1 = (x1 + x5) | 0), 16)
    x5 = rotate(x5 ^ (x9 = (x9 + x13) | 0), 12)
    x13 = rotate(x13 ^ (x1 = (x1 + x5) | 0), 8)
    x5 = rotate(x5 ^ (x9 = (x9 + x13) | 0), 7)
    x14 = rotate(x14 ^ (x2 = (x2 + x6) | 0), 16)
    x6 = rotate(x6 ^ (x10 = (x10 + x14) | 0), 12)
    x14 = rotate(x14 ^ (x2 = (x2 + x6) | 0), 8)
    x6 = rotate(x6 ^ (x10 = (x10 + x14) | 0), 7)
    x15 = rotate(x15 ^ (x3 = (x3 + x7) | 0), 16)
    x7 = rotate(x7 ^ (x11 = (x11 + x15) | 0), 12)
    x15 = rotate(x15 ^ (x3 = (x3 + x7) | 0), 8)
    x7 = rotate(x7 ^ (x11 = (x11 + x15) | 0), 7)
    x15 = rotate(x15 ^ (x0 = (x0 + x5) | 0), 16)
    x5 = rotate(x5 ^ (x10 = (x10 + x15) | 0), 12)
    x15 = rotate(x15 ^ (x0 = (x0 + x5) | 0), 8)
    x5 = rotate(x5 ^ (x10 = (x10 + x15) | 0), 7)
    x12 = rotate(x12 ^ (x1 = (x1 + x6) | 0), 16)
    x6 = rotate(x6 ^ (x11 = (x11 + x12) | 0), 12)
    x12 = rotate(x12 ^ (x1 = (x1 + x6) | 0), 8)
    x6 = rotate(x6 ^ (x11 = (x11 + x12) | 0), 7)
    x13 = rotate(x13 ^ (x2 = (x2 + x7) | 0), 16)
    x7 = rotate(x7 ^ (x8 = (x8 + x13) | 0), 12)
    x13 = rotate(x13 ^ (x2 = (x2 + x7) | 0), 8)
    x7 = rotate(x7 ^ (x8 = (x8 + x13) | 0), 7)
    x14 = rotate(x14 ^ (x3 = (x3 + x4) | 0), 16)
    x4 = rotate(x4 ^ (x9 = (x9 + x14) | 0), 12)
    x14 = rotate(x14 ^ (x3 = (x3 + x4) | 0), 8)
    x4 = rotate(x4 ^ (x9 = (x9 + x14) | 0), 7)
  }
  block[0] += x0
  block[1] += x1
  block[2] += x2
  block[3] += x3
  block[4] += x4
  block[5] += x5
  block[6] += x6
  block[7] += x7
  block[8] += x8
  block[9] += x9
  block[10] += x10
  block[11] += x11
  block[12] += x12
  block[13] += x13
  block[14] += x14
  block[15] += x15
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits))
}

// Poly1305 (2.5): numbers of 130 bits as six limbs of 22, whose products are exact in doubles.

const LIMBS = 6
const LIMB = 1 << 22
const LIMB_MASK = LIMB - 1
const PER_LIMB = 1 / LIMB
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
  absorbBlocks(bytes, whole)
  if (whole === length) return
  lastBlock.fill(0)
  for (let i = whole; i < length; i++) lastBlock[i - whole] = bytes[i]
  absorbBlocks(lastBlock, 16)
}

/** The blocks up to `end`. Limbs are variables here, too. */
function absorbBlocks(bytes: Uint8Array, end: number): void {
  const r0 = r[LIMBS]
  const r1 = r[LIMBS + 1]
  const r2 = r[LIMBS + 2]
  const r3 = r[LIMBS + 3]
  const r4 = r[LIMBS + 4]
  const r5 = r[LIMBS + 5]
  const s1 = r[1]
  const s2 = r[2]
  const s3 = r[3]
  const s4 = r[4]
  const s5 = r[5]
  let h0 = accumulator[0]
  let h1 = accumulator[1]
  let h2 = accumulator[2]
  let h3 = accumulator[3]
  let h4 = accumulator[4]
  let h5 = accumulator[5]
  for (let at = 0; at < end; at += 16) {
    const w0 = wordAt(bytes, at)
    const w1 = wordAt(bytes, at + 4)
    const w2 = wordAt(bytes, at + 8)
    const w3 = wordAt(bytes, at + 12)
    const a0 = h0 + (w0 & LIMB_MASK)
    const a1 = h1 + (((w0 >>> 22) | (w1 << 10)) & LIMB_MASK)
    const a2 = h2 + (((w1 >>> 12) | (w2 << 20)) & LIMB_MASK)
    const a3 = h3 + ((w2 >>> 2) & LIMB_MASK)
    const a4 = h4 + (((w2 >>> 24) | (w3 << 8)) & LIMB_MASK)
    // The bit beyond the octets of the block: 2^128.
    const a5 = h5 + (w3 >>> 14) + (1 << 18)
    const d0 = a0 * r0 + a1 * s5 + a2 * s4 + a3 * s3 + a4 * s2 + a5 * s1
    const c0 = Math.floor(d0 * PER_LIMB)
    const d1 = a0 * r1 + a1 * r0 + a2 * s5 + a3 * s4 + a4 * s3 + a5 * s2 + c0
    const c1 = Math.floor(d1 * PER_LIMB)
    const d2 = a0 * r2 + a1 * r1 + a2 * r0 + a3 * s5 + a4 * s4 + a5 * s3 + c1
    const c2 = Math.floor(d2 * PER_LIMB)
    const d3 = a0 * r3 + a1 * r2 + a2 * r1 + a3 * r0 + a4 * s5 + a5 * s4 + c2
    const c3 = Math.floor(d3 * PER_LIMB)
    const d4 = a0 * r4 + a1 * r3 + a2 * r2 + a3 * r1 + a4 * r0 + a5 * s5 + c3
    const c4 = Math.floor(d4 * PER_LIMB)
    const d5 = a0 * r5 + a1 * r4 + a2 * r3 + a3 * r2 + a4 * r1 + a5 * r0 + c4
    const c5 = Math.floor(d5 * PER_LIMB)
    h0 = d0 - c0 * LIMB + WRAP * c5
    h2 = d2 - c2 * LIMB
    h3 = d3 - c3 * LIMB
    h4 = d4 - c4 * LIMB
    h5 = d5 - c5 * LIMB
    const carry = Math.floor(h0 * PER_LIMB)
    h0 -= carry * LIMB
    h1 = d1 - c1 * LIMB + carry
  }
  accumulator[0] = h0
  accumulator[1] = h1
  accumulator[2] = h2
  accumulator[3] = h3
  accumulator[4] = h4
  accumulator[5] = h5
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
