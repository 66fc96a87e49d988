/** How a match stands: victory when the night is over, defeat when nobody stands any more; and the figures of it. */

import { emit, playerOf, type Result, type Stats } from 'hurtbox'
import { DAMAGE_TYPES } from './content/damage-types.ts'
import { type NightWorld, TICK_RATE } from './declaration.ts'
import { livingRow } from './survivors.ts'

export const ENDING = { none: 0, victory: 1, defeat: 2 } as const

export function isOver({ globals }: NightWorld): boolean {
  return globals.ending !== ENDING.none
}

/** Those who have left count for nothing: when nobody is here, nobody has lost. */
export function judge(world: NightWorld): void {
  const { players } = world.tables
  const { globals, clock } = world
  let [isAnybodyHere, isAnybodyStanding] = [false, false]
  for (let player = 0; player < players.count; player++) {
    if (players.leaving[player] !== 0) continue
    isAnybodyHere = true
    if (livingRow(world, player) >= 0) isAnybodyStanding = true
  }
  if (!isAnybodyHere) return
  // With this tick one more has been survived.
  globals.survived = clock + 1
  if (isAnybodyStanding && globals.survived < world.tuning.night) return
  globals.ending = isAnybodyStanding ? ENDING.victory : ENDING.defeat
  emit(world.events.ended, { isVictory: isAnybodyStanding ? 1 : 0 })
}

/** Adds up what this tick's damage to enemies was. */
export function tally(world: NightWorld): void {
  const { damage } = world.events
  for (let n = 0; n < damage.count; n++) {
    world.globals.hits++
    if (playerOf(world, damage.victim[n]) < 0) world.arrays.damageByType[damage.type[n]] += damage.taken[n]
  }
}

export function result(world: NightWorld): Result {
  const { ending, kills } = world.globals
  if (!isOver(world)) return { over: false }
  return {
    over: true,
    winner: ending === ENDING.victory ? 'dawn' : 'night',
    summary: `${timeOf(world)} survived, ${kills} kills`,
  }
}

/** Figures of the match; damage is that to enemies, by type. */
export function stats(world: NightWorld): Stats {
  const { players } = world.tables
  const { globals, arrays } = world
  let level = 0
  for (let player = 0; player < players.count; player++) level = Math.max(level, players.level[player])
  const byType = DAMAGE_TYPES.map((name, type) => [`damage ${name}`, Math.round(arrays.damageByType[type])])
  return {
    minutes: Math.round((globals.survived / TICK_RATE / 60) * 100) / 100,
    level,
    hits: globals.hits,
    kills: globals.kills,
    ...Object.fromEntries(byType),
  }
}

function timeOf({ globals }: NightWorld): string {
  const secondsIn = Math.floor(globals.survived / TICK_RATE)
  return `${Math.floor(secondsIn / 60)}:${String(secondsIn % 60).padStart(2, '0')}`
}
