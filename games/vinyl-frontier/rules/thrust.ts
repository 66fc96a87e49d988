/**
 * Thrust under the speed governor: how far a push gets, and what it costs.
 *
 * Fuel pays for the push and again for what the governor has to brake away beyond the top speed. A ship that cannot pay
 * for all of it pushes as hard as it can pay for. Straight from a dock everything is free.
 */

import { PI } from 'hurtbox/math'
import { EPSILON, MAX_SPEED, SHIP } from './declaration.ts'
import { addPolar, limitSpeed, type Polar, polar, STANDING, subtractPolar, toPlane } from './torus.ts'

export type ThrustPlan = { readonly cost: number; readonly change: Polar }

const NOTHING: ThrustPlan = { cost: 0, change: STANDING }
const UNLIMITED = 1e300
const HAIR = 1e-12

/** One push of `push` units of speed along `orient`; negative is backward. */
export function planThrust(
  push: number,
  velocity: Polar,
  orient: number,
  mass: number,
  fuel: number,
  isFree: boolean,
): ThrustPlan {
  if (push === 0) return NOTHING
  const wanted = Math.abs(push)
  const costPerSpeed = mass / (6 * MAX_SPEED * SHIP.hull)
  const budget = isFree ? UNLIMITED : costPerSpeed > 0 ? fuel / costPerSpeed : 0
  const affordable = affordablePush(wanted, velocity, push < 0 ? orient + PI : orient, budget)

  const first = pushed(velocity, push, affordable, orient)
  if (isFree) return { cost: 0, change: first.change }
  const cost = costPerSpeed * affordable + costPerSpeed * first.overshoot
  if (cost <= fuel + EPSILON) return { cost, change: first.change }

  const scale = fuel / cost
  const scaled = scale > EPSILON ? affordable * scale : 0
  const second = pushed(velocity, push, scaled, orient)
  return { cost: costPerSpeed * scaled + costPerSpeed * second.overshoot, change: second.change }
}

/** The velocity after a push, held down to the top speed; how much was held down, and what remains as a change. */
function pushed(velocity: Polar, push: number, size: number, orient: number): { overshoot: number; change: Polar } {
  // A push below the epsilon counts as backward, as it does in the original.
  const desired = addPolar(velocity, polar(push >= EPSILON ? size : -size, orient))
  const isTooFast = desired.speed > MAX_SPEED + EPSILON
  const reached = isTooFast ? limitSpeed(desired, MAX_SPEED) : desired
  return { overshoot: isTooFast ? desired.speed - MAX_SPEED : 0, change: subtractPolar(reached, velocity) }
}

/** The largest push that the budget of speed pays for, the braking by the governor included. */
function affordablePush(wanted: number, velocity: Polar, angle: number, budget: number): number {
  if (budget <= EPSILON) return 0
  const { x, y } = toPlane(velocity)
  const toward = toPlane(polar(1, angle))
  const squared = x * x + y * y
  const along = x * toward.x + y * toward.y
  const under = Math.max(0, along * along + (MAX_SPEED * MAX_SPEED - squared))
  /** The push that just reaches the top speed. */
  const untilLimit = -along + Math.sqrt(under)
  if (budget <= untilLimit + HAIR) return Math.max(0, Math.min(budget, wanted))
  if (wanted <= untilLimit + HAIR) return wanted
  const limit = MAX_SPEED + budget
  const denominator = 2 * (limit + along)
  const push = denominator !== 0 ? (limit * limit - squared) / denominator : 0
  return Math.min(Math.max(push, 0), wanted)
}
