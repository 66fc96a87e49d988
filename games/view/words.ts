/** Figures that all views show in the same way: what is left of something, when it is ready. */

import type { HudLine } from '@hurtbox/view'

/** Of any game: it names no field of an input. */
type Figure = Omit<HudLine, 'control'>

/** The tone for something of which this part is left. */
export function toneOf(part: number): 'good' | 'warn' | 'bad' {
  return part > 0.6 ? 'good' : part > 0.3 ? 'warn' : 'bad'
}

/** Health and the like: a bar that turns from good to bad. */
export function healthLine(label: string, left: number, most: number): Figure {
  return { label, value: left, max: most, tone: toneOf(left / most) }
}

/** A bar that is full when something can be used again, `wait` ticks from now. */
export function readyLine(label: string, wait: number, cooldown: number): Figure {
  return { label, value: 1 - Math.min(Math.max(wait, 0) / Math.max(cooldown, 1), 1), max: 1, tone: 'cool' }
}

/** Whole seconds as 1:05. */
export function timeText(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
