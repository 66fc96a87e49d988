/**
 * The messages of a match: one record each, with its number and how it is written, read and checked.
 *
 * A message is a Uint8Array that starts with the number of its kind. What it does is up to its receiver: `receive` of the
 * host, `receiveAtMirror`, `receiveAtTerminal`. A new message is a record here and a case there.
 */

import { readScreens, type ScreenReport, writeScreens } from 'hurtbox/replay'
import type { AnyGame } from 'hurtbox/tools'
import {
  type ByteReader,
  type ByteWriter,
  createByteReader,
  isWholeRead,
  readByte,
  readCount,
  readHex,
  readSigned,
  readVarint,
  writeByte,
  writeHex,
  writeSigned,
  writeVarint,
} from 'hurtbox/wire'
import { type BlamedState, MAX_TRAIL, type Trail } from './blame.ts'
import { type InputCoding, type InputPacket, readInputPacket, writeInputPacket } from './input-packets.ts'
import { MAX_MESSAGE_TICKS } from './protocol.ts'
import { type FullState, readState, readWelcome, type Welcome, writeState, writeWelcome } from './welcome.ts'
import { readBlock, readText, writeBlock, writeText } from './wire.ts'

/** `Needs`: what both ends must know to read and write it. */
export type Message<Content, Needs extends readonly unknown[] = []> = {
  /** The first byte: below 16 from a client, from 16 on from the host. */
  readonly kind: number
  write(writer: ByteWriter, content: Content, ...needs: Needs): void
  /** The content, from the second byte on; undefined when the bytes are invalid. */
  read(reader: ByteReader, ...needs: Needs): Content | undefined
}

/** What every message of the host reports about the inputs of its player. */
type Feedback = {
  /** The host has all inputs up to this one. */
  readonly acknowledged: number
  /** How early the last ones came, in ticks; `NO_SLACK` when none came. */
  readonly slack: number
}

/** What the body of a `ticks` message holds: `count` ticks, from `from` on. */
type TicksHead = Feedback & { readonly from: number; readonly count: number }

type FrameHead = Feedback & {
  readonly tick: number
  readonly clock: number
  readonly paused: boolean
  /** How many ticks before this one the frame is that the body is a difference to; 0 for none. */
  readonly distance: number
}

const MAX_DIFFERENCE_BYTES = 512
const MAX_PHASE_BYTES = 256

const inputs: Message<InputPacket, [InputCoding]> = { kind: 1, write: writeInputPacket, read: readInputPacket }

/** The client's state differs from the hash it was sent: it asks for the host's. A mirror sends its trail. */
const desync: Message<Trail> = {
  kind: 2,
  write(writer, { from, hashes }) {
    writeVarint(writer, from)
    writeVarint(writer, hashes.length)
    for (const hash of hashes) writeVarint(writer, hash)
  },
  read(reader) {
    const from = readVarint(reader)
    const count = readCount(reader, MAX_TRAIL)
    const hashes: number[] = []
    for (let i = 0; i < count && !reader.problem; i++) hashes.push(readVarint(reader))
    return isWholeRead(reader) ? { from, hashes } : undefined
  },
}

/** The host's state where its trail parted from the mirror's. Comes before the whole state. */
const blamed: Message<BlamedState> = {
  kind: 20,
  write(writer, { tick, phase, snapshot }) {
    writeVarint(writer, tick)
    writeText(writer, phase)
    writeBlock(writer, snapshot)
  },
  read(reader) {
    const tick = readVarint(reader)
    const phase = readText(reader, MAX_PHASE_BYTES)
    const snapshot = readBlock(reader)
    return isWholeRead(reader) ? { tick, phase, snapshot } : undefined
  },
}

/** What the difference was, in words. */
const difference: Message<string> = {
  kind: 3,
  write: writeText,
  read(reader) {
    const text = readText(reader, MAX_DIFFERENCE_BYTES)
    return isWholeRead(reader) ? text : undefined
  },
}

