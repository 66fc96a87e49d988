/** Which units and structures are near a place, as they stood when the tick began. */

import { perWorld } from 'hurtbox'
import { createFilter, createMapIndex, createSpatialIndex, found, rebuild, within } from 'hurtbox/query'
import { type Place, SIDE } from './content/map.ts'
import type { SiegeThing, SiegeWorld } from './declaration.ts'
import { water } from './room.ts'

/** The index of a world, its map, and filters: for all, for the enemies of blue, for those of red. */
export const near = perWorld((world: SiegeWorld) => {
  const layers = ['unit', 'structure'] as const
  const wanted = [{ layers }, { layers, team: SIDE.red }, { layers, team: SIDE.blue }]
  const filters = wanted.map((filter) => createFilter(world, filter))
  return { index: createSpatialIndex(world), filters, map: createMapIndex(world, water) }
})

/** The first phase of a tick: enters all things into the index at their places. */
export function rebuildIndex(world: SiegeWorld): void {
  rebuild(near(world).index)
}

/** All within reach of a place, or only the enemies of a side. */
export function bodiesNear(world: SiegeWorld, place: Place, reach: number, side = 0): Iterable<SiegeThing> {
  const { index, filters } = near(world)
  within(index, place, reach, filters[side])
  return found(index)
}
