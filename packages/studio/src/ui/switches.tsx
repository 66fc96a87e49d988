/** What the engine saw, switched on and off: the row between stage and time. */

import type { Layers } from '../draw/overlay.ts'
import type { Studio } from '../model/studio.ts'

const SWITCHES: readonly {
  readonly layer: Exclude<keyof Layers, 'hiddenLayers'>
  readonly label: string
  readonly key: string
}[] = [
  { layer: 'boxes', label: 'Boxes', key: 'H' },
  { layer: 'contacts', label: 'Contacts', key: 'C' },
  { layer: 'velocities', label: 'Velocities', key: 'V' },
  { layer: 'grid', label: 'Grid', key: 'G' },
  { layer: 'bounds', label: 'Bounds', key: 'B' },
  { layer: 'fog', label: 'Fog', key: '' },
]

export function OverlaySwitches({ studio }: { studio: Studio }) {
  const { layers } = studio
  const { behaviour, input } = studio.module.game
  const hasFog = behaviour.visible !== undefined
  // Inputs say how long ago others were seen: hits may be judged there.
  const isSeen = input.fields.some(({ label }: { label: string }) => label === 'seenAgo')
  return (
    <fieldset class="switches" aria-label="Overlays">
      {SWITCHES.filter(({ layer }) => layer !== 'fog' || (hasFog && studio.page === undefined)).map(
        ({ layer, label, key }) => (
          <button
            key={layer}
            type="button"
            class={`chip ${layers.value[layer] ? 'is-on' : ''}`}
            aria-pressed={layers.value[layer]}
            title={key === '' ? label : `${label} (${key})`}
            onClick={() => void (layers.value = { ...layers.value, [layer]: !layers.value[layer] })}
          >
            {label}
          </button>
        ),
      )}
      {layers.value.boxes && (
        <span class="legend">
          <i class="hit">hit</i>
          <i class="hurt">hurt</i>
          <i class="push">push</i>
          <i class="safe">safe</i>
          {isSeen && <i class="seen">as the attacker saw it</i>}
        </span>
      )}
    </fieldset>
  )
}
