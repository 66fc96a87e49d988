/** The hits. */

import { addCircle, collide, defineStatics, despawn, emit, type Phase, sweepBox } from 'hurtbox'
import { hurt } from 'hurtbox/combat'
import { torus } from 'hurtbox/space'
import { gridOf } from '../../grid.ts'
import { combat, DT, declaration, HEIGHT, type JetOptions, WIDTH } from './declaration.ts'

const walls = defineStatics(declaration, declaration.content.walls)

/** The phase in which things meet. Of several ships that a bullet meets, the one that joined first is hit. */
export function hits(options: JetOptions): Phase<typeof declaration> {
  const { edges, ramming, bulletClash, swept } = options
  return collide(
    declaration,
    {
      'bullets clash': {
        between: ['bullet', 'bullet'],
        when: bulletClash,
        touching: true,
        gates: ['owner', 'team'],
        decide(older, younger, { world }) {
          despawn(older)
          despawn(younger)
          emit(world, 'clash', { older, younger })
        },
      },

      /** The shield stops the bullet and nothing else happens. */
      'shield stops bullet': {
        between: ['bullet', 'ship'],
        touching: true,
        gates: ['owner', 'team', 'dead'],
        decide(bullet, ship, { world }) {
          if (ship.invulnerableUntil <= world.clock) return 'no shield'
          despawn(bullet)
          emit(world, 'block', { victim: ship, shooter: bullet.owner, projectile: bullet })
        },
      },

      'bullet hits ship': {
        between: ['bullet', 'ship'],
        touching: true,
        gates: ['owner', 'team', 'dead'],
        decide(bullet, ship, { world }) {
          hurt(ship, world.tuning.bulletDamage, bullet, combat.type.bullet)
          if (world.options.iceBullets) ship.slowUntil = world.clock + world.tuning.slowTime
          despawn(bullet)
          emit(world, 'hit', { victim: ship, shooter: bullet.owner, projectile: bullet, hpAfter: ship.hp })
        },
      },

      /** Ships that touch hurt each other at once, and again after a while if they stay. Both may die of it. */
      'ship rams ship': {
        between: ['ship', 'ship'],
        when: ramming,
        mutual: true,
        touching: true,
        gates: ['team', 'dead', 'invulnerable'],
        once: (_attacker, _victim, { world }) => world.tuning.rammingInterval,
        decide(attacker, victim, { world }) {
          // A ship that dies in this tick still rams, a wreck does not.
          if (attacker.returnsAt > world.clock) return 'wreck'
          hurt(victim, world.tuning.rammingDamage, attacker, combat.type.ramming)
        },
      },

      /** Last: a ship that a bullet meets shields the wall. */
      'bullet meets wall': { between: ['bullet', 'wall'], decide: despawn },
    },
    {
      ...gridOf(options),
      ...(edges === 'wall' && { statics: walls }),
      ...(edges === 'torus' && { topology: torus(WIDTH, HEIGHT) }),
      // Swept, all rules share one order: the earliest impact wins, and among equals the lowest index as ever.
      sharedOrder: swept ? true : [['shield stops bullet', 'bullet hits ship']],
      ...(swept && {
        pose: {
          // Ships have moved before the bullets do, so bullets pass ships that stand.
          bullet(bullet, boxes) {
            addCircle(boxes, bullet)
            sweepBox(boxes, bullet.vx * DT, bullet.vy * DT)
          },
        },
      }),
    },
  )
}
