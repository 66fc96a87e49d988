/**
 * The first message to a client: its seat, the match, and for a mirror the state to start from.
 *
 * A terminal does not get the seed: with it and the rules a client could compute what the fog hides.
 */

import { type AnyGame, capacityOf, type Setup, withCapacity } from 'hurtbox/tools'
import { type ByteReader, type ByteWriter, readByte, readCount, readVarint, writeByte, writeVarint } from 'hurtbox/wire'
import { type Mode, PROTOCOL_VERSION } from './protocol.ts'
import type { TerminalOptions } from './scheme.ts'
import { readBlock, readText, writeBlock, writeText } from './wire.ts'

export type Welcome = {
  readonly nonce: number
  readonly mode: Mode
  readonly seat: number
  /** With the capacities of the host. */
  readonly game: AnyGame
  readonly setup: Setup
  /** What of the world a terminal is shown: both ends must agree on it. */
  readonly terminal: TerminalOptions
  /** Whether the client is to report what it shows: the host keeps a track. */
  readonly tracked: boolean
  /** How long the seat is kept while its player is away, seconds. */
  readonly seatSeconds: number
  /** Undefined for terminals, and for a mirror that has the match already and gets the ticks it missed. */
  readonly state: FullState | undefined
}

/** The whole state, as a snapshot's bytes, and what each seat holds. */
export type FullState = { readonly held: Uint32Array; readonly snapshot: Uint8Array }

const MAX_SETUP_BYTES = 65_536

/** A mirror that returns needs no state. */
const KIND = { mirror: 0, terminal: 1, returning: 2 } as const

export function writeWelcome(writer: ByteWriter, welcome: Welcome): void {
  const { nonce, mode, seat, game, setup, terminal, tracked, seatSeconds, state } = welcome
  writeVarint(writer, PROTOCOL_VERSION)
  writeVarint(writer, nonce)
  writeByte(writer, mode === 'terminal' ? KIND.terminal : state === undefined ? KIND.returning : KIND.mirror)
  writeByte(writer, seat)
  writeVarint(writer, Math.round(seatSeconds))
  const { seed, options, tuning } = setup
  const given = capacityOf(game)
  const match = {
    options,
    tuning,
    ...(Object.keys(given).length > 0 && { capacity: given }),
    ...(tracked && { tracked }),
  }
  writeText(writer, JSON.stringify(mode === 'mirror' ? { seed, ...match } : { ...match, terminal }))
  if (state !== undefined) writeState(writer, state)
}

/** Undefined for a welcome that is invalid or of another protocol. */
export function readWelcome(reader: ByteReader, game: AnyGame): Welcome | undefined {
  if (readVarint(reader) !== PROTOCOL_VERSION) return undefined
  const nonce = readVarint(reader)
  const kind = readCount(reader, KIND.returning)
  const mode = kind === KIND.terminal ? 'terminal' : 'mirror'
  const seat = readByte(reader)
  const seatSeconds = readVarint(reader)
  const match = parseMatch(readText(reader, MAX_SETUP_BYTES), game)
  const state = kind === KIND.mirror ? readState(reader, game) : undefined
  return !reader.problem && match !== undefined ? { nonce, mode, seat, seatSeconds, ...match, state } : undefined
}

export function writeState(writer: ByteWriter, { held, snapshot }: FullState): void {
  for (const code of held) writeVarint(writer, code)
  writeBlock(writer, snapshot)
}

export function readState(reader: ByteReader, game: AnyGame): FullState {
  const { fields } = game.input
  const held = new Uint32Array(game.declaration.seats.max * fields.length)
  for (let i = 0; i < held.length; i++) held[i] = readCount(reader, fields[i % fields.length].largestCode)
  return { held, snapshot: readBlock(reader) }
}

function parseMatch(text: string, game: AnyGame): Pick<Welcome, 'game' | 'setup' | 'terminal' | 'tracked'> | undefined {
  try {
    const { seed = 0, options, tuning, capacity = {}, terminal = {}, tracked } = JSON.parse(text)
    const isWhole = [options, tuning].every(isRecord) && isTerminalOptions(terminal)
    if (!isWhole) return undefined
    const setup = { seed, options, tuning }
    return { game: withCapacity(game, capacity), setup, terminal, tracked: tracked === true }
  } catch {
    return undefined
  }
}

function isTerminalOptions(value: unknown): value is TerminalOptions {
  if (!isRecord(value)) return false
  const { every, steps, hide, show, arrays, derive, events } = value
  const isStep = (step: unknown) => typeof step === 'number' && step > 0 && step < Number.POSITIVE_INFINITY
  return (
    (every === undefined || (Number.isSafeInteger(every) && Number(every) > 0)) &&
    (steps === undefined || (isRecord(steps) && Object.values(steps).every(isStep))) &&
    [hide, show, arrays, derive, events].every((list) => list === undefined || isListOfNames(list))
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isListOfNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === 'string')
}
