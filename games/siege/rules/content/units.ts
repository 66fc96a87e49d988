/**
 * What units without a player are made of. Radii and masses are the seed's (super minions have the caster's mass as in its
 * code); health, damage and pace are those of its code.
 */

export type UnitStats = Readonly<{
  name: string
  radius: number
  /** `undefined`: nothing moves it. */
  mass?: number
  hp: number
  /** Blocks resist / (100 + resist) of all damage. */
  resist: number
  damage: number
  /** Between the rims of the two. */
  range: number
  /** Seconds between two blows, and until one lands. */
  cooldown: number
  windup: number
  /** Units per second. */
  speed: number
  sight: number
  /** Speed of its shots; 0 for melee. */
  shotSpeed: number
  shotRadius: number
  /** How far from its rim it notices enemies. */
  notices: number
  /** What its death is worth. */
  gold: number
  xp: number
}>

/** The kinds of things. */
export const KIND = {
  champion: 1,
  melee: 2,
  caster: 3,
  super: 4,
  monster: 5,
  tower: 6,
  nexus: 7,
  shot: 8,
  missile: 9,
  burst: 10,
} as const

const MELEE = { shotSpeed: 0, shotRadius: 0 }

/** By kind; champions have a list of their own. */
export const UNITS: Readonly<Record<number, UnitStats>> = {
  [KIND.melee]: {
    ...{ name: 'melee minion', radius: 20, mass: 50, hp: 477, resist: 0, damage: 12, range: 50, ...MELEE },
    ...{ cooldown: 1.25, windup: 0.2, speed: 200, sight: 500, notices: 300, gold: 21, xp: 60 },
  },
  [KIND.caster]: {
    ...{ name: 'caster minion', radius: 20, mass: 30, hp: 296, resist: 0, damage: 23, range: 300 },
    ...{ shotSpeed: 650, shotRadius: 8 },
    ...{ cooldown: 1.6, windup: 0.3, speed: 200, sight: 500, notices: 350, gold: 14, xp: 32 },
  },
  [KIND.super]: {
    ...{ name: 'super minion', radius: 22, mass: 30, hp: 1500, resist: 30, damage: 180, range: 100, ...MELEE },
    ...{ cooldown: 0.85, windup: 0.2, speed: 220, sight: 500, notices: 300, gold: 60, xp: 90 },
  },
  [KIND.monster]: {
    ...{ name: 'monster', radius: 20, mass: 80, hp: 900, resist: 20, damage: 40, range: 60, ...MELEE },
    ...{ cooldown: 1.5, windup: 0.3, speed: 250, sight: 0, notices: 0, gold: 45, xp: 90 },
  },
  [KIND.tower]: {
    ...{ name: 'tower', radius: 50, hp: 3000, resist: 40, damage: 152, range: 350, shotSpeed: 1200, shotRadius: 12 },
    ...{ cooldown: 0.83, windup: 0, speed: 0, sight: 700, notices: 350, gold: 100, xp: 0 },
  },
  [KIND.nexus]: {
    ...{ name: 'nexus', radius: 75, hp: 5000, resist: 40, damage: 0, range: 0, ...MELEE },
    ...{ cooldown: 0, windup: 0, speed: 0, sight: 700, notices: 0, gold: 0, xp: 0 },
  },
}

/** What a tower in front has instead. */
export const TIER_2 = { hp: 3500, resist: 55, damage: 170 } as const

/** How many creatures a camp has. */
export const CAMP_SIZE = 2

/** Sorts of creatures, as parts and multiples of the first; `tier` of a creature is its place here. */
export const CREATURES = [
  { name: 'monster', count: CAMP_SIZE, hp: 1, damage: 1, speed: 1, radius: 20, worth: 1 },
  { name: 'wolf', count: 3, hp: 0.5, damage: 0.7, speed: 1.3, radius: 16, worth: 0.7 },
  { name: 'golem', count: 1, hp: 2.6, damage: 1.6, speed: 0.8, radius: 30, worth: 2.2 },
] as const
