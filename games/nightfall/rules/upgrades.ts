/** What a player has drafted so far, and what taking an upgrade changes at once. */

import { thingOf } from 'hurtbox'
import { DAMAGE_TYPES } from './content/damage-types.ts'
import { PERK, UPGRADES } from './content/upgrades.ts'
import { WEAPONS } from './content/weapons.ts'
import { LAYER, type NightWorld } from './declaration.ts'

export function levelOf(world: NightWorld, player: number, upgrade: number): number {
  return world.tables.players.owned[player * UPGRADES.length + upgrade]
}

/** The highest level of an upgrade among the players, for what touches them all. */
export function bestLevelOf(world: NightWorld, upgrade: number): number {
  let best = 0
  for (let player = 0; player < world.tables.players.count; player++) {
    best = Math.max(best, levelOf(world, player, upgrade))
  }
  return best
}

/** Raises an upgrade by one level. Most are read where they count; some live in the survivor's columns. */
export function grant(world: NightWorld, player: number, upgrade: number): void {
  const { players, things } = world.tables
  players.owned[player * UPGRADES.length + upgrade]++
  // Orbs keep the numbers they were made with, so they are made anew.
  dropOrbs(world, player)
  const row = thingOf(world, player)
  if (row < 0) return
  if (upgrade === PERK.vitality) {
    things.maxHp[row] += 20
    if (things.hp[row] > 0) things.hp[row] += 20
  }
  if (upgrade === PERK.armour) {
    for (let type = 0; type < DAMAGE_TYPES.length; type++) things.armour[row * DAMAGE_TYPES.length + type] += 0.1
  }
}

/** Takes away what circles around a survivor. */
export function dropOrbs(world: NightWorld, player: number): void {
  const { players, things } = world.tables
  if (players.orbs[player] === 0) return
  players.orbs[player] = 0
  for (let row = 0; row < things.count; row++) {
    const circles = things.layer[row] === LAYER.strike && WEAPONS[things.weapon[row]].pattern === 'orbit'
    if (circles && things.owner[row] === players.thing[player]) things.leaving[row] = 1
  }
}
