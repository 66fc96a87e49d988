/**
 * The handshake of DTLS 1.2 (RFC 6347), the server's side, with the algorithms that every browser has: ECDHE over P-256, ECDSA, SHA-256,
 * two ciphers, and the extended master secret (RFC 7627).
 *
 * Both sides show a certificate whose fingerprint the other got over the socket. What a client says again is answered again, and
 * what it has not answered is said again. The first message needs no cookie against forged addresses: before it, the address
 * has answered to a password (stun.ts).
 */

import {
  createECDH,
  createHash,
  createHmac,
  randomBytes,
  sign,
  timingSafeEqual,
  verify,
  X509Certificate,
} from 'node:crypto'
import { type Certificate, fingerprintOf } from './certificate.ts'
import { type CipherSuite, SUITES } from './ciphers/suites.ts'
import { RECORDS, type RecordLayer, writeRecord } from './records.ts'

export type Handshake = {
  readonly certificate: Certificate
  /** Of the certificate that the client must show. */
  readonly fingerprint: string
  readonly layer: RecordLayer
  state: 'hello' | 'certificate' | 'key' | 'proof' | 'finished' | 'done'
  /** The messages so far, each whole. */
  transcript: Buffer[]
  /** Numbers of the next message of each side. */
  nextTheirs: number
  nextOwn: number
  /** Messages that came in pieces or too early. */
  readonly pieces: Map<number, Pieces>
  /** What was said last, and the number of the message that it answers: when the end of that one comes again, it is said again. */
  lastFlight: Flight
  lastAnswered: number
  flightsSent: number
  suite: CipherSuite
  randoms: Buffer
  readonly ecdh: ReturnType<typeof createECDH>
  clientCertificate: X509Certificate | undefined
  master: Buffer
}

type Pieces = { readonly kind: number; readonly body: Buffer; readonly has: Uint8Array; missing: number }
type Flight = readonly { readonly kind: number; readonly epoch: 0 | 1; readonly body: Buffer }[]

const MESSAGES = {
  clientHello: 1,
  serverHello: 2,
  certificate: 11,
  serverKeyExchange: 12,
  certificateRequest: 13,
  serverHelloDone: 14,
  certificateVerify: 15,
  clientKeyExchange: 16,
  finished: 20,
} as const

const HEADER_BYTES = 12
/** Larger than any message of a browser: with keys that resist quantum computers a first one has 1,700 bytes. */
const MAX_MESSAGE_BYTES = 8_192
const MAX_AHEAD = 8
/** How often something is said, and said again. */
const MAX_FLIGHTS = 60
const VERSION = 0xfefd
/** With which clients say that they know secure renegotiation, in place of the extension. There is none here, and that must be said. */
const RENEGOTIATION_SUITE = 0x00ff
const EXTENSIONS = { groups: 10, signatures: 13, extendedMasterSecret: 23, renegotiation: 0xff01 } as const
const P256 = 23
const ECDSA_P256_SHA256 = 0x0403
const SIGN_CERTIFICATES = 64

export function createHandshake(certificate: Certificate, fingerprint: string, layer: RecordLayer): Handshake {
  return {
    certificate,
    fingerprint,
    layer,
    state: 'hello',
    transcript: [],
    nextTheirs: 0,
    nextOwn: 0,
    pieces: new Map(),
    lastFlight: [],
    lastAnswered: -1,
    flightsSent: 0,
    suite: SUITES[0],
    randoms: Buffer.alloc(0),
    ecdh: createECDH('prime256v1'),
    clientCertificate: undefined,
    master: Buffer.alloc(0),
  }
}

/**
 * Takes a record of the handshake and returns the records to send. Throws when the client cannot be talked to or is not the one that was expected;
 * then the connection is over.
 */
