/**
 * Formulas of impacts that more than one of the three engines uses.
 */

import { PI } from 'hurtbox/math'
import { ASTEROID, DAMAGE_DIVISOR } from './declaration.ts'
import { addPolar, dividePolar, type Polar, polar, scalePolar, subtractPolar, toPlane, toPolar } from './torus.ts'

export type Body = { readonly mass: number; readonly velocity: Polar }

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

/** Evenly around: the three add up to nothing. */
export const AROUND: readonly number[] = [0, (2 * PI) / 3, (4 * PI) / 3]

/** A direction worth spreading around: that of `velocity`, or of `fallback` when it hardly moves. */
export function directionOf(velocity: Polar, fallback: Polar): number {
  return velocity.speed > 0.01 ? velocity.heading : fallback.heading
}
