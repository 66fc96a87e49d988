/**
 * Holding: one thing carries another before itself.
 *
 * Both sides know of each other by id, so a hold ends by itself when one of them is gone. Who is carried goes where its
 * holder goes and cannot act; a holder who is stunned lets go (`settleHits`).
 */

import { findRow } from '../table.ts'
import type { AbilityWorld } from './world.ts'

/** A phase, after things have moved: whoever is held is brought along, or let go when it is time. */
export function carry(world: AbilityWorld): void {
  const { things } = world.tables
  for (let row = 0, { count } = things; row < count; row++) {
    if (things.heldBy[row] === 0) continue
    const holder = findRow(things, things.heldBy[row])
    const holds = holder >= 0 && things.holds[holder] === things.id[row]
    if (!holds || things.heldUntil[row] <= world.clock) {
      if (holds) things.holds[holder] = 0
      things.heldBy[row] = 0
      continue
    }
    // At arm's length: they touch and do not overlap.
    const distance = things.radius[holder] + things.radius[row]
    things.x[row] = things.x[holder] + things.facingX[holder] * distance
    things.y[row] = things.y[holder] + things.facingY[holder] * distance
    things.vx[row] = things.vx[holder]
    things.vy[row] = things.vy[holder]
    if (things.z === undefined || things.vz === undefined) continue
    things.z[row] = things.z[holder]
    things.vz[row] = things.vz[holder]
  }
}

/** The holder opens its hands. Gives the row of whom it held, or −1. */
export function letGo(world: AbilityWorld, holder: number): number {
  const { things } = world.tables
  const held = things.holds[holder] === 0 ? -1 : findRow(things, things.holds[holder])
  things.holds[holder] = 0
  if (held < 0 || things.heldBy[held] !== things.id[holder]) return -1
  things.heldBy[held] = 0
  return held
}
