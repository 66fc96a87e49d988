/** The fight: presses become abilities, abilities become hits. */

import { addBody, type Boxes, collide, findRow, type Phase, ROLE, rule, thingOf } from 'hurtbox'
import { addWindows, attackOf, isStopped, poseMissile, pressSlot, settleHits, strike } from 'hurtbox/abilities'
import { capsule } from 'hurtbox/volumes'
import {
  abilitiesOf,
  declaration,
  isIn,
  LAYER,
  STAGE,
  type SumoAbilities,
  type SumoOptions,
  type SumoWorld,
} from './declaration.ts'
import { BODY } from './fighters.ts'

/** A phase: each press is used up by what it starts, so that it cannot also be the next step of a combo. */
export function act(abilities: SumoAbilities, world: SumoWorld): void {
  const { players } = world.tables
  if (world.globals.stage !== STAGE.fight) return
  for (let player = 0; player < players.count; player++) {
    const fighter = thingOf(world, player)
    if (fighter < 0 || !isIn(world, fighter)) continue
    for (let slot = 0; slot < abilities.slotNames.length; slot++) {
      const presses = players[abilities.slotNames[slot]]
      if (presses[player] > 0) presses[player] = pressSlot(abilities, world, fighter, slot, presses[player])
    }
  }
}

/** Whether a fighter moves by itself in this tick. */
export function moves(world: SumoWorld, row: number): boolean {
  return isIn(world, row) && world.tables.things.heldBy[row] === 0 && !isStopped(world, row)
}

/** Who is carried makes room for who carries it. */
export function takesRoom(world: SumoWorld, row: number): boolean {
  return isIn(world, row) && world.tables.things.heldBy[row] === 0
}

/** The phase in which windows, projectiles and areas meet fighters. */
export function hits(options: SumoOptions): Phase<typeof declaration> {
  const abilities = abilitiesOf(options)
  const body = capsule(BODY.radius, BODY.halfLength)

  const hitboxHitsCharacter = rule(declaration, {
    name: 'hitbox-hits-character',
    attacker: 'hitbox',
    victim: 'character',
    touching: true,
    gates: ['owner', 'team', 'already-hit'],
    attack: (view, contact) => attackOf(abilities, view, contact),
    decide: (view, contact, outcome) => strike(abilities, view, contact, outcome),
  })
  const projectileHitsCharacter = rule(declaration, {
    name: 'projectile-hits-character',
    attacker: 'projectile',
    victim: 'character',
    touching: true,
    gates: ['owner', 'team', 'already-hit'],
    attack: (view, contact) => attackOf(abilities, view, contact),
    decide: (view, contact, outcome) => strike(abilities, view, contact, outcome),
  })

  function poseFighter(world: SumoWorld, row: number, boxes: Boxes): void {
    if (!isIn(world, row)) return
    addWindows(abilities, world, row, boxes, LAYER.hitbox)
    addBody(boxes, world.tables.things, row, ROLE.hurt, LAYER.character, body)
  }
  const poseReleased = (world: SumoWorld, row: number, boxes: Boxes) => poseMissile(abilities, world, row, boxes)

  return collide([hitboxHitsCharacter, projectileHitsCharacter], {
    takes: { things: abilities.takes },
    pose: { character: poseFighter, hitbox: poseReleased, projectile: poseReleased },
    useSpatialGrid: options.grid,
    cellSize: options.cellSize,
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
