/** Measures what a player sees of corrections: how far drawn things move beyond their own speed. */

import { restore } from 'hurtbox'
import { createPlace, type Place, placeBetween } from 'hurtbox/picture'
import { roundMoment } from 'hurtbox/replay'
import { type AnyBot, type AnyGame, type AnyWorld, createEmptyWorld, snapshotTick } from 'hurtbox/tools'
import {
  drawnPlace,
  type InputDelay,
  keyOf,
  type LinkConditions,
  type Mirror,
  mirrorAlpha,
  type SimulatedClient,
  type Smoothing,
  simulate,
} from '../src/netcode/index.ts'
import { SLOTS } from '../src/netcode/predict.ts'

export type JumpSetup = {
  readonly game: AnyGame
  readonly bots: readonly AnyBot[]
  readonly clients: number
  readonly ticks: number
  readonly seed: number
  readonly link: LinkConditions
  readonly smoothing?: Smoothing
  readonly inputDelay?: InputDelay
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
  /** By how much corrections moved things. */
  readonly corrections: number[]
  readonly frames: number
}

type Seen = { readonly raw: Place; readonly smooth: Place; readonly teleports: number; readonly step: number }
type Watch = {
  seen: Map<number, Seen>
  shown: number
  tick: number
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
    corrections: [],
    frames: 0,
  }
  const watches = new Map<SimulatedClient, Watch>()
  const { smoothing, inputDelay } = setup
  let frames = 0
  simulate({
    ...setup,
    host: { replay: false },
    afterTick(host, clients) {
      if (host.world.tick !== 1) return
      for (const each of clients) {
        const mirror = mirrorOf(each)
        if (smoothing !== undefined) mirror.corrections.smoothing = smoothing
        if (inputDelay !== undefined) mirror.pace.inputDelay = inputDelay
      }
    },
    afterFrame(client, now) {
      const mirror = mirrorOf(client)
      const watch = watches.get(client) ?? createWatch(mirror)
      watches.set(client, watch)
      // The first second is finding the lead.
      if (mirror.world.tick > setup.game.declaration.tickRate) look(mirror, watch, now, report)
      frames++
    },
  })
  return { ...report, frames }
}

function createWatch({ game, world }: Mirror): Watch {
  const end = (): AnyWorld => createEmptyWorld(game, { options: world.options } as never)
  return { seen: new Map(), shown: 0, tick: 0, due: new Map(), fresh: [], ends: [end(), end()] }
}

/**
 * The tick in which the last frame was, as it is known now: a thing that turns out to have been pushed in it goes the rest
 * of that way by itself. Undefined when it is the tick of this frame.
 */
function lastTickNow({ inside, world }: Mirror, { tick, ends }: Watch): readonly [AnyWorld, AnyWorld] | undefined {
  if (tick >= world.tick) return undefined
  for (const [i, at] of [tick - 1, tick].entries()) {
    const state = inside.states[at % SLOTS]
    if (state === undefined || snapshotTick(state) !== at) return undefined
    restore(ends[i], state)
  }
  return ends
}

function look(mirror: Mirror, watch: Watch, now: number, report: JumpReport): void {
  const { others, own, soon, off, later, corrections } = report
  const { world, before, pace, seat } = mirror
  const shown = { before, after: world, alpha: mirrorAlpha(mirror) }
  const moment = roundMoment(pace.shown!)
  const passed = moment - watch.shown
  watch.shown = moment
  const ends = lastTickNow(mirror, watch)
  watch.tick = world.tick
  const { things, players } = world.tables
  const ownId = players.thing[players.seat.subarray(0, players.count).indexOf(seat)]
  const seen = new Map<number, Seen>()
  for (let row = 0; row < things.count; row++) {
    const id: number = things.id[row]
    const [raw, smooth] = [createPlace(), createPlace()]
    placeBetween(shown, id, raw)
    drawnPlace(mirror.corrections, shown, id, smooth)
    const now = { raw, smooth, teleports: things.teleports[row] as number, step: stepOf(id, [before, world]) }
    const key = keyOf(mirror.corrections, id)
    seen.set(key, now)
    const last = watch.seen.get(key)
    if (last === undefined || last.teleports !== now.teleports) continue
    const ownMove = Math.max(last.step, now.step, ends === undefined ? 0 : stepOf(id, ends)) * passed
    const into = id === ownId ? own : others
    if (id !== ownId) off.push(apart(raw, smooth))
    into.raw.push(Math.max(0, apart(raw, last.raw) - ownMove))
    into.smooth.push(Math.max(0, apart(smooth, last.smooth) - ownMove))
  }
  watch.seen = seen
  for (const [id, moved] of mirror.corrections.last) {
    const key = keyOf(mirror.corrections, id)
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

const mirrorOf = ({ client }: SimulatedClient): Mirror => ('mirror' in client ? client.mirror : undefined)!
/** How far a thing goes in a tick; 0 when it was not there. */
function stepOf(id: number, [before, after]: readonly [AnyWorld, AnyWorld]): number {
  const [start, end] = [createPlace(), createPlace()]
  const isThere = placeBetween({ before, after, alpha: 0 }, id, start)
  return isThere && placeBetween({ before, after, alpha: 1 }, id, end) ? apart(start, end) : 0
}

const apart = (a: Place, b: Place) => Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z)

export function quantile(values: readonly number[], part: number): number {
  const sorted = Float64Array.from(values).sort()
  return sorted.length === 0 ? 0 : sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]
}
