/** Sound on and off, and how loud. */

import { isMuted, volume } from '../model/volume.ts'
import { Icon } from '../ui/icons.tsx'

export function SoundControl() {
  return (
    <span class="sound-control">
      <button
        type="button"
        class="icon"
        aria-label="Sound"
        aria-pressed={!isMuted.value}
        title={isMuted.value ? 'Sound on (M)' : 'Sound off (M)'}
        onClick={() => void (isMuted.value = !isMuted.value)}
      >
        <Icon name={isMuted.value ? 'muted' : 'loud'} />
      </button>
      <input
        type="range"
        class="narrow-hidden"
        aria-label="Volume"
        min={0}
        max={1}
        step={0.05}
        value={volume.value}
        onInput={(event) => {
          volume.value = Number(event.currentTarget.value)
          isMuted.value = false
        }}
      />
    </span>
  )
}
