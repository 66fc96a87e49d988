/** A game of the project with its view. */

import type { LoadedModule, View } from 'hurtbox/module'
import { loadGame } from '../sim/games.ts'
import { viewOf } from './view-of.ts'

export type ShownGame = { readonly module: LoadedModule; readonly view: View }

export async function loadShownGame(idOrName: string): Promise<ShownGame> {
  const module = await loadGame(idOrName)
  return { module, view: await viewOf(module) }
}