export function takeHandshake(handshake: Handshake, record: Buffer, epoch: number): Buffer[] {
  // Once there are keys, only what is sealed is from the client for certain.
  if (handshake.state === 'done' && epoch === 0) return []
  let isOld = false
  for (let at = 0; at + HEADER_BYTES <= record.length; ) {
    const length = record.readUIntBE(at + 1, 3)
    const number = record.readUInt16BE(at + 4)
    const offset = record.readUIntBE(at + 6, 3)
    const piece = record.subarray(at + HEADER_BYTES, at + HEADER_BYTES + record.readUIntBE(at + 9, 3))
    if (length > MAX_MESSAGE_BYTES || offset + piece.length > length || piece.length < record.readUIntBE(at + 9, 3))
      break
    // The last message is the first that is sealed, and no other is.
    const isExpected = (record[at] === MESSAGES.finished) === (epoch === 1)
    const isNear = number >= handshake.nextTheirs && number < handshake.nextTheirs + MAX_AHEAD
    if (number === handshake.lastAnswered && offset + piece.length === length) isOld = true
    else if (isExpected && isNear) addPiece(handshake, record[at], number, { length, offset, piece })
    at += HEADER_BYTES + piece.length
  }
  const before = handshake.lastFlight
  for (let whole = takeWhole(handshake); whole !== undefined; whole = takeWhole(handshake))
    takeMessage(handshake, whole)
  const isNew = handshake.lastFlight !== before
  if (isNew) handshake.lastAnswered = handshake.nextTheirs - 1
  return isNew || isOld ? sayAgain(handshake) : []
}

/** The records that were sent last, for as long as the client has not answered them. */
export function sayAgain(handshake: Handshake): Buffer[] {
  const { lastFlight, layer } = handshake
  if (lastFlight.length === 0 || handshake.flightsSent >= MAX_FLIGHTS) return []
  handshake.flightsSent++
  return lastFlight.map(({ kind, epoch, body }) => writeRecord(layer, kind, epoch, body))
}

type Fragment = { readonly length: number; readonly offset: number; readonly piece: Buffer }

function addPiece({ pieces }: Handshake, kind: number, number: number, { length, offset, piece }: Fragment): void {
  let all = pieces.get(number)
  if (all === undefined) {
    all = { kind, body: Buffer.alloc(length), has: new Uint8Array(length), missing: length }
    pieces.set(number, all)
  }
  if (all.kind !== kind || all.body.length !== length) return
  for (let i = 0; i < piece.length; i++) {
    all.missing -= all.has[offset + i] ^ 1
    all.has[offset + i] = 1
    all.body[offset + i] = piece[i]
  }
}

function takeWhole(handshake: Handshake): { kind: number; body: Buffer } | undefined {
  const all = handshake.pieces.get(handshake.nextTheirs)
  if (all === undefined || all.missing > 0) return undefined
  handshake.pieces.delete(handshake.nextTheirs)
  return all
}

function takeMessage(handshake: Handshake, { kind, body }: { kind: number; body: Buffer }): void {
  const whole = messageOf(kind, handshake.nextTheirs++, body)
  const { state } = handshake
  if (state === 'hello' && kind === MESSAGES.clientHello) {
    handshake.transcript.push(whole)
    answerHello(handshake, body)
    handshake.state = 'certificate'
  } else if (state === 'certificate' && kind === MESSAGES.certificate) {
    takeCertificate(handshake, body)
    handshake.transcript.push(whole)
    handshake.state = 'key'
  } else if (state === 'key' && kind === MESSAGES.clientKeyExchange) {
    handshake.transcript.push(whole)
    takeKey(handshake, body)
    handshake.state = 'proof'
  } else if (state === 'proof' && kind === MESSAGES.certificateVerify) {
    takeProof(handshake, body)
    handshake.transcript.push(whole)
    handshake.state = 'finished'
  } else if (state === 'finished' && kind === MESSAGES.finished) {
    takeFinished(handshake, body, whole)
    handshake.state = 'done'
    handshake.transcript = []
  } else throw new Error(`A message of kind ${kind} came in state "${state}".`)
}

