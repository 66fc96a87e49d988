/** Durations in ticks. */

/**
 * Seconds as whole ticks, rounded up. A hair of rounding error (0.07 × 100 is 7.000…01) does not cost a tick.
 *
 * @example
 * ```ts
 * import { toTicks } from 'hurtbox/math'
 *
 * console.log(toTicks(0.5, 60)) // 30
 * console.log(toTicks(0.51, 60)) // 31
 * ```
 */
export function toTicks(durationSeconds: number, tickRate: number): number {
  return Math.max(0, Math.ceil(durationSeconds * tickRate - 1e-9))
}
