/**
 * A strike: what a window, a projectile or an area does to its victim.
 *
 * The body of a game's rules. What needs more than writing to the two things (ending casts, shifting timers, starting
 * sub-abilities) is left to `settleHits` and the next tick.
 */

import { facingXOf } from '../../geometry/math/facing.ts'
import { turnBetween } from '../../geometry/math/trig.ts'
import { overlaps } from '../../geometry/shapes/overlap.ts'
import { pose } from '../../geometry/shapes/pose.ts'
import { type ConvexShape, circle, type Shape } from '../../geometry/shapes/shape.ts'
import { createImpact } from '../../geometry/shapes/sweep.ts'
import { sweepTurning, type TurningShape } from '../../geometry/shapes/turning.ts'
import { FOREVER } from '../../rules/collide/decide.ts'
import { pierce } from '../combat/projectiles.ts'
import type { Abilities } from './abilities.ts'
import { SETS_PER_SWING } from './casts.ts'
import { type Effect, isInStep, use } from './effect.ts'
import { emitStrike } from './events.ts'
import { effectOf } from './missiles.ts'
import { buffed } from './stats.ts'
import { findWindow, foundWindow, isSwept } from './windows.ts'
import { type AbilityThing, castAt, rowOfThing, thingWithId, worldOfThing } from './world.ts'

/** What a strike needs of a contact. */
type Contact = { readonly firstBox: number }

/** What the rules of windows, projectiles and areas share, to be spread into them. */
export type StrikeRule = {
  /** The hit set that a contact belongs to: a swing is one attack, and so is a projectile. */
  attack(attacker: AbilityThing, hit: Contact): number
  /** For how many ticks the same victim is not hit again. */
  once(attacker: AbilityThing, victim: AbilityThing, hit: Contact): number
  // biome-ignore lint/suspicious/noConfusingVoidType: as in a rule, nothing returned is a hit.
  decide(attacker: AbilityThing, victim: AbilityThing, hit: Contact): string | void
}

/**
 * The rule of hitboxes, projectiles and areas against bodies, but for its layers and gates:
 *
 *     'fist hits body': { between: ['fist', 'body'], gates: ['owner', 'team'], ...strikes(abilities) }
 */
export function strikes(abilities: Abilities): StrikeRule {
  return {
    attack: (attacker, hit) => attackOf(abilities, attacker, hit),
    once: (attacker, _victim, hit) => ticksUntilNext(abilities, attacker, hit),
    decide: (attacker, victim, hit) => strike(abilities, attacker, victim, hit),
  }
}

function attackOf(abilities: Abilities, attacker: AbilityThing, { firstBox }: Contact): number {
  if (attacker.ability !== 0) return attacker.swing * SETS_PER_SWING
  const world = worldOfThing(attacker)
  if (!findWindow(abilities, world, rowOfThing(attacker), firstBox)) return 0
  return world.tables.casts.swing[foundWindow.cast] * SETS_PER_SWING + foundWindow.effect!.group
}

/** As the content says; else for as long as the projectile or area lives, or the swing is remembered. */
function ticksUntilNext(abilities: Abilities, attacker: AbilityThing, { firstBox }: Contact): number {
  const world = worldOfThing(attacker)
  const row = rowOfThing(attacker)
  if (attacker.ability !== 0) return effectOf(abilities, world, row).every || attacker.endsAt - world.clock
  findWindow(abilities, world, row, firstBox)
  return foundWindow.effect!.every || FOREVER
}