function answerHello(handshake: Handshake, hello: Buffer): void {
  const { certificate, ecdh } = handshake
  const { random, suites, extensions } = readHello(hello)
  const groups = numbersIn(extensions.get(EXTENSIONS.groups))
  const signatures = numbersIn(extensions.get(EXTENSIONS.signatures))
  const suite = SUITES.find(({ id }) => suites.includes(id))
  if (suite === undefined) throw new Error('The client knows neither cipher.')
  handshake.suite = suite
  if (!groups.includes(P256) || !signatures.includes(ECDSA_P256_SHA256))
    throw new Error('The client does not know P-256.')
  if (!extensions.has(EXTENSIONS.extendedMasterSecret))
    throw new Error('The client does not know the extended master secret.')
  const knowsRenegotiation = suites.includes(RENEGOTIATION_SUITE) || extensions.has(EXTENSIONS.renegotiation)
  const ownRandom = randomBytes(32)
  handshake.randoms = Buffer.concat([random, ownRandom])
  const ownExtensions = Buffer.concat([
    ...(knowsRenegotiation ? [extension(EXTENSIONS.renegotiation, Buffer.of(0))] : []),
    extension(EXTENSIONS.extendedMasterSecret, Buffer.alloc(0)),
  ])
  const point = ecdh.generateKeys()
  const exchange = Buffer.concat([Buffer.of(3, 0, P256, point.length), point])
  const signature = sign('sha256', Buffer.concat([handshake.randoms, exchange]), certificate.key)
  sendFlight(handshake, [
    [
      MESSAGES.serverHello,
      Buffer.concat([
        uint16(VERSION),
        ownRandom,
        Buffer.of(0),
        uint16(suite.id),
        Buffer.of(0),
        sized(2, ownExtensions),
      ]),
    ],
    [MESSAGES.certificate, sized(3, sized(3, certificate.der))],
    [MESSAGES.serverKeyExchange, Buffer.concat([exchange, uint16(ECDSA_P256_SHA256), sized(2, signature)])],
    [
      MESSAGES.certificateRequest,
      Buffer.concat([Buffer.of(1, SIGN_CERTIFICATES), sized(2, uint16(ECDSA_P256_SHA256)), uint16(0)]),
    ],
    [MESSAGES.serverHelloDone, Buffer.alloc(0)],
  ])
}

function takeCertificate(handshake: Handshake, body: Buffer): void {
  const read = reader(body)
  const der = reader(read.sized(3)).sized(3)
  if (fingerprintOf(der) !== handshake.fingerprint)
    throw new Error('The client shows another certificate than the one it has offered.')
  handshake.clientCertificate = new X509Certificate(der)
}

function takeKey(handshake: Handshake, body: Buffer): void {
  const secret = handshake.ecdh.computeSecret(reader(body).sized(1))
  handshake.master = derive(secret, 'extended master secret', transcriptHash(handshake), 48)
  const { master, randoms, layer, suite } = handshake
  const seed = Buffer.concat([randoms.subarray(32), randoms.subarray(0, 32)])
  const keys = reader(derive(master, 'key expansion', seed, 2 * (suite.keyBytes + suite.nonceBytes)))
  const [theirKey, ownKey] = [keys.take(suite.keyBytes), keys.take(suite.keyBytes)]
  layer.theirs = suite.create(theirKey, keys.take(suite.nonceBytes))
  layer.own = suite.create(ownKey, keys.take(suite.nonceBytes))
}

/** The client has the key of its certificate: it has signed everything that was said. */
function takeProof({ transcript, clientCertificate }: Handshake, body: Buffer): void {
  const read = reader(body)
  const isKnown = read.uint16() === ECDSA_P256_SHA256
  if (!isKnown || !verify('sha256', Buffer.concat(transcript), clientCertificate!.publicKey, read.sized(2))) {
    throw new Error('The client does not have the key of its certificate.')
  }
}

