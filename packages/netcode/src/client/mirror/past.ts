/**
 * Other things where the host had them, for games that would rather draw others late than draw them corrected.
 *
 * What is confirmed is never corrected, so what is drawn from it moves as it really moved. The price is age: a message's way from the
 * host, and a reserve for messages that come late. The moment shown goes on evenly, a little faster while the reserve is larger than it
 * has to be, a little slower while it is too small. It follows from nothing but the times of frames and what was confirmed in each, so
 * that a screen can be drawn again. Which layers are drawn so: `Smoothing.asConfirmed`.
 */

import { each, findRow, HurtboxError, restore, snapshot } from 'hurtbox'
import { type Place, placeBetween } from 'hurtbox/picture'
import { type AnyThing, type AnyWorld, createEmptyWorld, type Snapshot, snapshotTick } from 'hurtbox/tools'
import { drawnPlace, keyOf } from './corrections.ts'
import { type Mirror, mirrorAlpha } from './state.ts'

export type Past = {
  /** Confirmed states before each tick: slot `tick % PAST_SLOTS`. */
  readonly states: (Snapshot | undefined)[]
  /** The two states that the moment lies between; undefined before the first. */
  ends: readonly [before: AnyWorld, after: AnyWorld] | undefined
  /** Whether those states are known. After a gap they are not. */
  isKnown: boolean
  /** The moment shown, in ticks; undefined before the first. */
  shown: number | undefined
  /** How far the newest confirmed tick lay ahead of the moment shown, in ticks: the smallest of the last while. */
  reserve: number
}

const PAST_SLOTS = 64
/** The moment shown when nothing is known about messages yet, and after a gap: so long before what is confirmed, ms. */
const FIRST_RESERVE_MS = 80
/** A larger reserve is a stall that has ended: no time to run after it. */
const MOST_RESERVE_MS = 400
/** What should be left of the reserve when the latest message comes, in ticks. */
const WANTED = 0.5
/** How fast a small reserve is forgotten, in parts of the time that passes: a tick in a second at 50 a second. */
const FORGET = 0.02
/** How much of a wrong reserve is made good in a second, and how much faster or slower than real time the moment moves at most. */
const MEND_PER_SECOND = 2
const PAST_PACE_CHANGE = 0.03

export function createPast(): Past {
  return { states: [], ends: undefined, isKnown: false, shown: undefined, reserve: 0 }
}

/** A tick was confirmed, or a whole state came. */
export function notePast({ past, confirmed, corrections }: Mirror): void {
  if (corrections.smoothing.asConfirmed === undefined) return
  const slot = confirmed.tick % PAST_SLOTS
  past.states[slot] = snapshot(confirmed, past.states[slot])
}

/** A frame: time has passed. */
export function movePast(mirror: Mirror, elapsedMs: number): void {
  const { past, confirmed, corrections, game } = mirror
  if (corrections.smoothing.asConfirmed === undefined) return
  past.ends ??= createEnds(mirror)
  const { tickRate } = game.declaration
  const inTicks = (ms: number) => (ms * tickRate) / 1000
  const elapsed = Math.max(0, inTicks(elapsedMs))
  const wanted = (past.shown ?? Number.NEGATIVE_INFINITY) + elapsed
  const reserve = confirmed.tick - wanted
  if (reserve > inTicks(MOST_RESERVE_MS)) {
    past.shown = Math.max(0, confirmed.tick - inTicks(FIRST_RESERVE_MS))
    past.reserve = WANTED
  } else {
    past.reserve = Math.min(reserve, past.reserve + FORGET * elapsed)
    const mend = (past.reserve - WANTED) * MEND_PER_SECOND * (elapsedMs / 1000)
    const hurry = Math.min(Math.max(mend, -PAST_PACE_CHANGE * elapsed), PAST_PACE_CHANGE * elapsed)
    past.shown = Math.min(wanted + hurry, confirmed.tick)
    past.reserve -= hurry
  }
  const from = Math.floor(past.shown)
  past.isKnown = past.ends.every((world, i) => restoreAt(past, world, Math.min(from + i, confirmed.tick)))
}

/** Where a thing is drawn on a mirror's screen: as predicted, or as confirmed where its layer wants that. */
export function placeOnMirror(mirror: Mirror, id: number, out: Place): boolean {
  const { before, world, corrections, past } = mirror
  const ends = pastOf(mirror, id)
  if (ends !== undefined) {
    const [earlier, later] = ends
    const alpha = Math.min(past.shown! - earlier.tick, 1)
    return placeBetween({ before: earlier, after: later, alpha }, id, out, corrections.smoothing.wrap)
  }
  return drawnPlace(corrections, { before, after: world, alpha: mirrorAlpha(mirror) }, id, out)
}

/** The key of a thing's picture. A thing that is drawn as confirmed keeps its id as the key. */
export function keyOnMirror(mirror: Mirror, id: number): number {
  return pastOf(mirror, id) === undefined ? keyOf(mirror.corrections, id) : id
}

/** What is drawn on a mirror's screen: what is predicted, and of layers that are drawn as confirmed what was there. */
export function* thingsOnMirror(mirror: Mirror): Generator<AnyThing> {
  const { world } = mirror
  const later = mirror.past.ends?.[1]
  for (const thing of each(world)) if (pastOf(mirror, thing.id) === undefined) yield thing
  if (later === undefined) return
  for (const thing of each(later)) if (pastOf(mirror, thing.id) !== undefined) yield thing
}

/** The two states that a thing is drawn between, if it is drawn as confirmed and they are known. */
export function pastOf(mirror: Mirror, id: number): Past['ends'] {
  const { past, world } = mirror
  if (past.ends === undefined || !past.isKnown) return undefined
  // What has left the present may still be in the past, and what has come is not there yet.
  return (isOfOthers(mirror, world, id) ?? isOfOthers(mirror, past.ends[1], id)) ? past.ends : undefined
}

/** Whether a thing of `world` is of such a layer, and neither the player's own nor a thing of it; undefined when it is not there. */
function isOfOthers({ seat, corrections }: Mirror, world: AnyWorld, id: number): boolean | undefined {
  const { things, players } = world.tables
  const row = findRow(things, id)
  if (row < 0) return undefined
  if (!corrections.smoothing.asConfirmed?.includes(world.game.layers.names[things.layer[row]])) return false
  const own = players.thing[players.seat.subarray(0, players.count).indexOf(seat)]
  return own === undefined || (own !== id && things.owner[row] !== own)
}

function restoreAt({ states }: Past, world: AnyWorld, tick: number): boolean {
  const state = states[tick % PAST_SLOTS]
  if (state === undefined || snapshotTick(state) !== tick) return false
  if (world.tick !== tick) restore(world, state)
  return true
}

function createEnds({ game, world, corrections }: Mirror): readonly [AnyWorld, AnyWorld] {
  const { names } = game.layers
  const unknown = corrections.smoothing.asConfirmed?.find((name) => !names.includes(name))
  if (unknown !== undefined) {
    const message = `smoothing.asConfirmed names the layer ${unknown}, but this game has ${names.join(', ')}.`
    throw new HurtboxError('bad-argument', message, { layer: unknown })
  }
  const end = (): AnyWorld => createEmptyWorld(game, { options: world.options } as never)
  return [end(), end()]
}
