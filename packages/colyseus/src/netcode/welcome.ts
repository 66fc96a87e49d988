/**
 * The first message to a client: who it is, which match this is, and for a mirror the state to start from.
 *
 * A terminal is not told the seed: with it and the rules one could compute what the fog hides.
 */

import type { AnyGame, Setup } from 'hurtbox'
import { KIND, type Mode, PROTOCOL_VERSION } from './protocol.ts'
import {
  type Reader,
  readBlock,
  readByte,
  readCount,
  readText,
  readVarint,
  type Writer,
  writeBlock,
  writeByte,
  writeText,
  writeVarint,
} from './wire.ts'

export type Welcome = {
  readonly nonce: number
  readonly mode: Mode
  readonly seat: number
  readonly setup: Setup
  /** Ticks between two frames of a terminal. */
  readonly every: number
  readonly state: FullState | undefined
}

/** The whole state, as a snapshot's bytes, and what each seat holds. */
export type FullState = { readonly held: Uint32Array; readonly snapshot: Uint8Array }

const MAX_SETUP_BYTES = 65_536

export function writeWelcome(writer: Writer, welcome: Welcome): void {
  const { nonce, mode, seat, setup, every, state } = welcome
  writeByte(writer, KIND.welcome)
  writeVarint(writer, PROTOCOL_VERSION)
  writeVarint(writer, nonce)
  writeByte(writer, mode === 'mirror' ? 0 : 1)
  writeByte(writer, seat)
  const { seed, options, tuning } = setup
  writeText(writer, JSON.stringify(mode === 'mirror' ? { seed, options, tuning } : { options, tuning }))
  writeVarint(writer, every)
  if (state !== undefined) writeState(writer, state)
}

/** Reads a welcome from its first byte on; undefined when it is none, or of another protocol. */
export function readWelcome(reader: Reader, game: AnyGame): Welcome | undefined {
  if (readByte(reader) !== KIND.welcome || readVarint(reader) !== PROTOCOL_VERSION) return undefined
  const nonce = readVarint(reader)
  const mode = readCount(reader, 1) === 0 ? 'mirror' : 'terminal'
  const seat = readByte(reader)
  const setup = parseSetup(readText(reader, MAX_SETUP_BYTES))
  const every = readCount(reader, 0xffff)
  const state = mode === 'mirror' ? readState(reader, game) : undefined
  return reader.ok && setup !== undefined ? { nonce, mode, seat, setup, every, state } : undefined
}

export function writeState(writer: Writer, { held, snapshot }: FullState): void {
  for (const code of held) writeVarint(writer, code)
  writeBlock(writer, snapshot)
}

export function readState(reader: Reader, game: AnyGame): FullState {
  const { fields } = game.input
  const held = new Uint32Array(game.declaration.seats.max * fields.length)
  for (let i = 0; i < held.length; i++) held[i] = readCount(reader, fields[i % fields.length].largestCode)
  return { held, snapshot: readBlock(reader) }
}

function parseSetup(text: string): Setup | undefined {
  try {
    const { seed = 0, options, tuning } = JSON.parse(text)
    return typeof options === 'object' && typeof tuning === 'object' ? { seed, options, tuning } : undefined
  } catch {
    return undefined
  }
}
