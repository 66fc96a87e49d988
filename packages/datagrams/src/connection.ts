/**
 * One client of the port: a DTLS connection over the candidate pair that the client nominates, and an SCTP association inside it (RFC 8261).
 *
 *   consent     RFC 7675, 5.1     alerts              RFC 5246, 7.2
 *   nomination  RFC 8445, 8.1.1   retransmit timer    RFC 6347, 4.2.4
 *
 * What is wrong at any layer is dropped, and a client with which no handshake is possible is closed. Nothing that it sends can throw.
 */

import { randomBytes } from 'node:crypto'
import {
  type Abuse,
  admitsDatagram,
  admitsProtected,
  admitsUnprotected,
  type Budget,
  createBudget,
  type RefusedByBudget,
} from './budget.ts'
import type { Certificate } from './dtls/certificate.ts'
import { createHandshake, type Handshake, lastFlightAgain, receiveHandshake } from './dtls/handshake.ts'
import {
  CONTENT_TYPE,
  createRecordLayer,
  eachRecord,
  type RecordLayer,
  type RefusedRecords,
  writeRecord,
} from './dtls/records.ts'
import type { Address } from './ice/stun.ts'
import { abortAssociation, receivePacket, runAssociationTimers } from './sctp/association.ts'
import { sendUserMessage } from './sctp/channel.ts'
import { type Association, createAssociation } from './sctp/tcb.ts'

export type Connection = {
  readonly handlers: ConnectionHandlers
  /** Our own, which the client's connectivity checks carry. */
  readonly ufrag: string
  readonly pwd: string
  /** Where the client is in the selected candidate pair; undefined before its first connectivity check. */
  selectedRemote: Address | undefined
  /** The peer-reflexive addresses from which it has sent valid connectivity checks. */
  readonly remotes: Set<string>
  /** When the last valid check came: it also is the client's consent to receive. */
  consentAt: number
  readonly budget: Budget
  readonly layer: RecordLayer
  readonly handshake: Handshake
  flightSentAt: number
  readonly association: Association
  isClosed: boolean
}

/** Packets that were dropped, by the reason. */
export type RefusedPackets = RefusedRecords &
  RefusedByBudget & {
    /** From an address without a valid connectivity check, or an invalid check. */
    strange: number
    tooLong: number
  }

export type ConnectionHandlers = {
  send(packet: Buffer, to: Address): void
  message(bytes: Buffer): void
  closed(abuse: Abuse | undefined): void
}

/** RFC 7675, 5.1. Browsers check every few seconds. A client that never finds the port is given up as soon. */
const CONSENT_MS = 30_000
const RETRANSMIT_MS = 700
const LEVEL = { warning: 1, fatal: 2 } as const
const CLOSE_NOTIFY = 0
const HANDSHAKE_FAILURE = 40
const ALERTS = {
  closeNotify: Buffer.of(LEVEL.warning, CLOSE_NOTIFY),
  handshakeFailure: Buffer.of(LEVEL.fatal, HANDSHAKE_FAILURE),
} as const

export type ConnectionOptions = {
  readonly certificate: Certificate
  /** Of the client's certificate, from its offer. */
  readonly fingerprint: string
  readonly refused: RefusedPackets
  readonly handlers: ConnectionHandlers
}

export function createConnection(options: ConnectionOptions, now: number): Connection {
  const { certificate, fingerprint, refused, handlers } = options
  const layer = createRecordLayer(refused)
  const sendPacket = (packet: Buffer) => send(connection, writeRecord(layer, CONTENT_TYPE.applicationData, 1, packet))
  const connection: Connection = {
    handlers,
    ufrag: randomBytes(6).toString('hex'),
    pwd: randomBytes(16).toString('hex'),
    selectedRemote: undefined,
    remotes: new Set(),
    consentAt: now,
    budget: createBudget(refused),
    layer,
    handshake: createHandshake(certificate, fingerprint, layer),
    flightSentAt: now,
    association: createAssociation(sendPacket, {
      message: (bytes) => handlers.message(bytes),
      closed: () => closeConnection(connection),
    }),
    isClosed: false,
  }
  return connection
}

/** Whether a datagram of a client is looked at, STUN or DTLS. */
export function admits(connection: Connection, datagram: Buffer): boolean {
  const isAdmitted = admitsDatagram(connection.budget, datagram.length)
  closeAbuser(connection)
  return isAdmitted
}

/** A datagram that is not STUN, from one of the connection's remotes. */
export function receiveDtls(connection: Connection, datagram: Buffer, from: Address, now: number): void {
  const { layer, handshake, association, budget } = connection
  let protectedBefore = 0
  const admitsRecord = (epoch: number, bytes: number) => {
    if (epoch === 1) return admitsProtected(budget, protectedBefore++)
    // Once connected, epoch 0 counts no more. It may be a flight that is retransmitted.
    return handshake.state !== 'connected' && admitsUnprotected(budget, bytes)
  }
  eachRecord(layer, datagram, admitsRecord, (contentType, epoch, plaintext) => {
    if (connection.isClosed) return
    if (contentType === CONTENT_TYPE.applicationData && epoch === 1 && handshake.state === 'connected') {
      // A NAT may have moved the client.
      connection.selectedRemote = from
      receivePacket(association, plaintext, now)
    } else if (contentType === CONTENT_TYPE.handshake)
      sendFlight(connection, now, () => receiveHandshake(handshake, plaintext, epoch))
    // In epoch 0 anybody can send one.
    else if (contentType === CONTENT_TYPE.alert && epoch === 1 && isEnd(plaintext)) closeConnection(connection)
  })
  closeAbuser(connection)
}

function closeAbuser(connection: Connection): void {
  const { abuse } = connection.budget
  if (abuse !== undefined) closeConnection(connection, abuse)
}

function sendFlight(connection: Connection, now: number, flight: () => Buffer[]): void {
  try {
    const records = flight()
    if (records.length === 0) return
    connection.flightSentAt = now
    send(connection, Buffer.concat(records))
  } catch {
    send(connection, writeRecord(connection.layer, CONTENT_TYPE.alert, 0, ALERTS.handshakeFailure))
    closeConnection(connection)
  }
}

/** Every alert but a warning other than close_notify. */
function isEnd([level, description]: Buffer): boolean {
  return level !== LEVEL.warning || description === CLOSE_NOTIFY
}

/** Once: there are no retransmissions. */
export function sendOnChannel({ association, isClosed }: Connection, bytes: Uint8Array, now: number): void {
  if (!isClosed) sendUserMessage(association, bytes, now)
}

/** Call it every now and then: consent, retransmission of flights, delayed SACKs. */
export function runTimers(connection: Connection, now: number): void {
  const { handshake, association } = connection
  if (now - connection.consentAt > CONSENT_MS) closeConnection(connection)
  else if (handshake.state === 'connected') runAssociationTimers(association, now)
  else if (now - connection.flightSentAt > RETRANSMIT_MS) sendFlight(connection, now, () => lastFlightAgain(handshake))
}

export function closeConnection(connection: Connection, abuse?: Abuse): void {
  if (connection.isClosed) return
  connection.isClosed = true
  if (connection.handshake.state === 'connected') {
    abortAssociation(connection.association)
    send(connection, writeRecord(connection.layer, CONTENT_TYPE.alert, 1, ALERTS.closeNotify))
  }
  connection.handlers.closed(abuse)
}

function send({ selectedRemote, handlers }: Connection, datagram: Buffer): void {
  if (selectedRemote !== undefined) handlers.send(datagram, selectedRemote)
}
