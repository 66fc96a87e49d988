/**
 * What entered a tick, as bytes: for replay files, and for other machines that step the same match.
 *
 *   tick     inputs · 4 + hasHash · 2 + hasControls, then the controls, the inputs, the hash of the state after it
 *   control  kind (0 join, 1 leave, 2 pause, 3 tune, 4 entropy, 5 join with data), its values
 *   input    seat, changes
 *   changes  which fields differ from what the seat holds, as bits, eight fields a byte; then the new codes
 *
 * What a seat holds is part of the stream: both ends keep it, and it is sent to a client that joins later. It is the last
 * input of the seat without its presses; a new player starts idle. Only changes travel (the session drops inputs without
 * any), so a quiet tick is one byte. An input without changes is possible: the game has cleared what the player held, and
 * the same comes again.
 */

import { CONTROL_CODINGS, type Control, controlSpec, type FieldCoding } from '../../world/controls.ts'
import type { AnyGame, AnyJoinData } from '../../world/game.ts'
import { type InputLayout, idleCodes } from '../../world/input-codes.ts'
import { joinDataOf, joinFields, joinValues } from '../../world/join-data.ts'
import type { EncodedInputs } from '../../world/step.ts'
import {
  type ByteReader,
  type ByteWriter,
  readByte,
  readCount,
  readFloat,
  readHex,
  readVarint,
  reject,
  writeByte,
  writeFloat,
  writeHex,
  writeVarint,
} from './bytes.ts'

/** The codes that each seat holds, on one end of a stream of ticks. */
export type HeldInputs = {
  readonly game: AnyGame
  readonly idle: Uint32Array
  /** Seat by seat. */
  readonly codes: Uint32Array
}

export function createHeldInputs(game: AnyGame): HeldInputs {
  const idle = idleCodes(game.input)
  const codes = new Uint32Array(game.declaration.seats.max * idle.length)
  for (let at = 0; at < codes.length; at += idle.length) codes.set(idle, at)
  return { game, idle, codes }
}

/** Writes a tick, with the hash of the state after it if it is given. */
export function writeTick(writer: ByteWriter, held: HeldInputs, inputs: EncodedInputs, hash?: string): void {
  const { controls, count, seats, codes } = inputs
  const fields = held.idle.length
  writeVarint(writer, count * 4 + (hash === undefined ? 0 : 2) + (controls.length > 0 ? 1 : 0))
  if (controls.length > 0) {
    writeVarint(writer, controls.length)
    for (const control of controls) {
      writeControl(writer, held.game, control)
      holdIdle(held, control)
    }
  }
  for (let i = 0; i < count; i++) {
    writeByte(writer, seats[i])
    writeChanges(writer, held.codes, seats[i] * fields, codes, i * fields, fields)
    hold(held, seats[i], codes, i * fields)
  }
  if (hash !== undefined) writeHex(writer, hash)
}

/** Reads a tick into `inputs`; returns the hash if the tick has one. A code out of range is a problem of the reader. */
export function readTick(reader: ByteReader, held: HeldInputs, inputs: EncodedInputs): string | undefined {
  const { game } = held
  const seatsMax: number = game.declaration.seats.max
  const fields = held.idle.length
  const head = readVarint(reader)
  inputs.controls = head & 1 ? readControls(reader, held) : []
  inputs.count = 0
  if (head >>> 2 > seatsMax) reject(reader, `a tick has ${head >>> 2} inputs, but can have ${seatsMax} at most`)
  for (let i = 0; i < head >>> 2 && !reader.problem; i++) {
    const seat = readSeat(reader, game)
    const first = inputs.seats.indexOf(seat)
    if (first >= 0 && first < i) reject(reader, `seat ${seat} has two inputs in one tick`)
    readChanges(reader, game.input, held.codes, seat * fields)
    inputs.seats[i] = seat
    inputs.codes.set(held.codes.subarray(seat * fields, (seat + 1) * fields), i * fields)
    hold(held, seat, inputs.codes, i * fields)
    inputs.count++
  }
  return head & 2 ? readHex(reader) : undefined
}

/** Writes which of `fields` codes differ, and those that do. */
export function writeChanges(
  writer: ByteWriter,
  before: Uint32Array,
  beforeAt: number,
  now: Uint32Array,
  nowAt: number,
  fields: number,
): void {
  for (let first = 0; first < fields; first += 8) {
    let mask = 0
    for (let f = first; f < Math.min(first + 8, fields); f++) {
      if (now[nowAt + f] !== before[beforeAt + f]) mask |= 1 << (f - first)
    }
    writeByte(writer, mask)
  }
  for (let f = 0; f < fields; f++) {
    if (now[nowAt + f] !== before[beforeAt + f]) writeVarint(writer, now[nowAt + f])
  }
}

