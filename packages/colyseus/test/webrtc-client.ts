/**
 * A client of data channels for tests, that can be made to do anything wrong: each stage is in the hands of the test.
 *
 * It shares sealing and deriving of keys with the server; that these are right is tested by vectors and with the clients of others.
 */

import { createECDH, createHash, createHmac, randomBytes, sign } from 'node:crypto'
import type { Abuse } from '../src/datagrams/webrtc/budget.ts'
import { type Certificate, createCertificate } from '../src/datagrams/webrtc/certificate.ts'
import { SUITES } from '../src/datagrams/webrtc/ciphers.ts'
import { crc32c } from '../src/datagrams/webrtc/crc.ts'
import { derive } from '../src/datagrams/webrtc/handshake.ts'
import {
  createPeer,
  type Peer,
  type PeerHandlers,
  type RefusedPackets,
  takeFromPeer,
} from '../src/datagrams/webrtc/peer.ts'
import { createPortCounts } from '../src/datagrams/webrtc/port.ts'
import {
  createRecordLayer,
  eachRecord,
  RECORDS,
  type RecordLayer,
  writeRecord,
} from '../src/datagrams/webrtc/records.ts'

// STUN

/** A signed question for a way. */
export function questionOf(name: string, password: string, isChosen = true): Buffer {
  const user = Buffer.from(`${name}:client`)
  const padded = Buffer.concat([user, Buffer.alloc(-user.length & 3)])
  const parts = [hex16(0x0006, user.length), padded, ...(isChosen ? [hex16(0x0025, 0)] : [])]
  const attributes = Buffer.concat(parts)
  const unsigned = Buffer.concat([
    hex16(0x0001, attributes.length + 24),
    hex16(0x2112, 0xa442),
    randomBytes(12),
    attributes,
  ])
  const signature = createHmac('sha1', password).update(unsigned).digest()
  return Buffer.concat([unsigned, hex16(0x0008, 20), signature])
}

function hex16(...values: readonly number[]): Buffer {
  return Buffer.from(values.flatMap((value) => [value >>> 8, value & 0xff]))
}

// SCTP

export const CHUNK = {
  data: 0,
  init: 1,
  initAnswer: 2,
  acknowledge: 3,
  heartbeat: 4,
  heartbeatAnswer: 5,
  abort: 6,
  shutdown: 7,
  shutdownAnswer: 8,
  cookie: 10,
  cookieAnswer: 11,
  reconfigure: 130,
  forward: 192,
} as const
export const PAYLOAD = { channel: 50, text: 51, binary: 53 } as const
/** Whole and without order. */
const WHOLE = 7

export type Chunk = { readonly kind: number; readonly flags: number; readonly body: Buffer }

export function packetOf(tag: number, ...chunks: readonly Chunk[]): Buffer {
  const parts = chunks.map(({ kind, flags, body }) => {
    return Buffer.concat([Buffer.of(kind, flags), hex16(4 + body.length), body, Buffer.alloc(-body.length & 3)])
  })
  const packet = Buffer.concat([hex16(5000, 5000), uint32(tag), Buffer.alloc(4), ...parts])
  packet.writeUInt32LE(crc32c(packet), 8)
  return packet
}

export function chunksOf(packet: Buffer): Chunk[] {
  const chunks: Chunk[] = []
  for (let at = 12; at < packet.length; ) {
    const length = packet.readUInt16BE(at + 2)
    chunks.push({ kind: packet[at], flags: packet[at + 1], body: Buffer.from(packet.subarray(at + 4, at + length)) })
    at += (length + 3) & ~3
  }
  return chunks
}

export type DataOptions = { readonly stream?: number; readonly payload?: number; readonly flags?: number }

export function dataOf(number: number, bytes: Uint8Array, options: DataOptions = {}): Chunk {
  const { stream = 0, payload = PAYLOAD.binary, flags = WHOLE } = options
  return { kind: CHUNK.data, flags, body: Buffer.concat([uint32(number), hex16(stream, 0), uint32(payload), bytes]) }
}

/** The question for a channel without order and without repeats. */
export function openingOf(number: number, stream = 0): Chunk {
  return dataOf(number, Buffer.of(3, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), {
    stream,
    payload: PAYLOAD.channel,
    flags: 3,
  })
}

export function initOf(tag: number, firstNumber: number): Chunk {
  const body = Buffer.concat([uint32(tag), uint32(1 << 17), hex16(16, 16), uint32(firstNumber)])
  return { kind: CHUNK.init, flags: 0, body }
}

/** The cookie in an answer to a first packet. */
export function cookieIn({ body }: Chunk): Buffer {
  for (let at = 16; at + 4 <= body.length; at += (body.readUInt16BE(at + 2) + 3) & ~3) {
    if (body.readUInt16BE(at) === 7) return body.subarray(at + 4, at + body.readUInt16BE(at + 2))
  }
  throw new Error('The answer has no cookie.')
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}

