/** Which phases of a world keep to a static map: for drawing it and for `why`. */

import type { AnyWorld } from '../../world/world.ts'
import type { Statics } from './statics.ts'

/** By the name of the phase: those of `collide`, and those that move or separate things. */
export function staticsOf({ memory }: AnyWorld): ReadonlyMap<string, Statics> {
  const found = new Map<string, Statics>()
  for (const { name, phase } of memory.phases) {
    const { statics } = phase as { readonly statics?: Statics }
    if (statics !== undefined) found.set(name, statics)
  }
  return found
}
