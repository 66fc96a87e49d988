/**
 * The track of a match: what its clients sent, when it came, and what they had seen by then.
 *
 * A replay has what was played. It cannot say that a player pressed the button in time and the packet came too late, or what was
 * on the screen when it was pressed. A track stands beside the replay in a file of its own, made of the same sealed chunks and
 * with the same header, so that a replay stays the same bytes whether a track was kept or not.
 *
 *   track   time (ms) and tick before its first packet, number of packets, then each
 *   packet  seat and mode, ms and ticks since the one before, what the client had, how long ago it saw the others,
 *           number of inputs, then sequence and tick of the first, and each as changes to the one before it
 *   clients number of entries, then each: seat, what, tick, and for `screens` the report (screens.ts)
 *
 * What a client drew follows from the replay and its reports. A terminal also draws what it was sent, which depends on who was sent
 * frames before and on what the room sends at all: so clients that come and go are in the track, and the room's settings.
 */

import type { AnyGame } from '../../world/game.ts'
import { idleCodes } from '../../world/input-codes.ts'
import type { Setup } from '../session/session.ts'
import {
  type ByteReader,
  type ByteWriter,
  createByteReader,
  createByteWriter,
  isWholeRead,
  readCount,
  readVarint,
  takeBytes,
  writeBytes,
  writeVarint,
} from '../wire/bytes.ts'
import { readChanges, writeChanges } from '../wire/ticks.ts'
import { CHUNK, type Chain, type Chunk, nameChunk, plainBytes, readChunk, sealChunk, startFile } from './format.ts'
import { openReplay, writeHeader } from './header.ts'
import { asciiBytes, canonicalJson, parseJson } from './json.ts'
import { requireFingerprint } from './load.ts'
import { readScreens, type ScreenReport, writeScreens } from './screens.ts'

/** What came from a client at one moment. */
export type TrackedPacket = {
  readonly seat: number
  readonly mode: 'mirror' | 'terminal'
  /** When it came: ms since the track began, and the tick that was to run next. */
  readonly atMs: number
  readonly tick: number
  /** What the client had of the match, by its own word: confirmed ticks of a mirror, the last frame of a terminal. */
  readonly received: number
  /** How long before the tick of the last input its player saw the others, in the parts of a tick that `SEEN_AGO` names. */
  readonly seenAgo: number
  /** Those that had not come before, oldest first. None in a packet that only reports what was received. */
  readonly inputs: readonly TrackedInput[]
}

/** An input as it was sent: its number, the tick it was meant for, and its codes. */
export type TrackedInput = { readonly sequence: number; readonly tick: number; readonly codes: Uint32Array }

/** What became of a client: it came, it went, or it reported what it showed. */
export type TrackedClient = {
  /** 255 for one that only watches. */
  readonly seat: number
  /** The tick that was to run next. */
  readonly tick: number
} & (
  | { readonly what: 'mirror came' | 'terminal came' | 'went' }
  | { readonly what: 'screens'; readonly screens: ScreenReport }
)

const WHAT = ['went', 'mirror came', 'terminal came', 'screens'] as const

/** A moment of the match: ms since the track began, and the tick that was to run next. */
type Moment = { readonly atMs: number; readonly tick: number }

export type TrackWriter = {
  readonly game: AnyGame
  readonly chain: Chain
  /** The beginning of the file, until it is taken. */
  head: Uint8Array
  /** Packets that are not in a chunk yet: how many, and the moment before the first and of the last one. */
  readonly pending: ByteWriter
  count: number
  before: Moment
  last: Moment
  /** The same of clients. */
  readonly pendingClients: ByteWriter
  clientCount: number
}

export type Track = {
  readonly packets: readonly TrackedPacket[]
  readonly clients: readonly TrackedClient[]
  /** What the room sends to terminals: its settings, as plain data. */
  readonly terminal: Readonly<Record<string, unknown>>
  /** What is wrong with the file after the packets that could be read; undefined when nothing is. */
  readonly problem: string | undefined
}

