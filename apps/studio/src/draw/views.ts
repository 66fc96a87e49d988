/** The views of the games, found at build time like the games; a game without one gets the fallback. */

import type { View } from '../../../../games/view.ts'
import { idOf, loadGame } from '../sim/games.ts'
import { fallbackView } from './fallback-view.ts'

const modules = import.meta.glob<{ readonly view: View }>('../../../../games/*/view/index.ts')

export async function loadView(id: string): Promise<View> {
  const path = Object.keys(modules).find((each) => idOf(each) === id)
  if (path !== undefined) {
    const { view } = await modules[path]()
    if (view !== undefined) return view
  }
  return fallbackView((await loadGame(id)).game)
}
