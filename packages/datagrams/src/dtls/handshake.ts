/**
 * The DTLS 1.2 handshake (RFC 6347, 4.2), the server's side, with what every WebRTC client has (RFC 8827, 6.5): ECDHE over P-256 with ECDSA and SHA-256
 * (RFC 8422), two cipher suites, and the extended master secret (RFC 7627).
 *
 *   client                                                                     server
 *   ClientHello                                                          ---->
 *                                                                  <----   HelloVerifyRequest
 *   ClientHello with the cookie                                          ---->
 *          <----   ServerHello, Certificate, ServerKeyExchange, CertificateRequest, ServerHelloDone
 *   Certificate, ClientKeyExchange, CertificateVerify, ChangeCipherSpec, Finished    ---->
 *                                                                  <----   ChangeCipherSpec, Finished
 *
 *   cookie              RFC 6347, 4.2.1     keys            RFC 5246, 6.3, 8.1
 *   retransmission      RFC 6347, 4.2.4     Finished        RFC 5246, 7.4.9
 *
 * Certificates are trusted by the fingerprints of offer and answer, which came over the socket (RFC 8122).
 *
 * Anybody who forges the client's address can send messages of epoch 0. So what is wrong there is dropped and counted, and the client's own retransmission
 * takes its place (RFC 6347, 4.1.2.7). Only what is the client's for certain can fail: a ClientHello with a cookie, and its own certificate.
 */

import { createECDH, type ECDH, randomBytes, sign, timingSafeEqual } from 'node:crypto'
import { ALERT, HandshakeFailure } from './alerts.ts'
import type { Certificate } from './certificate.ts'
import { type CipherSuite, SUITES } from './ciphers/suites.ts'
import { readClientFlight } from './client-flight.ts'
import { deriveSecrets } from './keys.ts'
import {
  type ClientHello,
  DTLS_1_2,
  ECDSA_SECP256R1_SHA256,
  ecdhParams,
  HANDSHAKE_TYPE,
  handshakeMessage,
  NULL_COMPRESSION,
  readClientHello,
  SECP256R1,
  writeCertificate,
  writeCertificateRequest,
  writeHelloVerifyRequest,
  writeServerHello,
  writeServerKeyExchange,
} from './messages.ts'
import { addFragment, eachFragment, type Fragment, type Reassembly, wholeBody } from './reassembly.ts'
import { CONTENT_TYPE, forgetKeys, type RecordLayer, writeRecord } from './records.ts'

export type Handshake = {
  readonly certificate: Certificate
  /** Of the certificate that the client must show. */
  readonly fingerprint: string
  readonly layer: RecordLayer
  readonly refused: RefusedMessages
  /** The message that must come next, or that all have come. Certificate, ClientKeyExchange and CertificateVerify are taken together. */
  state: 'ClientHello' | 'Certificate' | 'Finished' | 'connected'
  /** `handshake_messages`: all so far, each as if it had come in one fragment (RFC 6347, 4.2.6). */
  messages: Buffer[]
  nextReceiveSeq: number
  nextSendSeq: number
  readonly reassembly: Reassembly
  /** The flight that was sent last, and the message_seq of the one it answers: when that is retransmitted, so is the flight. */
  lastFlight: Flight
  lastAnsweredSeq: number
  /** How often this flight was sent because the client asked again, and because it did not answer. */
  flightsAsked: number
  flightsUnasked: number
  suite: CipherSuite
  /** That of the client, that of the server. */
  randoms: Buffer
  ecdh: ECDH | undefined
  /** What the Finished of the client must say, and what ours will. */
  verifyData: { readonly client: Buffer; readonly server: Buffer } | undefined
}

/** Handshake messages that were dropped because they do not fit: forged, or of a client that is not the one of the offer. */
export type RefusedMessages = { unfit: number }

/** Whether a client receives what is sent to the address that it has sent a ClientHello from. */
export type AddressProof = {
  createCookie(hello: ClientHello): Buffer
  /** Whether the cookie in it is one of these. */
  isGivenBy(hello: ClientHello): boolean
}

type Flight = readonly { readonly contentType: number; readonly epoch: 0 | 1; readonly fragment: Buffer }[]

/** Clients need 0 and 1. */
const MAX_HELLO_SEQ = 7
/** The messages of the client's flight, in epoch 0. */
const CLIENT_FLIGHT = [
  HANDSHAKE_TYPE.certificate,
  HANDSHAKE_TYPE.clientKeyExchange,
  HANDSHAKE_TYPE.certificateVerify,
] as const
/** A flight is sent once and four times more to a client that is silent (RFC 6347, 4.2.4.1: after 1, 2, 4 and 8 seconds). */
const MAX_UNASKED_FLIGHTS = 5
/** Chromium asks again after 50 ms, 100 ms and so on, whatever the round trip. */
const MAX_ASKED_FLIGHTS = 15

