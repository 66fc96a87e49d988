/**
 * How a match can start: the night of the game, the scenarios of the seed document, a storm for measuring, or nothing.
 *
 * Each scenario exists twice. The document's set-ups do not lead to the outcomes it claims (its own script never checks), so
 * `scenario-n` has a set-up that does, and `scenario-n-original` has the document's set-up with its true result.
 */

import { addRow } from 'hurtbox'
import { range, unitVector } from 'hurtbox/math'
import { WAVES } from './content/waves.ts'
import { KIND, LAYER, type NightWorld, TICK_RATE } from './declaration.ts'
import { addEnemy, drawNewcomer } from './waves.ts'

type Start = {
  readonly hasWaves?: boolean
  /** Whether survivors carry weapons. */
  readonly isArmed?: boolean
  place?(world: NightWorld): void
}

const STARTS: Readonly<Record<NightWorld['options']['start'], Start>> = {
  night: { hasWaves: true, isArmed: true },
  storm: { place: rain },
  empty: {},

  // The projectile reaches the enemy in the first tick, and 10 hp are what it takes.
  'scenario-1': {
    place(world) {
      addZombie(world, 450, 10)
      addProjectile(world, 440)
    },
  },
  'scenario-1-original': {
    place(world) {
      addZombie(world, 450, 20)
      addProjectile(world, 420)
    },
  },

  // Thrown back by the first, the survivor lands on the second while its i-frames last.
  'scenario-2': {
    place(world) {
      addZombie(world, 400, 50, 15)
      addZombie(world, 505, 50, 15)
    },
  },
  'scenario-2-original': {
    place(world) {
      addZombie(world, 400, 50, 15)
    },
  },

  'scenario-3': {
    place(world) {
      for (let i = 0; i < 3; i++) addZombie(world, 450 + i * 30, 10)
      for (let i = 0; i < 3; i++) addProjectile(world, 440 + i * 30)
    },
  },
  'scenario-3-original': {
    place(world) {
      for (let i = 0; i < 3; i++) addZombie(world, 450 + i * 30, 10)
      for (let i = 0; i < 3; i++) addProjectile(world, 420 + i * 10)
    },
  },
}

export function startOf({ start }: { readonly start: NightWorld['options']['start'] }): Start {
  return STARTS[start]
}

export function setup(world: NightWorld): void {
  startOf(world.options).place?.(world)
}

/** Enemies stood still when the document was written, so these have no speed. */
function addZombie(world: NightWorld, x: number, hp: number, touch = 5): void {
  addEnemy(world, ['zombie', 1, hp, 0, touch], { x, y: 300 })
}

/** Flies to the right by 5 px a tick. */
function addProjectile(world: NightWorld, x: number): void {
  addStray(world, x, 300, EAST, 2 * TICK_RATE)
}

const EAST = { x: 1, y: 0 }

/** A projectile without an owner, as from the starter: 10 damage, the full knockback. By columns: a storm adds hundreds a tick. */
function addStray(world: NightWorld, x: number, y: number, heading: typeof EAST, lifeTicks: number): void {
  const { things } = world.tables
  const row = addRow(things)
  if (row < 0) return
  things.kind[row] = KIND.projectile
  things.layer[row] = LAYER.projectile
  things.x[row] = x
  things.y[row] = y
  things.vx[row] = heading.x * 300
  things.vy[row] = heading.y * 300
  things.radius[row] = 3
  things.damage[row] = 10
  things.endsAt[row] = world.clock + lifeTicks
}

/** px: a storm needs more room than a night. */
const STORM = { width: 3200, height: 2400 }
/** All kinds of the last minute, tough enough to stand in the rain for a while. */
const LAST_MINUTE = WAVES['seven-kinds'][WAVES['seven-kinds'].length - 1]
const TOUGHNESS = 5
/** Scratch: written before it is read. */
const heading = { x: 1, y: 0 }

/** A phase of the storm: keeps up the number of enemies and projectiles that the options ask for. */
export function rain(world: NightWorld): void {
  const { layer, count } = world.tables.things
  const { storm } = world.random
  const { stormEnemies, stormShots } = world.options
  let enemies = 0
  let shots = 0
  for (let row = 0; row < count; row++) {
    if (layer[row] === LAYER.enemy) enemies++
    if (layer[row] === LAYER.projectile) shots++
  }
  for (; enemies < stormEnemies; enemies++) {
    const [name, weight, hp, speed, touch] = drawNewcomer(storm, LAST_MINUTE)
    const place = { x: range(storm, 0, STORM.width), y: range(storm, 0, STORM.height) }
    addEnemy(world, [name, weight, hp * TOUGHNESS, speed, touch], place)
  }
  for (; shots < stormShots; shots++) {
    unitVector(storm, heading)
    const lifeTicks = Math.ceil(range(storm, 1, 2 * TICK_RATE))
    addStray(world, range(storm, 0, STORM.width), range(storm, 0, STORM.height), heading, lifeTicks)
  }
}
