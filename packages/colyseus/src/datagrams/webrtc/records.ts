/**
 * Records of DTLS 1.2 (RFC 6347): what a packet of the port consists of once a way is found. Those of the handshake are in the open, in epoch 0, all others
 * are sealed, in epoch 1. There is no third: keys are never changed.
 */

import { type Sealer, seal, TAG_BYTES, unseal } from './aead.ts'

export const RECORDS = { changeCipher: 20, alert: 21, handshake: 22, data: 23 } as const

export const RECORD_HEADER_BYTES = 13
/** DTLS 1.2. A first message may say 1.0. */
const VERSION = 0xfefd
const OLD_VERSION = 0xfeff

/** One side of a connection. */
export type RecordLayer = {
  /** Undefined in epoch 0. */
  readonly sealers: { own: Sealer | undefined; theirs: Sealer | undefined }
  /** Numbers of the next record in epoch 0 and 1. */
  readonly next: [number, number]
  readonly seen: ReplayWindow
}

export function createRecordLayer(): RecordLayer {
  return { sealers: { own: undefined, theirs: undefined }, next: [0, 0], seen: { newest: -1, recent: [0, 0] } }
}

/** Which records have come: the newest, and the 64 up to it, each a bit. */
type ReplayWindow = { newest: number; readonly recent: [number, number] }

/** A record as a packet for the wire. `epoch` 1 is sealed. */
export function writeRecord(layer: RecordLayer, kind: number, epoch: 0 | 1, body: Uint8Array): Buffer {
  const tagBytes = epoch === 1 ? TAG_BYTES : 0
  const record = Buffer.allocUnsafe(RECORD_HEADER_BYTES + body.length + tagBytes)
  record[0] = kind
  record.writeUInt16BE(VERSION, 1)
  record.writeUInt16BE(epoch, 3)
  record.writeUIntBE(layer.next[epoch]++, 5, 6)
  record.writeUInt16BE(body.length + tagBytes, 11)
  record.set(body, RECORD_HEADER_BYTES)
  if (epoch === 1) {
    readHeader(record, 0, body.length)
    seal(layer.sealers.own!, header, record.subarray(RECORD_HEADER_BYTES))
  }
  return record
}

/**
 * Hands out the records of a packet, opened. What is malformed, sealed with another key, or came before, is passed over. A sealed record that comes
 * before the keys is passed over too; it is sent again.
 */
export function eachRecord(layer: RecordLayer, packet: Buffer, take: (kind: number, epoch: number, body: Buffer) => void): void {
  let at = 0
  while (at + RECORD_HEADER_BYTES <= packet.length) {
    const version = packet.readUInt16BE(at + 1)
    const epoch = packet.readUInt16BE(at + 3)
    const body = packet.subarray(at + RECORD_HEADER_BYTES, at + RECORD_HEADER_BYTES + packet.readUInt16BE(at + 11))
    if (body.length < packet.readUInt16BE(at + 11) || (version !== VERSION && version !== OLD_VERSION)) return
    const opened = epoch === 0 ? body : epoch === 1 ? open(layer, packet, at, body) : undefined
    if (opened !== undefined) take(packet[at], epoch, opened)
    at += RECORD_HEADER_BYTES + body.length
  }
}

function open({ sealers, seen }: RecordLayer, packet: Buffer, at: number, body: Buffer): Buffer | undefined {
  const number = packet.readUIntBE(at + 5, 6)
  const length = body.length - TAG_BYTES
  if (sealers.theirs === undefined || length < 0 || wasSeen(seen, number)) return undefined
  readHeader(packet, at, length)
  if (!unseal(sealers.theirs, header, body)) return undefined
  noteSeen(seen, number)
  return body.subarray(0, length)
}

/** What is authenticated with a record: epoch and number, kind, version and length. */
const header = new Uint8Array(RECORD_HEADER_BYTES)

function readHeader(record: Buffer, at: number, length: number): void {
  for (let i = 0; i < 8; i++) header[i] = record[at + 3 + i]
  for (let i = 0; i < 3; i++) header[8 + i] = record[at + i]
  header[11] = length >>> 8
  header[12] = length & 0xff
}

function wasSeen({ newest, recent }: ReplayWindow, number: number): boolean {
  const age = newest - number
  if (age < 0) return false
  return age >= 64 || (recent[age >>> 5] & (1 << (age & 31))) !== 0
}

function noteSeen(window: ReplayWindow, number: number): void {
  const { recent } = window
  const ahead = number - window.newest
  if (ahead > 0) {
    window.newest = number
    if (ahead >= 64) recent.fill(0)
    else if (ahead >= 32) {
      recent[1] = ahead === 32 ? recent[0] : recent[0] << (ahead - 32)
      recent[0] = 0
    } else {
      recent[1] = (recent[1] << ahead) | (recent[0] >>> (32 - ahead))
      recent[0] <<= ahead
    }
  }
  const age = window.newest - number
  recent[age >>> 5] |= 1 << (age & 31)
}
