/** Ask: every column of a thing, live; and why two things did or did not hit each other. */

import { findRow } from 'hurtbox'
import { listContacts } from '../../draw/overlay.ts'
import { refreshVerdict, select, selectPair } from '../../model/ask.ts'
import { type Studio, worldOf } from '../../model/studio.ts'
import { columnWords, nameOf, short, tellChange, tellTrace, tellValue } from '../../model/words.ts'
import { colourOfThing, pointing, Said, Who } from '../../ui/who.tsx'
import { type ColumnRow, changedColumns, columnRows, GROUPS, type Group } from './data.ts'
import css from './panel.css?inline'

export { css }

/** Parts that show the world listen to the pulse themselves: with the same props they are not drawn again by what holds them. */
export function Panel({ studio }: { studio: Studio }) {
  const { selected } = studio
  const [a, b] = selected.value
  if (a === undefined) return <Nothing studio={studio} />
  return (
    <div>
      <div class="pair">
        <Chosen studio={studio} id={a} />
        {b !== undefined && <Chosen studio={studio} id={b} />}
      </div>
      {b !== undefined && <VerdictList studio={studio} />}
      {b === undefined && canAskWhy(studio) && (
        <p class="muted">Shift-click a second thing, or type its id, to ask why they did or did not hit.</p>
      )}
      <AskById studio={studio} />
      <Columns studio={studio} id={a} />
    </div>
  )
}

/** A client that is only shown the match has no phases to ask. */
const canAskWhy = ({ page }: Studio) => page?.kind !== 'is shown'

function Nothing({ studio }: { studio: Studio }) {
  return (
    <div class="empty">
      <p>Click a thing on the stage to see everything the engine knows about it.</p>
      <AskById studio={studio} />
      <PlayerList studio={studio} />
      <ContactList studio={studio} />
    </div>
  )
}

