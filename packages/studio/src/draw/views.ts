/** A game of the project with its view. */

import type { View } from '@hurtbox/view'
import { viewOf } from '@hurtbox/view/stage'
import type { LoadedModule } from 'hurtbox/module'
import { loadGame } from '../sim/games.ts'
import { part } from '../sim/part.ts'

export type ShownGame = { readonly module: LoadedModule; readonly view: View }

export async function loadShownGame(idOrName: string): Promise<ShownGame> {
  const module = await loadGame(idOrName)
  return { module, view: await viewOf(module, part) }
}
