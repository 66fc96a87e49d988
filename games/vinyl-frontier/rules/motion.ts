/**
 * How things move in one step, and what ships do while they move.
 *
 * A ship first throws overboard, then charges its shield, turns, thrusts (which is also how it launches) and flies. The
 * old model of `--legacy-mode` stands beside the new one where they differ.
 */

import { emit } from 'hurtbox'
import { PI } from 'hurtbox/math'
import {
  ASTEROID,
  KIND,
  type Legacy,
  legacy,
  MATERIAL,
  MAX_SPEED,
  massOf,
  ORDER,
  ORDERS,
  SHIP,
  STATION,
  TURN_ENERGY_PER_TON,
  TURN_SECONDS,
  type VinylWorld,
} from './declaration.ts'
import { applyOrder } from './orders.ts'
import { addAsteroid, asteroidRadius, placeOf, setPlace, setVelocity, velocityOf } from './setup.ts'
import { nameBytes, nextOrder } from './text.ts'
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
} from './torus.ts'

/** Everything drifts for `dt` seconds. `phase` is the part of the turn that is over: 0, 0.2 … 0.8. */
export function drift(world: VinylWorld, dt: number, phase: number): void {
  const { things } = world.tables
  const old = legacy(world.options)
  // What is thrown overboard here moves from the next step on.
  const count = things.count
  for (let row = 0; row < count; row++) {
    if (things.leaving[row] !== 0) continue
    if (things.speed[row] > MAX_SPEED) setVelocity(world, row, limitSpeed(velocityOf(world, row), MAX_SPEED))
    const spin = things.kind[row] === KIND.ship ? steer(world, row, dt, phase, old) : idleSpin(things.kind[row])
    fly(world, row, dt, spin + things.spinRate[row])
  }
}

function idleSpin(kind: number): number {
  return kind === KIND.station ? STATION.spin : ASTEROID.spin
}

function fly(world: VinylWorld, row: number, dt: number, spin: number): void {
  const { things } = world.tables
  // The original goes from angle to plane again for every step, and its rounding shows.
  const way =
    world.options.preset === 'original'
      ? toPlane(scalePolar(velocityOf(world, row), dt))
      : { x: things.vx[row] * dt, y: things.vy[row] * dt }
  setPlace(world, row, shift(placeOf(world, row), way))
  const orient = things.orient[row] + spin * dt
  things.orient[row] = orient < -PI || orient > PI ? wrapHeading(orient) : orient
}

/** Carries out a ship's orders; returns how fast it turns, in radians per second. */
function steer(world: VinylWorld, row: number, dt: number, phase: number, old: Legacy): number {
  const { orders } = world.tables.things
  const thrust = orders[row * ORDERS + ORDER.thrust]
  const turn = orders[row * ORDERS + ORDER.turn]
  const boost = orders[row * ORDERS + ORDER.shield]
  jettison(world, row, old)
  if (boost > 0) chargeShield(world, row, boost, old)
  const spin = turn !== 0 && dt > 0 ? turnShip(world, row, turn, dt, phase, old) : 0
  if (thrust !== 0) {
    if (old.motion) thrustOld(world, row, thrust, dt, old)
    else thrustNew(world, row, thrust, dt, old)
  }
  return spin
}

/** Throws vinyl or uranium ahead. It takes the ship's speed along where the ship looks; the ship recoils. */
function jettison(world: VinylWorld, row: number, old: Legacy): void {
  const { things } = world.tables
  const order = things.orders[row * ORDERS + ORDER.jettison]
  if (things.docked[row] === 1 || Math.abs(order) < ASTEROID.minMass) return
  const amount = Math.abs(order)
  const velocity = velocityOf(world, row)
  const orient = things.orient[row]
  const ahead = { speed: (SHIP.radius + asteroidRadius(amount)) * 1.15, heading: orient }
  const thrown = { speed: velocity.speed, heading: orient }
  addAsteroid(
    world,
    amount,
    order < 0 ? MATERIAL.vinyl : MATERIAL.uranium,
    shift(placeOf(world, row), toPlane(ahead)),
    thrown,
  )
  const mass = massOf(world, row)
  // The old physics counted the recoil twice.
  const lost = scalePolar(thrown, amount)
  const momentum = subtractPolar(scalePolar(velocity, mass), old.physics ? scalePolar(lost, 2) : lost)
  setVelocity(world, row, limitSpeed(dividePolar(momentum, mass - amount), MAX_SPEED))
  things.orders[row * ORDERS + ORDER.jettison] = 0
  if (order < 0) things.cargo[row] = Math.max(0, things.cargo[row] - amount)
  else setFuel(world, row, things.fuel[row] - amount)
}

