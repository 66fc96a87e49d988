/** Two futures: where and by which phase they part, what changed for each player, and everything that differs at this tick. */

import { seatName } from '@hurtbox/view'
import type { Difference } from 'hurtbox/tools'
import { compareWorlds } from '../../model/compare.ts'
import { type Studio, worldOf } from '../../model/studio.ts'
import { scrub } from '../../model/time.ts'
import { columnWords, short, tellValue, words } from '../../model/words.ts'
import { shownWorld } from '../../show/show.ts'
import { ComparedTable } from '../../ui/compared.tsx'
import { Who } from '../../ui/who.tsx'
import { compareFutures } from './data.ts'
import css from './panel.css?inline'

export { css }

export function Panel({ studio }: { studio: Studio }) {
  void studio.pulse.value
  const fork = studio.fork.value
  if (fork === undefined) return <p class="muted">Scrub back and turn a number in Tune to open another future.</p>
  const [was, wouldBe] = [worldOf(studio), shownWorld(fork)]
  const rows = compareFutures(studio.module, was, wouldBe)
  return (
    <div data-testid="futures" data-tick={was.tick} data-other={wouldBe.tick}>
      <Parting studio={studio} />
      <table class="columns">
        <thead>
          <tr>
            <th scope="col">at tick {was.tick}</th>
            <td>as it was</td>
            <td>as it would be</td>
          </tr>
        </thead>
        {rows.map(({ seat, cells }) => (
          <tbody key={seat}>
            <tr class="compared-thing">
              <th scope="rowgroup" colSpan={3}>
                {seatName(seat)}
              </th>
            </tr>
            {cells.map(({ what, was: first, wouldBe: second, isDifferent }) => (
              <tr key={what} class={isDifferent ? 'is-different' : ''}>
                <th scope="row">{what}</th>
                <td>{first}</td>
                <td>{second}</td>
              </tr>
            ))}
          </tbody>
        ))}
      </table>
      {!studio.show.playing.value && (
        <details>
          <summary>Everything that differs</summary>
          <ComparedTable
            studio={studio}
            compared={compareWorlds(was, wouldBe)}
            labels={{ here: 'as it was', there: 'as it would be' }}
          />
        </details>
      )}
    </div>
  )
}

/** The first value that differs. */
function Cell({ studio, cell }: { studio: Studio; cell: Difference }) {
  const { table, id, row, column, a, b } = cell
  if (table === 'things') {
    return (
      <>
        <Who studio={studio} id={id} />, {columnWords(column)}: {tellValue(studio, column, a)} as it was,{' '}
        {tellValue(studio, column, b)} as it would be
      </>
    )
  }
  const where = table === '' || table === 'header' ? column : `${table} ${row}, ${words(column)}`
  return (
    <>
      {where}: {short(a)} as it was, {short(b)} as it would be
    </>
  )
}

function Parting({ studio }: { studio: Studio }) {
  const parting = studio.difference.value
  if (parting === 'looking') return <p class="muted">Looking for the first difference…</p>
  if (parting === 'none') return <p data-testid="parting">As far as both are played, nothing but the number differs.</p>
  return (
    <p data-testid="parting" data-tick={parting.tick}>
      They part in{' '}
      <button type="button" class="link" onClick={() => scrub(studio, parting.tick + 1)}>
        tick {parting.tick}
      </button>
      , phase <b>{parting.phase}</b>: <Cell studio={studio} cell={parting.cell} />.
    </p>
  )
}
