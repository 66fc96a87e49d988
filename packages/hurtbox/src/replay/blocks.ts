/**
 * A block of ticks: what entered them, and the state they led to. The payload of a `ticks` chunk.
 *
 *   ticks     how many (varint)
 *   controls  count, then for each: ticks since the one before, kind, its values
 *   inputs    count, then for each: ticks since the one before, seat, number of fields that changed,
 *             then for each: fields skipped, code
 *   link      hash of the state after the block, and four bytes of the hash of each part of it
 *
 * Inputs are stored as applied, and only those that are news (as in the session's log). Of an input a field stands here
 * when it differs from the last input of the seat, a press when there was one; none does when the game has wiped what the
 * player held and the same comes again. Whoever sits down starts idle. The first block of a file has no ticks: its link is
 * the state that `setup` made.
 */

import type { AnyGame } from '../game.ts'
import { idleCodes } from '../input-codes.ts'
import { appendInputs, type InputLog, inputsAt } from '../session/log.ts'
import type { Control, EncodedInputs } from '../step.ts'
import { tunedValue } from '../tuning.ts'
import {
  type ByteReader,
  type ByteWriter,
  badBytes,
  bytesLeft,
  createByteReader,
  createByteWriter,
  readByte,
  readCount,
  readFloat,
  readHex,
  readVarint,
  writeByte,
  writeBytes,
  writeFloat,
  writeHex,
  writeVarint,
  writtenBytes,
} from './bytes.ts'
import { type Link, PART_DIGITS, partNames } from './link.ts'

/** The most ticks in one block. */
export const MAX_BLOCK_TICKS = 256
/** The most codes a log of inputs may hold: 256 MB. An hour of sixteen players who never rest has a fifth of it. */
const MAX_CODES = 1 << 26

const KIND = { join: 0, leave: 1, pause: 2, tune: 3, entropy: 4 } as const
/** The shortest control: ticks, kind and one byte of values. The shortest input: ticks, seat, no changes. */
const MIN_CONTROL_BYTES = 3
const MIN_INPUT_BYTES = 3

/** What each seat holds, while blocks are written or read one after the other. */
export type BlockCursor = {
  readonly game: AnyGame
  /** Ticks covered so far. */
  tick: number
  readonly held: Uint32Array
  readonly idle: Uint32Array
}

export function createCursor(game: AnyGame): BlockCursor {
  const idle = idleCodes(game.input)
  const held = new Uint32Array(game.declaration.seats.max * idle.length)
  for (let at = 0; at < held.length; at += idle.length) held.set(idle, at)
  return { game, tick: 0, held, idle }
}

/** The ticks from the cursor up to `toTick` as bytes, without their link. Moves the cursor. */
export function encodeTicks(cursor: BlockCursor, log: InputLog, toTick: number): Uint8Array {
  const { game, tick: fromTick } = cursor
  const fields = game.input.fields.length
  const inputs = createInputs(game)
  const controls = createEntries()
  const players = createEntries()
  for (let tick = fromTick; tick < toTick; tick++) {
    inputsAt(log, tick, inputs)
    for (const control of inputs.controls) {
      startEntry(controls, tick - fromTick)
      writeControl(controls.writer, game, control)
      if (control.control === 'join') holdIdle(cursor, control.seat)
    }
    for (let i = 0; i < inputs.count; i++) {
      startEntry(players, tick - fromTick)
      writeByte(players.writer, inputs.seats[i])
      writeChanges(players.writer, cursor, inputs.seats[i], inputs.codes.subarray(i * fields, (i + 1) * fields))
    }
  }
  cursor.tick = toTick

  const block = createByteWriter()
  writeVarint(block, toTick - fromTick)
  writeEntries(block, controls)
  writeEntries(block, players)
  return writtenBytes(block)
}

export function encodeLink(link: Link): Uint8Array {
  const writer = createByteWriter()
  writeHex(writer, link.hash)
  for (const part of link.parts) writeHex(writer, part)
  return writtenBytes(writer)
}

