/** The ring: a square of clay, and the ground around it. */

import { each, emit } from 'hurtbox'
import { defineTerrain, ground } from 'hurtbox/motion'
import { isIn, STAGE, type SumoWorld } from './declaration.ts'

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

/** A fighter whose middle is below the top of the ring is out. After the end of a round a fall does not count. */
export function ringOuts(world: SumoWorld): void {
  if (world.globals.stage !== STAGE.fight) return
  for (const fighter of each(world, 'character')) {
    if (!isIn(fighter) || fighter.z >= 0) continue
    fighter.out = 1
    const isThrown = fighter.hitCountsUntil > world.clock
    const [by, ability] = isThrown ? [fighter.hitBy, fighter.hitWith] : [0, 0]
    emit(world, 'ringOut', { victim: fighter, by, ability })
  }
}
