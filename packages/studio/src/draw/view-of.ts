/** The view of a game as its module gives it; a game without one gets the fallback. */

import type { LoadedModule, View } from 'hurtbox/module'
import { part } from '../sim/part.ts'
import { fallbackView } from './fallback-view.ts'

export async function viewOf(module: LoadedModule): Promise<View> {
  const exported = module.view && (await part(module.view))
  if (exported === undefined) return fallbackView(module)
  if (typeof exported.view?.create === 'function') return exported.view
  throw new Error(`the view of ${module.title} must say: export const view: View = { create, bounds, … }`)
}
