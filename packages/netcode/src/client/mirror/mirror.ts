/**
 * A mirror: a client that steps the same world as the host.
 *
 * It has two worlds. `confirmed` runs the confirmed inputs and is compared with the host by hash; if it differs, it is
 * replaced by the host's state. `world` runs ahead of it with the player's own inputs, while other players repeat their last
 * ones (predict.ts); it is the one that is shown. Two worlds cost one more step per tick than one, and in return no predicted
 * state can get into what is compared.
 */

import { HurtboxError, hashWorld, restore, snapshot } from 'hurtbox'
import { planEvents } from 'hurtbox/picture'
import { roundMoment, roundMs } from 'hurtbox/replay'
import {
  type AnyGame,
  type AnyWorld,
  createEmptyWorld,
  createEncodedInputs,
  type Difference,
  describeCell,
  describeDifference,
  diffWorlds,
  type EncodedInputs,
  type PhasePlace,
  type Snapshot,
  snapshotFromBytes,
  tellPhase,
} from 'hurtbox/tools'
import {
  type ByteReader,
  createByteReader,
  createByteWriter,
  createHeldInputs,
  type HeldInputs,
  isWholeRead,
  readByte,
  readTick,
  takeBytes,
} from 'hurtbox/wire'
import { MESSAGES, readMessage, writeMessage } from '../../protocol/messages.ts'
import { ASK_AGAIN_MS, MAX_CATCH_UP, MAX_LEAD_TICKS, type Path, SPECTATOR } from '../../protocol/protocol.ts'
import type { FullState, Welcome } from '../../protocol/welcome.ts'
import { createHostClock, type HostClock, inputTick, noteTick, untilInput } from '../clock.ts'
import { createScreenLog, noteScreen, type ScreenLog } from '../screen-log.ts'
import {
  createInputSender,
  type InputSender,
  isPacketDue,
  makePacket,
  noteFeedback,
  type OwnInput,
  sendLater,
} from '../sender.ts'
import { type Blame, compareAt, createVerified, noteInputs, noteVerified, trailOf, type Verified } from './blame.ts'
import { type Corrections, createCorrections, fadeCorrections } from './corrections.ts'
import { createEventFeed, type EventFeed, feedConfirmed, feedGap, noteConfirmedState } from './event-feed.ts'
import type { Guess } from './guess.ts'
import { createPace, movePace, type Pace } from './pace.ts'
import { createPast, movePast, notePast, type Past } from './past.ts'
import { predictTick, reconcile, SLOTS, showBefore, skipTo, tryStep } from './predict.ts'

/** A state that differed from the host's and was replaced by it: when that was noticed, and what differed. */
export type DesyncReport = {
  /** The first tick whose hash differed. */
  readonly tick: number
  /** Where it came out differently first, when both ends stepped those ticks again; undefined when it did not show again. */
  readonly first: PhasePlace | undefined
  /** Table, row and column with both values, at that place; `a` is ours, `b` the host's. Empty when the host's state came out of step. */
  readonly differences: readonly Difference[]
}

export type Mirror = {
  readonly game: AnyGame
  readonly seat: number
  path: Path
  /** What is shown: the present, predicted. Its tick is the next one to be played. */
  readonly world: AnyWorld
  /** The state one tick before `world`, for drawing between the two. */
  readonly before: AnyWorld
  readonly confirmed: AnyWorld
  readonly clock: HostClock
  readonly sender: InputSender
  readonly events: EventFeed
  readonly corrections: Corrections
  /** Which moment is shown, and the input delay. */
  readonly pace: Pace
  /** What was confirmed lately, for layers that are drawn so. */
  readonly past: Past
  /** What others do in predicted ticks; undefined: they hold what they held. */
  guess: Guess | undefined
  readonly desyncs: DesyncReport[]
  /** What it drew, where the host keeps a track. */
  readonly screens: ScreenLog | undefined
  readonly stats: MirrorStats
  /** Messages to be sent, oldest first. */
  readonly outbox: Uint8Array[]
  readonly inside: Inside
}

export type MirrorStats = {
  hashChecks: number
  mismatches: number
  /** Ticks that were stepped again, and how often that was. */
  resimulated: number
  rollbacks: number
  /** Rollbacks by depth in ticks. */
  readonly depths: number[]
  /** By how much the player's own thing was moved by corrections: last and largest, in units of the world. */
  lastCorrection: number
  largestCorrection: number
  malformed: number
}

