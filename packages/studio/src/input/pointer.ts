/**
 * Mouse and fingers on the stage of the studio: selecting, panning and zooming, besides what they do in the game.
 *
 * While a person plays a game that uses the mouse, its buttons are the game's; otherwise a click selects. Right drag,
 * two fingers and the wheel always move the camera.
 */

import { followMouse, type Mouse, placeOn } from '@hurtbox/view/hand'
import { dragCamera, placeAt, screenAt, thingAt, zoomAt } from '@hurtbox/view/stage'
import { listContacts } from '../draw/overlay.ts'
import type { StudioStage } from '../draw/stage.ts'
import { wallAt } from '../draw/wall-at.ts'
import { select, selectPair } from '../model/ask.ts'
import type { Studio } from '../model/studio.ts'
import { playPause } from '../model/time.ts'

/** Less is a click, more is a drag. */
const CLICK_PIXELS = 5
const TAP_MS = 300

export function listenToPointer(stage: StudioStage, mouse: Mouse, studio: Studio, plays: () => boolean): () => void {
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

  element.addEventListener(
    'pointerdown',
    (event) => {
      const { x, y } = placeOn(element, event)
      fingers.set(event.pointerId, { x, y })
      mostFingers = Math.max(mostFingers, fingers.size)
      downAt = { x, y, ms: event.timeStamp }
      moved = 0
    },
    options,
  )
  element.addEventListener(
    'pointermove',
    (event) => {
      const { x, y } = placeOn(element, event)
      const finger = fingers.get(event.pointerId)
      if (event.pointerType === 'mouse') studio.hovered.value = plays() ? 0 : thingAt(stage, x, y)
      if (finger === undefined) return
      moved = Math.max(moved, Math.hypot(x - downAt.x, y - downAt.y))
      const [dx, dy] = [x - finger.x, y - finger.y]
      if (fingers.size === 2) pinch(stage, fingers, event.pointerId, { x, y })
      else if (event.buttons === 2 && !(plays() && usesMouse)) dragCamera(stage.cameraControl, dx, dy)
      fingers.set(event.pointerId, { x, y })
    },
    options,
  )
  const onUp = (event: PointerEvent) => {
    const { x, y } = placeOn(element, event)
    fingers.delete(event.pointerId)
    if (fingers.size > 0) return
    const isTap = moved < CLICK_PIXELS && event.timeStamp - downAt.ms < TAP_MS
    if (isTap && mostFingers === 2) playPause(studio)
    else if (moved < CLICK_PIXELS && event.button === 0 && mostFingers === 1 && !(plays() && usesMouse)) {
      click(stage, studio, x, y, event.shiftKey)
    }
    mostFingers = 0
  }
  element.addEventListener('pointerup', onUp, options)
  element.addEventListener('pointerleave', () => void (studio.hovered.value = 0), options)
  element.addEventListener(
    'pointercancel',
    (event) => {
      fingers.delete(event.pointerId)
      if (fingers.size === 0) mostFingers = 0
    },
    options,
  )
  element.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault()
      const { x, y } = placeOn(element, event)
      zoomAt(stage.cameraControl, Math.exp(-event.deltaY / 500), x, y, stage.width, stage.height)
    },
    { ...options, passive: false },
  )
  // After our own, so that the second finger of two is known to be one, and none of the game's.
  const endMouse = followMouse(stage, mouse, () => plays() && fingers.size < 2)
  return () => {
    endMouse()
    stop.abort()
  }
}

/** A contact under the pointer wins over the things that make it. */
function click(stage: StudioStage, studio: Studio, x: number, y: number, second: boolean): void {
  const contact = studio.layers.value.contacts ? contactUnder(stage, x, y) : undefined
  if (contact !== undefined) selectPair(studio, contact.a, contact.b)
  else select(studio, thingAt(stage, x, y) || (second ? wallUnder(stage, x, y) : 0), second)
}

/** The wall under a place, while boxes are shown; 0 for none. A wall is asked about like a thing. */
function wallUnder(stage: StudioStage, x: number, y: number): number {
  const overlay = stage.overlay
  if (overlay === undefined) return 0
  const at = { x: 0, y: 0 }
  placeAt(stage, x, y, at)
  return wallAt(overlay, at.x, at.y)
}

function contactUnder(stage: StudioStage, x: number, y: number): { a: number; b: number } | undefined {
  const overlay = stage.overlay
  if (overlay === undefined) return undefined
  const at = { x: 0, y: 0 }
  for (const contact of listContacts(overlay)) {
    screenAt(stage, contact.x, contact.y, contact.z, at)
    if (Math.hypot(at.x - x, at.y - y) < 9 && contact.a !== 0 && contact.b !== 0) return contact
  }
  return undefined
}

function pinch(
  stage: StudioStage,
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
    zoomAt(stage.cameraControl, after / before, (now.x + still.x) / 2, (now.y + still.y) / 2, stage.width, stage.height)
  }
  dragCamera(stage.cameraControl, (now.x - was.x) / 2, (now.y - was.y) / 2)
}
