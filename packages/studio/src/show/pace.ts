/** How fast time passes for the match: slower while a blow is felt, and measured against what was asked for. */

import type { Show } from './show.ts'

const SLOWNESS = 0.35

/** How much of a frame's time passes for the match while a blow is felt. */
export function throughImpact({ impact }: Show, elapsedMs: number): number {
  const held = Math.min(impact.holdMs, elapsedMs)
  impact.holdMs -= held
  const left = elapsedMs - held
  const slow = Math.min(impact.slowMs, left)
  impact.slowMs -= slow
  return left - slow * (1 - SLOWNESS)
}

/** Longer pauses are those of a page that nobody sees. */
const LONGEST_FRAME_MS = 1000
const PACE_MS = 1500
/** A little slower than it should is not worth a word. */
const FAST_ENOUGH = 0.92

export function measurePace({ line: { paced }, pace }: Show, elapsedMs: number, wanted: number, shown: number): void {
  if (elapsedMs > LONGEST_FRAME_MS) return
  paced.ms += elapsedMs
  paced.wanted += wanted
  paced.shown += shown
  if (paced.ms < PACE_MS) return
  const part = paced.shown / paced.wanted
  pace.value = part > FAST_ENOUGH ? 1 : Math.round(part * 10) / 10
  Object.assign(paced, { ms: 0, wanted: 0, shown: 0 })
}
