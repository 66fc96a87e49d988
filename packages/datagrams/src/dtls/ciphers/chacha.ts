/**
 * ChaCha20-Poly1305 (RFC 8439) as DTLS uses it (RFC 7905), the cipher that clients are asked to take.
 *
 * Node has it too, but there each small packet is an object and five calls into native code, which take ten times as long as the arithmetic
 * does here. It is made of additions, rotations and products only, so the time it takes says nothing about the key, as it would with
 * the tables of AES. The tests compare it with Node's.
 */

import type { Cipher, CipherSuite } from './suites.ts'

const TAG_BYTES = 16

export const CHACHA_SUITE: CipherSuite = { id: 0xcca9, keyBytes: 32, nonceBytes: 12, create: createChaCha }

function createChaCha(key: Uint8Array, nonce: Uint8Array): Cipher {
  const keyWords = wordsOf(key)
  const nonceWords = wordsOf(nonce)
  return {
    frontBytes: 0,
    tagBytes: TAG_BYTES,
    seal(header, body) {
      const end = body.length - TAG_BYTES
      takeNonce(nonceWords, header)
      applyStream(keyWords, body, end)
      computeTag(keyWords, header, body, end)
      body.set(tag, end)
    },
    unseal(header, body) {
      const end = body.length - TAG_BYTES
      takeNonce(nonceWords, header)
      computeTag(keyWords, header, body, end)
      let difference = 0
      for (let i = 0; i < TAG_BYTES; i++) difference |= tag[i] ^ body[end + i]
      if (difference !== 0) return false
      applyStream(keyWords, body, end)
      return true
    },
  }
}

// ChaCha20

const BLOCK_BYTES = 64
const [C0, C1, C2, C3] = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574]
/** The words of the nonce in use, and the block of the stream that was made last, as words and as bytes. */
let [nonce0, nonce1, nonce2] = [0, 0, 0]
const block = new Uint32Array(16)
const stream = new Uint8Array(block.buffer)
const work = new Int32Array(16)

/** The number of the record, with which `header` begins, makes each nonce another. */
function takeNonce(nonce: Uint32Array, header: Uint8Array): void {
  nonce0 = nonce[0]
  nonce1 = nonce[1] ^ wordAt(header, 0)
  nonce2 = nonce[2] ^ wordAt(header, 4)
}

function applyStream(key: Uint32Array, bytes: Uint8Array, end: number): void {
  for (let from = 0, counter = 1; from < end; from += BLOCK_BYTES, counter++) {
    makeBlock(key, counter)
    const length = Math.min(BLOCK_BYTES, end - from)
    for (let i = 0; i < length; i++) bytes[from + i] ^= stream[i]
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
    quarter(0, 4, 8, 12)
    quarter(1, 5, 9, 13)
    quarter(2, 6, 10, 14)
    quarter(3, 7, 11, 15)
    quarter(0, 5, 10, 15)
    quarter(1, 6, 11, 12)
    quarter(2, 7, 8, 13)
    quarter(3, 4, 9, 14)
  }
  for (let i = 0; i < 16; i++) block[i] += work[i]
}

