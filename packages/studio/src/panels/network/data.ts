/** Figures of the network, as the client of an online match knows them. */

import { describeDesync } from '@hurtbox/netcode/client'
import type { ShownMatch } from '../../model/attach-types.ts'

/** Label and value of each. */
export function networkRows(match: ShownMatch): [string, string][] {
  const { rttMs, corrections, desyncs, traffic, status, mirror } = match
  const rows: [string, string][] = [
    ['connection', status ?? 'unknown'],
    ['round trip', rttMs === undefined ? 'not known yet' : `${rttMs.toFixed(0)} ms`],
    ['received', `${kilobytes(traffic?.bytesIn)} in ${traffic?.messagesIn ?? 0} messages`],
    ['sent', `${kilobytes(traffic?.bytesOut)} in ${traffic?.messagesOut ?? 0} messages`],
  ]
  if (mirror !== undefined) {
    rows.push(
      ['ahead of what is confirmed', `${mirror.world.tick - mirror.confirmed.tick} ticks`],
      ['corrections', `${corrections?.count ?? 0}, the largest by ${(corrections?.largest ?? 0).toFixed(1)} units`],
      ['differed from the server', `${desyncs?.length ?? 0} times in ${mirror.stats.hashChecks} comparisons`],
    )
  }
  for (const report of (desyncs ?? []).slice(-3)) rows.push(['it was', describeDesync(report)])
  return rows
}

function kilobytes(bytes = 0): string {
  return `${(bytes / 1000).toFixed(1)} kB`
}
