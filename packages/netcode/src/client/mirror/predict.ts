/**
 * A mirror's prediction: its `world` runs ahead of what is confirmed, goes back when that turns out otherwise, and comes
 * forward again.
 *
 * The state before each tick that is not confirmed is kept, so that a confirmed one can be compared with it byte for byte:
 * what was predicted right is never stepped again.
 */

import { playerAt, restore, snapshot } from 'hurtbox'
import {
  type AnyWorld,
  type EncodedInputs,
  type Snapshot,
  sameButEntropy,
  snapshotTick,
  stepEncoded,
  takeEntropy,
} from 'hurtbox/tools'
import { noteCorrected, noteDrawn, noteSpawned } from './corrections.ts'
import { beginAgain, endAgain, feedPredicted, noteConfirmedState, withdrawBefore } from './event-feed.ts'
import { guessOthers } from './guess.ts'
import { type Mirror, mirrorAlpha, PREDICTED_SLOTS } from './state.ts'

/** Compares what was confirmed with what was predicted; where that was wrong, goes back and comes forward again. */
export function reconcile(mirror: Mirror): void {
  const { confirmed, inside } = mirror
  const { scratch } = inside
  // A rule threw in the confirmed world: wait until the host's state comes.
  if (confirmed.memory.status !== 'ready') return
  inside.hasNews = false
  snapshot(confirmed, scratch)
  // An equal state at an equal tick: what was predicted from it stands. What is predicted next goes by the bits drawn since.
  if (isForeseen(mirror)) {
    takeEntropy(mirror.world, confirmed)
    noteConfirmedState(mirror.events, confirmed)
  } else rollBack(mirror)
  withdrawBefore(mirror.events, confirmed.tick)
}

/** No prediction knows the entropy that is drawn meanwhile; it was wrong only if something rolled by it. */
function isForeseen(mirror: Mirror): boolean {
  const { world, confirmed, inside } = mirror
  const { states, scratch } = inside
  if (confirmed.tick === world.tick) return sameButEntropy(snapshot(world, stateSlot(mirror, world.tick)), scratch)
  const foreseen = states[confirmed.tick % PREDICTED_SLOTS]
  return confirmed.tick < world.tick && foreseen !== undefined && sameButEntropy(foreseen, scratch)
}

function rollBack(mirror: Mirror): void {
  const { world, confirmed, inside, stats } = mirror
  const target = Math.max(world.tick, confirmed.tick)
  const depth = target - confirmed.tick
  const was = ownPlace(mirror)
  const shown = { before: mirror.before, after: world, alpha: mirrorAlpha(mirror) }
  noteDrawn(mirror.corrections, shown)
  const { lastId } = mirror.events
  beginAgain(mirror.events, confirmed)
  restore(world, inside.scratch)
  while (world.tick < target && predictTick(mirror));
  endAgain(mirror.events)
  showBefore(mirror)
  const is = ownPlace(mirror)
  mirror.corrections.own = is?.id ?? 0
  noteCorrected(mirror.corrections, shown, lastId)
  stats.rollbacks++
  stats.resimulated += depth
  stats.depths[depth] = (stats.depths[depth] ?? 0) + 1
  stats.lastCorrection = was && is ? Math.hypot(is.x - was.x, is.y - was.y) : 0
  stats.largestCorrection = Math.max(stats.largestCorrection, stats.lastCorrection)
}

/** Runs one tick of the predicted world with the player's own input for it; false when its rules cannot. */
export function predictTick(mirror: Mirror): boolean {
  const { world, inside, seat, events } = mirror
  const { own, codes } = inside
  const slot = stateSlot(mirror, world.tick)
  snapshot(world, slot)
  guessOthers(mirror)
  const mine = world.tick < inside.playedUpTo ? codes[world.tick % PREDICTED_SLOTS] : undefined
  own.controls = []
  own.count = 0
  if (mine !== undefined) {
    own.seats[0] = seat
    own.codes.set(mine)
    own.count = 1
  }
  if (!tryStep(world, own)) {
    restore(world, slot)
    return false
  }
  feedPredicted(events, world)
  if (events.again === undefined) noteSpawned(mirror.corrections, world)
  return true
}

/** Rules may throw in a world that has diverged. That is a desync to be repaired, not an error to be thrown. */
export function tryStep(world: AnyWorld, inputs: EncodedInputs): boolean {
  try {
    stepEncoded(world, inputs)
    return true
  } catch {
    return false
  }
}

/** Restores the state one tick before the present into `before`; the confirmed one if that is no longer kept. */
export function showBefore({ world, before, inside }: Mirror): void {
  const state = inside.states[(world.tick - 1) % PREDICTED_SLOTS]
  restore(before, state !== undefined && snapshotTick(state) === world.tick - 1 ? state : inside.scratch)
}

/** After a stall: predicts up to `tick` without inputs of the player. */
export function skipTo(mirror: Mirror, tick: number): void {
  const { world, inside } = mirror
  do inside.codes[world.tick % PREDICTED_SLOTS] = undefined
  while (world.tick < tick && predictTick(mirror))
  inside.playedUpTo = Math.max(inside.playedUpTo, tick)
}

function stateSlot(mirror: Mirror, tick: number): Snapshot {
  const { states } = mirror.inside
  return (states[tick % PREDICTED_SLOTS] ??= snapshot(mirror.world))
}

/** Where the player's own thing is. */
function ownPlace({
  world,
  seat,
}: Mirror): { readonly id: number; readonly x: number; readonly y: number } | undefined {
  const own = playerAt(world, seat)?.thing
  return own && { id: own.id, x: own.x, y: own.y }
}