type Inside = {
  readonly held: HeldInputs
  /** Scratch for ticks that are only read. */
  readonly checked: HeldInputs
  readonly inputs: EncodedInputs
  readonly own: EncodedInputs
  /** States of `world` before each tick that is not confirmed: slot `tick % SLOTS`. */
  readonly states: (Snapshot | undefined)[]
  /** The player's codes for each such tick. */
  readonly codes: (Uint32Array | undefined)[]
  readonly scratch: Snapshot
  /** Told the inputs of every tick before it is confirmed, for tools that follow the match. */
  watch: ((inputs: EncodedInputs) => void) | undefined
  /** Ticks were confirmed that the predicted world has not been compared with. */
  hasNews: boolean
  /** The first tick whose hash differed; undefined while there is none. */
  desyncedAt: number | undefined
  askedAt: number
  packetAt: number
  /** When the next input is due at the earliest; the clock may be set back. */
  playedUpTo: number
  /** Up to here the hashes were right: what is wrong or missing came after it. */
  verifiedTick: number
  /** The hash of that state; undefined when it came from the host and was not compared. */
  verifiedHash: string | undefined
  readonly verified: Verified
  blame: Blame | undefined
}

/** A mirror from the host's welcome. Throws when that is none, or not for a mirror. */
export function createMirror(declared: AnyGame, welcome: Uint8Array, now: number, path: Path = 'stream'): Mirror {
  return mirrorOf(readMessage(welcome, MESSAGES.welcome, declared), now, path)
}

/** A mirror from a welcome that was read. Throws when there is none, or it is not for a mirror. */
export function mirrorOf(welcome: Welcome | undefined, now: number, path: Path): Mirror {
  if (welcome?.state === undefined)
    throw new HurtboxError('bad-argument', 'this is no welcome for a mirror of this game.')
  const mirror = mirrorFrom({ ...welcome, state: welcome.state }, path)
  noteTick(mirror.clock, mirror.confirmed.tick, now)
  return mirror
}

/** What a mirror starts from. */
export type MirrorStart = Pick<Welcome, 'game' | 'setup' | 'seat' | 'nonce' | 'tracked'> & { readonly state: FullState }

export function mirrorFrom(read: MirrorStart, path: Path): Mirror {
  const { game } = read
  const worlds = [0, 1, 2].map(() => createEmptyWorld(game, read.setup))
  const [world, before, confirmed] = worlds
  const mirror: Mirror = {
    game,
    seat: read.seat,
    path,
    world,
    before,
    confirmed,
    clock: createHostClock(game.declaration.tickRate),
    sender: createInputSender(game, read.nonce, path),
    events: createEventFeed(planEvents(game)),
    corrections: createCorrections(),
    pace: createPace(),
    past: createPast(),
    guess: undefined,
    desyncs: [],
    screens: read.tracked ? createScreenLog() : undefined,
    stats: {
      hashChecks: 0,
      mismatches: 0,
      resimulated: 0,
      rollbacks: 0,
      depths: [],
      lastCorrection: 0,
      largestCorrection: 0,
      malformed: 0,
    },
    outbox: [],
    inside: {
      held: { ...createHeldInputs(game), codes: read.state.held },
      checked: createHeldInputs(game),
      inputs: createEncodedInputs(world),
      own: createEncodedInputs(world),
      states: new Array(SLOTS),
      codes: new Array(SLOTS),
      scratch: snapshot(confirmed),
      watch: undefined,
      hasNews: false,
      desyncedAt: undefined,
      askedAt: 0,
      packetAt: 0,
      playedUpTo: 0,
      verifiedTick: 0,
      verifiedHash: undefined,
      verified: createVerified(confirmed),
      blame: undefined,
    },
  }
  const state = snapshotFromBytes(game.layout, read.state.snapshot)
  for (const each of worlds) restore(each, state)
  mirror.inside.verifiedTick = confirmed.tick
  noteVerified(mirror.inside.verified, confirmed)
  noteConfirmedState(mirror.events, confirmed)
  return mirror
}

/** A message of the host. An invalid one is counted and changes nothing. */
export function receiveAtMirror(mirror: Mirror, message: Uint8Array, now: number): void {
  const reader = createByteReader(message)
  const kind = readByte(reader)
  if (kind === MESSAGES.ticks.kind) takeTicks(mirror, reader, now)
  else if (kind === MESSAGES.state.kind) takeState(mirror, reader, now)
  else if (kind === MESSAGES.blamed.kind) takeBlamed(mirror, reader)
  else mirror.stats.malformed++
}

/**
 * Plays up to the present: as many ticks as are due. `read` is asked for the input of each tick that the host needs next. Call
 * it once per frame (or more often); the packet for the host is in `outbox`. Returns how many ticks were played.
 */
