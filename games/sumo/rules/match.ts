/** The match: when it is over, who won, and what each ability was good for. */

import type { Result, Stats } from 'hurtbox'
import { abilities, STAGE, type SumoWorld } from './declaration.ts'

/** The end is real: nothing changes any more. */
export function isOver(world: SumoWorld): boolean {
  return world.globals.stage === STAGE.over
}

/** A phase: counts what this tick brought, by ability. Each step of a combo is a use. */
export function tally(world: SumoWorld): void {
  const { used, hitting, whiffed, ringOuts } = world.arrays
  const { cast, strike, whiff, ringOut } = world.events
  for (let n = 0; n < cast.count; n++) used[cast.ability[n]]++
  for (let n = 0; n < strike.count; n++) hitting[strike.ability[n]]++
  for (let n = 0; n < whiff.count; n++) whiffed[whiff.ability[n]]++
  for (let n = 0; n < ringOut.count; n++) if (ringOut.ability[n] !== 0) ringOuts[ringOut.ability[n] - 1]++
}

export function result(world: SumoWorld): Result {
  const { players } = world.tables
  const over = isOver(world)
  const leader = leadingPlayer(world)
  const score = Array.from(players.wins.subarray(0, players.count)).join(' : ')
  if (leader < 0) return { over, summary: `round ${world.globals.round}, rounds won ${score}` }
  const summary = `rounds won ${score}, thrown out ${players.thrown[leader]}, fallen ${players.falls[leader]}`
  return { over, winner: `seat ${players.seat[leader]}`, summary }
}

/** What can hit somebody. */
const HITTING: readonly string[] = ['melee', 'projectile', 'area', 'throw']

export function stats(world: SumoWorld): Stats {
  const { used, hitting, whiffed, ringOuts } = world.arrays
  const figures: Record<string, number> = { rounds: world.globals.round }
  for (const { name, number, effects } of abilities.list) {
    figures[`${name} used`] = used[number]
    if (!effects.some(({ kind }) => HITTING.includes(kind))) continue
    figures[`${name} hit`] = hitting[number]
    figures[`${name} whiffed`] = whiffed[number]
    figures[`${name} ring-outs`] = ringOuts[number]
  }
  return figures
}

/** The player with the most rounds won; −1 when several share the lead. */
export function leadingPlayer(world: SumoWorld): number {
  const { players } = world.tables
  let leader = -1
  let isShared = true
  for (let player = 0; player < players.count; player++) {
    if (leader >= 0 && players.wins[player] === players.wins[leader]) isShared = true
    if (leader >= 0 && players.wins[player] <= players.wins[leader]) continue
    leader = player
    isShared = false
  }
  return isShared || players.wins[leader] === 0 ? -1 : leader
}
