/** What a knob shows of a number: what it is now, how far a slider goes, and whether it does anything in this match. */

import type { AnyWorld, TuningSpec } from 'hurtbox/tools'

/** The option without which a number does nothing in this match; '' if there is none. */
export function missingOption(
  needs: Readonly<Record<string, string | undefined>> | undefined,
  world: AnyWorld,
  name: string,
): string {
  const option = needs?.[name]
  return option === undefined || world.options[option] ? '' : option
}

/** What the match plays with now, in the declared unit: scenes and files may have been tuned before. */
export function currentValue(world: AnyWorld, name: string, spec: TuningSpec): number {
  const raw = world.tuning[name]
  if (raw === undefined) return spec.value
  if (!spec.isDuration) return raw
  const { tickRate } = world.game.declaration
  // Ticks are seconds rounded up; show the declared seconds where they are what is meant.
  return Math.ceil(spec.value * tickRate - 1e-9) === raw ? spec.value : raw / tickRate
}

/** A slider over ten orders of magnitude is no use: it covers what is around the default. */
export function rangeOf({ value, min, max }: TuningSpec): { low: number; high: number; step: number } {
  const low = Math.max(min, value <= 0 ? min : 0)
  const high = Math.min(max, value === 0 ? Math.max(1, Math.min(max, 10)) : Math.abs(value) * 4)
  return { low, high, step: (high - low) / 200 || 1 }
}

export function short(value: number): number {
  return Math.round(value * 1000) / 1000
}
