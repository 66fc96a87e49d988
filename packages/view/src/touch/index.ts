/**
 * Sticks and buttons on the glass, by the controls of a view.
 *
 * A stick begins where the thumb comes down, so nobody has to look for it; at rest it shows where thumbs usually are. A short
 * touch that does not move is no stick but a tap on the game below. Everything else is a button that says what it does. They are there
 * where the main pointer is a finger, and elsewhere once a finger has touched the page.
 *
 * @module @hurtbox/view/touch
 */

import type { Hand } from '../hand/hand.ts'
import { addStyle, make, setText } from '../parts/dom.ts'
import { BASE } from '../parts/style.ts'
import type { HudLine, InputBinding, View } from '../view.ts'
import { STYLE } from './style.ts'

type Side = 'left' | 'right'

export type TouchOptions = {
  readonly view: View
  /** Whose fingers these are. */
  readonly hand: Hand
  /** A tap beside everything, in CSS pixels of the window. */
  onTap?(clientX: number, clientY: number): void
  /** How long the device shakes when a button goes down, ms. Default 0: not at all. */
  readonly vibrateMs?: number
}

export type TouchPad = {
  readonly element: HTMLElement
  /** Lets the buttons follow the figures of the HUD: what each says, and how ready it is. */
  update(lines: readonly HudLine[]): void
  close(): void
}

/** Puts sticks and buttons into an element that lies over the stage. */
export function createTouchPad(parent: HTMLElement, options: TouchOptions): TouchPad {
  addStyle(BASE)
  addStyle(STYLE)
  const { view, hand } = options
  const fields = Object.entries(view.controls.fields as Record<string, InputBinding>)
  const labelOf = (side: Side, usual: string) =>
    view.controls.sticks?.[side] ?? (hasStick(fields, side) ? usual : undefined)
  const [left, right] = [labelOf('left', 'Move'), labelOf('right', 'Aim')]
  const buttons = new Map<string, TouchButton>()
  const row = make('div', { className: 'hb-touch-buttons' })
  for (const [name, binding] of fields) row.append(...buttonsOf(name, binding, options, buttons))
  const sticks: HTMLElement[] = []
  if (left !== undefined) sticks.push(makeStick('left', left, options))
  if (right !== undefined) sticks.push(makeStick('right', right, options))
  const element = make('div', { className: right === undefined ? 'hb-touch' : 'hb-touch has-right' }, ...sticks, row)
  element.dataset.part = 'touch'
  const stop = new AbortController()
  const show = ({ pointerType }: PointerEvent) => pointerType === 'touch' && element.classList.add('is-touched')
  addEventListener('pointerdown', show, { capture: true, signal: stop.signal })
  parent.append(element)
  return {
    element,
    update(lines) {
      for (const [name, { button, label, says }] of buttons) {
        const line = lines.find(({ control }) => control === name)
        const ready = typeof line?.value === 'number' && line.max !== undefined ? line.value / line.max : 1
        const words = line?.touch ?? label
        setText(button, words)
        button.ariaLabel = `${words}: ${says}`
        button.classList.toggle('is-waiting', ready < 1)
        button.style.setProperty('--ready', `${ready}turn`)
      }
    },
    close() {
      stop.abort()
      Object.assign(hand.touch, { leftX: 0, leftY: 0, rightX: 0, rightY: 0 })
      hand.touch.held.clear()
      element.remove()
    },
  }
}

/** A stick is there when something is bound to it, or when the view itself reads it and gives it a name. */
function hasStick(fields: readonly (readonly [string, InputBinding])[], side: Side): boolean {
  return fields.some(([, binding]) => binding.kind === 'axis' && binding.stick?.startsWith(side))
}

type TouchButton = { readonly button: HTMLButtonElement; readonly label: string; readonly says: string }

function buttonsOf(
  name: string,
  binding: InputBinding,
  { hand, vibrateMs = 0 }: TouchOptions,
  buttons: Map<string, TouchButton>,
): HTMLButtonElement[] {
  const { touch } = hand
  const add = (label: string, isSmall: boolean, down: () => void) => {
    const className = isSmall ? 'hb-touch-button is-small' : 'hb-touch-button'
    const button = make('button', { type: 'button', className, ariaLabel: `${label}: ${binding.label}` }, label)
    button.dataset.touch = name
    button.addEventListener('pointerdown', (event) => {
      capture(event)
      if (vibrateMs > 0) navigator.vibrate?.(vibrateMs)
      down()
    })
    return button
  }
  if (binding.kind === 'choice') {
    const named = Object.entries(binding.touch ?? {})
    return named.map(([each, label]) => add(label, true, () => touch.chosen.set(name, each)))
  }
  if ((binding.kind !== 'button' && binding.kind !== 'press') || binding.touch === undefined) return []
  const button = add(binding.touch, false, () => {
    touch.held.add(name)
    touch.presses.set(name, (touch.presses.get(name) ?? 0) + 1)
  })
  for (const kind of ['pointerup', 'pointercancel']) button.addEventListener(kind, () => touch.held.delete(name))
  buttons.set(name, { button, label: binding.touch, says: binding.label })
  return [button]
}

/** How far the thumb goes from where it came down for a full axis. */
const REACH = 44
/** Less is a tap, unless it takes long. */
const TAP_PIXELS = 10
const TAP_MS = 300

function makeStick(side: Side, label: string, { hand: { touch }, onTap }: TouchOptions): HTMLElement {
  const knob = make('i')
  const base = make('div', { className: 'hb-stick' }, knob, make('span', {}, label))
  const zone = make('div', { className: `hb-stick-zone is-${side}`, role: 'application', ariaLabel: label }, base)
  zone.dataset.stick = side
  const down = { x: 0, y: 0, ms: 0, moved: 0, pointer: -1 }
  const set = (x: number, y: number) => {
    if (side === 'left') Object.assign(touch, { leftX: x, leftY: y })
    else Object.assign(touch, { rightX: x, rightY: y })
    knob.style.transform = `translate(${x * REACH}px, ${y * REACH}px)`
  }
  const end = (event: PointerEvent) => {
    if (event.pointerId !== down.pointer) return
    down.pointer = -1
    set(0, 0)
    base.style.translate = ''
    base.classList.remove('is-held')
    const isTap = event.type === 'pointerup' && down.moved < TAP_PIXELS && event.timeStamp - down.ms < TAP_MS
    if (isTap) onTap?.(down.x, down.y)
  }
  zone.addEventListener('pointerdown', (event) => {
    if (down.pointer >= 0) return
    capture(event)
    Object.assign(down, { x: event.clientX, y: event.clientY, ms: event.timeStamp, moved: 0, pointer: event.pointerId })
    const { left, top, width, height } = base.getBoundingClientRect()
    base.style.translate = `${down.x - left - width / 2}px ${down.y - top - height / 2}px`
    base.classList.add('is-held')
  })
  zone.addEventListener('pointermove', (event) => {
    if (event.pointerId !== down.pointer) return
    const [dx, dy] = [(event.clientX - down.x) / REACH, (event.clientY - down.y) / REACH]
    const length = Math.hypot(dx, dy)
    down.moved = Math.max(down.moved, length * REACH)
    set(dx / Math.max(1, length), dy / Math.max(1, length))
  })
  zone.addEventListener('pointerup', end)
  zone.addEventListener('pointercancel', end)
  return zone
}

function capture(event: PointerEvent): void {
  event.preventDefault()
  ;(event.currentTarget as HTMLElement).setPointerCapture(event.pointerId)
}
