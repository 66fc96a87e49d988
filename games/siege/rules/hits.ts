/** What hits what. Abilities hit units only; structures are hit by basic attacks. */

import { addCircle, collide, despawn, type Phase } from 'hurtbox'
import { type Abilities, addWindows, poseMissile, strikes } from 'hurtbox/abilities'
import { hurt } from 'hurtbox/combat'
import { gridOf } from '../../grid.ts'
import { KIND } from './content/units.ts'
import { combat, declaration, type SiegeOptions, type SiegeThing } from './declaration.ts'
import { water } from './room.ts'

/** A shot passes through everything but its target. */
const SHOT = {
  touching: true,
  gates: ['dead'],
  decide(shot: SiegeThing, victim: SiegeThing) {
    if (shot.target !== victim.id) return 'not its target'
    hurt(victim, shot.damage, shot, combat.type.physical)
    despawn(shot)
  },
} as const

/** Of several units that a missile meets in one tick, the first on its way is hit. */
export function hits(options: SiegeOptions, abilities: Abilities): Phase<typeof declaration> {
  return collide(
    declaration,
    {
      'shot hits unit': { between: ['shot', 'unit'], ...SHOT },
      'shot hits structure': { between: ['shot', 'structure'], ...SHOT },

      /** Skillshots, dashes, slams: each hits a victim once, and some throw it, stun it or slow it down. */
      'blow hits unit': {
        between: ['blow', 'unit'],
        touching: true,
        gates: ['team', 'dead'],
        ...strikes(abilities),
      },

      'blow ends at water': {
        between: ['blow', 'water'],
        decide(blow) {
          if (blow.kind === KIND.missile) despawn(blow)
        },
      },
    },
    {
      ...gridOf(options),
      statics: water,
      pose: {
        unit(unit, boxes) {
          // A champion that died in its dash hits nothing any more.
          if (unit.busyWith !== 0 && unit.hp > 0) addWindows(abilities, unit, boxes, 'blow')
          addCircle(boxes, unit)
        },
        blow: (blow, boxes) => poseMissile(abilities, blow, boxes),
      },
    },
  )
}
