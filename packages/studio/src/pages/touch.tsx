/**
 * Sticks and buttons on the glass.
 *
 * A stick begins where the thumb comes down, so nobody has to look for it; at rest it shows where thumbs usually are. A short
 * touch that does not move is no stick but a tap on the game below. Everything else is a button that says what it does.
 */

import type { HudLine, InputBinding, View } from '@hurtbox/view'
import type { Hand } from '@hurtbox/view/hand'
import type { AnyWorld } from 'hurtbox/tools'
import { useRef } from 'preact/hooks'
import { type Studio, worldOf } from '../model/studio.ts'

type HandRef = { readonly current: Hand | undefined }
type Side = 'left' | 'right'
type OnTap = (clientX: number, clientY: number) => void

export function TouchControls({ studio, hand, onTap }: { studio: Studio; hand: HandRef; onTap: OnTap }) {
  // Read so that the buttons follow the match.
  void studio.pulse.value
  const { seat, view, show } = studio
  if (seat.value < 0 || !show.isReady.value) return null
  return <TouchPad view={view} hand={hand} onTap={onTap} world={worldOf(studio)} seat={seat.value} />
}

export function TouchPad({
  view,
  hand,
  onTap,
  world,
  seat,
}: {
  view: View
  hand: HandRef
  onTap: OnTap
  world: AnyWorld | undefined
  seat: number
}) {
  const lines = world === undefined ? [] : (view.hud?.(world as never, seat) ?? [])
  const fields = Object.entries(view.controls.fields as Record<string, InputBinding>)
  const { sticks } = view.controls
  // A stick is there when something is bound to it, or when the view itself reads it and gives it a name.
  const labelOf = (side: Side, usual: string) =>
    sticks?.[side] ??
    (fields.some(([, binding]) => binding.kind === 'axis' && binding.stick?.startsWith(side)) ? usual : undefined)
  const left = labelOf('left', 'Move')
  const right = labelOf('right', 'Aim')
  return (
    <div class={`touch ${right === undefined ? '' : 'has-right'}`} data-testid="touch">
      {left !== undefined && <Stick hand={hand} side="left" label={left} onTap={onTap} />}
      {right !== undefined && <Stick hand={hand} side="right" label={right} onTap={onTap} />}
      <div class="touch-buttons">
        {fields.map(([name, binding]) => (
          <Buttons
            key={name}
            name={name}
            binding={binding}
            hand={hand}
            line={lines.find(({ control }) => control === name)}
          />
        ))}
      </div>
    </div>
  )
}

/** With a figure of the HUD about its field, a button is as full as its bar. */
function Buttons({
  name,
  binding,
  hand,
  line,
}: {
  name: string
  binding: InputBinding
  hand: HandRef
  line: HudLine | undefined
}) {
  if ((binding.kind === 'button' || binding.kind === 'press') && binding.touch !== undefined) {
    const down = (event: PointerEvent) => {
      capture(event)
      const { touch } = hand.current!
      touch.held.add(name)
      touch.presses.set(name, (touch.presses.get(name) ?? 0) + 1)
    }
    const up = () => hand.current?.touch.held.delete(name)
    const label = line?.touch ?? binding.touch
    const ready = typeof line?.value === 'number' && line.max !== undefined ? line.value / line.max : 1
    return (
      <button
        type="button"
        class={`touch-button ${ready < 1 ? 'is-waiting' : ''}`}
        style={{ '--ready': `${ready}turn` }}
        data-touch={name}
        aria-label={`${label}: ${binding.label}`}
        onPointerDown={down}
        onPointerUp={up}
        onPointerCancel={up}
      >
        {label}
      </button>
    )
  }
  if (binding.kind === 'choice' && binding.touch !== undefined) {
    return (
      <>
        {Object.entries(binding.touch).map(([each, label]) => (
          <button
            key={each}
            type="button"
            class="touch-button small"
            aria-label={`${label}: ${binding.label}`}
            onPointerDown={() => hand.current?.touch.chosen.set(name, each)}
          >
            {label}
          </button>
        ))}
      </>
    )
  }
  return null
}

/** How far the thumb goes from where it came down for a full axis. */
const REACH = 44
/** Less is a tap, unless it takes long. */
const TAP_PIXELS = 10
const TAP_MS = 300

function Stick({ hand, side, label, onTap }: { hand: HandRef; side: Side; label: string; onTap: OnTap }) {
  const base = useRef<HTMLDivElement>(null)
  const knob = useRef<HTMLElement>(null)
  const down = useRef({ x: 0, y: 0, ms: 0, moved: 0, pointer: -1 })
  const set = (x: number, y: number) => {
    const touch = hand.current?.touch
    if (touch === undefined) return
    if (side === 'left') Object.assign(touch, { leftX: x, leftY: y })
    else Object.assign(touch, { rightX: x, rightY: y })
    if (knob.current !== null) knob.current.style.transform = `translate(${x * REACH}px, ${y * REACH}px)`
  }
  const up = (event: PointerEvent) => {
    const { x, y, ms, moved, pointer } = down.current
    if (event.pointerId !== pointer) return
    down.current.pointer = -1
    set(0, 0)
    base.current!.style.translate = ''
    base.current!.classList.remove('is-held')
    if (event.type === 'pointerup' && moved < TAP_PIXELS && event.timeStamp - ms < TAP_MS) onTap(x, y)
  }
  return (
    <div
      class={`stick-zone ${side}`}
      role="application"
      aria-label={label}
      data-stick={side}
      onPointerDown={(event) => {
        if (down.current.pointer >= 0) return
        capture(event)
        const { clientX: x, clientY: y, timeStamp: ms, pointerId: pointer } = event
        down.current = { x, y, ms, moved: 0, pointer }
        const { left, top, width, height } = base.current!.getBoundingClientRect()
        base.current!.style.translate = `${x - left - width / 2}px ${y - top - height / 2}px`
        base.current!.classList.add('is-held')
      }}
      onPointerMove={(event) => {
        const { x, y, pointer } = down.current
        if (event.pointerId !== pointer) return
        const dx = (event.clientX - x) / REACH
        const dy = (event.clientY - y) / REACH
        const length = Math.hypot(dx, dy)
        down.current.moved = Math.max(down.current.moved, length * REACH)
        const within = Math.max(1, length)
        set(dx / within, dy / within)
      }}
      onPointerUp={up}
      onPointerCancel={up}
    >
      <div ref={base} class="stick">
        <i ref={knob} />
        <span>{label}</span>
      </div>
    </div>
  )
}

function capture(event: PointerEvent): void {
  event.preventDefault()
  ;(event.currentTarget as HTMLElement).setPointerCapture(event.pointerId)
}
