/**
 * What a survivor can draft at a new level: the weapons, then the perks. A player's `owned` column has one level for each.
 */

import { WEAPON_LEVELS, WEAPONS } from './weapons.ts'

export type Rarity = 'common' | 'rare' | 'epic' | 'never'

/** How likely an upgrade is to be offered, against the others. */
export const WEIGHT: Readonly<Record<Rarity, number>> = { common: 100, rare: 30, epic: 10, never: 0 }

export type Upgrade = {
  readonly name: string
  readonly about: string
  readonly rarity: Rarity
  readonly maxLevel: number
}

const PERKS = {
  power: { about: '+20 % damage', rarity: 'common', maxLevel: 5 },
  haste: { about: '+10 % rate of all weapons', rarity: 'common', maxLevel: 5 },
  volley: { about: '+1 projectile', rarity: 'rare', maxLevel: 3 },
  swift: { about: '+15 % walking speed', rarity: 'common', maxLevel: 5 },
  vitality: { about: '+20 health', rarity: 'common', maxLevel: 5 },
  regeneration: { about: '+1 health a second', rarity: 'rare', maxLevel: 3 },
  magnetism: { about: 'gems come from 40 px further', rarity: 'common', maxLevel: 3 },
  armour: { about: '−10 % damage taken', rarity: 'rare', maxLevel: 5 },
  velocity: { about: '+20 % projectile speed', rarity: 'common', maxLevel: 3 },
  size: { about: '+30 % projectile size', rarity: 'rare', maxLevel: 3 },
  luck: { about: '+5 % chance of double damage', rarity: 'rare', maxLevel: 4 },
  pierce: { about: 'projectiles pass through one more', rarity: 'epic', maxLevel: 2 },
  vampirism: { about: '3 health for every tenth kill', rarity: 'epic', maxLevel: 3 },
  explosions: { about: 'the dead explode for half of what killed them', rarity: 'epic', maxLevel: 2 },
  fortune: { about: 'more elites, and they leave more behind', rarity: 'rare', maxLevel: 3 },
} as const satisfies Readonly<Record<string, Omit<Upgrade, 'name'>>>

export type PerkName = keyof typeof PERKS

export const UPGRADES: readonly Upgrade[] = [
  ...WEAPONS.map(({ name, about, rarity }) => ({ name, about, rarity, maxLevel: WEAPON_LEVELS })),
  ...Object.entries(PERKS).map(([name, perk]) => ({ name, ...perk })),
]

/** Place of each perk in `UPGRADES`. The place of a weapon there is its place in `WEAPONS`. */
export const PERK = Object.fromEntries(Object.keys(PERKS).map((name, i) => [name, WEAPONS.length + i])) as Readonly<
  Record<PerkName, number>
>
