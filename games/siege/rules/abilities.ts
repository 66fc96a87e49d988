/** Abilities: what a press starts, and how missiles and bursts live on. */

import { despawn, each, emit, exists, players, thing } from 'hurtbox'
import { shield, spawnFrom } from 'hurtbox/combat'
import { cos, length, sin } from 'hurtbox/math'
import { type Ability, type Blow, CHAMPIONS } from './content/champions.ts'
import { isOnLand, type Place } from './content/map.ts'
import { KIND } from './content/units.ts'
import type { SiegePlayer, SiegeThing, SiegeWorld } from './declaration.ts'
import { dt, isHelpless, ticks } from './units.ts'

type Effect<E extends Ability['effect']> = Extract<Ability, { effect: E }>
/** A direction and a distance. */
type Aim = Place & { distance: number }

/** The ability that a missile or burst comes from. */
export function abilityOf({ ability }: { ability: number }): Blow {
  return CHAMPIONS[ability >> 1].abilities[ability & 1] as Ability & Blow
}

export function cast(world: SiegeWorld): void {
  for (const player of players(world)) {
    if (player.first > 0) start(world, player, 0)
    if (player.second > 0) start(world, player, 1)
  }
}

function start(world: SiegeWorld, player: SiegePlayer, which: number): void {
  const caster = player.thing
  if (caster === undefined || caster.hp <= 0 || isHelpless(world, caster)) return
  if (caster.abilityReadyAt.get(which) > world.clock) return
  const ability = CHAMPIONS[caster.champion].abilities[which]
  caster.abilityReadyAt.set(which, world.clock + ticks(world, ability.cooldown))
  caster.recallAt = 0
  const aim = aimOf(player, caster)
  if (ability.effect === 'missile') throwMissiles(world, caster, ability, aim)
  else if (ability.effect === 'dash') dash(world, caster, ability, aim)
  else if (ability.effect === 'burst') burst(world, caster, ability, aim)
  else shield(caster, atLevel(caster, ability.amount, ability.amountPerLevel), ticks(world, ability.duration))
  emit(world, 'cast', { caster, champion: caster.champion, ability: which })
}

/** Towards the aim; to the right where that is the caster itself. */
function aimOf({ aimX, aimY }: SiegePlayer, { x, y }: SiegeThing): Aim {
  const distance = length(aimX - x, aimY - y)
  return distance > 0 ? { x: (aimX - x) / distance, y: (aimY - y) / distance, distance } : { x: 1, y: 0, distance }
}

function atLevel({ level }: SiegeThing, amount: number, perLevel: number): number {
  return amount + perLevel * (level - 1)
}

function throwMissiles(world: SiegeWorld, caster: SiegeThing, ability: Effect<'missile'>, aim: Aim): void {
  const { count = 1, spread = 0, speed, range, pierce = 0 } = ability
  for (let i = 0; i < count; i++) {
    const angle = (i - (count - 1) / 2) * spread
    const missile = addBlow(caster, ability, {
      kind: KIND.missile,
      vx: (aim.x * cos(angle) - aim.y * sin(angle)) * speed,
      vy: (aim.y * cos(angle) + aim.x * sin(angle)) * speed,
      pierceLeft: pierce,
      endsAt: world.clock + ticks(world, range / speed),
    })
    if (!exists(missile)) return
  }
}

/** The champion is thrown by itself. A burst that goes along hits the units it passes. */
function dash(world: SiegeWorld, caster: SiegeThing, ability: Effect<'dash'>, aim: Aim): void {
  const endsAt = world.clock + ticks(world, ability.range / ability.speed)
  caster.vx = aim.x * ability.speed
  caster.vy = aim.y * ability.speed
  caster.thrownUntil = endsAt
  if (ability.radius > 0) addBlow(caster, ability, { kind: KIND.burst, follows: 1, endsAt })
}

function burst(world: SiegeWorld, caster: SiegeThing, ability: Effect<'burst'>, aim: Aim): void {
  const way = Math.min(ability.range, aim.distance)
  const readyAt = world.clock + ticks(world, ability.delay)
  const [x, y] = [caster.x + aim.x * way, caster.y + aim.y * way]
  addBlow(caster, ability, { kind: KIND.burst, x, y, readyAt, endsAt: readyAt + 1 })
}

function addBlow(caster: SiegeThing, ability: Ability & Blow, values: Record<string, number>): SiegeThing {
  return spawnFrom(caster, 'blow', {
    ability: caster.champion * 2 + CHAMPIONS[caster.champion].abilities.indexOf(ability),
    damage: atLevel(caster, ability.damage, ability.damagePerLevel),
    radius: ability.radius,
    ...values,
  })
}

/** Missiles fly, dashes go along with their champion. */
export function moveBlows(world: SiegeWorld): void {
  const seconds = dt(world)
  for (const blow of each(world, 'blow')) {
    if (blow.kind === KIND.missile) {
      blow.x += blow.vx * seconds
      blow.y += blow.vy * seconds
      if (!isOnLand(blow.x, blow.y, 0)) despawn(blow)
    } else if (blow.follows === 1) {
      const owner = thing(world, blow.owner)
      // An interrupted dash hits nothing any more.
      if (owner === undefined || owner.hp <= 0) despawn(blow)
      else {
        blow.x = owner.x
        blow.y = owner.y
      }
    }
  }
}
