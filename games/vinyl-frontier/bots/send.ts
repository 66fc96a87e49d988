/**
 * Orders as a team sends them.
 *
 * A team sets orders one after another, so that a later thrust takes back an earlier turn and fuel caps what it asks
 * for; the five numbers that remain are cut to thousandths and sent. The ship then takes them in its fixed order,
 * whatever order they were given in.
 */

import { legacy, ORDER_NAMES, ORDERS, SHIPS_PER_TEAM, type VinylWorld } from '../rules/declaration.ts'
import { asSent, setOrder, shipState } from '../rules/orders.ts'
import { shipRow } from '../rules/setup.ts'

export type GivenOrder = { readonly ship: number; readonly kind: number; readonly value: number }
/** The input of a player: `thrust0`, `laser3` and so on. */
export type OrderInput = Readonly<Record<string, number>>

/** What arrives of the orders of one team. Orders to ships that are gone are dropped. */
export function sendOrders(world: VinylWorld, team: number, given: readonly GivenOrder[]): OrderInput {
  const input: Record<string, number> = {}
  const { motion } = legacy(world.options)
  for (let ship = 0; ship < SHIPS_PER_TEAM; ship++) {
    const own = given.filter((order) => order.ship === ship)
    const row = own.length === 0 ? -1 : shipRow(world, team, ship)
    if (row < 0) continue
    const state = shipState(world, row)
    const orders = new Array<number>(ORDERS).fill(0)
    for (const { kind, value } of own) setOrder(state, orders, 0, kind, value, motion)
    for (let kind = 0; kind < ORDERS; kind++) input[orderField(kind, ship)] = asSent(orders[kind])
  }
  return input
}

function orderField(kind: number, ship: number): string {
  return `${ORDER_NAMES[kind].toLowerCase()}${ship}`
}
