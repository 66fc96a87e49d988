/** The match: how it ends, and the figures one wants to read afterwards. */

import type { Phase, Result, Stats } from 'hurtbox'
import { SIDE, SIDE_NAMES } from './content/map.ts'
import type { declaration, SiegeWorld } from './declaration.ts'

type Phases = Readonly<Record<string, Phase<typeof declaration>>>

/** The end is real: the phases of a match that is over do nothing, and its last picture stands. */
export function untilTheEnd(phases: Phases): Phases {
  const whileItLasts = (phase: Phase<typeof declaration>): Phase<typeof declaration> =>
    Object.assign(
      (world: SiegeWorld) => {
        if (world.globals.winner === 0 || world.globals.endedAt === world.clock) phase(world)
      },
      phase.prepare === undefined ? {} : { prepare: phase.prepare },
    )
  return Object.fromEntries(Object.entries(phases).map(([name, phase]) => [name, whileItLasts(phase)]))
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
