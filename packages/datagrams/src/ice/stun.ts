/**
 * STUN (RFC 8489), as far as a server of data channels needs it: it answers the questions with which clients look for a way (ICE, RFC 8445, its
 * "lite" side, which asks nobody), and asks a STUN server how it is seen from outside.
 *
 * A question is answered only when it is signed with the password that its client got over the socket, so nobody else gets an answer.
 */

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { isIPv4, isIPv6 } from 'node:net'
import { crc32 } from '../crc.ts'

export type Address = { readonly address: string; readonly port: number }

const MAGIC = 0x2112a442
const FINGERPRINT_MASK = 0x5354554e
const HEADER_BYTES = 20
const BINDING = { request: 0x0001, answer: 0x0101 } as const
const ATTRIBUTES = {
  username: 0x0006,
  integrity: 0x0008,
  xorMappedAddress: 0x0020,
  useCandidate: 0x0025,
  fingerprint: 0x8028,
} as const
const INTEGRITY_BYTES = 20

/** STUN, DTLS and other things share the port; their first bytes differ (RFC 7983). */
export function isStun(bytes: Uint8Array): boolean {
  return bytes.length >= HEADER_BYTES && bytes[0] < 4
}

export type Question = {
  readonly bytes: Buffer
  readonly transaction: Buffer
  /** Whom it is for: our half of the names that the two sides gave each other. */
  readonly name: string
  /** The client has chosen the way on which this came. */
  readonly isChosen: boolean
  /** Where the signature stands. */
  readonly integrityAt: number
}

/** Undefined for what is no question, or is not signed. */
export function readQuestion(bytes: Buffer): Question | undefined {
  if (bytes.readUInt16BE(0) !== BINDING.request) return undefined
  let [name, integrityAt, isChosen] = ['', -1, false]
  const isWhole = eachAttribute(bytes, (kind, at, length) => {
    // What stands behind the signature is not signed.
    if (integrityAt >= 0) return
    if (kind === ATTRIBUTES.username) name = bytes.toString('latin1', at, at + length).split(':')[0]
    else if (kind === ATTRIBUTES.useCandidate) isChosen = true
    else if (kind === ATTRIBUTES.integrity && length === INTEGRITY_BYTES) integrityAt = at
  })
  if (!isWhole || integrityAt < 0) return undefined
  return { bytes, transaction: bytes.subarray(8, HEADER_BYTES), name, isChosen, integrityAt }
}

export function isSigned({ bytes, integrityAt }: Question, password: string): boolean {
  const signed = Buffer.from(bytes.subarray(0, integrityAt - 4))
  // The length that is signed ends with the signature.
  signed.writeUInt16BE(integrityAt + INTEGRITY_BYTES - HEADER_BYTES, 2)
  return timingSafeEqual(sign(signed, password), bytes.subarray(integrityAt, integrityAt + INTEGRITY_BYTES))
}

/** The answer says where the question came from. */
export function answerTo({ transaction }: Question, from: Address, password: string): Buffer {
  const answer = Buffer.concat([header(BINDING.answer, transaction), mappedAddress(from, transaction)])
  answer.writeUInt16BE(answer.length - HEADER_BYTES + 4 + INTEGRITY_BYTES, 2)
  const signed = Buffer.concat([answer, attribute(ATTRIBUTES.integrity, sign(answer, password))])
  signed.writeUInt16BE(signed.length - HEADER_BYTES + 8, 2)
  const fingerprint = Buffer.alloc(4)
  fingerprint.writeUInt32BE((crc32(signed) ^ FINGERPRINT_MASK) >>> 0)
  return Buffer.concat([signed, attribute(ATTRIBUTES.fingerprint, fingerprint)])
}

/** Asks a STUN server for the address that it sees. */
export function createQuestion(): Buffer {
  return header(BINDING.request, randomBytes(12))
}

/** The address in the answer to `question`; undefined for everything else. */
export function readSeenAddress(bytes: Buffer, question: Buffer): Address | undefined {
  if (bytes.readUInt16BE(0) !== BINDING.answer || !bytes.subarray(4, HEADER_BYTES).equals(question.subarray(4)))
    return undefined
  let seen: Address | undefined
  eachAttribute(bytes, (kind, at, length) => {
    if (kind !== ATTRIBUTES.xorMappedAddress || length < 8 || bytes[at + 1] !== 1) return
    const address = Array.from(bytes.subarray(at + 4, at + 8), (byte, i) => byte ^ bytes[4 + i]).join('.')
    seen = { address, port: bytes.readUInt16BE(at + 2) ^ (MAGIC >>> 16) }
  })
  return seen
}

/** Whether the attributes fill the message. */
function eachAttribute(bytes: Buffer, take: (kind: number, at: number, length: number) => void): boolean {
  if (bytes.readUInt16BE(2) !== bytes.length - HEADER_BYTES || bytes.readUInt32BE(4) !== MAGIC) return false
  let at = HEADER_BYTES
  while (at + 4 <= bytes.length) {
    const length = bytes.readUInt16BE(at + 2)
    if (at + 4 + length > bytes.length) return false
    take(bytes.readUInt16BE(at), at + 4, length)
    at += 4 + ((length + 3) & ~3)
  }
  return at === bytes.length
}

function header(kind: number, transaction: Uint8Array): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES)
  bytes.writeUInt16BE(kind, 0)
  bytes.writeUInt32BE(MAGIC, 4)
  bytes.set(transaction, 8)
  return bytes
}

/** `value` fills whole words. */
function attribute(kind: number, value: Uint8Array): Buffer {
  const bytes = Buffer.alloc(4 + value.length)
  bytes.writeUInt16BE(kind, 0)
  bytes.writeUInt16BE(value.length, 2)
  bytes.set(value, 4)
  return bytes
}

function mappedAddress({ address, port }: Address, transaction: Uint8Array): Buffer {
  const octets = octetsOf(address)
  const mask = Buffer.concat([header(0, transaction).subarray(4)])
  const value = Buffer.alloc(4 + octets.length)
  value[1] = octets.length === 4 ? 1 : 2
  value.writeUInt16BE(port ^ (MAGIC >>> 16), 2)
  octets.forEach((octet, i) => {
    value[4 + i] = octet ^ mask[i]
  })
  return attribute(ATTRIBUTES.xorMappedAddress, value)
}

/** Four or sixteen of them. An address of IPv4 that came through a socket of IPv6 is one of IPv4. */
export function octetsOf(address: string): readonly number[] {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '')
  if (isIPv4(plain)) return plain.split('.').map(Number)
  if (!isIPv6(plain)) throw new Error(`"${address}" is no IP address.`)
  const [front, back] = plain.split('::').map((part) => part.split(':').filter((group) => group !== ''))
  const zeros = back === undefined ? [] : Array<string>(8 - front.length - back.length).fill('0')
  return [...front, ...zeros, ...(back ?? [])].flatMap((group) => {
    const value = Number.parseInt(group, 16)
    return [value >>> 8, value & 0xff]
  })
}

function sign(bytes: Uint8Array, password: string): Buffer {
  return createHmac('sha1', password).update(bytes).digest()
}
