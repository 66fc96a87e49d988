/** The state of a mirror, and how it begins. */

import { HurtboxError, restore, snapshot } from 'hurtbox'
import { planEvents } from 'hurtbox/picture'
import { roundMoment } from 'hurtbox/replay'
import {
  type AnyGame,
  type AnyWorld,
  createEmptyWorld,
  createEncodedInputs,
  type Difference,
  type EncodedInputs,
  type PhasePlace,
  type Snapshot,
  snapshotFromBytes,
} from 'hurtbox/tools'
import { createHeldInputs, type HeldInputs } from 'hurtbox/wire'
import { MESSAGES, readMessage } from '../../protocol/messages.ts'
import { MAX_LEAD_TICKS, type Path } from '../../protocol/protocol.ts'
import type { FullState, Welcome } from '../../protocol/welcome.ts'
import { createHostClock, type HostClock, noteTick } from '../clock.ts'
import { createScreenLog, type ScreenLog } from '../screen-log.ts'
import { createInputSender, type InputSender } from '../sender.ts'
import { type Blame, createVerified, noteVerified, type Verified } from './blame.ts'
import { type Corrections, createCorrections } from './corrections.ts'
import { createEffort, type Effort } from './effort.ts'
import { createEventFeed, type EventFeed, noteConfirmedState } from './event-feed.ts'
import type { Guess } from './guess.ts'
import { createPace, type Pace } from './pace.ts'
import { createPast, type Past } from './past.ts'

/** Ticks that are remembered: the state before each, and the player's codes for it, in slot `tick % PREDICTED_SLOTS`. */
export const PREDICTED_SLOTS: number = 2 * MAX_LEAD_TICKS

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
  /** What stepping takes of this machine's time. */
  effort: Effort
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
  /** States of `world` before each tick that is not confirmed: slot `tick % PREDICTED_SLOTS`. */
  readonly states: (Snapshot | undefined)[]
  /** The player's codes for each such tick. */
  readonly codes: (Uint32Array | undefined)[]
  readonly scratch: Snapshot
  /** Told the inputs of every tick before it is confirmed, for tools that follow the match. */
  watch: ((inputs: EncodedInputs) => void) | undefined
  /** Ticks were confirmed that the predicted world has not been compared with. */
  hasNews: boolean
  /** Its player was away: the events of the ticks that come next are missed. */
  skipsMissed: boolean
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
    effort: createEffort(),
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
      states: new Array(PREDICTED_SLOTS),
      codes: new Array(PREDICTED_SLOTS),
      scratch: snapshot(confirmed),
      watch: undefined,
      hasNews: false,
      skipsMissed: false,
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

/** How far the moment lies between `before` and `world`: 0 … 1. */
export function mirrorAlpha({ pace, world }: Mirror): number {
  return Math.min(Math.max(roundMoment(pace.shown ?? world.tick) - world.tick, 0), 1)
}
