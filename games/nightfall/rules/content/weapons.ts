/**
 * The weapons, as data. Every survivor starts with the first; drafting one again raises its level. Patterns, how a weapon
 * hurts, are in `patterns.ts`. A new weapon is a new entry at the end of the list; everything else follows from it.
 */

import type { DamageType } from './damage-types.ts'
import type { Rarity } from './upgrades.ts'

export type Pattern =
  /** Projectiles that fly straight and are used up by a hit. */
  | 'shot'
  /** Flies out, turns, comes back, and hits everything on both ways. */
  | 'returning'
  /** Circles around its owner for ever. */
  | 'orbit'
  /** Hits all around its owner at once. */
  | 'pulse'
  /** Hits all within an arc of 120 degrees at once. */
  | 'sweep'
  /** Jumps from one enemy to the next. */
  | 'chain'

/** As the player aims, at the nearest enemy, or where the survivor looks. Idle aim is the nearest. */
type Aim = 'aim' | 'nearest' | 'facing'

export type Weapon = Readonly<{
  name: string
  about: string
  rarity: Rarity
  pattern: Pattern
  aim: Aim
  type: DamageType
  damage: number
  /** Seconds between two uses. */
  cooldown: number
  /** px per second; of an orbit, radians per second. */
  speed: number
  /** Seconds until it ends by itself. */
  life: number
  /** px: size of a projectile, reach of a pulse or sweep. */
  radius: number
  /** px: how far out it circles, or how far one link of a chain reaches. */
  reach?: number
  /** Projectiles or orbs at once, links of a chain. */
  count: number
  /** Radians between two projectiles of one volley. */
  spread: number
  /** How many victims a projectile passes through. */
  pierce: number
  /** Seconds until the same thing hits the same victim again, where it can. */
  rehit?: number
  /** Knockback, as a part of the full one. */
  knock: number
  /** What each level after the first adds. */
  perLevel: Readonly<{ damage: number; count?: number; pierce?: number; radius?: number }>
}>

/** What most weapons have. */
const USUAL = {
  rarity: 'common',
  aim: 'nearest',
  type: 'physical',
  ...{ cooldown: 0, speed: 0, life: 0, count: 1, spread: 0, pierce: 0, knock: 1 },
} as const
const SHOT = { pattern: 'shot', radius: 3 } as const
type Entry = Omit<Weapon, keyof typeof USUAL> & Partial<Weapon>

/** Fields stand in the same order everywhere: objects of few forms are faster to read. */
const LIST: readonly Entry[] = [
  {
    name: 'starter',
    about: 'a shot where you aim',
    ...SHOT,
    aim: 'aim',
    damage: 10,
    cooldown: 0.5,
    speed: 300,
    life: 2,
    spread: 0.15,
    perLevel: { damage: 4, count: 0.5 },
  },
  {
    name: 'wand',
    about: 'sparks for the nearest enemy',
    ...SHOT,
    type: 'magic',
    damage: 10,
    cooldown: 0.8,
    speed: 300,
    life: 2,
    spread: 0.2,
    perLevel: { damage: 4, count: 1 },
  },
  {
    name: 'knife',
    about: 'fast blades where you look',
    ...SHOT,
    aim: 'facing',
    damage: 8,
    cooldown: 0.5,
    speed: 400,
    life: 1.5,
    spread: 0.1,
    pierce: 1,
    perLevel: { damage: 3, count: 1 },
  },
  {
    name: 'axe',
    about: 'flies out and comes back through everything',
    rarity: 'rare',
    pattern: 'returning',
    radius: 8,
    damage: 20,
    cooldown: 2,
    speed: 250,
    life: 4,
    spread: 0.5,
    rehit: 0.4,
    knock: 0.5,
    perLevel: { damage: 8, count: 0.5 },
  },
  {
    name: 'aura',
    about: 'burns all who come near',
    rarity: 'rare',
    pattern: 'pulse',
    radius: 80,
    aim: 'facing',
    type: 'magic',
    damage: 3,
    cooldown: 0.3,
    knock: 0,
    perLevel: { damage: 1.5, radius: 8 },
  },
  {
    name: 'whip',
    about: 'a wide lash, 120 degrees and 100 px',
    pattern: 'sweep',
    radius: 100,
    aim: 'aim',
    damage: 15,
    cooldown: 1.2,
    perLevel: { damage: 8 },
  },
  {
    name: 'lightning',
    about: 'leaps from one enemy to the next',
    rarity: 'rare',
    pattern: 'chain',
    radius: 8,
    type: 'magic',
    damage: 25,
    cooldown: 3,
    reach: 150,
    count: 3,
    knock: 0,
    perLevel: { damage: 10, count: 2 },
  },
  {
    name: 'bible',
    about: 'books that circle around you',
    rarity: 'rare',
    pattern: 'orbit',
    radius: 8,
    aim: 'facing',
    type: 'magic',
    damage: 12,
    speed: 2,
    reach: 70,
    rehit: 0.5,
    knock: 0.5,
    perLevel: { damage: 4, count: 1 },
  },
  {
    name: 'blast',
    about: 'what explodes; nobody carries it',
    rarity: 'never',
    pattern: 'pulse',
    radius: 100,
    aim: 'facing',
    type: 'fire',
    damage: 0,
    knock: 0,
    perLevel: { damage: 0 },
  },
  {
    name: 'bow',
    about: 'an arrow through a whole row of them',
    ...SHOT,
    damage: 14,
    cooldown: 1.2,
    speed: 500,
    life: 1.5,
    spread: 0.1,
    pierce: 4,
    knock: 0.3,
    perLevel: { damage: 5, pierce: 2 },
  },
]

export const WEAPONS: readonly Weapon[] = LIST.map((weapon) => ({ ...USUAL, ...weapon }))

/** Place of what explodes in the list. */
export const BLAST: number = WEAPONS.findIndex(({ name }) => name === 'blast')

/** No weapon gets better than this. */
export const WEAPON_LEVELS = 5
