/** Minion waves and the camps of the jungle. */

import { each, emit, exists } from 'hurtbox'
import { waveAt } from 'hurtbox/match'
import { length, range } from 'hurtbox/math'
import { CAMPS, LANES, otherSide, type Place, SIDE, WAYS } from './content/map.ts'
import { CREATURES, KIND } from './content/units.ts'
import type { SiegeThing, SiegeWorld } from './declaration.ts'
import { isOpen } from './structures.ts'
import { addUnit, type Given } from './units.ts'

/** Front to back. Where the lane of the other side is open, a super minion leads. */
const WAVE = [KIND.melee, KIND.melee, KIND.melee, KIND.caster, KIND.caster]
/** From the nexus to the last of a wave, and between two of them: all clear of the nexus. */
const REAR = 150
const BETWEEN = 60
/** How far beside the lane a minion may appear. */
const ASIDE = 20
const CAMP_BETWEEN = 50

export function waves(world: SiegeWorld): void {
  const { tuning, globals } = world
  if (waveAt(world, tuning.firstWave, tuning.waveEvery) === 0) return
  for (let lane = 0; lane < LANES; lane++) {
    sendWave(world, SIDE.blue, lane)
    sendWave(world, SIDE.red, lane)
  }
  globals.wave++
  emit(world, 'wave', { number: globals.wave })
}

function sendWave(world: SiegeWorld, team: number, lane: number): void {
  const wave = isOpen(world, otherSide(team), lane) ? [KIND.super, ...WAVE] : [...WAVE]
  wave.reverse().forEach((kind, i) => {
    addMarcher(world, kind, { team, lane, ...startOf(world, WAYS[team][lane], REAR + i * BETWEEN) })
  })
}

/** A place so far ahead on a way, a little to one side. */
function startOf(world: SiegeWorld, [from, to]: readonly Place[], ahead: number): Place {
  const whole = length(to.x - from.x, to.y - from.y)
  const [alongX, alongY] = [(to.x - from.x) / whole, (to.y - from.y) / whole]
  const aside = range(world.random.waves, -ASIDE, ASIDE)
  return { x: from.x + alongX * ahead - alongY * aside, y: from.y + alongY * ahead + alongX * aside }
}

/** A minion that sets out along its lane. Later waves are stronger. */
export function addMarcher(world: SiegeWorld, kind: number, given: Given): SiegeThing {
  return addUnit(world, kind, { ...given, leg: 1 }, 1 + world.tuning.waveGrowth * world.globals.wave)
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
  const { x: middle, y } = CAMPS[camp]
  const tier = sortAt(world, camp)
  const { count, hp, damage, speed, radius } = CREATURES[tier]
  for (let i = 0; i < count; i++) {
    const x = middle + (i - (count - 1) / 2) * CAMP_BETWEEN
    const creature = addUnit(world, KIND.monster, { team: SIDE.neutral, x, y, tier, camp, homeX: x, homeY: y })
    if (!exists(creature)) return
    creature.hp *= hp
    creature.maxHp *= hp
    creature.damage *= damage
    creature.speed *= speed
    creature.radius = radius
  }
}

/** Which creatures come now: in turn by the time, and never the same to two camps. */
function sortAt({ clock, options, tuning }: SiegeWorld, camp: number): number {
  if (options.jungle === 'plain') return 0
  return (Math.floor(clock / Math.max(1, tuning.campEvery)) + camp) % CREATURES.length
}

export function isCampEmpty(world: SiegeWorld, camp: number): boolean {
  for (const unit of each(world, 'unit')) {
    if (unit.kind === KIND.monster && unit.camp === camp && unit.hp > 0) return false
  }
  return true
}
