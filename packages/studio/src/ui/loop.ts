/**
 * One frame loop for the whole page, so that everything on it is drawn in the same frame.
 *
 * Where nothing moves no frames are asked for: the page looks ten times a second whether that is still so, and at once when somebody
 * touches something. A paused match, a menu or an end then costs a phone no battery.
 */

/** Returns whether it rests: nothing that it draws is about to change. */
type OnFrame = (nowMs: number, elapsedMs: number) => boolean | undefined

const LOOK_MS = 100
const TOUCHES = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'resize'] as const

const listeners = new Set<OnFrame>()
let lastMs = 0
let isRunning = false
let timer: ReturnType<typeof setTimeout> | undefined

/** Calls `listener` before every frame of the screen; returns a function that stops it. */
export function onEachFrame(listener: OnFrame): () => void {
  listeners.add(listener)
  if (isRunning) wake()
  else {
    isRunning = true
    lastMs = performance.now()
    requestAnimationFrame(run)
  }
  return () => listeners.delete(listener)
}

function run(nowMs: number): void {
  const elapsedMs = Math.max(0, nowMs - lastMs)
  lastMs = nowMs
  let rests = true
  for (const listener of listeners) if (listener(nowMs, elapsedMs) !== true) rests = false
  isRunning = listeners.size > 0
  if (!isRunning) return
  if (rests) sleep()
  else requestAnimationFrame(run)
}

function sleep(): void {
  timer = setTimeout(wake, LOOK_MS)
  for (const kind of TOUCHES) addEventListener(kind, wake, { capture: true })
}

function wake(): void {
  if (timer === undefined) return
  clearTimeout(timer)
  timer = undefined
  for (const kind of TOUCHES) removeEventListener(kind, wake, { capture: true })
  requestAnimationFrame(run)
}
