/**
 * Our own TSNs: DATA out (RFC 9260, 3.3.1), SACK in (3.3.4), and FORWARD TSN out (RFC 3758, 3.5), which tells the peer not to wait for what is lost.
 *
 * User messages are never retransmitted. A TSN that is not acknowledged after a while is abandoned.
 */

import { addChunk, CHUNK_HEADER_BYTES, CHUNK_TYPE, DATA_HEADER_BYTES, outgoing, PPID, UNFRAGMENTED } from './packet.ts'
import { addSack } from './received.ts'
import { type Association, TSN_WINDOW, tsnDistance } from './tcb.ts'

export type Data = { readonly ppid: number; readonly flags: number; readonly userData: Uint8Array }

const SACK_CHUNK_BYTES = 16
const GAP_ACK_BLOCK_BYTES = 4
const ABANDON_AFTER_MS = 500
/** Of DATA_CHANNEL_ACK. */
export const RETRANSMIT_MS = 200
/** RFC 8832, 5.2. */
const DATA_CHANNEL_ACK = 2
export const CHANNEL_ACK: Data = { ppid: PPID.dcep, flags: UNFRAGMENTED, userData: Uint8Array.of(DATA_CHANNEL_ACK) }

/** A DATA chunk with the next TSN. */
export function addData(association: Association, data: Data, now: number): void {
  const tsn = association.nextTsn
  association.nextTsn = (tsn + 1) >>> 0
  association.sentAt[tsn % TSN_WINDOW] = now
  addDataWithTsn(association, tsn, data)
}

function addDataWithTsn({ streamId }: Association, tsn: number, { ppid, flags, userData }: Data): void {
  const at = addChunk(CHUNK_TYPE.data, flags, DATA_HEADER_BYTES - CHUNK_HEADER_BYTES + userData.length)
  const streamSequenceNumber = 0
  outgoing.writeUInt32BE(tsn, at)
  outgoing.writeUInt16BE(streamId!, at + 4)
  outgoing.writeUInt16BE(streamSequenceNumber, at + 6)
  outgoing.writeUInt32BE(ppid, at + 8)
  outgoing.set(userData, at + 12)
}

/** Bundles what is due with the packet: SACK, the retransmission of DATA_CHANNEL_ACK, FORWARD TSN. Before DATA (RFC 9260, 6.10). */
export function addControlChunks(association: Association, now: number): void {
  if (association.sackDueSince !== undefined) addSack(association)
  const { channelAckTsn, nextTsn, channelAckSentAt } = association
  if (channelAckTsn !== undefined) {
    const isSent = channelAckTsn !== nextTsn
    if (isSent && now - channelAckSentAt >= RETRANSMIT_MS) {
      association.channelAckSentAt = now
      addDataWithTsn(association, channelAckTsn, CHANNEL_ACK)
    }
    // Nothing is abandoned before it, or the peer would never see its channel open.
    return
  }
  abandon(association, now)
  const { advancedPeerAckPoint, cumulativeTsnAckPoint } = association
  if (advancedPeerAckPoint !== cumulativeTsnAckPoint) {
    outgoing.writeUInt32BE(advancedPeerAckPoint, addChunk(CHUNK_TYPE.forwardTsn, 0, 4))
  }
}

function abandon(association: Association, now: number): void {
  const { cumulativeTsnAckPoint, nextTsn, sentAt } = association
  if (tsnDistance(cumulativeTsnAckPoint, association.advancedPeerAckPoint) > 0)
    association.advancedPeerAckPoint = cumulativeTsnAckPoint
  for (let tsn = (association.advancedPeerAckPoint + 1) >>> 0; tsn !== nextTsn; tsn = (tsn + 1) >>> 0) {
    // Of those before the window it is not known when they were sent: long ago.
    const isRecent = tsnDistance(nextTsn, tsn) < TSN_WINDOW && now - sentAt[tsn % TSN_WINDOW] < ABANDON_AFTER_MS
    if (isRecent) return
    association.advancedPeerAckPoint = tsn
  }
}

/**
 * Whether the peer has room for a message (RFC 9260, 6.1, rule A). One may always be under way: by its SACK the peer says when there is room again. What is not sent is
 * lost, as on the line.
 */
export function hasRoom(association: Association, bytes: number, now: number): boolean {
  if (bytes <= association.peerRwnd || association.channelAckTsn !== undefined) return true
  abandon(association, now)
  return association.nextTsn === (association.advancedPeerAckPoint + 1) >>> 0
}

export function receiveSack(association: Association, chunk: Buffer): void {
  if (chunk.length < SACK_CHUNK_BYTES) return
  const cumulativeTsnAck = chunk.readUInt32BE(4)
  // An older one says nothing about the window now.
  if (tsnDistance(cumulativeTsnAck, association.cumulativeTsnAckPoint) >= 0)
    association.peerRwnd = chunk.readUInt32BE(8)
  const isSent = tsnDistance(association.nextTsn, cumulativeTsnAck) > 0
  if (isSent && tsnDistance(cumulativeTsnAck, association.cumulativeTsnAckPoint) > 0)
    association.cumulativeTsnAckPoint = cumulativeTsnAck
  const { channelAckTsn } = association
  if (channelAckTsn === undefined) return
  let isAcknowledged = tsnDistance(association.cumulativeTsnAckPoint, channelAckTsn) >= 0
  const offset = tsnDistance(channelAckTsn, cumulativeTsnAck)
  const gapAckBlocks = chunk.readUInt16BE(12)
  for (let i = 0, at = SACK_CHUNK_BYTES; i < gapAckBlocks && at + GAP_ACK_BLOCK_BYTES <= chunk.length; i++) {
    if (offset >= chunk.readUInt16BE(at) && offset <= chunk.readUInt16BE(at + 2)) isAcknowledged = true
    at += GAP_ACK_BLOCK_BYTES
  }
  if (isAcknowledged) association.channelAckTsn = undefined
}
