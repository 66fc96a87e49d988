/**
 * One client of the port, from its handshake to messages on its channel: SCTP inside DTLS. What is wrong in either is dropped, and a client that cannot be
 * talked to is closed. Nothing that it sends can throw.
 */

import { randomBytes } from 'node:crypto'
import {
  type Abuse,
  admitsOpen,
  admitsPacket,
  admitsSealed,
  type Budget,
  createBudget,
  type RefusedByBudget,
} from './budget.ts'
import type { Certificate } from './certificate.ts'
import { createHandshake, type Handshake, sayAgain, takeHandshake } from './handshake.ts'
import {
  createRecordLayer,
  eachRecord,
  RECORDS,
  type RecordLayer,
  type RefusedRecords,
  writeRecord,
} from './records.ts'
import {
  type Association,
  abortAssociation,
  createAssociation,
  keepAssociation,
  sendMessage,
  takePacket,
} from './sctp.ts'
import type { Address } from './stun.ts'

export type Peer = {
  readonly handlers: PeerHandlers
  /** Our half of the names of ICE, and the password that goes with it. */
  readonly name: string
  readonly password: string
  /** The way on which the client wants to hear; undefined before it has said so. */
  way: Address | undefined
  /** Where it came from, with the right password. */
  readonly origins: Set<string>
  /** When it last said the password. */
  heardAt: number
  readonly budget: Budget
  readonly layer: RecordLayer
  readonly handshake: Handshake
  /** When something of the handshake was sent last. */
  shookAt: number
  readonly association: Association
  isClosed: boolean
}

/** Packets that were dropped, by the reason. */
export type RefusedPackets = RefusedRecords &
  RefusedByBudget & {
    /** From where nobody has said a password. */
    strange: number
    tooLong: number
  }

export type PeerHandlers = {
  send(packet: Buffer, to: Address): void
  message(bytes: Buffer): void
  closed(abuse: Abuse | undefined): void
}

/** Browsers say every few seconds that they want to hear on (RFC 7675). A client that never finds the port is given up as soon. */
const SILENT_MS = 30_000
/** What a client has not answered in a handshake is said again. */
const SAY_AGAIN_MS = 700
const ALERTS = { close: Buffer.of(1, 0), failed: Buffer.of(2, 40) } as const

export type PeerOptions = {
  readonly certificate: Certificate
  /** Of the certificate that the client must show. */
  readonly fingerprint: string
  readonly refused: RefusedPackets
  readonly handlers: PeerHandlers
}

export function createPeer({ certificate, fingerprint, refused, handlers }: PeerOptions, now: number): Peer {
  const layer = createRecordLayer(refused)
  const peer: Peer = {
    handlers,
    name: randomBytes(6).toString('hex'),
    password: randomBytes(16).toString('hex'),
    way: undefined,
    origins: new Set(),
    heardAt: now,
    budget: createBudget(refused),
    layer,
    handshake: createHandshake(certificate, fingerprint, layer),
    shookAt: now,
    association: createAssociation((packet) => send(peer, writeRecord(layer, RECORDS.data, 1, packet)), {
      message: (bytes) => handlers.message(bytes),
      closed: () => closePeer(peer),
    }),
    isClosed: false,
  }
  return peer
}

/** Whether a packet of a client is looked at, STUN or not. */
export function admits(peer: Peer, packet: Buffer): boolean {
  const isAdmitted = admitsPacket(peer.budget, packet.length)
  closeAbuser(peer)
  return isAdmitted
}

/** A packet that is not STUN, from one of its origins. */
export function takeFromPeer(peer: Peer, packet: Buffer, from: Address, now: number): void {
  const { layer, handshake, association, budget } = peer
  let sealed = 0
  const admitsRecord = (epoch: number, bytes: number) => {
    if (epoch === 1) return admitsSealed(budget, sealed++)
    // Nothing in the open counts any more. It may be a flight that is said again.
    return handshake.state !== 'done' && admitsOpen(budget, bytes)
  }
  eachRecord(layer, packet, admitsRecord, (kind, epoch, body) => {
    if (peer.isClosed) return
    if (kind === RECORDS.data && epoch === 1 && handshake.state === 'done') {
      // A NAT may have moved it.
      peer.way = from
      takePacket(association, body, now)
    } else if (kind === RECORDS.handshake) shake(peer, now, () => takeHandshake(handshake, body, epoch))
    // In the open anybody can say it.
    else if (kind === RECORDS.alert && epoch === 1 && isEnd(body)) closePeer(peer)
  })
  closeAbuser(peer)
}

function closeAbuser(peer: Peer): void {
  const { abuse } = peer.budget
  if (abuse !== undefined) closePeer(peer, abuse)
}

function shake(peer: Peer, now: number, answer: () => Buffer[]): void {
  try {
    const records = answer()
    if (records.length === 0) return
    peer.shookAt = now
    send(peer, Buffer.concat(records))
  } catch {
    send(peer, writeRecord(peer.layer, RECORDS.alert, 0, ALERTS.failed))
    closePeer(peer)
  }
}

/** Everything but a warning other than that it is over. */
function isEnd([level, description]: Buffer): boolean {
  return level !== 1 || description === 0
}

/** Once: there are no repeats. */
export function sendToPeer({ association, isClosed }: Peer, bytes: Uint8Array, now: number): void {
  if (!isClosed) sendMessage(association, bytes, now)
}

/** Call it every now and then. */
export function keepPeer(peer: Peer, now: number): void {
  if (now - peer.heardAt > SILENT_MS) closePeer(peer)
  else if (peer.handshake.state === 'done') keepAssociation(peer.association, now)
  else if (now - peer.shookAt > SAY_AGAIN_MS) shake(peer, now, () => sayAgain(peer.handshake))
}

export function closePeer(peer: Peer, abuse?: Abuse): void {
  if (peer.isClosed) return
  peer.isClosed = true
  if (peer.handshake.state === 'done') {
    abortAssociation(peer.association)
    send(peer, writeRecord(peer.layer, RECORDS.alert, 1, ALERTS.close))
  }
  peer.handlers.closed(abuse)
}

function send({ way, handlers }: Peer, packet: Buffer): void {
  if (way !== undefined) handlers.send(packet, way)
}
