/** The room that units take up: the seed's collision system, as the engine has it. */

import { defineStatics } from 'hurtbox'
import { SEPARATION_PAIRWISE, type SeparationOptions } from 'hurtbox/motion'
import { declaration, LAYER, type SiegeWorld } from './declaration.ts'

export const water = defineStatics(declaration, declaration.content.water)

const settings = { ...SEPARATION_PAIRWISE }

/** Of living units and structures. All stay out of the water. */
export const ROOM: SeparationOptions<SiegeWorld> = {
  settings({ tuning }) {
    settings.separationStrength = tuning.separationStrength
    settings.maxSeparationDistance = tuning.maxSeparationDistance
    settings.spatialGridCellSize = tuning.spatialGridCellSize
    settings.useSpatialGrid = tuning.useSpatialGrid >= 0.5
    settings.passes = Math.round(tuning.passes)
    return settings
  },
  takesRoom: ({ tables: { things } }, row) => things.layer[row] <= LAYER.structure && things.hp[row] > 0,
  statics: water,
}
