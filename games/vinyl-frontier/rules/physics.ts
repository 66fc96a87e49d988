/**
 * Impacts: elastic, perfectly inelastic, splitting. Formulas only; who uses them, and when, is for the rules to say.
 */

import { PI } from 'hurtbox/math'
import { ASTEROID, DAMAGE_DIVISOR, EPSILON } from './declaration.ts'
import {
  addPolar,
  dividePolar,
  type Place,
  type Polar,
  polar,
  scalePolar,
  subtractPolar,
  toPlane,
  toPolar,
} from './torus.ts'

export type Body = { readonly mass: number; readonly velocity: Polar }

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

/** Two bodies become one: their common velocity. */
export function inelastic(first: Body, second: Body): Polar {
  const momentum = addPolar(scalePolar(first.velocity, first.mass), scalePolar(second.velocity, second.mass))
  return dividePolar(momentum, first.mass + second.mass)
}

/** The same for light that a body swallows, computed on the plane as the original does. */
export function absorbed(body: Body, light: Body): Polar {
  const v = toPlane(body.velocity)
  const w = toPlane(light.velocity)
  const total = body.mass + light.mass
  return toPolar({
    x: (body.mass * v.x + light.mass * w.x) / total,
    y: (body.mass * v.y + light.mass * w.y) / total,
  })
}

/** Points of shield that an elastic impact costs either side: the change of momentum, were it head-on. */
export function fullDamage(self: Body, other: Body): number {
  const reduced = (self.mass * other.mass) / (self.mass + other.mass)
  return (2 * reduced * subtractPolar(other.velocity, self.velocity).speed) / DAMAGE_DIVISOR
}

/** The old measure: the other's momentum as seen from here, so that the lighter ship suffers more. */
export function legacyDamage(self: Body, other: Body): number {
  return scalePolar(subtractPolar(other.velocity, self.velocity), other.mass).speed / DAMAGE_DIVISOR
}

/** Mass of each fragment, or 0 when they would be dust. */
export function fragmentMass(mass: number): number {
  const each = mass / ASTEROID.fragments
  return each >= ASTEROID.minMass ? each : 0
}

/** Velocities of three fragments that spread by `angles` around a direction, on top of a common velocity. */
export function fan(base: Polar | undefined, speed: number, direction: number, angles: readonly number[]): Polar[] {
  return angles.map((angle) => {
    const spread = polar(speed, direction + angle)
    return base === undefined ? spread : addPolar(spread, base)
  })
}

/** The original's fragments fly forward, 60° apart; together they gain momentum from nowhere. */
export const FORWARD: readonly number[] = [-1 * (PI / 3), 0, PI / 3]
/** Evenly around: the three add up to nothing. */
export const AROUND: readonly number[] = [0, (2 * PI) / 3, (4 * PI) / 3]

/** A direction worth spreading around: that of `velocity`, or of `fallback` when it hardly moves. */
export function directionOf(velocity: Polar, fallback: Polar): number {
  return velocity.speed > 0.01 ? velocity.heading : fallback.heading
}
