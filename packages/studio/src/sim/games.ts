/**
 * The games of the project that the page shows.
 *
 * A game is loaded when it is asked for, on the page (which reads its states) and in the worker (which plays it) alike. Until
 * then only its file is known: it goes by the name of that file, and once loaded also by its id.
 */

import { games } from 'virtual:hurtbox-studio'
import { type LoadedModule, readModule } from 'hurtbox/module'
import { describeError } from '../words.ts'
import { part } from './part.ts'

export const gameNames: readonly string[] = games.map(({ name }) => name)

/** What is known of a game without loading it; only in a built page. */
export function cardOf(name: string): (typeof games)[number]['card'] {
  return games.find((game) => game.name === name)?.card
}

const loaded = new Map<string, Promise<LoadedModule>>()

/** A game by its id or the name of its file. Refuses all others: they may come from an address or a replay. */
export async function loadGame(idOrName: string): Promise<LoadedModule> {
  if (gameNames.includes(idOrName)) return loadNamed(idOrName)
  for (const name of gameNames) {
    // A game that cannot be loaded says so when it is asked for by its own name.
    const module = await loadNamed(name).catch(() => undefined)
    if (module?.id === idOrName) return module
  }
  throw new Error(`there is no game "${idOrName}" here. Games: ${gameNames.join(', ')}.`)
}

/** The name of the file that a game came from. */
export async function nameOfGame(id: string): Promise<string> {
  for (const [name, loading] of loaded) {
    if ((await loading.catch(() => undefined))?.id === id) return name
  }
  return id
}

/** Loads a game anew after an edit. What was loaded stays if it fails. */
export async function reloadGame(id: string, stamp: number): Promise<LoadedModule> {
  const name = await nameOfGame(id)
  const loading = readNamed(name, stamp)
  const module = await loading
  loaded.set(name, loading)
  return module
}

function loadNamed(name: string): Promise<LoadedModule> {
  const known = loaded.get(name)
  if (known !== undefined) return known
  const loading = readNamed(name)
  loaded.set(name, loading)
  // What failed may be asked for again.
  loading.catch(() => loaded.delete(name))
  return loading
}

async function readNamed(name: string, stamp?: number): Promise<LoadedModule> {
  const { file, load } = games.find((game) => game.name === name)!
  try {
    // An edit that does not compile does not arrive either; the page is not loaded anew for it, for it keeps its match.
    return readModule(await (stamp === undefined ? part(() => load()) : load(stamp)), file)
  } catch (error) {
    throw new Error((await mistakeIn(name)) || describeError(error, file))
  }
}

/** What does not compile, by the server that compiles it: an import that failed gives no reason. '' where all does. */
async function mistakeIn(name: string): Promise<string> {
  if (!import.meta.env.DEV) return ''
  const answer = await fetch(`/@hurtbox-studio/mistake?game=${encodeURIComponent(name)}`).catch(() => undefined)
  return answer?.ok ? answer.text() : ''
}
