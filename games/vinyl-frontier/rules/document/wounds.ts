/** Losing shield, and dying of it: once. */

import { emit, type Outcome } from 'hurtbox'
import type { VinylView } from '../declaration.ts'

/** Takes points of a ship's shield; without any left the ship is gone. `by` is nobody's id for a laser. */
export function wound(view: VinylView, outcome: Outcome, ship: number, by: number, points: number): void {
  const { things } = view.tables
  outcome.priority('shield')
  outcome.add(things.shield, ship, -Math.min(points, things.shield[ship]))
  emit(view.events.hurt, { ship: things.id[ship], by, points })
  if (points < things.shield[ship]) return
  outcome.priority('kill')
  outcome.put(things.dead, ship, 1)
  outcome.despawn(ship)
  emit(view.events.destroyed, { ship: things.id[ship], by })
}

/** Whether a ship is gone already. */
export function isDeadly({ tables: { things } }: VinylView, row: number): boolean {
  return things.leaving[row] !== 0
}
