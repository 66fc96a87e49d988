/** The feed: what happened, newest first; a click goes there. */

import { useSignal } from '@preact/signals'
import { meaningOfEvent } from 'hurtbox/module'
import { useEffect } from 'preact/hooks'
import { refreshEvents } from '../../model/ask.ts'
import type { Studio } from '../../model/studio.ts'
import { scrub } from '../../model/time.ts'
import { tellEvent, words } from '../../model/words.ts'
import { Said } from '../../ui/who.tsx'
import { fieldsOf } from './data.ts'
import css from './panel.css?inline'

export { css }

const MOST_ROWS = 150
/** How far beyond the moment the feed goes. */
const LATER_SECONDS = 2
/** Pulses between two looks at the feed while the match runs. */
const EVERY_PULSES = 5
const TONES: Readonly<Record<string, string>> = { kill: 'bad', end: 'bad', hit: 'warn', block: 'warn' }

export function Panel({ studio }: { studio: Studio }) {
  if (studio.page?.kind !== 'is shown') return <Feed studio={studio} />
  return <p class="muted">This client does not know the inputs of the match, so it cannot list what happened.</p>
}

function Feed({ studio }: { studio: Studio }) {
  const kinds = Object.keys(studio.module.game.declaration.events ?? {})
  const kind = useSignal('')
  const hasIds = useSignal(false)
  const pulse = studio.pulse.value
  useEffect(() => {
    if (studio.show.playing.value && pulse % EVERY_PULSES === 0) void refreshEvents(studio)
  }, [pulse])
  useEffect(() => void refreshEvents(studio), [])

  const until = studio.show.tick.value
  // What comes much later would push what is looked at out of sight.
  const last = until + LATER_SECONDS * studio.module.game.declaration.tickRate
  const records = studio.events.value.filter(
    (record) => record.tick < last && (kind.value === '' || record.kind === kind.value),
  )
  const shown = records.slice(-MOST_ROWS).reverse()
  return (
    <div>
      <div class="field">
        <span>Show</span>
        <select
          aria-label="Kind of event"
          value={kind.value}
          onChange={(event) => void (kind.value = event.currentTarget.value)}
        >
          <option value="">all events</option>
          {kinds.map((each) => (
            <option key={each} value={each}>
              {words(each)}
            </option>
          ))}
        </select>
        <label class="ids">
          <input type="checkbox" checked={hasIds.value} onChange={() => void (hasIds.value = !hasIds.value)} /> ids
        </label>
      </div>
      {shown.length === 0 && <p class="muted">Nothing has happened yet.</p>}
      <ul class="rows feed" data-testid="feed">
        {shown.map((record) => (
          <li key={`${record.tick} ${record.kind} ${record.n}`} class={record.tick >= until ? 'is-later' : ''}>
            <button type="button" title={fieldsOf(record)} onClick={() => scrub(studio, record.tick + 1)}>
              <span class="tick">{record.tick}</span>
              <b class={`kind ${TONES[meaningOfEvent(studio.module, record.kind)?.is ?? ''] ?? 'calm'}`}>
                {words(record.kind)}
              </b>
              <span class="sentence">
                <Said studio={studio} parts={tellEvent(studio, record)} />
                {hasIds.value && <small>{fieldsOf(record)}</small>}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
