/**
 * Before and after each phase: what the phases of a tick did to a thing, and by which rule. Below it, what differs between two
 * ticks, of the thing or of everything.
 */

import { useSignal } from '@preact/signals'
import { restore } from 'hurtbox'
import { createEmptyWorld, snapshotFromBytes } from 'hurtbox/tools'
import { useEffect } from 'preact/hooks'
import { refreshVerdict, select } from '../../model/ask.ts'
import { type Compared, compareWorlds } from '../../model/compare.ts'
import { type Studio, worldOf } from '../../model/studio.ts'
import { columnWords, tellTrace, tellValue } from '../../model/words.ts'
import { ComparedTable } from '../../ui/compared.tsx'
import { Said, Who } from '../../ui/who.tsx'
import { messageOf } from '../../words.ts'
import { columnPaths, phaseRows } from './data.ts'
import css from './panel.css?inline'

export { css }

export function Panel({ studio }: { studio: Studio }) {
  void studio.pulse.value
  const { show, selected, changes } = studio
  const [id] = selected.value
  useEffect(() => void refreshVerdict(studio), [id, show.tick.value, show.playing.value])
  return (
    <div>
      {id === undefined || id < 0 ? (
        <Choose studio={studio} />
      ) : show.playing.value ? (
        <p class="muted">Pause to look into a tick.</p>
      ) : changes.value === undefined ? (
        <p class="muted">No tick has been played before this one.</p>
      ) : (
        <Path studio={studio} />
      )}
      <Ticks studio={studio} />
    </div>
  )
}

/** For those who do not click on the stage: the things of players. */
function Choose({ studio }: { studio: Studio }) {
  const { players } = worldOf(studio).tables
  const ids = [...players.thing.subarray(0, players.count)].filter((each: number) => each > 0)
  return (
    <section>
      <p class="muted">Choose a thing, here or on the stage, to see what each phase of the tick did to it.</p>
      <div class="actions">
        {ids.map((each: number) => (
          <button key={each} type="button" class="button" onClick={() => selectHere(studio, each)}>
            <Who studio={studio} id={each} isLabel />
          </button>
        ))}
      </div>
    </section>
  )
}

/** Selecting opens the Ask panel; from here it does not. */
function selectHere(studio: Studio, id: number): void {
  select(studio, id)
  studio.tab.value = 'phases'
}

function Path({ studio }: { studio: Studio }) {
  const answer = studio.changes.value!
  const rows = phaseRows(answer)
  const paths = columnPaths(answer)
  return (
    <section data-testid="phase-path">
      <h3>
        Tick {answer.tick}: <Who studio={studio} id={answer.id} />
      </h3>
      {rows.length === 0 && <p>No phase of this tick changed it.</p>}
      <ol class="phase-list">
        {rows.map(({ phase, is, changes, rules }) => (
          <li key={phase} data-phase={phase}>
            <b>{phase}</b>
            {is !== 'changed' && <p>{is === 'gone' ? 'It is gone after this.' : 'It appears here.'}</p>}
            {rules.map((rule, i) => (
              <p key={i}>
                <Said studio={studio} parts={tellTrace(studio, rule)} />
              </p>
            ))}
            {changes.map(({ column, before, after }) => (
              <code key={column} title={`${column}: ${before} → ${after}`}>
                {columnWords(column)} {tellValue(studio, column, before)} → {tellValue(studio, column, after)}
              </code>
            ))}
          </li>
        ))}
      </ol>
      {paths.length > 0 && (
        <div class="wide-table">
          <table class="columns phase-table" data-testid="phase-table">
            <thead>
              <tr>
                <th scope="col">after</th>
                <td>before</td>
                {answer.phases.map(({ phase }) => (
                  <td key={phase}>{phase}</td>
                ))}
              </tr>
            </thead>
            <tbody>
              {paths.map(({ column, before, after }) => (
                <tr key={column}>
                  <th scope="row" title={column}>
                    {columnWords(column)}
                  </th>
                  <td>{tellValue(studio, column, before)}</td>
                  {after.map((value, i) => (
                    <td key={i} class={Object.is(value, i === 0 ? before : after[i - 1]) ? '' : 'is-changed'}>
                      {tellValue(studio, column, value)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

/** The tick that is shown against another one. */
function Ticks({ studio }: { studio: Studio }) {
  const { show, selected } = studio
  const other = useSignal('')
  const compared = useSignal<{ readonly compared: Compared; readonly from: number; readonly to: number } | undefined>(
    undefined,
  )
  const failure = useSignal('')
  const compare = async () => {
    const from = Number(other.value)
    const to = show.tick.value
    failure.value = ''
    try {
      const bytes = await show.client.ask(show.sim, { ask: 'state', tick: from })
      const past = createEmptyWorld(studio.module.game, { options: worldOf(studio).options })
      restore(past, snapshotFromBytes(studio.module.game.layout, bytes))
      const [id] = selected.value
      compared.value = {
        compared: compareWorlds(past, worldOf(studio), id !== undefined && id > 0 ? id : undefined),
        from,
        to,
      }
    } catch (error) {
      failure.value = messageOf(error)
    }
  }
  return (
    <section>
      <h3>Between two ticks</h3>
      <form
        class="actions"
        onSubmit={(event) => {
          event.preventDefault()
          if (/^\d+$/.test(other.value)) void compare()
        }}
      >
        <input
          class="seed"
          inputMode="numeric"
          aria-label="The other tick"
          placeholder="tick"
          value={other.value}
          onInput={(event) => void (other.value = event.currentTarget.value)}
        />
        <button type="submit" class="button" disabled={show.playing.value}>
          Compare with tick {show.tick.value}
        </button>
      </form>
      {failure.value !== '' && <p class="failure">{failure.value}</p>}
      {compared.value !== undefined && (
        <ComparedTable
          studio={studio}
          compared={compared.value.compared}
          labels={{ here: `tick ${compared.value.from}`, there: `tick ${compared.value.to}` }}
        />
      )}
    </section>
  )
}
