/**
 * Orders: five numbers per ship and turn, checked and capped when they are set.
 *
 * A ship takes them in a fixed order, and thrust, turn and jettison exclude each other: the later one wins. So jettison
 * beats turn beats thrust. Setting an order tells its price in fuel.
 */

import { PI, TAU } from 'hurtbox/math'
import {
  ASTEROID,
  DT,
  EPSILON,
  KIND,
  LASER,
  LEGACY_ROTATIONS_PER_TON,
  legacy,
  MAX_SPEED,
  MAX_THRUST,
  massOf,
  ORDER,
  ORDER_NAMES,
  ORDERS,
  SHIP,
  SHIPS_PER_TEAM,
  STEPS,
  TURN_ENERGY_PER_TON,
  type VinylWorld,
} from './declaration.ts'
import { shipRow, velocityOf } from './setup.ts'
import { planThrust } from './thrust.ts'
import { addPolar, limitSpeed, type Polar, polar, subtractPolar } from './torus.ts'

/** What setting an order depends on. A team that plays from a distance has it rounded to thousandths. */
export type ShipState = {
  readonly velocity: Polar
  readonly orient: number
  readonly mass: number
  readonly fuel: number
  readonly fuelCapacity: number
  readonly cargo: number
  readonly shield: number
  readonly docked: boolean
  readonly launched: boolean
}

export function shipState(world: VinylWorld, row: number): ShipState {
  const { things } = world.tables
  return {
    velocity: velocityOf(world, row),
    orient: things.orient[row],
    mass: massOf(world, row),
    fuel: things.fuel[row],
    fuelCapacity: things.fuelCapacity[row],
    cargo: things.cargo[row],
    shield: things.shield[row],
    docked: things.docked[row] === 1,
    launched: things.launched[row] === 1,
  }
}

/** What a number is after travelling: whole thousandths, cut off toward zero. */
export function asSent(value: number): number {
  return Math.trunc(value * 1000) / 1000 + 0
}

/**
 * Sets order `kind` among the five orders that stand in `orders` from `at` on; returns what it will cost in fuel.
 * `oldMotion`: thrust and turning of `--legacy-mode`.
 */
export function setOrder(
  ship: ShipState,
  orders: Float64Array | number[],
  at: number,
  kind: number,
  value: number,
  oldMotion: boolean,
): number {
  switch (kind) {
    case ORDER.shield: {
      const wanted = Math.min(Math.max(value, 0), SHIP.shieldCapacity - ship.shield)
      const points = Math.min(wanted, ship.fuel)
      orders[at + ORDER.shield] = points
      return points
    }
    case ORDER.laser: {
      // A docked ship keeps the order it had: it is only refused a new one.
      if (ship.docked) return 0
      const length = Math.min(Math.max(value, 0), LASER.maxLength)
      const cost = length / LASER.rangePerTon
      const isShort = cost > ship.fuel
      orders[at + ORDER.laser] = isShort ? ship.fuel * LASER.rangePerTon : length
      return isShort ? ship.fuel : cost
    }
    case ORDER.thrust:
      // Zero does not take an earlier thrust back.
      if (value === 0) return 0
      orders[at + ORDER.turn] = 0
      orders[at + ORDER.jettison] = 0
      return oldMotion ? setOldThrust(ship, orders, at, value) : setThrust(ship, orders, at, value)
    case ORDER.turn:
      if (value === 0) return 0
      orders[at + ORDER.thrust] = 0
      orders[at + ORDER.jettison] = 0
      return oldMotion ? setOldTurn(ship, orders, at, value) : setTurn(ship, orders, at, value)
    default: {
      const wanted = Math.abs(value)
      orders[at + ORDER.jettison] = 0
      if (wanted < ASTEROID.minMass) return 0
      orders[at + ORDER.thrust] = 0
      orders[at + ORDER.turn] = 0
      const amount = Math.min(wanted, value > 0 ? ship.fuel : ship.cargo)
      orders[at + ORDER.jettison] = value > 0 ? amount : -amount
      return value > 0 ? amount : 0
    }
  }
}

/** The stored thrust is what was asked for; what fuel allows is found out as the ship flies. The price is an estimate. */
function setThrust(ship: ShipState, orders: Float64Array | number[], at: number, value: number): number {
  const thrust = Math.min(Math.max(value, -MAX_THRUST), MAX_THRUST)
  let { velocity, mass, fuel } = ship
  let cost = 0
  for (let step = 0; step < STEPS && fuel > EPSILON; step++) {
    const planned = planThrust(thrust * DT, velocity, ship.orient, mass, fuel, ship.docked || ship.launched)
    fuel -= planned.cost
    cost += planned.cost
    mass -= planned.cost
    velocity = addPolar(velocity, planned.change)
  }
  orders[at + ORDER.thrust] = thrust
  return cost
}

