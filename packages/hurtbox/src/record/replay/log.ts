/**
 * The log of a match that is running: a checkpoint now and then, and every tick after it.
 *
 * A replay is for people who watch the past; a log is for a process that goes on where another one died. Both are made of
 * the same parts: ticks as `hurtbox/wire` writes them, in sealed chunks (format.ts). A checkpoint begins a new chain, and every
 * tick is sealed on what stands before it. So a reader knows which entries belong together, and where the good part ends:
 * a tick that is missing, or comes from another history, breaks the chain.
 *
 *   checkpoint  tick, where the replay stands (length and seal), what each seat holds, the packed state
 *   tick        its number, then as hurtbox/wire writes it
 */

import { HurtboxError } from '../../base/errors.ts'
import { hashWorld } from '../../state/hash.ts'
import { snapshotFromBytes, snapshotTick } from '../../state/pack.ts'
import type { AnyGame } from '../../world/game.ts'
import { snapshot } from '../../world/snapshot.ts'
import { createEncodedInputs } from '../../world/step.ts'
import type { AnyWorld } from '../../world/world.ts'
import { resumeSession } from '../session/resume.ts'
import { advanceEncoded, type Session, type Setup } from '../session/session.ts'
import {
  createByteReader,
  createByteWriter,
  HASH_BYTES,
  isWholeRead,
  readByte,
  readCount,
  readVarint,
  takeBytes,
  writeByte,
  writeBytes,
  writeVarint,
} from '../wire/bytes.ts'
import { createHeldInputs, type HeldInputs, readTick } from '../wire/ticks.ts'
import { CHUNK, type Chain, readChunk, sealChunk, startFile } from './format.ts'
import { continueReplay, drainReplay, type ReplayOptions, type ReplayPosition, type ReplayWriter } from './writer.ts'

/** What the next entry is sealed on. */
export type LogChain = Chain

/** A match as its log tells it, in the state after the last good tick. */
export type LoggedMatch = {
  readonly session: Session
  readonly held: HeldInputs
  /** The ticks after the checkpoint, oldest first, as `hurtbox/wire` writes them. The first is `from`. */
  readonly ticks: readonly Uint8Array[]
  readonly from: number
  /** Hashes of the state that came with those ticks: after `tick` ticks. */
  readonly hashes: readonly { readonly tick: number; readonly hash: string }[]
  /** Goes on with the replay; undefined when the match is not recorded. */
  readonly writer: ReplayWriter | undefined
  /** Where the replay stood at the checkpoint, and what the writer has written since. */
  readonly replayAt: ReplayPosition | undefined
  readonly replay: readonly Uint8Array[]
  /** What is wrong with the entries after the last good tick; undefined when they all are good. */
  readonly problem: string | undefined
}

export type ReadLogOptions = {
  /** Ticks between two keyframes of the session. */
  readonly keyframeEvery?: number
  readonly replay?: ReplayOptions
}

export function createLogChain(): LogChain {
  return startFile().chain
}

/** The whole state, from which the match can go on. Begins a new chain. `replay`: where the replay's writer stands. */
export function logCheckpoint(
  chain: LogChain,
  world: AnyWorld,
  held: HeldInputs,
  replay: ReplayPosition | undefined,
): Uint8Array {
  const state = snapshot(world)
  const payload = createByteWriter(state.byteLength + 256)
  writeVarint(payload, world.tick)
  writeByte(payload, replay === undefined ? 0 : 1)
  if (replay !== undefined) {
    writeVarint(payload, replay.length)
    writeBytes(payload, replay.seal)
  }
  for (const code of held.codes) writeVarint(payload, code)
  writeBytes(payload, state.bytes.subarray(0, state.byteLength))
  chain.seal = createLogChain().seal
  return sealChunk(chain, CHUNK.checkpoint, takeBytes(payload))
}

/** Scratch of `logTick`. */
const tickPayload = createByteWriter(256)

/** A tick; `bytes` is what `writeTick` made of it. */
export function logTick(chain: LogChain, tick: number, bytes: Uint8Array): Uint8Array {
  tickPayload.length = 0
  writeVarint(tickPayload, tick)
  writeBytes(tickPayload, bytes)
  return sealChunk(chain, CHUNK.tick, tickPayload.bytes.subarray(0, tickPayload.length))
}

/**
 * Goes on with a match from its log: the last checkpoint that is good, and the ticks after it, up to the first that is missing,
 * damaged or leads to another state than its hash says. Undefined when there is no good checkpoint.
 */
export function readMatchLog(
  game: AnyGame,
  setup: Setup,
  entries: readonly Uint8Array[],
  options: ReadLogOptions = {},
): LoggedMatch | undefined {
  for (let at = entries.length - 1; at >= 0; at--) {
    const checkpoint = readCheckpoint(game, entries[at])
    if (checkpoint !== undefined) {
      return play(game, setup, checkpoint, entries.slice(at + 1), options, Number.POSITIVE_INFINITY)
    }
  }
  return undefined
}

/** The entries of a file to which they were appended one by one. What was cut off at its end is left out. */
export function splitLog(bytes: Uint8Array): Uint8Array[] {
  const entries: Uint8Array[] = []
  for (let at = 0; at < bytes.length; ) {
    const reader = createByteReader(bytes, at)
    readByte(reader)
    const end = readVarint(reader) + reader.at + HASH_BYTES
    if (reader.problem || end > bytes.length) break
    entries.push(bytes.slice(at, end))
    at = end
  }
  return entries
}

