/** What the transport of a match and that of the lab have in common: playing, and how fast. */

import type { Signal } from '@preact/signals'
import { SPEEDS } from '../show/show.ts'
import { Icon } from './icons.tsx'

export function PlayButton({ playing, testId, onClick }: { playing: boolean; testId: string; onClick: () => void }) {
  return (
    <button
      type="button"
      class="icon play-button"
      data-testid={testId}
      aria-label={playing ? 'Pause' : 'Play'}
      title="Play or pause (Space, P)"
      onClick={onClick}
    >
      <Icon name={playing ? 'pause' : 'play'} />
    </button>
  )
}

export function SpeedSelect({ speed, most = Number.POSITIVE_INFINITY }: { speed: Signal<number>; most?: number }) {
  return (
    <label class="field">
      <span class="narrow-hidden">Speed</span>
      <select
        aria-label="Speed"
        value={String(speed.value)}
        onChange={(event) => void (speed.value = Number(event.currentTarget.value))}
      >
        {SPEEDS.filter((each) => each <= most).map((each) => (
          <option key={each} value={String(each)}>
            {each < 1 ? `1/${1 / each}×` : `${each}×`}
          </option>
        ))}
      </select>
    </label>
  )
}
