/** Basic attacks: raise the arm, strike. Ranged attackers send a shot that follows its target. */

import { despawn, each, emit, exists, thing } from 'hurtbox'
import { hurt, spawnFrom } from 'hurtbox/combat'
import { length } from 'hurtbox/math'
import { CHAMPION_SHOT_RADIUS, CHAMPIONS } from './content/champions.ts'
import { KIND, UNITS, type UnitStats } from './content/units.ts'
import { combat, LAYER, type SiegeThing, type SiegeWorld } from './declaration.ts'
import { targetOf } from './targets.ts'
import { dt, isHelpless, isInRange } from './units.ts'

/** How far out of range a target may have gone meanwhile. */
const SLACK = 50
/** A tower's shots grow hotter this often. */
const HEAT_MOST = 5

/** In columns: every unit, every tick. */
export function attack(world: SiegeWorld): void {
  const { count, id, layer, strikesAt, target, attacksAt } = world.tables.things
  for (let row = 0; row < count; row++) {
    const isIdle = strikesAt[row] === 0 && (target[row] === 0 || attacksAt[row] > world.clock)
    if (isIdle || layer[row] > LAYER.structure) continue
    const unit = thing(world, id[row])!
    if (unit.strikesAt === 0) raiseArm(world, unit)
    else if (isHelpless(world, unit)) unit.strikesAt = 0
    // A unit that died earlier in this tick still strikes: two fighters can trade.
    else if (unit.strikesAt <= world.clock) strike(world, unit)
  }
}

function raiseArm(world: SiegeWorld, unit: SiegeThing): void {
  if (unit.hp <= 0 || unit.damage === 0 || isHelpless(world, unit) || unit.recallAt !== 0) return
  const target = targetOf(world, unit)
  if (target === undefined || !isInRange(unit, target)) return
  unit.attacksAt = world.clock + unit.cooldown
  unit.strikesAt = world.clock + unit.windup
  unit.walks = 0
  if (unit.windup === 0) strike(world, unit)
}

function strike(world: SiegeWorld, unit: SiegeThing): void {
  unit.strikesAt = 0
  const target = targetOf(world, unit)
  if (target === undefined || !isInRange(unit, target, SLACK)) return
  const damage = (unit.damage + heatOf(world, unit)) * siegeOf(world, unit, target)
  const { shotSpeed: speed, shotRadius: radius } = shotOf(unit)
  if (speed === 0) {
    hurt(target, damage, unit, combat.type.physical)
    return
  }
  const shot = spawnFrom(unit, 'shot', { kind: KIND.shot, radius, speed, damage, target: target.id })
  if (exists(shot)) emit(world, 'shot', { shooter: unit, target })
}

/** Champions break walls: what they do to structures counts several times. */
function siegeOf({ tuning }: SiegeWorld, { kind }: SiegeThing, target: SiegeThing): number {
  return kind === KIND.champion && target.layer === 'structure' ? tuning.championSiege : 1
}

/** What a tower adds, and one more for the next time. */
function heatOf({ tuning }: SiegeWorld, unit: SiegeThing): number {
  const { kind, heat, tier } = unit
  if (kind !== KIND.tower) return 0
  unit.heat = Math.min(heat + 1, HEAT_MOST)
  return heat * (tuning.towerHeat + 5 * (tier - 1))
}

function shotOf({ kind, champion }: SiegeThing): Pick<UnitStats, 'shotSpeed' | 'shotRadius'> {
  if (kind !== KIND.champion) return UNITS[kind]
  return { shotSpeed: CHAMPIONS[champion].shotSpeed, shotRadius: CHAMPION_SHOT_RADIUS }
}

/** Shots follow their target into the fog; when it is gone so are they. */
export function followTargets(world: SiegeWorld): void {
  const seconds = dt(world)
  for (const shot of each(world, 'shot')) {
    const target = thing(world, shot.target)
    if (target === undefined || target.hp <= 0) {
      despawn(shot)
      continue
    }
    const dx = target.x - shot.x
    const dy = target.y - shot.y
    const distance = length(dx, dy)
    // Never beyond its target's centre, however fast it is.
    const step = distance === 0 ? 0 : Math.min(shot.speed * seconds, distance) / distance
    shot.vx = (dx * step) / seconds
    shot.vy = (dy * step) / seconds
    shot.x += dx * step
    shot.y += dy * step
  }
}