/** Decides the contact of a hitbox, projectile or area with a body: all effects that its ability has on a hit. */
export function strike(
  abilities: Abilities,
  attacker: AbilityThing,
  victim: AbilityThing,
  hit: Contact,
  // biome-ignore lint/suspicious/noConfusingVoidType: as in a rule, nothing returned is a hit.
): string | void {
  const world = worldOfThing(attacker)
  const row = rowOfThing(attacker)
  const isMissile = attacker.ability !== 0
  if (!isMissile) {
    if (!findWindow(abilities, world, row, hit.firstBox)) return 'no window'
    if (foundWindow.effect!.sector !== undefined && !isInSector(attacker, victim)) return 'outside the arc'
  }
  const { casts } = world.tables
  const { cast } = foundWindow
  const released = isMissile ? effectOf(abilities, world, row) : foundWindow.effect!
  const caster = isMissile ? thingWithId(world, attacker.owner) : attacker
  use.abilities = abilities
  use.world = world
  use.ability = isMissile ? attacker.ability - 1 : casts.ability[cast]
  use.step = isMissile ? attacker.abilityStep : casts.step[cast]
  use.depth = isMissile ? attacker.abilityDepth : casts.depth[cast]
  use.cast = isMissile ? -1 : cast
  use.caster = caster
  use.source = attacker
  measureForces(victim)

  const ability = abilities.list[use.ability]
  const wasShielded = victim.shield > 0
  happenOnHit(ability.firstOnHit, victim, false)
  // Whether the shield holds decides about all other effects on the victim.
  const isBlocked = wasShielded && victim.shield > 0
  happenOnHit(ability.onHit, victim, isBlocked && abilities.shieldsStop === 'everything')

  if (isMissile) attacker.strikes++
  else castAt(world, cast).strikes++
  if (released.isUsedUp) pierce(attacker)
  emitStrike(use, victim, isBlocked)
}

/** What the forces of a hit depend on, before its damage: wear and weight of the victim, buffed force of the caster. */
function measureForces(victim: AbilityThing): void {
  const { hp, maxHp } = use.world.tables.things
  const row = rowOfThing(victim)
  use.worn = maxHp[row] > 0 ? 1 + use.abilities.wear * (1 - hp[row] / maxHp[row]) : 1
  use.weight = buffed(victim, 'weight')
  use.power = use.caster === undefined ? 1 : buffed(use.caster, 'force')
}

function happenOnHit(effects: readonly Effect[], victim: AbilityThing, isBlocked: boolean): void {
  const { caster } = use
  for (let i = 0; i < effects.length; i++) {
    const effect = effects[i]
    if (!isInStep(effect, use.step) || (effect.toCaster ? caster === undefined : isBlocked)) continue
    use.target = effect.toCaster ? caster! : victim
    use.subAbility = -1
    effect.record.happen!(effect, use)
    if (use.subAbility < 0 || caster === undefined) continue
    // It starts with the next tick, where the caster is then.
    caster.queued = use.subAbility + 1
    caster.queuedDepth = use.depth + 1
  }
}

/** Scratch: each is written before it is read. */
const n = Number.NaN
const sector = { shape: circle(1) as Shape, pose: pose({ x: 0, y: 0 }), dx: n, dy: n, turn: n }
const shape: { -readonly [K in keyof ConvexShape]: ConvexShape[K] } = { ...circle(1.5) }
const body: TurningShape = { shape, pose: pose({ x: 0, y: 0 }), dx: 0, dy: 0, turn: 0 }
const impact = createImpact()

/**
 * Whether a body meets the sector of an arc, seen from above, on the way of its caster in this tick. That their heights overlap is
 * known already, and in the plane the window is the sector itself.
 */
function isInSector(attacker: AbilityThing, victim: AbilityThing): boolean {
  const world = worldOfThing(attacker)
  const { things, casts } = world.tables
  if (things.z === undefined) return true
  const { cast } = foundWindow
  const { x, y, facingY } = attacker
  const facingX = facingXOf(attacker.facingX, facingY)
  const moves = isSwept(world, cast, rowOfThing(attacker))
  const fromFacingX = moves ? facingXOf(casts.fromFacingX[cast], casts.fromFacingY[cast]) : facingX
  const fromFacingY = moves ? casts.fromFacingY[cast] : facingY
  sector.shape = foundWindow.effect!.sector!
  sector.dx = moves ? x - casts.fromX[cast] : 0
  sector.dy = moves ? y - casts.fromY[cast] : 0
  sector.turn = turnBetween(fromFacingX, fromFacingY, facingX, facingY)
  sector.pose.x = x - sector.dx
  sector.pose.y = y - sector.dy
  sector.pose.facingX = fromFacingX
  sector.pose.facingY = fromFacingY
  body.pose.x = victim.x
  body.pose.y = victim.y
  shape.radius = victim.radius
  shape.boundRadius = victim.radius
  if (sector.dx === 0 && sector.dy === 0 && sector.turn === 0) return overlaps(sector, body, true)
  return sweepTurning(sector, body, impact)
}
