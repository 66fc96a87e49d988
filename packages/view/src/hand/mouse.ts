/** The mouse (or a finger) over the stage, for the game: where it is, which buttons are down, and what it clicked. */

import { placeAt, type Stage, thingAt } from '../stage/stage.ts'
import type { Controls, InputBinding, MouseButton } from '../view.ts'
import type { Mouse } from './hand.ts'

/** Keeps `mouse` up to date; its buttons count while `isGames` returns true. Returns a function that stops it. */
export function followMouse(stage: Stage, mouse: Mouse, isGames: () => boolean): () => void {
  const { element } = stage
  const stop = new AbortController()
  const options = { signal: stop.signal }
  const track = (event: PointerEvent) => {
    const at = placeOn(element, event)
    placeAt(stage, at.x, at.y, mouse)
    if (event.pointerType === 'mouse') mouse.isUsed = true
    return at
  }
  const tapped = tapButton(stage.view.controls)
  const buttonOf = ({ button, pointerType }: PointerEvent): MouseButton | undefined =>
    pointerType === 'touch' ? tapped : button === 2 ? 'secondary' : 'primary'
  element.addEventListener(
    'pointerdown',
    (event) => {
      element.setPointerCapture(event.pointerId)
      const { x, y } = track(event)
      if (!isGames()) return
      const button = buttonOf(event)
      if (button !== undefined) press(stage, mouse, button, x, y)
    },
    options,
  )
  element.addEventListener(
    'pointermove',
    (event) => {
      track(event)
      if (!isGames()) return
      for (const button of mouse.down) mouse.clicked.set(button, { x: mouse.x, y: mouse.y, thing: 0 })
    },
    options,
  )
  element.addEventListener(
    'pointerup',
    (event) => {
      const button = buttonOf(event)
      if (button !== undefined) mouse.down.delete(button)
    },
    options,
  )
  element.addEventListener('pointercancel', () => mouse.down.clear(), options)
  element.addEventListener('contextmenu', (event) => event.preventDefault(), options)
  return () => stop.abort()
}

/** A tap on the stage that something over it has caught. */
export function tapStage(stage: Stage, mouse: Mouse, clientX: number, clientY: number): void {
  const button = tapButton(stage.view.controls)
  if (button === undefined) return
  const { left, top } = stage.element.getBoundingClientRect()
  placeAt(stage, clientX - left, clientY - top, mouse)
  press(stage, mouse, button, clientX - left, clientY - top)
  mouse.down.delete(button)
}

function press(stage: Stage, mouse: Mouse, button: MouseButton, x: number, y: number): void {
  mouse.down.add(button)
  mouse.presses.set(button, (mouse.presses.get(button) ?? 0) + 1)
  mouse.clicked.set(button, { x: mouse.x, y: mouse.y, thing: thingAt(stage, x, y) })
}

/**
 * The mouse button that a finger on the stage acts as: the one that points at places or things. What has a button of its own on
 * the glass is not pressed by touching the game.
 */
function tapButton(controls: Controls): MouseButton | undefined {
  const bindings = Object.values(controls.fields as Record<string, InputBinding>)
  for (const binding of bindings) {
    if ((binding.kind === 'point' || binding.kind === 'thing') && binding.pointer !== 'hover') return binding.pointer
  }
  for (const binding of bindings) {
    const isPress = binding.kind === 'button' || binding.kind === 'press'
    if (isPress && binding.touch === undefined && binding.pointer !== undefined) return binding.pointer
  }
  return undefined
}

/** Where an event is, in CSS pixels of the element. */
export function placeOn(element: HTMLElement, event: MouseEvent): { x: number; y: number } {
  const { left, top } = element.getBoundingClientRect()
  return { x: event.clientX - left, y: event.clientY - top }
}
