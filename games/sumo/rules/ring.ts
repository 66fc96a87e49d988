/** The ring: a square of clay, and the ground around it. */

import { defineBlocks, each, emit } from 'hurtbox'
import { declaration, isIn, STAGE, type SumoWorld } from './declaration.ts'

export const statics = defineBlocks(declaration, declaration.content.map)

/** A fighter whose middle is below the top of the ring is out. After the end of a round a fall does not count. */
export function ringOuts(world: SumoWorld): void {
  if (world.globals.stage !== STAGE.play) return
  for (const fighter of each(world, 'character')) {
    if (!isIn(fighter) || fighter.z >= 0) continue
    fighter.out = 1
    const isThrown = fighter.hitCountsUntil > world.clock
    const [by, ability] = isThrown ? [fighter.hitBy, fighter.hitWith] : [0, 0]
    emit(world, 'ringOut', { victim: fighter, by, ability })
  }
}
