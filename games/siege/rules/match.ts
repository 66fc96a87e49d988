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
  const sides = [SIDE.blue, SIDE.red].map((side) => {
    const figures = Object.entries(figuresOf(world, side)).map((figure) => figure.join(' '))
    return `${SIDE_NAMES[side]}: ${figures.join(', ')}`
  })
  return { over: winner !== 0, ...(winner !== 0 && { winner: SIDE_NAMES[winner] }), summary: sides.join('; ') }
}

export function stats(world: SiegeWorld): Stats {
  const minutes = Math.round((world.clock / world.game.declaration.tickRate / 60) * 10) / 10
  const stats: Record<string, number> = { minutes, waves: world.globals.wave }
  const [blue, red] = [figuresOf(world, SIDE.blue), figuresOf(world, SIDE.red)]
  for (const name of Object.keys(blue)) {
    stats[`blue ${name}`] = blue[name]
    stats[`red ${name}`] = red[name]
  }
  return stats
}

/** What a side has done to the other. */
function figuresOf(world: SiegeWorld, side: number): Stats {
  const { championsKilled, towersFelled } = world.arrays
  const own = [...players(world)].filter(({ team }) => team === side)
  const sum = (column: 'lastHits' | 'earned') => own.reduce((total, player) => total + player[column], 0)
  return { kills: championsKilled[side], 'last hits': sum('lastHits'), gold: sum('earned'), towers: towersFelled[side] }
}
