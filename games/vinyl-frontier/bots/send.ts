/**
 * Orders as a team sends them.
 *
 * A team sets orders one after another, so that a later thrust takes back an earlier turn and fuel caps what it asks
 * for; the five numbers that remain are cut to thousandths and sent. The ship then takes them in its fixed order, not in
 * the order they were given in.
 */

import type { GivenOrder } from '../rules/crew.ts'
import { legacy, ORDERS, orderField, SHIPS_PER_TEAM, type VinylWorld } from '../rules/declaration.ts'
import { asSent, setOrder } from '../rules/orders.ts'
import { shipOf } from '../rules/setup.ts'

/** The input of a player: `thrust0`, `laser3` and so on. */
export type OrderInput = Readonly<Record<string, number>>

/** What arrives of the orders of one team. Orders to ships that are gone are dropped. */
export function sendOrders(world: VinylWorld, team: number, given: readonly GivenOrder[]): OrderInput {
  const input: Record<string, number> = {}
  const { motion } = legacy(world.options)
  for (let number = 0; number < SHIPS_PER_TEAM; number++) {
    const own = given.filter((order) => order.ship === number)
    const ship = own.length === 0 ? undefined : shipOf(world, team, number)
    if (ship === undefined) continue
    const orders = new Map<number, number>()
    for (const { kind, value } of own) setOrder(ship, orders, kind, value, motion)
    for (let kind = 0; kind < ORDERS; kind++) input[orderField(kind, number)] = asSent(orders.get(kind) ?? 0)
  }
  return input
}
