/** The match: who has done what, when it is over, and who won. */

import { emit, playerOf, type Result, type Stats, toTicks } from 'hurtbox'
import { combat, declaration, type JetWorld } from './declaration.ts'

/** The length of a match in ticks; no number is as large as one without end. */
function matchTicks({ options: { matchSeconds } }: JetWorld): number {
  return matchSeconds === 0 ? Number.POSITIVE_INFINITY : toTicks(matchSeconds, declaration.tickRate)
}

/** The end is real: nothing changes any more. */
export function isOver(world: JetWorld): boolean {
  return world.clock >= matchTicks(world)
}

/** Counts what this tick brought. Nobody scores by dying: ships cannot kill themselves. */
export function tally(world: JetWorld): void {
  const { players } = world.tables
  const { damageTaken } = world.arrays
  const { hit, kill, damage } = world.events
  for (let n = 0; n < hit.count; n++) {
    const shooter = playerOf(world, hit.shooter[n])
    if (shooter >= 0) players.hits[shooter]++
  }
  for (let n = 0; n < kill.count; n++) {
    const [killer, victim] = [playerOf(world, kill.attacker[n]), playerOf(world, kill.victim[n])]
    if (killer >= 0) players.score[killer]++
    if (victim >= 0) players.deaths[victim]++
  }
  for (let n = 0; n < damage.count; n++) damageTaken[damage.type[n]] += damage.taken[n]
}

/** Tells the end, in the last tick of the match. */
export function judge(world: JetWorld): void {
  if (world.clock + 1 !== matchTicks(world)) return
  const winner = leader(world)
  emit(world.events.matchOver, { winner: winner < 0 ? 0 : world.tables.players.thing[winner] })
}

export function result(world: JetWorld): Result {
  const { players } = world.tables
  const over = isOver(world)
  const first = leader(world)
  if (first < 0) return { over, summary: players.count === 0 ? 'nobody plays' : 'nobody is ahead' }
  const [seat, kills, deaths] = [players.seat[first], players.score[first], players.deaths[first]]
  return { over, winner: `seat ${seat}`, summary: `kills ${kills}, deaths ${deaths}` }
}

export function stats(world: JetWorld): Stats {
  const { players } = world.tables
  const { damageTaken } = world.arrays
  const sum = (column: Uint32Array) => column.subarray(0, players.count).reduce((total, value) => total + value, 0)
  return {
    shots: sum(players.shots),
    hits: sum(players.hits),
    kills: sum(players.score),
    ...Object.fromEntries(combat.typeNames.map((name, type) => [`damage ${name}`, damageTaken[type]])),
  }
}

/** Most kills lead, among equals fewest deaths; −1 while two are level at the top. */
function leader(world: JetWorld): number {
  const { count, score, deaths } = world.tables.players
  let best = -1
  let isTied = false
  for (let player = 0; player < count; player++) {
    const ahead = best < 0 ? 1 : score[player] - score[best] || deaths[best] - deaths[player]
    if (ahead >= 0) isTied = ahead === 0
    if (ahead > 0) best = player
  }
  return isTied ? -1 : best
}
