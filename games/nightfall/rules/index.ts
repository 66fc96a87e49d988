/**
 * Nightfall, seed 001: survive a night.
 *
 * The tick follows the document: weapons go off, what flies moves and ages, enemies come and walk, then everything that
 * meets is detected, decided and applied at once. The consequences (deaths, gems, levels, the end) come after.
 */

import { defineGame } from 'hurtbox'
import { expire, recordDamage } from 'hurtbox/combat'
import { reap } from './deaths.ts'
import { declaration } from './declaration.ts'
import { choose, learn } from './draft.ts'
import { chase, shoot } from './enemies.ts'
import { fire } from './fire.ts'
import { fly } from './fly.ts'
import { hazards } from './hazards.ts'
import { hits } from './hits.ts'
import { isOver, judge, result, stats, tally } from './match.ts'
import { magnet, useTaken } from './pickups.ts'
import { rain, setup, startOf } from './starts.ts'
import { fence, join, walk } from './survivors.ts'
import { waves } from './waves.ts'

export const nightfall = defineGame(declaration, {
  setup,
  onJoin: join,
  phases(options) {
    const { hasWaves = false, isArmed = false } = startOf(options)
    return {
      choose: { run: choose, whilePaused: true },
      walk,
      ...(isArmed && { fire }),
      fly,
      expire,
      ...(hasWaves && { waves, hazards }),
      ...(options.start === 'storm' && { rain }),
      chase,
      shoot,
      hits: hits(options),
      fence,
      reap,
      magnet,
      useTaken,
      tally,
      recordDamage,
      judge,
      learn,
    }
  },
  isOver,
  result,
  stats,
})
