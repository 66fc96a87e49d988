/** Two figures of Nightfall: how long its bot lasts, and what full rules cost on top of detection. */

import { apart, type Figure, unequal } from './figure.ts'
import { parseLines, run } from './run.ts'

/** How long the bot survived, as `minutes:seconds`, or `dawn`; by seed. */
export type NightsResult = Readonly<Record<string, string>>

/** Medians, in ms. */
export type StormResult = { readonly detection: number; readonly tick: number }

type Summary = {
  readonly ticks: number
  readonly result: { readonly winner?: string; readonly summary?: string }
}

const NIGHTS = 10

export const nights: Figure<NightsResult> = {
  name: 'nights',
  command: 'npx hurtbox run nightfall --bots 1 --seed <n>',
  isLong: true,
  async measure(log) {
    const survived: Record<string, string> = {}
    for (let seed = 1; seed <= NIGHTS; seed++) {
      log(`seed ${seed}`)
      survived[seed] = await play(seed)
    }
    return survived
  },
  differences: (saved, now) => unequal('night', saved, now),
}

async function play(seed: number): Promise<string> {
  const printed = await run(`npx hurtbox run nightfall --bots 1 --seed ${seed} --json`)
  const { winner, summary = '' } = parseLines<Summary>(printed).at(-1)!.result
  return winner === 'night' ? summary.split(' ')[0] : 'dawn'
}

export const storm: Figure<StormResult> = {
  name: 'storm',
  command: 'node games/nightfall/bench/storm.ts',
  async measure() {
    const printed = await run('node games/nightfall/bench/storm.ts')
    const ms = (what: string) => Number(printed.match(new RegExp(`^${what} +([\\d.]+) ms`, 'm'))?.[1])
    return { detection: ms('bare detection'), tick: ms('whole tick') }
  },
  differences: (saved, now) => apart('ratio of a tick to detection', ratioOf(saved), ratioOf(now), 1.3),
}

export function ratioOf({ detection, tick }: StormResult): number {
  return tick / detection
}