/** The old model caps the order by the top speed and by fuel at once. */
function setOldThrust(ship: ShipState, orders: Float64Array | number[], at: number, value: number): number {
  const reached = limitSpeed(addPolar(polar(value, ship.orient), ship.velocity), MAX_SPEED)
  const change = subtractPolar(reached, ship.velocity).speed
  let thrust = value <= 0 ? -change : change
  let cost = (Math.abs(thrust) * ship.mass) / (6 * MAX_SPEED * SHIP.hull)
  if (cost > ship.fuel && !ship.docked) {
    cost = ship.fuel
    const affordable = (cost * 6 * MAX_SPEED * SHIP.hull) / ship.mass
    thrust = thrust <= 0 ? -affordable : affordable
  }
  orders[at + ORDER.thrust] = thrust
  return ship.docked ? 0 : cost
}

/** Turning costs the energy of spinning up and down again, which grows with the square of the angle. */
function setTurn(ship: ShipState, orders: Float64Array | number[], at: number, value: number): number {
  let angle = wrapTurn(value)
  const peak = ship.mass * SHIP.radius * SHIP.radius * Math.abs(angle) * Math.abs(angle)
  let cost = ship.docked ? 0 : (2 * peak) / TURN_ENERGY_PER_TON
  const fuel = ship.docked ? ship.fuelCapacity : ship.fuel
  if (cost > fuel) {
    cost = fuel
    // The original forgets the factor 2 here, so that the angle is √2 too large.
    const affordable = Math.sqrt((cost * TURN_ENERGY_PER_TON) / (ship.mass * SHIP.radius * SHIP.radius))
    angle = wrapTurn(angle <= 0 ? -affordable : affordable)
  }
  orders[at + ORDER.turn] = angle
  return cost
}

function setOldTurn(ship: ShipState, orders: Float64Array | number[], at: number, value: number): number {
  let angle = value
  let cost = ship.docked ? 0 : (Math.abs(value) * ship.mass) / (LEGACY_ROTATIONS_PER_TON * TAU * SHIP.hull)
  const fuel = ship.docked ? ship.fuelCapacity : ship.fuel
  if (cost > fuel) {
    cost = fuel
    const affordable = (SHIP.hull * LEGACY_ROTATIONS_PER_TON * TAU * cost) / ship.mass
    angle = value <= 0 ? -affordable : affordable
  }
  orders[at + ORDER.turn] = angle
  return cost
}

/** Whole turns are taken off one by one, which for any angle that can be sent is the remainder. */
function wrapTurn(angle: number): number {
  if (Math.abs(angle) <= PI) return angle
  // Up to a hundred turns as the original does, subtraction by subtraction; beyond, its loop would only take longer.
  if (Math.abs(angle) > 100 * TAU) return wrapTurn(angle % TAU)
  let wrapped = angle
  while (wrapped > PI) wrapped -= TAU
  while (wrapped < -PI) wrapped += TAU
  return wrapped
}

/** The turn's orders: every ship forgets the old ones and takes those its player has given last. */
export function takeOrders(world: VinylWorld): void {
  const { things, players } = world.tables
  for (let row = 0; row < things.count; row++) {
    if (things.kind[row] === KIND.ship && things.leaving[row] === 0) resetOrders(world, row)
  }
  const columns = players as unknown as Readonly<Record<string, Float64Array>>
  for (let player = 0; player < players.count; player++) {
    const team = players.seat[player]
    for (let number = 0; number < SHIPS_PER_TEAM; number++) {
      const row = shipRow(world, team, number)
      for (let kind = 0; kind < ORDERS; kind++) {
        const column = columns[`${ORDER_NAMES[kind].toLowerCase()}${number}`]
        if (row >= 0) applyOrder(world, row, kind, Math.round(column[player] * 1000) / 1000)
        column[player] = 0
      }
    }
    pilotOrders(world, player)
  }
}

function resetOrders(world: VinylWorld, row: number): void {
  const { things } = world.tables
  things.orders.fill(0, row * ORDERS, (row + 1) * ORDERS)
  things.wasDocked[row] = things.docked[row]
  things.launched[row] = 0
}

/** Sets an order of a ship in the world. */
export function applyOrder(world: VinylWorld, row: number, kind: number, value: number): number {
  const { orders } = world.tables.things
  return setOrder(shipState(world, row), orders, row * ORDERS, kind, value, legacy(world.options).motion)
}

/** Playing by hand: the controls held at the start of a turn are orders of the chosen ship. */
function pilotOrders(world: VinylWorld, player: number): void {
  const { players } = world.tables
  const row = shipRow(world, players.seat[player], players.ship[player])
  if (row < 0) return
  if (players.boost[player] !== 0) applyOrder(world, row, ORDER.shield, PILOT.shield)
  if (players.fire[player] !== 0) applyOrder(world, row, ORDER.laser, PILOT.laser)
  if (players.thrust[player] !== 0) applyOrder(world, row, ORDER.thrust, players.thrust[player] * PILOT.thrust)
  if (players.turn[player] !== 0) applyOrder(world, row, ORDER.turn, players.turn[player] * PILOT.turn)
  if (players.dump[player] === 1) applyOrder(world, row, ORDER.jettison, -SHIP.hold)
  if (players.dump[player] === 2) applyOrder(world, row, ORDER.jettison, PILOT.uranium)
}

/** What full deflection of a control orders. */
const PILOT = { shield: 5, laser: 200, thrust: 15, turn: PI / 4, uranium: 5 }
