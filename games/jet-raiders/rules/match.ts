/** The match: scores, its end, and the winner. */

import { emit, eventsOf, playerOf, players } from 'hurtbox'
import { leader as ahead } from 'hurtbox/match'
import { toTicks } from 'hurtbox/math'
import type { Result, Stats } from 'hurtbox/tools'
import { combat, declaration, type JetPlayer, type JetWorld } from './declaration.ts'

/** A ship that dies so soon after it appeared had no chance: two seconds, in ticks. */
const EARLY = toTicks(2, declaration.tickRate)

/** The length of a match in ticks; infinite for a match without end. */
function matchTicks({ options: { matchSeconds } }: JetWorld): number {
  return matchSeconds === 0 ? Number.POSITIVE_INFINITY : toTicks(matchSeconds, declaration.tickRate)
}

/** The end is real: nothing changes any more. */
export function isOver(world: JetWorld): boolean {
  return world.clock >= matchTicks(world)
}

/** Counts the kills of this tick. Dying never scores: ships cannot kill themselves. */
export function tally(world: JetWorld): void {
  const { damageTaken } = world.arrays
  for (const { shooter } of eventsOf(world, 'hit')) {
    const player = playerOf(world, shooter)
    if (player !== undefined) player.hits++
  }
  for (const { attacker, victim } of eventsOf(world, 'kill')) {
    const [killer, killed] = [playerOf(world, attacker), playerOf(world, victim)]
    if (killer !== undefined) killer.score++
    if (killed === undefined) continue
    killed.deaths++
    if (world.clock - killed.thing!.appearedAt < EARLY) killed.earlyDeaths++
  }
  for (const { type, taken } of eventsOf(world, 'damage')) damageTaken[type] += taken
}

/** Emits the end, in the last tick of the match. */
export function judge(world: JetWorld): void {
  if (world.clock + 1 === matchTicks(world)) emit(world, 'matchOver', { winner: leader(world)?.thing ?? 0 })
}

export function result(world: JetWorld): Result {
  const over = isOver(world)
  const first = leader(world)
  if (first === undefined) {
    return { over, summary: world.tables.players.count === 0 ? 'nobody plays' : 'nobody is ahead' }
  }
  return { over, winner: `seat ${first.seat}`, summary: `kills ${first.score}, deaths ${first.deaths}` }
}

export function stats(world: JetWorld): Stats {
  const { damageTaken } = world.arrays
  const sum = { shots: 0, hits: 0, kills: 0, 'early deaths': 0 }
  for (const { shots, hits, score, earlyDeaths } of players(world)) {
    sum.shots += shots
    sum.hits += hits
    sum.kills += score
    sum['early deaths'] += earlyDeaths
  }
  return { ...sum, ...Object.fromEntries(combat.typeNames.map((name, type) => [`damage ${name}`, damageTaken[type]])) }
}

/** Most kills lead, among equals fewest deaths; there is no leader while two are level. */
export function leader(world: JetWorld): JetPlayer | undefined {
  return ahead(players(world), (one, other) => one.score - other.score || other.deaths - one.deaths)
}
