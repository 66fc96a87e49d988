/** The room that units take up: the seed's collision system, as the engine has it. */

import { defineStatics } from 'hurtbox'
import { SEPARATION_PAIRWISE, type SeparationOptions, tunedSeparation } from 'hurtbox/motion'
import { declaration, LAYER, type SiegeWorld } from './declaration.ts'

export const water = defineStatics(declaration, declaration.content.water)

/** Of living units and structures. All stay out of the water. */
export const ROOM: SeparationOptions<SiegeWorld> = {
  settings: tunedSeparation(SEPARATION_PAIRWISE),
  takesRoom: ({ tables: { things } }, row) => things.layer[row] <= LAYER.structure && things.hp[row] > 0,
  statics: water,
}