function takeFinished(handshake: Handshake, body: Buffer, whole: Buffer): void {
  const expected = derive(handshake.master, 'client finished', transcriptHash(handshake), 12)
  if (body.length !== expected.length || !timingSafeEqual(body, expected))
    throw new Error('The two sides heard different things.')
  handshake.transcript.push(whole)
  const finished = derive(handshake.master, 'server finished', transcriptHash(handshake), 12)
  handshake.lastFlight = [
    { kind: RECORDS.changeCipher, epoch: 0, body: Buffer.of(1) },
    { kind: RECORDS.handshake, epoch: 1, body: messageOf(MESSAGES.finished, handshake.nextOwn++, finished) },
  ]
}

function sendFlight(handshake: Handshake, messages: readonly (readonly [kind: number, body: Buffer])[]): void {
  handshake.lastFlight = messages.map(([kind, body]) => {
    const whole = messageOf(kind, handshake.nextOwn++, body)
    handshake.transcript.push(whole)
    return { kind: RECORDS.handshake, epoch: 0, body: whole }
  })
}

function messageOf(kind: number, number: number, body: Buffer): Buffer {
  const whole = Buffer.alloc(HEADER_BYTES + body.length)
  whole[0] = kind
  whole.writeUIntBE(body.length, 1, 3)
  whole.writeUInt16BE(number, 4)
  whole.writeUIntBE(body.length, 9, 3)
  whole.set(body, HEADER_BYTES)
  return whole
}

function readHello(body: Buffer): { random: Buffer; suites: number[]; extensions: Map<number, Buffer> } {
  const read = reader(body)
  read.uint16()
  const random = Buffer.from(read.take(32))
  // A session to go on with, a cookie.
  read.sized(1)
  read.sized(1)
  const suites = numbersOf(read.sized(2))
  read.sized(1)
  const extensions = new Map<number, Buffer>()
  const rest = reader(read.isAtEnd() ? Buffer.alloc(0) : read.sized(2))
  while (!rest.isAtEnd()) extensions.set(rest.uint16(), rest.sized(2))
  return { random, suites, extensions }
}

function transcriptHash({ transcript }: Handshake): Buffer {
  const hash = createHash('sha256')
  for (const message of transcript) hash.update(message)
  return hash.digest()
}

/** The function with which TLS makes keys of secrets (RFC 5246, 5). */
export function derive(secret: Uint8Array, label: string, seed: Uint8Array, length: number): Buffer {
  const salted = Buffer.concat([Buffer.from(label, 'latin1'), seed])
  const hmac = (...parts: readonly Uint8Array[]) => createHmac('sha256', secret).update(Buffer.concat(parts)).digest()
  const made: Buffer[] = []
  for (let at = 0, last = hmac(salted); at < length; at += 32, last = hmac(last)) made.push(hmac(last, salted))
  return Buffer.concat(made).subarray(0, length)
}

/** Throws at the end of the bytes. */
function reader(bytes: Buffer) {
  let at = 0
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw new Error('A message of the handshake is too short.')
    at += length
    return bytes.subarray(at - length, at)
  }
  return {
    take,
    uint16: () => take(2).readUInt16BE(0),
    /** Bytes behind their number, which takes `bytes` itself. */
    sized: (lengthBytes: number) => take(take(lengthBytes).readUIntBE(0, lengthBytes)),
    isAtEnd: () => at === bytes.length,
  }
}

function numbersOf(bytes: Buffer): number[] {
  return Array.from({ length: bytes.length >>> 1 }, (_, i) => bytes.readUInt16BE(2 * i))
}

/** The numbers of an extension that is a list of them. */
function numbersIn(extension: Buffer | undefined): number[] {
  return extension === undefined ? [] : numbersOf(reader(extension).sized(2))
}

function uint16(value: number): Buffer {
  return Buffer.of(value >>> 8, value & 0xff)
}

function sized(lengthBytes: number, bytes: Buffer): Buffer {
  const length = Buffer.alloc(lengthBytes)
  length.writeUIntBE(bytes.length, 0, lengthBytes)
  return Buffer.concat([length, bytes])
}

function extension(kind: number, body: Buffer): Buffer {
  return Buffer.concat([uint16(kind), sized(2, body)])
}
