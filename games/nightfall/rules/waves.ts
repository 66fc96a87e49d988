/** The night sends enemies from just out of sight, as the table of the minute says. */

import { addRow, emit } from 'hurtbox'
import { chance, direction, int, range, TAU } from 'hurtbox/math'
import { DAMAGE_TYPES } from './content/damage-types.ts'
import { ENEMIES, enemyKind } from './content/enemies.ts'
import { PERK } from './content/upgrades.ts'
import { type Minute, type Newcomer, WAVES } from './content/waves.ts'
import { LAYER, type NightThing, type NightWorld, type Place, TICK_RATE } from './declaration.ts'
import { standing } from './survivors.ts'
import { bestLevelOf } from './upgrades.ts'

/** px from a survivor. */
const RING = { from: 400, to: 500 }
/** More than this in one tick have to wait for the next. */
const MOST_PER_TICK = 12

export function waves(world: NightWorld): void {
  const { globals, tuning } = world
  const survivors = standing(world)
  if (survivors.length === 0) return
  // In sixtieths of an enemy, so that whole rates come out exactly. Every survivor brings its own wave.
  globals.spawnDebt += rowOf(world).perSecond * growthOf(world) * tuning.spawnRate * survivors.length
  if (globals.spawnDebt < TICK_RATE) return
  let room = tuning.crowdLimit - countOf(world, LAYER.enemy)
  for (let n = 0; n < MOST_PER_TICK && globals.spawnDebt >= TICK_RATE; n++) {
    globals.spawnDebt -= TICK_RATE
    if (room-- > 0) spawnNewcomer(world, survivors[int(world.random.waves, 0, survivors.length - 1)])
  }
}

/** The row of the table that holds now. */
function rowOf(world: NightWorld): Minute {
  const table = WAVES[world.options.waves]
  return table[Math.min(minuteOf(world), table.length - 1)]
}

/** Whole minutes into the night. */
export function minuteOf({ clock, options }: NightWorld): number {
  return options.fromMinute + Math.floor(clock / (60 * TICK_RATE))
}

/** Scratch. */
const spoke = { x: 1, y: 0 }

/** The survivor was drawn already; then kind, elite, angle, distance, in this order. */
function spawnNewcomer(world: NightWorld, around: NightThing): void {
  const { waves: stream } = world.random
  const minute = rowOf(world)
  const newcomer = drawNewcomer(stream, minute)
  const isElite = chance(stream, Math.min(minute.elite * (1 + 0.1 * bestLevelOf(world, PERK.fortune)), 1)) ? 1 : 0
  direction(range(stream, 0, TAU), spoke)
  const distance = range(stream, RING.from, RING.to)
  addEnemy(world, newcomer, { x: around.x + spoke.x * distance, y: around.y + spoke.y * distance }, isElite)
}

/**
 * An elite has three times the health, a fifth more speed and twice the touch; health and touch are rounded down. Returns
 * the row. By columns: in a storm thousands stand on the field, and the handle of each would have to move with its row.
 */
export function addEnemy(world: NightWorld, newcomer: Newcomer, { x, y }: Place, isElite = 0): number {
  const { things } = world.tables
  const row = addRow(things)
  if (row < 0) return row
  const [name, , hp, speed, touch] = newcomer
  const kind = enemyKind(name)
  const { radius, knockbackResistance = 0, armour = {}, shield = 0, gun } = ENEMIES[kind - 1]
  const growth = growthOf(world)
  const health = Math.floor(hp * (1 + 2 * isElite) * growth)
  things.layer[row] = LAYER.enemy
  things.kind[row] = kind
  things.x[row] = x
  things.y[row] = y
  things.radius[row] = radius
  things.hp[row] = things.maxHp[row] = health
  things.shield[row] = Math.floor(health * shield)
  const types = DAMAGE_TYPES.length
  for (let type = 0; type < types; type++) things.armour[row * types + type] = armour[DAMAGE_TYPES[type]] ?? 0
  things.knockbackResistance[row] = 1 - (1 - knockbackResistance) / growth
  things.speed[row] = speed * (isElite ? 1.2 : 1)
  things.damage[row] = Math.floor(touch * (1 + isElite))
  things.isElite[row] = isElite
  if (gun !== undefined) things.readyAt[row] = world.clock + gun.every * TICK_RATE
  emit(world, 'spawned', { enemy: things.id[row], enemyKind: kind, isElite })
  return row
}

/** After the last minute of the table, enemies become more, tougher and heavier: slowly, then ever faster. */
function growthOf(world: NightWorld): number {
  const minutesBeyond = Math.max(0, minuteOf(world) - WAVES[world.options.waves].length)
  return 1 + world.tuning.growth * minutesBeyond * minutesBeyond
}

/** One of the minute's creatures, by weight. */
export function drawNewcomer(stream: Uint32Array, { mix }: Minute): Newcomer {
  let left = 0
  for (let i = 0; i < mix.length; i++) left += mix[i][1]
  left = range(stream, 0, left)
  for (let i = 0; i < mix.length; i++) {
    left -= mix[i][1]
    if (left < 0) return mix[i]
  }
  return mix[mix.length - 1]
}

export function countOf({ tables: { things } }: NightWorld, wanted: number): number {
  const { layer, count } = things
  let found = 0
  for (let row = 0; row < count; row++) if (layer[row] === wanted) found++
  return found
}
