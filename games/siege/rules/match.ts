/** The match: how it ends, and the figures one wants to read afterwards. */

import type { Result, Stats } from 'hurtbox'
import { SIDE, SIDE_NAMES } from './content/map.ts'
import type { SiegeWorld } from './declaration.ts'

/** The end is real: nothing changes any more. The tick in which a nexus falls is played to its end. */
export function isOver({ globals, clock }: SiegeWorld): boolean {
  return globals.winner !== 0 && globals.endedAt !== clock
}

export function result(world: SiegeWorld): Result {
  const { winner } = world.globals
  const summary = `${describe(world, SIDE.blue)}; ${describe(world, SIDE.red)}`
  return { over: winner !== 0, ...(winner !== 0 && { winner: SIDE_NAMES[winner] }), summary }
}

export function stats(world: SiegeWorld): Stats {
  const minutes = Math.round((world.clock / world.game.declaration.tickRate / 60) * 10) / 10
  const [blue, red] = [figuresOf(world, SIDE.blue), figuresOf(world, SIDE.red)]
  return {
    minutes,
    waves: world.globals.wave,
    'blue kills': blue.kills,
    'red kills': red.kills,
    'blue last hits': blue.lastHits,
    'red last hits': red.lastHits,
    'blue gold': blue.gold,
    'red gold': red.gold,
    'blue towers': blue.towers,
    'red towers': red.towers,
  }
}

function describe(world: SiegeWorld, side: number): string {
  const { kills, lastHits, gold, towers } = figuresOf(world, side)
  return `${SIDE_NAMES[side]}: kills ${kills}, last hits ${lastHits}, gold ${gold}, towers ${towers}`
}

/** What a side has done to the other. */
function figuresOf(world: SiegeWorld, side: number) {
  const { players } = world.tables
  const { championsKilled, towersFelled } = world.arrays
  let lastHits = 0
  let gold = 0
  for (let player = 0; player < players.count; player++) {
    if (players.team[player] !== side) continue
    lastHits += players.lastHits[player]
    gold += players.earned[player]
  }
  return { kills: championsKilled[side], lastHits, gold, towers: towersFelled[side] }
}
