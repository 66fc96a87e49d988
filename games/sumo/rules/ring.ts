/** The ring: a square of clay, and the ground around it that nobody wants to see from near. */

import { emit } from 'hurtbox'
import { defineTerrain, ground } from 'hurtbox/motion'
import { isFighter, STAGE, type SumoWorld } from './declaration.ts'

/** The ring reaches this far from the middle to each of its four sides; its top is at height 0. */
export const RING_HALF = 8
export const RING_HEIGHT = 3

export const terrain = defineTerrain([
  { minX: -RING_HALF, minY: -RING_HALF, minZ: -RING_HEIGHT, maxX: RING_HALF, maxY: RING_HALF, maxZ: 0 },
  ground(-RING_HEIGHT),
])

/** How far (x, y) is from the nearest edge; negative outside. */
export function distanceToEdge(x: number, y: number): number {
  return RING_HALF - Math.max(Math.abs(x), Math.abs(y))
}

/**
 * A phase: whose middle is below the top of the ring is out. The fall is the work of who hit last, if that is not long ago.
 * What happens after a round is nobody's loss.
 */
export function ringOuts(world: SumoWorld): void {
  const { things } = world.tables
  const { clock, events } = world
  if (world.globals.stage !== STAGE.fight) return
  for (let row = 0, { count } = things; row < count; row++) {
    if (!isFighter(world, row) || things.out[row] !== 0 || things.z[row] >= 0) continue
    things.out[row] = 1
    const isThrown = things.hitCountsUntil[row] > clock
    emit(events.ringOut, {
      victim: things.id[row],
      by: isThrown ? things.hitBy[row] : 0,
      ability: isThrown ? things.hitWith[row] : 0,
    })
  }
}
