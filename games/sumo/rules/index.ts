/**
 * Sumo, seed 004: hit detection and knockback that decide a round.
 *
 * The tick: stages, flight of projectiles, abilities that go on, walking, presses, motion under gravity, pushing, carrying,
 * hits, what follows from them, ring-outs, the judge. Hits change speeds, and the next tick moves by them.
 */

import { defineGame, takeAlong, untilOver } from 'hurtbox'
import { advanceAbilities, carry, flyMissiles } from 'hurtbox/abilities'
import { moveBodies, pushBodies } from 'hurtbox/motion'
import { abilitiesOf, declaration, type SumoWorld } from './declaration.ts'
import { act, addDummy, join, moves, takesRoom, walk } from './fighters.ts'
import { hits, settle } from './hits.ts'
import { isOver, result, stats, tally } from './match.ts'
import { ringOuts, terrain } from './ring.ts'
import { judge, nextStage } from './rounds.ts'

export const sumo = defineGame(declaration, {
  setup(world) {
    if (world.options.dummy) addDummy(world)
  },
  onJoin: join,
  onLeave: takeAlong,
  phases: (options) => {
    const abilities = abilitiesOf(options)
    const bulletTerrain = options.bulletsHitTerrain ? terrain : undefined
    return untilOver(isOver, {
      nextStage,
      fly: (world) => flyMissiles(world, bulletTerrain),
      advance: (world) => advanceAbilities(abilities, world),
      walk: (world) => walk(abilities, world),
      act: (world) => act(abilities, world),
      move: moveBodies<SumoWorld>({ terrain, gravity: ({ tuning }) => tuning.gravity, moves }),
      push: pushBodies<SumoWorld>({ terrain, takesRoom }),
      carry,
      hits: hits(options),
      settle: (world) => settle(abilities, world),
      ringOuts,
      tally,
      judge,
    })
  },
  result,
  stats,
})
