/**
 * Where games come from: the repository, or a module of the user's own.
 *
 * Both have the same shape, so everything the command does for a game of ours it does for theirs. Games are imported
 * when they are asked for, so that a mistake in one does not keep the others from running.
 */

import { existsSync, readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Scene } from 'hurtbox'
import type { AnyBot, AnyGame } from 'hurtbox/tools'
import { messageOf, UsageError, unknownName } from './errors.ts'

/** What a game is to the command line; also what a user's own module exports. */
export type GameModule = {
  readonly game: AnyGame
  readonly scenes: readonly Scene[]
  /** Scripted players. */
  readonly bots: readonly AnyBot[]
}

const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url))
const GAMES = resolve(REPOSITORY, 'games')

/**
 * The games of the repository: the engine's own scenes, and every folder of `games/` with an `index.ts`. The installed
 * command comes without any.
 */
const modules: ReadonlyMap<string, string> = new Map(
  [
    ['skirmish', resolve(REPOSITORY, 'packages/hurtbox/scenes/index.ts')] as const,
    ...(existsSync(GAMES) ? readdirSync(GAMES).sort() : []).map((id) => [id, resolve(GAMES, id, 'index.ts')] as const),
  ].filter(([, file]) => existsSync(file)),
)

export const gameIds: readonly string[] = [...modules.keys()]

/** A game by its id or by the path of a module. */
export async function loadGame(idOrPath: string): Promise<GameModule> {
  const known = modules.get(idOrPath)
  if (known !== undefined) return importGame(known, idOrPath)
  if (!looksLikePath(idOrPath)) {
    throw unknownName('game', idOrPath, gameIds, 'A game of your own is given as a path: ./my-game.ts')
  }
  if (!existsSync(idOrPath)) throw new UsageError(`there is no file ${idOrPath}.`)
  if (!isModulePath(idOrPath)) {
    throw new UsageError(`${idOrPath} is no JavaScript or TypeScript module (.js, .mjs, .ts, .mts).`)
  }
  if (/ts$/.test(idOrPath) && !process.features.typescript) {
    throw new UsageError(`Node ${process.versions.node} cannot load ${idOrPath}. Use Node 24, or give JavaScript.`)
  }
  return importGame(resolve(idOrPath), idOrPath)
}

/** Whether a name on the command line means a module with a game, and not a replay. */
export function isGameName(text: string): boolean {
  return modules.has(text) || isModulePath(text)
}

async function importGame(file: string, name: string): Promise<GameModule> {
  const { game: exported, scenes = [], bots = [] } = await importModule(file, name)
  if (!Array.isArray(scenes)) throw new UsageError(`${name} exports \`scenes\`, but not as an array.`)
  if (!Array.isArray(bots)) throw new UsageError(`${name} exports \`bots\`, but not as an array.`)
  const game = exported ?? scenes.find((scene) => scene.game.declaration.id === name)?.game
  if (!isGame(game))
    throw new UsageError(`${name} exports no \`game\`. It must contain: export const game = defineGame(…)`)
  const own = scenes.filter((scene) => scene.game === game)
  return { game, scenes: own.length > 0 ? own : [bareScene(game)], bots }
}

async function importModule(file: string, name: string): Promise<Partial<GameModule>> {
  try {
    return await import(pathToFileURL(file).href)
  } catch (error) {
    throw new UsageError(`${name} could not be loaded: ${messageOf(error)}`, { cause: error })
  }
}

/** The scene of a game without scenes: no players, ten seconds. */
function bareScene(game: AnyGame): Scene {
  return {
    name: 'bare',
    about: 'the game as it starts, ten seconds, no inputs',
    game,
    seed: 1,
    ticks: Math.ceil(10 * game.declaration.tickRate),
  }
}

function isGame(value: unknown): value is AnyGame {
  return typeof value === 'object' && value !== null && 'declaration' in value && 'behaviour' in value
}

function looksLikePath(text: string): boolean {
  return /[\\/]/.test(text) || isModulePath(text) || existsSync(text)
}

function isModulePath(text: string): boolean {
  return /\.[cm]?[jt]s$/.test(text)
}
