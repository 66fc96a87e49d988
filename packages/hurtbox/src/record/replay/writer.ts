/**
 * Writing replays: all at once, or chunk by chunk while the match runs.
 *
 * The writer follows a session's log. Where it needs the state (a checksum every 32 ticks, a keyframe now and then), it takes
 * the session's own world if that stands there, which is what happened; otherwise it steps a twin from the nearest
 * snapshot, which is the same by the engine's promise. A server that calls `drainReplay` after every tick pays for the
 * hashes alone.
 */

import { HurtboxError, requireInteger } from '../../base/errors.ts'
import { hashBytes } from '../../state/hash.ts'
import { snapshot } from '../../world/snapshot.ts'
import type { AnyWorld } from '../../world/world.ts'
import { createTwin, replayTo, type Session } from '../session/session.ts'
import { type ByteWriter, createByteWriter, takeBytes, writeBytes, writeHex, writeVarint } from '../wire/bytes.ts'
import type { HeldInputs } from '../wire/ticks.ts'
import { type BlockCursor, createCursor, encodeChecksum, encodeTicks, MAX_BLOCK_TICKS } from './blocks.ts'
import { checksumOf, NOT_FINITE } from './checksum.ts'
import { CHUNK, type Chain, sealChunk, startFile } from './format.ts'
import { writeHeader } from './header.ts'

export type ReplayOptions = {
  /** Ticks between two hashes of the state: how closely a divergence can be placed. Default 32; 1 to name the exact tick. */
  readonly hashEvery?: number
  /** Ticks between two keyframes; 0 for none. Default 1024. With 1 a divergence is reported by row and column. */
  readonly keyframeEvery?: number
}

const HASH_EVERY = 32
/** A keyframe is a whole state: a file has fewer of them than a session has in memory. */
const FILE_KEYFRAME_TICKS = 1024

/** A replay that is being written. */
export type ReplayWriter = {
  readonly session: Session
  readonly hashEvery: number
  readonly keyframeEvery: number
  readonly chain: Chain
  readonly cursor: BlockCursor
  /** Bytes written so far. */
  length: number
  /** 'broken' after a call that threw half way: what it had written is lost, so nothing may follow. */
  state: 'new' | 'open' | 'finished' | 'broken'
  /** A world of the match for states that the session's world has passed. */
  twin: AnyWorld | undefined
  /** The log's number of cuts when we last looked, and a hash of all inputs written: has the past been rewritten? */
  cutsSeen: number
  inputsHash: string
}

/** Saves the whole match of a session, wherever its world stands. */
export function saveReplay(session: Session, options: ReplayOptions = {}): Uint8Array {
  return finishReplay(createReplayWriter(session, options))
}

/** Starts a replay that is written while the match runs; what happened before is included. */
export function createReplayWriter(session: Session, options: ReplayOptions = {}): ReplayWriter {
  const { hashEvery = HASH_EVERY, keyframeEvery = FILE_KEYFRAME_TICKS } = options
  return {
    session,
    hashEvery: requireInteger(hashEvery, 'hashEvery', 1, MAX_BLOCK_TICKS),
    keyframeEvery: requireInteger(keyframeEvery, 'keyframeEvery', 0, 1 << 20),
    chain: startFile().chain,
    cursor: createCursor(session.game),
    length: 0,
    state: 'new',
    twin: undefined,
    cutsSeen: session.log.cuts.length,
    inputsHash: '',
  }
}

/**
 * The bytes that have become final since the last call; append them to the file. Often empty: ticks are written in blocks.
 *
 * Throws when the session went back and changed ticks that are written already.
 */
export function drainReplay(writer: ReplayWriter): Uint8Array {
  if (!isDue(writer)) return NOTHING
  const out = createByteWriter()
  drainInto(writer, out)
  return taken(writer, out)
}

const NOTHING = new Uint8Array(0)

/** Asked after every tick of every match, and mostly there is nothing to write. */
function isDue(writer: ReplayWriter): boolean {
  const { state, cursor, cutsSeen, session } = writer
  const { log } = session
  const isUntouched = state === 'open' && log.cuts.length === cutsSeen && cursor.tick >= log.from
  return !isUntouched || blockEnd(writer, cursor.tick) <= log.length
}

/** As `drainReplay`, and ends the block at the last tick: the file then says everything up to there. */
export function drainWhole(writer: ReplayWriter): Uint8Array {
  const out = createByteWriter()
  drainInto(writer, out)
  writeRest(writer, out)
  return taken(writer, out)
}

/** Where a file ends that another writer may continue: after a whole block. */
export type ReplayPosition = { readonly seal: Uint8Array; readonly length: number }

/** Where the writer stands; undefined in the middle of a block. */
export function replayPosition({ session, cursor, chain, length, state }: ReplayWriter): ReplayPosition | undefined {
  const isBetweenBlocks = state === 'open' && cursor.tick === session.log.length
  return isBetweenBlocks ? { seal: chain.seal, length } : undefined
}

/** A writer that goes on where another one stood. `session` begins at that tick, and `held` is what its seats hold. */
export function continueReplay(
  session: Session,
  held: HeldInputs,
  { seal, length }: ReplayPosition,
  options: ReplayOptions = {},
): ReplayWriter {
  const writer = createReplayWriter(session, options)
  writer.chain.seal = seal
  writer.cursor.tick = session.log.from
  writer.cursor.held.codes.set(held.codes)
  writer.length = length
  writer.state = 'open'
  return writer
}

/** Ends the replay: the ticks that are not written yet, and the end marker. */
export function finishReplay(writer: ReplayWriter): Uint8Array {
  const out = createByteWriter()
  drainInto(writer, out)
  writeRest(writer, out)
  writeBytes(out, sealEnd(writer.chain, writer.cursor.tick))
  writer.state = 'finished'
  writer.twin = undefined
  return taken(writer, out)
}

