/** The five games, each played by bots to its end: the hash of the last state, and the winner. */

import { type Figure, unequal } from './figure.ts'
import { parseLines, run } from './run.ts'

export type GamesResult = Readonly<Record<string, MatchResult>>

type MatchResult = {
  readonly command: string
  readonly ticks: number
  readonly winner: string
  readonly hash: string
}

type Summary = { readonly ticks: number; readonly hash: string; readonly result: { readonly winner?: string | number } }

/** By game, in the order of the documents they were asked for in. */
export const MATCHES: Readonly<Record<string, string>> = {
  'jet-raiders': 'npx hurtbox run jet-raiders --bots 8 --seed 42',
  nightfall: 'npx hurtbox run nightfall --bots 1 --seed 5',
  siege: 'npx hurtbox run siege --bots 2 --seed 7',
  'vinyl-frontier': 'npx hurtbox run vinyl-frontier --seed 42',
  sumo: 'npx hurtbox run sumo --bots 4 --seed 3',
}

export const games: Figure<GamesResult> = {
  name: 'games',
  command: 'npx hurtbox run <game>',
  async measure(log) {
    const results: Record<string, MatchResult> = {}
    for (const [game, command] of Object.entries(MATCHES)) {
      log(command)
      results[game] = await playMatch(command)
    }
    return results
  },
  differences: (saved, now) => unequal('match', saved, now),
}

export async function playMatch(command: string): Promise<MatchResult> {
  const { ticks, hash, result } = parseLines<Summary>(await run(`${command} --json`)).at(-1)!
  return { command, ticks, winner: String(result.winner ?? 'nobody'), hash }
}
