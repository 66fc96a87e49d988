/**
 * Which moment a client shows: close to the tick it gives inputs for, behind it by the input delay, and never by leaps.
 *
 * A late input raises the lead at once, because the next one must not be late. What is shown follows a little faster or slower
 * than real time until it is there: nobody sees that, while a leap of four ticks moves everything on the screen.
 *
 * Input delay shows the world less far ahead: what a player does is seen later, and less of it is predicted, so less has to be
 * corrected.
 */

import { FRAME_CATCH_UP_TICKS } from '../../protocol/protocol.ts'
import { type HostClock, hostTick } from '../clock.ts'

/**
 * How long an input waits before it is seen, ms; or `adaptive`: nothing on a short way, on a longer one as much as it takes
 * to be at most 100 ms ahead, up to 60.
 */
export type InputDelay = number | 'adaptive'

export type Pace = {
  inputDelay: InputDelay
  /** The most ticks shown ahead of the host's last known one; what an input waits follows from it, too. */
  mostAhead: number
  /** What an input waits now, in ticks. */
  delayTicks: number
  /** The moment shown, in ticks, and when that was; undefined before the first. */
  shown: number | undefined
  at: number
}

const ADAPTIVE_AHEAD_MS = 100
const ADAPTIVE_MOST_MS = 60
/** How much faster or slower than real time the moment shown may move. */
const PACE_CHANGE = 0.15

export function createPace(inputDelay: InputDelay = 0): Pace {
  return { inputDelay, mostAhead: Number.POSITIVE_INFINITY, delayTicks: 0, shown: undefined, at: 0 }
}

/** Moves on to `now` and returns the moment to show, in ticks with fractions. */
export function movePace(pace: Pace, clock: HostClock, now: number, isPlayer: boolean): number {
  if (isPlayer) pace.delayTicks = delayOf(pace, clock)
  const wanted = hostTick(clock, now) + (isPlayer ? clock.lead - pace.delayTicks : 0)
  const elapsed = Math.max(0, now - pace.at) / clock.tickMs
  const error = pace.shown === undefined ? Number.POSITIVE_INFINITY : wanted - (pace.shown + elapsed)
  pace.at = now
  if (pace.shown === undefined || Math.abs(error) > FRAME_CATCH_UP_TICKS) pace.shown = wanted
  else pace.shown += elapsed + Math.min(Math.max(error, -PACE_CHANGE * elapsed), PACE_CHANGE * elapsed)
  return pace.shown
}

function delayOf(pace: Pace, clock: HostClock): number {
  return Math.max(wantedDelay(pace, clock), Math.round(clock.lead - pace.mostAhead))
}

function wantedDelay({ inputDelay, delayTicks }: Pace, { lead, tickMs }: HostClock): number {
  if (inputDelay !== 'adaptive') return Math.round(inputDelay / tickMs)
  const wanted = Math.min(Math.max(lead - ADAPTIVE_AHEAD_MS / tickMs, 0), ADAPTIVE_MOST_MS / tickMs)
  // Not to and fro: the lead changes a little all the time.
  return Math.abs(wanted - delayTicks) > 0.75 ? Math.round(wanted) : delayTicks
}
