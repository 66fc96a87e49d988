/** Minion waves, and the camps of the jungle: what comes into the world by the clock. */

import { emit } from 'hurtbox'
import { length, range } from 'hurtbox/math'
import { CAMPS, LANES, otherSide, SIDE, WAYS } from './content/map.ts'
import { CAMP_SIZE, KIND } from './content/units.ts'
import type { SiegeWorld } from './declaration.ts'
import { isOpen } from './structures.ts'
import { addUnit } from './units.ts'

/** Front to back. Where the lane of the other side is open, a super minion leads. */
const WAVE = [KIND.melee, KIND.melee, KIND.melee, KIND.caster, KIND.caster]
/** From the nexus to the last of a wave, and between two of them: all clear of the nexus, which is solid. */
const REAR = 150
const BETWEEN = 60
/** How far beside the lane a minion may appear. */
const ASIDE = 20
/** Between the creatures of a camp. */
const CAMP_BETWEEN = 50

export function waves(world: SiegeWorld): void {
  const { clock, tuning, globals } = world
  if (clock < tuning.firstWave || (clock - tuning.firstWave) % tuning.waveEvery !== 0) return
  for (let lane = 0; lane < LANES; lane++) {
    sendWave(world, SIDE.blue, lane)
    sendWave(world, SIDE.red, lane)
  }
  globals.wave++
  emit(world.events.wave, { number: globals.wave })
}

function sendWave(world: SiegeWorld, side: number, lane: number): void {
  let ahead = REAR
  for (let i = WAVE.length - 1; i >= 0; i--, ahead += BETWEEN) addMinion(world, WAVE[i], side, lane, ahead)
  if (isOpen(world, otherSide(side), lane)) addMinion(world, KIND.super, side, lane, ahead)
}

function addMinion(world: SiegeWorld, kind: number, side: number, lane: number, ahead: number): void {
  const [from, to] = WAYS[side][lane]
  const whole = length(to.x - from.x, to.y - from.y)
  const [alongX, alongY] = [(to.x - from.x) / whole, (to.y - from.y) / whole]
  const aside = range(world.random.waves, -ASIDE, ASIDE)
  const x = from.x + alongX * ahead - alongY * aside
  const y = from.y + alongY * ahead + alongX * aside
  addMarcher(world, kind, side, lane, x, y)
}

/** A minion that sets out along its lane from wherever it is. Later waves are stronger. */
export function addMarcher(world: SiegeWorld, kind: number, side: number, lane: number, x: number, y: number): number {
  const { things } = world.tables
  const row = addUnit(world, kind, side, x, y, 1 + world.tuning.waveGrowth * world.globals.wave)
  if (row < 0) return -1
  things.lane[row] = lane
  things.leg[row] = 1
  return row
}

/** Camps come back a while after their last creature has died. */
export function camps(world: SiegeWorld): void {
  const { campReturnsAt } = world.arrays
  for (let camp = 0; camp < CAMPS.length; camp++) {
    if (campReturnsAt[camp] === 0 || campReturnsAt[camp] > world.clock) continue
    campReturnsAt[camp] = 0
    fillCamp(world, camp)
  }
}

export function fillCamp(world: SiegeWorld, camp: number): void {
  const { things } = world.tables
  for (let i = 0; i < CAMP_SIZE; i++) {
    const x = CAMPS[camp].x + (i - (CAMP_SIZE - 1) / 2) * CAMP_BETWEEN
    const row = addUnit(world, KIND.monster, SIDE.neutral, x, CAMPS[camp].y)
    if (row < 0) return
    things.camp[row] = camp
    things.homeX[row] = x
    things.homeY[row] = CAMPS[camp].y
  }
}

/** Whether the last creature of a camp is gone. */
export function isCampEmpty(world: SiegeWorld, camp: number): boolean {
  const { count, kind, hp, camp: campOf } = world.tables.things
  for (let row = 0; row < count; row++)
    if (kind[row] === KIND.monster && campOf[row] === camp && hp[row] > 0) return false
  return true
}
