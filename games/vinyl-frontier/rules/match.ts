/** The match: when it is over, which team won, and what is left afloat. */

import { each } from 'hurtbox'
import type { Result, Stats } from 'hurtbox/tools'
import type { VinylWorld } from './declaration.ts'
import { stationOf, TEAMS } from './setup.ts'

/** After its last turn a match stands still. */
export function isOver({ globals, options }: VinylWorld): boolean {
  return globals.turn >= options.maxTurns
}

/** Most vinyl at home wins; there is no winner among equals. */
export function result(world: VinylWorld): Result {
  const scores = scoresOf(world)
  const leaders = leadingTeams(world)
  const over = isOver(world)
  const summary = scores.map((score, team) => `${TEAMS[team].station} ${score.toFixed(2)}`).join(', ')
  return leaders.length === 1 ? { over, winner: TEAMS[leaders[0]].station, summary } : { over, summary }
}

/** The teams with the most vinyl at home: several when they are level. */
export function leadingTeams(world: VinylWorld): number[] {
  const scores = scoresOf(world)
  const best = Math.max(...scores)
  return scores.flatMap((score, team) => (score === best ? team : []))
}

function scoresOf(world: VinylWorld): number[] {
  return Array.from({ length: world.options.teams }, (_, team) => stationOf(world, team)?.vinyl ?? 0)
}

export function stats(world: VinylWorld): Stats {
  const { turn, messagesLost } = world.globals
  const rocks = [...each(world, 'asteroid')]
  return {
    turns: turn,
    ships: [...each(world, 'ship')].length,
    asteroids: rocks.length,
    tonsAfloat: rocks.reduce((tons, { mass }) => tons + mass, 0),
    messagesLost,
  }
}
