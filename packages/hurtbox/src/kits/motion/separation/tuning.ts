/** The settings of separation as tuning: a game that declares them lets them be adjusted while it runs. */

import { type Tuning, tune } from '../../../world/tuning.ts'
import { SEPARATION_DEFAULTS, type SeparationSettings } from './settings.ts'

const { separationStrength, maxSeparationDistance, spatialGridCellSize, useSpatialGrid, passes } = SEPARATION_DEFAULTS

/** For `tuning` of a declaration. The values are those of the fast preset. */
export const SEPARATION_TUNING = {
  separationStrength: tune(separationStrength, { min: 0, max: 1, help: 'part of an overlap that a push undoes' }),
  maxSeparationDistance: tune(maxSeparationDistance, {
    unit: 'u',
    min: 0,
    max: 1000,
    help: 'furthest that pushes move a unit in a tick',
  }),
  spatialGridCellSize: tune(spatialGridCellSize, { unit: 'u', min: 1, max: 4000, help: 'never changes an outcome' }),
  useSpatialGrid: tune(useSpatialGrid ? 1 : 0, { min: 0, max: 1, help: '0 tests all pairs; never changes an outcome' }),
  passes: tune(passes, { min: 0, max: 16, help: 'rounds of pushing per tick' }),
}

/** What reads the settings of `separate` from the tuning of a world; the method is that of the preset. */
export function tunedSeparation(preset: Readonly<SeparationSettings> = SEPARATION_DEFAULTS) {
  const settings = { ...preset }
  return ({ tuning }: { readonly tuning: Tuning<typeof SEPARATION_TUNING> }): SeparationSettings => {
    settings.separationStrength = tuning.separationStrength
    settings.maxSeparationDistance = tuning.maxSeparationDistance
    settings.spatialGridCellSize = tuning.spatialGridCellSize
    settings.useSpatialGrid = tuning.useSpatialGrid >= 0.5
    settings.passes = Math.round(tuning.passes)
    return settings
  }
}
