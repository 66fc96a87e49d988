/**
 * Confirmed ticks on the wire: what entered each tick, so that a mirror can step the same world.
 *
 *   tick    inputs · 4 + hasHash · 2 + hasControls, then the controls, the inputs, the hash of the state after it
 *   input   seat, mask of the fields that differ from what the seat holds, their codes
 *
 * A tick is encoded once, for all who listen. What a seat holds is part of the stream: both ends keep it, and whoever
 * joins later is told. Only news travels (the engine drops what says nothing), so a quiet tick is one byte.
 */

import type { AnyGame, Control, EncodedInputs } from 'hurtbox'
import { readChanges, writeChanges } from './input-packets.ts'
import {
  type Reader,
  readByte,
  readCount,
  readFloat,
  readHash,
  readVarint,
  spoil,
  type Writer,
  writeByte,
  writeFloat,
  writeHash,
  writeVarint,
} from './wire.ts'

const CONTROL = { join: 0, leave: 1, pause: 2, tune: 3, entropy: 4 } as const
const MAX_CONTROLS = 512

/** The codes that each seat last sent: what changes are told against. Presses do not hold. */
export type Held = Uint32Array

export function createHeld(game: AnyGame, idle: Uint32Array): Held {
  const held = new Uint32Array(game.declaration.seats.max * idle.length)
  for (let at = 0; at < held.length; at += idle.length) held.set(idle, at)
  return held
}

export function writeTick(
  writer: Writer,
  game: AnyGame,
  held: Held,
  idle: Uint32Array,
  inputs: EncodedInputs,
  hash: string | undefined,
): void {
  const { controls, count, seats, codes } = inputs
  const fields = idle.length
  writeVarint(writer, count * 4 + (hash === undefined ? 0 : 2) + (controls.length > 0 ? 1 : 0))
  if (controls.length > 0) {
    writeVarint(writer, controls.length)
    for (const control of controls) {
      writeControl(writer, game, control)
      if (control.control === 'join') held.set(idle, control.seat * fields)
    }
  }
  for (let i = 0; i < count; i++) {
    const at = seats[i] * fields
    writeByte(writer, seats[i])
    writeChanges(writer, held, at, codes, i * fields, fields)
    hold(game, held, at, codes, i * fields)
  }
  if (hash !== undefined) writeHash(writer, hash)
}

/** Reads one tick into `inputs`; gives the hash if the tick has one. */
export function readTick(
  reader: Reader,
  game: AnyGame,
  held: Held,
  idle: Uint32Array,
  inputs: EncodedInputs,
): string | undefined {
  const seatsMax: number = game.declaration.seats.max
  const fields = idle.length
  const head = readCount(reader, seatsMax * 4 + 3)
  const controls: Control[] = []
  if (head & 1) {
    const count = readCount(reader, MAX_CONTROLS)
    for (let i = 0; i < count && reader.ok; i++) {
      const control = readControl(reader, game)
      if (control === undefined) break
      controls.push(control)
      if (control.control === 'join') held.set(idle, control.seat * fields)
    }
  }
  inputs.controls = controls
  inputs.count = 0
  for (let i = 0; i < head >>> 2 && reader.ok; i++) {
    const seat = readCount(reader, seatsMax - 1)
    readChanges(reader, game.input, held, seat * fields)
    inputs.seats[i] = seat
    inputs.codes.set(held.subarray(seat * fields, (seat + 1) * fields), i * fields)
    hold(game, held, seat * fields, inputs.codes, i * fields)
    inputs.count++
  }
  return head & 2 ? readHash(reader) : undefined
}

function hold(game: AnyGame, held: Held, at: number, codes: Uint32Array, from: number): void {
  const { fields } = game.input
  for (let f = 0; f < fields.length; f++) held[at + f] = fields[f].isLevel ? codes[from + f] : 0
}

function writeControl(writer: Writer, game: AnyGame, control: Control): void {
  writeByte(writer, CONTROL[control.control])
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

function readControl(reader: Reader, game: AnyGame): Control | undefined {
  const lastSeat = game.declaration.seats.max - 1
  switch (readByte(reader)) {
    case CONTROL.join:
      return { control: 'join', seat: readCount(reader, lastSeat), team: readByte(reader) }
    case CONTROL.leave:
      return { control: 'leave', seat: readCount(reader, lastSeat) }
    case CONTROL.pause:
      return { control: 'pause', paused: readCount(reader, 1) === 1 }
    case CONTROL.tune: {
      const names = tuningNames(game)
      const name = names[readCount(reader, names.length - 1)]
      return { control: 'tune', name, value: readFloat(reader) }
    }
    case CONTROL.entropy:
      return { control: 'entropy', bits: readVarint(reader) }
    default:
      spoil(reader)
      return undefined
  }
}

function tuningNames(game: AnyGame): string[] {
  return Object.keys(game.declaration.tuning ?? {})
}
