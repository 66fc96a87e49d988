/** A game with its view, as its module gives it; a game without one gets the fallback. */

import type { LoadedModule, View } from 'hurtbox/module'
import { loadGame } from '../sim/games.ts'
import { part } from '../sim/part.ts'
import { fallbackView } from './fallback-view.ts'

export type ShownGame = { readonly module: LoadedModule; readonly view: View }

export async function loadShownGame(idOrName: string): Promise<ShownGame> {
  const module = await loadGame(idOrName)
  return { module, view: await viewOf(module) }
}

export async function viewOf(module: LoadedModule): Promise<View> {
  const exported = module.view && (await part(module.view))
  if (exported === undefined) return fallbackView(module)
  if (typeof exported.view?.create === 'function') return exported.view
  throw new Error(`the view of ${module.title} must say: export const view: View = { create, bounds, … }`)
}
