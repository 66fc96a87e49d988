/**
 * Events of a predicted match: each comes up once and is then confirmed or withdrawn, once.
 *
 * A tick is stepped several times: predicted, again after a correction, at last confirmed. What one run calls an event the
 * next may move by a tick or give other numbers, and it is still the same event to a player. So an event is known again by its
 * kind and the key of its kind (`planEvents`), within a window of ticks; the nearest tick is taken, and each is taken once, so
 * that two equal hits stay two.
 *
 * Ids are ordinals of creation. A wrong prediction shifts the ids of everything spawned since, so such an id says no more than
 * "something new": it matches any other id that was given after the same confirmed state.
 */

import { type EventRecord, listEvents } from 'hurtbox'
import { certainNews, type EventNews, type EventPlans, type Gap } from 'hurtbox/picture'
import { type AnyWorld, lastId } from 'hurtbox/tools'

export type EventFeed = {
  plans: EventPlans
  /** Not yet taken, in the order they came up. */
  readonly news: EventNews[]
  readonly gaps: Gap[]
  /** Events of earlier ticks are too old to be shown: they become a gap. */
  freshFrom: number
  /** Predicted, and neither confirmed nor withdrawn. */
  open: OpenEvent[]
  /** What the ticks that are stepped again have brought so far; undefined while nothing is stepped again. */
  again: Prediction[] | undefined
  /** The last id that things had in the confirmed state from which is predicted. */
  lastId: number
  nextSerial: number
  readonly totals: { predicted: number; foreseen: number; confirmed: number; withdrawn: number }
}

/** An event as a prediction has it: with ids above `lastId` for what it spawned itself. */
type Prediction = { readonly event: EventRecord; readonly lastId: number }

/** `shown`: the record as it came up first. `stands`: the present prediction has it, too. */
type OpenEvent = { prediction: Prediction; readonly shown: EventRecord; readonly serial: number; stands: boolean }

/** Bounds the memory if nobody takes the news: what is dropped is reported as a gap. */
const MAX_NEWS = 16_384

export function createEventFeed(plans: EventPlans): EventFeed {
  return {
    plans,
    news: [],
    gaps: [],
    freshFrom: 0,
    open: [],
    again: undefined,
    lastId: 0,
    nextSerial: 1,
    totals: { predicted: 0, foreseen: 0, confirmed: 0, withdrawn: 0 },
  }
}

/** Ticks from `tick` on are about to be stepped again, from `confirmed`. */
export function beginAgain(feed: EventFeed, confirmed: AnyWorld): void {
  noteConfirmedState(feed, confirmed)
  feed.again = []
  for (const open of feed.open) open.stands = false
}

/** They have been: what came up before is known again, what did not is new. */
export function endAgain(feed: EventFeed): void {
  const { again = [] } = feed
  feed.again = undefined
  predict(feed, again)
}

/** The world has just run a predicted tick. */
export function feedPredicted(feed: EventFeed, world: AnyWorld): void {
  const found = listEvents(world).map((event) => ({ event, lastId: feed.lastId }))
  if (feed.again !== undefined) feed.again.push(...found)
  else if (found.length > 0) predict(feed, found)
}

/** The world has just run a confirmed tick. */
export function feedConfirmed(feed: EventFeed, world: AnyWorld): void {
  const events = listEvents(world)
  const known = match(feed, feed.open, events)
  events.forEach((event, i) => {
    const open = known[i]
    if (open === undefined) {
      for (const news of certainNews(event, feed.nextSerial++)) add(feed, news)
      return
    }
    feed.totals.foreseen++
    add(feed, { what: 'confirmed', event, serial: open.serial })
  })
  if (events.length > 0) {
    const done = new Set(known)
    feed.open = feed.open.filter((open) => !done.has(open))
  }
}

/** All predictions are compared with the ticks before `tick`: what was to happen in them has not happened. */
export function withdrawBefore(feed: EventFeed, tick: number): void {
  if (!feed.open.some(({ prediction }) => prediction.event.tick < tick)) return
  feed.open = feed.open.filter(({ prediction, shown, serial }) => {
    if (prediction.event.tick >= tick) return true
    add(feed, { what: 'withdrawn', event: shown, serial })
    return false
  })
}

/** The ticks of the gap were skipped: what was predicted for them is never confirmed. */
export function feedGap(feed: EventFeed, gap: Gap): void {
  withdrawBefore(feed, gap.to)
  feed.gaps.push(gap)
}