/** Adds the ticks of a block to `log` and returns the link after them. A block that makes no sense throws and adds nothing. */
export function decodeBlock(cursor: BlockCursor, log: InputLog, payload: Uint8Array, isFirst: boolean): Link {
  const reader = createByteReader(payload)
  const ticks = readCount(reader, MAX_BLOCK_TICKS, 'the number of ticks')
  if ((ticks === 0) !== isFirst) throw badBytes(`it cannot have ${ticks} ticks`)
  const controls = readControls(reader, cursor.game, ticks)
  const players = readPlayers(reader, cursor, controls, ticks, log.count)
  const hash = readHex(reader)
  const parts = partNames(cursor.game).map(() => readHex(reader, PART_DIGITS))
  if (bytesLeft(reader) > 0) throw badBytes(`${bytesLeft(reader)} bytes are left over`)

  appendBlock(log, ticks, controls, players)
  cursor.tick += ticks
  return { tick: cursor.tick, hash, parts }
}

/** A log with the same inputs, for another session of the match to go on from. */
export function copyLog(from: InputLog, into: InputLog): void {
  const inputs = createInputs(from.game)
  for (let tick = 0; tick < from.length; tick++) {
    inputsAt(from, tick, inputs)
    appendInputs(into, inputs)
  }
}

type TimedControl = { readonly offset: number; readonly control: Control }
/** Player inputs of a block: when, who, and all codes of each. */
type Players = { readonly offsets: number[]; readonly seats: number[]; readonly codes: Uint32Array }

function appendBlock(log: InputLog, ticks: number, controls: readonly TimedControl[], players: Players): void {
  const { game } = log
  const fields = game.input.fields.length
  const inputs = createInputs(game)
  let c = 0
  let p = 0
  for (let offset = 0; offset < ticks; offset++) {
    const now: Control[] = []
    while (c < controls.length && controls[c].offset === offset) now.push(controls[c++].control)
    inputs.controls = now
    inputs.count = 0
    for (; p < players.offsets.length && players.offsets[p] === offset; p++) {
      inputs.seats[inputs.count] = players.seats[p]
      for (let f = 0; f < fields; f++) inputs.codes[inputs.count * fields + f] = players.codes[p * fields + f]
      inputs.count++
    }
    appendInputs(log, inputs)
  }
}

function readControls(reader: ByteReader, game: AnyGame, ticks: number): TimedControl[] {
  const count = readItemCount(reader, MIN_CONTROL_BYTES, 'the number of controls')
  const controls: TimedControl[] = []
  let offset = 0
  for (let i = 0; i < count; i++) {
    offset = readOffset(reader, offset, ticks)
    controls.push({ offset, control: readControl(reader, game) })
  }
  return controls
}

function readPlayers(
  reader: ByteReader,
  cursor: BlockCursor,
  controls: readonly TimedControl[],
  ticks: number,
  inputsBefore: number,
): Players {
  const { game, held } = cursor
  const { fields } = game.input
  const count = readItemCount(reader, MIN_INPUT_BYTES, 'the number of inputs', ticks * game.declaration.seats.max)
  if ((inputsBefore + count) * fields.length > MAX_CODES)
    throw badBytes('the match has more inputs than this build reads')
  const players: Players = { offsets: [], seats: [], codes: new Uint32Array(count * fields.length) }
  let offset = 0
  let seats: boolean[] = []
  let nextControl = 0
  const holdUpTo = (limit: number) => {
    for (; nextControl < controls.length && controls[nextControl].offset <= limit; nextControl++) {
      const { control } = controls[nextControl]
      if (control.control === 'join') holdIdle(cursor, control.seat)
    }
  }
  for (let i = 0; i < count; i++) {
    const next = readOffset(reader, offset, ticks)
    if (next !== offset) seats = []
    offset = next
    holdUpTo(offset)
    const seat = readSeat(reader, game)
    if (seats[seat]) throw badBytes(`seat ${seat} has two inputs in one tick`)
    seats[seat] = true
    players.offsets.push(offset)
    players.seats.push(seat)

    const at = seat * fields.length
    readChanges(reader, game, held, at)
    for (let f = 0; f < fields.length; f++) {
      players.codes[i * fields.length + f] = held[at + f]
      if (!fields[f].isLevel) held[at + f] = 0
    }
  }
  holdUpTo(ticks)
  return players
}

/** How many items follow: not more than there are bytes for, nor than `most`. */
function readItemCount(reader: ByteReader, bytesEach: number, what: string, most = Number.POSITIVE_INFINITY): number {
  const count = readVarint(reader)
  const limit = Math.min(Math.floor(bytesLeft(reader) / bytesEach), most)
  if (count > limit) throw badBytes(`${what} is ${count}, but can be ${limit} at most`)
  return count
}

