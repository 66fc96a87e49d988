/** Measures what a player sees of corrections: how far drawn things move beyond their own speed. */

import { findRow, restore } from 'hurtbox'
import { createPlace, type Place, placeBetween } from 'hurtbox/picture'
import { roundMoment } from 'hurtbox/replay'
import { type AnyBot, type AnyGame, type AnyWorld, createEmptyWorld, snapshotTick } from 'hurtbox/tools'
import {
  type Guess,
  type InputDelay,
  type Mirror,
  mirrorAlpha,
  placeOnMirror,
  type Smoothing,
} from '../src/client/index.ts'
import { keyOnMirror, pastOf, thingsOnMirror } from '../src/client/mirror/past.ts'
import { PREDICTED_SLOTS } from '../src/client/mirror/state.ts'
import { type LinkConditions, type SimulatedClient, simulate } from '../src/links/index.ts'

export type JumpSetup = {
  readonly game: AnyGame
  readonly bots: readonly AnyBot[]
  readonly clients: number
  readonly ticks: number
  readonly seed: number
  readonly link: LinkConditions
  readonly smoothing?: Smoothing
  readonly inputDelay?: InputDelay
  readonly guess?: Guess
  readonly fps?: number
}

/** Movement between two frames beyond a thing's own speed, in units of the world. */
export type Jumps = { readonly raw: number[]; readonly smooth: number[] }

export type JumpReport = {
  readonly others: Jumps
  readonly own: Jumps
  /** How far from its place a thing was drawn 200 ms after each of its corrections, whatever came in between. */
  readonly soon: number[]
  /** The same after the longest time that a correction takes, unless it was corrected again before. */
  readonly later: number[]
  /** The same of other things in every frame. */
  readonly off: number[]
  /** How far from where the host had them at that very tick other things were drawn, in every frame. */
  readonly wrong: number[]
  /** By how much corrections moved things. */
  readonly corrections: number[]
  readonly frames: number
}

type Seen = { readonly raw: Place; readonly smooth: Place; readonly teleports: number; readonly step: number }
type Watch = {
  seen: Map<number, Seen>
  shown: number
  tick: number
  /** When the last frame was, ms. */
  at: number
  readonly due: Map<number, number>
  /** Corrections that are to be looked at 200 ms later. */
  fresh: { readonly key: number; readonly at: number }[]
  /** Scratch: the two ends of a tick. */
  readonly ends: readonly [AnyWorld, AnyWorld]
}

/** A frame of 30 Hz more than the longest that a correction takes. */
const FRAME_MS = 34
const SOON_MS = 200

export function measureJumps(setup: JumpSetup): JumpReport {
  const report: JumpReport = {
    others: { raw: [], smooth: [] },
    own: { raw: [], smooth: [] },
    soon: [],
    off: [],
    later: [],
    wrong: [],
    corrections: [],
    frames: 0,
  }
  const truth: Truth = { ticks: new Map(), claims: [] }
  const watches = new Map<SimulatedClient, Watch>()
  const { smoothing, inputDelay, guess } = setup
  let frames = 0
  simulate({
    ...setup,
    host: { replay: false },
    afterTick(host, clients) {
      noteTruth(truth, host.world, report.wrong)
      if (host.world.tick !== 1) return
      for (const each of clients) {
        const mirror = mirrorOf(each)
        if (smoothing !== undefined) mirror.corrections.smoothing = smoothing
        if (inputDelay !== undefined) mirror.pace.inputDelay = inputDelay
        mirror.guess = guess
      }
    },
    afterFrame(client, now) {
      const mirror = mirrorOf(client)
      const watch = watches.get(client) ?? createWatch(mirror)
      watches.set(client, watch)
      // The first second is finding the lead.
      if (mirror.world.tick > setup.game.declaration.tickRate) look(mirror, watch, now, { report, truth })
      frames++
    },
  })
  return { ...report, frames }
}

function createWatch({ game, world }: Mirror): Watch {
  const end = (): AnyWorld => createEmptyWorld(game, { options: world.options } as never)
  return { seen: new Map(), shown: 0, tick: 0, at: 0, due: new Map(), fresh: [], ends: [end(), end()] }
}

/**
 * The tick in which the last frame was, as it is known now: a thing that turns out to have been pushed in it goes the rest
 * of that way by itself. Undefined when it is the tick of this frame.
 */
function lastTickNow({ inside, world }: Mirror, { tick, ends }: Watch): readonly [AnyWorld, AnyWorld] | undefined {
  if (tick >= world.tick) return undefined
  for (const [i, at] of [tick - 1, tick].entries()) {
    const state = inside.states[at % PREDICTED_SLOTS]
    if (state === undefined || snapshotTick(state) !== at) return undefined
    restore(ends[i], state)
  }
  return ends
}

/** Where the host had things, by tick and id, and drawn places that wait to be compared with it. */
type Truth = {
  readonly ticks: Map<number, ReadonlyMap<number, Place>>
  claims: { readonly id: number; readonly place: Place; readonly at: number }[]
}

