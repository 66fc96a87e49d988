/**
 * One client of the port: a DTLS connection over a candidate pair, and an SCTP association inside it (RFC 8261).
 *
 *   consent     RFC 7675, 5.1     retransmit timer    RFC 6347, 4.2.4
 *
 * The pair is the one over which the client has answered last: the cookie of its handshake, later a question (path.ts). It is not read from nominations (RFC
 * 8445, 8.1.1), which others can send again: a client sends its records over the pair that it nominates.
 *
 * What is wrong at any layer is dropped, and a client with which no handshake is possible is closed. Nothing that it sends can throw.
 */

import { randomBytes } from 'node:crypto'
import {
  type Abuse,
  admitsProtected,
  admitsUnprotected,
  type Budget,
  beginDatagram,
  createBudget,
  isDatagramFull,
  noteDecrypted,
  type RefusedByBudget,
} from './budget.ts'
import { ALERT, ALERT_LEVEL, HandshakeFailure, isEnd } from './dtls/alerts.ts'
import type { Certificate } from './dtls/certificate.ts'
import type { Cookies } from './dtls/cookie.ts'
import {
  type AddressProof,
  createHandshake,
  forgetSecrets,
  type Handshake,
  type RefusedMessages,
  receiveHandshake,
  unaskedFlight,
} from './dtls/handshake.ts'
import { HANDSHAKE_TYPE } from './dtls/messages.ts'
import {
  CONTENT_TYPE,
  createRecordLayer,
  eachRecord,
  type Gate,
  type RecordLayer,
  type RefusedRecords,
  writeRecord,
} from './dtls/records.ts'
import type { Address } from './ice/stun.ts'
import { CONSENT_MS, createPath, dueQuestion, isSilent, type Path, placeOfAnswer, questionAt } from './path.ts'
import { abortAssociation, heartbeatPacket, receivePacket, runAssociationTimers } from './sctp/association.ts'
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
  selectedRemote: Remote | undefined
  readonly path: Path<Remote>
  /** The peer-reflexive addresses from which it has sent valid connectivity checks, by `nameOf`. */
  readonly remotes: Map<string, Remote>
  /** The transaction ids of checks, and the names of the addresses from which they came first. */
  readonly transactions: Map<string, string>
  /** When the last check came. Before the handshake is done it is the client's consent to receive. */
  checkedAt: number
  readonly budget: Budget
  readonly gate: Gate
  readonly layer: RecordLayer
  readonly handshake: Handshake
  flightSentAt: number
  retransmitMs: number
  readonly association: Association
  isClosed: boolean
}

/** An address of a client: when something valid came from there, and whether it has answered there. */
export type Remote = Address & { seenAt: number; isProved: boolean }

/** Packets that were dropped, by the reason. */
export type RefusedPackets = RefusedRecords &
  RefusedMessages &
  RefusedByBudget & {
    /** From an address without a valid connectivity check, or an invalid check. */
    strange: number
    tooLong: number
    /** An error in what they led to. It closed the client. */
    threw: number
  }

export type ConnectionHandlers = {
  send(packet: Buffer, to: Address): void
  message(bytes: Buffer): void
  closed(abuse: Abuse | undefined): void
}

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
  const budget = createBudget(refused)
  const sendPacket = (packet: Buffer) =>
    sendTo(connection, writeRecord(layer, CONTENT_TYPE.applicationData, 1, packet), connection.selectedRemote)
  const connection: Connection = {
    handlers,
    cookies,
    createdAt: now,
    ufrag: randomBytes(6).toString('hex'),
    pwd: randomBytes(16).toString('hex'),
    selectedRemote: undefined,
    path: createPath(now),
    remotes: new Map(),
    transactions: new Map(),
    checkedAt: now,
    budget,
    gate: {
      isFull: () => isDatagramFull(budget),
      // Once connected, epoch 0 counts no more. It may be a flight that is retransmitted.
      admits: (epoch, bytes, ahead) =>
        epoch === 1
          ? admitsProtected(budget, bytes, ahead)
          : connection.handshake.state !== 'connected' && admitsUnprotected(budget, bytes),
      decrypted: (isTrue, bytes, ahead) => noteDecrypted(budget, isTrue, bytes, ahead),
    },
    layer,
    handshake: createHandshake(certificate, fingerprint, layer, refused),
    flightSentAt: now,
    retransmitMs: FIRST_RETRANSMIT_MS,
    association: createAssociation(sendPacket, {
      message: (bytes) => handlers.message(bytes),
      heartbeatAck: (info) => receiveAnswer(connection, info),
      closed: () => closeConnection(connection),
    }),
    isClosed: false,
  }
  return connection
}

