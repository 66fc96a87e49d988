/**
 * A client of data channels for tests, that can be made to do anything wrong: each stage is in the hands of the test.
 *
 * It shares sealing and deriving of keys with the server; that these are right is tested by vectors and with the clients of others.
 */

import { createECDH, createHash, createHmac, randomBytes, sign } from 'node:crypto'
import type { Abuse } from '../src/budget.ts'
import {
  type Connection,
  type ConnectionHandlers,
  createConnection,
  nameOf,
  type RefusedPackets,
  type Remote,
  receiveDtls,
} from '../src/connection.ts'
import { crc32c } from '../src/crc.ts'
import { type Certificate, createCertificate } from '../src/dtls/certificate.ts'
import { SUITES } from '../src/dtls/ciphers/suites.ts'
import { createCookies } from '../src/dtls/cookie.ts'
import { prf } from '../src/dtls/prf.ts'
import { CONTENT_TYPE, createRecordLayer, eachRecord, type RecordLayer, writeRecord } from '../src/dtls/records.ts'
import type { Address } from '../src/ice/stun.ts'
import { createPortCounts } from '../src/port.ts'

// STUN

/** An ICE connectivity check. */
export function bindingRequestOf(
  ufrag: string,
  pwd: string,
  hasUseCandidate = true,
  username = `${ufrag}:client`,
): Buffer {
  const user = Buffer.from(username)
  const padded = Buffer.concat([user, Buffer.alloc(-user.length & 3)])
  const parts = [hex16(0x0006, user.length), padded, ...(hasUseCandidate ? [hex16(0x0025, 0)] : [])]
  const attributes = Buffer.concat(parts)
  const unsigned = Buffer.concat([
    hex16(0x0001, attributes.length + 24),
    hex16(0x2112, 0xa442),
    randomBytes(12),
    attributes,
  ])
  const signature = createHmac('sha1', pwd).update(unsigned).digest()
  return Buffer.concat([unsigned, hex16(0x0008, 20), signature])
}

function hex16(...values: readonly number[]): Buffer {
  return Buffer.from(values.flatMap((value) => [value >>> 8, value & 0xff]))
}

// SCTP

/** Written down once more on purpose: a wrong number in the sources is found here. */
export const CHUNK = {
  data: 0,
  init: 1,
  initAck: 2,
  sack: 3,
  heartbeat: 4,
  heartbeatAck: 5,
  abort: 6,
  shutdown: 7,
  shutdownAck: 8,
  cookieEcho: 10,
  cookieAck: 11,
  reConfig: 130,
  forwardTsn: 192,
} as const
export const PPID = { dcep: 50, string: 51, binary: 53 } as const
/** Flags B, E and U. */
const UNFRAGMENTED_UNORDERED = 7

export type Chunk = { readonly type: number; readonly flags: number; readonly body: Buffer }

export function packetOf(tag: number, ...chunks: readonly Chunk[]): Buffer {
  const parts = chunks.map(({ type, flags, body }) => {
    return Buffer.concat([Buffer.of(type, flags), hex16(4 + body.length), body, Buffer.alloc(-body.length & 3)])
  })
  const packet = Buffer.concat([hex16(5000, 5000), uint32(tag), Buffer.alloc(4), ...parts])
  packet.writeUInt32LE(crc32c(packet), 8)
  return packet
}

export function chunksOf(packet: Buffer): Chunk[] {
  const chunks: Chunk[] = []
  for (let at = 12; at < packet.length; ) {
    const length = packet.readUInt16BE(at + 2)
    chunks.push({ type: packet[at], flags: packet[at + 1], body: Buffer.from(packet.subarray(at + 4, at + length)) })
    at += (length + 3) & ~3
  }
  return chunks
}

export type DataOptions = { readonly stream?: number; readonly ppid?: number; readonly flags?: number }

export function dataOf(tsn: number, bytes: Uint8Array, options: DataOptions = {}): Chunk {
  const { stream = 0, ppid = PPID.binary, flags = UNFRAGMENTED_UNORDERED } = options
  return { type: CHUNK.data, flags, body: Buffer.concat([uint32(tsn), hex16(stream, 0), uint32(ppid), bytes]) }
}

/** For an unordered channel (type 0x80), without a label. */
export function dataChannelOpenOf(tsn: number, stream = 0): Chunk {
  return dataOf(tsn, Buffer.of(3, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), {
    stream,
    ppid: PPID.dcep,
    flags: 3,
  })
}