function noteTruth({ ticks, claims }: Truth, world: AnyWorld, wrong: number[]): void {
  const { things } = world.tables
  const now = new Map<number, Place>()
  for (let row = 0; row < things.count; row++) {
    const place = createPlace()
    placeBetween({ before: world, after: world, alpha: 1 }, things.id[row], place)
    now.set(things.id[row], place)
  }
  ticks.set(world.tick, now)
  const open = claims.splice(0)
  for (const claim of open) {
    const { id, place, at } = claim
    if (at > world.tick) {
      claims.push(claim)
      continue
    }
    const [from, to] = [ticks.get(Math.floor(at))?.get(id), ticks.get(Math.ceil(at))?.get(id)]
    if (from === undefined || to === undefined) continue
    const part = at - Math.floor(at)
    const mix = (a: number, b: number) => a + (b - a) * part
    wrong.push(Math.hypot(place.x - mix(from.x, to.x), place.y - mix(from.y, to.y), place.z - mix(from.z, to.z)))
  }
}

function look(
  mirror: Mirror,
  watch: Watch,
  now: number,
  { report, truth }: { readonly report: JumpReport; readonly truth: Truth },
): void {
  const { others, own, soon, off, later, corrections } = report
  const { world, before, pace, seat } = mirror
  const shown = { before, after: world, alpha: mirrorAlpha(mirror) }
  const moment = roundMoment(pace.shown!)
  const passed = moment - watch.shown
  watch.shown = moment
  // What is drawn as confirmed has a clock of its own: measured against real time, its hurry shows.
  const elapsed = ((now - watch.at) * mirror.game.declaration.tickRate) / 1000
  watch.at = now
  const ends = lastTickNow(mirror, watch)
  watch.tick = world.tick
  const { players } = world.tables
  const ownId = players.thing[players.seat.subarray(0, players.count).indexOf(seat)]
  const seen = new Map<number, Seen>()
  for (const { id } of thingsOnMirror(mirror)) {
    const [raw, smooth] = [createPlace(), createPlace()]
    if (!placeOnMirror(mirror, id, smooth)) continue
    const past = pastOf(mirror, id)
    const isPast = past !== undefined
    if (isPast) Object.assign(raw, smooth)
    else placeBetween(shown, id, raw)
    const drawnFrom = past ?? ([before, world] as const)
    const now = { raw, smooth, teleports: teleportsOf(id, drawnFrom[1]), step: stepOf(id, drawnFrom) }
    const key = keyOnMirror(mirror, id)
    seen.set(key, now)
    const last = watch.seen.get(key)
    if (last === undefined || last.teleports !== now.teleports) continue
    const fastest = Math.max(last.step, now.step, ends === undefined || isPast ? 0 : stepOf(id, ends))
    const ownMove = fastest * (isPast ? elapsed : passed)
    const into = id === ownId ? own : others
    if (id !== ownId) {
      off.push(apart(raw, smooth))
      truth.claims.push({ id, place: smooth, at: moment - 1 })
    }
    into.raw.push(Math.max(0, apart(raw, last.raw) - ownMove))
    into.smooth.push(Math.max(0, apart(smooth, last.smooth) - ownMove))
  }
  watch.seen = seen
  for (const [id, moved] of mirror.corrections.last) {
    const key = keyOnMirror(mirror, id)
    corrections.push(moved)
    watch.due.delete(key)
    watch.due.set(key, now + (mirror.corrections.smoothing.longestMs ?? 400) + FRAME_MS)
    if (id !== ownId) watch.fresh.push({ key, at: now + SOON_MS })
  }
  mirror.corrections.last.clear()
  for (const { key, at } of watch.fresh) {
    const place = at > now ? undefined : seen.get(key)
    if (place !== undefined) soon.push(apart(place.raw, place.smooth))
  }
  watch.fresh = watch.fresh.filter(({ at }) => at > now)
  for (const [key, at] of watch.due) {
    if (at > now) continue
    watch.due.delete(key)
    const place = seen.get(key)
    if (place !== undefined) later.push(apart(place.raw, place.smooth))
  }
}

const mirrorOf = ({ follower }: SimulatedClient): Mirror => follower.mirror!
/** How far a thing goes in a tick; 0 when it was not there. */
function stepOf(id: number, [before, after]: readonly [AnyWorld, AnyWorld]): number {
  const [start, end] = [createPlace(), createPlace()]
  const isThere = placeBetween({ before, after, alpha: 0 }, id, start)
  return isThere && placeBetween({ before, after, alpha: 1 }, id, end) ? apart(start, end) : 0
}

function teleportsOf(id: number, { tables: { things } }: AnyWorld): number {
  const row = findRow(things, id)
  return row < 0 ? -1 : things.teleports[row]
}

const apart = (a: Place, b: Place) => Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z)

export function quantile(values: readonly number[], part: number): number {
  const sorted = Float64Array.from(values).sort()
  return sorted.length === 0 ? 0 : sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]
}
