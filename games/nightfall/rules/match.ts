/** How a match stands: victory when the night is over, defeat when nobody stands any more; and the figures of it. */

import { emit, type Result, type Stats } from 'hurtbox'
import { DAMAGE_TYPES } from './content/damage-types.ts'
import { type NightWorld, TICK_RATE } from './declaration.ts'
import { livingRow, playerOf } from './survivors.ts'

const ENDING = { none: 0, victory: 1, defeat: 2 } as const

/** When it is over, the world stands still. */
export function judge(world: NightWorld): void {
  const { players } = world.tables
  const { globals } = world
  if (players.count === 0 || globals.ending !== ENDING.none) return
  let isAnyStanding = false
  for (let player = 0; player < players.count; player++) if (livingRow(world, player) >= 0) isAnyStanding = true
  if (isAnyStanding && world.clock < world.tuning.night) return
  globals.ending = isAnyStanding ? ENDING.victory : ENDING.defeat
  world.paused = true
  emit(world.events.ended, { isVictory: isAnyStanding ? 1 : 0 })
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
  if (ending === ENDING.none) return { over: false }
  return {
    over: true,
    winner: ending === ENDING.victory ? 'dawn' : 'night',
    summary: `${timeOf(world)} survived, ${kills} kills`,
  }
}

/** Figures of the match; damage is that to enemies, by type. */
export function stats(world: NightWorld): Stats {
  const { players } = world.tables
  const { globals, arrays, clock } = world
  let level = 0
  for (let player = 0; player < players.count; player++) level = Math.max(level, players.level[player])
  const byType = DAMAGE_TYPES.map((name, type) => [`damage ${name}`, Math.round(arrays.damageByType[type])])
  return {
    minutes: Math.round((clock / TICK_RATE / 60) * 100) / 100,
    level,
    hits: globals.hits,
    kills: globals.kills,
    ...Object.fromEntries(byType),
  }
}

function timeOf({ clock }: NightWorld): string {
  const secondsIn = Math.floor(clock / TICK_RATE)
  return `${Math.floor(secondsIn / 60)}:${String(secondsIn % 60).padStart(2, '0')}`
}