export function initOf(tag: number, initialTsn: number): Chunk {
  const body = Buffer.concat([uint32(tag), uint32(1 << 17), hex16(16, 16), uint32(initialTsn)])
  return { type: CHUNK.init, flags: 0, body }
}

/** The State Cookie of an INIT ACK. */
export function cookieIn({ body }: Chunk): Buffer {
  for (let at = 16; at + 4 <= body.length; at += (body.readUInt16BE(at + 2) + 3) & ~3) {
    if (body.readUInt16BE(at) === 7) return body.subarray(at + 4, at + body.readUInt16BE(at + 2))
  }
  throw new Error('The INIT ACK has no State Cookie.')
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}

// DTLS

/** A handshake message, before it is cut into fragments and put into records. */
export type Message = { readonly type: number; readonly messageSeq: number; readonly body: Buffer }

export const HANDSHAKE = {
  clientHello: 1,
  certificate: 11,
  clientKeyExchange: 16,
  certificateVerify: 15,
  finished: 20,
} as const

export function fragmentOf({ type, messageSeq, body }: Message, from = 0, to = body.length): Buffer {
  const header = Buffer.alloc(12)
  header[0] = type
  header.writeUIntBE(body.length, 1, 3)
  header.writeUInt16BE(messageSeq, 4)
  header.writeUIntBE(from, 6, 3)
  header.writeUIntBE(to - from, 9, 3)
  return Buffer.concat([header, body.subarray(from, to)])
}

export type ClientOptions = {
  readonly suites?: readonly number[]
  readonly certificate?: Certificate
  /** Of the ClientHello: client_version, the compression method, more extensions. */
  readonly version?: number
  readonly compression?: number
  readonly extensions?: readonly Buffer[]
  /** Of ClientKeyExchange, in place of its own. */
  readonly point?: Buffer
  /** Leaves out CertificateVerify, and what follows fits. */
  readonly isWithoutCertificateVerify?: boolean
  /** Changes the body of a message before it is counted in, so all that is signed and hashed fits to it. */
  readonly change?: (type: number, body: Buffer) => Buffer
  /** Sends the messages of a flight, in place of all in one datagram. */
  readonly sendFlight?: (client: TestClient, messages: readonly Message[]) => void
}

export type TestClient = {
  readonly layer: RecordLayer
  readonly certificate: Certificate
  readonly tag: number
  /** The verification tag of the server, and what was received: chunks, user messages, alerts. */
  serverTag: number
  readonly chunks: Chunk[]
  readonly messages: Buffer[]
  readonly alerts: Buffer[]
  isConnected: boolean
  isOpen: boolean
  nextTsn: number
  start(): void
  take(packet: Buffer): void
  /** Puts handshake messages into a datagram. */
  pack(messages: readonly Message[]): Buffer
  /** Sends chunks in a record of epoch 1. */
  sendChunks(...chunks: readonly Chunk[]): void
  sendMessage(bytes: Uint8Array): void
  /** A record of epoch 1 with whatever it is. */
  protect(type: number, body: Uint8Array): Buffer
}

const sharedCertificate = createCertificate()

