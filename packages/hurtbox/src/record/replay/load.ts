/**
 * Reading replays: the part that can be trusted, and what is wrong with the rest.
 *
 * A file is read up to the first chunk that is not what it should be. What stands before is sealed and therefore exactly
 * what was written, so it is given back as a shorter match with `complete: false`; only a file without a readable header
 * or of another game is an error. A keyframe that is damaged is left out, since keyframes only save time.
 */

import { HurtboxError } from '../../base/errors.ts'
import { hashWorld } from '../../state/hash.ts'
import { snapshotFromBytes, snapshotTick } from '../../state/pack.ts'
import { declaredGame, EVENTS, withCapacity } from '../../world/capacity.ts'
import type { AnyGame } from '../../world/game.ts'
import { restore } from '../../world/snapshot.ts'
import { type AnyWorld, createEmptyWorld } from '../../world/world.ts'
import { createLog, type InputLog } from '../session/log.ts'
import type { Setup } from '../session/session.ts'
import { createByteReader, isWholeRead, readVarint } from '../wire/bytes.ts'
import { type BlockCursor, createCursor, decodeBlock } from './blocks.ts'
import type { Checksum } from './checksum.ts'
import { compareFingerprints, fingerprint } from './fingerprint.ts'
import { badBytes, CHUNK, type Chunk, nameChunk, plainBytes, readChunk } from './format.ts'
import { openReplay, type ReplayHeader } from './header.ts'

export type Replay = {
  readonly game: AnyGame
  readonly header: ReplayHeader
  readonly setup: Setup
  /** Ticks that can be played. */
  readonly ticks: number
  /** Whether this is the whole match: the end marker was reached. */
  readonly complete: boolean
  /** What is wrong with the file, in sentences; empty when nothing is. */
  readonly problems: readonly string[]
  /** What entered the match, as applied. */
  readonly log: InputLog
  /** Hashes of the state on the way: at tick 0, in between, and at `ticks`. */
  readonly checksums: readonly Checksum[]
  readonly keyframes: readonly Keyframe[]
}

/** The packed state before `tick` runs. Its hash is that of the checksum at the same tick. */
export type Keyframe = { readonly tick: number; readonly bytes: Uint8Array }

/**
 * Reads a replay of the game, or of the game with smaller capacities. Throws `bad-replay` when the bytes are no replay, their header is damaged, or the fingerprint
 * is another; returns the valid part with `problems` when something after the header is wrong.
 */
export function loadReplay(given: AnyGame, bytes: Uint8Array): Replay {
  const file = plainBytes(bytes)
  const { header, at, chain } = openReplay(file)
  const game = asRecorded(given, header)
  requireFingerprint(game, header)
  const reading: Reading = {
    world: requireSetup(game, header.setup),
    cursor: createCursor(game),
    log: createLog(game),
    checksums: [],
    keyframes: [],
  }
  const problems: string[] = []
  let next = at
  let complete = false
  while (!complete && next < file.length) {
    const chunk = readChunk(file, next, chain)
    next = chunk.end
    const problem = tryChunk(reading, chunk)
    if (problem === undefined) {
      complete = chunk.type === CHUNK.end
      continue
    }
    const isSpare = chunk.type === CHUNK.keyframe
    problems.push(`${nameChunk(chunk)}: ${problem}${isSpare ? ' It was left out; keyframes only save time.' : ''}`)
    if (!isSpare) break
  }
  const { cursor, log, checksums, keyframes } = reading
  if (checksums.length === 0) {
    const why = problems.join(' ') || 'the file ends after its header.'
    throw new HurtboxError('bad-replay', `nothing of the match can be read: ${why} Get the file again.`, { problems })
  }
  const { tick: ticks } = cursor
  if (!complete) problems.push(`there is no end marker: the first ${ticks} ticks are good, what came after is lost.`)
  else if (next < file.length) {
    problems.push(`${file.length - next} bytes follow the end marker. They were ignored; the match itself is whole.`)
  }
  return { game, header, setup: header.setup, ticks, complete, problems, log, checksums, keyframes }
}

type Reading = {
  /** To try keyframes in. */
  readonly world: AnyWorld
  readonly cursor: BlockCursor
  readonly log: InputLog
  readonly checksums: Checksum[]
  readonly keyframes: Keyframe[]
}