export function createHandshake(
  certificate: Certificate,
  fingerprint: string,
  layer: RecordLayer,
  refused: RefusedMessages,
): Handshake {
  return {
    certificate,
    fingerprint,
    layer,
    refused,
    state: 'ClientHello',
    messages: [],
    nextReceiveSeq: 0,
    nextSendSeq: 0,
    reassembly: new Map(),
    lastFlight: [],
    lastAnsweredSeq: -1,
    flightsAsked: 0,
    flightsUnasked: 0,
    suite: SUITES[0],
    randoms: Buffer.alloc(0),
    ecdh: undefined,
    verifyData: undefined,
  }
}

/** Takes the plaintext of a handshake record and returns the records to send. Throws a HandshakeFailure. */
export function receiveHandshake(handshake: Handshake, record: Buffer, epoch: number, proof: AddressProof): Buffer[] {
  // Once there are keys, only epoch 1 is from the client for certain.
  if (handshake.state === 'connected' && epoch === 0) return []
  let isAskedAgain = false
  eachFragment(record, (fragment) => {
    const { messageSeq, offset, bytes, length } = fragment
    if (messageSeq === handshake.lastAnsweredSeq && offset + bytes.length === length) isAskedAgain = true
    else if (isExpected(handshake, fragment, epoch)) addFragment(handshake.reassembly, fragment)
    // One that was taken before is a retransmission.
    else if (messageSeq >= handshake.nextReceiveSeq) handshake.refused.unfit++
  })
  const before = handshake.lastFlight
  const helloVerifyRequests = handshake.state === 'ClientHello' ? receiveHellos(handshake, proof) : []
  if (handshake.state === 'Certificate') receiveClientFlight(handshake)
  if (handshake.state === 'Finished') receiveFinished(handshake)
  if (handshake.lastFlight === before) return isAskedAgain ? askedFlight(handshake) : helloVerifyRequests
  handshake.lastAnsweredSeq = handshake.nextReceiveSeq - 1
  handshake.flightsAsked = 0
  handshake.flightsUnasked = 1
  return recordsOf(handshake)
}

/** The last flight once more, in new records, for a client that is silent. Empty: it was sent often enough. */
export function unaskedFlight(handshake: Handshake): Buffer[] {
  return handshake.flightsUnasked++ < MAX_UNASKED_FLIGHTS ? recordsOf(handshake) : []
}

function askedFlight(handshake: Handshake): Buffer[] {
  return handshake.flightsAsked++ < MAX_ASKED_FLIGHTS ? recordsOf(handshake) : []
}

function recordsOf({ lastFlight, layer }: Handshake): Buffer[] {
  return lastFlight.map(({ contentType, epoch, fragment }) => writeRecord(layer, contentType, epoch, fragment))
}

/** Overwrites what keys were made of, and the keys. The private key of an ECDH object is Node's, which frees it with the object. */
export function forgetSecrets(handshake: Handshake): void {
  handshake.ecdh = undefined
  handshake.verifyData = undefined
  handshake.messages = []
  handshake.reassembly.clear()
  forgetKeys(handshake.layer)
}

/** Each message_seq has its type, and Finished is the only message of epoch 1. */
function isExpected({ state, nextReceiveSeq }: Handshake, { type, messageSeq }: Fragment, epoch: number): boolean {
  const ahead = messageSeq - nextReceiveSeq
  if (epoch === 1) return state === 'Finished' && ahead === 0 && type === HANDSHAKE_TYPE.finished
  if (state === 'ClientHello') return type === HANDSHAKE_TYPE.clientHello && messageSeq <= MAX_HELLO_SEQ
  return state === 'Certificate' && type === CLIENT_FLIGHT[ahead]
}

/** Answers each ClientHello by a HelloVerifyRequest and forgets it, until one comes with a cookie. */
function receiveHellos(handshake: Handshake, proof: AddressProof): Buffer[] {
  const { reassembly, layer } = handshake
  const requests: Buffer[] = []
  for (const messageSeq of [...reassembly.keys()]) {
    const body = wholeBody(reassembly, messageSeq)
    if (body === undefined) continue
    reassembly.delete(messageSeq)
    const hello = attempt(() => readClientHello(body))
    if (hello === undefined) handshake.refused.unfit++
    else if (proof.isGivenBy(hello)) {
      reassembly.clear()
      // The message_seq of the ServerHello is that of the ClientHello: there was a HelloVerifyRequest for each before.
      handshake.nextSendSeq = messageSeq
      handshake.nextReceiveSeq = messageSeq + 1
      handshake.messages = [handshakeMessage(HANDSHAKE_TYPE.clientHello, messageSeq, body)]
      answerClientHello(handshake, hello)
      handshake.state = 'Certificate'
      return []
    } else {
      const request = writeHelloVerifyRequest(proof.createCookie(hello))
      const message = handshakeMessage(HANDSHAKE_TYPE.helloVerifyRequest, messageSeq, request)
      requests.push(writeRecord(layer, CONTENT_TYPE.handshake, 0, message))
    }
  }
  return requests
}

