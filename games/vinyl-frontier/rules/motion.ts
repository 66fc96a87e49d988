/**
 * How things move in one step, and what ships do while they move.
 *
 * A ship first throws overboard, then charges its shield, turns, thrusts (which is also how it launches) and flies. The
 * old model of `--legacy-mode` stands beside the new one where they differ.
 */

import { each, emit, perWorld } from 'hurtbox'
import { clamp, PI } from 'hurtbox/math'
import {
  ASTEROID,
  KIND,
  type Legacy,
  legacy,
  MATERIAL,
  MAX_SPEED,
  massOf,
  ORDER,
  SHIP,
  STATION,
  STEPS,
  TURN_ENERGY_PER_TON,
  TURN_SECONDS,
  type VinylThing,
  type VinylWorld,
} from './declaration.ts'
import { applyOrder } from './orders.ts'
import { IMPACT, momentumOf, now, reportMomentum } from './report.ts'
import { addAsteroid, asteroidRadius, setPlace, setVelocity } from './setup.ts'
import { nameBytes } from './text.ts'
import { planThrust } from './thrust.ts'
import {
  addPolar,
  dividePolar,
  limitSpeed,
  polar,
  scalePolar,
  shift,
  subtractPolar,
  toPlane,
  wrapHeading,
  wrapPlace,
} from './torus.ts'

/** A step of `dt` seconds. `phase` is the part of the turn that is over: 0, 0.2 … 0.8. */
const stepOf = perWorld((world: VinylWorld) => ({ world, dt: 0.5, phase: 0.5, old: legacy(world.options) }))
type Step = ReturnType<typeof stepOf>

/** Everything drifts for `dt` seconds. What is thrown overboard on the way moves from the next step on. */
export function drift(world: VinylWorld, dt: number): void {
  const step = stepOf(world)
  step.dt = dt
  step.phase = world.globals.step / STEPS
  for (const thing of each(world)) {
    if (thing.speed > MAX_SPEED) cutSpeed(world, thing)
    if (thing.kind === KIND.ship) steer(thing, step)
    else rotate(thing, thing.kind === KIND.station ? STATION.spin : ASTEROID.spin, step)
    fly(thing, step)
  }
}

/** Nothing is faster than the top speed; what an impact gave beyond it is lost, and that is logged. */
function cutSpeed(world: VinylWorld, thing: VinylThing): void {
  const before = momentumOf([thing])
  setVelocity(thing, limitSpeed(thing, MAX_SPEED))
  reportMomentum(world, IMPACT.limit, before, momentumOf([thing]))
}

function fly(thing: VinylThing, { world, dt }: Step): void {
  if (world.options.preset === 'original') {
    // It goes from angle to plane again for every step, and its rounding shows.
    setPlace(thing, shift(thing, toPlane(scalePolar(thing, dt))))
  } else {
    thing.x += thing.vx * dt
    thing.y += thing.vy * dt
    wrapPlace(thing)
  }
}

function rotate(thing: VinylThing, spin: number, { dt }: Step): void {
  const orient = thing.orient + (spin + thing.spinRate) * dt
  if (orient < -PI || orient > PI) thing.orient = wrapHeading(orient)
  else thing.orient = orient
}

/** Carries out a ship's orders. */
function steer(ship: VinylThing, step: Step): void {
  const { orders } = ship
  const thrust = orders.get(ORDER.thrust)
  const turn = orders.get(ORDER.turn)
  const boost = orders.get(ORDER.shield)
  jettison(ship, step)
  if (boost > 0) chargeShield(ship, boost, step)
  const spin = turn !== 0 && step.dt > 0 ? turnShip(ship, turn, step) : 0
  if (thrust !== 0) {
    if (step.old.motion) thrustOld(ship, thrust, step)
    else thrustNew(ship, thrust, step)
  }
  rotate(ship, spin, step)
}

/** Throws vinyl or uranium ahead. It takes the ship's speed along where the ship looks; the ship recoils. */
function jettison(ship: VinylThing, { world, old }: Step): void {
  const order = ship.orders.get(ORDER.jettison)
  const amount = Math.abs(order)
  if (ship.docked === 1 || amount < ASTEROID.minMass) return
  const { speed, orient } = ship
  const ahead = { speed: (SHIP.radius + asteroidRadius(amount)) * 1.15, heading: orient }
  const thrown = { speed, heading: orient }
  const material = order < 0 ? MATERIAL.vinyl : MATERIAL.uranium
  addAsteroid(world, amount, material, shift(ship, toPlane(ahead)), thrown)
  const mass = massOf(ship)
  // The old physics counted the recoil twice.
  const lost = scalePolar(thrown, amount)
  const momentum = subtractPolar(scalePolar(ship, mass), old.physics ? scalePolar(lost, 2) : lost)
  setVelocity(ship, limitSpeed(dividePolar(momentum, mass - amount), MAX_SPEED))
  ship.orders.set(ORDER.jettison, 0)
  if (order < 0) ship.cargo = Math.max(0, ship.cargo - amount)
  else burn(world, ship, amount)
}

