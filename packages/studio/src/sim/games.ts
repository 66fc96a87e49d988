/**
 * The games of the repository, found at build time: every folder of `games/` with an `index.ts`.
 *
 * A game is loaded when it is asked for, on the page (which reads its states) and in the worker (which plays it) alike.
 */

import type { Scene } from 'hurtbox'
import { type LoadedModule, readModule } from 'hurtbox/module'

const modules = import.meta.glob<{ readonly default?: unknown }>('../../../../games/*/index.ts')

export const gameIds: readonly string[] = Object.keys(modules).map(idOf)

const loaded = new Map<string, Promise<LoadedModule>>()

/** Refuses names that are no game's: they may come from an address or a file. */
export function loadGame(id: string): Promise<LoadedModule> {
  const known = loaded.get(id)
  if (known !== undefined) return known
  const path = Object.keys(modules).find((each) => idOf(each) === id)
  if (path === undefined)
    return Promise.reject(new Error(`there is no game "${id}" here. Games: ${gameIds.join(', ')}.`))
  const loading = modules[path]().then((exported) => readModule(exported, `games/${id}/index.ts`))
  loaded.set(id, loading)
  return loading
}

/** A scene of the game by name; '' is its first. */
export function sceneOf({ scenes }: LoadedModule, name: string): Scene {
  const scene = name === '' ? scenes[0] : scenes.find((each) => each.name === name)
  if (scene !== undefined) return scene
  throw new Error(`there is no scene "${name}". Scenes: ${scenes.map((each) => each.name).join(', ')}.`)
}

function idOf(path: string): string {
  return path.split('/games/')[1].split('/')[0]
}
