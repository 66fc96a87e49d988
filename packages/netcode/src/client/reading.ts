/** How a client is connected, in figures and in words: what a player, a page or a lab shows of it. */

import type { Path } from '../protocol/protocol.ts'
import type { Mirror } from './mirror/mirror.ts'
import type { Terminal } from './terminal/terminal.ts'

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
  /** How messages travel. */
  readonly path: Path
  readonly words: string
}

export function readNetwork(client: Mirror | Terminal | undefined): NetworkReading {
  if (client === undefined) {
    const none = { aheadTicks: 0, delayTicks: 0, lateShare: 0, leadTicks: 0 }
    return { rttMs: undefined, ...none, path: 'stream', words: 'Not connected yet.' }
  }
  const { sender, clock } = client
  const isMirror = 'confirmed' in client
  const aheadTicks = isMirror ? client.world.tick - client.confirmed.tick : -Math.round(client.stats.delayTicks)
  const delayTicks = isMirror ? client.pace.delayTicks : 0
  const lateShare = sender.reports === 0 ? 0 : sender.lateReports / sender.reports
  const inTime = (ticks: number) =>
    `${ticks} ${ticks === 1 ? 'tick' : 'ticks'} (${Math.round(ticks * clock.tickMs)} ms)`
  const words = [
    isMirror
      ? `You see ${inTime(aheadTicks)} more than the server has confirmed.`
      : `You see the match as it was ${inTime(-aheadTicks)} ago.`,
    ...(delayTicks > 0 ? [`Your inputs wait ${inTime(delayTicks)}, so that less has to be corrected.`] : []),
    lateShare === 0 ? 'No input came late.' : `${(100 * lateShare).toFixed(1)} % of your inputs came late.`,
    ...(client.path === 'datagram' ? ['Messages travel as datagrams.'] : []),
  ].join(' ')
  return { rttMs: sender.rttMs, aheadTicks, delayTicks, lateShare, leadTicks: clock.lead, path: client.path, words }
}
