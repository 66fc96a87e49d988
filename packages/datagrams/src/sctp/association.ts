/**
 * An SCTP association (RFC 9260) inside DTLS (RFC 8261), the side that is asked: it answers INIT and starts nothing itself.
 *
 *   establishment   RFC 9260, 5.1            verification tag   RFC 9260, 8.5
 *   delayed SACK    RFC 9260, 6.2            ABORT, SHUTDOWN    RFC 9260, 9
 *   HEARTBEAT       RFC 9260, 8.3            State Cookie       RFC 9260, 5.1.3 (cookie.ts)
 *   stream reset    RFC 6525, 5; RFC 8831, 6.7: how a client closes its channel
 */

import { receiveData } from './channel.ts'
import { createStateCookie, type PeerOfCookie, readStateCookie } from './cookie.ts'
import {
  addChunk,
  beginPacket,
  CHUNK_HEADER_BYTES,
  CHUNK_TYPE,
  COMMON_HEADER_BYTES,
  eachChunk,
  finishPacket,
  hasChecksum,
  outgoing,
  PARAMETER_TYPE,
  parameter,
} from './packet.ts'
import { receiveForwardTsn } from './received.ts'
import { addControlChunks, RETRANSMIT_MS, receiveSack } from './sent.ts'
import { A_RWND, type Association } from './tcb.ts'

/** How long a SACK waits for DATA to travel with. Senders wait for at least 220 ms before they take something for lost. */
const SACK_DELAY_MS = 80
const INIT_BYTES = 20
/** One is used. Clients choose its number, which is 0 or 1 where there is no other. */
const MAX_STREAMS = 16
const MIN_RWND = 1_500
/** Valid.Cookie.Life (RFC 9260, 16). */
const COOKIE_LIFE_MS = 60_000
const RESET_REQUEST_BYTES = 12
/** Without its info. */
const HEARTBEAT_BYTES = 8
/** "Success - Performed" (RFC 6525, 4.4). */
const RESET_PERFORMED = 1

export function receivePacket(association: Association, packet: Buffer, now: number): void {
  if (packet.length < COMMON_HEADER_BYTES || association.isClosed || !hasChecksum(packet)) return
  const verificationTag = packet.readUInt32BE(4)
  hasReplied = false
  eachChunk(packet, (type, chunk) => {
    // It is alone in its packet (RFC 9260, 3.3.2).
    if (type === CHUNK_TYPE.init && packet.length !== COMMON_HEADER_BYTES + ((chunk.length + 3) & ~3)) return false
    // The sender of INIT does not know our tag yet.
    const expectedTag = type === CHUNK_TYPE.init ? 0 : association.myVerificationTag
    if (verificationTag === expectedTag) receiveChunk(association, type, chunk, now)
    return !association.isClosed
  })
}

function receiveChunk(association: Association, type: number, chunk: Buffer, now: number): void {
  if (type === CHUNK_TYPE.data) receiveData(association, chunk, now)
  else if (type === CHUNK_TYPE.sack) receiveSack(association, chunk)
  else if (type === CHUNK_TYPE.forwardTsn) receiveForwardTsn(association, chunk, now)
  else if (type === CHUNK_TYPE.init) receiveInit(association, chunk, now)
  else if (type === CHUNK_TYPE.cookieEcho) receiveCookieEcho(association, chunk, now)
  else if (type === CHUNK_TYPE.heartbeat)
    answer(association, CHUNK_TYPE.heartbeatAck, chunk.subarray(CHUNK_HEADER_BYTES))
  else if (type === CHUNK_TYPE.heartbeatAck) receiveHeartbeatAck(association, chunk)
  else if (type === CHUNK_TYPE.abort) close(association)
  else if (type === CHUNK_TYPE.shutdown) {
    answer(association, CHUNK_TYPE.shutdownAck, EMPTY)
    close(association)
  } else if (type === CHUNK_TYPE.reConfig) receiveReConfig(association, chunk)
}

/** Call it every now and then: sends a SACK or a DATA_CHANNEL_ACK that has waited long enough for DATA to travel with. */
export function runAssociationTimers(association: Association, now: number): void {
  const { sackDueSince, channelAckTsn, channelAckSentAt } = association
  const isSackDue = sackDueSince !== undefined && now - sackDueSince >= SACK_DELAY_MS
  const isChannelAckDue = channelAckTsn !== undefined && now - channelAckSentAt >= RETRANSMIT_MS
  if (!association.isEstablished || association.isClosed || !(isSackDue || isChannelAckDue)) return
  beginPacket(association.peerVerificationTag)
  addControlChunks(association, now)
  association.send(finishPacket())
}

/** A packet that the peer answers with the same bytes. It is for a certain address, so it is not sent here. */
export function heartbeatPacket(association: Association, info: Uint8Array): Buffer {
  const value = parameter(PARAMETER_TYPE.heartbeatInfo, info)
  beginPacket(association.peerVerificationTag)
  outgoing.set(value, addChunk(CHUNK_TYPE.heartbeat, 0, value.length))
  return finishPacket()
}

