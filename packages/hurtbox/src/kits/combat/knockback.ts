/**
 * Knockback: away from a point, by one of three means.
 *
 * `displace` moves the victim, `velocity` changes its speed, `impulse` does so by its mass. Its `knockbackResistance` is
 * taken off in all three. In space a point with a height knocks up or down too; one without knocks along the ground. Two things on one spot part along +x, because any fixed choice will do and a random one would have
 * to be drawn.
 */

import { unknownName } from '../../base/errors.ts'
import { push } from '../../world/handles/things.ts'

export type KnockbackMode = 'displace' | 'velocity' | 'impulse'

const MODES: readonly KnockbackMode[] = ['displace', 'velocity', 'impulse']

/** What `knockback` needs of a thing. */
export type Knockable = {
  readonly id: number
  readonly x: number
  readonly y: number
  /** In space. */
  readonly z?: number
  vx: number
  vy: number
  vz?: number
  readonly knockbackResistance: number
  readonly invMass: number
}

/**
 * Knocks a thing away from another, or from any point, by `strength`: px or m at once for `displace`, a speed per second (per tick, where
 * the game moves by `perTick`) for `velocity`, mass × that speed for `impulse`.
 */
export function knockback(
  victim: Knockable,
  from: { readonly x: number; readonly y: number; readonly z?: number },
  strength: number,
  mode: KnockbackMode = 'displace',
): void {
  if (!MODES.includes(mode)) throw unknownName('mode of knockback', mode, MODES)
  const share = (1 - victim.knockbackResistance) * (mode === 'impulse' ? victim.invMass : 1)
  if (share === 0) return
  const dx = victim.x - from.x
  const dy = victim.y - from.y
  const dz = victim.z === undefined || from.z === undefined ? 0 : victim.z - from.z
  const distance = Math.sqrt(dx * dx + dy * dy + dz * dz)
  const amountX = distance > 0 ? (dx / distance) * strength * share : strength * share
  const amountY = distance > 0 ? (dy / distance) * strength * share : 0
  const amountZ = distance > 0 ? (dz / distance) * strength * share : 0
  if (mode === 'displace') {
    push(victim, amountX, amountY, amountZ)
  } else {
    victim.vx += amountX
    victim.vy += amountY
    if (victim.vz !== undefined) victim.vz += amountZ
  }
}
