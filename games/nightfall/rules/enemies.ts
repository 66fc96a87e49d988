/** Enemies walk straight at the nearest survivor. Some have guns. */

import { release } from 'hurtbox/combat'
import { direction, length, range, TAU } from 'hurtbox/math'
import { ENEMIES, type Enemy } from './content/enemies.ts'
import { DT, KIND, LAYER, type NightWorld, TICK_RATE } from './declaration.ts'
import { listLiving, nearestOf } from './survivors.ts'

/** px. */
const BULLET_RADIUS = 4

export function chase(world: NightWorld): void {
  const { layer, x, y, speed, count } = world.tables.things
  const living = listLiving(world)
  if (living.count === 0) return
  for (let row = 0; row < count; row++) {
    if (layer[row] !== LAYER.enemy) continue
    const prey = nearestOf(world, living, x[row], y[row])
    const dx = x[prey] - x[row]
    const dy = y[prey] - y[row]
    const distance = length(dx, dy)
    if (distance === 0) continue
    x[row] += (dx / distance) * speed[row] * DT
    y[row] += (dy / distance) * speed[row] * DT
  }
}

/** An enemy with a gun shoots when it is ready and somebody is in range; otherwise it waits for its next turn. */
export function shoot(world: NightWorld): void {
  const { things } = world.tables
  const { clock, random } = world
  const living = listLiving(world)
  if (living.count === 0) return
  for (let row = 0, { count } = things; row < count; row++) {
    if (things.layer[row] !== LAYER.enemy) continue
    const { gun } = ENEMIES[things.kind[row] - 1]
    if (gun === undefined || things.readyAt[row] > clock) continue
    things.readyAt[row] = clock + gun.every * TICK_RATE
    const prey = nearestOf(world, living, things.x[row], things.y[row])
    if (distanceBetween(world, row, prey) > gun.range) continue
    // Up to a fifth of a second sooner or later, so that a crowd does not fire in step.
    things.readyAt[row] += Math.round(range(random.guns, -0.2, 0.2) * TICK_RATE)
    volley(world, row, prey, gun)
  }
}

/** Scratch: written before it is read. */
const turned = { x: 1, y: 0 }

function volley(world: NightWorld, row: number, prey: number, { bullets }: NonNullable<Enemy['gun']>): void {
  const { things } = world.tables
  const dx = things.x[prey] - things.x[row]
  const dy = things.y[prey] - things.y[row]
  const distance = length(dx, dy)
  const aimX = distance > 0 ? dx / distance : 1
  const aimY = distance > 0 ? dy / distance : 0
  const miss = range(world.random.guns, -0.1, 0.1)
  for (let i = 0; i < bullets; i++) {
    direction(miss + (i / bullets) * TAU, turned)
    addBullet(world, row, aimX * turned.x - aimY * turned.y, aimX * turned.y + aimY * turned.x)
  }
}

/** Hurts half as much again as a touch, rounded down. */
function addBullet(world: NightWorld, shooter: number, forwardX: number, forwardY: number): void {
  const { things } = world.tables
  const { tuning, clock } = world
  const row = release(things, shooter, KIND.bullet, LAYER.bullet, BULLET_RADIUS)
  if (row < 0) return
  things.vx[row] = forwardX * tuning.bulletSpeed
  things.vy[row] = forwardY * tuning.bulletSpeed
  things.damage[row] = Math.floor(things.damage[shooter] * 1.5)
  things.endsAt[row] = clock + tuning.bulletLife
}

/**
 * The row of the living enemy nearest to (x, y) within `reach`, or -1. Things from row `linksFrom` on are the links of a
 * chain: whoever is the target of one does not count.
 */
export function nearestEnemy(world: NightWorld, x: number, y: number, reach: number, linksFrom: number): number {
  const { things } = world.tables
  let nearest = -1
  let nearestSquared = reach * reach
  for (let row = 0; row < linksFrom; row++) {
    if (things.layer[row] !== LAYER.enemy || things.hp[row] <= 0) continue
    const dx = things.x[row] - x
    const dy = things.y[row] - y
    const squared = dx * dx + dy * dy
    if (squared >= nearestSquared || isLinked(world, things.id[row], linksFrom)) continue
    nearest = row
    nearestSquared = squared
  }
  return nearest
}

function isLinked(world: NightWorld, enemy: number, linksFrom: number): boolean {
  const { target, count } = world.tables.things
  for (let link = linksFrom; link < count; link++) if (target[link] === enemy) return true
  return false
}

function distanceBetween(world: NightWorld, a: number, b: number): number {
  const { x, y } = world.tables.things
  const dx = x[b] - x[a]
  const dy = y[b] - y[a]
  return length(dx, dy)
}