// DTLS

/** A message of the handshake, before it is cut into pieces and put into records. */
export type Message = { readonly kind: number; readonly number: number; readonly body: Buffer }

export const MESSAGE = { hello: 1, certificate: 11, key: 16, proof: 15, finished: 20 } as const

/** The piece of a message from an offset on. */
export function pieceOf({ kind, number, body }: Message, from = 0, to = body.length): Buffer {
  const header = Buffer.alloc(12)
  header[0] = kind
  header.writeUIntBE(body.length, 1, 3)
  header.writeUInt16BE(number, 4)
  header.writeUIntBE(from, 6, 3)
  header.writeUIntBE(to - from, 9, 3)
  return Buffer.concat([header, body.subarray(from, to)])
}

export type ClientOptions = {
  readonly suites?: readonly number[]
  readonly certificate?: Certificate
  /** Leaves out the proof that it has the key of its certificate, and what follows fits. */
  readonly isWithoutProof?: boolean
  /** Says the messages with which the handshake goes on, in place of the usual way: all in one packet. */
  readonly say?: (client: TestClient, messages: readonly Message[]) => void
}

export type TestClient = {
  readonly layer: RecordLayer
  readonly certificate: Certificate
  readonly tag: number
  /** What it has heard: tag of the server, chunks and messages since the channel was asked for. */
  serverTag: number
  readonly chunks: Chunk[]
  readonly messages: Buffer[]
  readonly alerts: Buffer[]
  isConnected: boolean
  isOpen: boolean
  /** The number of its next data. */
  next: number
  start(): void
  take(packet: Buffer): void
  /** Puts messages of the handshake into a packet. */
  pack(messages: readonly Message[]): Buffer
  /** Sends chunks, sealed. */
  sendChunks(...chunks: readonly Chunk[]): void
  sendMessage(bytes: Uint8Array): void
  /** Seals whatever it is. */
  sealed(kind: number, body: Uint8Array): Buffer
}

const sharedCertificate = createCertificate()

