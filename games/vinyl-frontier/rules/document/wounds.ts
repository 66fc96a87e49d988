/** Losing shield, and dying of it: once. */

import { emit } from 'hurtbox'
import type { VinylRuleWorld, VinylThing } from '../declaration.ts'

/** Takes points of a ship's shield; a ship without any left is dead. `by` is 0 for a laser. */
export function wound(world: VinylRuleWorld, ship: VinylThing, points: number, by: VinylThing | 0 = 0): void {
  const { shield } = ship
  ship.shield -= Math.min(points, shield)
  emit(world, 'hurt', { ship, by, points })
  if (points < shield) return
  ship.dead = 1
  emit(world, 'destroyed', { ship, by })
}
