/** The view of a game, as its module gives it; a game without one gets the fallback. */

import type { View } from '../../../../games/view.ts'
import { loadGame } from '../sim/games.ts'
import { fallbackView } from './fallback-view.ts'

export async function loadView(id: string): Promise<View> {
  const { view, game } = await loadGame(id)
  const exported = (await view?.()) as { readonly view?: View } | undefined
  return exported?.view ?? fallbackView(game)
}
