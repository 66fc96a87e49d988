/**
 * A block of ticks: what entered them, and the state they led to. The payload of a `ticks` chunk.
 *
 *   ticks     how many (varint), then each (ticks.ts)
 *   checksum  hash of the state after the block, and four bytes of the hash of each part of it
 *
 * Inputs are stored as applied, and only those that change something (as in the session's log). The first block of a file has no
 * ticks: its checksum is the state that `setup` made.
 */

import type { AnyGame } from '../../world/game.ts'
import type { EncodedInputs } from '../../world/step.ts'
import { appendInputs, type InputLog, inputsAt, truncateLog } from '../session/log.ts'
import {
  createByteReader,
  createByteWriter,
  isWholeRead,
  readCount,
  readHex,
  reject,
  takeBytes,
  writeHex,
  writeVarint,
} from '../wire/bytes.ts'
import { createHeldInputs, type HeldInputs, readTick, writeTick } from '../wire/ticks.ts'
import { type Checksum, PART_DIGITS, partNames } from './checksum.ts'
import { badBytes } from './format.ts'

/** The most ticks in one block. */
export const MAX_BLOCK_TICKS = 256
/** The most codes a log of inputs may hold: 256 MB. An hour of sixteen players with input in every tick takes a fifth of it. */
const MAX_CODES = 1 << 26

/** Where we are, while blocks are written or read one after the other. */
export type BlockCursor = {
  /** Ticks covered so far. */
  tick: number
  readonly held: HeldInputs
  /** Scratch: the tick at hand. */
  readonly inputs: EncodedInputs
}

export function createCursor(game: AnyGame): BlockCursor {
  return { tick: 0, held: createHeldInputs(game), inputs: createInputs(game) }
}

/** The ticks from the cursor up to `toTick` as bytes, without their checksum. Moves the cursor. */
export function encodeTicks(cursor: BlockCursor, log: InputLog, toTick: number): Uint8Array {
  const writer = createByteWriter()
  writeVarint(writer, toTick - cursor.tick)
  for (; cursor.tick < toTick; cursor.tick++) {
    inputsAt(log, cursor.tick, cursor.inputs)
    writeTick(writer, cursor.held, cursor.inputs)
  }
  return takeBytes(writer)
}

export function encodeChecksum(checksum: Checksum): Uint8Array {
  const writer = createByteWriter()
  writeHex(writer, checksum.hash)
  for (const part of checksum.parts) writeHex(writer, part)
  return takeBytes(writer)
}

/** Adds the ticks of a block to `log` and returns the checksum after them. An invalid block throws and adds nothing. */
export function decodeBlock(cursor: BlockCursor, log: InputLog, payload: Uint8Array, isFirst: boolean): Checksum {
  const { held, inputs } = cursor
  const reader = createByteReader(payload)
  const ticks = readCount(reader, MAX_BLOCK_TICKS, 'the number of ticks')
  if ((ticks === 0) !== isFirst) reject(reader, `it cannot have ${ticks} ticks`)
  for (let i = 0; i < ticks && !reader.problem; i++) {
    const hash = readTick(reader, held, inputs)
    if (hash !== undefined) reject(reader, 'a tick has a hash of its own')
    if ((log.count + inputs.count) * held.idle.length > MAX_CODES) {
      reject(reader, 'the match has more inputs than this build reads')
    }
    appendInputs(log, inputs)
  }
  const hash = readHex(reader)
  const parts = partNames(held.game).map(() => readHex(reader, PART_DIGITS))
  if (!isWholeRead(reader)) {
    truncateLog(log, cursor.tick)
    throw badBytes(reader.problem!)
  }
  cursor.tick += ticks
  return { tick: cursor.tick, hash, parts }
}

function createInputs(game: AnyGame): EncodedInputs {
  const seats = game.declaration.seats.max
  return {
    controls: [],
    count: 0,
    seats: new Uint8Array(seats),
    codes: new Uint32Array(seats * game.input.fields.length),
  }
}
