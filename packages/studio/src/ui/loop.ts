/** One frame loop for the whole page, so that everything on it is drawn in the same frame. */

type OnFrame = (nowMs: number, elapsedMs: number) => void

const listeners = new Set<OnFrame>()
let lastMs = 0
let isRunning = false

/** Calls `listener` before every frame of the screen; returns a function that stops it. */
export function onEachFrame(listener: OnFrame): () => void {
  listeners.add(listener)
  if (!isRunning) {
    isRunning = true
    lastMs = performance.now()
    requestAnimationFrame(run)
  }
  return () => listeners.delete(listener)
}

function run(nowMs: number): void {
  const elapsedMs = Math.max(0, nowMs - lastMs)
  lastMs = nowMs
  for (const listener of listeners) listener(nowMs, elapsedMs)
  isRunning = listeners.size > 0
  if (isRunning) requestAnimationFrame(run)
}
