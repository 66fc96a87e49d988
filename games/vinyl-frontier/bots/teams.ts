/** Teams of crews: all mine, or some hunt. */

import { each } from 'hurtbox'
import { crewOrders, type GivenOrder, TASK } from '../rules/crew.ts'
import type { VinylThing, VinylWorld } from '../rules/declaration.ts'
import { SHIPS_PER_TEAM } from '../rules/declaration.ts'
import { shipOf } from '../rules/setup.ts'
import { distance } from '../rules/torus.ts'
import type { Team } from './team.ts'

/** Mines, and shoots at enemies that fly into its sights. */
export const miner: Team = {
  name: 'miner',
  about: 'mines, delivers, and shoots at what comes into its sights',
  turn: (world, team) => ordersOf(world, team, () => TASK.mine),
}

/** Two mine and two hunt; a miner that meets a loaded enemy and has the fuel for it hunts, too. */
export const raider: Team = {
  name: 'raider',
  about: 'mines and delivers with two ships and hunts with the other two; a loaded enemy near by is hunted by all',
  turn: (world, team) =>
    ordersOf(world, team, (ship) => (ship.number >= HUNTERS_FROM || isPreyNear(world, ship) ? TASK.hunt : TASK.mine)),
}

function ordersOf(world: VinylWorld, team: number, taskOf: (ship: VinylThing) => number): GivenOrder[] {
  const taken = new Set<VinylThing>()
  const orders: GivenOrder[] = []
  for (let number = 0; number < SHIPS_PER_TEAM; number++) {
    const ship = shipOf(world, team, number)
    if (ship !== undefined) orders.push(...crewOrders(world, ship, taskOf(ship), taken))
  }
  return orders
}

const HUNTERS_FROM = 2
const PREY_NEAR = 200
const PREY_CARGO = 8
const PREY_FUEL = 18

function isPreyNear(world: VinylWorld, ship: VinylThing): boolean {
  if (ship.fuel < PREY_FUEL || ship.docked === 1) return false
  for (const foe of each(world, 'ship')) {
    const isPrey = foe.team !== ship.team && foe.dead === 0 && foe.docked === 0 && foe.cargo >= PREY_CARGO
    if (isPrey && distance(ship, foe) < PREY_NEAR) return true
  }
  return false
}
