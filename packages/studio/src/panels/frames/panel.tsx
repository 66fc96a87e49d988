/** Frame data: the moves of the game as a table that can be taken along; the meter over the stage shows them in play. */

import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Studio } from '../../model/studio.ts'
import { columnWords } from '../../model/words.ts'
import type { TimerUse } from '../../sim/protocol.ts'
import { download } from '../../ui/files.ts'
import { moveTable, toCsv, toJson } from './data.ts'
import css from './panel.css?inline'

export { css }

export function Panel({ studio }: { studio: Studio }) {
  const table = moveTable(studio.module)
  const { about, columns, rows } = table
  const save = (text: string, kind: 'csv' | 'json') =>
    download(new TextEncoder().encode(text), `${studio.module.id}-frames.${kind}`)
  return (
    <div>
      <p class="muted">
        {rows.length === 0 ? 'This game lists no moves and declares no times.' : about} The meter under the stage shows
        what every player is doing, tick by tick: go along its cells to go there in time.
      </p>
      {rows.length > 0 && (
        <div class="actions">
          <button type="button" class="button" data-testid="frames-csv" onClick={() => save(toCsv(table), 'csv')}>
            Save as CSV
          </button>
          <button type="button" class="button" data-testid="frames-json" onClick={() => save(toJson(table), 'json')}>
            Save as JSON
          </button>
        </div>
      )}
      <div class="wide-table">
        <table class="frame-table" data-testid="frame-table" hidden={rows.length === 0}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, i) => (
              <tr key={i}>
                {row.map((value, place) => (
                  <td key={columns[place]}>{typeof value === 'number' ? Math.round(value * 100) / 100 : value}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Timers studio={studio} />
    </div>
  )
}

/** How much of the match before the moment is looked through, s. */
const SECONDS = 10

/** The timers that ran lately: what the moves of a game without abilities are made of. */
function Timers({ studio }: { studio: Studio }) {
  const { show, module, page } = studio
  const uses = useSignal<readonly TimerUse[]>([])
  const tick = show.tick.value
  const isPlaying = show.playing.value
  useEffect(() => {
    if (isPlaying || page?.kind === 'is shown') return
    const from = tick - Math.ceil(SECONDS * module.game.declaration.tickRate)
    const wait = setTimeout(() => {
      show.client.ask(show.sim, { ask: 'timers', from, to: tick }).then(
        (answer) => {
          uses.value = answer
        },
        () => {},
      )
    }, RESTING_MS)
    return () => clearTimeout(wait)
  }, [tick, isPlaying])
  if (uses.value.length === 0) return null
  return (
    <section>
      <h3>Timers of the last {SECONDS} s</h3>
      <table class="frame-table" data-testid="timers">
        <thead>
          <tr>
            <th scope="col">timer</th>
            <th scope="col">times</th>
            <th scope="col">ticks</th>
          </tr>
        </thead>
        <tbody>
          {uses.value.map(({ column, times, least, most }) => (
            <tr key={column} title={column}>
              <td>{columnWords(column)}</td>
              <td>{times}</td>
              <td>{least === most ? least : `${least} … ${most}`}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** So long a moment must rest before it is looked into: going along the cells asks for many. */
const RESTING_MS = 250
