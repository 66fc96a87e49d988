/**
 * Packets of SCTP as bytes: the common header (RFC 9260, 3.1), chunks (3.2) and parameters (3.2.1), the CRC-32C (6.8).
 *
 *   chunks       RFC 9260, 3.3; RE-CONFIG   RFC 6525, 3.1; FORWARD TSN   RFC 3758, 3.2
 *   parameters   RFC 9260, 3.3.3.1, 3.3.5; RFC 6525, 4; Supported Extensions   RFC 5061, 4.2.7; Forward-TSN-Supported   RFC 3758, 3.1
 *   PPIDs        RFC 8831, 8
 *
 * One packet is written at a time, into the same memory: begin it, add chunks, finish it, hand it on.
 */

import { crc32c } from '../crc.ts'

export const CHUNK_TYPE = {
  data: 0,
  init: 1,
  initAck: 2,
  sack: 3,
  heartbeat: 4,
  heartbeatAck: 5,
  abort: 6,
  shutdown: 7,
  shutdownAck: 8,
  cookieEcho: 10,
  cookieAck: 11,
  reConfig: 130,
  forwardTsn: 192,
} as const

export const PARAMETER_TYPE = {
  heartbeatInfo: 1,
  stateCookie: 7,
  outgoingSsnResetRequest: 13,
  reConfigurationResponse: 16,
  supportedExtensions: 0x8008,
  forwardTsnSupported: 0xc000,
} as const

/** Payload protocol identifiers. */
export const PPID = { dcep: 50, binary: 53 } as const

/** The flags of a DATA chunk (3.3.1). */
export const DATA_FLAG = { ending: 1, beginning: 2, unordered: 4, immediate: 8 } as const
/** A whole user message in one chunk. */
export const UNFRAGMENTED: number = DATA_FLAG.beginning | DATA_FLAG.ending

export const COMMON_HEADER_BYTES = 12
export const CHUNK_HEADER_BYTES = 4
export const DATA_HEADER_BYTES = 16
/** As the answer says (RFC 8841, 5). Nothing looks at it: DTLS carries one association. */
const SCTP_PORT = 5000

/** The packet that is being written, and its length. Long enough for the longest message with all control chunks. */
export const outgoing: Buffer = Buffer.alloc(2048)
let length = 0

export function beginPacket(verificationTag: number): void {
  outgoing.writeUInt16BE(SCTP_PORT, 0)
  outgoing.writeUInt16BE(SCTP_PORT, 2)
  outgoing.writeUInt32BE(verificationTag, 4)
  outgoing.writeUInt32BE(0, 8)
  length = COMMON_HEADER_BYTES
}

/** Makes room for a chunk in `outgoing` and returns where its value begins. */
export function addChunk(type: number, flags: number, valueBytes: number): number {
  outgoing[length] = type
  outgoing[length + 1] = flags
  outgoing.writeUInt16BE(CHUNK_HEADER_BYTES + valueBytes, length + 2)
  const value = length + CHUNK_HEADER_BYTES
  length += padded(CHUNK_HEADER_BYTES + valueBytes)
  outgoing.fill(0, value + valueBytes, length)
  return value
}

/** The packet with its checksum. The next one takes its place. */
export function finishPacket(): Buffer {
  const packet = outgoing.subarray(0, length)
  packet.writeUInt32LE(crc32c(packet), 8)
  return packet
}

/** Whether the checksum is right, which was computed with zeros in its place. They are there afterwards. */
export function hasChecksum(packet: Buffer): boolean {
  const checksum = packet.readUInt32LE(8)
  packet.writeUInt32LE(0, 8)
  return crc32c(packet) === checksum
}

/** Hands out the chunks, each with its header, until one is malformed or `take` returns false. */
export function eachChunk(packet: Buffer, take: (type: number, chunk: Buffer) => boolean): void {
  for (let at = COMMON_HEADER_BYTES; at + CHUNK_HEADER_BYTES <= packet.length; ) {
    const chunkLength = packet.readUInt16BE(at + 2)
    if (chunkLength < CHUNK_HEADER_BYTES || at + chunkLength > packet.length) return
    if (!take(packet[at], packet.subarray(at, at + chunkLength))) return
    at += padded(chunkLength)
  }
}

export function parameter(type: number, value: Uint8Array): Buffer {
  const bytes = Buffer.alloc(4 + padded(value.length))
  bytes.writeUInt16BE(type, 0)
  bytes.writeUInt16BE(4 + value.length, 2)
  bytes.set(value, 4)
  return bytes
}

/** Chunks and parameters fill whole words. */
function padded(bytes: number): number {
  return (bytes + 3) & ~3
}
