/**
 * What a client may claim about the past that its player saw.
 *
 * A packet says how long before its inputs the picture was. The host knows better than to believe it: no picture is newer than the
 * last frame that the client has, and frames take their time. The fastest way there and back of the last seconds, the time between
 * two frames and a margin for stalls are what an honest client needs; a claim beyond them is judged at that bound. A client that
 * also hides how fast its connection is gets what such a slow connection would get, and never more than the game keeps.
 */

import { SEEN_AGO } from 'hurtbox/rewind'

/** The smallest lag of this window and of the one before, in ticks: how far behind a client's newest frame was when it told. */
export type Sight = { least: number; leastBefore: number; windowEndsAt: number }

const WINDOW_SECONDS = 2
/** For frames that come late, of which a client shows less than it has. */
const SIGHT_MARGIN_MS = 50

export function createSight(): Sight {
  return { least: Number.POSITIVE_INFINITY, leastBefore: Number.POSITIVE_INFINITY, windowEndsAt: 0 }
}

/** A packet arrived at `tick` of a client that has the match up to `received`. */
export function noteLag(sight: Sight, tick: number, received: number, tickRate: number): void {
  const lag = tick - received
  if (tick >= sight.windowEndsAt) {
    sight.leastBefore = sight.least
    sight.least = lag
    sight.windowEndsAt = tick + Math.ceil(WINDOW_SECONDS * tickRate)
  } else sight.least = Math.min(sight.least, lag)
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

/** The claim, or as much of it as is believed. */
export function boundSeenAgo(sight: Sight, { seenAgo, inputTick, tick, every, tickRate }: Claim): number {
  const lag = Math.min(sight.least, sight.leastBefore)
  const furthest = lag + 2 * every + 1 + (SIGHT_MARGIN_MS * tickRate) / 1000
  const believed = Math.floor(SEEN_AGO.partsPerTick * (furthest + inputTick - tick))
  return Math.max(Math.min(seenAgo, believed), 0)
}
