/** A mirror's frame, drawn again: the same prediction from the same confirmed ticks and the same inputs. */

import { findRow, HurtboxError, restore, type Session, snapshot } from 'hurtbox'
import { createPlace, type EventNews, type Place } from 'hurtbox/picture'
import type { Track, TrackedInput } from 'hurtbox/replay'
import { type AnyWorld, createEmptyWorld, createTwin, lastId, replayTo } from 'hurtbox/tools'
import { fadeCorrections, type Smoothing } from '../client/mirror/corrections.ts'
import { feedConfirmed, takeNews } from '../client/mirror/event-feed.ts'
import type { Guess } from '../client/mirror/guess.ts'
import { playTo } from '../client/mirror/mirror.ts'
import { movePast, notePast, placeOnMirror } from '../client/mirror/past.ts'
import { predictTick, reconcile, showBefore } from '../client/mirror/predict.ts'
import { type Mirror, mirrorAlpha, mirrorFrom, PREDICTED_SLOTS } from '../client/mirror/state.ts'
import { shortHash } from '../protocol/short-hash.ts'
import type { Screen, ScreenRun } from './screens.ts'

/** What mirrors of a match are rebuilt from. */
export type MirrorRuns = {
  readonly session: Session
  readonly guess: Guess | undefined
  /** The inputs of each seat, by ascending tick. */
  readonly inputs: ReadonlyMap<number, readonly TrackedInput[]>
  /** The one that was rebuilt last: the next frames go on from it. */
  last: Rebuilt | undefined
}

type Rebuilt = {
  readonly run: ScreenRun
  readonly mirror: Mirror
  at: number
  news: readonly EventNews[]
  hasCorrected: boolean
  isProven: boolean | undefined
}

/**
 * A frame is rebuilt from this long before it. What was known then is exact, and what was predicted from it, once all of that
 * prediction is confirmed. Corrections fade within 1.2 seconds, but each a little slower where others are under way.
 */
const RUN_UP_MS = 8000
/** Going on is cheaper than starting again up to so many frames. */
const GO_ON_FRAMES = 600

export function createMirrorRuns(session: Session, { packets }: Track, guess?: Guess): MirrorRuns {
  const inputs = new Map<number, TrackedInput[]>()
  for (const packet of packets) {
    if (packet.mode !== 'mirror') continue
    const known = inputs.get(packet.seat) ?? []
    inputs.set(packet.seat, known)
    known.push(...packet.inputs)
  }
  for (const each of inputs.values()) each.sort((a, b) => a.tick - b.tick)
  return { session, guess, inputs, last: undefined }
}

/** The truth before `tick`: a world of its own. */
export function truthOf(session: Session, tick: number): AnyWorld {
  if (tick > session.log.length) {
    throw new HurtboxError(
      'bad-replay',
      `the frame was drawn with tick ${tick}, but the replay ends at ${session.log.length}. Is the track of another match?`,
    )
  }
  const world = createTwin(session)
  replayTo(session, world, tick)
  return world
}

export function showMirror(runs: MirrorRuns, run: ScreenRun, at: number, smoothing: Smoothing): Screen {
  const { last } = runs
  const canGoOn = last?.run === run && last.at <= at && at - last.at <= GO_ON_FRAMES
  const rebuilt = canGoOn ? last : startRun(runs, run, at, smoothing)
  // Kept only when all went well: what threw half way is of no use.
  runs.last = undefined
  while (rebuilt.at < at) nextFrame(runs, rebuilt)
  runs.last = rebuilt
  return screenOf(rebuilt)
}

function startRun(runs: MirrorRuns, run: ScreenRun, at: number, smoothing: Smoothing): Rebuilt {
  const { session } = runs
  const { frames, seat } = run
  let start = at
  while (start > 0 && frames[at].atMs - frames[start - 1].atMs <= RUN_UP_MS) start--
  const frame = frames[start]
  const { bytes, byteLength } = snapshot(truthOf(session, frame.received))
  const { game, setup } = session
  const held = new Uint32Array(game.declaration.seats.max * game.input.fields.length)
  const state = { held, snapshot: bytes.slice(0, byteLength) }
  const mirror = mirrorFrom({ game, setup, seat, nonce: 0, tracked: false, state }, 'stream')
  mirror.corrections.smoothing = smoothing
  mirror.guess = runs.guess
  notePast(mirror)
  const { inside, world, pace } = mirror
  inside.playedUpTo = frame.inputsUpTo
  for (let tick = frame.received; tick < frame.inputsUpTo; tick++)
    inside.codes[tick % PREDICTED_SLOTS] = codesAt(runs, seat, tick)
  while (world.tick < frame.after && predictTick(mirror));
  showBefore(mirror)
  pace.shown = frame.shown
  takeNews(mirror.events)
  const rebuilt = { run, mirror, at: start, news: [], hasCorrected: false, isProven: undefined }
  prove(rebuilt)
  return rebuilt
}

