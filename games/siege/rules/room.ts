/** The room that units take up: the seed's collision system, as the engine has it. */

import type { SeparationOptions } from 'hurtbox/motion'
import { LAND } from './content/map.ts'
import { LAYER, type SiegeWorld } from './declaration.ts'

/** Of living units and structures. All stay out of the water. */
export const ROOM: SeparationOptions<SiegeWorld> = {
  settings: ({ tuning }) => ({
    separationStrength: tuning.separationStrength,
    maxSeparationDistance: tuning.maxSeparationDistance,
    spatialGridCellSize: tuning.spatialGridCellSize,
    useSpatialGrid: tuning.useSpatialGrid >= 0.5,
    passes: Math.round(tuning.passes),
  }),
  takesRoom: ({ tables: { things } }, row) => things.layer[row] <= LAYER.structure && things.hp[row] > 0,
  bounds: { minX: -LAND, minY: -LAND, maxX: LAND, maxY: LAND },
}
