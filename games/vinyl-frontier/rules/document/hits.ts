/** The document's engine: its rules on the engine's own `collide`. */

import { collide, type Phase } from 'hurtbox'
import { gridOf } from '../../../grid.ts'
import type { declaration, VinylOptions } from '../declaration.ts'
import { SIDE } from '../torus.ts'
import { rockBounces, shipDocks, shipMeetsRock, shipMeetsShip } from './impacts.ts'
import { beamHitsRock, beamHitsShip, beamHitsStation, poseThing } from './shots.ts'

/** Who docks has no part in anything else, so that comes first; then contacts by age, then lasers. */
const RULES = [shipDocks, [shipMeetsRock, shipMeetsShip, rockBounces], [beamHitsStation, beamHitsShip, beamHitsRock]]

/** The phase in which things meet. */
export function hits(options: VinylOptions): Phase<typeof declaration> {
  return collide(RULES, {
    takes: { things: ['vx', 'vy', 'shield', 'cargo', 'fuel', 'docked', 'vinyl', 'dead'] },
    priorities: ['kill', 'dock', 'velocity', 'position', 'shield', 'cargo', 'announce'],
    pose: poseThing,
    topology: { kind: 'torus', width: SIDE, height: SIDE },
    ...gridOf(options),
  })
}
