/**
 * Records of DTLS 1.2 (RFC 6347): what a packet of the port consists of once a way is found. Those of the handshake are in the open, in epoch 0, all others
 * are sealed, in epoch 1. There is no third: keys are never changed.
 */

import type { Cipher } from './ciphers.ts'

export const RECORDS = { changeCipher: 20, alert: 21, handshake: 22, data: 23 } as const

const RECORD_HEADER_BYTES = 13
/** DTLS 1.2. A first message may say 1.0. */
const VERSION = 0xfefd
const OLD_VERSION = 0xfeff

/** One side of a connection. */
export type RecordLayer = {
  /** Undefined before the keys are known. */
  own: Cipher | undefined
  theirs: Cipher | undefined
  /** Numbers of the next record in epoch 0 and 1. */
  readonly next: [number, number]
  readonly seen: ReplayWindow
  readonly refused: RefusedRecords
}

/** Sealed records that were not taken: sealed with another key or changed, or not for the first time here. */
export type RefusedRecords = { forged: number; replayed: number }

export function createRecordLayer(refused: RefusedRecords): RecordLayer {
  return { own: undefined, theirs: undefined, next: [0, 0], seen: { newest: -1, recent: [0, 0] }, refused }
}

/** Which records have come: the newest, and the 64 up to it, each a bit. */
type ReplayWindow = { newest: number; readonly recent: [number, number] }

/** A record for the wire. In epoch 1 it is sealed. */
export function writeRecord(layer: RecordLayer, kind: number, epoch: 0 | 1, body: Uint8Array): Buffer {
  const cipher = epoch === 1 ? layer.own : undefined
  const [front, tag] = cipher === undefined ? [0, 0] : [cipher.frontBytes, cipher.tagBytes]
  const record = Buffer.allocUnsafe(RECORD_HEADER_BYTES + front + body.length + tag)
  record[0] = kind
  record.writeUInt16BE(VERSION, 1)
  record.writeUInt16BE(epoch, 3)
  record.writeUIntBE(layer.next[epoch]++, 5, 6)
  record.writeUInt16BE(front + body.length + tag, 11)
  record.set(body, RECORD_HEADER_BYTES + front)
  cipher?.seal(headerOf(record, body.length), record.subarray(RECORD_HEADER_BYTES))
  return record
}

/**
 * Hands out the records of a packet, opened, of those that are admitted. What is malformed, was sealed with another key, or came before, is passed over; so is a
 * sealed record that comes before the keys are known, because it is sent again.
 */
export function eachRecord(
  layer: RecordLayer,
  packet: Buffer,
  admits: (epoch: number, bytes: number) => boolean,
  take: (kind: number, epoch: number, body: Buffer) => void,
): void {
  for (let at = 0; at + RECORD_HEADER_BYTES <= packet.length; ) {
    const version = packet.readUInt16BE(at + 1)
    const epoch = packet.readUInt16BE(at + 3)
    const end = at + RECORD_HEADER_BYTES + packet.readUInt16BE(at + 11)
    if (end > packet.length || (version !== VERSION && version !== OLD_VERSION)) return
    if (epoch <= 1 && admits(epoch, end - at)) {
      const record = packet.subarray(at, end)
      const body = epoch === 0 ? record.subarray(RECORD_HEADER_BYTES) : open(layer, record)
      if (body !== undefined) take(record[0], epoch, body)
    }
    at = end
  }
}

function open({ theirs, seen, refused }: RecordLayer, record: Buffer): Buffer | undefined {
  if (theirs === undefined) return undefined
  const body = record.subarray(RECORD_HEADER_BYTES)
  const length = body.length - theirs.frontBytes - theirs.tagBytes
  const number = record.readUIntBE(5, 6)
  if (length < 0) return undefined
  if (wasSeen(seen, number)) {
    refused.replayed++
    return undefined
  }
  if (!theirs.unseal(headerOf(record, length), body)) {
    refused.forged++
    return undefined
  }
  noteSeen(seen, number)
  return body.subarray(theirs.frontBytes, theirs.frontBytes + length)
}

/** What is authenticated with a record: epoch and number, kind, version and length. */
const header = new Uint8Array(RECORD_HEADER_BYTES)

function headerOf(record: Buffer, length: number): Uint8Array {
  for (let i = 0; i < 8; i++) header[i] = record[3 + i]
  for (let i = 0; i < 3; i++) header[8 + i] = record[i]
  header[11] = length >>> 8
  header[12] = length & 0xff
  return header
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
