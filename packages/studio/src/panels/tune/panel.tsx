/** Every tuning number of the game, from its declaration: unit, range, default, difference. */

import type { TuningSpec } from 'hurtbox/tools'
import { copyText } from '../../model/address.ts'
import { type Studio, showToast, worldOf } from '../../model/studio.ts'
import { closeFork, resetTuning, tune } from '../../model/tune.ts'
import { isInPast } from '../../show/show.ts'
import { currentValue, missingOption, rangeOf, short } from './data.ts'
import css from './panel.css?inline'

export { css }

export function Panel({ studio }: { studio: Studio }) {
  void studio.pulse.value
  const specs = Object.entries((studio.module.game.declaration.tuning ?? {}) as Record<string, TuningSpec>)
  const { tuned, show, fork } = studio
  const changed = Object.keys(tuned.value).length
  if (specs.length === 0) return <p class="muted">This game declares no tuning.</p>
  return (
    <div>
      <p class="muted">
        {studio.page !== undefined
          ? studio.page.isOnline
            ? 'The numbers of an online match are the server’s.'
            : 'Changes count from the present on, and are recorded like any input.'
          : fork.value !== undefined
            ? 'Both futures play from the same inputs: left as it was, right with these numbers.'
            : isInPast(show)
              ? 'You are in the past: turn a number to see the other future beside this one.'
              : 'Changes count from now on. Scrub back first to compare two futures.'}
      </p>
      <div class="actions">
        <button type="button" class="button" disabled={changed === 0} onClick={() => void resetTuning(studio)}>
          Reset {changed > 0 ? changed : ''}
        </button>
        <button
          type="button"
          class="button"
          disabled={changed === 0}
          onClick={() => {
            void copyText(JSON.stringify(tuned.value, null, 2))
            showToast(studio, 'The difference is copied as JSON.')
          }}
        >
          Copy as JSON
        </button>
        {fork.value !== undefined && (
          <button type="button" class="button" onClick={() => closeFork(studio)}>
            Close the comparison
          </button>
        )}
      </div>
      <div class="tuning" data-testid="tuning">
        {specs.map(([name, spec]) => (
          <Knob key={name} studio={studio} name={name} spec={spec} />
        ))}
      </div>
    </div>
  )
}

function Knob({ studio, name, spec }: { studio: Studio; name: string; spec: TuningSpec }) {
  const isChanged = name in studio.tuned.value
  const isFixed = studio.page?.isOnline === true
  const value =
    studio.tuned.value[name] ?? (studio.show.isReady.value ? currentValue(worldOf(studio), name, spec) : spec.value)
  const { low, high, step } = rangeOf(spec)
  const missing = missingOption(studio.module.meaning.needs, worldOf(studio), name)
  const turn = (text: string) => {
    const number = Number(text)
    if (Number.isFinite(number)) void tune(studio, name, number)
  }
  return (
    <div class={`knob ${isChanged ? 'is-changed' : ''}`} title={spec.help}>
      <label for={`knob-${name}`}>
        {name}
        {spec.fromNextSpawn && <small> from the next spawn</small>}
        {missing !== '' && <small class="missing"> does nothing: {missing} is off</small>}
      </label>
      <span class="knob-value">
        <input
          id={`knob-${name}`}
          type="number"
          min={spec.min}
          max={spec.max}
          step="any"
          value={value}
          data-knob={name}
          disabled={isFixed}
          onChange={(event) => turn(event.currentTarget.value)}
        />
        <small>{spec.unit}</small>
      </span>
      <input
        type="range"
        aria-label={`${name} from ${low} to ${high} ${spec.unit}`}
        min={low}
        max={high}
        step={step}
        value={value}
        disabled={isFixed}
        onChange={(event) => turn(event.currentTarget.value)}
      />
      {isChanged ? (
        <button
          type="button"
          class="knob-reset"
          aria-label={`Reset ${name}`}
          onClick={() => void tune(studio, name, spec.value)}
        >
          {spec.value} → {value} ⟲
        </button>
      ) : (
        <small class="muted">
          {short(low)} … {short(high)}
        </small>
      )}
    </div>
  )
}
