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

/** How far apart two rows are that a phase would push apart if they overlapped; `undefined` where it would not. */
export function gapIn({ memory, tables }: AnyWorld, name: string, a: number, b: number): number | undefined {
  const takesRoom = roomIn(memory, name)
  if (takesRoom === undefined || a < 0 || b < 0 || !takesRoom(a) || !takesRoom(b)) return undefined
  const { x, y, radius } = tables.things
  const [dx, dy] = [x[b] - x[a], y[b] - y[a]]
  return Math.sqrt(dx * dx + dy * dy) - radius[a] - radius[b]
}

/** Of a phase that pushes circles apart: which rows take up room. */
export function roomIn({ phases }: AnyWorld['memory'], name: string): ((row: number) => boolean) | undefined {
  const found = phases.find((each) => each.name === name)?.phase as { takesRoom?: (row: number) => boolean } | undefined
  return found?.takesRoom
}