export function createClient(send: (packet: Buffer) => void, options: ClientOptions = {}): TestClient {
  const { suites = SUITES.map(({ id }) => id), certificate = sharedCertificate } = options
  const sendFlight = options.sendFlight ?? ((client, messages) => send(client.pack(messages)))
  const layer = createRecordLayer({ forged: 0, replayed: 0 })
  const transcript: Buffer[] = []
  const random = randomBytes(32)
  const ecdh = createECDH('prime256v1')
  let [serverRandom, serverPoint, suite] = [Buffer.alloc(0), Buffer.alloc(0), SUITES[0]]
  const hash = () => createHash('sha256').update(Buffer.concat(transcript)).digest()
  const add = (type: number, messageSeq: number, given: Buffer): Message => {
    const body = options.change?.(type, given) ?? given
    transcript.push(fragmentOf({ type, messageSeq, body }))
    return { type, messageSeq, body }
  }

  const extensions = Buffer.concat([
    ...(options.extensions ?? []),
    hex16(10, 4, 2, 23),
    hex16(13, 4, 2, 0x0403),
    hex16(23, 0),
    hex16(0xff01, 1),
    Buffer.of(0),
  ])
  const helloWith = (cookie: Uint8Array) =>
    Buffer.concat([
      hex16(options.version ?? 0xfefd),
      random,
      Buffer.of(0, cookie.length),
      cookie,
      hex16(2 * suites.length, ...suites),
      Buffer.of(1, options.compression ?? 0),
      hex16(extensions.length),
      extensions,
    ])

  const client: TestClient = {
    layer,
    certificate,
    tag: (randomBytes(4).readUInt32BE() | 1) >>> 0,
    serverTag: 0,
    chunks: [],
    messages: [],
    alerts: [],
    isConnected: false,
    isOpen: false,
    nextTsn: 1_000,
    start: () => sendFlight(client, [{ type: HANDSHAKE.clientHello, messageSeq: 0, body: helloWith(Buffer.alloc(0)) }]),
    take(packet) {
      eachRecord(
        layer,
        Buffer.from(packet),
        { isFull: () => false, admits: () => true, decrypted() {} },
        (type, epoch, body) => {
          if (type === CONTENT_TYPE.handshake) takeMessage(body, epoch)
          else if (type === CONTENT_TYPE.applicationData) takeChunks(body)
          else if (type === CONTENT_TYPE.alert) client.alerts.push(body)
        },
      )
    },
    pack(messages) {
      const records = messages.flatMap((message) => {
        const isLast = message.type === HANDSHAKE.finished
        const record = writeRecord(layer, CONTENT_TYPE.handshake, isLast ? 1 : 0, fragmentOf(message))
        return isLast ? [writeRecord(layer, CONTENT_TYPE.changeCipherSpec, 0, Buffer.of(1)), record] : [record]
      })
      return Buffer.concat(records)
    },
    sendChunks: (...chunks) =>
      send(client.protect(CONTENT_TYPE.applicationData, packetOf(client.serverTag, ...chunks))),
    sendMessage: (bytes) => client.sendChunks(dataOf(client.nextTsn++, bytes)),
    protect: (type, body) => writeRecord(layer, type, 1, body),
  }

  let nextReceiveSeq = 0
  function takeMessage(message: Buffer, epoch: number): void {
    const body = message.subarray(12)
    // A retransmission.
    if (message.readUInt16BE(4) !== nextReceiveSeq) return
    nextReceiveSeq++
    // HelloVerifyRequest and the ClientHello before it are not part of the transcript.
    if (message[0] === 3) {
      const cookie = Buffer.from(body.subarray(3, 3 + body[2]))
      sendFlight(client, [add(HANDSHAKE.clientHello, 1, helloWith(cookie))])
      return
    }
    transcript.push(Buffer.from(message))
    if (message[0] === 2) {
      serverRandom = Buffer.from(body.subarray(2, 34))
      // Behind a session_id, which ours leaves empty.
      suite = SUITES.find(({ id }) => id === body.readUInt16BE(35 + body[34]))!
    } else if (message[0] === 12) serverPoint = Buffer.from(body.subarray(4, 4 + body[3]))
    else if (message[0] === 14) sendFlight(client, lastFlight())
    else if (message[0] === HANDSHAKE.finished && epoch === 1) {
      client.isConnected = true
      send(client.protect(CONTENT_TYPE.applicationData, packetOf(0, initOf(client.tag, client.nextTsn))))
    }
  }

  function lastFlight(): Message[] {
    const { der, key } = certificate
    const lengths = [der.length + 3, der.length].map((length) => uint32(length).subarray(1))
    const shown = add(HANDSHAKE.certificate, 2, Buffer.concat([...lengths, der]))
    const ownPoint = ecdh.generateKeys()
    const point = options.point ?? ownPoint
    const exchange = add(HANDSHAKE.clientKeyExchange, 3, Buffer.concat([Buffer.of(point.length), point]))
    const master = prf(ecdh.computeSecret(serverPoint), 'extended master secret', hash(), 48)
    const seed = Buffer.concat([serverRandom, random])
    const { keyBytes, fixedIvBytes } = suite
    const keys = prf(master, 'key expansion', seed, 2 * (keyBytes + fixedIvBytes))
    const nonces = keys.subarray(2 * keyBytes)
    layer.write = suite.create(keys.subarray(0, keyBytes), nonces.subarray(0, fixedIvBytes))
    layer.read = suite.create(keys.subarray(keyBytes, 2 * keyBytes), nonces.subarray(fixedIvBytes))
    const finishedOf = (messageSeq: number) =>
      add(HANDSHAKE.finished, messageSeq, prf(master, 'client finished', hash(), 12))
    if (options.isWithoutCertificateVerify) return [shown, exchange, finishedOf(4)]
    const signature = sign('sha256', Buffer.concat(transcript), key)
    const certificateVerify = add(
      HANDSHAKE.certificateVerify,
      4,
      Buffer.concat([hex16(0x0403, signature.length), signature]),
    )
    return [shown, exchange, certificateVerify, finishedOf(5)]
  }

  function takeChunks(packet: Buffer): void {
    for (const chunk of chunksOf(packet)) {
      const { type, body } = chunk
      client.chunks.push(chunk)
      if (type === CHUNK.initAck) {
        client.serverTag = body.readUInt32BE(0)
        client.sendChunks({ type: CHUNK.cookieEcho, flags: 0, body: cookieIn(chunk) })
      } else if (type === CHUNK.heartbeat) client.sendChunks({ type: CHUNK.heartbeatAck, flags: 0, body })
      else if (type === CHUNK.cookieAck) client.sendChunks(dataChannelOpenOf(client.nextTsn++))
      else if (type === CHUNK.data) {
        const [tsn, ppid] = [body.readUInt32BE(0), body.readUInt32BE(8)]
        if (ppid === PPID.dcep) {
          client.isOpen = true
          client.sendChunks(sackOf(tsn))
        } else client.messages.push(body.subarray(12))
      }
    }
  }
  return client
}

