/**
 * Orders as a team at a distance sends them.
 *
 * A team has its own copy of the world, in which every number is cut to thousandths. It sets orders there, one after
 * another, so that a later thrust takes back an earlier turn and fuel caps what it asks for; the five numbers that
 * remain are cut again and sent. The ship then takes them in its fixed order, whatever order they were given in.
 */

import { ORDER_NAMES, ORDERS, SHIPS_PER_TEAM, type VinylWorld } from '../rules/declaration.ts'
import { asSent, type ShipState, setOrder, shipState } from '../rules/orders.ts'
import { shipRow } from '../rules/setup.ts'

export type GivenOrder = { readonly ship: number; readonly kind: number; readonly value: number }
/** The input of a player: `thrust0`, `laser3` and so on. */
export type OrderInput = Readonly<Record<string, number>>

/** What arrives of the orders of one team. Orders to ships that are gone are dropped. */
export function sendOrders(world: VinylWorld, team: number, given: readonly GivenOrder[]): OrderInput {
  return collect(given, (ship) => {
    const row = shipRow(world, team, ship)
    return row < 0 ? undefined : remote(shipState(world, row))
  })
}

/** The same without the copy: only later orders take back earlier ones. What a ship can pay for it finds out itself. */
export function handOver(given: readonly GivenOrder[]): OrderInput {
  return collect(given, () => BOUNDLESS)
}

function collect(given: readonly GivenOrder[], stateOf: (ship: number) => ShipState | undefined): OrderInput {
  const input: Record<string, number> = {}
  for (let ship = 0; ship < SHIPS_PER_TEAM; ship++) {
    const own = given.filter((order) => order.ship === ship)
    const state = own.length === 0 ? undefined : stateOf(ship)
    if (state === undefined) continue
    const orders = new Array<number>(ORDERS).fill(0)
    for (const { kind, value } of own) setOrder(state, orders, 0, kind, asSent(value), false)
    for (let kind = 0; kind < ORDERS; kind++) input[orderField(kind, ship)] = asSent(orders[kind])
  }
  return input
}

export function orderField(kind: number, ship: number): string {
  return `${ORDER_NAMES[kind].toLowerCase()}${ship}`
}

function remote(state: ShipState): ShipState {
  const { velocity } = state
  return {
    ...state,
    velocity: { speed: asSent(velocity.speed), heading: asSent(velocity.heading) },
    orient: asSent(state.orient),
    mass: asSent(state.mass),
    fuel: asSent(state.fuel),
    cargo: asSent(state.cargo),
    shield: asSent(state.shield),
  }
}

const BOUNDLESS: ShipState = {
  velocity: { speed: 0, heading: 0 },
  orient: 0,
  mass: 1,
  fuel: 1e9,
  fuelCapacity: 1e9,
  cargo: 1e9,
  shield: 0,
  docked: false,
  launched: false,
}
