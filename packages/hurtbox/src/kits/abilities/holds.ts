/**
 * Holding: one thing carries another in front of itself.
 *
 * Both sides know each other by id, so a hold ends by itself when one of them is gone. A held thing goes where its holder
 * goes and cannot act; a holder that is stunned lets go (`settleHits`).
 */

import { facingXOf } from '../../geometry/math/facing.ts'
import { findRow } from '../../state/table.ts'
import { type AbilityThing, type AbilityWorld, thingWithId, worldOfThing } from './world.ts'

/** A phase, after things have moved: moves held things along with their holders, and ends holds whose time is over. */
export function carry(world: AbilityWorld): void {
  const { things } = world.tables
  for (let row = 0, { count } = things; row < count; row++) {
    if (things.heldBy[row] === 0) continue
    const holder = findRow(things, things.heldBy[row])
    const isHeld = holder >= 0 && things.holds[holder] === things.id[row]
    if (!isHeld || things.heldUntil[row] <= world.clock) {
      if (isHeld) things.holds[holder] = 0
      things.heldBy[row] = 0
      continue
    }
    // At arm's length: they touch and do not overlap.
    const distance = things.radius[holder] + things.radius[row]
    things.x[row] = things.x[holder] + facingXOf(things.facingX[holder], things.facingY[holder]) * distance
    things.y[row] = things.y[holder] + things.facingY[holder] * distance
    things.vx[row] = things.vx[holder]
    things.vy[row] = things.vy[holder]
    if (things.z === undefined || things.vz === undefined) continue
    things.z[row] = things.z[holder]
    things.vz[row] = things.vz[holder]
  }
}

/** Makes a holder let go. Returns what it held, if anything. */
export function letGo(holder: AbilityThing): AbilityThing | undefined {
  const held = thingWithId(worldOfThing(holder), holder.holds)
  holder.holds = 0
  if (held === undefined || held.heldBy !== holder.id) return undefined
  held.heldBy = 0
  return held
}