function readOffset(reader: ByteReader, before: number, ticks: number): number {
  const offset = before + readVarint(reader)
  if (offset >= ticks) throw badBytes(`something enters after the last of its ${ticks} ticks`)
  return offset
}

function readSeat(reader: ByteReader, game: AnyGame): number {
  const seat = readByte(reader)
  if (seat >= game.declaration.seats.max) throw badBytes(`there is no seat ${seat}`)
  return seat
}

/** Field by field what is news; the rest of an input is what the seat holds. */
function writeChanges(writer: ByteWriter, cursor: BlockCursor, seat: number, codes: Uint32Array): void {
  const { held } = cursor
  const { fields } = cursor.game.input
  const at = seat * fields.length
  let changes = 0
  for (let f = 0; f < fields.length; f++) if (codes[f] !== held[at + f]) changes++
  writeVarint(writer, changes)
  let next = 0
  for (let f = 0; f < fields.length; f++) {
    if (codes[f] === held[at + f]) continue
    writeVarint(writer, f - next)
    writeVarint(writer, codes[f])
    next = f + 1
    if (fields[f].isLevel) held[at + f] = codes[f]
  }
}

function readChanges(reader: ByteReader, game: AnyGame, held: Uint32Array, at: number): void {
  const { fields } = game.input
  const changes = readCount(reader, fields.length, 'the number of changed fields')
  let next = 0
  for (let i = 0; i < changes; i++) {
    const field = next + readVarint(reader)
    if (field >= fields.length) throw badBytes(`an input has no field ${field}`)
    held[at + field] = readCount(reader, fields[field].largestCode, `input ${fields[field].label}`)
    next = field + 1
  }
}

function holdIdle(cursor: BlockCursor, seat: number): void {
  cursor.held.set(cursor.idle, seat * cursor.idle.length)
}

function writeControl(writer: ByteWriter, game: AnyGame, control: Control): void {
  writeByte(writer, KIND[control.control])
  switch (control.control) {
    case 'join':
      writeByte(writer, control.seat)
      writeByte(writer, control.team ?? 0)
      return
    case 'leave':
      writeByte(writer, control.seat)
      return
    case 'pause':
      writeByte(writer, control.paused ? 1 : 0)
      return
    case 'tune':
      writeVarint(writer, tuningNames(game).indexOf(control.name))
      writeFloat(writer, control.value)
      return
    case 'entropy':
      writeVarint(writer, control.bits)
  }
}

function readControl(reader: ByteReader, game: AnyGame): Control {
  const kind = readByte(reader)
  switch (kind) {
    case KIND.join:
      return { control: 'join', seat: readSeat(reader, game), team: readByte(reader) }
    case KIND.leave:
      return { control: 'leave', seat: readSeat(reader, game) }
    case KIND.pause:
      return { control: 'pause', paused: readCount(reader, 1, 'paused') === 1 }
    case KIND.tune: {
      const { tuning = {}, tickRate } = game.declaration
      const names = tuningNames(game)
      const name = names[readCount(reader, names.length - 1, 'the number of a tuning value')]
      const value = readFloat(reader)
      tunedValue(tuning, name, value, tickRate)
      return { control: 'tune', name, value }
    }
    case KIND.entropy:
      return { control: 'entropy', bits: readVarint(reader) }
    default:
      throw badBytes(`there is no control of kind ${kind}`)
  }
}

function tuningNames(game: AnyGame): string[] {
  return Object.keys(game.declaration.tuning ?? {})
}

/** Entries whose number is known only at the end, each with the ticks since the one before. */
type Entries = { count: number; offset: number; readonly writer: ByteWriter }

function createEntries(): Entries {
  return { count: 0, offset: 0, writer: createByteWriter() }
}

function startEntry(entries: Entries, offset: number): void {
  writeVarint(entries.writer, offset - entries.offset)
  entries.offset = offset
  entries.count++
}

function writeEntries(into: ByteWriter, entries: Entries): void {
  writeVarint(into, entries.count)
  writeBytes(into, entries.writer.bytes.subarray(0, entries.writer.length))
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
