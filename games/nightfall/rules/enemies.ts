/** Enemies walk straight at the nearest survivor. Some have guns. */

import { thing } from 'hurtbox'
import { spawnFrom } from 'hurtbox/combat'
import { direction, length, range, TAU } from 'hurtbox/math'
import { ENEMIES, type Enemy } from './content/enemies.ts'
import { DT, KIND, LAYER, type NightThing, type NightWorld, type Place, TICK_RATE } from './declaration.ts'
import { nearestOf, standing } from './survivors.ts'

/** px. */
const BULLET_RADIUS = 4

export function chase(world: NightWorld): void {
  const { layer, x, y, speed, count } = world.tables.things
  const survivors = standing(world)
  if (survivors.length === 0) return
  for (let row = 0; row < count; row++) {
    if (layer[row] !== LAYER.enemy) continue
    const prey = nearestOf(survivors, x[row], y[row])
    const dx = prey.x - x[row]
    const dy = prey.y - y[row]
    const distance = length(dx, dy)
    if (distance === 0) continue
    x[row] += (dx / distance) * speed[row] * DT
    y[row] += (dy / distance) * speed[row] * DT
  }
}

/** An enemy with a gun shoots when it is ready and a survivor is in range; otherwise it waits for its next turn. */
export function shoot(world: NightWorld): void {
  const { layer, kind, readyAt, id, count } = world.tables.things
  const { clock } = world
  const survivors = standing(world)
  if (survivors.length === 0) return
  for (let row = 0; row < count; row++) {
    if (layer[row] !== LAYER.enemy) continue
    const { gun } = ENEMIES[kind[row] - 1]
    if (gun === undefined || readyAt[row] > clock) continue
    const enemy = thing(world, id[row])!
    enemy.readyAt = clock + gun.every * TICK_RATE
    const prey = nearestOf(survivors, enemy.x, enemy.y)
    if (length(prey.x - enemy.x, prey.y - enemy.y) <= gun.range) volley(world, enemy, prey, gun)
  }
}

type Gun = NonNullable<Enemy['gun']>

/** Scratch. */
const turned = { x: 1, y: 0 }

function volley(world: NightWorld, enemy: NightThing, prey: NightThing, { bullets }: Gun): void {
  const { clock, tuning } = world
  const { guns } = world.random
  // Up to a fifth of a second sooner or later, so that a crowd does not fire in step.
  enemy.readyAt += Math.round(range(guns, -0.2, 0.2) * TICK_RATE)
  const dx = prey.x - enemy.x
  const dy = prey.y - enemy.y
  const distance = length(dx, dy)
  const aimX = distance > 0 ? dx / distance : 1
  const aimY = distance > 0 ? dy / distance : 0
  const miss = range(guns, -0.1, 0.1)
  for (let i = 0; i < bullets; i++) {
    direction(miss + (i / bullets) * TAU, turned)
    const bullet = spawnFrom(enemy, 'bullet', { kind: KIND.bullet, radius: BULLET_RADIUS })
    bullet.vx = (aimX * turned.x - aimY * turned.y) * tuning.bulletSpeed
    bullet.vy = (aimX * turned.y + aimY * turned.x) * tuning.bulletSpeed
    // Hurts half as much again as a touch.
    bullet.damage = Math.floor(enemy.damage * 1.5)
    bullet.endsAt = clock + tuning.bulletLife
  }
}

/** The living enemy nearest to a place within `reach`, leaving out those whose id is in `struck`. */
export function nearestEnemy(
  world: NightWorld,
  from: Place,
  reach = Number.POSITIVE_INFINITY,
  struck: readonly number[] = [],
): NightThing | undefined {
  const { layer, hp, x, y, id, count } = world.tables.things
  let nearest = 0
  let nearestSquared = reach * reach
  for (let row = 0; row < count; row++) {
    if (layer[row] !== LAYER.enemy || hp[row] <= 0) continue
    const dx = x[row] - from.x
    const dy = y[row] - from.y
    const squared = dx * dx + dy * dy
    if (squared >= nearestSquared || struck.includes(id[row])) continue
    nearest = id[row]
    nearestSquared = squared
  }
  return thing(world, nearest)
}
