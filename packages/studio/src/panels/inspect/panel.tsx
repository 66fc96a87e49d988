/** Ask: every column of a thing, live; and why two things did or did not hit each other. */

import { findRow, thing } from 'hurtbox'
import { nameOfThing } from 'hurtbox/module'
import type { AnyWorld } from 'hurtbox/tools'
import { listContacts } from '../../draw/overlay.ts'
import { refreshVerdict, select, selectPair } from '../../model/ask.ts'
import { namesFor } from '../../model/names.ts'
import { type Studio, worldOf } from '../../model/studio.ts'
import css from './panel.css?inline'

export { css }

export function Panel({ studio }: { studio: Studio }) {
  void studio.pulse.value
  const { selected } = studio
  const world = worldOf(studio)
  const [a, b] = selected.value
  if (a === undefined) return <Nothing studio={studio} />
  return (
    <div>
      <div class="pair">
        <Chosen studio={studio} world={world} id={a} />
        {b !== undefined && <Chosen studio={studio} world={world} id={b} />}
      </div>
      {b !== undefined && <VerdictList studio={studio} />}
      {b === undefined && canAskWhy(studio) && (
        <p class="muted">Shift-click a second thing, or type its id, to ask why they did or did not hit.</p>
      )}
      <AskById studio={studio} />
      <Columns world={world} id={a} />
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

function Chosen({ studio, world, id }: { studio: Studio; world: AnyWorld; id: number }) {
  return (
    <button type="button" class="chosen" onClick={() => select(studio, id)}>
      <b>#{id}</b> {nameOf(studio, world, id)}
    </button>
  )
}

function nameOf({ module, seat }: Studio, world: AnyWorld, id: number): string {
  const named = thing(world, id)
  return named === undefined ? 'gone' : nameOfThing(module, world, named, namesFor(seat.value))
}

/** The things that players have: what one most likely wants to look at. */
function PlayerList({ studio }: { studio: Studio }) {
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
            <button type="button" onClick={() => select(studio, id)}>
              <span class="tick">#{id}</span> {nameOf(studio, world, id)}
              {things.hp !== undefined && <small>{round(things.hp[row])} hp</small>}
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
          <p>{entry.text}</p>
          {entry.changes.map((change) => (
            <code key={change}>{change}</code>
          ))}
        </article>
      ))}
    </section>
  )
}

function ContactList({ studio }: { studio: Studio }) {
  const { overlay } = studio.show
  if (overlay === undefined || overlay.contacts.length === 0) return null
  const contacts = listContacts(overlay).slice(0, 20)
  return (
    <section>
      <h3>Contacts of this tick</h3>
      <ul class="rows">
        {contacts
          .filter(({ a, b }) => a > 0 && b > 0)
          .map(({ a, b, depth, isPush }, i) => (
            <li key={i}>
              <button type="button" onClick={() => selectPair(studio, a, b)}>
                #{a} and #{b}{' '}
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

function Columns({ world, id }: { world: AnyWorld; id: number }) {
  const { things } = world.tables
  const row = findRow(things, id)
  if (row < 0) return <p class="muted">#{id} is not in the world at this tick.</p>
  return (
    <table class="columns" data-testid="columns">
      <tbody>
        {things.columns.map(({ name, array, width, spec }: ColumnLike) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>
              {width === 1
                ? show(world, name, array[row], spec)
                : [...array.subarray(row * width, (row + 1) * width)].map(round).join(' ')}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type ColumnLike = {
  readonly name: string
  readonly array: Float64Array
  readonly width: number
  readonly spec: unknown
}

/** A timer also says how far it is; a layer its name. */
function show(world: AnyWorld, name: string, value: number, spec: unknown): string {
  if (name === 'layer') return `${world.game.layers.names[value] ?? value}`
  if (spec === 'timer' && value > world.clock) return `${value} (in ${value - world.clock} ticks)`
  return String(round(value))
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000
}
