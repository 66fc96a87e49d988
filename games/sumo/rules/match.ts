/** The match: its end, the winner, and the figures of each ability. */

import { players } from 'hurtbox'
import type { Result, Stats } from 'hurtbox/tools'
import { abilities, STAGE, type SumoPlayer, type SumoWorld } from './declaration.ts'

export function isOver(world: SumoWorld): boolean {
  return world.globals.stage === STAGE.over
}

/** Counts what happened in this tick, by ability. Each step of a combo is a use. */
export function tally(world: SumoWorld): void {
  const { used, hitting, whiffed, ringOuts } = world.arrays
  const { cast, strike, whiff, ringOut } = world.events
  for (let n = 0; n < cast.count; n++) used[cast.ability[n]]++
  for (let n = 0; n < strike.count; n++) hitting[strike.ability[n]]++
  for (let n = 0; n < whiff.count; n++) whiffed[whiff.ability[n]]++
  for (let n = 0; n < ringOut.count; n++) if (ringOut.ability[n] !== 0) ringOuts[ringOut.ability[n] - 1]++
}

export function result(world: SumoWorld): Result {
  const over = isOver(world)
  const leader = leadingPlayer(world)
  const score = Array.from(players(world), ({ wins }) => wins).join(' : ')
  if (leader === undefined) return { over, summary: `round ${world.globals.round}, rounds won ${score}` }
  const { seat, thrown, falls } = leader
  return { over, winner: `seat ${seat}`, summary: `rounds won ${score}, thrown out ${thrown}, fallen ${falls}` }
}

export function stats(world: SumoWorld): Stats {
  const { used, hitting, whiffed, ringOuts } = world.arrays
  const figures: Record<string, number> = { rounds: world.globals.round }
  for (const { name, number, canHit } of abilities.list) {
    figures[`${name} used`] = used[number]
    if (!canHit) continue
    figures[`${name} hit`] = hitting[number]
    figures[`${name} whiffed`] = whiffed[number]
    figures[`${name} ring-outs`] = ringOuts[number]
  }
  return figures
}

/** The player with the most rounds won; undefined when several share the lead. */
export function leadingPlayer(world: SumoWorld): SumoPlayer | undefined {
  let leader: SumoPlayer | undefined
  let most = 0
  for (const player of players(world)) {
    if (player.wins === most) leader = undefined
    if (player.wins <= most) continue
    leader = player
    most = player.wins
  }
  return leader
}