/** More than any client sends at once. */
const MAX_INPUTS = 256
const START: Moment = { atMs: 0, tick: 0 }
const NOTHING = new Uint8Array()

/** Starts a track. It may start in the middle of a match: a process that takes a match over starts another one. */
export function createTrackWriter(
  { game, setup }: { readonly game: AnyGame; readonly setup: Setup },
  terminal: object = {},
): TrackWriter {
  const { preamble, chain } = startFile()
  const head = createByteWriter()
  writeBytes(head, preamble)
  writeBytes(head, writeHeader(game, setup, chain))
  writeBytes(head, sealChunk(chain, CHUNK.settings, asciiBytes(canonicalJson(terminal, 'terminal'))))
  return {
    game,
    chain,
    head: takeBytes(head),
    pending: createByteWriter(),
    count: 0,
    before: START,
    last: START,
    pendingClients: createByteWriter(),
    clientCount: 0,
  }
}

/** Adds what became of a client. */
export function trackClient(writer: TrackWriter, client: TrackedClient): void {
  const { pendingClients: pending } = writer
  writeVarint(pending, client.seat)
  writeVarint(pending, WHAT.indexOf(client.what))
  writeVarint(pending, client.tick)
  if (client.what === 'screens') writeScreens(pending, client.screens)
  writer.clientCount++
}

/** Adds a packet. Times are kept in whole ms, and never go back. */
export function trackPacket(writer: TrackWriter, packet: TrackedPacket): void {
  const { pending, last } = writer
  const { seat, mode, received, seenAgo, inputs } = packet
  const moment = { atMs: Math.max(Math.floor(packet.atMs), last.atMs), tick: Math.max(packet.tick, last.tick) }
  writeVarint(pending, 2 * seat + (mode === 'mirror' ? 1 : 0))
  writeVarint(pending, moment.atMs - last.atMs)
  writeVarint(pending, moment.tick - last.tick)
  writeVarint(pending, received)
  writeVarint(pending, seenAgo)
  writeVarint(pending, inputs.length)
  writer.last = moment
  writer.count++
  if (inputs.length === 0) return
  writeVarint(pending, inputs[0].sequence)
  let codes = idleCodes(writer.game.input)
  let tick = 0
  for (const input of inputs) {
    writeVarint(pending, input.tick - tick)
    writeChanges(pending, codes, 0, input.codes, 0, codes.length)
    codes = input.codes
    tick = input.tick
  }
}

/** The bytes since the last call; append them to the file. Empty when nothing came. */
export function drainTrack(writer: TrackWriter): Uint8Array {
  const { head, pending, count, before, last, chain, pendingClients, clientCount } = writer
  if (count === 0 && clientCount === 0 && head.length === 0) return NOTHING
  const out = createByteWriter(head.length + pending.length + 64)
  writeBytes(out, head)
  writer.head = NOTHING
  if (count > 0) {
    const payload = createByteWriter(pending.length + 16)
    writeVarint(payload, before.atMs)
    writeVarint(payload, before.tick)
    writeVarint(payload, count)
    writeBytes(payload, pending.bytes.subarray(0, pending.length))
    writeBytes(out, sealChunk(chain, CHUNK.track, takeBytes(payload)))
  }
  if (clientCount > 0) {
    const payload = createByteWriter(pendingClients.length + 8)
    writeVarint(payload, clientCount)
    writeBytes(payload, pendingClients.bytes.subarray(0, pendingClients.length))
    writeBytes(out, sealChunk(chain, CHUNK.clients, takeBytes(payload)))
  }
  pending.length = 0
  writer.count = 0
  pendingClients.length = 0
  writer.clientCount = 0
  writer.before = last
  return takeBytes(out)
}

