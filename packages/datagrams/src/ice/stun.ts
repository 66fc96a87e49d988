/**
 * STUN (RFC 8489): the messages of ICE connectivity checks (RFC 8445, 7), which clients send and this end answers, and the binding request with which
 * this end asks a STUN server for its server-reflexive address.
 *
 *   message header       RFC 8489, 5          USERNAME           14.3
 *   short-term credential              9.1    MESSAGE-INTEGRITY  14.5
 *   XOR-MAPPED-ADDRESS                 14.2   FINGERPRINT        14.7
 *   USE-CANDIDATE        RFC 8445, 7.1.2
 *
 * A request without a valid MESSAGE-INTEGRITY gets no response, not even an error: the pwd went to one client over its socket, and nobody else is to get
 * an answer from the port.
 */

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { isIPv4, isIPv6 } from 'node:net'
import { crc32 } from '../crc.ts'

/** A transport address: IP address and port. */
export type Address = { readonly address: string; readonly port: number }

const MAGIC_COOKIE = 0x2112a442
const FINGERPRINT_XOR = 0x5354554e
const HEADER_BYTES = 20
const ATTRIBUTE_HEADER_BYTES = 4
const BINDING = { request: 0x0001, successResponse: 0x0101 } as const
const ATTRIBUTES = {
  username: 0x0006,
  messageIntegrity: 0x0008,
  xorMappedAddress: 0x0020,
  priority: 0x0024,
  useCandidate: 0x0025,
  fingerprint: 0x8028,
  iceControlling: 0x802a,
  /** RFC 5780, 7.6. */
  padding: 0x8026,
} as const
const FAMILY = { ipv4: 1, ipv6: 2 } as const
/** HMAC-SHA1. */
const INTEGRITY_BYTES = 20
const FINGERPRINT_BYTES = 4

/** STUN and DTLS share the port and are told apart by their first byte (RFC 7983, 7). */
export function isStun(packet: Uint8Array): boolean {
  return packet.length >= HEADER_BYTES && packet[0] < 4
}

export type BindingRequest = {
  readonly message: Buffer
  readonly transactionId: Buffer
  /** Our ufrag. A USERNAME is that of the receiver, a colon, and that of the sender (RFC 8445, 7.2.2). */
  readonly ufrag: string
  /** The client nominates the candidate pair of this check (RFC 8445, 8.1.1). */
  readonly hasUseCandidate: boolean
  /** Where the value of MESSAGE-INTEGRITY begins. */
  readonly integrityAt: number
}

/** Undefined for what is no binding request or has no MESSAGE-INTEGRITY. */
export function readBindingRequest(message: Buffer): BindingRequest | undefined {
  if (message.readUInt16BE(0) !== BINDING.request) return undefined
  let [nameAt, nameEnd, integrityAt, hasUseCandidate] = [-1, -1, -1, false]
  const isWellFormed = eachAttribute(message, (type, at, length) => {
    // Attributes after MESSAGE-INTEGRITY are not protected and must be ignored (14.5).
    if (integrityAt >= 0) return
    if (type === ATTRIBUTES.username) {
      // The first one counts (14). A packet has room for 370 of them.
      if (nameAt < 0) [nameAt, nameEnd] = [at, at + length]
    } else if (type === ATTRIBUTES.useCandidate) hasUseCandidate = true
    else if (type === ATTRIBUTES.messageIntegrity && length === INTEGRITY_BYTES) integrityAt = at
  })
  if (!isWellFormed || integrityAt < 0) return undefined
  const ufrag = nameAt < 0 ? '' : receiverOf(message.toString('latin1', nameAt, nameEnd))
  return { message, transactionId: message.subarray(8, HEADER_BYTES), ufrag, hasUseCandidate, integrityAt }
}

/** Of two halves; nobody is named by one alone. Whose the other is says nothing: both are signed with the pwd (RFC 8445, 7.3). */
function receiverOf(username: string): string {
  const [receiver, sender] = username.split(':', 2)
  return sender === undefined ? '' : receiver
}

/** Whether MESSAGE-INTEGRITY was computed with this pwd. */
export function hasIntegrity({ message, integrityAt }: BindingRequest, pwd: string): boolean {
  const covered = Buffer.from(message.subarray(0, integrityAt - ATTRIBUTE_HEADER_BYTES))
  // The length in the header counts up to the end of MESSAGE-INTEGRITY (14.5).
  covered.writeUInt16BE(integrityAt + INTEGRITY_BYTES - HEADER_BYTES, 2)
  return timingSafeEqual(hmac(covered, pwd), message.subarray(integrityAt, integrityAt + INTEGRITY_BYTES))
}

/** The binding success response: XOR-MAPPED-ADDRESS, MESSAGE-INTEGRITY, FINGERPRINT. */
export function bindingResponse({ transactionId }: BindingRequest, source: Address, pwd: string): Buffer {
  const message = Buffer.concat([
    header(BINDING.successResponse, transactionId),
    xorMappedAddress(source, transactionId),
  ])
  return signed(message, pwd)
}

/** A binding request for a STUN server, without attributes. */
export function createBindingRequest(): Buffer {
  return header(BINDING.request, randomBytes(12))
}

/**
 * A connectivity check, as a controlling client sends it (RFC 8445, 7.2.4), filled up to so many bytes with an attribute that receivers pass over: whether a packet
 * of that size gets through is seen by the response. `username` is the ufrag of the receiver, a colon, and that of the client.
 */
