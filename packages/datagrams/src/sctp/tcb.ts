/**
 * What is known of an association: its transmission control block, in the words of RFC 9260, 14.
 *
 * It serves one data channel that is unordered and has no retransmissions (RFC 8831, 6.4). So there are no queues. The peer's window is kept to; there is no congestion
 * control, since the netcode sends few and small messages at a rate of its own, below what TCP would take (decision 014).
 */

import { randomBytes } from 'node:crypto'

export type Association = {
  /** Hands a packet on to DTLS, at once: its memory is used again. */
  readonly send: (packet: Buffer) => void
  readonly handlers: AssociationHandlers
  readonly myVerificationTag: number
  /** 0 before INIT. */
  peerVerificationTag: number
  /** With which State Cookies are signed. */
  readonly cookieSecret: Buffer
  isEstablished: boolean
  isClosed: boolean
  /** The stream of the data channel; undefined before DATA_CHANNEL_OPEN. */
  streamId: number | undefined

  /** The last TSN up to which all were received or abandoned by the peer: the Cumulative TSN Ack of our next SACK. */
  lastReceivedTsn: number
  /** Which TSNs after that one were received: a byte for each, at `TSN % TSN_WINDOW`. */
  readonly mappingArray: Uint8Array
  /** The highest TSN received, as an offset from the last one in sequence. */
  highestOffset: number
  /** Since when a SACK is due; undefined: none is. */
  sackDueSince: number | undefined

  /** Of the peer, as it said last: how many bytes it takes beyond those it has acknowledged. */
  peerRwnd: number
  nextTsn: number
  /** The highest Cumulative TSN Ack of the peer's SACKs. */
  cumulativeTsnAckPoint: number
  /** Advanced.Peer.Ack.Point (RFC 3758, 3.5): TSNs up to here are acknowledged or abandoned. */
  advancedPeerAckPoint: number
  /** When TSNs were sent, at `TSN % TSN_WINDOW`. */
  readonly sentAt: Float64Array
  /** The TSN of DATA_CHANNEL_ACK until it is acknowledged. It alone is retransmitted. */
  channelAckTsn: number | undefined
  channelAckSentAt: number
}

export type AssociationHandlers = {
  message(bytes: Buffer): void
  /** The info of a HEARTBEAT has come back. */
  heartbeatAck(info: Buffer): void
  closed(): void
}

/** As many TSNs are remembered in each direction: far more than are in flight. A power of two. */
export const TSN_WINDOW = 1024
/** The advertised receiver window credit. Messages are handed on at once, so it never shrinks. */
export const A_RWND = 256 * 1024

export function createAssociation(send: (packet: Buffer) => void, handlers: AssociationHandlers): Association {
  const initialTsn = randomBytes(4).readUInt32BE()
  return {
    send,
    handlers,
    // Never 0, which is the tag of a packet with INIT (RFC 9260, 8.5.1).
    myVerificationTag: (randomBytes(4).readUInt32BE() | 1) >>> 0,
    peerVerificationTag: 0,
    cookieSecret: randomBytes(32),
    isEstablished: false,
    isClosed: false,
    streamId: undefined,
    lastReceivedTsn: 0,
    mappingArray: new Uint8Array(TSN_WINDOW),
    highestOffset: 0,
    sackDueSince: undefined,
    peerRwnd: A_RWND,
    nextTsn: initialTsn,
    cumulativeTsnAckPoint: (initialTsn - 1) >>> 0,
    advancedPeerAckPoint: (initialTsn - 1) >>> 0,
    sentAt: new Float64Array(TSN_WINDOW),
    channelAckTsn: undefined,
    channelAckSentAt: 0,
  }
}

/** How far a TSN is ahead of another, in serial number arithmetic (RFC 1982); negative: behind. */
export function tsnDistance(tsn: number, from: number): number {
  return (tsn - from) | 0
}