/**
 * Reads a track of `game`. Throws `bad-replay` when the bytes are none, or of another game or build; returns what stands before
 * the first damage, with the `problem`.
 */
export function readTrack(game: AnyGame, bytes: Uint8Array): Track {
  const file = plainBytes(bytes)
  const { header, at, chain } = openReplay(file)
  requireFingerprint(game, header)
  const track = { packets: [] as TrackedPacket[], clients: [] as TrackedClient[], terminal: {} }
  for (let next = at; next < file.length; ) {
    const chunk = readChunk(file, next, chain)
    if (!readContents(game, chunk, track)) {
      return { ...track, problem: `${nameChunk(chunk)} is cut off or damaged.` }
    }
    next = chunk.end
  }
  return { ...track, problem: undefined }
}

type Contents = { readonly packets: TrackedPacket[]; readonly clients: TrackedClient[]; terminal: object }

/** Whether the chunk is good; then what it has is in `into`. */
function readContents(game: AnyGame, chunk: Chunk, into: Contents): boolean {
  const { type, state, payload } = chunk
  if (state !== 'good') return false
  if (type === CHUNK.settings) {
    into.terminal = readSettings(payload)
    return true
  }
  if (type === CHUNK.clients) {
    const clients = readClients(payload)
    for (const client of clients ?? []) into.clients.push(client)
    return clients !== undefined
  }
  const packets = readPackets(game, chunk)
  for (const packet of packets ?? []) into.packets.push(packet)
  return packets !== undefined
}

function readSettings(payload: Uint8Array): object {
  try {
    return { ...(parseJson(payload) as object) }
  } catch {
    return {}
  }
}

function readClients(payload: Uint8Array): TrackedClient[] | undefined {
  const reader = createByteReader(payload)
  const count = readCount(reader, payload.length)
  const clients: TrackedClient[] = []
  for (let i = 0; i < count && reader.problem === undefined; i++) {
    const seat = readVarint(reader)
    const what = WHAT[readCount(reader, WHAT.length - 1)]
    const tick = readVarint(reader)
    clients.push(what === 'screens' ? { seat, tick, what, screens: readScreens(reader) } : { seat, tick, what })
  }
  return isWholeRead(reader) ? clients : undefined
}

function readPackets(game: AnyGame, { type, payload }: Chunk): TrackedPacket[] | undefined {
  if (type !== CHUNK.track) return undefined
  const reader = createByteReader(payload)
  let moment: Moment = { atMs: readVarint(reader), tick: readVarint(reader) }
  // Every packet has at least six bytes.
  const count = readCount(reader, payload.length)
  const packets: TrackedPacket[] = []
  for (let i = 0; i < count && reader.problem === undefined; i++) {
    const packet = readPacket(game, reader, moment)
    packets.push(packet)
    moment = packet
  }
  return isWholeRead(reader) ? packets : undefined
}

function readPacket(game: AnyGame, reader: ByteReader, { atMs, tick }: Moment): TrackedPacket {
  const who = readCount(reader, 2 * game.declaration.seats.max - 1)
  return {
    seat: who >>> 1,
    mode: (who & 1) === 1 ? 'mirror' : 'terminal',
    atMs: atMs + readVarint(reader),
    tick: tick + readVarint(reader),
    received: readVarint(reader),
    seenAgo: readVarint(reader),
    inputs: readInputs(game, reader),
  }
}

function readInputs({ input }: AnyGame, reader: ByteReader): TrackedInput[] {
  const inputs: TrackedInput[] = []
  const count = readCount(reader, MAX_INPUTS)
  const sequence = count > 0 ? readVarint(reader) : 0
  let codes = idleCodes(input)
  let tick = 0
  for (let i = 0; i < count && reader.problem === undefined; i++) {
    tick += readVarint(reader)
    codes = codes.slice()
    readChanges(reader, input, codes, 0)
    inputs.push({ sequence: sequence + i, tick, codes })
  }
  return inputs
}
