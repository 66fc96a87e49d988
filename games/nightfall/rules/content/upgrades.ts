/**
 * What a survivor can draft at a new level: the weapons, then the perks. A player's `owned` column has one level for each.
 */

import { WEAPON_LEVELS, WEAPONS } from './weapons.ts'

export type Rarity = 'common' | 'rare' | 'epic' | 'never'

/** How likely an upgrade is to be offered, against the others. */
export const WEIGHT: Readonly<Record<Rarity, number>> = { common: 100, rare: 30, epic: 10, never: 0 }

export type Upgrade = Readonly<{ name: string; about: string; rarity: Rarity; maxLevel: number }>

const PERKS = {
  power: ['+20 % damage', 'common', 5],
  haste: ['+10 % rate of all weapons', 'common', 5],
  volley: ['+1 projectile', 'rare', 3],
  swift: ['+15 % walking speed', 'common', 5],
  vitality: ['+20 health', 'common', 5],
  regeneration: ['+1 health a second', 'rare', 3],
  magnetism: ['gems come from 40 px further', 'common', 3],
  armour: ['−10 % damage taken', 'rare', 5],
  velocity: ['+20 % projectile speed', 'common', 3],
  size: ['+30 % projectile size', 'rare', 3],
  luck: ['+5 % chance of double damage', 'rare', 4],
  pierce: ['projectiles pass through one more', 'epic', 2],
  vampirism: ['3 health for every tenth kill', 'epic', 3],
  explosions: ['the dead explode for half of what killed them', 'epic', 2],
  fortune: ['more elites, and they leave more behind', 'rare', 3],
} as const satisfies Record<string, readonly [about: string, rarity: Rarity, maxLevel: number]>

export const UPGRADES: readonly Upgrade[] = [
  ...WEAPONS.map(({ name, about, rarity }) => ({ name, about, rarity, maxLevel: WEAPON_LEVELS })),
  ...Object.entries(PERKS).map(([name, [about, rarity, maxLevel]]) => ({ name, about, rarity, maxLevel })),
]

/** Place of each perk in `UPGRADES`. The place of a weapon there is its place in `WEAPONS`. */
export const PERK = Object.fromEntries(Object.keys(PERKS).map((name, i) => [name, WEAPONS.length + i])) as Readonly<
  Record<keyof typeof PERKS, number>
>
