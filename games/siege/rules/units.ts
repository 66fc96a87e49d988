/** Questions that many rules ask about things, and how things come into the world. */

import { addRow, toTicks } from 'hurtbox'
import { length } from 'hurtbox/math'
import { KIND, UNITS, type UnitStats } from './content/units.ts'
import { DAMAGE_TYPES, LAYER, type SiegeWorld } from './declaration.ts'

/** Seconds per tick. */
export function dt(world: SiegeWorld): number {
  return 1 / world.game.declaration.tickRate
}

/** Seconds as whole ticks of this world, rounded up. */
export function ticks(world: Pick<SiegeWorld, 'game'>, seconds: number): number {
  return toTicks(seconds, world.game.declaration.tickRate)
}

export function isAlive(world: SiegeWorld, row: number): boolean {
  const { hp, leaving } = world.tables.things
  return hp[row] > 0 && leaving[row] === 0
}

export function isMinion(kind: number): boolean {
  return kind === KIND.melee || kind === KIND.caster || kind === KIND.super
}

/** Whether it can neither walk nor strike just now. */
export function isHelpless(world: SiegeWorld, row: number): boolean {
  const { stunnedUntil, thrownUntil } = world.tables.things
  return stunnedUntil[row] > world.clock || thrownUntil[row] > world.clock
}

/** Space between the rims of two things. */
export function gap(world: SiegeWorld, a: number, b: number): number {
  const { x, y, radius } = world.tables.things
  const dx = x[b] - x[a]
  const dy = y[b] - y[a]
  return length(dx, dy) - radius[a] - radius[b]
}

/** The part of the damage that a resistance keeps off, at most nine tenths. */
function armourOf(resist: number): number {
  return Math.min(resist / (100 + resist), 0.9)
}

export function setArmour(world: SiegeWorld, row: number, resist: number): void {
  const { armour } = world.tables.things
  for (let type = 0; type < DAMAGE_TYPES; type++) armour[row * DAMAGE_TYPES + type] = armourOf(resist)
}

/** Adds a unit or a structure, `strength` times as strong as its kind; gives its row, or −1 when there is no room. */
export function addUnit(world: SiegeWorld, kind: number, side: number, x: number, y: number, strength = 1): number {
  const { things } = world.tables
  const row = addRow(things)
  if (row < 0) return -1
  const stats: UnitStats = UNITS[kind]
  things.kind[row] = kind
  things.layer[row] = stats.mass === undefined ? LAYER.structure : LAYER.unit
  things.team[row] = side
  things.x[row] = x
  things.y[row] = y
  things.goalX[row] = x
  things.goalY[row] = y
  things.radius[row] = stats.radius
  things.invMass[row] = stats.mass === undefined ? 0 : 1 / stats.mass
  things.steadiness[row] = stats.mass === undefined ? 1 : 0
  things.hp[row] = stats.hp * strength
  things.maxHp[row] = stats.hp * strength
  things.damage[row] = stats.damage * strength
  things.speed[row] = stats.speed
  things.range[row] = stats.range
  things.cooldown[row] = ticks(world, stats.cooldown)
  things.windup[row] = ticks(world, stats.windup)
  setArmour(world, row, stats.resist)
  return row
}
