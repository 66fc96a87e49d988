/**
 * Siege, seed 002: two sides, three lanes, hundreds of units that push each other apart.
 *
 * The tick is the seed's: entities (orders, targets, steps, blows, flights, hits), collisions, fog, waves, the dead.
 */

import { defineGame, type Game } from 'hurtbox'
import { advanceAbilities, flyMissiles, settleHits } from 'hurtbox/abilities'
import { separate } from 'hurtbox/motion'
import { cast } from './abilities.ts'
import { attack, followTargets } from './attack.ts'
import { join, learn, leave, obey, recover } from './champions.ts'
import { abilitiesAt } from './content/abilities.ts'
import { removeDead } from './deaths.ts'
import { combat, declaration } from './declaration.ts'
import { updateFog, visible } from './fog.ts'
import { hits } from './hits.ts'
import { isOver, result, stats } from './match.ts'
import { rebuildIndex } from './near.ts'
import { react } from './react.ts'
import { ROOM } from './room.ts'
import { setup } from './setup.ts'
import { steer } from './steer.ts'
import { chooseTargets } from './targets.ts'
import { walk } from './walk.ts'
import { camps, waves } from './waves.ts'

export const siege = siegeAt(declaration.tickRate)

/** The same game at another rate. Seed 002 names none; other documents of its origin say 30 a second, its server ran at 125. */
export function siegeAt(tickRate: number): Game<typeof declaration> {
  const abilities = abilitiesAt(tickRate, combat.typeNames)
  return defineGame({ ...declaration, tickRate } as typeof declaration, {
    setup,
    onJoin: join,
    onLeave: leave,
    phases: (options) => ({
      rebuildIndex,
      advance: advanceAbilities(abilities),
      obey,
      cast: cast(abilities),
      chooseTargets,
      steer,
      walk,
      attack,
      followTargets,
      // After the casts: a missile flies in the tick in which it is thrown.
      fly: flyMissiles(),
      hits: hits(options, abilities),
      settle: settleHits(abilities),
      react,
      collisions: separate(ROOM),
      fog: updateFog,
      waves,
      camps,
      removeDead,
      learn,
      recover,
    }),
    isOver,
    result,
    stats,
    visible,
  })
}
