/** The match: how it ends, and its figures. */

import { players } from 'hurtbox'
import type { Result, Stats } from 'hurtbox/tools'
import { SIDE, SIDE_NAMES } from './content/map.ts'
import type { SiegeWorld } from './declaration.ts'

/** After the end nothing changes any more. The tick in which a nexus falls is played to its end. */
export function isOver({ globals, clock }: SiegeWorld): boolean {
  return globals.winner !== 0 && globals.endedAt !== clock
}

export function result(world: SiegeWorld): Result {
  const { winner } = world.globals
  const summary = [SIDE.blue, SIDE.red].map((side) => `${SIDE_NAMES[side]}: ${list(figuresOf(world, side))}`).join('; ')
  return { over: winner !== 0, ...(winner !== 0 && { winner: SIDE_NAMES[winner] }), summary }
}

function list(figures: Stats): string {
  return Object.entries(figures)
    .map(([name, figure]) => `${name} ${figure}`)
    .join(', ')
}

export function stats(world: SiegeWorld): Stats {
  const minutes = Math.round((world.clock / world.game.declaration.tickRate / 60) * 10) / 10
  const [blue, red] = [figuresOf(world, SIDE.blue), figuresOf(world, SIDE.red)]
  const both = Object.keys(blue).flatMap((name) => [
    [`blue ${name}`, blue[name]],
    [`red ${name}`, red[name]],
  ])
  return { minutes, waves: world.globals.wave, ...Object.fromEntries(both) }
}

/** What a side has done to the other. */
function figuresOf(world: SiegeWorld, side: number): Stats {
  const { championsKilled, towersFelled } = world.arrays
  const own = [...players(world)].filter(({ team }) => team === side)
  const sum = (column: 'lastHits' | 'earned') => own.reduce((total, player) => total + player[column], 0)
  return { kills: championsKilled[side], 'last hits': sum('lastHits'), gold: sum('earned'), towers: towersFelled[side] }
}
