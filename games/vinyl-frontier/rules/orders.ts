/**
 * Orders: five numbers per ship and turn, checked and capped when they are set.
 *
 * A ship takes them in a fixed order, and thrust, turn and jettison exclude each other: the later one wins. So jettison
 * beats turn beats thrust. Setting an order returns its price in fuel.
 */

import { each } from 'hurtbox'
import { clamp, PI, TAU } from 'hurtbox/math'
import { crewOrders, TASK_NAMES } from './crew.ts'
import {
  ASTEROID,
  DT,
  EPSILON,
  LASER,
  LEGACY_ROTATIONS_PER_TON,
  legacy,
  MAX_SPEED,
  MAX_THRUST,
  massOf,
  ORDER,
  ORDERS,
  orderField,
  SHIP,
  SHIPS_PER_TEAM,
  STEPS,
  TURN_ENERGY_PER_TON,
  type VinylThing,
  type VinylWorld,
} from './declaration.ts'
import { shipOf } from './setup.ts'
import { planThrust } from './thrust.ts'
import { addPolar, limitSpeed, type Polar, polar, subtractPolar } from './torus.ts'

/** Where orders are written: those of a ship, or those that a team is about to send. */
type Orders = { set(kind: number, value: number): unknown }

/** A number as it arrives: whole thousandths, cut off toward zero. */
export function asSent(value: number): number {
  return Math.trunc(value * 1000) / 1000 + 0
}

/**
 * Sets an order of a ship among the five in `orders`; returns what it will cost in fuel. `oldMotion`: thrust and turning of
 * `--legacy-mode`.
 */
export function setOrder(ship: VinylThing, orders: Orders, kind: number, value: number, oldMotion: boolean): number {
  switch (kind) {
    case ORDER.shield: {
      const wanted = Math.min(Math.max(value, 0), SHIP.shieldCapacity - ship.shield)
      const points = Math.min(wanted, ship.fuel)
      orders.set(ORDER.shield, points)
      return points
    }
    case ORDER.laser: {
      // A docked ship keeps the order it had: it is only refused a new one.
      if (isDocked(ship)) return 0
      const length = clamp(value, 0, LASER.maxLength)
      const cost = length / LASER.rangePerTon
      const isShort = cost > ship.fuel
      orders.set(ORDER.laser, isShort ? ship.fuel * LASER.rangePerTon : length)
      return isShort ? ship.fuel : cost
    }
    case ORDER.thrust:
      // Zero does not take an earlier thrust back.
      if (value === 0) return 0
      orders.set(ORDER.turn, 0)
      orders.set(ORDER.jettison, 0)
      return oldMotion ? setOldThrust(ship, orders, value) : setThrust(ship, orders, value)
    case ORDER.turn:
      if (value === 0) return 0
      orders.set(ORDER.thrust, 0)
      orders.set(ORDER.jettison, 0)
      return oldMotion ? setOldTurn(ship, orders, value) : setTurn(ship, orders, value)
    default: {
      const wanted = Math.abs(value)
      orders.set(ORDER.jettison, 0)
      if (wanted < ASTEROID.minMass) return 0
      orders.set(ORDER.thrust, 0)
      orders.set(ORDER.turn, 0)
      const amount = Math.min(wanted, value > 0 ? ship.fuel : ship.cargo)
      orders.set(ORDER.jettison, value > 0 ? amount : -amount)
      return value > 0 ? amount : 0
    }
  }
}

/** The stored thrust is what was asked for; fuel limits it as the ship flies. The price is an estimate. */
function setThrust(ship: VinylThing, orders: Orders, value: number): number {
  const thrust = clamp(value, -MAX_THRUST, MAX_THRUST)
  const isFree = isDocked(ship) || ship.launched === 1
  let { fuel } = ship
  let mass = massOf(ship)
  let velocity: Polar = ship
  let cost = 0
  for (let step = 0; step < STEPS && fuel > EPSILON; step++) {
    const planned = planThrust(thrust * DT, velocity, ship.orient, mass, fuel, isFree)
    fuel -= planned.cost
    cost += planned.cost
    mass -= planned.cost
    velocity = addPolar(velocity, planned.change, reached)
  }
  orders.set(ORDER.thrust, thrust)
  return cost
}

const reached = { speed: 0, heading: 0 }

/** The old model caps the order by the top speed and by fuel at once. */
function setOldThrust(ship: VinylThing, orders: Orders, value: number): number {
  const reached = limitSpeed(addPolar(polar(value, ship.orient), ship), MAX_SPEED)
  const change = subtractPolar(reached, ship).speed
  let thrust = value <= 0 ? -change : change
  let cost = (Math.abs(thrust) * massOf(ship)) / (6 * MAX_SPEED * SHIP.hull)
  if (cost > ship.fuel && !isDocked(ship)) {
    cost = ship.fuel
    const affordable = (cost * 6 * MAX_SPEED * SHIP.hull) / massOf(ship)
    thrust = thrust <= 0 ? -affordable : affordable
  }
  orders.set(ORDER.thrust, thrust)
  return isDocked(ship) ? 0 : cost
}

/** Turning costs the energy of spinning up and down again, which grows with the square of the angle. */
function setTurn(ship: VinylThing, orders: Orders, value: number): number {
  let angle = wrapTurn(value)
  const peak = massOf(ship) * SHIP.radius * SHIP.radius * Math.abs(angle) * Math.abs(angle)
  let cost = isDocked(ship) ? 0 : (2 * peak) / TURN_ENERGY_PER_TON
  const fuel = isDocked(ship) ? ship.fuelCapacity : ship.fuel
  if (cost > fuel) {
    cost = fuel
    // The original forgets the factor 2 here, so that the angle is √2 too large.
    const affordable = Math.sqrt((cost * TURN_ENERGY_PER_TON) / (massOf(ship) * SHIP.radius * SHIP.radius))
    angle = wrapTurn(angle <= 0 ? -affordable : affordable)
  }
  orders.set(ORDER.turn, angle)
  return cost
}

