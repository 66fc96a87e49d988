/** A session remembers everything, so that one can go back. A host never does, and what is recorded it may forget. */

import type { Session } from 'hurtbox'

/**
 * A match may run for days; its log must not. What is in the replay and older than the last snapshot but one is dropped
 * (the first snapshot stays: twins start from it).
 */
export function forgetOldLog({ log, keyframes, keyframeTicks }: Session): void {
  if (keyframes.length <= 3) return
  const dropped = keyframes.length - 3
  keyframes.splice(1, dropped)
  keyframeTicks.splice(1, dropped)
  const from = keyframeTicks[1]
  let old = 0
  while (old < log.count && log.tick[old] < from) old++
  const fields = log.game.input.fields.length
  log.tick.copyWithin(0, old, log.count)
  log.seat.copyWithin(0, old, log.count)
  log.codes.copyWithin(0, old * fields, log.count * fields)
  log.count -= old
  let controls = 0
  while (controls < log.controls.length && log.controls[controls].tick < from) controls++
  log.controls.splice(0, controls)
}