/** The end marker of a file that ends at `position`, for a match that cannot go on. */
export function endReplayAt({ seal }: ReplayPosition, ticks: number): Uint8Array {
  return sealEnd({ seal }, ticks)
}

/** The ticks that no whole block has. */
function writeRest(writer: ReplayWriter, out: ByteWriter): void {
  const { cursor, session } = writer
  writer.state = 'broken'
  if (cursor.tick < session.log.length) writeBlock(writer, session.log.length, out)
  writer.state = 'open'
}

function taken(writer: ReplayWriter, out: ByteWriter): Uint8Array {
  writer.length += out.length
  return takeBytes(out)
}

function sealEnd(chain: Chain, ticks: number): Uint8Array {
  const payload = createByteWriter(5)
  writeVarint(payload, ticks)
  return sealChunk(chain, CHUNK.end, takeBytes(payload))
}

function sealTicks(chain: Chain, ticks: Uint8Array, checksum: Uint8Array): Uint8Array {
  const payload = createByteWriter(ticks.length + checksum.length)
  writeBytes(payload, ticks)
  writeBytes(payload, checksum)
  return sealChunk(chain, CHUNK.ticks, takeBytes(payload))
}

function sealKeyframe(chain: Chain, tick: number, bytes: Uint8Array): Uint8Array {
  const payload = createByteWriter(bytes.length + 5)
  writeVarint(payload, tick)
  writeBytes(payload, bytes)
  return sealChunk(chain, CHUNK.keyframe, takeBytes(payload))
}

function drainInto(writer: ReplayWriter, out: ByteWriter): void {
  const { session, chain, cursor } = writer
  if (writer.state === 'finished' || writer.state === 'broken') {
    const why = writer.state === 'finished' ? 'has its end marker already' : 'could not be continued after an error'
    throw new HurtboxError('bad-argument', `this replay ${why}; start another writer.`)
  }
  requireSamePast(writer)
  if (cursor.tick < session.log.from) {
    throw new HurtboxError('bad-argument', `this match has forgotten what came before tick ${session.log.from}.`)
  }
  const isNew = writer.state === 'new'
  writer.state = 'broken'
  if (isNew) {
    writeBytes(out, startFile().preamble)
    writeBytes(out, writeHeader(session.game, session.setup, chain))
    writeBlock(writer, 0, out)
  }
  for (let to = blockEnd(writer, cursor.tick); to <= session.log.length; to = blockEnd(writer, to)) {
    writeBlock(writer, to, out)
  }
  writer.state = 'open'
}

/** Blocks end where a hash or a keyframe is due, so that every keyframe has a hash to stand against. */
function blockEnd(writer: ReplayWriter, tick: number): number {
  const { hashEvery, keyframeEvery } = writer
  const nextHash = tick - (tick % hashEvery) + hashEvery
  return keyframeEvery === 0 ? nextHash : Math.min(nextHash, tick - (tick % keyframeEvery) + keyframeEvery)
}

function writeBlock(writer: ReplayWriter, toTick: number, out: ByteWriter): void {
  const { chain, cursor, session, keyframeEvery } = writer
  const world = stateAt(writer, toTick)
  const ticks = encodeTicks(cursor, session.log, toTick)
  writer.inputsHash = hashOnto(writer.inputsHash, ticks)
  const checksum = checksumOf(world)
  writeBytes(out, sealTicks(chain, ticks, encodeChecksum(checksum)))
  if (keyframeEvery === 0 || toTick % keyframeEvery !== 0 || checksum.hash === NOT_FINITE) return
  const keyframe = snapshot(world)
  writeBytes(out, sealKeyframe(chain, toTick, keyframe.bytes.subarray(0, keyframe.byteLength)))
}

/** A world of the match in the state before `tick`. It never goes back: blocks are written in order. */
function stateAt(writer: ReplayWriter, tick: number): AnyWorld {
  const { session } = writer
  const { world } = session
  if (world.tick === tick && world.memory.status === 'ready') return world
  writer.twin ??= createTwin(session)
  replayTo(session, writer.twin, tick)
  return writer.twin
}

/**
 * A session may go back and continue differently; what is on disk cannot. Only when the log was cut since we last
 * looked, and cut below what is written, are the inputs written so far compared with it again.
 */
function requireSamePast(writer: ReplayWriter): void {
  const { session, cursor } = writer
  const { log } = session
  const isUntouched = log.cuts.slice(writer.cutsSeen).every((tick) => tick >= cursor.tick)
  if (isUntouched || (log.length >= cursor.tick && hashInputs(writer, cursor.tick) === writer.inputsHash)) {
    writer.cutsSeen = log.cuts.length
    return
  }
  throw new HurtboxError(
    'bad-argument',
    `the session went back and changed ticks that are in the replay already (${cursor.tick} are written). ` +
      'Start another writer, or drain only what is settled.',
    { written: cursor.tick },
  )
}

/** The hash of the log's inputs up to `toTick`, block by block as they were written. */
function hashInputs(writer: ReplayWriter, toTick: number): string {
  if (writer.state === 'new') return ''
  const { log, game } = writer.session
  const cursor = createCursor(game)
  let hash = hashOnto('', encodeTicks(cursor, log, 0))
  while (cursor.tick < toTick) hash = hashOnto(hash, encodeTicks(cursor, log, blockEnd(writer, cursor.tick)))
  return hash
}

function hashOnto(before: string, bytes: Uint8Array): string {
  const writer = createByteWriter(bytes.length + 8)
  writeHex(writer, before)
  writeBytes(writer, bytes)
  return hashBytes(takeBytes(writer))
}
