/** Losing shield, and dying of it: once. */

import { emit, type Outcome } from 'hurtbox'
import type { VinylView } from '../declaration.ts'

/**
 * Takes points of a ship's shield; without any left the ship is dead. `by` is nobody's id for a laser. The dead take no
 * further part, but what they fired still arrives: two ships can shoot each other.
 */
export function wound(view: VinylView, outcome: Outcome, ship: number, by: number, points: number): void {
  const { things } = view.tables
  const left = things.shield[ship]
  outcome.priority('shield')
  outcome.add(things.shield, ship, -Math.min(points, left))
  emit(view.events.hurt, { ship: things.id[ship], by, points })
  if (points < left) return
  outcome.priority('kill')
  outcome.put(things.dead, ship, 1)
  emit(view.events.destroyed, { ship: things.id[ship], by })
}

/** Why a ship cannot be met: it is dead or in a dock. '' when it can. */
export function absence({ tables: { things } }: VinylView, ship: number): '' | 'dead' | 'docked' {
  if (things.dead[ship] === 1) return 'dead'
  return things.docked[ship] === 1 ? 'docked' : ''
}
