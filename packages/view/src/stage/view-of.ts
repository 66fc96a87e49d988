/** The view of a game as its module gives it; a game without one gets the fallback. */

import type { LoadedModule } from 'hurtbox/module'
import type { View } from '../view.ts'
import { fallbackView } from './fallback-view.ts'

/** `load` loads the file of the view; a page may try again when it does not arrive. */
export async function viewOf(
  module: LoadedModule,
  load: <T>(file: () => Promise<T>) => Promise<T> = (file) => file(),
): Promise<View> {
  const exported = module.view && (await load(module.view))
  if (exported === undefined) return fallbackView(module)
  const view = exported.view as Partial<View>
  if (typeof view?.create === 'function') return view as View
  throw new Error(`the view of ${module.title} must say: export const view: View = { create, bounds, … }`)
}
