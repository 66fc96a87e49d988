/**
 * The record layer of DTLS 1.2 (RFC 6347, 4.1). Epoch 0 is the handshake, unprotected; epoch 1 is everything after ChangeCipherSpec. There is no epoch 2:
 * no renegotiation.
 *
 *   header              RFC 6347, 4.1      anti-replay window   RFC 6347, 4.1.2.6
 *   AEAD, additional data   RFC 5246, 6.2.3.3   invalid records are dropped   RFC 6347, 4.1.2.7
 */

import type { Aead } from './ciphers/suites.ts'

export const CONTENT_TYPE = { changeCipherSpec: 20, alert: 21, handshake: 22, applicationData: 23 } as const

const HEADER_BYTES = 13
const DTLS_1_2 = 0xfefd
/** What the record of a ClientHello may say (RFC 6347, 4.2.1). */
const DTLS_1_0 = 0xfeff
/** As many as RFC 6347 prefers. */
const WINDOW_RECORDS = 64

export type RecordLayer = {
  /** The write state and the read state of epoch 1 (RFC 5246, 6.1); undefined before the keys are known. */
  write: Aead | undefined
  read: Aead | undefined
  /** By epoch. */
  readonly nextSequenceNumber: [number, number]
  readonly replayWindow: ReplayWindow
  readonly refused: RefusedRecords
}

/** Protected records that were dropped: the tag is wrong, or the sequence number was received before or is left of the window. */
export type RefusedRecords = { forged: number; replayed: number }

/** The right edge of the window, and a bit for each sequence number from there to the left. */
type ReplayWindow = { rightEdge: number; readonly bitmap: [number, number] }

export function createRecordLayer(refused: RefusedRecords): RecordLayer {
  return {
    write: undefined,
    read: undefined,
    nextSequenceNumber: [0, 0],
    replayWindow: { rightEdge: -1, bitmap: [0, 0] },
    refused,
  }
}

/** A record, protected in epoch 1. */
export function writeRecord(layer: RecordLayer, contentType: number, epoch: 0 | 1, plaintext: Uint8Array): Buffer {
  const aead = epoch === 1 ? layer.write : undefined
  if (epoch === 1 && aead === undefined) throw new Error('There are no keys to protect a record with.')
  const [nonceBytes, tagBytes] = aead === undefined ? [0, 0] : [aead.explicitNonceBytes, aead.tagBytes]
  const record = Buffer.allocUnsafe(HEADER_BYTES + nonceBytes + plaintext.length + tagBytes)
  record[0] = contentType
  record.writeUInt16BE(DTLS_1_2, 1)
  record.writeUInt16BE(epoch, 3)
  record.writeUIntBE(layer.nextSequenceNumber[epoch]++, 5, 6)
  record.writeUInt16BE(nonceBytes + plaintext.length + tagBytes, 11)
  record.set(plaintext, HEADER_BYTES + nonceBytes)
  aead?.encrypt(additionalDataOf(record, plaintext.length), record.subarray(HEADER_BYTES))
  return record
}

/** Who decides what is decrypted. `ahead`: by how much a sequence number of epoch 1 is above the newest that was received. */
export type Gate = {
  /** No more protected records of this datagram are admitted, so that their headers need not be looked at. */
  isFull(): boolean
  admits(epoch: number, bytes: number, ahead: number): boolean
  /** A record of epoch 1 that was admitted has been decrypted, or could not be. */
  decrypted(isTrue: boolean, bytes: number, ahead: number): void
}

/**
 * Hands out the plaintext of each record of a datagram that `gate` admits. What is malformed, forged or replayed is dropped; so is a protected
 * record that comes before the keys are known, because its sender sends it again.
 */
