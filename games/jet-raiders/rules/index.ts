/**
 * Jet Raiders, seed 000: a dogfight in which the server decides every hit.
 *
 * The tick is the seed's: ships steer (the dead wait), living ships fire, all bullets move and age, bullets meet ships,
 * what is used up or expired leaves. Slots come before, as the seed's next documents ask; the dead and the score after.
 */

import { defineGame } from 'hurtbox'
import { fire, fly } from './bullets.ts'
import { declaration } from './declaration.ts'
import { useSlots } from './effects.ts'
import { hits } from './hits.ts'
import { isOver, judge, result, stats, tally } from './match.ts'
import { bury, join, steer } from './ships.ts'

export const jetRaiders = defineGame(declaration, {
  onJoin: join,
  phases: (options) => ({ useSlots, steer, fire, fly, hits: hits(options), bury, tally, judge }),
  isOver,
  result,
  stats,
})
