/**
 * Events of a predicted match, each shown once.
 *
 * A tick is stepped several times: predicted, again after a correction, at last confirmed. An event is identified by its tick,
 * kind and number, so it is shown when it first comes up and never again. One that was shown and turns out not to have
 * happened is counted; a view cannot take back a flash.
 */

import { type EventRecord, listEvents } from 'hurtbox'
import type { AnyWorld } from 'hurtbox/tools'

export type EventFeed = {
  /** Not yet taken by the view, in the order they came up. */
  readonly fresh: EventRecord[]
  /** Keys of events shown in ticks that are not confirmed. */
  readonly shown: Map<number, Set<string>>
  /** Shown, but it did not happen. */
  withdrawn: number
  /** Happened, and had been shown before. */
  foreseen: number
}

/** Bounds the memory if the view never takes its events. */
const MAX_FRESH = 4096

export function createEventFeed(): EventFeed {
  return { fresh: [], shown: new Map(), withdrawn: 0, foreseen: 0 }
}

/** The world has just run a predicted tick. */
export function feedPredicted(feed: EventFeed, world: AnyWorld): void {
  const events = listEvents(world)
  if (events.length === 0) return
  let shown = feed.shown.get(world.tick)
  if (shown === undefined) feed.shown.set(world.tick, (shown = new Set()))
  for (const event of events) {
    const key = keyOf(event)
    if (shown.has(key)) continue
    shown.add(key)
    show(feed, event)
  }
}

/** The world has just run a confirmed tick. */
export function feedConfirmed(feed: EventFeed, world: AnyWorld): void {
  const shown = feed.shown.get(world.tick)
  feed.shown.delete(world.tick)
  for (const event of listEvents(world)) {
    if (shown?.delete(keyOf(event))) feed.foreseen++
    else show(feed, event)
  }
  feed.withdrawn += shown?.size ?? 0
}

/** Ticks up to this one were skipped, so what was shown of them is never confirmed. */
export function forgetShown(feed: EventFeed, tick: number): void {
  for (const shownTick of feed.shown.keys()) if (shownTick <= tick) feed.shown.delete(shownTick)
}

export function takeEvents(feed: { readonly fresh: EventRecord[] }): EventRecord[] {
  return feed.fresh.splice(0)
}

function show(feed: EventFeed, event: EventRecord): void {
  if (feed.fresh.push(event) > MAX_FRESH) feed.fresh.shift()
}

function keyOf({ kind, n }: EventRecord): string {
  return `${kind} ${n}`
}
