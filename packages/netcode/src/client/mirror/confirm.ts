/**
 * What a mirror does with messages of the host: it runs the confirmed ticks, compares hashes, and takes the host's state where its own
 * differs.
 */

import { hashWorld, restore } from 'hurtbox'
import {
  type AnyGame,
  type AnyWorld,
  createEmptyWorld,
  describeCell,
  describeDifference,
  diffWorlds,
  snapshotFromBytes,
  tellPhase,
} from 'hurtbox/tools'
import {
  type ByteReader,
  createByteReader,
  createByteWriter,
  isWholeRead,
  readByte,
  readTick,
  takeBytes,
} from 'hurtbox/wire'
import { MESSAGES, writeMessage } from '../../protocol/messages.ts'
import type { FullState } from '../../protocol/welcome.ts'
import { noteTick } from '../clock.ts'
import { noteFeedback } from '../sender.ts'
import { compareAt, noteInputs, noteVerified, trailOf } from './blame.ts'
import { feedConfirmed, feedGap } from './event-feed.ts'
import { notePast } from './past.ts'
import { tryStep } from './predict.ts'
import type { DesyncReport, Mirror } from './state.ts'

/** A message of the host. An invalid one is counted and changes nothing. */
export function receiveAtMirror(mirror: Mirror, message: Uint8Array, now: number): void {
  const reader = createByteReader(message)
  const kind = readByte(reader)
  if (kind === MESSAGES.ticks.kind) takeTicks(mirror, reader, now)
  else if (kind === MESSAGES.state.kind) takeState(mirror, reader, now)
  else if (kind === MESSAGES.blamed.kind) takeBlamed(mirror, reader)
  else mirror.stats.malformed++
}

export function askForState(mirror: Mirror, now: number): void {
  const { game, inside, confirmed } = mirror
  inside.askedAt = now
  const writer = createByteWriter()
  writeMessage(writer, MESSAGES.desync, trailOf(game, confirmed.options, inside.verified))
  mirror.outbox.push(takeBytes(writer))
}

function takeTicks(mirror: Mirror, reader: ByteReader, now: number): void {
  const { confirmed, clock, sender, stats, inside } = mirror
  const head = MESSAGES.ticks.read(reader)
  if (head === undefined) {
    stats.malformed++
    return
  }
  const { from, count, acknowledged, slack } = head
  const { held, checked, inputs } = inside
  // Read to the end before anything counts: an invalid message must change nothing.
  const body = reader.at
  checked.codes.set(held.codes)
  for (let tick = 0; tick < count && !reader.problem; tick++) readTick(reader, checked, inputs)
  if (!isWholeRead(reader)) {
    stats.malformed++
    return
  }
  // A gap: ticks before these are still missing. They will come again, or the whole state will.
  if (from > confirmed.tick || from + count < confirmed.tick) return
  noteFeedback(clock, sender, from + count, acknowledged, slack, now)
  const startedAt = confirmed.tick
  reader.at = body
  for (let tick = from; tick < from + count; tick++) {
    const isNew = tick === confirmed.tick
    const hash = readTick(reader, isNew ? held : checked, inputs)
    if (isNew) confirmTick(mirror, hash, now)
  }
  if (confirmed.tick > startedAt) inside.hasNews = true
  skipMissed(mirror)
}

/** A player who was away has missed what is confirmed by now. */
export function skipMissed({ inside, events, confirmed }: Mirror): void {
  if (!inside.skipsMissed) return
  inside.skipsMissed = false
  events.freshFrom = confirmed.tick
}

function confirmTick(mirror: Mirror, hash: string | undefined, now: number): void {
  const { confirmed, inside, stats, events } = mirror
  inside.watch?.(inside.inputs)
  if (inside.desyncedAt === undefined) noteInputs(inside.verified, inside.inputs)
  const hasRun = tryStep(confirmed, inside.inputs)
  if (hasRun) notePast(mirror)
  // Of a state that differs nothing is confirmed; those ticks become a gap when the host's state comes.
  if (hasRun && inside.desyncedAt === undefined) feedConfirmed(events, confirmed)
  if (inside.desyncedAt !== undefined || (hasRun && hash === undefined)) return
  stats.hashChecks++
  if (hasRun && hashOf(confirmed) === hash) {
    inside.verifiedTick = confirmed.tick
    inside.verifiedHash = hash
    noteVerified(inside.verified, confirmed)
    return
  }
  stats.mismatches++
  inside.desyncedAt = confirmed.tick
  askForState(mirror, now)
}

function takeState(mirror: Mirror, reader: ByteReader, now: number): void {
  const { game, confirmed, inside, stats, desyncs, outbox } = mirror
  const state = MESSAGES.state.read(reader, game)
  const theirs = state && hostWorld(game, state.full)
  if (state === undefined || theirs?.tick !== state.tick) {
    stats.malformed++
    return
  }
  const { tick, full } = state
  if (tick < confirmed.tick) return
  const gapFrom = inside.desyncedAt === undefined ? confirmed.tick : inside.verifiedTick
  if (inside.desyncedAt !== undefined) {
    const { blame } = inside
    const differences = blame?.differences ?? (tick === confirmed.tick ? diffWorlds(confirmed, theirs, 16) : [])
    const first = blame && { tick: blame.tick, phase: blame.phase }
    const report = { tick: inside.desyncedAt, first, differences }
    desyncs.push(report)
    outbox.push(differenceMessage(report))
    inside.desyncedAt = undefined
    inside.blame = undefined
  }
  if (tick > gapFrom) feedGap(mirror.events, { from: gapFrom, to: tick })
  inside.verifiedTick = tick
  inside.verifiedHash = undefined
  restore(confirmed, snapshotFromBytes(game.layout, full.snapshot))
  notePast(mirror)
  inside.held.codes.set(full.held)
  noteVerified(inside.verified, confirmed)
  noteTick(mirror.clock, tick, now)
  inside.hasNews = true
  skipMissed(mirror)
}

/** The host's state where its way parted from ours. */
function takeBlamed({ game, inside, confirmed, stats }: Mirror, reader: ByteReader): void {
  const blamed = MESSAGES.blamed.read(reader)
  if (blamed === undefined || inside.desyncedAt === undefined) stats.malformed++
  else inside.blame = compareAt(game, confirmed.options, inside.verified, blamed)
}

function differenceMessage(report: DesyncReport): Uint8Array {
  const writer = createByteWriter()
  writeMessage(writer, MESSAGES.difference, describeDesync(report).slice(0, 256))
  return takeBytes(writer)
}

/** The host's world; undefined when the bytes are no state of this game, or a number in it is not finite. */
export function hostWorld(game: AnyGame, { snapshot: bytes }: FullState): AnyWorld | undefined {
  try {
    // The snapshot came as bytes and fits worlds of any options; the comparison looks at the state alone.
    const world: AnyWorld = createEmptyWorld(game)
    restore(world, snapshotFromBytes(game.layout, bytes))
    return hashOf(world) === '' ? undefined : world
  } catch {
    return undefined
  }
}

/** The hash of a world; '' when a number in it is not finite. */
function hashOf(world: AnyWorld): string {
  try {
    return hashWorld(world)
  } catch {
    return ''
  }
}

/** A report in words: tick, phase, table, row and column, as far as they are known. */
export function describeDesync({ first, differences }: DesyncReport): string {
  if (differences.length === 0) return 'no difference any more'
  if (first === undefined) return describeDifference(differences[0])
  return `tick ${first.tick}, ${tellPhase(first.phase)}: ${describeCell(differences[0])}`
}
