/**
 * What a client may claim about the past that its player saw.
 *
 * A packet says how long before its inputs the picture was. The host knows better than to believe it: no picture is newer than the
 * last frame that the client has, and frames take their time. The fastest way there and back of the last seconds, the time between
 * two frames and a margin for stalls are what an honest client needs; a claim beyond them is judged at that bound.
 *
 * The way is measured twice: by the frames that the client says it has, and by pings, which the transport answers and not the page. The
 * smaller counts, and a small one counts for many seconds, so a page that hides what it has, or that is slow only while its player shoots,
 * gains nothing. A client of one's own that delays its pongs too, and all the time, gets what such a slow connection would get, and
 * never more than the game keeps.
 */

import { SEEN_AGO } from 'hurtbox/rewind'

/** The smallest of this window and of the one before, in ticks. */
type Smallest = { least: number; leastBefore: number; windowEndsAt: number }

export type Sight = {
  /** How far behind a client's newest frame was when it told. */
  readonly lag: Smallest
  /** Round trips of pings. */
  readonly roundTrip: Smallest
}

/** Long enough that a slow connection cannot be feigned for one shot; a connection that gets slower is judged by its better past as long. */
const WINDOW_SECONDS = 15
/** For frames that come late, of which a client shows less than it has. */
const SIGHT_MARGIN_MS = 40
/** The past of an input that comes early is longer ago when it is played. Inputs need not come earlier than this to be in time. */
const EARLY_MS = 100

export function createSight(): Sight {
  const none = { least: Number.POSITIVE_INFINITY, leastBefore: Number.POSITIVE_INFINITY, windowEndsAt: 0 }
  return { lag: { ...none }, roundTrip: { ...none } }
}

/** A packet arrived at `tick` of a client that has the match up to `received`. */
export function noteLag({ lag }: Sight, tick: number, received: number, tickRate: number): void {
  note(lag, tick, tick - received, tickRate)
}

/** A ping came back at `tick`, after so many ms. */
export function noteRoundTrip({ roundTrip }: Sight, tick: number, ms: number, tickRate: number): void {
  note(roundTrip, tick, (ms * tickRate) / 1000, tickRate)
}

function note(smallest: Smallest, tick: number, ticks: number, tickRate: number): void {
  if (tick >= smallest.windowEndsAt) {
    smallest.leastBefore = smallest.least
    smallest.least = ticks
    smallest.windowEndsAt = tick + Math.ceil(WINDOW_SECONDS * tickRate)
  } else smallest.least = Math.min(smallest.least, ticks)
}

/** How early and how often frames come, and where the input stands that the claim is about. */
export type Claim = {
  /** In the parts of a tick that `SEEN_AGO` names, before `inputTick`. */
  readonly seenAgo: number
  readonly inputTick: number
  /** The host's tick now. */
  readonly tick: number
  /** Ticks between two frames. */
  readonly every: number
  readonly tickRate: number
}

/** The claim, or as much of it as is believed; below 0 where not even the tick of the input is. */
export function boundSeenAgo(sight: Sight, { seenAgo, inputTick, tick, every, tickRate }: Claim): number {
  const lag = Math.min(least(sight.lag), least(sight.roundTrip))
  const furthest = lag + 2 * every + 1 + (SIGHT_MARGIN_MS * tickRate) / 1000
  const early = Math.min(inputTick - tick, (EARLY_MS * tickRate) / 1000)
  const believed = Math.floor(SEEN_AGO.partsPerTick * (furthest + early))
  return Math.min(seenAgo, believed)
}

function least({ least: now, leastBefore }: Smallest): number {
  return Math.min(now, leastBefore)
}
