/** Who is near whom, as things stood when the tick began. Scratch: built anew in every tick, by the first phase. */

import { createSurroundings, defineLayers, lookAround, lookFor, type Surroundings } from 'hurtbox'
import { declaration, type SiegeWorld } from './declaration.ts'

const surroundings = new WeakMap<SiegeWorld, Surroundings>()

/** Things that take up room: whom one walks around and whom one attacks. */
export const BODIES = lookFor(defineLayers(declaration.layers), { layers: ['unit', 'structure'] })

export function lookAroundNow(world: SiegeWorld): void {
  lookAround(around(world))
}

export function around(world: SiegeWorld): Surroundings {
  const known = surroundings.get(world)
  if (known !== undefined) return known
  const made = createSurroundings(world)
  surroundings.set(world, made)
  return made
}
