/** Who is hit by what: windows, projectiles and areas meet fighters. What a hit does is in `content.ts`. */

import { addBody, type Boxes, collide, findRow, type Phase, rule } from 'hurtbox'
import { addWindows, attackOf, poseMissile, settleHits, strike } from 'hurtbox/abilities'
import { capsule } from 'hurtbox/volumes'
import { gridOf } from '../../grid.ts'
import {
  abilitiesOf,
  declaration,
  isIn,
  LAYER,
  type SumoAbilities,
  type SumoOptions,
  type SumoWorld,
} from './declaration.ts'
import { BODY } from './fighters.ts'

const hitsCharacter = (attacker: 'hitbox' | 'projectile', abilities: SumoAbilities) =>
  rule(declaration, {
    name: `${attacker}-hits-character`,
    attacker,
    victim: 'character',
    touching: true,
    gates: ['owner', 'team', 'already-hit'],
    attack: (view, contact) => attackOf(abilities, view, contact),
    decide: (view, contact, outcome) => strike(abilities, view, contact, outcome),
  })

/** The phase in which things meet. */
export function hits(options: SumoOptions): Phase<typeof declaration> {
  const abilities = abilitiesOf(options)
  const body = capsule(BODY.radius, BODY.halfLength)

  function poseFighter(world: SumoWorld, row: number, boxes: Boxes): void {
    if (!isIn(world, row)) return
    addWindows(abilities, world, row, boxes, LAYER.hitbox)
    addBody(boxes, world.tables.things, row, LAYER.character, body)
  }
  const poseReleased = (world: SumoWorld, row: number, boxes: Boxes) => poseMissile(abilities, world, row, boxes)

  return collide([hitsCharacter('hitbox', abilities), hitsCharacter('projectile', abilities)], {
    takes: { things: abilities.takes },
    pose: { character: poseFighter, hitbox: poseReleased, projectile: poseReleased },
    ...gridOf(options),
  })
}

/** A phase, after the hits: interruptions and hit stop, and whose work a fall would be. */
export function settle(abilities: SumoAbilities, world: SumoWorld): void {
  const { things } = world.tables
  const { strike: strikes } = world.events
  settleHits(abilities, world)
  for (let n = 0; n < strikes.count; n++) {
    if (strikes.blocked[n] !== 0) continue
    const victim = findRow(things, strikes.victim[n])
    if (victim < 0) continue
    things.hitBy[victim] = strikes.attacker[n]
    things.hitWith[victim] = strikes.ability[n] + 1
    things.hitCountsUntil[victim] = world.clock + world.tuning.credit
  }
}
