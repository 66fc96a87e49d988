/** Figures of the network, as the client of an online match knows them. */

import { describeDesync } from '@hurtbox/colyseus/netcode'
import type { ShownMatch } from '../../attach/types.ts'
import type { Studio } from '../../model/studio.ts'

export function Panel({ studio }: { studio: Studio }) {
  void studio.pulse.value
  const match = studio.page?.match as ShownMatch | undefined
  if (studio.page?.isOnline !== true || match === undefined) {
    return <p class="muted">This match is played in the page. There is no network in it.</p>
  }
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
  return (
    <table class="columns" data-testid="network">
      <tbody>
        {rows.map(([name, value]) => (
          <tr key={`${name} ${value}`}>
            <th scope="row">{name}</th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function kilobytes(bytes = 0): string {
  return `${(bytes / 1000).toFixed(1)} kB`
}