export function sackOf(cumulativeTsnAck: number, ...gaps: readonly (readonly [number, number])[]): Chunk {
  const body = Buffer.concat([uint32(cumulativeTsnAck), uint32(1 << 17), hex16(gaps.length, 0, ...gaps.flat())])
  return { type: CHUNK.sack, flags: 0, body }
}

// A client and its connection without a network

export type Direct = {
  readonly client: TestClient
  readonly connection: Connection
  readonly refused: RefusedPackets
  /** What the server was handed, and what it has sent. */
  readonly delivered: Buffer[]
  readonly sent: Buffer[]
  isClosed: boolean
  abuse: Abuse | undefined
  /** Hands on everything that is under way, in order. */
  pump(): void
  /** Hands a packet to the server now, without counting it. */
  toServer(packet: Buffer): void
}

export type DirectOptions = ClientOptions & {
  /** The fingerprint that the server was told, where it is not the client's. */
  readonly fingerprint?: string
  /** Notes packets of the client. */
  readonly onPacket?: (packet: Buffer) => void
}

const serverCertificate = createCertificate()
const cookies = createCookies()
const SOMEWHERE = { address: '192.0.2.1', port: 4_000 }

/** An address as a connection knows it. */
export function remoteAt({ address, port }: Address): Remote {
  return { address, port, seenAt: 0, isProved: false }
}

/** Nothing is under way before `client.start()`. */
export function createDirect(options: DirectOptions = {}): Direct {
  const underWay: (() => void)[] = []
  const { refused } = createPortCounts()
  const client = createClient((packet) => {
    options.onPacket?.(packet)
    underWay.push(() => direct.toServer(packet))
  }, options)
  const handlers: ConnectionHandlers = {
    send(packet) {
      const copy = Buffer.from(packet)
      direct.sent.push(copy)
      underWay.push(() => client.take(copy))
    },
    message: (bytes) => void direct.delivered.push(Buffer.from(bytes)),
    closed(abuse) {
      direct.isClosed = true
      direct.abuse = abuse
    },
  }
  const fingerprint = options.fingerprint ?? client.certificate.fingerprint
  const connection = createConnection(
    { certificate: serverCertificate, cookies, fingerprint, refused, handlers },
    performance.now(),
  )
  const somewhere = remoteAt(SOMEWHERE)
  connection.remotes.set(nameOf(somewhere), somewhere)
  const direct: Direct = {
    client,
    connection,
    refused,
    delivered: [],
    sent: [],
    isClosed: false,
    abuse: undefined,
    pump() {
      for (let next = underWay.shift(); next !== undefined; next = underWay.shift()) next()
    },
    // A copy: records are decrypted in place.
    toServer: (packet) => receiveDtls(connection, Buffer.from(packet), somewhere, performance.now()),
  }
  return direct
}

/** For what sends more than a client may. */
export function liftBudget({ connection }: Direct): void {
  const endless = { has: () => true, spend() {} }
  Object.assign(connection.budget, {
    records: endless,
    bytes: endless,
    near: endless,
    far: endless,
    mayExceed: () => true,
  })
}

/** A channel that is open. */
export function connectDirectly(options: DirectOptions = {}): Direct {
  const direct = createDirect(options)
  direct.client.start()
  direct.pump()
  if (!direct.client.isOpen) throw new Error('The channel did not open.')
  return direct
}