function Chosen({ studio, id }: { studio: Studio; id: number }) {
  return (
    <button
      type="button"
      class="chosen"
      style={{ color: colourOfThing(studio, id) }}
      {...pointing(studio, id)}
      onClick={() => id > 0 && select(studio, id)}
    >
      {nameOf(studio, id)} {id > 0 && <small>#{id}</small>}
    </button>
  )
}

/** The things that players have: what one most likely wants to look at. */
function PlayerList({ studio }: { studio: Studio }) {
  void studio.pulse.value
  const world = worldOf(studio)
  const { players, things } = world.tables
  const rows: { readonly id: number; readonly row: number }[] = []
  for (let player = 0; player < players.count; player++) {
    const row = findRow(things, players.thing[player])
    if (row >= 0) rows.push({ id: things.id[row], row })
  }
  if (rows.length === 0) return null
  return (
    <section>
      <h3>Players</h3>
      <ul class="rows">
        {rows.map(({ id, row }) => (
          <li key={id}>
            <button type="button" {...pointing(studio, id)} onClick={() => select(studio, id)}>
              <Who studio={studio} id={id} isLabel />
              {things.hp !== undefined && <small>{short(things.hp[row])} health</small>}
              <small class="id">#{id}</small>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** For the keyboard alone, and for things too small to click. */
function AskById({ studio }: { studio: Studio }) {
  const isPair = canAskWhy(studio)
  return (
    <form
      class="ask"
      onSubmit={(event) => {
        event.preventDefault()
        const data = new FormData(event.currentTarget)
        const [a, b] = ['a', 'b'].map((name) => Number(data.get(name)))
        if (a > 0 && b > 0 && a !== b) selectPair(studio, a, b)
        else if (a > 0) select(studio, a)
      }}
    >
      <input name="a" inputMode="numeric" pattern="\d*" placeholder="id" aria-label="Id of a thing" />
      {isPair && <input name="b" inputMode="numeric" pattern="\d*" placeholder="id" aria-label="Id of another thing" />}
      <button type="submit" class="button">
        {isPair ? 'Why?' : 'Show'}
      </button>
    </form>
  )
}

function VerdictList({ studio }: { studio: Studio }) {
  const { verdicts, show } = studio
  if (show.playing.value) return <p class="muted">Pause to ask about a tick.</p>
  const answer = verdicts.value
  if (answer === undefined) return null
  return (
    <section class="verdicts" data-testid="verdicts" aria-live="polite">
      <h3>
        Tick {answer.tick}{' '}
        <button type="button" class="icon" aria-label="Ask again" onClick={() => void refreshVerdict(studio)}>
          ⟳
        </button>
      </h3>
      {answer.list.length === 0 && <p>No phase of this tick looked at the two.</p>}
      {answer.list.map((entry, i) => (
        <article key={i} class={`verdict ${entry.verdict === 'accepted' ? 'is-hit' : 'is-miss'}`}>
          <header>
            <b>{entry.verdict}</b>
            <span>
              {entry.phase}
              {entry.rule !== '' && ` · ${entry.rule}`}
            </span>
          </header>
          <p>
            <Said studio={studio} parts={tellTrace(studio, entry)} />
          </p>
          {entry.changes.map((change) => (
            <code key={change} title={change}>
              <Said studio={studio} parts={tellChange(studio, change)} />
            </code>
          ))}
        </article>
      ))}
    </section>
  )
}

/** Hits, pushes apart and walls alike: each can be asked about. */
function ContactList({ studio }: { studio: Studio }) {
  void studio.pulse.value
  const { overlay } = studio.show
  if (overlay === undefined || overlay.contacts.length === 0) return null
  const contacts = listContacts(overlay)
    .filter(({ a, b }) => a !== 0 && b !== 0)
    .slice(0, 20)
  return (
    <section>
      <h3>Contacts of this tick</h3>
      <ul class="rows">
        {contacts.map(({ a, b, depth, isPush }, i) => (
          <li key={i}>
            <button
              type="button"
              {...pointing(studio, Math.max(a, b))}
              onClick={() => selectPair(studio, Math.max(a, b), Math.min(a, b))}
            >
              <span>
                <Who studio={studio} id={a} isLabel /> and <Who studio={studio} id={b} isLabel />
              </span>
              <small>
                {isPush ? 'pushed apart, overlap' : 'depth'} {depth.toFixed(2)}
              </small>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

const TITLES: Readonly<Record<Group, string>> = {
  changed: 'Changed in this tick',
  place: 'Place and shape',
  motion: 'Motion',
  health: 'Health',
  timers: 'Timers, time left',
  other: 'Everything else',
}

function Columns({ studio, id }: { studio: Studio; id: number }) {
  void studio.pulse.value
  const { changes, show } = studio
  const world = worldOf(studio)
  const known = changes.value
  const isOfThisTick = known !== undefined && known.tick === world.tick - 1 && known.id === id
  const changed = isOfThisTick
    ? new Set(known.phases.flatMap((phase) => phase.changes.map(({ column }) => column)))
    : changedColumns(show.states.before, show.states.after, id)
  const rows = id > 0 ? columnRows(world, id, changed) : undefined
  if (rows === undefined) {
    return id < 0 ? null : (
      <p class="muted">
        <Who studio={studio} id={id} /> is not in the world at this tick.
      </p>
    )
  }
  const folded = rows.filter(({ isDefault, group }) => isDefault && group !== 'changed')
  return (
    <div class="groups" data-testid="columns">
      {GROUPS.map((group) => (
        <ColumnTable
          key={group}
          studio={studio}
          title={TITLES[group]}
          rows={rows.filter((row) => row.group === group && !folded.includes(row))}
        />
      ))}
      {folded.length > 0 && (
        <details>
          <summary>{folded.length} columns are at rest</summary>
          <ColumnTable studio={studio} title="" rows={folded} />
        </details>
      )}
    </div>
  )
}

function ColumnTable({ studio, title, rows }: { studio: Studio; title: string; rows: readonly ColumnRow[] }) {
  if (rows.length === 0) return null
  return (
    <section>
      {title !== '' && <h3>{title}</h3>}
      <table class="columns">
        <tbody>
          {rows.map(({ name, values }) => (
            <tr key={name} title={`${name} ${values.map(short).join(' ')}`}>
              <th scope="row">{columnWords(name)}</th>
              <td>{values.map((value) => tellValue(studio, name, value)).join(' ')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
