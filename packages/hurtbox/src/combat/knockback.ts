/**
 * Knockback: away from a point, by one of three means.
 *
 * `displace` moves the victim at once, `velocity` changes its speed, `impulse` does so by its mass. What the victim
 * withstands (`steadiness`) is taken off in all three. Two things on one spot part along +x, because any fixed choice
 * will do and a random one would have to be drawn.
 */

import type { Outcome } from '../collide/rule.ts'
import type { ReadCells } from '../columns.ts'

export type KnockbackMode = 'displace' | 'velocity' | 'impulse'

export type KnockbackView = {
  readonly tables: {
    readonly things: {
      readonly x: ReadCells
      readonly y: ReadCells
      readonly vx: ReadCells
      readonly vy: ReadCells
      readonly vz?: ReadCells
      readonly steadiness: ReadCells
      readonly invMass: ReadCells
    }
  }
}

/**
 * Knocks `victim` away from (fromX, fromY) by `strength`: px or m for `displace`, per second or tick as the game counts
 * for `velocity`, mass × speed for `impulse`. `lift` adds that much upwards, in games that have a `vz` column.
 */
export function knockback(
  view: KnockbackView,
  outcome: Outcome,
  victim: number,
  fromX: number,
  fromY: number,
  strength: number,
  mode: KnockbackMode,
  lift = 0,
): void {
  const { x, y, vx, vy, vz, steadiness, invMass } = view.tables.things
  const share = (1 - steadiness[victim]) * (mode === 'impulse' ? invMass[victim] : 1)
  if (share === 0) return
  const dx = x[victim] - fromX
  const dy = y[victim] - fromY
  const distance = Math.sqrt(dx * dx + dy * dy)
  const amountX = distance > 0 ? (dx / distance) * strength * share : strength * share
  const amountY = distance > 0 ? (dy / distance) * strength * share : 0
  if (mode === 'displace') {
    outcome.push(victim, amountX, amountY)
  } else {
    outcome.add(vx, victim, amountX)
    outcome.add(vy, victim, amountY)
  }
  if (lift !== 0 && vz !== undefined) outcome.add(vz, victim, lift * share)
}