/** What a mirror does in a frame, with time and messages as they were. */
function nextFrame(runs: MirrorRuns, rebuilt: Rebuilt): void {
  const { mirror, run } = rebuilt
  const before = run.frames[rebuilt.at]
  const frame = run.frames[++rebuilt.at]
  const { confirmed, inside, events, stats, pace, corrections } = mirror
  const { rollbacks } = stats
  while (confirmed.tick < frame.received) {
    replayTo(runs.session, confirmed, confirmed.tick + 1)
    feedConfirmed(events, confirmed)
    notePast(mirror)
    inside.hasNews = true
  }
  if (inside.hasNews) reconcile(mirror)
  pace.shown = frame.shown
  playTo(mirror, frame.after, frame.inputsUpTo, (tick) => codesAt(runs, run.seat, tick))
  fadeCorrections(corrections, frame.atMs - before.atMs, mirror.world)
  movePast(mirror, frame.atMs - before.atMs)
  rebuilt.news = takeNews(events)
  rebuilt.hasCorrected = stats.rollbacks > rollbacks
  prove(rebuilt)
}

function prove(rebuilt: Rebuilt): void {
  const hash = rebuilt.run.hashes.get(rebuilt.at)
  if (hash !== undefined) rebuilt.isProven = shortHash(rebuilt.mirror.world) === hash
}

/** What the player did in a tick: what was sent for it, or what it held, which is not sent again and again. */
function codesAt({ session, inputs }: MirrorRuns, seat: number, tick: number): Uint32Array | undefined {
  const sent = inputs.get(seat) ?? []
  let from = 0
  let to = sent.length
  while (from < to) {
    const middle = (from + to) >> 1
    if (sent[middle].tick <= tick) from = middle + 1
    else to = middle
  }
  const input = sent[from - 1]
  if (input === undefined || input.tick === tick) return input?.codes
  const { fields } = session.game.input
  return input.codes.map((code, f) => (fields[f].isLevel ? code : 0))
}

function screenOf({ run, at, mirror, news, hasCorrected, isProven }: Rebuilt): Screen {
  const { corrections } = mirror
  const lastSafeId = lastId(mirror.confirmed.tables.things)
  const [before, after] = [copyOf(mirror.before), copyOf(mirror.world)]
  const alpha = mirrorAlpha(mirror)
  const shown = { before, after, alpha }
  const places = new Map<number, Place>()
  const { things } = after.tables
  for (let row = 0; row < things.count; row++) {
    const place = createPlace()
    if (placeOnMirror(mirror, things.id[row], place)) places.set(things.id[row], place)
  }
  return {
    seat: run.seat,
    mode: 'mirror',
    frame: run.frames[at],
    ...shown,
    places,
    corrected: new Map(hasCorrected ? corrections.last : []),
    news,
    isProven,
    idOf: (id, truth) => {
      if (id > lastSafeId) return findSpawned(after, lastSafeId, truth, id)
      return findRow(things, id) >= 0 ? id : 0
    },
  }
}

/** Nothing further away is taken for the same thing. */
const ALIKE_RADII = 16
const ALIKE_LEAST = 100

/** The id under which a prediction has spawned a thing of the match; 0 when it has not. */
function findSpawned(shown: AnyWorld, lastSafeId: number, truth: AnyWorld, id: number): number {
  const { things } = shown.tables
  const { things: real } = truth.tables
  const row = findRow(real, id)
  if (row < 0) return 0
  let nearest = Math.max(ALIKE_LEAST, ALIKE_RADII * real.radius[row])
  let found = 0
  for (let at = things.count - 1; at >= 0 && things.id[at] > lastSafeId; at--) {
    const isAlike = ['layer', 'kind', 'owner'].every((column) => things[column][at] === real[column][row])
    const apart = Math.hypot(things.x[at] - real.x[row], things.y[at] - real.y[row])
    if (!isAlike || apart > nearest) continue
    found = things.id[at]
    nearest = apart
  }
  return found
}

function copyOf(world: AnyWorld): AnyWorld {
  const { game, options, seed } = world
  const copy = createEmptyWorld(game, { seed, options } as never)
  restore(copy, snapshot(world))
  return copy
}
