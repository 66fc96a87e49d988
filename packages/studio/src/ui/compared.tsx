/** What differs between two states, for people: by thing, with names, words and time left. */

import type { Compared } from '../model/compare.ts'
import { columnWords, short, type Teller, tellValue, words } from '../model/words.ts'
import { Who } from './who.tsx'

type Labels = { readonly here: string; readonly there: string }

export function ComparedTable({ studio, compared, labels }: { studio: Teller; compared: Compared; labels: Labels }) {
  const { things, others, left } = compared
  if (things.length === 0 && others.length === 0) return <p data-testid="compared">Nothing differs.</p>
  return (
    <table class="columns compared" data-testid="compared">
      <thead>
        <tr>
          <th scope="col">what</th>
          <td>{labels.here}</td>
          <td>{labels.there}</td>
        </tr>
      </thead>
      {things.map(({ id, is, columns }) => (
        <tbody key={id}>
          <tr class="compared-thing">
            <th scope="rowgroup" colSpan={3}>
              <Who studio={studio} id={id} />
              {is !== 'changed' && <small> only in {is === 'only here' ? labels.here : labels.there}</small>}
            </th>
          </tr>
          {columns.map(({ column, here, there }) => (
            <tr key={column} title={`${column}: ${here} → ${there}`}>
              <th scope="row">{columnWords(column)}</th>
              <td>{tellValue(studio, column, here)}</td>
              <td>{tellValue(studio, column, there)}</td>
            </tr>
          ))}
        </tbody>
      ))}
      {left > 0 && (
        <tbody>
          <tr>
            <th scope="row" colSpan={3}>
              and {left} more things
            </th>
          </tr>
        </tbody>
      )}
      {others.length > 0 && (
        <tbody>
          {others.map(({ table, row, column, here, there }) => (
            <tr key={`${table} ${row} ${column}`}>
              <th scope="row">
                {table === 'globals' ? '' : `${table} ${row}: `}
                {words(column)}
              </th>
              <td>{short(here)}</td>
              <td>{short(there)}</td>
            </tr>
          ))}
        </tbody>
      )}
    </table>
  )
}