export function createCheck(username: string, pwd: string, bytes = 0, hasUseCandidate = false): Buffer {
  const user = Buffer.from(username)
  const named = attribute(ATTRIBUTES.username, Buffer.concat([user, Buffer.alloc(-user.length & 3)]))
  named.writeUInt16BE(user.length, 2)
  const role = [
    attribute(ATTRIBUTES.priority, Buffer.of(110, 0, 1, 255)),
    attribute(ATTRIBUTES.iceControlling, randomBytes(8)),
    ...(hasUseCandidate ? [attribute(ATTRIBUTES.useCandidate, Buffer.alloc(0))] : []),
  ]
  const bare = Buffer.concat([header(BINDING.request, randomBytes(12)), named, ...role])
  const missing = bytes - bare.length - 3 * ATTRIBUTE_HEADER_BYTES - INTEGRITY_BYTES - FINGERPRINT_BYTES
  const padding = attribute(ATTRIBUTES.padding, Buffer.alloc(Math.max(0, missing) & ~3))
  return signed(Buffer.concat([bare, padding]), pwd)
}

/** The message with MESSAGE-INTEGRITY and FINGERPRINT at its end. */
function signed(message: Buffer, pwd: string): Buffer {
  message.writeUInt16BE(message.length - HEADER_BYTES + ATTRIBUTE_HEADER_BYTES + INTEGRITY_BYTES, 2)
  const whole = Buffer.concat([message, attribute(ATTRIBUTES.messageIntegrity, hmac(message, pwd))])
  whole.writeUInt16BE(whole.length - HEADER_BYTES + ATTRIBUTE_HEADER_BYTES + FINGERPRINT_BYTES, 2)
  const fingerprint = Buffer.alloc(FINGERPRINT_BYTES)
  fingerprint.writeUInt32BE((crc32(whole) ^ FINGERPRINT_XOR) >>> 0)
  return Buffer.concat([whole, attribute(ATTRIBUTES.fingerprint, fingerprint)])
}

/** Whether a message is the success response to a check. Its MESSAGE-INTEGRITY is not looked at: who asks wants to know whether packets come back. */
export function isResponseTo(check: Buffer, message: Buffer): boolean {
  return message.readUInt16BE(0) === BINDING.successResponse && message.subarray(4, 20).equals(check.subarray(4, 20))
}

/** The IPv4 address in the success response to `request`; undefined for everything else. */
export function readMappedAddress(message: Buffer, request: Buffer): Address | undefined {
  const isResponse = message.readUInt16BE(0) === BINDING.successResponse
  // Magic cookie and transaction id.
  if (!isResponse || !message.subarray(4, HEADER_BYTES).equals(request.subarray(4))) return undefined
  let mapped: Address | undefined
  eachAttribute(message, (type, at, length) => {
    if (type !== ATTRIBUTES.xorMappedAddress || length < 8 || message[at + 1] !== FAMILY.ipv4) return
    const address = Array.from(message.subarray(at + 4, at + 8), (byte, i) => byte ^ message[4 + i]).join('.')
    mapped = { address, port: message.readUInt16BE(at + 2) ^ (MAGIC_COOKIE >>> 16) }
  })
  return mapped
}

/** Whether the header is right and the attributes fill the message. */
function eachAttribute(message: Buffer, take: (type: number, at: number, length: number) => void): boolean {
  if (message.readUInt16BE(2) !== message.length - HEADER_BYTES || message.readUInt32BE(4) !== MAGIC_COOKIE)
    return false
  let at = HEADER_BYTES
  while (at + ATTRIBUTE_HEADER_BYTES <= message.length) {
    const length = message.readUInt16BE(at + 2)
    const value = at + ATTRIBUTE_HEADER_BYTES
    if (value + length > message.length) return false
    take(message.readUInt16BE(at), value, length)
    at = value + ((length + 3) & ~3)
  }
  return at === message.length
}

function header(type: number, transactionId: Uint8Array): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES)
  bytes.writeUInt16BE(type, 0)
  bytes.writeUInt32BE(MAGIC_COOKIE, 4)
  bytes.set(transactionId, 8)
  return bytes
}

/** The value of every attribute of ours is a multiple of 4 bytes, so there is no padding. */
function attribute(type: number, value: Uint8Array): Buffer {
  const bytes = Buffer.alloc(ATTRIBUTE_HEADER_BYTES + value.length)
  bytes.writeUInt16BE(type, 0)
  bytes.writeUInt16BE(value.length, 2)
  bytes.set(value, ATTRIBUTE_HEADER_BYTES)
  return bytes
}

function xorMappedAddress({ address, port }: Address, transactionId: Uint8Array): Buffer {
  const octets = octetsOf(address)
  // Magic cookie and transaction id.
  const mask = header(0, transactionId).subarray(4)
  const value = Buffer.alloc(4 + octets.length)
  value[1] = octets.length === 4 ? FAMILY.ipv4 : FAMILY.ipv6
  value.writeUInt16BE(port ^ (MAGIC_COOKIE >>> 16), 2)
  octets.forEach((octet, i) => {
    value[4 + i] = octet ^ mask[i]
  })
  return attribute(ATTRIBUTES.xorMappedAddress, value)
}

/** Four or sixteen of them. An IPv4-mapped IPv6 address, as an IPv6 socket reports it, is one of IPv4. */
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

/** With short-term credentials the key is the pwd itself (RFC 8489, 9.1.1). */
function hmac(bytes: Uint8Array, pwd: string): Buffer {
  return createHmac('sha1', pwd).update(bytes).digest()
}