/** Undefined: what was read is malformed. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof HandshakeFailure) throw error
    return undefined
  }
}

function answerClientHello(handshake: Handshake, hello: ClientHello): void {
  const { certificate } = handshake
  handshake.suite = negotiate(hello)
  const serverRandom = randomBytes(32)
  handshake.randoms = Buffer.concat([hello.random, serverRandom])
  handshake.ecdh = createECDH('prime256v1')
  const params = ecdhParams(handshake.ecdh.generateKeys())
  const signature = sign('sha256', Buffer.concat([handshake.randoms, params]), certificate.key)
  sendFlight(handshake, [
    [HANDSHAKE_TYPE.serverHello, writeServerHello(serverRandom, handshake.suite.id, hello.hasRenegotiationInfo)],
    [HANDSHAKE_TYPE.certificate, writeCertificate(certificate.der)],
    [HANDSHAKE_TYPE.serverKeyExchange, writeServerKeyExchange(params, signature)],
    [HANDSHAKE_TYPE.certificateRequest, writeCertificateRequest()],
    [HANDSHAKE_TYPE.serverHelloDone, Buffer.alloc(0)],
  ])
}

function negotiate(hello: ClientHello): CipherSuite {
  const fail = (message: string, alert: number = ALERT.handshakeFailure) => new HandshakeFailure(alert, message)
  // Clients of DTLS 1.3 say 1.2 here. Later versions have smaller numbers (RFC 6347, 4.1).
  if (hello.version > DTLS_1_2 || hello.version >>> 8 !== DTLS_1_2 >>> 8)
    throw fail('The client does not have DTLS 1.2.', ALERT.protocolVersion)
  if (!hello.compressionMethods.includes(NULL_COMPRESSION)) throw fail('The client insists on compression.')
  const suite = SUITES.find(({ id }) => hello.cipherSuites.includes(id))
  if (suite === undefined) throw fail('The client has neither cipher suite.')
  const hasP256 =
    hello.supportedGroups.includes(SECP256R1) && hello.signatureAlgorithms.includes(ECDSA_SECP256R1_SHA256)
  if (!hasP256) throw fail('The client does not have ECDHE and ECDSA with P-256.')
  if (!hello.hasExtendedMasterSecret) throw fail('The client does not have the extended master secret.')
  return suite
}

/** All three messages or none: what is wrong with one of them is seen when its signature is verified, and it is not known with which. */
function receiveClientFlight(handshake: Handshake): void {
  const { reassembly, nextReceiveSeq, fingerprint, messages, refused } = handshake
  const bodies = CLIENT_FLIGHT.map((_, i) => wholeBody(reassembly, nextReceiveSeq + i))
  if (!bodies.every((body) => body !== undefined)) return
  const inOrder = bodies.map((body, i) => handshakeMessage(CLIENT_FLIGHT[i], nextReceiveSeq + i, body))
  const secrets = attempt(() => {
    const point = readClientFlight({ bodies, inOrder, before: messages, fingerprint })
    return point && deriveSecrets(handshake, point, [...messages, ...inOrder])
  })
  reassembly.clear()
  if (secrets === undefined) {
    refused.unfit++
    return
  }
  handshake.layer.read = secrets.read
  handshake.layer.write = secrets.write
  handshake.verifyData = secrets.verifyData
  handshake.ecdh = undefined
  handshake.messages = []
  handshake.nextReceiveSeq += CLIENT_FLIGHT.length
  handshake.state = 'Finished'
}

function receiveFinished(handshake: Handshake): void {
  const body = wholeBody(handshake.reassembly, handshake.nextReceiveSeq)
  if (body === undefined) return
  const { client, server } = handshake.verifyData!
  if (body.length !== client.length || !timingSafeEqual(body, client))
    throw new HandshakeFailure(ALERT.decryptError, 'The two ends saw different messages.')
  handshake.reassembly.clear()
  handshake.nextReceiveSeq++
  const finished = handshakeMessage(HANDSHAKE_TYPE.finished, handshake.nextSendSeq++, server)
  handshake.lastFlight = [
    { contentType: CONTENT_TYPE.changeCipherSpec, epoch: 0, fragment: Buffer.of(1) },
    { contentType: CONTENT_TYPE.handshake, epoch: 1, fragment: finished },
  ]
  handshake.state = 'connected'
}

function sendFlight(handshake: Handshake, messages: readonly (readonly [type: number, body: Buffer])[]): void {
  handshake.lastFlight = messages.map(([type, body]) => {
    const message = handshakeMessage(type, handshake.nextSendSeq++, body)
    handshake.messages.push(message)
    return { contentType: CONTENT_TYPE.handshake, epoch: 0, fragment: message }
  })
}
