/** Effects that happen at once, in a phase: to the caster, or by its hand. What a hit does is in `strike.ts`. */

import { release } from '../combat/projectiles.ts'
import { addRow } from '../table.ts'
import type { Abilities } from './abilities.ts'
import { startAbility } from './casts.ts'
import type { Effect } from './effect.ts'
import { aim, push } from './force.ts'
import { letGo } from './holds.ts'
import { buffAt } from './stats.ts'
import type { AbilityWorld } from './world.ts'

/** Lets an effect of a cast happen, if it belongs to the step. */
export function happenAtOnce(
  abilities: Abilities,
  world: AbilityWorld,
  cast: number,
  caster: number,
  effect: Effect,
): void {
  const { things, casts } = world.tables
  if (((effect.steps >>> casts.step[cast]) & 1) === 0) return
  switch (effect.kind) {
    case 'projectile':
    case 'area':
      releaseEffect(abilities, world, cast, caster, effect)
      return
    case 'dash':
      things.vx[caster] = things.facingX[caster] * effect.amount
      things.vy[caster] = things.facingY[caster] * effect.amount
      return
    case 'force':
      aim(world, effect, caster, caster, 0)
      addPush(world, caster)
      return
    case 'shield':
      things.shield[caster] = effect.amount
      things.shieldUntil[caster] = effect.ticks === 0 ? 0 : world.clock + effect.ticks
      return
    case 'buff':
      things.buffFactor[buffAt(caster, effect.what)] = effect.amount
      things.buffUntil[buffAt(caster, effect.what)] = world.clock + effect.ticks
      return
    case 'teleport':
      teleport(world, caster, effect)
      return
    case 'throw':
      throwHeld(abilities, world, cast, caster, effect)
      return
    case 'ability':
      startAbility(abilities, world, caster, effect.what, undefined, casts.depth[cast] + 1)
  }
}

/** A projectile or an area comes into the world before its caster. */
function releaseEffect(abilities: Abilities, world: AbilityWorld, cast: number, caster: number, effect: Effect): void {
  const { things, casts } = world.tables
  const isProjectile = effect.kind === 'projectile'
  // Given where any ability has such an effect: `defineAbilities` has seen to it.
  const { kind, layer } = (isProjectile ? abilities.projectile : abilities.area)!
  const row = release(things, caster, kind, layer, effect.radius)
  if (row < 0) return
  const [facingX, facingY] = [things.facingX[caster], things.facingY[caster]]
  things.x[row] += facingX * effect.ahead
  things.y[row] += facingY * effect.ahead
  if (things.z !== undefined) things.z[row] = things.z[caster] + effect.up
  things.facingX[row] = facingX
  things.facingY[row] = facingY
  things.vx[row] = isProjectile ? facingX * effect.amount : 0
  things.vy[row] = isProjectile ? facingY * effect.amount : 0
  things.endsAt[row] = world.clock + effect.life
  things.pierceLeft[row] = effect.pierce
  things.ability[row] = casts.ability[cast] + 1
  things.abilityEffect[row] = effect.place
  things.abilityStep[row] = casts.step[cast]
  things.abilityDepth[row] = casts.depth[cast]
  things.swing[row] = ++world.globals.swings
}

function teleport(world: AbilityWorld, caster: number, { x, y, z }: Effect): void {
  const { things } = world.tables
  const [facingX, facingY] = [things.facingX[caster], things.facingY[caster]]
  things.x[caster] += x * facingX - y * facingY
  things.y[caster] += x * facingY + y * facingX
  if (things.z !== undefined) things.z[caster] += z
  things.teleports[caster]++
}

/** Whoever the caster holds flies; with empty hands nothing happens. */
function throwHeld(abilities: Abilities, world: AbilityWorld, cast: number, caster: number, effect: Effect): void {
  const { things, casts } = world.tables
  const victim = letGo(world, caster)
  if (victim < 0) return
  const { clock } = world
  things.vx[victim] = 0
  things.vy[victim] = 0
  if (things.vz !== undefined) things.vz[victim] = 0
  aim(world, effect, caster, victim, abilities.wear)
  addPush(world, victim)
  things.stunnedUntil[victim] = Math.max(things.stunnedUntil[victim], clock + 1 + effect.ticks)
  things.launchedUntil[victim] = Math.max(things.launchedUntil[victim], clock + 1 + effect.launch)
  things.stopFor[victim] = Math.max(things.stopFor[victim], effect.stop)
  things.stopFor[caster] = Math.max(things.stopFor[caster], effect.stop)
  casts.strikes[cast]++
  const { strike } = world.events
  const event = addRow(strike)
  if (event < 0) return
  strike.attacker[event] = things.id[caster]
  strike.victim[event] = things.id[victim]
  strike.source[event] = things.id[caster]
  strike.ability[event] = casts.ability[cast]
  strike.step[event] = casts.step[cast]
}

function addPush(world: AbilityWorld, row: number): void {
  const { vx, vy, vz } = world.tables.things
  vx[row] += push.x
  vy[row] += push.y
  if (vz !== undefined) vz[row] += push.z
}
