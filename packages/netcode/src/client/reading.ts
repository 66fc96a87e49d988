/** How a client is connected, in figures and in words: what a player, a page or a lab shows of it. */

import type { Path } from '../protocol/protocol.ts'
import type { HostClock } from './clock.ts'
import type { Effort } from './mirror/effort.ts'
import type { InputSender } from './sender.ts'

export type NetworkReading = {
  /** Round trip, ms; undefined before the first answer. */
  readonly rttMs: number | undefined
  /** How many ticks are shown that the host has not confirmed; for a terminal below 0: it shows the past. */
  readonly aheadTicks: number
  /** How many ticks an input waits before it is seen. */
  readonly delayTicks: number
  /** The part of the host's reports that say an input came too late, 0 to 1. */
  readonly lateShare: number
  /** How far ahead of the host's last known tick inputs are made, ticks. */
  readonly leadTicks: number
  /** The part of the time that stepping the match takes on this machine, 0 to 1. */
  readonly stepShare: number
  /**
   * How many ticks ahead are predicted at most, because more took too much of this machine's time; infinite while it keeps up. Below
   * that, leave out what is only decoration.
   */
  readonly mostAhead: number
  /** How messages travel. */
  readonly path: Path
  readonly words: string
}

/** The reading before there is a match. */
export const NOT_CONNECTED: NetworkReading = {
  rttMs: undefined,
  aheadTicks: 0,
  delayTicks: 0,
  lateShare: 0,
  leadTicks: 0,
  stepShare: 0,
  mostAhead: Number.POSITIVE_INFINITY,
  path: 'stream',
  words: 'Not connected yet.',
}

type Followed = {
  readonly sender: InputSender
  readonly clock: HostClock
  readonly path: Path
  /** Of a mirror: a terminal steps nothing. */
  readonly effort?: Effort
}

/** `sentences` say what is particular to the kind of client. */
export function networkReading(
  { sender, clock, path, effort }: Followed,
  aheadTicks: number,
  delayTicks: number,
  sentences: readonly string[],
): NetworkReading {
  const lateShare = sender.reports === 0 ? 0 : sender.lateReports / sender.reports
  const words = [
    ...sentences,
    lateShare === 0 ? 'No input came late.' : `${(100 * lateShare).toFixed(1)} % of your inputs came late.`,
    ...(path === 'datagram' ? ['Messages travel as datagrams.'] : []),
  ].join(' ')
  const { share: stepShare = 0, mostAhead = Number.POSITIVE_INFINITY } = effort ?? {}
  return {
    rttMs: sender.rttMs,
    aheadTicks,
    delayTicks,
    lateShare,
    leadTicks: clock.lead,
    stepShare,
    mostAhead,
    path,
    words,
  }
}

/** Ticks with their length in time. */
export function inTicks(ticks: number, { tickMs }: HostClock): string {
  return `${ticks} ${ticks === 1 ? 'tick' : 'ticks'} (${Math.round(ticks * tickMs)} ms)`
}
