/** Figures of the network, as the client of an online match knows them. */

import type { ShownMatch } from '../../model/attach-types.ts'
import type { Studio } from '../../model/studio.ts'
import { networkRows } from './data.ts'

export function Panel({ studio }: { studio: Studio }) {
  void studio.pulse.value
  const match = studio.page?.match as ShownMatch | undefined
  if (studio.page?.isOnline !== true || match === undefined) {
    return <p class="muted">This match is played in the page. There is no network in it.</p>
  }
  const rows = networkRows(match)
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