export function advanceMirror(mirror: Mirror, now: number, read: (tick: number, world: AnyWorld) => OwnInput): number {
  const { confirmed, clock, sender, inside, seat, pace } = mirror
  const isPlayer = seat !== SPECTATOR
  const furthest = confirmed.tick + MAX_LEAD_TICKS - 1
  // Once per frame, however many messages came: after a stall the same ticks would be stepped again and again.
  if (inside.hasNews) reconcile(mirror)
  const elapsedMs = roundMs(now) - roundMs(pace.at)
  const shown = movePace(pace, clock, now, isPlayer)
  const target = Math.min(Math.floor(shown), furthest)
  // A lead that shrinks is followed slowly: until then inputs are made a little earlier than they are needed.
  const inputsUpTo = Math.min(Math.max(inputTick(clock, now), Math.floor(shown + pace.delayTicks)), furthest)
  const codesOf = (tick: number) => sendLater(sender, tick, read(tick, mirror.world), now)
  const played = playTo(mirror, target, inputsUpTo, isPlayer ? codesOf : undefined)
  fadeCorrections(mirror.corrections, elapsedMs, mirror.world)
  movePast(mirror, elapsedMs)
  if (isPacketDue(sender, mirror.path, now - inside.packetAt, untilInput(clock, now))) {
    inside.packetAt = now
    mirror.outbox.push(makePacket(sender, confirmed.tick, 0))
  }
  if (inside.desyncedAt !== undefined && now - inside.askedAt >= ASK_AGAIN_MS) askForState(mirror, now)
  if (mirror.screens !== undefined) {
    const { world, before, outbox } = mirror
    const frame = { received: confirmed.tick, before: before.tick, after: world, shown, inputsUpTo: inside.playedUpTo }
    noteScreen(mirror.screens, now, frame, outbox)
  }
  return played
}

/** The player's codes for a tick; undefined where they are not known. */
type CodesOf = (tick: number) => Uint32Array | undefined

/** Plays up to `target` with inputs up to `inputsUpTo`. Returns how many ticks were played. */
export function playTo(mirror: Mirror, target: number, inputsUpTo: number, codesOf: CodesOf | undefined): number {
  const { world, inside } = mirror
  // Nothing is made up for before the first input: it would come late.
  if (inside.playedUpTo === 0) inside.playedUpTo = Math.max(inputsUpTo - 1, 0)
  // After a long stall the past is not played; the host has gone on without us.
  if (target - world.tick > MAX_CATCH_UP) skipTo(mirror, target - MAX_CATCH_UP)
  let played = 0
  for (;;) {
    // One tick at a time, so that each input is read from the newest state.
    if (codesOf) giveInputs(mirror, Math.min(inputsUpTo - (target - world.tick) + 1, inputsUpTo), codesOf)
    if (world.tick >= target || !predictTick(mirror)) break
    played++
  }
  if (played > 0) showBefore(mirror)
  return played
}

/** Reads the inputs of all ticks before `tick` that have none yet. */
function giveInputs({ inside, world }: Mirror, tick: number, codesOf: CodesOf): void {
  // After a stall nothing is made up for the ticks that were missed.
  const first = Math.max(inside.playedUpTo, world.tick, tick - MAX_CATCH_UP)
  for (let at = Math.max(inside.playedUpTo, first - SLOTS); at < first; at++) inside.codes[at % SLOTS] = undefined
  for (let at = first; at < tick; at++) {
    inside.codes[at % SLOTS] = codesOf(at)
    inside.playedUpTo = at + 1
  }
}

/** How far the moment lies between `before` and `world`: 0 … 1. */
export function mirrorAlpha({ pace, world }: Mirror): number {
  return Math.min(Math.max(roundMoment(pace.shown ?? world.tick) - world.tick, 0), 1)
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
  const theirs = state && worldOf(game, state.full)
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
}

/** The host's state where its way parted from ours. */
function takeBlamed({ game, inside, confirmed, stats }: Mirror, reader: ByteReader): void {
  const blamed = MESSAGES.blamed.read(reader)
  if (blamed === undefined || inside.desyncedAt === undefined) stats.malformed++
  else inside.blame = compareAt(game, confirmed.options, inside.verified, blamed)
}

/** A report in words: tick, phase, table, row and column, as far as they are known. */
export function describeDesync({ first, differences }: DesyncReport): string {
  if (differences.length === 0) return 'no difference any more'
  if (first === undefined) return describeDifference(differences[0])
  return `tick ${first.tick}, ${tellPhase(first.phase)}: ${describeCell(differences[0])}`
}

function differenceMessage(report: DesyncReport): Uint8Array {
  const writer = createByteWriter()
  writeMessage(writer, MESSAGES.difference, describeDesync(report).slice(0, 256))
  return takeBytes(writer)
}

function askForState(mirror: Mirror, now: number): void {
  const { game, inside, confirmed } = mirror
  inside.askedAt = now
  const writer = createByteWriter()
  writeMessage(writer, MESSAGES.desync, trailOf(game, confirmed.options, inside.verified))
  mirror.outbox.push(takeBytes(writer))
}

/** The host's world; undefined when the bytes are no state of this game, or a number in it is not finite. */
export function worldOf(game: AnyGame, { snapshot: bytes }: FullState): AnyWorld | undefined {
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
