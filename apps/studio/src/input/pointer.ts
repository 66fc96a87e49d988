/**
 * Mouse and fingers on the stage: aiming and clicking in the game, selecting, panning and zooming in the studio.
 *
 * While somebody plays with a game that uses the mouse, its buttons are the game's; otherwise a click selects. Right drag,
 * two fingers and the wheel always move the camera.
 */

import { dragCamera, zoomAt } from '../draw/camera.ts'
import { listContacts } from '../draw/overlay.ts'
import { placeAt, type Stage, screenAt, thingAt } from '../draw/stage.ts'
import { select, selectPair } from '../model/ask.ts'
import type { Studio } from '../model/studio.ts'
import { playPause } from '../model/time.ts'
import type { Mouse } from './hand.ts'

/** Less is a click, more is a drag. */
const CLICK_PIXELS = 5
const TAP_MS = 300

export function listenToPointer(stage: Stage, mouse: Mouse, studio: Studio, plays: () => boolean): () => void {
  const { element } = stage
  const stop = new AbortController()
  const options = { signal: stop.signal }
  const fingers = new Map<number, { x: number; y: number }>()
  let downAt = { x: 0, y: 0, ms: 0 }
  let moved = 0
  let mostFingers = 0
  const usesMouse = Object.values(stage.view.controls.fields as Record<string, { pointer?: unknown } | undefined>).some(
    (binding) => binding?.pointer !== undefined && binding.pointer !== 'hover',
  )

  const track = (event: PointerEvent) => {
    const { x, y } = placeOn(element, event)
    placeAt(stage, x, y, mouse)
    if (event.pointerType === 'mouse') mouse.isUsed = true
    return { x, y }
  }
  const buttonOf = (event: PointerEvent) => (event.button === 2 ? 'secondary' : 'primary')

  element.addEventListener(
    'pointerdown',
    (event) => {
      element.setPointerCapture(event.pointerId)
      const { x, y } = track(event)
      fingers.set(event.pointerId, { x, y })
      mostFingers = Math.max(mostFingers, fingers.size)
      downAt = { x, y, ms: event.timeStamp }
      moved = 0
      if (!plays()) return
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
      const { x, y } = track(event)
      const finger = fingers.get(event.pointerId)
      if (finger === undefined) return
      moved = Math.max(moved, Math.hypot(x - downAt.x, y - downAt.y))
      const [dx, dy] = [x - finger.x, y - finger.y]
      if (fingers.size === 2) pinch(stage, fingers, event.pointerId, { x, y })
      else if (event.buttons === 2 && !(plays() && usesMouse)) dragCamera(stage.man, dx, dy)
      else if (plays()) {
        for (const button of mouse.down) mouse.clicked.set(button, { x: mouse.x, y: mouse.y, thing: 0 })
      }
      fingers.set(event.pointerId, { x, y })
    },
    options,
  )
  const onUp = (event: PointerEvent) => {
    const { x, y } = placeOn(element, event)
    fingers.delete(event.pointerId)
    mouse.down.delete(buttonOf(event))
    if (fingers.size > 0) return
    const isTap = moved < CLICK_PIXELS && event.timeStamp - downAt.ms < TAP_MS
    if (isTap && mostFingers === 2) playPause(studio)
    else if (moved < CLICK_PIXELS && event.button === 0 && mostFingers === 1 && !(plays() && usesMouse)) {
      click(stage, studio, x, y, event.shiftKey)
    }
    mostFingers = 0
  }
  element.addEventListener('pointerup', onUp, options)
  element.addEventListener(
    'pointercancel',
    (event) => {
      fingers.delete(event.pointerId)
      mouse.down.clear()
      if (fingers.size === 0) mostFingers = 0
    },
    options,
  )
  element.addEventListener('contextmenu', (event) => event.preventDefault(), options)
  element.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault()
      const { x, y } = placeOn(element, event)
      zoomAt(stage.man, Math.exp(-event.deltaY / 500), x, y, stage.width, stage.height)
    },
    { ...options, passive: false },
  )
  return () => stop.abort()
}

/** A contact under the pointer wins over the things that make it. */
function click(stage: Stage, studio: Studio, x: number, y: number, second: boolean): void {
  const contact = studio.layers.value.contacts ? contactUnder(stage, x, y) : undefined
  if (contact !== undefined) selectPair(studio, contact.a, contact.b)
  else select(studio, thingAt(stage, x, y), second)
}

function contactUnder(stage: Stage, x: number, y: number): { a: number; b: number } | undefined {
  const { overlay } = stage.show
  if (overlay === undefined) return undefined
  const at = { x: 0, y: 0 }
  for (const contact of listContacts(overlay)) {
    screenAt(stage, contact.x, contact.y, contact.z, at)
    if (Math.hypot(at.x - x, at.y - y) < 9 && contact.a > 0 && contact.b > 0) return contact
  }
  return undefined
}

function pinch(
  stage: Stage,
  fingers: ReadonlyMap<number, { x: number; y: number }>,
  movedFinger: number,
  now: { x: number; y: number },
): void {
  const [a, b] = [...fingers.entries()]
  const was = a[0] === movedFinger ? a[1] : b[1]
  const still = a[0] === movedFinger ? b[1] : a[1]
  const before = Math.hypot(was.x - still.x, was.y - still.y)
  const after = Math.hypot(now.x - still.x, now.y - still.y)
  if (before > 0 && after > 0) {
    zoomAt(stage.man, after / before, (now.x + still.x) / 2, (now.y + still.y) / 2, stage.width, stage.height)
  }
  dragCamera(stage.man, (now.x - was.x) / 2, (now.y - was.y) / 2)
}

function placeOn(element: HTMLElement, event: MouseEvent): { x: number; y: number } {
  const { left, top } = element.getBoundingClientRect()
  return { x: event.clientX - left, y: event.clientY - top }
}
