/** What a player has drafted so far, and what taking an upgrade changes at once. */

import { despawn, each, players } from 'hurtbox'
import { DAMAGE_TYPES } from './content/damage-types.ts'
import { PERK } from './content/upgrades.ts'
import { WEAPONS } from './content/weapons.ts'
import type { NightPlayer, NightWorld } from './declaration.ts'

export function levelOf({ owned }: NightPlayer, upgrade: number): number {
  return owned.get(upgrade)
}

/** The highest level of an upgrade among the players, for what concerns them all. */
export function bestLevelOf(world: NightWorld, upgrade: number): number {
  let best = 0
  for (const player of players(world)) best = Math.max(best, levelOf(player, upgrade))
  return best
}

/** Raises an upgrade by one level. Most are read where they count; some change columns of the survivor. */
export function grant(world: NightWorld, player: NightPlayer, upgrade: number): void {
  player.owned.set(upgrade, levelOf(player, upgrade) + 1)
  // Orbs keep the numbers they were made with, so they are made again.
  dropOrbs(world, player)
  const survivor = player.thing
  if (survivor === undefined) return
  if (upgrade === PERK.vitality) {
    survivor.maxHp += 20
    if (survivor.hp > 0) survivor.hp += 20
  }
  if (upgrade === PERK.armour) {
    const { armour } = survivor
    for (let type = 0; type < DAMAGE_TYPES.length; type++) armour.set(type, armour.get(type) + 0.1)
  }
}

/** Removes what circles around a survivor. */
export function dropOrbs(world: NightWorld, player: NightPlayer): void {
  if (player.orbs === 0) return
  player.orbs = 0
  for (const strike of each(world, 'strike')) {
    if (strike.owner === player.thing?.id && WEAPONS[strike.weapon].pattern === 'orbit') despawn(strike)
  }
}
