/** What hits what: windows, projectiles and areas hit fighters. What a hit does is in `content.ts`. */

import { addVolume, collide, eventsOf, type Phase, thing } from 'hurtbox'
import { addWindows, poseMissile, strikes } from 'hurtbox/abilities'
import { capsule } from 'hurtbox/volumes'
import { gridOf } from '../../grid.ts'
import { abilitiesOf, declaration, isIn, type SumoWorld } from './declaration.ts'
import { BODY } from './fighters.ts'

const body = capsule(BODY.radius, BODY.halfLength)

export function hits(options: SumoWorld['options']): Phase<typeof declaration> {
  const abilities = abilitiesOf(options)
  const rule = { touching: true, gates: ['owner', 'team'], ...strikes(abilities) } as const
  return collide(
    declaration,
    {
      'hitbox hits character': { between: ['hitbox', 'character'], ...rule },
      'projectile hits character': { between: ['projectile', 'character'], ...rule },
    },
    {
      pose: {
        character(fighter, boxes) {
          if (!isIn(fighter)) return
          addWindows(abilities, fighter, boxes, 'hitbox')
          addVolume(boxes, body, fighter)
        },
        hitbox: (area, boxes) => poseMissile(abilities, area, boxes),
        projectile: (fireball, boxes) => poseMissile(abilities, fireball, boxes),
      },
      ...gridOf(options),
    },
  )
}

/** After the hits: the last attacker gets the credit if its victim falls soon. */
export function credit(world: SumoWorld): void {
  for (const { victim, attacker, ability, blocked } of eventsOf(world, 'strike')) {
    const fighter = thing(world, victim)
    if (blocked !== 0 || fighter === undefined) continue
    fighter.hitBy = attacker
    fighter.hitWith = ability + 1
    fighter.hitCountsUntil = world.clock + world.tuning.credit
  }
}