/** Reads changes into `codes` from `at` on. */
export function readChanges(reader: ByteReader, { fields }: InputLayout, codes: Uint32Array, at: number): void {
  const masks: number[] = []
  for (let first = 0; first < fields.length; first += 8) masks.push(readByte(reader))
  for (let f = 0; f < fields.length; f++) {
    if (((masks[f >>> 3] >>> (f & 7)) & 1) === 0) continue
    codes[at + f] = readCount(reader, fields[f].largestCode, `input ${fields[f].label}`)
  }
  const rest = fields.length % 8
  if (rest > 0 && masks[masks.length - 1] >>> rest > 0) reject(reader, `an input has no field ${fields.length}`)
}

function hold({ game, codes }: HeldInputs, seat: number, input: Uint32Array, from: number): void {
  const { fields } = game.input
  const at = seat * fields.length
  for (let f = 0; f < fields.length; f++) codes[at + f] = fields[f].isLevel ? input[from + f] : 0
}

/** A new player starts idle. */
function holdIdle({ codes, idle }: HeldInputs, control: Control): void {
  if (control.control === 'join') codes.set(idle, control.seat * idle.length)
}

function readControls(reader: ByteReader, held: HeldInputs): Control[] {
  const controls: Control[] = []
  // No control is shorter than two bytes.
  const count = readCount(reader, (reader.bytes.length - reader.at) >>> 1, 'the number of controls')
  for (let i = 0; i < count; i++) {
    const control = readControl(reader, held.game)
    if (control === undefined || reader.problem) break
    controls.push(control)
    holdIdle(held, control)
  }
  return controls
}

function writeControl(writer: ByteWriter, game: AnyGame, control: Control): void {
  // Throws on a kind that does not exist.
  controlSpec(control)
  const hasData = control.control === 'join' && control.data !== undefined
  const { number, fields } = CONTROL_CODINGS[hasData ? 'joinWith' : control.control]
  writeByte(writer, number)
  const values = control as unknown as Readonly<Record<string, never>>
  for (const [name, coding] of fields) CODINGS[coding].write(writer, values[name], game)
}

function readControl(reader: ByteReader, game: AnyGame): Control | undefined {
  const number = readByte(reader)
  const found = Object.entries(CONTROL_CODINGS).find(([, spec]) => spec.number === number)
  if (found === undefined) {
    reject(reader, `there is no control of kind ${number}`)
    return undefined
  }
  const control: Record<string, unknown> = { control: found[1].control ?? found[0] }
  for (const [name, coding] of found[1].fields) control[name] = CODINGS[coding].read(reader, game, name)
  if (!reader.problem && control.control === 'tune') checkTuned(reader, game, control as TuneControl)
  return reader.problem ? undefined : (control as Control)
}

type Coding = {
  write(writer: ByteWriter, value: never, game: AnyGame): void
  read(reader: ByteReader, game: AnyGame, name: string): unknown
}

/** How each sort of field travels. */
const CODINGS: { readonly [K in FieldCoding]: Coding } = {
  seat: { write: (writer, seat: number) => writeByte(writer, seat), read: readSeat },
  byte: { write: (writer, value: number | undefined) => writeByte(writer, value ?? 0), read: readByte },
  flag: {
    write: (writer, value: boolean) => writeByte(writer, value ? 1 : 0),
    read: (reader, _game, name) => readCount(reader, 1, name) === 1,
  },
  tuning: {
    write: (writer, name: string, game) => writeVarint(writer, tuningNames(game).indexOf(name)),
    read: (reader, game) => {
      const names = tuningNames(game)
      return names[readCount(reader, names.length - 1, 'the number of a tuning value')]
    },
  },
  float: { write: (writer, value: number) => writeFloat(writer, value), read: readFloat },
  joinData: {
    write: (writer, data: AnyJoinData, game) => {
      for (const value of joinValues(game, data)) writeFloat(writer, value)
    },
    read: (reader, game) =>
      joinDataOf(
        game,
        joinFields(game).map((field) => readJoinValue(reader, field)),
      ),
  },
  varint: { write: (writer, value: number) => writeVarint(writer, value), read: readVarint },
}

function readJoinValue(reader: ByteReader, { label, givenAs }: InputLayout['fields'][number]): number {
  const value = readFloat(reader)
  return givenAs(value) === undefined ? reject(reader, `join data have no choice ${value} of ${label}`) : value
}

type TuneControl = Extract<Control, { control: 'tune' }>

function checkTuned(reader: ByteReader, { declaration }: AnyGame, { name, value }: TuneControl): void {
  const { min, max } = declaration.tuning[name]
  if (value < min || value > max) reject(reader, `tuning ${name} is ${value}, but must lie between ${min} and ${max}`)
}

function tuningNames(game: AnyGame): string[] {
  return Object.keys(game.declaration.tuning ?? {})
}

function readSeat(reader: ByteReader, game: AnyGame): number {
  const seat = readByte(reader)
  return seat < game.declaration.seats.max ? seat : reject(reader, `there is no seat ${seat}`)
}