function setOldTurn(ship: VinylThing, orders: Orders, value: number): number {
  let angle = value
  let cost = isDocked(ship) ? 0 : (Math.abs(value) * massOf(ship)) / (LEGACY_ROTATIONS_PER_TON * TAU * SHIP.hull)
  const fuel = isDocked(ship) ? ship.fuelCapacity : ship.fuel
  if (cost > fuel) {
    cost = fuel
    const affordable = (SHIP.hull * LEGACY_ROTATIONS_PER_TON * TAU * cost) / massOf(ship)
    angle = value <= 0 ? -affordable : affordable
  }
  orders.set(ORDER.turn, angle)
  return cost
}

/** Whole turns are taken off one by one, which for any angle that can be sent is the remainder. */
function wrapTurn(angle: number): number {
  if (Math.abs(angle) <= PI) return angle
  // As the original does; beyond a hundred turns its loop would only take longer.
  if (Math.abs(angle) > 100 * TAU) return wrapTurn(angle % TAU)
  let wrapped = angle
  while (wrapped > PI) wrapped -= TAU
  while (wrapped < -PI) wrapped += TAU
  return wrapped
}

function isDocked({ docked }: VinylThing): boolean {
  return docked === 1
}

/** The turn's orders: every ship forgets the old ones and takes the latest of its player. */
export function takeOrders(world: VinylWorld): void {
  for (const ship of each(world, 'ship')) {
    for (let kind = 0; kind < ORDERS; kind++) ship.orders.set(kind, 0)
    ship.wasDocked = ship.docked
    ship.launched = 0
  }
  // By columns: `players` would leave out a player that leaves in this tick, whose last orders still count.
  const { players } = world.tables
  const inputs = players as unknown as Readonly<Record<string, Float64Array>>
  for (let player = 0; player < players.count; player++) {
    let ordered = 0
    for (let number = 0; number < SHIPS_PER_TEAM; number++) {
      const ship = shipOf(world, players.seat[player], number)
      for (let kind = 0; kind < ORDERS; kind++) {
        const input = inputs[orderField(kind, number)]
        if (input[player] !== 0) ordered |= 1 << number
        if (ship !== undefined) applyOrder(world, ship, kind, Math.round(input[player] * 1000) / 1000)
        input[player] = 0
      }
    }
    pilotOrders(world, player)
    if (players.byHand[player] !== 0) standingOrders(world, player, ordered)
  }
}

/** Notes which players play by hand, and gives the tasks they ask for. In every tick: a press lasts for one. */
export function giveTasks(world: VinylWorld): void {
  const { players } = world.tables
  for (let player = 0; player < players.count; player++) {
    const { seat, ship, task, taskForAll, dump } = players
    const isChosen = task[player] + taskForAll[player] + ship[player] + dump[player] > 0
    if (isChosen || isSteered(world, player)) players.byHand[player] = 1
    const chosen = shipOf(world, seat[player], ship[player])
    if (chosen === undefined) continue
    chosen.task = (chosen.task + task[player]) % TASK_NAMES.length
    if (taskForAll[player] === 0) continue
    for (let number = 0; number < SHIPS_PER_TEAM; number++) {
      const mate = shipOf(world, seat[player], number)
      if (mate !== undefined) mate.task = chosen.task
    }
  }
}

function isSteered({ tables: { players } }: VinylWorld, player: number): boolean {
  const { boost, fire, thrust, turn } = players
  return boost[player] !== 0 || fire[player] !== 0 || thrust[player] !== 0 || turn[player] !== 0
}

/** The ships that are neither flown by hand nor have orders of their own do what their crews are there for. */
function standingOrders(world: VinylWorld, player: number, ordered: number): void {
  const { seat, ship: chosen } = world.tables.players
  const taken = new Set<VinylThing>()
  for (let number = 0; number < SHIPS_PER_TEAM; number++) {
    const ship = shipOf(world, seat[player], number)
    if (ship === undefined || number === chosen[player] || (ordered & (1 << number)) !== 0) continue
    for (const { kind, value } of crewOrders(world, ship, ship.task, taken)) applyOrder(world, ship, kind, value)
  }
}

/** Sets an order of a ship in the world. */
export function applyOrder(world: VinylWorld, ship: VinylThing, kind: number, value: number): number {
  return setOrder(ship, ship.orders, kind, value, legacy(world.options).motion)
}

/** Playing by hand: the controls held at the start of a turn are orders of the chosen ship. */
function pilotOrders(world: VinylWorld, player: number): void {
  const { players } = world.tables
  const ship = shipOf(world, players.seat[player], players.ship[player])
  if (ship === undefined) return
  for (const { input, order, full } of PILOT) {
    if (players[input][player] !== 0) applyOrder(world, ship, order, players[input][player] * full)
  }
  const dump = players.dump[player]
  if (dump !== 0) applyOrder(world, ship, ORDER.jettison, dump === 1 ? -SHIP.hold : 5)
}

/** What full deflection of a control orders. */
const PILOT = [
  { input: 'boost', order: ORDER.shield, full: 5 },
  { input: 'fire', order: ORDER.laser, full: 200 },
  { input: 'thrust', order: ORDER.thrust, full: 15 },
  { input: 'turn', order: ORDER.turn, full: PI / 4 },
] as const
