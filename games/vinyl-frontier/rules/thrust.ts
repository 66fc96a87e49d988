/**
 * Thrust under the speed governor: how far a push gets, and what it costs.
 *
 * Fuel pays for the push and again for what the governor has to brake away beyond the top speed. A ship that cannot pay
 * for all of it pushes as hard as it can pay for. Straight from a dock everything is free.
 */

import { PI } from 'hurtbox/math'
import { EPSILON, MAX_SPEED, SHIP } from './declaration.ts'
import { addPolar, type Polar, polar, STANDING, subtractPolar, toPlane } from './torus.ts'

export type ThrustPlan = { readonly cost: number; readonly change: Polar }

const NOTHING: ThrustPlan = { cost: 0, change: STANDING }
const plan = { cost: 0, change: { speed: 0, heading: 0 } }
const desired = { speed: 0, heading: 0 }
const toward = { x: 0, y: 0 }
const UNLIMITED = 1e300
const HAIR = 1e-12

/** One push of `push` units of speed along `orient`; negative is backward. The plan holds until the next one is made. */
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

  const overshoot = planChange(velocity, push, affordable, orient)
  plan.cost = isFree ? 0 : costPerSpeed * affordable + costPerSpeed * overshoot
  if (isFree || plan.cost <= fuel + EPSILON) return plan

  const scale = fuel / plan.cost
  const scaled = scale > EPSILON ? affordable * scale : 0
  plan.cost = costPerSpeed * scaled + costPerSpeed * planChange(velocity, push, scaled, orient)
  return plan
}

/** Plans the change of velocity by a push, held down to the top speed; returns how much was held down. */
function planChange(velocity: Polar, push: number, size: number, orient: number): number {
  // A push below the epsilon counts as backward, as it does in the original.
  addPolar(velocity, polar(push >= EPSILON ? size : -size, orient, desired), desired)
  const isTooFast = desired.speed > MAX_SPEED + EPSILON
  const overshoot = isTooFast ? desired.speed - MAX_SPEED : 0
  if (isTooFast) desired.speed = MAX_SPEED
  subtractPolar(desired, velocity, plan.change)
  return overshoot
}

/** The largest push that the budget of speed pays for, the braking by the governor included. */
function affordablePush(wanted: number, velocity: Polar, angle: number, budget: number): number {
  if (budget <= EPSILON) return 0
  const { x, y } = toPlane(velocity, toward)
  toPlane(polar(1, angle, desired), toward)
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
