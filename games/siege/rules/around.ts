/** Who is near whom, as things stood when the tick began. Scratch: built anew in every tick, by the first phase. */

import { createSurroundings, defineLayers, type Look, lookAround, lookFor, type Surroundings } from 'hurtbox'
import { SIDE } from './content/map.ts'
import { declaration, type SiegeWorld } from './declaration.ts'

const surroundings = new WeakMap<SiegeWorld, Surroundings>()

/** Things that take up room: whom one walks around. */
export const BODIES = look({})
/** Those of the other side, by the own one. */
export const ENEMIES = [BODIES, look({ team: SIDE.red }), look({ team: SIDE.blue })]

function look(who: Look) {
  return lookFor(defineLayers(declaration.layers), { layers: ['unit', 'structure'], ...who })
}

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
