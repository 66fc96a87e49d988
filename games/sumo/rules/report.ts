/** What a match has to say of itself: who won, and what each ability was good for. */

import type { Result, Stats } from 'hurtbox'
import { abilities, type SumoWorld } from './declaration.ts'
import { isOver, leadingPlayer } from './rounds.ts'

/** A phase: counts what this tick brought, by ability. Each step of a combo is a use. */
export function count(world: SumoWorld): void {
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
