/** The night sends its creatures: so many a second from just out of sight, as the table of the minute says. */

import { emit, spawn } from 'hurtbox'
import { chance, direction, int, range, TAU } from 'hurtbox/math'
import { DAMAGE_TYPES } from './content/damage-types.ts'
import { ENEMIES, enemyKind } from './content/enemies.ts'
import { PERK } from './content/upgrades.ts'
import { type Minute, type Newcomer, WAVES } from './content/waves.ts'
import { LAYER, type NightWorld, TICK_RATE } from './declaration.ts'
import { listLiving } from './survivors.ts'
import { bestLevelOf } from './upgrades.ts'

/** px from a survivor. */
const RING = { from: 400, to: 500 }
/** More than this in one tick wait for the next. */
const MOST_PER_TICK = 12

export function waves(world: NightWorld): void {
  const { globals, tuning } = world
  const living = listLiving(world)
  if (living.count === 0) return
  // In sixtieths of an enemy, so that whole rates come out exactly. Every survivor brings its own wave.
  globals.spawnDebt += rowOf(world).perSecond * growthOf(world) * tuning.spawnRate * living.count
  if (globals.spawnDebt < TICK_RATE) return
  let room = tuning.crowdLimit - countEnemies(world)
  for (let n = 0; n < MOST_PER_TICK && globals.spawnDebt >= TICK_RATE; n++) {
    globals.spawnDebt -= TICK_RATE
    if (room-- > 0) spawnNewcomer(world, living.rows[int(world.random.waves, 0, living.count - 1)])
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

/** Scratch: written before it is read. */
const spoke = { x: 1, y: 0 }

/** Around whom was drawn already; then kind, elite, angle, distance, in this order. */
function spawnNewcomer(world: NightWorld, around: number): void {
  const { things } = world.tables
  const { waves: stream } = world.random
  const minute = rowOf(world)
  const newcomer = drawNewcomer(stream, minute)
  const isElite = chance(stream, Math.min(minute.elite * (1 + 0.1 * bestLevelOf(world, PERK.fortune)), 1))
  direction(range(stream, 0, TAU), spoke)
  const distance = range(stream, RING.from, RING.to)
  const x = things.x[around] + spoke.x * distance
  const y = things.y[around] + spoke.y * distance
  addEnemy(world, newcomer, isElite, x, y)
}

/** An elite has three times the health, a fifth more speed and twice the touch; health and touch are rounded down. */
export function addEnemy(
  world: NightWorld,
  [name, , hp, speed, touch]: Newcomer,
  isElite: boolean,
  x: number,
  y: number,
): number {
  const { things } = world.tables
  const kind = enemyKind(name)
  const { radius, steadiness = 0, armour = {}, shield = 0, gun } = ENEMIES[kind - 1]
  const growth = growthOf(world)
  const health = Math.floor(hp * (isElite ? 3 : 1) * growth)
  const id = spawn(things, {
    kind,
    layer: LAYER.enemy,
    x,
    y,
    radius,
    hp: health,
    maxHp: health,
    shield: Math.floor(health * shield),
    armour: DAMAGE_TYPES.map((type) => armour[type] ?? 0),
    steadiness: 1 - (1 - steadiness) / growth,
    speed: speed * (isElite ? 1.2 : 1),
    damage: Math.floor(touch * (isElite ? 2 : 1)),
    isElite: isElite ? 1 : 0,
    readyAt: gun === undefined ? 0 : world.clock + gun.every * TICK_RATE,
  })
  if (id > 0) emit(world.events.spawned, { enemy: id, enemyKind: kind, isElite: isElite ? 1 : 0 })
  return id
}

/** When the table has no more minutes, enemies become more, tougher and heavier instead: slowly, then ever faster. */
function growthOf(world: NightWorld): number {
  const minutesBeyond = Math.max(0, minuteOf(world) - WAVES[world.options.waves].length)
  return 1 + world.tuning.growth * minutesBeyond * minutesBeyond
}

/** One of the minute's creatures, by weight. */
export function drawNewcomer(stream: Uint32Array, { mix }: Minute): Newcomer {
  let total = 0
  for (const [, weight] of mix) total += weight
  let left = range(stream, 0, total)
  for (const newcomer of mix) {
    left -= newcomer[1]
    if (left < 0) return newcomer
  }
  return mix[mix.length - 1]
}

function countEnemies(world: NightWorld): number {
  const { layer, count } = world.tables.things
  let enemies = 0
  for (let row = 0; row < count; row++) if (layer[row] === LAYER.enemy) enemies++
  return enemies
}
