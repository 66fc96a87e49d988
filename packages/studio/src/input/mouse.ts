/** The mouse (or a finger) over the stage, for the game: where it is, which buttons are down, and what it clicked. */

import { placeAt, type Stage, thingAt } from '../draw/stage.ts'
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
  const buttonOf = (event: PointerEvent) => (event.button === 2 ? 'secondary' : 'primary')
  element.addEventListener(
    'pointerdown',
    (event) => {
      element.setPointerCapture(event.pointerId)
      const { x, y } = track(event)
      if (!isGames()) return
      const button = buttonOf(event)
      mouse.down.add(button)
      mouse.presses.set(button, (mouse.presses.get(button) ?? 0) + 1)
      mouse.clicked.set(button, { x: mouse.x, y: mouse.y, thing: thingAt(stage, x, y) })
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
  element.addEventListener('pointerup', (event) => mouse.down.delete(buttonOf(event)), options)
  element.addEventListener('pointercancel', () => mouse.down.clear(), options)
  element.addEventListener('contextmenu', (event) => event.preventDefault(), options)
  return () => stop.abort()
}

/** Where an event is, in CSS pixels of the element. */
export function placeOn(element: HTMLElement, event: MouseEvent): { x: number; y: number } {
  const { left, top } = element.getBoundingClientRect()
  return { x: event.clientX - left, y: event.clientY - top }
}