/** Reads a chunk; returns what is wrong with it, if anything. */
function tryChunk(reading: Reading, chunk: Chunk): string | undefined {
  try {
    requireGood(chunk)
    readContents(reading, chunk)
    return undefined
  } catch (error) {
    if (!(error instanceof HurtboxError)) throw error
    return `${error.message.replace(/\.$/, '')}.`
  }
}

function readContents(reading: Reading, { type, payload }: Chunk): void {
  const { cursor, log, checksums, keyframes } = reading
  switch (type) {
    case CHUNK.ticks:
      checksums.push(decodeBlock(cursor, log, payload, checksums.length === 0))
      return
    case CHUNK.keyframe:
      keyframes.push(readKeyframe(reading, payload))
      return
    case CHUNK.end: {
      const reader = createByteReader(payload)
      const ticks = readVarint(reader)
      if (!isWholeRead(reader) || ticks !== cursor.tick) throw badBytes(`it speaks of ${ticks} ticks`)
      return
    }
    default:
      throw badBytes('this build knows no such chunk')
  }
}

function readKeyframe({ world, checksums, keyframes }: Reading, payload: Uint8Array): Keyframe {
  const reader = createByteReader(payload)
  const tick = readVarint(reader)
  if (reader.problem !== undefined) throw badBytes(reader.problem)
  const checksum = checksums.at(-1)
  if (checksum?.tick !== tick || keyframes.at(-1)?.tick === tick) throw badBytes('it does not stand where it belongs')
  const keyframe = snapshotFromBytes(world.memory.layout, payload.subarray(reader.at))
  if (snapshotTick(keyframe) !== tick) throw badBytes('it is of another tick')
  restore(world, keyframe)
  if (hashWorld(world) !== checksum.hash) throw badBytes('it is not the state that its hash belongs to')
  return { tick, bytes: keyframe.bytes }
}

function requireGood(chunk: Chunk): void {
  if (chunk.state === 'damaged') throw badBytes('it is damaged')
  if (chunk.state === 'cut') throw badBytes('the file ends inside it')
}

/** The game with the capacities of the match. What makes no sense is left as it is, and refused by the fingerprint. */
function asRecorded(given: AnyGame, { layout, eventCapacity }: ReplayHeader): AnyGame {
  const game = declaredGame(given)
  const { tableNames, capacities } = game.layout
  const smaller = layout.tables.filter(([name, rows]) => {
    const declared = capacities[tableNames.indexOf(name)]
    return name !== 'players' && Number.isInteger(rows) && isWithin(rows, declared)
  })
  const { things, hits, ...tables }: Record<string, number> = Object.fromEntries(smaller)
  const isFewer = Number.isInteger(eventCapacity) && isWithin(eventCapacity!, game.declaration.eventCapacity ?? EVENTS)
  return withCapacity(game, {
    ...(things && { things }),
    ...(hits && { hits }),
    ...(isFewer && { events: eventCapacity! }),
    ...(Object.keys(tables).length > 0 && { tables }),
  })
}

function isWithin(rows: number, declared: number): boolean {
  return rows > 0 && rows < declared
}

/** Throws when the file is of another game, or of another build of it. */
export function requireFingerprint(game: AnyGame, { game: id, fingerprint: there }: ReplayHeader): void {
  const here = fingerprint(game)
  const differences = compareFingerprints(here, there)
  if (differences.length === 0 && here.hash === there.hash) return
  const { id: ownId } = game.declaration
  throw new HurtboxError(
    'bad-replay',
    id === ownId
      ? `the replay was made by another build of "${id}" (here: this build, there: the replay): ` +
          `${differences.join(', ')}. Use the build it came from.`
      : `the replay is of the game "${id}", not "${ownId}".`,
    { game: id, differences },
  )
}

/** A world to try keyframes in; throws when the match could not have started so. */
function requireSetup(game: AnyGame, setup: Setup): AnyWorld {
  try {
    return createEmptyWorld(game, setup)
  } catch (error) {
    if (!(error instanceof HurtboxError)) throw error
    throw new HurtboxError('bad-replay', `the match in this replay cannot be set up: ${error.message}`, error.details)
  }
}
