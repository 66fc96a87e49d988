/** Formulas of impacts that only the measured server uses. */

import { PI } from 'hurtbox/math'
import { DAMAGE_DIVISOR, EPSILON } from '../declaration.ts'
import type { Body } from '../physics.ts'
import { type Place, type Polar, subtractPolar, toPlane, toPolar } from '../torus.ts'

/** Below this a mass is none, and nothing bounces off it. */
const NO_MASS = 0.001

export type Elastic = { readonly first: Polar; readonly second: Polar }

/**
 * Two circles bounce without loss: along the line of their centres they exchange speed, across it they keep it. `way`
 * leads from the first to the second; when it is nothing, the way the first comes from counts, and when that is nothing
 * either, nothing happens.
 */
export function elastic(first: Body, second: Body, way: Place): Elastic {
  const unchanged = { first: first.velocity, second: second.velocity }
  if (first.mass < NO_MASS || second.mass < NO_MASS) return unchanged
  const v1 = toPlane(first.velocity)
  const v2 = toPlane(second.velocity)
  let normal = way
  let squared = way.x * way.x + way.y * way.y
  if (squared < EPSILON) {
    normal = { x: v1.x - v2.x, y: v1.y - v2.y }
    squared = normal.x * normal.x + normal.y * normal.y
    if (squared < EPSILON) return unchanged
  }
  const length = Math.sqrt(squared)
  const nx = normal.x / length
  const ny = normal.y / length
  const along1 = v1.x * nx + v1.y * ny
  const across1 = v1.x * -ny + v1.y * nx
  const along2 = v2.x * nx + v2.y * ny
  const across2 = v2.x * -ny + v2.y * nx
  const total = first.mass + second.mass
  const after1 = ((first.mass - second.mass) * along1 + 2 * second.mass * along2) / total
  const after2 = ((second.mass - first.mass) * along2 + 2 * first.mass * along1) / total
  return {
    first: toPolar({ x: after1 * nx + across1 * -ny, y: after1 * ny + across1 * nx }),
    second: toPolar({ x: after2 * nx + across2 * -ny, y: after2 * ny + across2 * nx }),
  }
}

/** Points of shield that an elastic impact costs either side: the change of momentum, were it head-on. */
export function fullDamage(self: Body, other: Body): number {
  const reduced = (self.mass * other.mass) / (self.mass + other.mass)
  return (2 * reduced * subtractPolar(other.velocity, self.velocity).speed) / DAMAGE_DIVISOR
}

/** The original's fragments fly forward, 60° apart; together they gain momentum from nowhere. */
export const FORWARD: readonly number[] = [-1 * (PI / 3), 0, PI / 3]
