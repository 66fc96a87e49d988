/** Training: an opponent that stands, does one thing, or does again what you have recorded. */

import { seatName } from '@hurtbox/view'
import { useSignal } from '@preact/signals'
import type { Studio } from '../../model/studio.ts'
import type { DummyDoes } from '../../sim/dummy.ts'
import { buttonsOf, partnerOf } from './data.ts'
import css from './panel.css?inline'

export { css }

const WORDS: Readonly<Record<DummyDoes, string>> = {
  bot: 'plays as a bot',
  stand: 'stands still',
  press: 'does one thing',
  repeat: 'repeats what you recorded',
}

export function Panel({ studio }: { studio: Studio }) {
  const { show, view, seat } = studio
  const does = useSignal<DummyDoes>('bot')
  const field = useSignal('')
  const recorded = useSignal(0)
  const isRecording = useSignal(false)
  const partner = partnerOf(show.setup, seat.value)
  if (partner === undefined) {
    return <p class="muted">This scene has no second player. Choose "Match with bots" to train against one.</p>
  }
  const buttons = buttonsOf(view)
  const choose = (next: DummyDoes, name = field.value || buttons[0]?.[0] || '') => {
    does.value = next
    field.value = name
    void show.client.ask(show.sim, { ask: 'dummy', does: next, field: name })
  }
  const record = async () => {
    isRecording.value = !isRecording.value
    recorded.value = await show.client.ask(show.sim, { ask: 'record', isOn: isRecording.value })
    if (!isRecording.value && recorded.value > 0) choose('repeat')
  }
  const seconds = (recorded.value / studio.module.game.declaration.tickRate).toFixed(1)
  return (
    <div>
      <p class="muted">
        {seatName(partner)} is your partner. What it does is recorded like any input: go back in time and look at it.
      </p>
      <fieldset class="choices" aria-label="What the partner does">
        {(Object.keys(WORDS) as DummyDoes[]).map((each) => (
          <label key={each}>
            <input
              type="radio"
              name="dummy"
              checked={does.value === each}
              disabled={(each === 'repeat' && recorded.value === 0) || (each === 'press' && buttons.length === 0)}
              onChange={() => choose(each)}
            />
            {WORDS[each]}
            {each === 'repeat' && recorded.value > 0 && <small>{seconds} s</small>}
          </label>
        ))}
      </fieldset>
      {does.value === 'press' && (
        <label class="field">
          <span>What</span>
          <select value={field.value} onChange={(event) => choose('press', event.currentTarget.value)}>
            {buttons.map(([name, { label }]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
        </label>
      )}
      <div class="actions">
        <button
          type="button"
          class={`button ${isRecording.value ? 'is-on' : ''}`}
          aria-pressed={isRecording.value}
          disabled={seat.value < 0}
          onClick={() => void record()}
        >
          {isRecording.value ? 'End the recording' : 'Record what I do'}
        </button>
      </div>
    </div>
  )
}
