/** How a match begins: who sits where, and the seed. */

import type { LoadedModule } from 'hurtbox/module'
import type { MatchSetup, Seat } from '../sim/protocol.ts'

/** A setup with the seats of the game's seating; `ownSeat` −1 leaves all of them to bots. */
export function setupFor(module: LoadedModule, seed: number, ownSeat: number): MatchSetup {
  const seats = Array.from({ length: module.seats }, (_, seat): Seat => {
    const bot = seat === ownSeat ? -1 : botFor(module, seat)
    return { seat, team: module.teamOf(seat), bot }
  })
  return { game: module.id, scene: '', seed, seats }
}

/** The place in the game's list of the bot that plays a seat nobody has. */
export function botFor({ bots, botOf }: LoadedModule, seat: number): number {
  const bot = botOf(seat)
  return bot === undefined ? 0 : bots.indexOf(bot)
}

export function randomSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] % 1_000_000
}
