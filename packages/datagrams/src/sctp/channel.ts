/**
 * The data channel of an association (RFC 8831), opened by the client with DCEP (RFC 8832): DATA_CHANNEL_OPEN, which is answered by DATA_CHANNEL_ACK. There
 * is one channel; its label and options are not read, since all messages of ours are unordered and sent once.
 */

import { beginPacket, DATA_FLAG, DATA_HEADER_BYTES, finishPacket, PPID, UNFRAGMENTED } from './packet.ts'
import { noteTsn } from './received.ts'
import { addControlChunks, addData, CHANNEL_ACK, hasRoom } from './sent.ts'
import type { Association } from './tcb.ts'

/** RFC 8832, 5.1. */
const DATA_CHANNEL_OPEN = 3

/** Sends a user message, once. False before the channel is open, or when the peer has no room for it. */
export function sendUserMessage(association: Association, userData: Uint8Array, now: number): boolean {
  if (association.streamId === undefined || association.isClosed) return false
  if (!hasRoom(association, userData.length, now)) return false
  beginPacket(association.peerVerificationTag)
  addControlChunks(association, now)
  addData(association, { ppid: PPID.binary, flags: UNFRAGMENTED | DATA_FLAG.unordered, userData }, now)
  association.send(finishPacket())
  return true
}

/** RFC 9260, 3.3.1. */
export function receiveData(association: Association, chunk: Buffer, now: number): void {
  if (chunk.length < DATA_HEADER_BYTES || !association.isEstablished) return
  const flags = chunk[1]
  association.sackDueSince ??= now
  if ((flags & DATA_FLAG.immediate) !== 0) association.sackDueSince = Number.NEGATIVE_INFINITY
  if (!noteTsn(association, chunk.readUInt32BE(4))) return
  const streamId = chunk.readUInt16BE(8)
  const ppid = chunk.readUInt32BE(12)
  const userData = chunk.subarray(DATA_HEADER_BYTES)
  const isUnfragmented = (flags & UNFRAGMENTED) === UNFRAGMENTED
  if (ppid === PPID.dcep) {
    const isOpen = userData[0] === DATA_CHANNEL_OPEN && isUnfragmented
    if (isOpen && association.streamId === undefined) openChannel(association, streamId, now)
  } else if (streamId === association.streamId) {
    // A fragmented message is longer than anything of ours, and a string is none of ours: it is handed on as nothing, for the room to count.
    const nothing = userData.subarray(0, 0)
    if (isUnfragmented) association.handlers.message(ppid === PPID.binary ? userData : nothing)
    else if ((flags & DATA_FLAG.beginning) !== 0) association.handlers.message(nothing)
  }
}

function openChannel(association: Association, streamId: number, now: number): void {
  association.streamId = streamId
  association.channelAckTsn = association.nextTsn
  beginPacket(association.peerVerificationTag)
  addControlChunks(association, now)
  addData(association, CHANNEL_ACK, now)
  association.channelAckSentAt = now
  association.send(finishPacket())
}
