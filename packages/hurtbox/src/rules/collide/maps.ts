/** Which phases of a world keep to a static map or push things apart: for drawing and for `why`. */

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

/** Of a phase that pushes things apart: how far apart two rows are; NaN where one of them takes up no room. */
export function gapsOf({ memory }: AnyWorld, name: string): ((a: number, b: number) => number) | undefined {
  const { phase } = memory.phases.find((each) => each.name === name)!
  return (phase as { readonly gapOf?: (a: number, b: number) => number }).gapOf
}
