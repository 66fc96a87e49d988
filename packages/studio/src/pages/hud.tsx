import type { HudLine, InputBinding, View } from '@hurtbox/view'
import type { Remap } from '@hurtbox/view/hand'
import { keyNameOf } from '@hurtbox/view/keys'
import { useSignal } from '@preact/signals'
import type { AnyWorld } from 'hurtbox/tools'
import { type Studio, worldOf } from '../model/studio.ts'

/** The player's figures over the stage; of the first seat while there is no player. */
export function Hud({ studio }: { studio: Studio }) {
  // Read so that the figures follow the match ten times a second.
  void studio.pulse.value
  const { view, seat, show } = studio
  if (!show.isReady.value) return null
  if (studio.phase.value === 'start') return null
  return <HudLines view={view} lines={hudOf(view, worldOf(studio), Math.max(0, seat.value))} remap={studio.remap} />
}

/** The figures of a player now. */
function hudOf(view: View, world: AnyWorld, seat: number): readonly HudLine[] {
  return view.hud?.(world as never, seat) ?? []
}

/**
 * On a phone only the first lines are there until somebody touches them. It takes the lines, not the world: a component with a
 * signal is drawn again only when a property is another one, and the world of a match stays the same object.
 */
function HudLines({ view, lines, remap }: { view: View; lines: readonly HudLine[]; remap?: Remap }) {
  const isOpen = useSignal(false)
  if (lines.length === 0) return null
  const { fields } = view.controls
  return (
    <button
      type="button"
      class={`hud ${isOpen.value ? 'is-open' : ''}`}
      data-testid="hud"
      aria-expanded={isOpen.value}
      tabIndex={-1}
      onClick={() => void (isOpen.value = !isOpen.value)}
    >
      {lines.map((line) => (
        <Line
          key={line.label}
          line={line}
          keyName={keyNameOf(view, line.control, remap)}
          isOnButton={touchLabelOf(fields, line.control) !== undefined}
        />
      ))}
    </button>
  )
}

type Fields = View['controls']['fields']

/** What the button of a field says on a touch screen; undefined where there is none. */
function touchLabelOf(fields: Fields, control: string | undefined): string | undefined {
  const binding = control === undefined ? undefined : (fields as Record<string, InputBinding>)[control]
  return binding?.kind === 'button' || binding?.kind === 'press' ? binding.touch : undefined
}

function Line({
  line: { label, value, max, tone },
  keyName,
  isOnButton,
}: {
  line: HudLine
  keyName: string
  /** On a touch screen its button shows it. */
  isOnButton: boolean
}) {
  const isBar = typeof value === 'number' && max !== undefined && max > 0
  const part = isBar ? Math.max(0, Math.min(1, value / max)) : 0
  return (
    <div class={`hud-line ${tone ?? ''} ${isOnButton ? 'is-on-button' : ''}`}>
      <span>
        {keyName !== '' && <kbd>{keyName}</kbd>}
        {label}
      </span>
      {isBar && (
        <i class="hud-bar">
          <i style={{ width: `${part * 100}%` }} />
        </i>
      )}
      <b>
        {/* A bar from 0 to 1 needs no number. */}
        {!(isBar && max === 1) && format(value)}
        {isBar && max !== 1 && <small> / {format(max)}</small>}
      </b>
    </div>
  )
}

function format(value: number | string): string {
  return typeof value === 'number' ? String(Math.round(value * 10) / 10) : value
}