/** Prediction goes on from this state. */
export function noteConfirmedState(feed: EventFeed, confirmed: AnyWorld): void {
  feed.lastId = lastId(confirmed.tables.things)
}

/** Goes on with the numbers of an earlier feed of the same client, so that no number is used twice. */
export function continueFeed(feed: EventFeed, earlier: EventFeed, gap: Gap | undefined): void {
  if (gap !== undefined) feedGap(earlier, gap)
  withdrawBefore(earlier, Number.POSITIVE_INFINITY)
  feed.news.push(...earlier.news.splice(0))
  feed.gaps.push(...earlier.gaps.splice(0))
  feed.nextSerial = earlier.nextSerial
}

/**
 * Events of ticks before `tick`, or of an absence, that were not shown yet are too old to be shown: after a stall they would all come at once.
 * Call it when everything up to the confirmed state is settled.
 */
export function dropStale(feed: EventFeed, tick: number): void {
  const from = Math.max(feed.freshFrom, tick)
  const isStale = ({ what, event }: EventNews) => what === 'predicted' && event.tick < from
  const stale = feed.news.filter(isStale)
  if (stale.length === 0) return
  const serials = new Set(stale.map(({ serial }) => serial))
  const fresh = feed.news.filter(({ serial }) => !serials.has(serial))
  feed.news.splice(0, feed.news.length, ...fresh)
  feed.gaps.push(gapOf(stale.map(({ event }) => event)))
}

/** The ticks of events that were missed. */
export function gapOf(events: readonly EventRecord[]): Gap {
  const ticks = events.map(({ tick }) => tick)
  return { from: ticks.reduce((a, b) => Math.min(a, b)), to: ticks.reduce((a, b) => Math.max(a, b)) + 1 }
}

export function takeNews({ news }: EventFeed): EventNews[] {
  return news.splice(0)
}

export function takeGaps({ gaps }: EventFeed): Gap[] {
  return gaps.splice(0)
}

function predict(feed: EventFeed, found: readonly Prediction[]): void {
  const doubtful = feed.open.filter(({ stands }) => !stands)
  const known = match(
    feed,
    doubtful,
    found.map(({ event }) => event),
  )
  found.forEach((prediction, i) => {
    const open = known[i]
    if (open !== undefined) {
      open.prediction = prediction
      open.stands = true
      return
    }
    const serial = feed.nextSerial++
    feed.open.push({ prediction, shown: prediction.event, serial, stands: true })
    add(feed, { what: 'predicted', event: prediction.event, serial })
  })
}

/** For each event the open one that it is, if any: nearest tick first, each once. */
function match(
  { plans }: EventFeed,
  open: readonly OpenEvent[],
  events: readonly EventRecord[],
): (OpenEvent | undefined)[] {
  const known: (OpenEvent | undefined)[] = events.map(() => undefined)
  if (open.length === 0) return known
  const pairs: { readonly i: number; readonly candidate: OpenEvent; readonly apart: number }[] = []
  events.forEach((event, i) => {
    const plan = plans.get(event.kind)!
    for (const candidate of open) {
      const { prediction } = candidate
      const apart = Math.abs(prediction.event.tick - event.tick)
      if (prediction.event.kind !== event.kind || apart > plan.windowTicks) continue
      if (plan.key.some((field) => prediction.event[field] !== event[field])) continue
      if (plan.ids.every((field) => isSameId(prediction, event, field))) pairs.push({ i, candidate, apart })
    }
  })
  // Stable: of two that are equally near, the one that came up first.
  pairs.sort((a, b) => a.apart - b.apart)
  const taken = new Set<OpenEvent>()
  for (const { i, candidate } of pairs) {
    if (known[i] !== undefined || taken.has(candidate)) continue
    known[i] = candidate
    taken.add(candidate)
  }
  return known
}

function isSameId({ event, lastId }: Prediction, other: EventRecord, field: string): boolean {
  const id = event[field]
  return typeof id === 'number' && id > lastId ? Number(other[field]) > lastId : id === other[field]
}

function add(feed: EventFeed, news: EventNews): void {
  feed.totals[news.what]++
  if (feed.news.push(news) <= MAX_NEWS) return
  const { tick } = feed.news.shift()!.event
  const last = feed.gaps[feed.gaps.length - 1]
  const isNext = last !== undefined && last.from <= tick && tick <= last.to
  if (isNext) feed.gaps.pop()
  feed.gaps.push(isNext ? { from: last.from, to: Math.max(last.to, tick + 1) } : { from: tick, to: tick + 1 })
}
