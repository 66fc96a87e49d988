/** Which units and structures are near a place, as they stood when the tick began. */

import type { Phase } from 'hurtbox'
import { createFilter, createSpatialIndex, type Filter, found, rebuild, type SpatialIndex, within } from 'hurtbox/query'
import { type Place, SIDE } from './content/map.ts'
import type { declaration, SiegeThing } from './declaration.ts'

/** What phases share while the tick of a world runs: its index, and filters for the enemies of each side. */
let now: { index: SpatialIndex<typeof declaration>; filters: Filter[] }

export const lookAround: Phase<typeof declaration> = {
  create(world) {
    const layers = ['unit', 'structure'] as const
    const wanted = [{ layers }, { layers, team: SIDE.red }, { layers, team: SIDE.blue }]
    const own = { index: createSpatialIndex(world), filters: wanted.map((filter) => createFilter(world, filter)) }
    return {
      run() {
        now = own
        rebuild(own.index)
      },
    }
  },
}

/** All within reach of a place, or only the enemies of a side. */
export function bodiesNear(place: Place, reach: number, side = 0): Iterable<SiegeThing> {
  within(now.index, place, reach, now.filters[side])
  return found(now.index)
}
