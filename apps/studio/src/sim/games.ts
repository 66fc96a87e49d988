/**
 * The games of the repository, found at build time: every folder of `games/` with an `index.ts`.
 *
 * A game is loaded when it is asked for, on the page (which reads its states) and in the worker (which plays it) alike.
 */

import type { Scene } from 'hurtbox'
import type { AnyBot, AnyGame } from 'hurtbox/tools'

export type GameModule = {
  readonly game: AnyGame
  readonly scenes: readonly Scene[]
  readonly bots: readonly AnyBot[]
}

const modules = import.meta.glob<GameModule>('../../../../games/*/index.ts')

/** The order of the front page; games that are not named here follow. */
const FIRST = ['jet-raiders', 'nightfall', 'siege', 'vinyl-frontier', 'sumo']

export const gameIds: readonly string[] = Object.keys(modules)
  .map(idOf)
  .sort((a, b) => rank(a) - rank(b))

const loaded = new Map<string, Promise<GameModule>>()

/** Refuses names that are no game's: they may come from an address or a file. */
export function loadGame(id: string): Promise<GameModule> {
  const known = loaded.get(id)
  if (known !== undefined) return known
  const path = Object.keys(modules).find((each) => idOf(each) === id)
  if (path === undefined)
    return Promise.reject(new Error(`there is no game "${id}" here. Games: ${gameIds.join(', ')}.`))
  const loading = modules[path]()
  loaded.set(id, loading)
  return loading
}

/** A scene of the game by name; '' is its first. */
export function sceneOf({ game, scenes }: GameModule, name: string): Scene {
  if (name === '') return scenes[0] ?? { name: '', about: '', game, seed: 1, ticks: 0 }
  const scene = scenes.find((each) => each.name === name)
  if (scene !== undefined) return scene
  throw new Error(`there is no scene "${name}". Scenes: ${scenes.map((each) => each.name).join(', ')}.`)
}

export function idOf(path: string): string {
  return path.split('/games/')[1].split('/')[0]
}

function rank(id: string): number {
  const place = FIRST.indexOf(id)
  return place < 0 ? FIRST.length : place
}