type Checkpoint = {
  readonly chain: Chain
  readonly held: Uint32Array
  readonly replay: ReplayPosition | undefined
  readonly state: ReturnType<typeof snapshotFromBytes>
}

/** Steps through the ticks after a checkpoint, at most up to `end`. */
function play(
  game: AnyGame,
  setup: Setup,
  checkpoint: Checkpoint,
  entries: readonly Uint8Array[],
  options: ReadLogOptions,
  end: number,
): LoggedMatch {
  const session = resumeSession(game, setup, checkpoint.state, options.keyframeEvery)
  const held = { ...createHeldInputs(game), codes: checkpoint.held.slice() }
  const inputs = createEncodedInputs(session.world)
  const chain = { seal: checkpoint.chain.seal }
  const from = session.world.tick
  const ticks: Uint8Array[] = []
  const hashes: { tick: number; hash: string }[] = []
  const replay: Uint8Array[] = []
  const writer = checkpoint.replay && continueReplay(session, held, checkpoint.replay, options.replay)
  let problem: string | undefined
  for (const entry of entries) {
    const { tick } = session.world
    if (tick >= end) break
    const chunk = readChunk(entry, 0, chain)
    const reader = createByteReader(chunk.payload)
    const number = readVarint(reader)
    if (chunk.type !== CHUNK.tick || chunk.state !== 'good' || number !== tick) {
      problem = `tick ${tick} is missing or damaged`
      break
    }
    const bytes = chunk.payload.slice(reader.at)
    const hash = readTick(reader, held, inputs)
    const isPlayed = isWholeRead(reader) && tryTick(session, inputs)
    if (isPlayed && (hash === undefined || hash === hashWorld(session.world))) {
      ticks.push(bytes)
      if (hash !== undefined) hashes.push({ tick: tick + 1, hash })
      if (writer !== undefined) replay.push(drainReplay(writer))
      continue
    }
    // Which of the ticks since the last hash is to blame is not known.
    const good = play(game, setup, checkpoint, entries, options, hashes.at(-1)?.tick ?? from)
    return { ...good, problem: `tick ${tick} does not lead to the state that was logged` }
  }
  const { replay: replayAt } = checkpoint
  const written = replay.filter(({ length }) => length > 0)
  return { session, held, ticks, from, hashes, writer, replayAt, replay: written, problem }
}

function tryTick(session: Session, inputs: Parameters<typeof advanceEncoded>[1]): boolean {
  try {
    advanceEncoded(session, inputs)
    return true
  } catch (error) {
    if (error instanceof HurtboxError && error.code === 'bad-argument') return false
    throw error
  }
}

/** Where the replay of a match stood at the last checkpoint; undefined when it is not recorded. Needs no rules of the game. */
export function replayOfLog(
  entries: readonly Uint8Array[],
): { readonly ticks: number; readonly position: ReplayPosition } | undefined {
  for (let at = entries.length - 1; at >= 0; at--) {
    const head = readHead(entries[at], createLogChain())
    if (head !== undefined) return head.replay && { ticks: head.tick, position: head.replay }
  }
  return undefined
}

/**
 * The part of a replay that ends at `position`; undefined when anything before it is missing or damaged, as after a store has lost
 * what it had.
 */
export function replayUpTo(bytes: Uint8Array, { seal, length }: ReplayPosition): Uint8Array | undefined {
  if (bytes.length < length) return undefined
  const { preamble, chain } = startFile()
  if (preamble.some((byte, i) => bytes[i] !== byte)) return undefined
  const replay = bytes.subarray(0, length)
  for (let at = preamble.length; at < length; ) {
    const chunk = readChunk(replay, at, chain)
    if (chunk.state !== 'good') return undefined
    at = chunk.end
  }
  return seal.every((byte, i) => byte === chain.seal[i]) ? replay : undefined
}

type Head = { readonly tick: number; readonly replay: ReplayPosition | undefined; readonly rest: Uint8Array }

/** The part of a checkpoint that needs no game. */
function readHead(entry: Uint8Array, chain: Chain): Head | undefined {
  const chunk = readChunk(entry, 0, chain)
  if (chunk.type !== CHUNK.checkpoint || chunk.state !== 'good') return undefined
  const { payload } = chunk
  const reader = createByteReader(payload)
  const tick = readVarint(reader)
  let replay: ReplayPosition | undefined
  if (readByte(reader) === 1) {
    const length = readVarint(reader)
    replay = { length, seal: payload.slice(reader.at, reader.at + HASH_BYTES) }
    reader.at += HASH_BYTES
  }
  const isWhole = !reader.problem && reader.at <= payload.length
  return isWhole ? { tick, replay, rest: payload.subarray(reader.at) } : undefined
}

function readCheckpoint(game: AnyGame, entry: Uint8Array): Checkpoint | undefined {
  const chain = createLogChain()
  const head = readHead(entry, chain)
  if (head === undefined) return undefined
  const { tick, replay, rest } = head
  const reader = createByteReader(rest)
  const { fields } = game.input
  const held = new Uint32Array(game.declaration.seats.max * fields.length)
  for (let i = 0; i < held.length; i++) held[i] = readCount(reader, fields[i % fields.length].largestCode)
  if (reader.problem) return undefined
  try {
    const state = snapshotFromBytes(game.layout, rest.subarray(reader.at))
    return snapshotTick(state) === tick ? { chain, held, replay, state } : undefined
  } catch (error) {
    if (error instanceof HurtboxError) return undefined
    throw error
  }
}
