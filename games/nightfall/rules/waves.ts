/** The night sends its creatures: so many a second from just out of sight, as the table of the minute says. */

import { emit, spawn } from 'hurtbox'
import { chance, direction, int, range, TAU } from 'hurtbox/math'
import { DAMAGE_TYPES } from './content/damage-types.ts'
import { ENEMIES, enemyKind } from './content/enemies.ts'
import { PERK } from './content/upgrades.ts'
import { type Minute, type Newcomer, WAVES } from './content/waves.ts'
import { LAYER, type NightWorld, TICK_RATE } from './declaration.ts'
import { livingRow } from './survivors.ts'
import { levelOf } from './upgrades.ts'

/** px from a survivor. */
const RING = { from: 400, to: 500 }
/** More than this in one tick wait for the next. */
const MOST_PER_TICK = 12

export function waves(world: NightWorld): void {
  const { globals, tuning } = world
  const survivors = countLiving(world)
  if (survivors === 0) return
  // In sixtieths of an enemy, so that whole rates come out exactly. Every survivor brings its own wave.
  globals.spawnDebt += minuteOf(world).perSecond * growthOf(world) * tuning.spawnRate * survivors
  if (globals.spawnDebt < TICK_RATE) return
  let room = tuning.crowdLimit - countEnemies(world)
  for (let n = 0; n < MOST_PER_TICK && globals.spawnDebt >= TICK_RATE; n++) {
    globals.spawnDebt -= TICK_RATE
    if (room-- > 0) spawnNewcomer(world, int(world.random.waves, 0, survivors - 1))
  }
}

/** The row of the table that holds now. */
function minuteOf(world: NightWorld): Minute {
  const table = WAVES[world.options.waves]
  return table[Math.min(Math.floor(world.clock / (60 * TICK_RATE)), table.length - 1)]
}

/** Scratch: written before it is read. */
const spoke = { x: 1, y: 0 }

/** Draws, in this order: around whom (given), kind, elite, angle, distance. */
function spawnNewcomer(world: NightWorld, nth: number): void {
  const { things } = world.tables
  const { waves: stream } = world.random
  const minute = minuteOf(world)
  const newcomer = pickNewcomer(minute, range(stream, 0, totalWeight(minute)))
  const isElite = chance(stream, Math.min(minute.elite * (1 + 0.1 * fortuneOf(world)), 1))
  direction(range(stream, 0, TAU), spoke)
  const distance = range(stream, RING.from, RING.to)
  const around = nthLiving(world, nth)
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
  if (id > 0) emit(world.events.spawned, { enemy: id, kind, isElite: isElite ? 1 : 0 })
  return id
}

/** When the table has no more minutes, enemies become more, tougher and heavier instead. */
function growthOf(world: NightWorld): number {
  const minutesBeyond = world.clock / (60 * TICK_RATE) - WAVES[world.options.waves].length
  return 1 + world.tuning.growth * Math.max(0, Math.floor(minutesBeyond))
}

function totalWeight({ mix }: Minute): number {
  let total = 0
  for (const [, weight] of mix) total += weight
  return total
}

function pickNewcomer({ mix }: Minute, roll: number): Newcomer {
  let left = roll
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

function countLiving(world: NightWorld): number {
  let living = 0
  for (let player = 0; player < world.tables.players.count; player++) if (livingRow(world, player) >= 0) living++
  return living
}

function nthLiving(world: NightWorld, nth: number): number {
  let left = nth
  for (let player = 0; player < world.tables.players.count; player++) {
    const row = livingRow(world, player)
    if (row >= 0 && left-- === 0) return row
  }
  return -1
}

/** The luckiest of the players. */
function fortuneOf(world: NightWorld): number {
  let most = 0
  for (let player = 0; player < world.tables.players.count; player++) {
    most = Math.max(most, levelOf(world, player, PERK.fortune))
  }
  return most
}
