/** What hits what. Abilities hit units only; structures are hit by basic attacks. */

import { addCircle, collide, despawn, type Phase, sweepBox } from 'hurtbox'
import { hurt, knockback, pierce, slow, stun } from 'hurtbox/combat'
import { gridOf } from '../../grid.ts'
import { abilityOf } from './abilities.ts'
import { KIND } from './content/units.ts'
import { combat, declaration, type SiegeOptions, type SiegeThing } from './declaration.ts'
import { dt, ticks } from './units.ts'

/** A knockback covers its way in this time. */
const THROW_SECONDS = 0.2

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
export function hits(options: SiegeOptions): Phase<typeof declaration> {
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
        once: true,
        decide(blow, victim, { world }) {
          const ability = abilityOf(blow)
          hurt(victim, blow.damage, blow, combat.type.magic)
          if (ability.stun) stun(victim, ticks(world, ability.stun))
          if (ability.slow) slow(victim, ticks(world, ability.slow))
          if (ability.knockback && victim.invMass > 0) {
            victim.thrownUntil = world.clock + 1 + ticks(world, THROW_SECONDS)
            knockback(victim, blow, ability.knockback / THROW_SECONDS, 'velocity')
          }
          if (blow.kind === KIND.missile) pierce(blow)
        },
      },
    },
    {
      ...gridOf(options),
      pose: {
        // A missile has moved; a burst is there once it is ready.
        blow(blow, boxes, world) {
          if (blow.readyAt > world.clock) return
          addCircle(boxes, blow)
          if (blow.kind === KIND.missile) sweepBox(boxes, blow.vx * dt(world), blow.vy * dt(world))
        },
      },
    },
  )
}
