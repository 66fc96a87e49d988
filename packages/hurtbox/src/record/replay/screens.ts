/**
 * What a client had on its screen, frame by frame, as it reports it itself.
 *
 * Together with the replay this is enough to draw any of these frames again: what was confirmed is in the replay, what was predicted
 * follows from it and from the player's own inputs, and what was in between follows from the moment shown. So a report says only
 * which moment each frame showed, and from what: about six bytes a frame. A hash of the last frame's state shows whether what is
 * rebuilt is what was there.
 */

import {
  type ByteReader,
  type ByteWriter,
  readCount,
  readSigned,
  readVarint,
  reject,
  writeSigned,
  writeVarint,
} from '../wire/bytes.ts'

/** One frame of a client. */
export type ScreenFrame = {
  /** When it was drawn, ms by the client's own clock, to a 64th. Only differences mean anything. */
  readonly atMs: number
  /** What it had of the match: confirmed ticks of a mirror, the newest frame of a terminal. */
  readonly received: number
  /** The two states it was drawn between, by their ticks. */
  readonly before: number
  readonly after: number
  /** The moment shown, in ticks, to a 1024th. */
  readonly shown: number
  /** The player had given inputs for all ticks before this one. */
  readonly inputsUpTo: number
}

/** Some frames of a client, one after the other. */
export type ScreenReport = {
  /** The number of the first one: a client counts its frames from 0, and again when it starts anew. */
  readonly first: number
  readonly frames: readonly ScreenFrame[]
  /** 32 bits of the hash of the last frame's state `after`. */
  readonly hash: number
}

/** More than any client reports at once. */
export const MAX_SCREEN_FRAMES = 256
const MS_PARTS = 64
const TICK_PARTS = 1024

/** As exact as a report is. What a client draws with is rounded so, and can be drawn again to the bit. */
export function roundMs(ms: number): number {
  return Math.round(ms * MS_PARTS) / MS_PARTS
}

export function roundMoment(ticks: number): number {
  return Math.round(ticks * TICK_PARTS) / TICK_PARTS
}

export function writeScreens(writer: ByteWriter, { first, frames, hash }: ScreenReport): void {
  writeVarint(writer, first)
  writeVarint(writer, hash)
  writeVarint(writer, frames.length)
  let [at, received, after] = [0, 0, 0]
  for (const frame of frames) {
    const moment = Math.round(frame.atMs * MS_PARTS)
    writeVarint(writer, moment - at)
    writeSigned(writer, frame.received - received)
    writeSigned(writer, frame.after - after)
    writeVarint(writer, frame.after - frame.before)
    writeSigned(writer, Math.round((frame.shown - frame.after) * TICK_PARTS))
    writeSigned(writer, frame.inputsUpTo - frame.after)
    at = moment
    received = frame.received
    after = frame.after
  }
}

/** Marks the bytes as bad where a number cannot be: below 0, or beyond any tick. */
export function readScreens(reader: ByteReader): ScreenReport {
  const first = readVarint(reader)
  const hash = readVarint(reader)
  const count = readCount(reader, MAX_SCREEN_FRAMES)
  const frames: ScreenFrame[] = []
  let [at, received, after] = [0, 0, 0]
  for (let i = 0; i < count && reader.problem === undefined; i++) {
    at += readVarint(reader)
    received += readSigned(reader)
    after += readSigned(reader)
    const before = after - readVarint(reader)
    const shown = after + readSigned(reader) / TICK_PARTS
    const inputsUpTo = after + readSigned(reader)
    if (Math.min(received, before, inputsUpTo, shown) < 0) reject(reader, 'a frame of no tick')
    frames.push({ atMs: at / MS_PARTS, received, before, after, shown, inputsUpTo })
  }
  return { first, frames, hash }
}