export function createClient(send: (packet: Buffer) => void, options: ClientOptions = {}): TestClient {
  const { suites = SUITES.map(({ id }) => id), certificate = sharedCertificate } = options
  const say = options.say ?? ((client, messages) => send(client.pack(messages)))
  const layer = createRecordLayer({ forged: 0, replayed: 0 })
  const transcript: Buffer[] = []
  const random = randomBytes(32)
  const ecdh = createECDH('prime256v1')
  let [serverRandom, serverPoint, suite] = [Buffer.alloc(0), Buffer.alloc(0), SUITES[0]]
  const hash = () => createHash('sha256').update(Buffer.concat(transcript)).digest()
  const add = (kind: number, number: number, body: Buffer): Message => {
    transcript.push(pieceOf({ kind, number, body }))
    return { kind, number, body }
  }

  const extensions = Buffer.concat([
    hex16(10, 4, 2, 23),
    hex16(13, 4, 2, 0x0403),
    hex16(23, 0),
    hex16(0xff01, 1),
    Buffer.of(0),
  ])
  const hello = Buffer.concat([
    hex16(0xfefd),
    random,
    Buffer.of(0, 0),
    hex16(2 * suites.length, ...suites),
    Buffer.of(1, 0),
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
    next: 1_000,
    start: () => say(client, [add(MESSAGE.hello, 0, hello)]),
    take(packet) {
      eachRecord(
        layer,
        Buffer.from(packet),
        () => true,
        (kind, epoch, body) => {
          if (kind === RECORDS.handshake) takeMessage(body, epoch)
          else if (kind === RECORDS.data) takeChunks(body)
          else if (kind === RECORDS.alert) client.alerts.push(body)
        },
      )
    },
    pack(messages) {
      const records = messages.flatMap((message) => {
        const isLast = message.kind === MESSAGE.finished
        const record = writeRecord(layer, RECORDS.handshake, isLast ? 1 : 0, pieceOf(message))
        return isLast ? [writeRecord(layer, RECORDS.changeCipher, 0, Buffer.of(1)), record] : [record]
      })
      return Buffer.concat(records)
    },
    sendChunks: (...chunks) => send(client.sealed(RECORDS.data, packetOf(client.serverTag, ...chunks))),
    sendMessage: (bytes) => client.sendChunks(dataOf(client.next++, bytes)),
    sealed: (kind, body) => writeRecord(layer, kind, 1, body),
  }

  let nextTheirs = 0
  function takeMessage(message: Buffer, epoch: number): void {
    const body = message.subarray(12)
    // What is said again is known.
    if (message.readUInt16BE(4) !== nextTheirs) return
    nextTheirs++
    transcript.push(Buffer.from(message))
    if (message[0] === 2) {
      serverRandom = Buffer.from(body.subarray(2, 34))
      suite = SUITES.find(({ id }) => id === body.readUInt16BE(35))!
    } else if (message[0] === 12) serverPoint = Buffer.from(body.subarray(4, 4 + body[3]))
    else if (message[0] === 14) say(client, lastMessages())
    else if (message[0] === MESSAGE.finished && epoch === 1) {
      client.isConnected = true
      send(client.sealed(RECORDS.data, packetOf(0, initOf(client.tag, client.next))))
    }
  }

  function lastMessages(): Message[] {
    const { der, key } = certificate
    const lengths = [der.length + 3, der.length].map((length) => uint32(length).subarray(1))
    const shown = add(MESSAGE.certificate, 1, Buffer.concat([...lengths, der]))
    const point = ecdh.generateKeys()
    const exchange = add(MESSAGE.key, 2, Buffer.concat([Buffer.of(point.length), point]))
    const master = derive(ecdh.computeSecret(serverPoint), 'extended master secret', hash(), 48)
    const seed = Buffer.concat([serverRandom, random])
    const { keyBytes, nonceBytes } = suite
    const keys = derive(master, 'key expansion', seed, 2 * (keyBytes + nonceBytes))
    const nonces = keys.subarray(2 * keyBytes)
    layer.own = suite.create(keys.subarray(0, keyBytes), nonces.subarray(0, nonceBytes))
    layer.theirs = suite.create(keys.subarray(keyBytes, 2 * keyBytes), nonces.subarray(nonceBytes))
    const finishedOf = (number: number) => add(MESSAGE.finished, number, derive(master, 'client finished', hash(), 12))
    if (options.isWithoutProof) return [shown, exchange, finishedOf(3)]
    const signature = sign('sha256', Buffer.concat(transcript), key)
    const proof = add(MESSAGE.proof, 3, Buffer.concat([hex16(0x0403, signature.length), signature]))
    return [shown, exchange, proof, finishedOf(4)]
  }

  function takeChunks(packet: Buffer): void {
    for (const chunk of chunksOf(packet)) {
      const { kind, body } = chunk
      client.chunks.push(chunk)
      if (kind === CHUNK.initAnswer) {
        client.serverTag = body.readUInt32BE(0)
        client.sendChunks({ kind: CHUNK.cookie, flags: 0, body: cookieIn(chunk) })
      } else if (kind === CHUNK.cookieAnswer) client.sendChunks(openingOf(client.next++))
      else if (kind === CHUNK.data) {
        const [number, payload] = [body.readUInt32BE(0), body.readUInt32BE(8)]
        if (payload === PAYLOAD.channel) {
          client.isOpen = true
          client.sendChunks(acknowledgementOf(number))
        } else client.messages.push(body.subarray(12))
      }
    }
  }
  return client
}

export function acknowledgementOf(number: number, ...gaps: readonly (readonly [number, number])[]): Chunk {
  const body = Buffer.concat([uint32(number), uint32(1 << 17), hex16(gaps.length, 0, ...gaps.flat())])
  return { kind: CHUNK.acknowledge, flags: 0, body }
}

// A client and its peer without a wire

export type Direct = {
  readonly client: TestClient
  readonly peer: Peer
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
const SOMEWHERE = { address: '192.0.2.1', port: 4_000 }

/** Nothing is under way before `client.start()`. */
export function createDirect(options: DirectOptions = {}): Direct {
  const underWay: (() => void)[] = []
  const { refused } = createPortCounts()
  const client = createClient((packet) => {
    options.onPacket?.(packet)
    underWay.push(() => direct.toServer(packet))
  }, options)
  const handlers: PeerHandlers = {
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
  const peer = createPeer({ certificate: serverCertificate, fingerprint, refused, handlers }, 0)
  peer.way = SOMEWHERE
  const direct: Direct = {
    client,
    peer,
    refused,
    delivered: [],
    sent: [],
    isClosed: false,
    abuse: undefined,
    pump() {
      for (let next = underWay.shift(); next !== undefined; next = underWay.shift()) next()
    },
    // A copy: records are opened in their place.
    toServer: (packet) => takeFromPeer(peer, Buffer.from(packet), SOMEWHERE, performance.now()),
  }
  return direct
}

/** For what sends more than a client may. */
export function liftBudget({ peer }: Direct): void {
  Object.assign(peer.budget, { mayTake: () => true, mayRead: () => true, mayExceed: () => true })
}

/** A channel that is open. */
export function connectDirectly(options: DirectOptions = {}): Direct {
  const direct = createDirect(options)
  direct.client.start()
  direct.pump()
  if (!direct.client.isOpen) throw new Error('The channel did not open.')
  return direct
}
