/** Frame data: the moves of the game as a table that can be taken along; the meter over the stage shows them in play. */

import type { Studio } from '../../model/studio.ts'
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
        {about} The meter under the stage shows what every player is doing, tick by tick: go along its cells to go there
        in time.
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
        <table class="frame-table" data-testid="frame-table">
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
    </div>
  )
}
