/** The games of the repository: every folder of `games/` with an `index.ts`, as for the command line and the studio. */

import { existsSync, readdirSync } from 'node:fs'
import { HurtboxError } from 'hurtbox'
import type { AnyBot, AnyGame } from 'hurtbox/tools'

export type GameModule = { readonly game: AnyGame; readonly bots: readonly AnyBot[] }

const GAMES = new URL('../../../games/', import.meta.url)

export const gameIds: readonly string[] = readdirSync(GAMES).filter((id) => existsSync(moduleOf(id)))

export async function loadGame(id: string): Promise<GameModule> {
  if (gameIds.includes(id)) return import(moduleOf(id).href)
  throw new HurtboxError('bad-argument', `There is no game "${id}". Known: ${gameIds.join(', ')}.`)
}

function moduleOf(id: string): URL {
  return new URL(`${id}/index.ts`, GAMES)
}
