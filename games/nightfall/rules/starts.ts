/**
 * How a match can start: the night, the scenarios of the seed document, a storm for measuring, or nothing.
 *
 * The document's set-ups do not lead to the outcomes it claims (its own script never checks), so `scenario-n` has a set-up
 * that does, and `scenario-n-original` has the document's with its true result.
 */

import { addRow } from 'hurtbox'
import { range, unitVector } from 'hurtbox/math'
import { WAVES } from './content/waves.ts'
import { KIND, LAYER, type NightOptions, type NightWorld, TICK_RATE } from './declaration.ts'
import { addEnemy, countOf, drawNewcomer } from './waves.ts'

type Start = Readonly<{
  hasWaves?: boolean
  /** Whether survivors carry weapons. */
  isArmed?: boolean
  /** x, health and touch damage of each. */
  zombies?: readonly (readonly [x: number, hp: number, touch?: number])[]
  /** x of each; they fly to the right by 5 px a tick. */
  shots?: readonly number[]
}>

const THREE = [
  [450, 10],
  [480, 10],
  [510, 10],
] as const

const STARTS: Record<NightOptions['start'], Start> = {
  night: { hasWaves: true, isArmed: true },
  storm: {},
  empty: {},
  // The projectile reaches the enemy in the first tick, and 10 hp are what it takes.
  'scenario-1': { zombies: [[450, 10]], shots: [440] },
  'scenario-1-original': { zombies: [[450, 20]], shots: [420] },
  // Knocked back by the first, the survivor lands on the second while its i-frames last.
  'scenario-2': {
    zombies: [
      [400, 50, 15],
      [505, 50, 15],
    ],
  },
  'scenario-2-original': { zombies: [[400, 50, 15]] },
  'scenario-3': { zombies: THREE, shots: [440, 470, 500] },
  'scenario-3-original': { zombies: THREE, shots: [420, 430, 440] },
}

export function startOf({ start }: Pick<NightOptions, 'start'>): Start {
  return STARTS[start]
}

/** Enemies stood still when the document was written, so these have no speed. */
export function setup(world: NightWorld): void {
  const { zombies = [], shots = [] } = startOf(world.options)
  for (const [x, hp, touch = 5] of zombies) addEnemy(world, ['zombie', 1, hp, 0, touch], { x, y: 300 })
  for (const x of shots) addStray(world, x, 300, EAST, 2 * TICK_RATE)
  if (world.options.start === 'storm') rain(world)
}

const EAST = { x: 1, y: 0 }

/** A projectile of the starter without an owner. By columns: a storm adds hundreds a tick. */
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
/** Scratch. */
const heading = { x: 1, y: 0 }

/** Keeps up the number of enemies and projectiles that the options ask for. */
export function rain(world: NightWorld): void {
  const { storm } = world.random
  const { stormEnemies, stormShots } = world.options
  for (let enemies = countOf(world, LAYER.enemy); enemies < stormEnemies; enemies++) {
    const [name, weight, hp, speed, touch] = drawNewcomer(storm, LAST_MINUTE)
    const place = { x: range(storm, 0, STORM.width), y: range(storm, 0, STORM.height) }
    addEnemy(world, [name, weight, hp * TOUGHNESS, speed, touch], place)
  }
  for (let shots = countOf(world, LAYER.projectile); shots < stormShots; shots++) {
    unitVector(storm, heading)
    const lifeTicks = Math.ceil(range(storm, 1, 2 * TICK_RATE))
    addStray(world, range(storm, 0, STORM.width), range(storm, 0, STORM.height), heading, lifeTicks)
  }
}
