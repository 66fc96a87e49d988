/** What a player has drafted so far, and what taking an upgrade changes at once. */

import { findRow } from 'hurtbox'
import { DAMAGE_TYPES } from './content/damage-types.ts'
import { PERK, UPGRADES } from './content/upgrades.ts'
import type { NightWorld } from './declaration.ts'

export function levelOf(world: NightWorld, player: number, upgrade: number): number {
  return world.tables.players.owned[player * UPGRADES.length + upgrade]
}

/** Raises an upgrade by one level. Most are read where they count; these two live in the survivor's columns. */
export function grant(world: NightWorld, player: number, upgrade: number): void {
  const { players, things } = world.tables
  players.owned[player * UPGRADES.length + upgrade]++
  const row = findRow(things, players.thing[player])
  if (row < 0) return
  if (upgrade === PERK.vitality) {
    things.maxHp[row] += 20
    if (things.hp[row] > 0) things.hp[row] += 20
  }
  if (upgrade === PERK.armour) {
    for (let type = 0; type < DAMAGE_TYPES.length; type++) things.armour[row * DAMAGE_TYPES.length + type] += 0.1
  }
}