function receiveHeartbeatAck(association: Association, chunk: Buffer): void {
  if (!association.isEstablished || chunk.length < HEARTBEAT_BYTES) return
  if (chunk.readUInt16BE(4) !== PARAMETER_TYPE.heartbeatInfo) return
  association.handlers.heartbeatAck(chunk.subarray(HEARTBEAT_BYTES))
}

export function abortAssociation(association: Association): void {
  if (association.isClosed) return
  association.isClosed = true
  if (association.peerVerificationTag === 0) return
  beginPacket(association.peerVerificationTag)
  addChunk(CHUNK_TYPE.abort, 0, 0)
  association.send(finishPacket())
}

/** Nothing is kept for an INIT: what it says comes back in the cookie (RFC 9260, 5.1.3). */
function receiveInit(association: Association, chunk: Buffer, now: number): void {
  // Once established, an INIT is one that was delayed. Restarts (5.2.2) are not served: with every offer a client makes an association anew.
  if (chunk.length < INIT_BYTES || association.isEstablished) return
  const peer: PeerOfCookie = {
    verificationTag: chunk.readUInt32BE(4),
    rwnd: chunk.readUInt32BE(8),
    initialTsn: chunk.readUInt32BE(16),
  }
  // A tag or streams of 0 are an error (RFC 9260, 3.3.2), and so is a window below 1,500 bytes.
  const hasStreams = chunk.readUInt16BE(12) !== 0 && chunk.readUInt16BE(14) !== 0
  if (peer.verificationTag === 0 || peer.rwnd < MIN_RWND || !hasStreams) return
  const { myVerificationTag, nextTsn, cookieSecret } = association
  const fixed = Buffer.alloc(INIT_BYTES - CHUNK_HEADER_BYTES)
  fixed.writeUInt32BE(myVerificationTag, 0)
  fixed.writeUInt32BE(A_RWND, 4)
  fixed.writeUInt16BE(MAX_STREAMS, 8)
  fixed.writeUInt16BE(MAX_STREAMS, 10)
  fixed.writeUInt32BE(nextTsn, 12)
  const initAck = Buffer.concat([
    fixed,
    parameter(PARAMETER_TYPE.stateCookie, createStateCookie(cookieSecret, peer, now)),
    parameter(PARAMETER_TYPE.forwardTsnSupported, EMPTY),
    parameter(PARAMETER_TYPE.supportedExtensions, Buffer.of(CHUNK_TYPE.reConfig, CHUNK_TYPE.forwardTsn)),
  ])
  reply(association, peer.verificationTag, CHUNK_TYPE.initAck, initAck)
}

function receiveCookieEcho(association: Association, chunk: Buffer, now: number): void {
  const { cookieSecret, isEstablished, peerVerificationTag } = association
  const cookie = readStateCookie(cookieSecret, chunk.subarray(CHUNK_HEADER_BYTES))
  if (cookie === undefined) return
  if (isEstablished) {
    // Our COOKIE ACK was lost (RFC 9260, 5.2.4, D).
    if (cookie.peer.verificationTag !== peerVerificationTag) return
  } else {
    if (now - cookie.createdAt > COOKIE_LIFE_MS) return
    association.peerVerificationTag = cookie.peer.verificationTag
    association.peerRwnd = cookie.peer.rwnd
    association.lastReceivedTsn = (cookie.peer.initialTsn - 1) >>> 0
    association.isEstablished = true
  }
  answer(association, CHUNK_TYPE.cookieAck, EMPTY)
}

/** An Outgoing SSN Reset Request, whatever streams it names: there is one. */
function receiveReConfig(association: Association, chunk: Buffer): void {
  if (!association.isEstablished || chunk.length < RESET_REQUEST_BYTES) return
  if (chunk.readUInt16BE(4) !== PARAMETER_TYPE.outgoingSsnResetRequest) return
  const requestSequenceNumber = chunk.readUInt32BE(8)
  const response = Buffer.alloc(8)
  response.writeUInt32BE(requestSequenceNumber, 0)
  response.writeUInt32BE(RESET_PERFORMED, 4)
  answer(association, CHUNK_TYPE.reConfig, parameter(PARAMETER_TYPE.reConfigurationResponse, response))
  close(association)
}

function close(association: Association): void {
  association.isClosed = true
  association.handlers.closed()
}

const EMPTY = Buffer.alloc(0)
/** A packet gets one reply at most, so that a small one with many requests is not worth more. */
let hasReplied = false

function answer(association: Association, type: number, value: Uint8Array): void {
  if (association.isEstablished) reply(association, association.peerVerificationTag, type, value)
}

function reply(association: Association, tag: number, type: number, value: Uint8Array): void {
  if (hasReplied) return
  hasReplied = true
  beginPacket(tag)
  outgoing.set(value, addChunk(type, 0, value.length))
  association.send(finishPacket())
}
