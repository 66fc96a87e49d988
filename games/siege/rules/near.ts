/** Which things are near which, as they stood when the tick began. */

import type { Phase } from 'hurtbox'
import { createFilter, createSpatialIndex, type Filter, rebuild, type SpatialIndex } from 'hurtbox/query'
import { SIDE } from './content/map.ts'
import type { declaration } from './declaration.ts'

/** The index of the world whose tick runs now: scratch that several phases share. */
export let near: SpatialIndex<typeof declaration>
/** Things that take up room. */
export let BODIES: Filter
/** Those of the other side, by the own side. */
export let ENEMIES: readonly Filter[]

export const lookAround: Phase<typeof declaration> = {
  create(world) {
    const index = createSpatialIndex(world)
    const layers = ['unit', 'structure'] as const
    const bodies = createFilter(world, { layers })
    const [red, blue] = [SIDE.red, SIDE.blue].map((team) => createFilter(world, { layers, team }))
    const enemies = [bodies, red, blue]
    return {
      run() {
        rebuild(index)
        near = index
        BODIES = bodies
        ENEMIES = enemies
      },
    }
  },
}
