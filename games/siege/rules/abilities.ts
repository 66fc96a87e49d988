/** Abilities: what a press starts, and how missiles and bursts live on. */

import { emit, findRow, thingOf } from 'hurtbox'
import { release } from 'hurtbox/combat'
import { clamp, cos, length, sin } from 'hurtbox/math'
import { type Ability, CHAMPIONS } from './content/champions.ts'
import { BOUNDS } from './content/map.ts'
import { KIND } from './content/units.ts'
import { LAYER, type SiegeWorld } from './declaration.ts'
import { dt, isHelpless, ticks } from './units.ts'

type Effect<E extends Ability['effect']> = Extract<Ability, { effect: E }>

/** The ability that a missile or burst comes from. */
export function abilityOf(ability: number): Ability {
  return CHAMPIONS[ability >> 1].abilities[ability & 1]
}

export function cast(world: SiegeWorld): void {
  const { players } = world.tables
  for (let player = 0; player < players.count; player++) {
    if (players.first[player] > 0) start(world, player, 0)
    if (players.second[player] > 0) start(world, player, 1)
  }
}

function start(world: SiegeWorld, player: number, which: number): void {
  const { things } = world.tables
  const { clock } = world
  const row = thingOf(world, player)
  if (row < 0 || things.hp[row] <= 0 || isHelpless(world, row) || things.abilityReadyAt[row * 2 + which] > clock) return
  const ability = CHAMPIONS[things.champion[row]].abilities[which]
  things.abilityReadyAt[row * 2 + which] = clock + ticks(world, ability.cooldown)
  things.recallAt[row] = 0
  takeAim(world, player, row)
  const number = things.champion[row] * 2 + which
  if (ability.effect === 'missile') throwMissiles(world, row, number, ability)
  else if (ability.effect === 'dash') dash(world, row, number, ability)
  else if (ability.effect === 'burst') burst(world, row, number, ability)
  else {
    things.shield[row] = ability.amount + ability.amountPerLevel * (things.level[row] - 1)
    things.shieldUntil[row] = clock + ticks(world, ability.duration)
  }
  emit(world.events.cast, { caster: things.id[row], champion: things.champion[row], ability: which })
}

/** Scratch of one cast: where it is aimed at, as a direction and a distance. */
const aim = { x: 1, y: 0, distance: 0.5 }

/** Towards the aim; who aims at itself casts to the right. */
function takeAim(world: SiegeWorld, player: number, row: number): void {
  const { things, players } = world.tables
  const dx = players.aimX[player] - things.x[row]
  const dy = players.aimY[player] - things.y[row]
  aim.distance = length(dx, dy)
  aim.x = aim.distance > 0 ? dx / aim.distance : 1
  aim.y = aim.distance > 0 ? dy / aim.distance : 0
}

function throwMissiles(world: SiegeWorld, row: number, number: number, ability: Effect<'missile'>): void {
  const { things } = world.tables
  const { count = 1, spread = 0, speed, range, radius, pierce = 0 } = ability
  for (let i = 0; i < count; i++) {
    const angle = (i - (count - 1) / 2) * spread
    const missile = addBlow(world, row, KIND.missile, number, radius)
    if (missile < 0) return
    things.vx[missile] = (aim.x * cos(angle) - aim.y * sin(angle)) * speed
    things.vy[missile] = (aim.y * cos(angle) + aim.x * sin(angle)) * speed
    things.pierceLeft[missile] = pierce
    things.endsAt[missile] = world.clock + ticks(world, range / speed)
  }
}

/** The champion is thrown by itself. Who passes near is hit by a burst that goes along. */
function dash(world: SiegeWorld, row: number, number: number, { speed, range, radius }: Effect<'dash'>): void {
  const { things } = world.tables
  const until = world.clock + ticks(world, range / speed)
  things.vx[row] = aim.x * speed
  things.vy[row] = aim.y * speed
  things.thrownUntil[row] = until
  if (radius === 0) return
  const blow = addBlow(world, row, KIND.burst, number, radius)
  if (blow < 0) return
  things.follows[blow] = 1
  things.endsAt[blow] = until
}

function burst(world: SiegeWorld, row: number, number: number, { range, radius, delay }: Effect<'burst'>): void {
  const { things } = world.tables
  const blow = addBlow(world, row, KIND.burst, number, radius)
  if (blow < 0) return
  const way = Math.min(range, aim.distance)
  things.x[blow] += aim.x * way
  things.y[blow] += aim.y * way
  things.readyAt[blow] = world.clock + ticks(world, delay)
  things.endsAt[blow] = things.readyAt[blow] + 1
}

function addBlow(world: SiegeWorld, row: number, kind: number, number: number, radius: number): number {
  const { things } = world.tables
  const blow = release(things, row, kind, LAYER.blow, radius)
  if (blow < 0) return -1
  const ability = abilityOf(number)
  things.ability[blow] = number
  if (ability.effect !== 'shield')
    things.damage[blow] = ability.damage + ability.damagePerLevel * (things.level[row] - 1)
  return blow
}

/** Missiles fly, bursts go along with whom they belong to. */
export function moveBlows(world: SiegeWorld): void {
  const { things } = world.tables
  const { count, kind, x, y, vx, vy, leaving } = things
  const seconds = dt(world)
  for (let row = 0; row < count; row++) {
    if (things.layer[row] !== LAYER.blow || leaving[row] !== 0) continue
    if (kind[row] === KIND.missile) {
      x[row] += vx[row] * seconds
      y[row] += vy[row] * seconds
      if (isOffTheMap(x[row], y[row])) leaving[row] = 1
    } else if (things.follows[row] === 1) {
      const owner = findRow(things, things.owner[row])
      // A dash that was cut short hits nobody any more.
      if (owner < 0 || things.hp[owner] <= 0) leaving[row] = 1
      else {
        x[row] = x[owner]
        y[row] = y[owner]
      }
    }
  }
}

function isOffTheMap(x: number, y: number): boolean {
  return clamp(x, BOUNDS.minX, BOUNDS.maxX) !== x || clamp(y, BOUNDS.minY, BOUNDS.maxY) !== y
}

/** What lasts for a while ends: shields. */
export function fade(world: SiegeWorld): void {
  const { count, shieldUntil, shield } = world.tables.things
  for (let row = 0; row < count; row++) {
    if (shieldUntil[row] === 0 || shieldUntil[row] > world.clock) continue
    shield[row] = 0
    shieldUntil[row] = 0
  }
}