export function eachRecord(
  layer: RecordLayer,
  datagram: Buffer,
  gate: Gate,
  take: (contentType: number, epoch: number, plaintext: Buffer, isNewest: boolean) => void,
): void {
  for (let at = 0; at + HEADER_BYTES <= datagram.length; ) {
    const version = datagram.readUInt16BE(at + 1)
    const epoch = datagram.readUInt16BE(at + 3)
    const end = at + HEADER_BYTES + datagram.readUInt16BE(at + 11)
    if (end > datagram.length) return
    if (epoch === 1 && gate.isFull()) {
      gate.admits(1, end - at, 0)
      at = end
      continue
    }
    const record = datagram.subarray(at, end)
    at = end
    if (version !== DTLS_1_2 && version !== DTLS_1_0) continue
    if (epoch === 0) {
      if (gate.admits(0, record.length, 0)) take(record[0], 0, record.subarray(HEADER_BYTES), false)
    } else if (epoch === 1) {
      const isNewest = record.readUIntBE(5, 6) > layer.replayWindow.rightEdge
      const plaintext = unprotect(layer, record, gate)
      if (plaintext !== undefined) take(record[0], 1, plaintext, isNewest)
    }
  }
}

function unprotect({ read, replayWindow, refused }: RecordLayer, record: Buffer, gate: Gate): Buffer | undefined {
  if (read === undefined) return undefined
  const fragment = record.subarray(HEADER_BYTES)
  const length = fragment.length - read.explicitNonceBytes - read.tagBytes
  const sequenceNumber = record.readUIntBE(5, 6)
  if (length < 0) return undefined
  if (isReplayed(replayWindow, sequenceNumber)) {
    refused.replayed++
    return undefined
  }
  const ahead = sequenceNumber - replayWindow.rightEdge
  if (!gate.admits(1, record.length, ahead)) return undefined
  const isTrue = read.decrypt(additionalDataOf(record, length), fragment)
  gate.decrypted(isTrue, record.length, ahead)
  if (!isTrue) {
    refused.forged++
    return undefined
  }
  // Only now: a forged record must not move the window.
  noteReceived(replayWindow, sequenceNumber)
  return fragment.subarray(read.explicitNonceBytes, read.explicitNonceBytes + length)
}

/** Overwrites the keys. Nothing can be read or written any more. */
export function forgetKeys(layer: RecordLayer): void {
  layer.read?.forget()
  layer.write?.forget()
  layer.read = undefined
  layer.write = undefined
}

const additionalData = new Uint8Array(HEADER_BYTES)

/** Epoch and sequence number, type, version, length of the plaintext. Used again for the next record. */
function additionalDataOf(record: Buffer, length: number): Uint8Array {
  for (let i = 0; i < 8; i++) additionalData[i] = record[3 + i]
  for (let i = 0; i < 3; i++) additionalData[8 + i] = record[i]
  additionalData[11] = length >>> 8
  additionalData[12] = length & 0xff
  return additionalData
}

function isReplayed({ rightEdge, bitmap }: ReplayWindow, sequenceNumber: number): boolean {
  const age = rightEdge - sequenceNumber
  if (age < 0) return false
  return age >= WINDOW_RECORDS || (bitmap[age >>> 5] & (1 << (age & 31))) !== 0
}

function noteReceived(window: ReplayWindow, sequenceNumber: number): void {
  const { bitmap } = window
  const ahead = sequenceNumber - window.rightEdge
  if (ahead > 0) {
    window.rightEdge = sequenceNumber
    if (ahead >= WINDOW_RECORDS) bitmap.fill(0)
    else if (ahead >= 32) {
      bitmap[1] = ahead === 32 ? bitmap[0] : bitmap[0] << (ahead - 32)
      bitmap[0] = 0
    } else {
      bitmap[1] = (bitmap[1] << ahead) | (bitmap[0] >>> (32 - ahead))
      bitmap[0] <<= ahead
    }
  }
  const age = window.rightEdge - sequenceNumber
  bitmap[age >>> 5] |= 1 << (age & 31)
}
