/** Sumo, seed 004: hit detection and knockback that decide a round. Hits change speeds, and the next tick moves by them. */

import { defineGame } from 'hurtbox'
import { advanceAbilities, carry, flyMissiles, settleHits } from 'hurtbox/abilities'
import { moveBodies, pushBodies } from 'hurtbox/motion'
import { abilitiesOf, declaration, type SumoWorld } from './declaration.ts'
import { act, addDummy, join, moves, takesRoom, walk } from './fighters.ts'
import { credit, hits } from './hits.ts'
import { isOver, result, stats, tally } from './match.ts'
import { ringOuts, statics } from './ring.ts'
import { judge, nextStage } from './rounds.ts'

export const sumo = defineGame(declaration, {
  setup(world) {
    if (world.options.dummy) addDummy(world)
  },
  onJoin: join,
  phases: (options) => {
    const abilities = abilitiesOf(options)
    return {
      nextStage,
      fly: flyMissiles(options.bulletsHitTerrain ? statics : undefined),
      advance: advanceAbilities(abilities),
      walk,
      act: act(abilities),
      move: moveBodies({ statics, gravity: ({ tuning }: SumoWorld) => tuning.gravity, moves }),
      push: pushBodies({ statics, takesRoom }),
      carry,
      hits: hits(options),
      settle: settleHits(abilities),
      credit,
      ringOuts,
      tally,
      judge,
    }
  },
  isOver,
  result,
  stats,
})
