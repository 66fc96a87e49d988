/**
 * The DTLS 1.2 handshake (RFC 6347, 4.2), the server's side, with what every WebRTC client has (RFC 8827, 6.5): ECDHE over P-256 with ECDSA and SHA-256
 * (RFC 8422), two cipher suites, and the extended master secret (RFC 7627).
 *
 *   client                                                                     server
 *   ClientHello                                                          ---->
 *          <----   ServerHello, Certificate, ServerKeyExchange, CertificateRequest, ServerHelloDone
 *   Certificate, ClientKeyExchange, CertificateVerify, ChangeCipherSpec, Finished    ---->
 *                                                                  <----   ChangeCipherSpec, Finished
 *
 *   fragments           RFC 6347, 4.2.3     keys            RFC 5246, 6.3, 8.1
 *   retransmission      RFC 6347, 4.2.4     Finished        RFC 5246, 7.4.9
 *
 * Certificates are trusted by the fingerprints of offer and answer, which came over the socket (RFC 8122). There is no HelloVerifyRequest: before a
 * ClientHello is read, its address has passed an ICE connectivity check, which proves as much as a cookie (RFC 6347, 4.2.1).
 */

import { createECDH, createHash, randomBytes, sign, timingSafeEqual, verify, X509Certificate } from 'node:crypto'
import { type Certificate, fingerprintOf } from './certificate.ts'
import { type CipherSuite, SUITES } from './ciphers/suites.ts'
import {
  ECDSA_SECP256R1_SHA256,
  ecdhParams,
  HANDSHAKE_HEADER_BYTES,
  HANDSHAKE_TYPE,
  handshakeMessage,
  readClientHello,
  reader,
  SECP256R1,
  writeCertificate,
  writeCertificateRequest,
  writeServerHello,
  writeServerKeyExchange,
} from './messages.ts'
import { prf } from './prf.ts'
import { CONTENT_TYPE, type RecordLayer, writeRecord } from './records.ts'

export type Handshake = {
  readonly certificate: Certificate
  /** Of the certificate that the client must show. */
  readonly fingerprint: string
  readonly layer: RecordLayer
  /** The message that must come next, or that all have come. */
  state: 'ClientHello' | 'Certificate' | 'ClientKeyExchange' | 'CertificateVerify' | 'Finished' | 'connected'
  /** `handshake_messages`: all so far, each as if it had come in one fragment (RFC 6347, 4.2.6). */
  messages: Buffer[]
  nextReceiveSeq: number
  nextSendSeq: number
  /** By message_seq: messages that came in fragments or too early. */
  readonly reassembly: Map<number, Reassembly>
  /** The flight that was sent last, and the message_seq of the one it answers: when that is retransmitted, so is the flight. */
  lastFlight: Flight
  lastAnsweredSeq: number
  flightsSent: number
  suite: CipherSuite
  /** That of the client, that of the server. */
  randoms: Buffer
  readonly ecdh: ReturnType<typeof createECDH>
  clientCertificate: X509Certificate | undefined
  masterSecret: Buffer
}

type Reassembly = { readonly type: number; readonly body: Buffer; readonly received: Uint8Array; missing: number }
type Flight = readonly { readonly contentType: number; readonly epoch: 0 | 1; readonly fragment: Buffer }[]

/** Larger than any message of a browser: a ClientHello with a post-quantum key share has 1,700 bytes. */
const MAX_MESSAGE_BYTES = 8_192
const MAX_MESSAGES_AHEAD = 8
/** With retransmissions. */
const MAX_FLIGHTS = 60
const MASTER_SECRET_BYTES = 48
const VERIFY_DATA_BYTES = 12

export function createHandshake(certificate: Certificate, fingerprint: string, layer: RecordLayer): Handshake {
  return {
    certificate,
    fingerprint,
    layer,
    state: 'ClientHello',
    messages: [],
    nextReceiveSeq: 0,
    nextSendSeq: 0,
    reassembly: new Map(),
    lastFlight: [],
    lastAnsweredSeq: -1,
    flightsSent: 0,
    suite: SUITES[0],
    randoms: Buffer.alloc(0),
    ecdh: createECDH('prime256v1'),
    clientCertificate: undefined,
    masterSecret: Buffer.alloc(0),
  }
}

/**
 * Takes the plaintext of a handshake record and returns the records to send. Throws when the handshake has failed: no algorithm in common, another
 * client than the one of the offer, or a message in the wrong place.
 */
