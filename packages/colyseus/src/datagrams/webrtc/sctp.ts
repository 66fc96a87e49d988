/**
 * SCTP (RFC 9260) and the opening of a data channel (RFC 8832), as far as one channel without order and without repeats needs it.
 *
 * What was sent is forgotten: nothing is sent again except the answer that opens the channel. So there is no window and no queue, either: the
 * netcode sends few and small packets, at a rate of its own. The other side waits for numbers that are lost; after a while it is told to
 * give them up (RFC 3758). Acknowledgements travel with data, or alone when there is none for a moment.
 */

import { randomBytes } from 'node:crypto'
import { crc32c } from './crc.ts'

export type Association = {
  /** Hands a packet on to be sealed. It is used again after that. */
  readonly send: (packet: Buffer) => void
  readonly handlers: AssociationHandlers
  readonly ownTag: number
  theirTag: number
  readonly cookie: Buffer
  isOpen: boolean
  isClosed: boolean
  /** The stream of the channel; undefined before it was opened. */
  stream: number | undefined
  /** The last number up to which everything came or was given up, and which of those after it came: one byte each, by the number's last bits. */
  cumulative: number
  readonly came: Uint8Array
  /** How far ahead of the last number the furthest is that came. */
  furthest: number
  /** When the oldest packet came that is not acknowledged yet; undefined: all are. */
  unacknowledgedSince: number | undefined
  nextNumber: number
  /** The other side has everything up to here, or has given it up. */
  acknowledged: number
  /** The last number that nobody has to wait for: it was acknowledged, or sent long ago. */
  given: number
  /** When the last numbers were sent, by their last bits. */
  readonly sentAt: Float64Array
  /** The number of the answer that has opened the channel, until it is acknowledged. */
  openAnswer: number | undefined
  openAnswerSentAt: number
}

export type AssociationHandlers = {
  message(bytes: Buffer): void
  closed(): void
}

