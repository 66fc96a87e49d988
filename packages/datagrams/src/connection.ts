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
import { ALERT, ALERT_LEVEL, HandshakeFailure, isEnd } from './dtls/alerts.ts'
import type { Certificate } from './dtls/certificate.ts'
import type { Cookies } from './dtls/cookie.ts'
import {
  type AddressProof,
  createHandshake,
  type Handshake,
  type RefusedMessages,
  receiveHandshake,
  unaskedFlight,
} from './dtls/handshake.ts'
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
  readonly cookies: Cookies
  readonly createdAt: number
  /** Our own, which the client's connectivity checks carry. */
  readonly ufrag: string
  readonly pwd: string
  /** Where the client is in the selected candidate pair; undefined before it has given back a cookie that was sent there. */
  selectedRemote: Address | undefined
  /** The peer-reflexive addresses from which it has sent valid connectivity checks, by `nameOf`. */
  readonly remotes: Map<string, Address>
  /** When the last valid check came: it also is the client's consent to receive. */
  consentAt: number
  readonly budget: Budget
  readonly layer: RecordLayer
  readonly handshake: Handshake
  flightSentAt: number
  retransmitMs: number
  readonly association: Association
  isClosed: boolean
}

/** Packets that were dropped, by the reason. */
export type RefusedPackets = RefusedRecords &
  RefusedMessages &
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
/** RFC 6347, 4.2.4.1: doubled each time. */
const FIRST_RETRANSMIT_MS = 1_000
/** From the offer: looking for the port, and five flights with 31 seconds for their answers. */
const HANDSHAKE_MS = 60_000

export type ConnectionOptions = {
  readonly certificate: Certificate
  readonly cookies: Cookies
  /** Of the client's certificate, from its offer. */
  readonly fingerprint: string
  readonly refused: RefusedPackets
  readonly handlers: ConnectionHandlers
}

export function createConnection(options: ConnectionOptions, now: number): Connection {
  const { certificate, cookies, fingerprint, refused, handlers } = options
  const layer = createRecordLayer(refused)
  const sendPacket = (packet: Buffer) =>
    sendTo(connection, writeRecord(layer, CONTENT_TYPE.applicationData, 1, packet), connection.selectedRemote)
  const connection: Connection = {
    handlers,
    cookies,
    createdAt: now,
    ufrag: randomBytes(6).toString('hex'),
    pwd: randomBytes(16).toString('hex'),
    selectedRemote: undefined,
    remotes: new Map(),
    consentAt: now,
    budget: createBudget(refused),
    layer,
    handshake: createHandshake(certificate, fingerprint, layer, refused),
    flightSentAt: now,
    retransmitMs: FIRST_RETRANSMIT_MS,
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
    } else if (contentType === CONTENT_TYPE.handshake) receiveMessages(connection, plaintext, epoch, from, now)
    // In epoch 0 anybody can send one.
    else if (contentType === CONTENT_TYPE.alert && epoch === 1 && isEnd(plaintext)) closeConnection(connection)
  })
  closeAbuser(connection)
}

function closeAbuser(connection: Connection): void {
  const { abuse } = connection.budget
  if (abuse !== undefined) closeConnection(connection, abuse)
}

function receiveMessages(connection: Connection, plaintext: Buffer, epoch: number, from: Address, now: number): void {
  const { handshake } = connection
  const before = handshake.state
  try {
    const records = receiveHandshake(handshake, plaintext, epoch, proofOf(connection, from))
    if (handshake.state !== before) {
      connection.flightSentAt = now
      connection.retransmitMs = FIRST_RETRANSMIT_MS
    }
    if (records.length > 0) sendTo(connection, Buffer.concat(records), addressOfFlight(connection, from))
  } catch (error) {
    if (!(error instanceof HandshakeFailure)) throw error
    const alert = Buffer.of(ALERT_LEVEL.fatal, error.alert)
    sendTo(connection, writeRecord(connection.layer, CONTENT_TYPE.alert, 0, alert), addressOfFlight(connection, from))
    closeConnection(connection)
  }
}

/** The long flight goes to the address that has answered. What is no longer than the question goes to where that came from. */
function addressOfFlight({ handshake, selectedRemote }: Connection, from: Address): Address | undefined {
  return handshake.state === 'ClientHello' || handshake.state === 'connected' ? from : selectedRemote
}

/** A client may change between its candidate pairs: its cookie counts where it was sent to, and that is where the client is. */
function proofOf(connection: Connection, from: Address): AddressProof {
  const { cookies, remotes, ufrag } = connection
  const placeOf = (address: Address) => `${ufrag} ${nameOf(address)}`
  return {
    createCookie: (hello) => cookies.create(placeOf(from), hello),
    isGivenBy(hello) {
      if (hello.cookie.length === 0) return false
      const proved = [from, ...remotes.values()].find((address) => cookies.isValid(placeOf(address), hello))
      connection.selectedRemote = proved
      return proved !== undefined
    },
  }
}

export function nameOf({ address, port }: Address): string {
  return `${address} ${port}`
}

/** Once: there are no retransmissions. */
export function sendOnChannel({ association, isClosed }: Connection, bytes: Uint8Array, now: number): void {
  if (!isClosed) sendUserMessage(association, bytes, now)
}

/** Call it every now and then: consent, retransmission of flights, delayed SACKs. */
export function runTimers(connection: Connection, now: number): void {
  const { handshake, association } = connection
  const isConnected = handshake.state === 'connected'
  const isLate = !isConnected && now - connection.createdAt > HANDSHAKE_MS
  if (isLate || now - connection.consentAt > CONSENT_MS) closeConnection(connection)
  else if (isConnected) runAssociationTimers(association, now)
  else if (handshake.state !== 'ClientHello' && now - connection.flightSentAt >= connection.retransmitMs)
    retransmit(connection, now)
}

function retransmit(connection: Connection, now: number): void {
  const records = unaskedFlight(connection.handshake)
  connection.flightSentAt = now
  connection.retransmitMs *= 2
  if (records.length > 0) sendTo(connection, Buffer.concat(records), connection.selectedRemote)
  else closeConnection(connection)
}

export function closeConnection(connection: Connection, abuse?: Abuse): void {
  if (connection.isClosed) return
  connection.isClosed = true
  const { handshake, association, layer, selectedRemote } = connection
  if (handshake.state === 'connected') {
    abortAssociation(association)
    const alert = Buffer.of(ALERT_LEVEL.warning, ALERT.closeNotify)
    sendTo(connection, writeRecord(layer, CONTENT_TYPE.alert, 1, alert), selectedRemote)
  }
  connection.handlers.closed(abuse)
}

function sendTo({ handlers }: Connection, datagram: Buffer, to: Address | undefined): void {
  if (to !== undefined) handlers.send(datagram, to)
}
