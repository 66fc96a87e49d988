/** Units take up room: the seed's collision system, as the engine has it. */

import { type SeparationOptions, separate } from 'hurtbox/motion'
import { BOUNDS } from './content/map.ts'
import { LAYER, type SiegeWorld } from './declaration.ts'

/** Living units and structures. All stay on the map, and out of the water. */
export const ROOM: SeparationOptions<SiegeWorld> = {
  settings: ({ tuning }) => ({
    separationStrength: tuning.separationStrength,
    maxSeparationDistance: tuning.maxSeparationDistance,
    spatialGridCellSize: tuning.spatialGridCellSize,
    useSpatialGrid: tuning.useSpatialGrid >= 0.5,
    passes: Math.round(tuning.passes),
  }),
  takesRoom: ({ tables: { things } }, row) => things.layer[row] <= LAYER.structure && things.hp[row] > 0,
  bounds: BOUNDS,
}

export const makeRoom = (): ((world: SiegeWorld) => void) => separate(ROOM)