const CHUNKS = {
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
const PARAMETERS = { cookie: 7, resetRequest: 13, resetAnswer: 16, extensions: 0x8008, forward: 0xc000 } as const
/** What a message is: its "payload protocol". */
const PAYLOADS = { channel: 50, binary: 53 } as const
const CHANNEL_OPEN = 3
const CHANNEL_OPENED = 2
const FLAGS = { end: 1, begin: 2, unordered: 4, whole: 3, atOnce: 8 } as const

const HEADER_BYTES = 12
const DATA_HEADER_BYTES = 16
/** As many numbers are kept of each side: far more than are under way. A power of two. */
const WINDOW = 1024
/** What we say that we can take. Messages are handed on at once. */
const ROOM_BYTES = 256 * 1024
/** Of more it is not said that they came, so that an acknowledgement fits beside a long message. */
const MAX_GAPS = 16
/** What has not been acknowledged for so long is given up. */
const GIVE_UP_MS = 500
/** How long an acknowledgement waits for data to travel with. Senders wait for at least 220 ms before they take something for lost. */
const ACKNOWLEDGE_WITHIN_MS = 80
const SAY_AGAIN_MS = 200

export function createAssociation(send: (packet: Buffer) => void, handlers: AssociationHandlers): Association {
  const first = randomBytes(4).readUInt32BE()
  return {
    send,
    handlers,
    // Never 0, which is the tag of a packet that has none.
    ownTag: (randomBytes(4).readUInt32BE() | 1) >>> 0,
    theirTag: 0,
    cookie: randomBytes(32),
    isOpen: false,
    isClosed: false,
    stream: undefined,
    cumulative: 0,
    came: new Uint8Array(WINDOW),
    furthest: 0,
    unacknowledgedSince: undefined,
    nextNumber: first,
    acknowledged: (first - 1) >>> 0,
    given: (first - 1) >>> 0,
    sentAt: new Float64Array(WINDOW),
    openAnswer: undefined,
    openAnswerSentAt: 0,
  }
}

/** Sends a message, once. False before the channel is open. */
export function sendMessage(association: Association, bytes: Uint8Array, now: number): boolean {
  if (association.stream === undefined || association.isClosed) return false
  begin(association)
  addDue(association, now)
  addData(association, { payload: PAYLOADS.binary, flags: FLAGS.whole | FLAGS.unordered, bytes }, now)
  finish(association)
  return true
}

/** Call it every now and then: sends what has waited long enough for data to travel with. */
export function keepAssociation(association: Association, now: number): void {
  const { unacknowledgedSince, openAnswer, openAnswerSentAt } = association
  const isDue = unacknowledgedSince !== undefined && now - unacknowledgedSince >= ACKNOWLEDGE_WITHIN_MS
  const isUnheard = openAnswer !== undefined && now - openAnswerSentAt >= SAY_AGAIN_MS
  if (!association.isOpen || association.isClosed || !(isDue || isUnheard)) return
  begin(association)
  addDue(association, now)
  finish(association)
}

/** Tells the other side that it is over. */
export function abortAssociation(association: Association): void {
  if (association.isClosed) return
  association.isClosed = true
  if (association.theirTag === 0) return
  begin(association)
  addChunk(CHUNKS.abort, 0, 0)
  finish(association)
}

export function takePacket(association: Association, packet: Buffer, now: number): void {
  if (packet.length < HEADER_BYTES || association.isClosed || !hasChecksum(packet)) return
  const tag = packet.readUInt32BE(4)
  hasAnswered = false
  for (let at = HEADER_BYTES; at + 4 <= packet.length; ) {
    const length = packet.readUInt16BE(at + 2)
    if (length < 4 || at + length > packet.length) return
    const kind = packet[at]
    // A first packet cannot know our tag yet.
    if (tag === (kind === CHUNKS.init ? 0 : association.ownTag)) {
      takeChunk(association, kind, packet.subarray(at, at + length), now)
    }
    if (association.isClosed) return
    at += (length + 3) & ~3
  }
}

function takeChunk(association: Association, kind: number, chunk: Buffer, now: number): void {
  if (kind === CHUNKS.data) takeData(association, chunk, now)
  else if (kind === CHUNKS.acknowledge) takeAcknowledgement(association, chunk)
  else if (kind === CHUNKS.forward) takeForward(association, chunk, now)
  else if (kind === CHUNKS.init) answerInit(association, chunk)
  else if (kind === CHUNKS.cookie) answerCookie(association, chunk)
  else if (kind === CHUNKS.heartbeat) answer(association, CHUNKS.heartbeatAnswer, chunk.subarray(4))
  else if (kind === CHUNKS.abort) close(association)
  else if (kind === CHUNKS.shutdown) {
    answer(association, CHUNKS.shutdownAnswer, chunk.subarray(0, 0))
    close(association)
  } else if (kind === CHUNKS.reconfigure) takeReset(association, chunk)
}

// Opening and closing

function answerInit(association: Association, chunk: Buffer): void {
  // Once it is open, a first packet is one that was under way for long.
  if (chunk.length < 20 || association.isOpen) return
  association.theirTag = chunk.readUInt32BE(4)
  association.cumulative = (chunk.readUInt32BE(16) - 1) >>> 0
  const { ownTag, nextNumber, cookie } = association
  const body = Buffer.alloc(16)
  body.writeUInt32BE(ownTag, 0)
  body.writeUInt32BE(ROOM_BYTES, 4)
  body.writeUInt16BE(0xffff, 8)
  body.writeUInt16BE(0xffff, 10)
  body.writeUInt32BE(nextNumber, 12)
  const extensions = parameter(PARAMETERS.extensions, Buffer.of(CHUNKS.reconfigure, CHUNKS.forward))
  const parts = [body, parameter(PARAMETERS.cookie, cookie), parameter(PARAMETERS.forward, Buffer.alloc(0)), extensions]
  answer(association, CHUNKS.initAnswer, Buffer.concat(parts))
}

function answerCookie(association: Association, chunk: Buffer): void {
  if (!association.cookie.equals(chunk.subarray(4))) return
  association.isOpen = true
  answer(association, CHUNKS.cookieAnswer, chunk.subarray(0, 0))
}

/** A client that closes its channel asks for an end of its stream. */
function takeReset(association: Association, chunk: Buffer): void {
  if (!association.isOpen || chunk.length < 12 || chunk.readUInt16BE(4) !== PARAMETERS.resetRequest) return
  const done = Buffer.alloc(8)
  done.writeUInt32BE(chunk.readUInt32BE(8), 0)
  done.writeUInt32BE(1, 4)
  answer(association, CHUNKS.reconfigure, parameter(PARAMETERS.resetAnswer, done))
  close(association)
}

function close(association: Association): void {
  association.isClosed = true
  association.handlers.closed()
}

// What comes

function takeData(association: Association, chunk: Buffer, now: number): void {
  if (chunk.length < DATA_HEADER_BYTES || !association.isOpen) return
  association.unacknowledgedSince ??= now
  if ((chunk[1] & FLAGS.atOnce) !== 0) association.unacknowledgedSince = Number.NEGATIVE_INFINITY
  if (!noteCame(association, chunk.readUInt32BE(4))) return
  const stream = chunk.readUInt16BE(8)
  const payload = chunk.readUInt32BE(12)
  const bytes = chunk.subarray(DATA_HEADER_BYTES)
  const isWhole = (chunk[1] & FLAGS.whole) === FLAGS.whole
  if (payload === PAYLOADS.channel) {
    // One channel is enough.
    if (bytes[0] === CHANNEL_OPEN && isWhole && association.stream === undefined) openChannel(association, stream, now)
  } else if (stream === association.stream) {
    // What comes in pieces is longer than anything of ours: it is handed on as nothing, for the room to count.
    if (isWhole) association.handlers.message(payload === PAYLOADS.binary ? bytes : bytes.subarray(0, 0))
    else if ((chunk[1] & FLAGS.begin) !== 0) association.handlers.message(bytes.subarray(0, 0))
  }
}

function openChannel(association: Association, stream: number, now: number): void {
  association.stream = stream
  association.openAnswer = association.nextNumber
  begin(association)
  addDue(association, now)
  addData(association, OPENED, now)
  association.openAnswerSentAt = now
  finish(association)
}

const OPENED: Data = { payload: PAYLOADS.channel, flags: FLAGS.whole, bytes: Uint8Array.of(CHANNEL_OPENED) }

/** False: it has come before, or is too far ahead. */
function noteCame(association: Association, number: number): boolean {
  const { came } = association
  const ahead = (number - association.cumulative) | 0
  if (ahead <= 0 || ahead >= WINDOW || came[number % WINDOW] !== 0) return false
  came[number % WINDOW] = 1
  if (ahead > association.furthest) association.furthest = ahead
  skipCame(association)
  return true
}

/** Moves on over everything that came in a row. */
function skipCame(association: Association): void {
  const { came } = association
  while (association.furthest > 0 && came[(association.cumulative + 1) % WINDOW] !== 0) moveOn(association)
}

function moveOn(association: Association): void {
  association.cumulative = (association.cumulative + 1) >>> 0
  association.came[association.cumulative % WINDOW] = 0
  association.furthest = Math.max(association.furthest - 1, 0)
}

/** The other side has given up everything up to a number. */
function takeForward(association: Association, chunk: Buffer, now: number): void {
  if (chunk.length < 8 || !association.isOpen) return
  const number = chunk.readUInt32BE(4)
  const ahead = (number - association.cumulative) | 0
  if (ahead > 0) {
    forget(association.came, association.cumulative + 1, Math.min(ahead, WINDOW))
    association.cumulative = number
    association.furthest = Math.max(association.furthest - ahead, 0)
  }
  skipCame(association)
  association.unacknowledgedSince ??= now
}

/** At once: a packet has room for 170 of these chunks, and a loop over each of their windows takes longer than opening it. */
function forget(came: Uint8Array, from: number, count: number): void {
  const start = from % WINDOW
  came.fill(0, start, start + count)
  came.fill(0, 0, Math.max(start + count - WINDOW, 0))
}

function takeAcknowledgement(association: Association, chunk: Buffer): void {
  if (chunk.length < 16) return
  const cumulative = chunk.readUInt32BE(4)
  const isSent = ((association.nextNumber - cumulative) | 0) > 0
  if (isSent && ((cumulative - association.acknowledged) | 0) > 0) association.acknowledged = cumulative
  const { openAnswer } = association
  if (openAnswer === undefined) return
  let isHeard = ((association.acknowledged - openAnswer) | 0) >= 0
  const gaps = chunk.readUInt16BE(12)
  for (let i = 0; i < gaps && 20 + 4 * i <= chunk.length; i++) {
    const offset = (openAnswer - cumulative) | 0
    if (offset >= chunk.readUInt16BE(16 + 4 * i) && offset <= chunk.readUInt16BE(18 + 4 * i)) isHeard = true
  }
  if (isHeard) association.openAnswer = undefined
}

// What goes

type Data = { readonly payload: number; readonly flags: number; readonly bytes: Uint8Array }

/** The packet that is being written, and its length. */
const packet = Buffer.alloc(2048)
let length = 0

function begin({ theirTag }: Association): void {
  packet.writeUInt16BE(5000, 0)
  packet.writeUInt16BE(5000, 2)
  packet.writeUInt32BE(theirTag, 4)
  packet.writeUInt32BE(0, 8)
  length = HEADER_BYTES
}

function finish({ send }: Association): void {
  const whole = packet.subarray(0, length)
  whole.writeUInt32LE(crc32c(whole), 8)
  send(whole)
}

/** Makes room for a chunk and returns where its body begins. */
function addChunk(kind: number, flags: number, bodyBytes: number): number {
  packet[length] = kind
  packet[length + 1] = flags
  packet.writeUInt16BE(4 + bodyBytes, length + 2)
  const body = length + 4
  length += (4 + bodyBytes + 3) & ~3
  packet.fill(0, body + bodyBytes, length)
  return body
}

function addData(association: Association, { payload, flags, bytes }: Data, now: number): void {
  const number = association.nextNumber
  association.nextNumber = (number + 1) >>> 0
  association.sentAt[number % WINDOW] = now
  writeData(association, number, { payload, flags, bytes })
}

function writeData({ stream }: Association, number: number, { payload, flags, bytes }: Data): void {
  const at = addChunk(CHUNKS.data, flags, DATA_HEADER_BYTES - 4 + bytes.length)
  packet.writeUInt32BE(number, at)
  packet.writeUInt16BE(stream!, at + 4)
  packet.writeUInt16BE(0, at + 6)
  packet.writeUInt32BE(payload, at + 8)
  packet.set(bytes, at + 12)
}

/** What travels with every packet where it is due: an acknowledgement, what is given up, the answer that opens the channel. */
function addDue(association: Association, now: number): void {
  if (association.unacknowledgedSince !== undefined) addAcknowledgement(association)
  if (association.openAnswer !== undefined) {
    if (association.openAnswer !== association.nextNumber && now - association.openAnswerSentAt >= SAY_AGAIN_MS) {
      association.openAnswerSentAt = now
      writeData(association, association.openAnswer, OPENED)
    }
    return
  }
  giveUp(association, now)
  if (association.given !== association.acknowledged)
    packet.writeUInt32BE(association.given, addChunk(CHUNKS.forward, 0, 4))
}

function giveUp(association: Association, now: number): void {
  const { acknowledged, nextNumber, sentAt } = association
  if (((acknowledged - association.given) | 0) > 0) association.given = acknowledged
  for (let next = (association.given + 1) >>> 0; next !== nextNumber; next = (next + 1) >>> 0) {
    // Of those before the window it is not known when they were sent: long ago.
    const isRecent = ((nextNumber - next) | 0) < WINDOW && now - sentAt[next % WINDOW] < GIVE_UP_MS
    if (isRecent) return
    association.given = next
  }
}

function addAcknowledgement(association: Association): void {
  const { came, cumulative, furthest } = association
  association.unacknowledgedSince = undefined
  const gaps: number[] = []
  for (let ahead = 2; ahead <= furthest && gaps.length < 2 * MAX_GAPS; ahead++) {
    const isIn = came[(cumulative + ahead) % WINDOW] !== 0
    const wasIn = came[(cumulative + ahead - 1) % WINDOW] !== 0
    if (isIn && !wasIn) gaps.push(ahead)
    const isLast = ahead === furthest || came[(cumulative + ahead + 1) % WINDOW] === 0
    if (isIn && isLast) gaps.push(ahead)
  }
  const at = addChunk(CHUNKS.acknowledge, 0, 12 + 2 * gaps.length)
  packet.writeUInt32BE(cumulative, at)
  packet.writeUInt32BE(ROOM_BYTES, at + 4)
  packet.writeUInt16BE(gaps.length / 2, at + 8)
  packet.writeUInt16BE(0, at + 10)
  gaps.forEach((offset, i) => {
    packet.writeUInt16BE(offset, at + 12 + 2 * i)
  })
}

/** A packet gets one answer at most, so that a small one with many questions is not worth more. */
let hasAnswered = false

function answer(association: Association, kind: number, body: Uint8Array): void {
  if (hasAnswered) return
  hasAnswered = true
  begin(association)
  packet.set(body, addChunk(kind, 0, body.length))
  finish(association)
}

function parameter(kind: number, value: Uint8Array): Buffer {
  const bytes = Buffer.alloc(4 + ((value.length + 3) & ~3))
  bytes.writeUInt16BE(kind, 0)
  bytes.writeUInt16BE(4 + value.length, 2)
  bytes.set(value, 4)
  return bytes
}

/** As it was computed with nothing in its place. */
function hasChecksum(bytes: Buffer): boolean {
  const checksum = bytes.readUInt32LE(8)
  bytes.writeUInt32LE(0, 8)
  return crc32c(bytes) === checksum
}
