/** The match: when it is over, who won, and what is left afloat. */

import type { Result, Stats } from 'hurtbox'
import { KIND, type VinylWorld } from './declaration.ts'
import { stationRow, TEAMS } from './setup.ts'

/** Most vinyl at home wins; there is no winner among equals. */
export function result(world: VinylWorld): Result {
  const { globals, options, tables } = world
  const scores = Array.from({ length: options.teams }, (_, team) => tables.things.vinyl[stationRow(world, team)] ?? 0)
  const best = Math.max(...scores)
  const leaders = scores.flatMap((score, team) => (score === best ? [team] : []))
  const over = globals.turn >= options.maxTurns
  const summary = scores.map((score, team) => `${TEAMS[team].station} ${score.toFixed(2)}`).join(', ')
  return leaders.length === 1 ? { over, winner: TEAMS[leaders[0]].station, summary } : { over, summary }
}

export function stats(world: VinylWorld): Stats {
  const { things } = world.tables
  const figures: Record<string, number> = { turns: world.globals.turn, ships: 0, asteroids: 0, tonsAfloat: 0 }
  for (let row = 0; row < things.count; row++) {
    if (things.kind[row] === KIND.ship) figures.ships++
    if (things.kind[row] !== KIND.asteroid) continue
    figures.asteroids++
    figures.tonsAfloat += things.mass[row]
  }
  return { ...figures, messagesLost: world.globals.messagesLost }
}
