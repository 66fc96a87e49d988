/**
 * A team: what a player made of code is to this game. Once a turn it looks at the world and gives orders.
 *
 * A team is a pure function of the world, its number and a seed, like every bot; see `docs` in this folder's README for
 * how to write one.
 */

import type { Bot } from 'hurtbox'
import type { GivenOrder } from '../rules/crew.ts'
import { type declaration, ORDER, type VinylWorld } from '../rules/declaration.ts'
import { sendOrders } from './send.ts'

export type Team = {
  readonly name: string
  /** One sentence: how it plays. */
  readonly about: string
  /** The orders of this turn for ships 0 … 3. Teams count from 0. */
  turn(world: VinylWorld, team: number, seed: number): readonly GivenOrder[]
}

export const thrust = (ship: number, speed: number): GivenOrder => ({ ship, kind: ORDER.thrust, value: speed })
export const turn = (ship: number, radians: number): GivenOrder => ({ ship, kind: ORDER.turn, value: radians })
export const laser = (ship: number, length: number): GivenOrder => ({ ship, kind: ORDER.laser, value: length })
export const shield = (ship: number, points: number): GivenOrder => ({ ship, kind: ORDER.shield, value: points })
export const dumpVinyl = (ship: number, tons: number): GivenOrder => ({ ship, kind: ORDER.jettison, value: -tons })
export const dumpUranium = (ship: number, tons: number): GivenOrder => ({ ship, kind: ORDER.jettison, value: tons })

/** The bot that plays a team from its seat: it gives orders in the ticks in which they are taken. */
export function botOf(team: Team): Bot<typeof declaration> {
  return {
    name: team.name,
    about: team.about,
    think(world, { seat }, seed) {
      const { step, turn: turnsDone } = world.globals
      // The first turn has no orders: no team has seen the world yet.
      if (step !== 0 || turnsDone === 0) return {}
      return sendOrders(world, seat, team.turn(world, seat, seed))
    },
  }
}

export const idle: Team = {
  name: 'idle',
  about: 'stays in its dock',
  turn: () => [],
}
