/** A stage whose view cannot draw: the match from above, and a line that says why. Loaded when something was thrown. */

import type { LoadedModule } from 'hurtbox/module'
import { tellError } from 'hurtbox/picture'
import type { Drawing, View } from '../view.ts'
import { addCanvas, contexts, flatView, nameCanvas, type Stage } from './stage.ts'

/** Instead of a view that cannot draw here, as where there is no WebGL: the match from above, on a canvas that nothing has touched. */
export async function drawFlat(
  stage: Stage,
  module: LoadedModule,
  view: View,
  what: string,
  error: unknown,
): Promise<Drawing> {
  const { element } = stage
  const canvas = addCanvas(element, 'stage-view')
  nameCanvas(canvas, `${module.title}: the match from above`)
  stage.canvas.replaceWith(canvas)
  stage.canvas = canvas
  stage.view = flatView(module, view)
  const context = canvas.getContext('2d') ?? undefined
  contexts.set(stage, context)
  const label = document.createElement('p')
  label.className = 'stage-label'
  label.textContent = `Drawn flat, because ${what}${nameless(await tellError(error))}`
  element.append(label)
  return stage.view.create({ element, canvas, context, isSmall: false })
}

/** Without the names of a renderer's classes, which say nothing to players. */
function nameless(words: string): string {
  return words.replace(/\b[A-Z]\w*\.[A-Z]\w*: /g, '')
}