/** A datagram that is not STUN, from one of the connection's remotes. */
export function receiveDtls(connection: Connection, datagram: Buffer, from: Remote, now: number): void {
  const { layer, handshake, association, budget, gate } = connection
  beginDatagram(budget)
  eachRecord(layer, datagram, gate, (contentType, epoch, plaintext, isNewest) => {
    if (connection.isClosed) return
    if (epoch === 1) from.seenAt = now
    if (contentType === CONTENT_TYPE.applicationData && epoch === 1 && handshake.state === 'connected') {
      // A NAT may have moved the client. Older records come late.
      if (isNewest && from !== connection.selectedRemote)
        askAt(connection, from, questionAt(connection.path, from, now))
      receivePacket(association, plaintext, now)
    } else if (contentType === CONTENT_TYPE.handshake) receiveMessages(connection, plaintext, epoch, from, now)
    // In epoch 0 anybody can send one.
    else if (contentType === CONTENT_TYPE.alert && epoch === 1 && isEnd(plaintext)) closeConnection(connection)
  })
  if (budget.abuse !== undefined) closeConnection(connection, budget.abuse)
}

function askAt(connection: Connection, to: Remote, question: Buffer | undefined): void {
  const { association, layer } = connection
  if (question === undefined || !association.isEstablished) return
  const packet = heartbeatPacket(association, question)
  sendTo(connection, writeRecord(layer, CONTENT_TYPE.applicationData, 1, packet), to)
}

function receiveAnswer(connection: Connection, bytes: Buffer): void {
  const place = placeOfAnswer(connection.path, bytes, performance.now())
  // It may have been forgotten meanwhile.
  if (place === undefined || connection.remotes.get(nameOf(place)) !== place) return
  place.isProved = true
  connection.selectedRemote = place
}

function receiveMessages(connection: Connection, plaintext: Buffer, epoch: number, from: Remote, now: number): void {
  const { handshake, layer } = connection
  const before = handshake.state
  // RFC 5246, 7.2.2. In epoch 0 it would be anybody's.
  if (before === 'connected' && epoch === 1 && plaintext[0] === HANDSHAKE_TYPE.clientHello) {
    const alert = Buffer.of(ALERT_LEVEL.warning, ALERT.noRenegotiation)
    sendTo(connection, writeRecord(layer, CONTENT_TYPE.alert, 1, alert), connection.selectedRemote)
    return
  }
  try {
    const records = receiveHandshake(handshake, plaintext, epoch, proofOf(connection, from))
    if (handshake.state !== before) {
      connection.path.answeredAt = now
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
function proofOf(connection: Connection, from: Remote): AddressProof {
  const { cookies, remotes, ufrag } = connection
  const placeOf = (address: Address) => `${ufrag} ${nameOf(address)}`
  return {
    createCookie: (hello) => cookies.create(placeOf(from), hello),
    isGivenBy(hello) {
      // Where another address comes first by chance, the client sends its next cookie, which is that of `from`.
      const proved = [from, ...remotes.values()].find((remote) => cookies.mayBeOf(placeOf(remote), hello))
      if (proved === undefined || !cookies.isValid(placeOf(proved), hello)) return false
      proved.isProved = true
      connection.selectedRemote = proved
      return true
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
  const { handshake, association, path, selectedRemote } = connection
  if (handshake.state === 'connected') {
    if (isSilent(path, now)) closeConnection(connection)
    else {
      askAt(connection, selectedRemote!, dueQuestion(path, selectedRemote!, now))
      runAssociationTimers(association, now)
    }
    return
  }
  const isLate = now - connection.createdAt > HANDSHAKE_MS
  if (isLate || now - connection.checkedAt > CONSENT_MS) closeConnection(connection)
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
  forgetSecrets(handshake)
  connection.handlers.closed(abuse)
}

function sendTo({ handlers }: Connection, datagram: Buffer, to: Address | undefined): void {
  if (to !== undefined) handlers.send(datagram, to)
}