export function receiveHandshake(handshake: Handshake, record: Buffer, epoch: number): Buffer[] {
  // Once there are keys, only epoch 1 is from the client for certain.
  if (handshake.state === 'connected' && epoch === 0) return []
  let isRetransmission = false
  for (let at = 0; at + HANDSHAKE_HEADER_BYTES <= record.length; ) {
    const type = record[at]
    const length = record.readUIntBE(at + 1, 3)
    const messageSeq = record.readUInt16BE(at + 4)
    const offset = record.readUIntBE(at + 6, 3)
    const fragmentLength = record.readUIntBE(at + 9, 3)
    const bytes = record.subarray(at + HANDSHAKE_HEADER_BYTES, at + HANDSHAKE_HEADER_BYTES + fragmentLength)
    if (length > MAX_MESSAGE_BYTES || offset + bytes.length > length || bytes.length < fragmentLength) break
    // Finished is the only message of epoch 1.
    const isOfEpoch = (type === HANDSHAKE_TYPE.finished) === (epoch === 1)
    const ahead = messageSeq - handshake.nextReceiveSeq
    if (messageSeq === handshake.lastAnsweredSeq && offset + bytes.length === length) isRetransmission = true
    else if (isOfEpoch && ahead >= 0 && ahead < MAX_MESSAGES_AHEAD)
      addFragment(handshake, type, messageSeq, { length, offset, bytes })
    at += HANDSHAKE_HEADER_BYTES + bytes.length
  }
  const before = handshake.lastFlight
  for (let next = nextMessage(handshake); next !== undefined; next = nextMessage(handshake))
    receiveMessage(handshake, next)
  const isNewFlight = handshake.lastFlight !== before
  if (isNewFlight) handshake.lastAnsweredSeq = handshake.nextReceiveSeq - 1
  return isNewFlight || isRetransmission ? lastFlightAgain(handshake) : []
}

/** The last flight in new records. */
export function lastFlightAgain(handshake: Handshake): Buffer[] {
  const { lastFlight, layer } = handshake
  if (lastFlight.length === 0 || handshake.flightsSent >= MAX_FLIGHTS) return []
  handshake.flightsSent++
  return lastFlight.map(({ contentType, epoch, fragment }) => writeRecord(layer, contentType, epoch, fragment))
}

type Fragment = { readonly length: number; readonly offset: number; readonly bytes: Buffer }

function addFragment(
  { reassembly }: Handshake,
  type: number,
  messageSeq: number,
  { length, offset, bytes }: Fragment,
): void {
  let message = reassembly.get(messageSeq)
  if (message === undefined) {
    message = { type, body: Buffer.alloc(length), received: new Uint8Array(length), missing: length }
    reassembly.set(messageSeq, message)
  }
  if (message.type !== type || message.body.length !== length) return
  for (let i = 0; i < bytes.length; i++) {
    message.missing -= message.received[offset + i] ^ 1
    message.received[offset + i] = 1
    message.body[offset + i] = bytes[i]
  }
}

function nextMessage({ reassembly, nextReceiveSeq }: Handshake): { type: number; body: Buffer } | undefined {
  const message = reassembly.get(nextReceiveSeq)
  if (message === undefined || message.missing > 0) return undefined
  reassembly.delete(nextReceiveSeq)
  return message
}

function receiveMessage(handshake: Handshake, { type, body }: { type: number; body: Buffer }): void {
  const message = handshakeMessage(type, handshake.nextReceiveSeq++, body)
  const { state } = handshake
  if (state === 'ClientHello' && type === HANDSHAKE_TYPE.clientHello) {
    handshake.messages.push(message)
    answerClientHello(handshake, body)
    handshake.state = 'Certificate'
  } else if (state === 'Certificate' && type === HANDSHAKE_TYPE.certificate) {
    receiveCertificate(handshake, body)
    handshake.messages.push(message)
    handshake.state = 'ClientKeyExchange'
  } else if (state === 'ClientKeyExchange' && type === HANDSHAKE_TYPE.clientKeyExchange) {
    // The session hash of RFC 7627 ends with this message.
    handshake.messages.push(message)
    receiveClientKeyExchange(handshake, body)
    handshake.state = 'CertificateVerify'
  } else if (state === 'CertificateVerify' && type === HANDSHAKE_TYPE.certificateVerify) {
    receiveCertificateVerify(handshake, body)
    handshake.messages.push(message)
    handshake.state = 'Finished'
  } else if (state === 'Finished' && type === HANDSHAKE_TYPE.finished) {
    receiveFinished(handshake, body, message)
    handshake.state = 'connected'
    handshake.messages = []
  } else throw new Error(`A handshake message of type ${type} came in place of ${state}.`)
}

