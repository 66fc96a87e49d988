/** What many rules need to know about units, and how units spawn. */

import { spawn } from 'hurtbox'
import { toTicks } from 'hurtbox/math'
import type { Place } from './content/map.ts'
import { KIND, UNITS } from './content/units.ts'
import type { SiegeThing, SiegeWorld } from './declaration.ts'

/** Seconds per tick. */
export function dt({ game }: SiegeWorld): number {
  return 1 / game.declaration.tickRate
}

/** Seconds as whole ticks of this world, rounded up. */
export function ticks({ game }: Pick<SiegeWorld, 'game'>, seconds: number): number {
  return toTicks(seconds, game.declaration.tickRate)
}

export function isMinion({ kind }: SiegeThing): boolean {
  return kind === KIND.melee || kind === KIND.caster || kind === KIND.super
}

/** Whether it can neither walk nor strike now. */
export function isHelpless({ clock }: SiegeWorld, { stunnedUntil, launchedUntil }: SiegeThing): boolean {
  return stunnedUntil > clock || launchedUntil > clock
}

/** Space between the rims of two things. */
export function gap(a: SiegeThing, b: SiegeThing): number {
  const dx = b.x - a.x
  const dy = b.y - a.y
  return Math.sqrt(dx * dx + dy * dy) - a.radius - b.radius
}

// Called for every unit in every tick: a result that is not a number allocates nothing.

export function isInRange(unit: SiegeThing, target: SiegeThing, slack = 0): boolean {
  return gap(unit, target) <= unit.range + slack
}

export function isNear(a: Place, b: Place, reach: number): boolean {
  return squaredDistance(a, b) < reach * reach
}

export function squaredDistance(a: Place, b: Place): number {
  const dx = a.x - b.x
  const dy = a.y - b.y
  return dx * dx + dy * dy
}

/** A resistance keeps a part of all damage off, at most nine tenths. */
export function setArmour({ armour }: SiegeThing, resist: number): void {
  for (let type = 0; type < armour.width; type++) armour.set(type, Math.min(resist / (100 + resist), 0.9))
}

export type Given = Place & { [Column in 'team' | 'lane' | 'leg' | 'tier' | 'camp' | 'homeX' | 'homeY']?: number }

/** Adds a unit or a structure, `strength` times as strong as its kind. */
export function addUnit(world: SiegeWorld, kind: number, given: Given, strength = 1): SiegeThing {
  const { mass, hp, damage, cooldown, windup, radius, speed, range, resist } = UNITS[kind]
  const unit = spawn(world, mass === undefined ? 'structure' : 'unit', {
    kind,
    goalX: given.x,
    goalY: given.y,
    invMass: mass === undefined ? 0 : 1 / mass,
    knockbackResistance: mass === undefined ? 1 : 0,
    hp: hp * strength,
    maxHp: hp * strength,
    damage: damage * strength,
    cooldown: ticks(world, cooldown),
    windup: ticks(world, windup),
    ...{ radius, speed, range },
    ...given,
  })
  setArmour(unit, resist)
  return unit
}
