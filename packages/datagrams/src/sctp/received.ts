/** The TSNs of the peer: which were received, the SACK that says so (RFC 9260, 3.3.4, 6.2), and its FORWARD TSN (RFC 3758, 3.6). */

import { addChunk, CHUNK_TYPE, outgoing } from './packet.ts'
import { A_RWND, type Association, TSN_WINDOW, tsnDistance } from './tcb.ts'

/** More are not reported, so that a SACK fits beside a long message. */
const MAX_GAP_ACK_BLOCKS = 16
const SACK_BYTES = 12
const FORWARD_TSN_BYTES = 8

/** False: a duplicate, or beyond the window. */
export function noteTsn(association: Association, tsn: number): boolean {
  const { mappingArray } = association
  const offset = tsnDistance(tsn, association.lastReceivedTsn)
  if (offset <= 0 || offset >= TSN_WINDOW || mappingArray[tsn % TSN_WINDOW] !== 0) return false
  mappingArray[tsn % TSN_WINDOW] = 1
  if (offset > association.highestOffset) association.highestOffset = offset
  advance(association)
  return true
}

/** Moves the last TSN in sequence on over those that were received out of order. */
function advance(association: Association): void {
  const { mappingArray } = association
  while (association.highestOffset > 0 && mappingArray[(association.lastReceivedTsn + 1) % TSN_WINDOW] !== 0) {
    association.lastReceivedTsn = (association.lastReceivedTsn + 1) >>> 0
    mappingArray[association.lastReceivedTsn % TSN_WINDOW] = 0
    association.highestOffset = Math.max(association.highestOffset - 1, 0)
  }
}

/** The peer has abandoned everything up to New Cumulative TSN. */
export function receiveForwardTsn(association: Association, chunk: Buffer, now: number): void {
  if (chunk.length < FORWARD_TSN_BYTES || !association.isEstablished) return
  const newCumulativeTsn = chunk.readUInt32BE(4)
  const offset = tsnDistance(newCumulativeTsn, association.lastReceivedTsn)
  if (offset > 0) {
    clear(association.mappingArray, association.lastReceivedTsn + 1, Math.min(offset, TSN_WINDOW))
    association.lastReceivedTsn = newCumulativeTsn
    association.highestOffset = Math.max(association.highestOffset - offset, 0)
  }
  advance(association)
  association.sackDueSince ??= now
}

/** At once: a packet has room for 170 of these chunks, and a loop over each of their windows takes longer than decrypting it. */
function clear(mappingArray: Uint8Array, from: number, count: number): void {
  const start = from % TSN_WINDOW
  mappingArray.fill(0, start, start + count)
  mappingArray.fill(0, 0, Math.max(start + count - TSN_WINDOW, 0))
}

export function addSack(association: Association): void {
  const { mappingArray, lastReceivedTsn, highestOffset } = association
  association.sackDueSince = undefined
  const isReceived = (offset: number) => mappingArray[(lastReceivedTsn + offset) % TSN_WINDOW] !== 0
  // Start and end of each Gap Ack Block, as offsets from the Cumulative TSN Ack. The first TSN after that is missing.
  const gapAckBlocks: number[] = []
  for (let offset = 2; offset <= highestOffset && gapAckBlocks.length < 2 * MAX_GAP_ACK_BLOCKS; offset++) {
    if (!isReceived(offset)) continue
    if (!isReceived(offset - 1)) gapAckBlocks.push(offset)
    if (offset === highestOffset || !isReceived(offset + 1)) gapAckBlocks.push(offset)
  }
  const at = addChunk(CHUNK_TYPE.sack, 0, SACK_BYTES + 2 * gapAckBlocks.length)
  outgoing.writeUInt32BE(lastReceivedTsn, at)
  outgoing.writeUInt32BE(A_RWND, at + 4)
  outgoing.writeUInt16BE(gapAckBlocks.length / 2, at + 8)
  const duplicateTsns = 0
  outgoing.writeUInt16BE(duplicateTsns, at + 10)
  gapAckBlocks.forEach((offset, i) => {
    outgoing.writeUInt16BE(offset, at + SACK_BYTES + 2 * i)
  })
}
