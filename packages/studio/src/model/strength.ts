/**
 * How strong the bots are: how often they think.
 *
 * A bot is a pure function that may act in every tick, which no person can. Letting it think less often makes any bot of any
 * game slower to react, without a line in the game. What it decided last holds until it thinks again.
 */

import { keep, readKept } from '@hurtbox/view'
import type { LoadedModule } from 'hurtbox/module'

export const STRENGTHS = ['easy', 'medium', 'hard'] as const
export type Strength = (typeof STRENGTHS)[number]

/** Seconds between two thoughts. */
const THINKS_EVERY: Readonly<Record<Strength, number>> = { easy: 0.6, medium: 0.2, hard: 0 }

export function botEvery(module: LoadedModule, strength: Strength): number {
  return Math.max(1, Math.round(THINKS_EVERY[strength] * module.game.declaration.tickRate))
}

export function readStrength(): Strength {
  return STRENGTHS.find((each) => each === readKept('strength')) ?? 'medium'
}

export function keepStrength(strength: Strength): void {
  keep('strength', strength)
}
