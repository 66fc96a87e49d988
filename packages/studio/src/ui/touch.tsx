/** Sticks and buttons on the glass: a stick under each thumb that has an axis, buttons for the rest. */

import type { Binding, View } from 'hurtbox/module'
import type { RefObject } from 'preact'
import { useRef } from 'preact/hooks'
import type { Hand } from '../input/hand.ts'
import type { Studio } from '../model/studio.ts'

type HandRef = { readonly current: Hand | undefined }

export function TouchControls({ studio, hand }: { studio: Studio; hand: HandRef }) {
  return studio.seat.value < 0 ? null : <TouchPad view={studio.view} hand={hand} />
}

export function TouchPad({ view, hand }: { view: View; hand: HandRef }) {
  const fields = Object.entries(view.controls.fields as Record<string, Binding>)
  const has = (side: 'left' | 'right') =>
    fields.some(([, binding]) => binding.kind === 'axis' && binding.stick?.startsWith(side) === true)
  return (
    <div class="touch" data-testid="touch">
      {has('left') ? <Stick hand={hand} side="left" label={view.controls.sticks?.left ?? 'Move'} /> : <span />}
      <div class="touch-right">
        <div class="touch-buttons">
          {fields.map(([name, binding]) => (
            <Buttons key={name} name={name} binding={binding} hand={hand} />
          ))}
        </div>
        {has('right') && <Stick hand={hand} side="right" label={view.controls.sticks?.right ?? 'Aim'} />}
      </div>
    </div>
  )
}

function Buttons({ name, binding, hand }: { name: string; binding: Binding; hand: HandRef }) {
  if ((binding.kind === 'button' || binding.kind === 'press') && binding.touch !== undefined) {
    const down = (event: PointerEvent) => {
      capture(event)
      const { touch } = hand.current!
      touch.held.add(name)
      touch.presses.set(name, (touch.presses.get(name) ?? 0) + 1)
    }
    const up = () => hand.current?.touch.held.delete(name)
    return (
      <button
        type="button"
        class="touch-button"
        data-touch={name}
        onPointerDown={down}
        onPointerUp={up}
        onPointerCancel={up}
      >
        {binding.touch}
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

/** How far the thumb goes from the middle for a full axis. */
const REACH = 44

function Stick({ hand, side, label }: { hand: HandRef; side: 'left' | 'right'; label: string }) {
  const knob = useRef<HTMLElement>(null)
  const move = (event: PointerEvent) => {
    const area = event.currentTarget as HTMLElement
    if (!area.hasPointerCapture(event.pointerId)) return
    const { left, top, width, height } = area.getBoundingClientRect()
    const dx = (event.clientX - left - width / 2) / REACH
    const dy = (event.clientY - top - height / 2) / REACH
    const length = Math.max(1, Math.hypot(dx, dy))
    set(hand, side, dx / length, dy / length, knob)
  }
  const up = () => set(hand, side, 0, 0, knob)
  return (
    <div
      class="stick"
      role="application"
      aria-label={label}
      data-stick={side}
      onPointerDown={(event) => {
        capture(event)
        move(event)
      }}
      onPointerMove={move}
      onPointerUp={up}
      onPointerCancel={up}
    >
      <i ref={knob} />
      <span>{label}</span>
    </div>
  )
}

function set(hand: HandRef, side: 'left' | 'right', x: number, y: number, knob: RefObject<HTMLElement | null>): void {
  const touch = hand.current?.touch
  if (touch === undefined) return
  if (side === 'left') Object.assign(touch, { leftX: x, leftY: y })
  else Object.assign(touch, { rightX: x, rightY: y })
  if (knob.current !== null) knob.current.style.transform = `translate(${x * REACH}px, ${y * REACH}px)`
}

function capture(event: PointerEvent): void {
  event.preventDefault()
  ;(event.currentTarget as HTMLElement).setPointerCapture(event.pointerId)
}