function chargeShield(world: VinylWorld, row: number, boost: number, old: Legacy): void {
  const { things } = world.tables
  const cost = applyOrder(world, row, ORDER.shield, boost)
  // The old code charged what was asked for, paid or not.
  const points = old.motion ? boost : things.orders[row * ORDERS + ORDER.shield]
  setFuel(world, row, things.fuel[row] - cost)
  things.shield[row] = Math.min(things.shield[row] + points, SHIP.shieldCapacity)
  things.orders[row * ORDERS + ORDER.shield] = 0
}

/** Speeds up to the middle of the turn and down again; fuel pays for both. Too little fuel turns less far. */
function turnShip(world: VinylWorld, row: number, turn: number, dt: number, phase: number, old: Legacy): number {
  const { things } = world.tables
  if (old.motion) {
    const cost = applyOrder(world, row, ORDER.turn, turn)
    setFuel(world, row, things.fuel[row] - cost * dt)
    return turn
  }
  const peak = (2 * Math.abs(turn)) / TURN_SECONDS
  const phaseAfter = phase + dt / TURN_SECONDS
  const before = spinAt(phase, peak)
  const after = spinAt(phaseAfter, peak)
  const inertia = 0.5 * massOf(world, row) * SHIP.radius * SHIP.radius
  let cost: number
  if (phase < 0.5 && phaseAfter > 0.5) {
    const up = 0.5 * inertia * (peak * peak - before * before)
    const down = 0.5 * inertia * (peak * peak - after * after)
    cost = (up + down) / TURN_ENERGY_PER_TON
  } else {
    cost = (0.5 * inertia * Math.abs(after * after - before * before)) / TURN_ENERGY_PER_TON
  }
  const isDocked = things.docked[row] === 1
  if (isDocked) cost = 0
  let spin = turned(phase * TURN_SECONDS, phaseAfter * TURN_SECONDS, peak) / dt
  if (turn < 0) spin = -spin
  const fuel = things.fuel[row]
  if (cost > fuel && !isDocked) {
    spin *= fuel / cost
    cost = fuel
  }
  setFuel(world, row, fuel - cost)
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

function thrustNew(world: VinylWorld, row: number, thrust: number, dt: number, old: Legacy): void {
  const { things } = world.tables
  const isDocked = things.docked[row] === 1
  const velocity = velocityOf(world, row)
  const isFree = isDocked || things.launched[row] === 1
  const plan = planThrust(thrust * dt, velocity, things.orient[row], massOf(world, row), things.fuel[row], isFree)
  setFuel(world, row, things.fuel[row] - plan.cost)
  setVelocity(world, row, addPolar(velocity, plan.change))
  if (!isDocked) return
  launch(world, row, thrust > 0, old)
  things.launched[row] = 1
}

/** The old thrust charges the price of the whole turn in every step, and leaves a dock at full speed. */
function thrustOld(world: VinylWorld, row: number, thrust: number, dt: number, old: Legacy): void {
  const { things } = world.tables
  const cost = applyOrder(world, row, ORDER.thrust, thrust)
  setFuel(world, row, things.fuel[row] - cost)
  const push = polar(thrust, things.orient[row])
  setVelocity(world, row, limitSpeed(addPolar(velocityOf(world, row), scalePolar(push, dt)), MAX_SPEED))
  if (things.docked[row] !== 1) return
  launch(world, row, things.orders[row * ORDERS + ORDER.thrust] > 0, old)
  setVelocity(world, row, push)
}

/** Leaves the dock: the ship appears outside the station. The old distance was so short that it docked again. */
function launch(world: VinylWorld, row: number, isForward: boolean, old: Legacy): void {
  const { things } = world.tables
  const distance = old.docking ? things.dockDistance[row] + 5 : STATION.radius + SHIP.radius + SHIP.radius / 2
  const { x, y } = toPlane(polar(distance, things.orient[row]))
  setPlace(world, row, shift(placeOf(world, row), isForward ? { x, y } : { x: -x, y: -y }))
  things.docked[row] = 0
  things.teleports[row]++
  const { turn } = world.globals
  emit(world.events.launch, { order: nextOrder(world), turn, ship: nameBytes(world, row), distance })
}

/** Sets a ship's fuel, within its tank; says when it runs dry. */
export function setFuel(world: VinylWorld, row: number, tons: number): void {
  const { things } = world.tables
  const before = things.fuel[row]
  things.fuel[row] = Math.min(Math.max(tons, 0), things.fuelCapacity[row])
  if (before <= DRY || things.fuel[row] > DRY) return
  const { turn } = world.globals
  emit(world.events.outOfFuel, { order: nextOrder(world), turn, ship: nameBytes(world, row) })
}

const DRY = 0.01
