/**
 * The four visual checks at the end of the seed's document, as scenes: to watch, to play in, and to ask `why` about.
 *
 * `scenarios.ts` plays them and says in words what came out.
 */

import type { Scene } from 'hurtbox'
import type { Control, TickInputs } from 'hurtbox/tools'
import type { declaration } from '../rules/declaration.ts'
import { siege as game } from '../rules/index.ts'

type Inputs = TickInputs<typeof declaration>
const NO_WAVES = { firstWave: 600 }

/** When the champions of the first check have got to their places and turn around, and where those are. */
export const TURN_TICK = 180
export const CORNERS = [
  { x: -300, y: -300 },
  { x: 300, y: 300 },
] as const

/** A champion of each side goes to its corner; then each walks straight to the corner of the other. */
function walkAtEachOther(tick: number): Inputs {
  if (tick === 0) return { controls: [1, 2].map((team, seat): Control => ({ control: 'join', seat, team })) }
  const isBack = tick >= TURN_TICK
  if (tick !== 1 && tick !== TURN_TICK) return {}
  return { players: [0, 1].map((seat) => ({ seat, order: 'move' as const, go: CORNERS[isBack ? 1 - seat : seat] })) }
}

/** A champion walks up and down the middle lane, where its own waves come through. */
function walkAgainstWaves(tick: number): Inputs {
  if (tick === 0) return { controls: [{ control: 'join', seat: 0, team: 1 }] }
  if (tick % 45 !== 1) return {}
  const go = tick % 90 === 1 ? { x: -750, y: 750 } : { x: -1080, y: 1080 }
  return { players: [{ seat: 0, order: 'move', go }] }
}

function nobody(): Inputs {
  return {}
}

const scene = (name: string, about: string, ticks: number, inputs: (tick: number) => Inputs): Scene => {
  return { name, about, game, seed: 1, ticks, inputs: inputs as Scene['inputs'] & {} }
}

export const checks: readonly Scene[] = [
  {
    ...scene(
      'check-1',
      'champions do not walk through each other: two that walk straight at each other',
      330,
      walkAtEachOther,
    ),
    tuning: NO_WAVES,
  },
  {
    ...scene('check-2', 'minions spread out instead of stacking: thirty that start on one spot', 90, nobody),
    tuning: NO_WAVES,
    options: { heap: 30 },
  },
  {
    ...scene(
      'check-3',
      'champions push minions more than the reverse: one against the stream of its own waves',
      360,
      walkAgainstWaves,
    ),
    tuning: { firstWave: 4, waveEvery: 2 },
  },
  {
    ...scene(
      'check-4',
      'units do not get stuck on towers: the first waves, past the towers on their lane lines',
      330,
      nobody,
    ),
    tuning: { firstWave: 1, waveEvery: 600 },
  },
]
