/** Forces: a direction in one of five frames, times how hard it is meant and how much of it arrives. */

import { FRAME, STAT } from './content.ts'
import type { Effect } from './effect.ts'
import { buffed } from './stats.ts'
import type { AbilityView } from './world.ts'

/** Nearer than this in the plane, "away" has no direction there and is straight up. */
const RIGHT_ABOVE = 0.01

/** Scratch, written by `aim`: a change of speed. */
export const push = { x: Number.NaN, y: Number.NaN, z: Number.NaN }

/**
 * Writes into `push` what the effect does to the speed of `target`. `source` is the row it comes from: the attacker, or the
 * projectile.
 */
export function aim(view: AbilityView, effect: Effect, source: number, target: number, wear: number): void {
  const { things } = view.tables
  const { frame, x, y, z } = effect
  // The facing of the frame as a unit complex number: ahead is (turnX, turnY).
  let turnX = 1
  let turnY = 0
  let lift = z
  let ahead = x
  let left = y
  if (frame === FRAME.caster) {
    turnX = things.facingX[source]
    turnY = things.facingY[source]
  } else if (frame === FRAME.victim) {
    turnX = things.facingX[target]
    turnY = things.facingY[target]
  } else if (frame === FRAME.away) {
    const dx = things.x[target] - things.x[source]
    const dy = things.y[target] - things.y[source]
    const distance = Math.sqrt(dx * dx + dy * dy)
    if (distance > RIGHT_ABOVE) {
      turnX = dx / distance
      turnY = dy / distance
    } else {
      ahead = 0
      left = 0
      lift = 1
    }
  } else if (frame === FRAME.turned) {
    const [casterX, casterY] = [things.facingX[source], things.facingY[source]]
    const [victimX, victimY] = [things.facingX[target], things.facingY[target]]
    turnX = victimX * casterX + victimY * casterY
    turnY = victimY * casterX - victimX * casterY
  }
  const strength = effect.amount * share(view, effect, target, wear)
  push.x = (ahead * turnX - left * turnY) * strength
  push.y = (ahead * turnY + left * turnX) * strength
  push.z = lift * strength
}

/** How much of a force reaches the speed of `target`: by its mass, what it withstands, its weight, how worn it is. */
function share(view: AbilityView, { byMass, toCaster }: Effect, target: number, wear: number): number {
  const { steadiness, invMass, hp, maxHp } = view.tables.things
  const mass = byMass ? invMass[target] : 1
  // What one does to oneself is meant: nothing is withstood.
  if (toCaster) return mass
  const worn = maxHp[target] > 0 ? 1 + wear * (1 - hp[target] / maxHp[target]) : 1
  return (mass * (1 - steadiness[target]) * worn) / Math.max(buffed(view, target, STAT.weight), 1e-9)
}