function chargeShield(ship: VinylThing, boost: number, { world, old }: Step): void {
  const cost = applyOrder(world, ship, ORDER.shield, boost)
  // The old code charged what was asked for, paid or not.
  const points = old.motion ? boost : ship.orders.get(ORDER.shield)
  burn(world, ship, cost)
  ship.shield = Math.min(ship.shield + points, SHIP.shieldCapacity)
  ship.orders.set(ORDER.shield, 0)
}

/** How fast a ship turns now: up to the middle of the turn and down again. Fuel pays for both; too little turns less far. */
function turnShip(ship: VinylThing, turn: number, { world, dt, phase, old }: Step): number {
  if (old.motion) {
    burn(world, ship, applyOrder(world, ship, ORDER.turn, turn) * dt)
    return turn
  }
  const peak = (2 * Math.abs(turn)) / TURN_SECONDS
  const phaseAfter = phase + dt / TURN_SECONDS
  const before = spinAt(phase, peak)
  const after = spinAt(phaseAfter, peak)
  const inertia = 0.5 * massOf(ship) * SHIP.radius * SHIP.radius
  let cost: number
  if (phase < 0.5 && phaseAfter > 0.5) {
    const up = 0.5 * inertia * (peak * peak - before * before)
    const down = 0.5 * inertia * (peak * peak - after * after)
    cost = (up + down) / TURN_ENERGY_PER_TON
  } else {
    cost = (0.5 * inertia * Math.abs(after * after - before * before)) / TURN_ENERGY_PER_TON
  }
  if (ship.docked === 1) cost = 0
  let spin = turned(phase * TURN_SECONDS, phaseAfter * TURN_SECONDS, peak) / dt
  if (turn < 0) spin = -spin
  const { fuel } = ship
  if (cost > fuel) {
    spin *= fuel / cost
    cost = fuel
  }
  burn(world, ship, cost)
  return spin
}

/** How fast the ship turns when a part of the turn is over: a triangle with its peak in the middle. */
function spinAt(phase: number, peak: number): number {
  return phase <= 0.5 ? 2 * peak * phase : 2 * peak * (1 - phase)
}

/** The angle turned between two times of the turn: the area under the triangle. */
function turned(from: number, to: number, peak: number): number {
  const half = TURN_SECONDS * 0.5
  const slope = peak / TURN_SECONDS
  if (to <= half) return slope * (to * to - from * from)
  if (from >= half) return 2 * peak * (to - from) - slope * (to * to - from * from)
  return slope * (half * half - from * from) + (2 * peak * (to - half) - slope * (to * to - half * half))
}

function thrustNew(ship: VinylThing, thrust: number, { world, dt, old }: Step): void {
  const { docked, launched, orient, fuel } = ship
  const { cost, change } = planThrust(thrust * dt, ship, orient, massOf(ship), fuel, docked + launched > 0)
  burn(world, ship, cost)
  setVelocity(ship, addPolar(ship, change, reached))
  if (docked === 0) return
  launch(world, ship, thrust > 0, old)
  ship.launched = 1
}

const reached = { speed: 0, heading: 0 }

/** The old thrust charges the price of the whole turn in every step, and leaves a dock at full speed. */
function thrustOld(ship: VinylThing, thrust: number, { world, dt, old }: Step): void {
  burn(world, ship, applyOrder(world, ship, ORDER.thrust, thrust))
  const push = polar(thrust, ship.orient)
  setVelocity(ship, limitSpeed(addPolar(ship, scalePolar(push, dt)), MAX_SPEED))
  if (ship.docked === 0) return
  launch(world, ship, ship.orders.get(ORDER.thrust) > 0, old)
  setVelocity(ship, push)
}

/** Leaves the dock: the ship appears outside the station. The old distance was so short that it docked again. */
function launch(world: VinylWorld, ship: VinylThing, isForward: boolean, old: Legacy): void {
  const distance = old.docking ? ship.dockDistance + 5 : STATION.radius + SHIP.radius + SHIP.radius / 2
  const { x, y } = toPlane(polar(distance, ship.orient))
  setPlace(ship, shift(ship, isForward ? { x, y } : { x: -x, y: -y }))
  ship.docked = 0
  ship.teleports++
  emit(world, 'launch', { ...now(world), ship: nameBytes(ship), distance })
}

/** Takes fuel out of a ship's tank; emits an event when it runs dry. */
export function burn(world: VinylWorld, ship: VinylThing, tons: number): void {
  const before = ship.fuel
  ship.fuel = clamp(before - tons, 0, ship.fuelCapacity)
  if (before > DRY && ship.fuel <= DRY) emit(world, 'outOfFuel', { ...now(world), ship: nameBytes(ship) })
}

const DRY = 0.01