function answerClientHello(handshake: Handshake, body: Buffer): void {
  const { certificate, ecdh } = handshake
  const hello = readClientHello(body)
  const suite = SUITES.find(({ id }) => hello.cipherSuites.includes(id))
  if (suite === undefined) throw new Error('The client has neither cipher suite.')
  handshake.suite = suite
  const hasP256 =
    hello.supportedGroups.includes(SECP256R1) && hello.signatureAlgorithms.includes(ECDSA_SECP256R1_SHA256)
  if (!hasP256) throw new Error('The client does not have ECDHE and ECDSA with P-256.')
  if (!hello.hasExtendedMasterSecret) throw new Error('The client does not have the extended master secret.')
  const serverRandom = randomBytes(32)
  handshake.randoms = Buffer.concat([hello.random, serverRandom])
  const params = ecdhParams(ecdh.generateKeys())
  const signature = sign('sha256', Buffer.concat([handshake.randoms, params]), certificate.key)
  sendFlight(handshake, [
    [HANDSHAKE_TYPE.serverHello, writeServerHello(serverRandom, suite.id, hello.hasRenegotiationInfo)],
    [HANDSHAKE_TYPE.certificate, writeCertificate(certificate.der)],
    [HANDSHAKE_TYPE.serverKeyExchange, writeServerKeyExchange(params, signature)],
    [HANDSHAKE_TYPE.certificateRequest, writeCertificateRequest()],
    [HANDSHAKE_TYPE.serverHelloDone, Buffer.alloc(0)],
  ])
}

function receiveCertificate(handshake: Handshake, body: Buffer): void {
  const der = reader(reader(body).vector(3)).vector(3)
  if (fingerprintOf(der) !== handshake.fingerprint)
    throw new Error('The certificate of the client does not have the fingerprint of its offer.')
  handshake.clientCertificate = new X509Certificate(der)
}

function receiveClientKeyExchange(handshake: Handshake, body: Buffer): void {
  const premasterSecret = handshake.ecdh.computeSecret(reader(body).vector(1))
  const sessionHash = hashOf(handshake)
  handshake.masterSecret = prf(premasterSecret, 'extended master secret', sessionHash, MASTER_SECRET_BYTES)
  const { masterSecret, randoms, layer, suite } = handshake
  const { keyBytes, fixedIvBytes } = suite
  const serverThenClient = Buffer.concat([randoms.subarray(32), randoms.subarray(0, 32)])
  const keyBlock = reader(prf(masterSecret, 'key expansion', serverThenClient, 2 * (keyBytes + fixedIvBytes)))
  const [clientWriteKey, serverWriteKey] = [keyBlock.opaque(keyBytes), keyBlock.opaque(keyBytes)]
  layer.read = suite.create(clientWriteKey, keyBlock.opaque(fixedIvBytes))
  layer.write = suite.create(serverWriteKey, keyBlock.opaque(fixedIvBytes))
}

/** RFC 5246, 7.4.8: the client has signed all messages so far with the key of its certificate. */
function receiveCertificateVerify({ messages, clientCertificate }: Handshake, body: Buffer): void {
  const digitallySigned = reader(body)
  const isKnown = digitallySigned.uint16() === ECDSA_SECP256R1_SHA256
  const { publicKey } = clientCertificate!
  if (!isKnown || !verify('sha256', Buffer.concat(messages), publicKey, digitallySigned.vector(2))) {
    throw new Error('The client does not have the key of its certificate.')
  }
}

function receiveFinished(handshake: Handshake, verifyData: Buffer, message: Buffer): void {
  const { masterSecret } = handshake
  const expected = prf(masterSecret, 'client finished', hashOf(handshake), VERIFY_DATA_BYTES)
  if (verifyData.length !== expected.length || !timingSafeEqual(verifyData, expected))
    throw new Error('The verify_data of the client is wrong: the two ends saw different messages.')
  handshake.messages.push(message)
  const own = prf(masterSecret, 'server finished', hashOf(handshake), VERIFY_DATA_BYTES)
  const finished = handshakeMessage(HANDSHAKE_TYPE.finished, handshake.nextSendSeq++, own)
  handshake.lastFlight = [
    { contentType: CONTENT_TYPE.changeCipherSpec, epoch: 0, fragment: Buffer.of(1) },
    { contentType: CONTENT_TYPE.handshake, epoch: 1, fragment: finished },
  ]
}

function sendFlight(handshake: Handshake, messages: readonly (readonly [type: number, body: Buffer])[]): void {
  handshake.lastFlight = messages.map(([type, body]) => {
    const message = handshakeMessage(type, handshake.nextSendSeq++, body)
    handshake.messages.push(message)
    return { contentType: CONTENT_TYPE.handshake, epoch: 0, fragment: message }
  })
}

function hashOf({ messages }: Handshake): Buffer {
  const hash = createHash('sha256')
  for (const message of messages) hash.update(message)
  return hash.digest()
}
