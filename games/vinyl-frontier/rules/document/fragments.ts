/** A rock breaks into three equal pieces, evenly around, so that nothing of its mass and momentum is lost. */

import { despawn } from 'hurtbox'
import { MAX_SPEED, type VinylRuleWorld, type VinylThing } from '../declaration.ts'
import { AROUND, directionOf, fan, fragmentMass } from '../physics.ts'
import { reportFragment } from '../report.ts'
import { addAsteroid } from '../setup.ts'
import { type Polar, subtractPolar } from '../torus.ts'

/** Breaks a rock: its pieces spread with `speed` around `base`, the velocity it would have whole. Returns them. */
export function shatter(world: VinylRuleWorld, rock: VinylThing, base: Polar, speed: number): VinylThing[] {
  return addPieces(world, rock, fan(base, speed, directionOf(base, rock), AROUND))
}

/** In the old physics they spread around the way `hitBy` came, no faster than anything else, and forget how the rock moved. */
export function shatterOld(world: VinylRuleWorld, rock: VinylThing, hitBy: Polar, speed: number): void {
  const { heading } = subtractPolar(hitBy, rock)
  addPieces(world, rock, fan(undefined, Math.min(speed, MAX_SPEED), heading, AROUND))
}

/** Replaces a rock by its pieces; there are none when they would be dust. They share its spin: ½ m r² of all adds up. */
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
    piece.spinRate = (rock.spinRate * rock.radius * rock.radius) / (piece.radius * piece.radius)
    reportFragment(world, rock, piece, number)
    return piece
  })
}
