/** The match: victory when the night is over, defeat when no survivor stands; and its figures. */

import { emit, playerOf, players } from 'hurtbox'
import type { Result, Stats } from 'hurtbox/tools'
import { DAMAGE_TYPES } from './content/damage-types.ts'
import { type NightWorld, TICK_RATE } from './declaration.ts'
import { standing } from './survivors.ts'

export const ENDING = { none: 0, victory: 1, defeat: 2 } as const

export function isOver({ globals }: NightWorld): boolean {
  return globals.ending !== ENDING.none
}

/** A match without players can be neither won nor lost. */
export function judge(world: NightWorld): void {
  const { globals, clock, tuning } = world
  const isAlive = standing(world).length > 0
  if (!isAlive && [...players(world)].length === 0) return
  // This tick has been survived as well.
  globals.survived = clock + 1
  if (isAlive && globals.survived < tuning.night) return
  globals.ending = isAlive ? ENDING.victory : ENDING.defeat
  emit(world, 'ended', { isVictory: isAlive ? 1 : 0 })
}

/** Adds up this tick's damage to enemies. */
export function tally(world: NightWorld): void {
  const { count, victim, type, taken } = world.events.damage
  world.globals.hits += count
  for (let n = 0; n < count; n++) {
    if (playerOf(world, victim[n]) === undefined) world.arrays.damageByType[type[n]] += taken[n]
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
  const { globals, arrays } = world
  const byType = DAMAGE_TYPES.map((name, type) => [`damage ${name}`, Math.round(arrays.damageByType[type])])
  return {
    minutes: Math.round((globals.survived / TICK_RATE / 60) * 100) / 100,
    level: Math.max(0, ...[...players(world)].map(({ level }) => level)),
    hits: globals.hits,
    kills: globals.kills,
    ...Object.fromEntries(byType),
  }
}

export function timeOf({ globals }: NightWorld): string {
  const secondsIn = Math.floor(globals.survived / TICK_RATE)
  return `${Math.floor(secondsIn / 60)}:${String(secondsIn % 60).padStart(2, '0')}`
}