function quarter(ia: number, ib: number, ic: number, id: number): void {
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

// Poly1305: numbers of 130 bits as six limbs of 22, whose products are exact in doubles.

const LIMBS = 6
const LIMB = 1 << 22
const LIMB_MASK = LIMB - 1
/** 2^132 in multiples of 2^130 − 5: what a product that runs over the last limb counts. */
const WRAP = 20
/** What the last limb holds of 130 bits: 2^20. */
const TOP = 1 << 20
const sum = new Float64Array(LIMBS)
/** The multiplier, behind itself times `WRAP`: the product for limb i takes six in a row, ending at 6 + i. */
const multiplier = new Float64Array(2 * LIMBS)
const product = new Float64Array(LIMBS)
const piece = new Uint8Array(16)
const tag = new Uint8Array(TAG_BYTES)

function computeTag(key: Uint32Array, header: Uint8Array, bytes: Uint8Array, end: number): void {
  makeBlock(key, 0)
  sum.fill(0)
  const w0 = block[0] & 0x0fffffff
  const w1 = block[1] & 0x0ffffffc
  const w2 = block[2] & 0x0ffffffc
  const w3 = block[3] & 0x0ffffffc
  multiplier[LIMBS] = w0 & LIMB_MASK
  multiplier[LIMBS + 1] = ((w0 >>> 22) | (w1 << 10)) & LIMB_MASK
  multiplier[LIMBS + 2] = ((w1 >>> 12) | (w2 << 20)) & LIMB_MASK
  multiplier[LIMBS + 3] = (w2 >>> 2) & LIMB_MASK
  multiplier[LIMBS + 4] = ((w2 >>> 24) | (w3 << 8)) & LIMB_MASK
  multiplier[LIMBS + 5] = w3 >>> 14
  for (let i = 0; i < LIMBS; i++) multiplier[i] = WRAP * multiplier[LIMBS + i]
  absorb(header, header.length)
  absorb(bytes, end)
  piece.fill(0)
  piece[0] = header.length
  piece[8] = end & 0xff
  piece[9] = end >>> 8
  absorb(piece, 16)
  finishTag()
}

/** Takes in so many bytes, filled up with zeros to whole pieces of sixteen. */
function absorb(bytes: Uint8Array, length: number): void {
  const whole = length & ~15
  for (let at = 0; at < whole; at += 16) absorbPiece(bytes, at)
  if (whole === length) return
  piece.fill(0)
  for (let i = whole; i < length; i++) piece[i - whole] = bytes[i]
  absorbPiece(piece, 0)
}

function absorbPiece(bytes: Uint8Array, at: number): void {
  const w0 = wordAt(bytes, at)
  const w1 = wordAt(bytes, at + 4)
  const w2 = wordAt(bytes, at + 8)
  const w3 = wordAt(bytes, at + 12)
  sum[0] += w0 & LIMB_MASK
  sum[1] += ((w0 >>> 22) | (w1 << 10)) & LIMB_MASK
  sum[2] += ((w1 >>> 12) | (w2 << 20)) & LIMB_MASK
  sum[3] += (w2 >>> 2) & LIMB_MASK
  sum[4] += ((w2 >>> 24) | (w3 << 8)) & LIMB_MASK
  // The bit that ends a piece: 2^128.
  sum[5] += (w3 >>> 14) + (1 << 18)
  let carry = 0
  for (let i = 0; i < LIMBS; i++) {
    let digit = carry
    for (let j = 0; j < LIMBS; j++) digit += sum[j] * multiplier[LIMBS + i - j]
    carry = Math.floor(digit / LIMB)
    product[i] = digit - carry * LIMB
  }
  product[0] += WRAP * carry
  carry = Math.floor(product[0] / LIMB)
  product[0] -= carry * LIMB
  product[1] += carry
  sum.set(product)
}

function finishTag(): void {
  // Twice, because what runs over 2^130 comes back at the front as five times itself.
  for (let pass = 0; pass < 2; pass++) {
    carryOn()
    const over = Math.floor(sum[5] / TOP)
    sum[5] -= over * TOP
    sum[0] += 5 * over
  }
  carryOn()
  // At least 2^130 − 5: five more run over, and what is left is the rest.
  product.set(sum)
  sum[0] += 5
  carryOn()
  if (sum[5] >= TOP) sum[5] -= TOP
  else sum.set(product)
  const words = [
    sum[0] | (sum[1] << 22),
    (sum[1] >>> 10) | (sum[2] << 12),
    (sum[2] >>> 20) | (sum[3] << 2) | (sum[4] << 24),
    (sum[4] >>> 8) | (sum[5] << 14),
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
    const carry = Math.floor(sum[i] / LIMB)
    sum[i] -= carry * LIMB
    sum[i + 1] += carry
  }
}

function wordsOf(bytes: Uint8Array): Uint32Array {
  return Uint32Array.from({ length: bytes.length >>> 2 }, (_, i) => wordAt(bytes, 4 * i))
}

function wordAt(bytes: Uint8Array, at: number): number {
  return bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)
}