/** What a returning mirror has of the match. */
type Offer = {
  readonly nonce: number
  /** The next confirmed tick it needs. */
  readonly tick: number
  /** The last state that it has compared with the host's: after so many ticks, and its hash. */
  readonly verifiedTick: number
  readonly hash: string
}

/** A mirror that returns to a match offers what it has of it, to get only what it missed. */
const offer: Message<Offer> = {
  kind: 4,
  write(writer, { nonce, tick, verifiedTick, hash }) {
    writeVarint(writer, nonce)
    writeVarint(writer, tick)
    writeVarint(writer, verifiedTick)
    writeHex(writer, hash)
  },
  read(reader) {
    const [nonce, tick, verifiedTick] = [readVarint(reader), readVarint(reader), readVarint(reader)]
    const hash = readHex(reader)
    return isWholeRead(reader) ? { nonce, tick, verifiedTick, hash } : undefined
  },
}

/** What was on the client's screen in its last frames, where the host keeps a track. */
const screens: Message<ScreenReport> = {
  kind: 5,
  write: writeScreens,
  read(reader) {
    const report = readScreens(reader)
    return isWholeRead(reader) ? report : undefined
  },
}

const welcome: Message<Welcome, [AnyGame]> = { kind: 16, write: writeWelcome, read: readWelcome }

/** Confirmed inputs, tick by tick. After the head follow the ticks as `hurtbox/wire` writes them. */
const ticks: Message<TicksHead> = {
  kind: 17,
  write(writer, { from, count, acknowledged, slack }) {
    writeVarint(writer, from)
    writeVarint(writer, count)
    writeVarint(writer, acknowledged)
    writeSigned(writer, slack)
  },
  read(reader) {
    const from = readVarint(reader)
    const count = readCount(reader, MAX_MESSAGE_TICKS)
    const head = { from, count, acknowledged: readVarint(reader), slack: readSigned(reader) }
    return reader.problem ? undefined : head
  },
}

/** The whole state, to repair a mirror that has diverged. */
const state: Message<{ readonly tick: number; readonly full: FullState }, [AnyGame]> = {
  kind: 18,
  write(writer, { tick, full }) {
    writeVarint(writer, tick)
    writeState(writer, full)
  },
  read(reader, game) {
    const tick = readVarint(reader)
    const full = readState(reader, game)
    return isWholeRead(reader) ? { tick, full } : undefined
  },
}

/** What a terminal shows. After the head follows the difference to an earlier frame (`terminal/delta.ts`), then events. */
const frame: Message<FrameHead> = {
  kind: 19,
  write(writer, { tick, clock, paused, distance, acknowledged, slack }) {
    writeVarint(writer, tick)
    writeVarint(writer, tick - clock)
    writeByte(writer, paused ? 1 : 0)
    writeVarint(writer, distance)
    writeVarint(writer, acknowledged)
    writeSigned(writer, slack)
  },
  read(reader) {
    const tick = readVarint(reader)
    const clock = tick - readCount(reader, tick)
    const paused = readCount(reader, 1) === 1
    const distance = readCount(reader, tick)
    const head = { tick, clock, paused, distance, acknowledged: readVarint(reader), slack: readSigned(reader) }
    return reader.problem ? undefined : head
  },
}

export const MESSAGES = { inputs, desync, difference, offer, screens, welcome, ticks, state, frame, blamed } as const

/** Writes a message, from its first byte on. */
export function writeMessage<Content, Needs extends readonly unknown[]>(
  writer: ByteWriter,
  message: Message<Content, Needs>,
  content: Content,
  ...needs: Needs
): void {
  writeByte(writer, message.kind)
  message.write(writer, content, ...needs)
}

/** Reads a message of which only one kind is expected; undefined when it is another, or invalid. */
export function readMessage<Content, Needs extends readonly unknown[]>(
  bytes: Uint8Array,
  message: Message<Content, Needs>,
  ...needs: Needs
): Content | undefined {
  const reader = createByteReader(bytes)
  return readByte(reader) === message.kind ? message.read(reader, ...needs) : undefined
}
