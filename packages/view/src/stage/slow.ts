/**
 * Whether a view takes more of the time than it may, so that it should leave its decoration out.
 *
 * Slow for two windows in a row counts; a window may be a stall. Without decoration a view is faster, so being fast again is no proof that it
 * can have it back: each time that this was wrong the next try takes twice as long.
 */

export type Slowness = {
  isSlow: boolean
  drawnMs: number
  /** When the window began; undefined before the first frame. */
  from: number | undefined
  /** Windows in a row with too much or with room to spare. */
  slow: number
  fast: number
  /** How many fast windows it takes, and how many windows the last try is ago. */
  patience: number
  sinceTry: number
}

const WINDOW_MS = 1000
const LONGEST_WINDOW_MS = 3000
const MOST_SHARE = 0.35
const ROOM = 0.6
const SLOW_WINDOWS = 2
const PATIENCE = 3
const MOST_PATIENCE = 60

export function createSlowness(): Slowness {
  return { isSlow: false, drawnMs: 0, from: undefined, slow: 0, fast: 0, patience: PATIENCE, sinceTry: MOST_PATIENCE }
}

/** A frame was drawn at `nowMs` and took `drawMs`. */
export function noteDrawn(slowness: Slowness, nowMs: number, drawMs: number): void {
  slowness.from ??= nowMs
  slowness.drawnMs += drawMs
  const elapsed = nowMs - slowness.from
  if (elapsed < WINDOW_MS) return
  const share = slowness.drawnMs / elapsed
  slowness.drawnMs = 0
  slowness.from = nowMs
  // A page that was hidden, or rested.
  if (elapsed > LONGEST_WINDOW_MS) return
  slowness.sinceTry++
  slowness.slow = share > MOST_SHARE ? slowness.slow + 1 : 0
  slowness.fast = share < ROOM * MOST_SHARE ? slowness.fast + 1 : 0
  if (!slowness.isSlow && slowness.slow >= SLOW_WINDOWS) {
    slowness.patience = slowness.sinceTry < MOST_PATIENCE ? Math.min(2 * slowness.patience, MOST_PATIENCE) : PATIENCE
    slowness.isSlow = true
    slowness.fast = 0
  } else if (slowness.isSlow && slowness.fast >= slowness.patience) {
    slowness.isSlow = false
    slowness.sinceTry = 0
  }
}
