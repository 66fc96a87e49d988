/** A rock breaks into three equal pieces, evenly around, so that nothing of its mass and momentum is lost. */

import { despawn } from 'hurtbox'
import { MAX_SPEED, type VinylRuleWorld, type VinylThing } from '../declaration.ts'
import { AROUND, directionOf, fan, fragmentMass } from '../physics.ts'
import { bodyOf, IMPACT, reportFragment, reportMomentum } from '../report.ts'
import { addAsteroid } from '../setup.ts'
import { type Polar, subtractPolar } from '../torus.ts'

/** Breaks a rock: its pieces spread with `speed` around `base`, the velocity it would have whole. */
export function shatter(world: VinylRuleWorld, rock: VinylThing, base: Polar, speed: number): void {
  const { mass, velocity } = bodyOf(rock)
  const pieces = addPieces(world, rock, fan(base, speed, directionOf(base, velocity), AROUND))
  if (pieces.length > 0) reportMomentum(world, IMPACT.split, [{ mass, velocity: base }], pieces.map(bodyOf))
}

/** In the old physics they spread around the way `hitBy` came, no faster than anything else, and forget how the rock moved. */
export function shatterOld(world: VinylRuleWorld, rock: VinylThing, hitBy: Polar, speed: number): void {
  const { heading } = subtractPolar(hitBy, rock)
  addPieces(world, rock, fan(undefined, Math.min(speed, MAX_SPEED), heading, AROUND))
}

/** Replaces a rock by its pieces; there are none when they would be dust. */
function addPieces(world: VinylRuleWorld, rock: VinylThing, velocities: readonly Polar[]): VinylThing[] {
  rock.dead = 1
  despawn(rock)
  const mass = fragmentMass(rock.mass)
  if (mass === 0) return []
  const { count, slot } = world.tables.things
  const last = slot[count - 1]
  return velocities.map((velocity, number) => {
    const piece = addAsteroid(world, mass, rock.material, rock, velocity)
    // Behind everything in the list, also behind what is leaving.
    piece.slot = last + 1 + number
    reportFragment(world, rock, piece, number)
    return piece
  })
}
