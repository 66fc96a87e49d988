/** Basic attacks: raise the arm, strike; those who shoot send a shot after their target. */

import { emit, findRow } from 'hurtbox'
import { hurtNow, release } from 'hurtbox/combat'
import { length } from 'hurtbox/math'
import { CHAMPION_SHOT_RADIUS, CHAMPIONS } from './content/champions.ts'
import { KIND, UNITS } from './content/units.ts'
import { combat, LAYER, type SiegeWorld } from './declaration.ts'
import { targetOf } from './targets.ts'
import { dt, gap, isHelpless } from './units.ts'

/** How far out of range a target may have gone while the arm was raised. */
const SLACK = 50
/** A tower's shots grow hotter this often. */
const HEAT_MOST = 5

export function attack(world: SiegeWorld): void {
  const { things } = world.tables
  const { clock } = world
  for (let row = 0, { count } = things; row < count; row++) {
    if (things.strikesAt[row] !== 0) {
      if (isHelpless(world, row)) things.strikesAt[row] = 0
      // Who died earlier in this tick still strikes: two fighters can trade.
      else if (things.strikesAt[row] <= clock) strike(world, row)
    } else if (things.target[row] !== 0 && things.readyAt[row] <= clock) raiseArm(world, row)
  }
}

function raiseArm(world: SiegeWorld, row: number): void {
  const { things } = world.tables
  if (things.layer[row] > LAYER.structure || things.hp[row] <= 0 || things.damage[row] === 0) return
  if (isHelpless(world, row) || things.recallAt[row] !== 0) return
  const target = targetOf(world, row)
  if (target < 0 || gap(world, row, target) > things.range[row]) return
  things.readyAt[row] = world.clock + things.cooldown[row]
  things.strikesAt[row] = world.clock + things.windup[row]
  things.walks[row] = 0
  if (things.windup[row] === 0) strike(world, row)
}

function strike(world: SiegeWorld, row: number): void {
  const { things } = world.tables
  things.strikesAt[row] = 0
  const target = targetOf(world, row)
  if (target < 0 || gap(world, row, target) > things.range[row] + SLACK) return
  const damage = (things.damage[row] + heatOf(world, row)) * siegeOf(world, row, target)
  if (shotSpeed(world, row) > 0) shoot(world, row, target, damage)
  else hurtNow(world, target, damage, combat.type.physical, things.id[row], things.id[row])
}

/** Champions break walls: what they do to structures counts several times. */
function siegeOf({ tables: { things }, tuning }: SiegeWorld, row: number, target: number): number {
  return things.kind[row] === KIND.champion && things.layer[target] === LAYER.structure ? tuning.championSiege : 1
}

/** What a tower adds, and one more for the next time. */
function heatOf(world: SiegeWorld, row: number): number {
  const { kind, heat, tier } = world.tables.things
  if (kind[row] !== KIND.tower) return 0
  const added = heat[row] * (world.tuning.towerHeat + 5 * (tier[row] - 1))
  heat[row] = Math.min(heat[row] + 1, HEAT_MOST)
  return added
}

function shoot(world: SiegeWorld, row: number, target: number, damage: number): void {
  const { things } = world.tables
  const radius = things.kind[row] === KIND.champion ? CHAMPION_SHOT_RADIUS : UNITS[things.kind[row]].shotRadius
  const shot = release(things, row, KIND.shot, LAYER.shot, radius)
  if (shot < 0) return
  things.speed[shot] = shotSpeed(world, row)
  things.damage[shot] = damage
  things.target[shot] = things.id[target]
  emit(world.events.shot, { shooter: things.id[row], target: things.id[target] })
}

function shotSpeed({ tables: { things } }: SiegeWorld, row: number): number {
  const kind = things.kind[row]
  return kind === KIND.champion ? CHAMPIONS[things.champion[row]].shotSpeed : UNITS[kind].shotSpeed
}

/** Shots follow their target wherever it goes, fog or not; when it is gone so are they. */
export function followTargets(world: SiegeWorld): void {
  const { things } = world.tables
  const { count, kind, x, y, vx, vy, speed } = things
  const seconds = dt(world)
  for (let row = 0; row < count; row++) {
    if (kind[row] !== KIND.shot) continue
    const target = findRow(things, things.target[row])
    if (target < 0 || things.hp[target] <= 0) {
      things.leaving[row] = 1
      continue
    }
    const dx = x[target] - x[row]
    const dy = y[target] - y[row]
    const distance = length(dx, dy)
    // Never beyond its target's centre: so it cannot fly past, however fast it is.
    const step = distance === 0 ? 0 : Math.min(speed[row] * seconds, distance) / distance
    vx[row] = (dx * step) / seconds
    vy[row] = (dy * step) / seconds
    x[row] += dx * step
    y[row] += dy * step
  }
}
