/**
 * The weapons, as data. Every survivor starts with the first; the others are drafted, and drafting one again raises its level.
 *
 * A weapon is a line of numbers and a pattern: how it hurts. The patterns are in `patterns.ts`. To add a weapon, add an
 * entry to the end of the list; draft, fire and statistics follow from it.
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

/** Where it is sent: as the player aims, at the nearest enemy, or where the survivor looks. Idle aim is the nearest. */
type Aim = 'aim' | 'nearest' | 'facing'

export type Weapon = {
  readonly name: string
  readonly about: string
  readonly rarity: Rarity
  readonly pattern: Pattern
  readonly aim: Aim
  readonly type: DamageType
  readonly damage: number
  /** Seconds between two uses. */
  readonly cooldown: number
  /** px per second; of an orbit, radians per second. */
  readonly speed: number
  /** Seconds until it ends by itself. */
  readonly life: number
  /** px: size of a projectile, reach of a pulse or sweep. */
  readonly radius: number
  /** px: how far out it circles, or how far one link of a chain reaches. */
  readonly reach?: number
  /** Projectiles or orbs at once, links of a chain. */
  readonly count: number
  /** Radians between two projectiles of one volley. */
  readonly spread: number
  /** How many victims a projectile passes through. */
  readonly pierce: number
  /** Seconds until the same thing hits the same victim again, where it can. */
  readonly rehit?: number
  /** Knockback, as a part of the full one. */
  readonly knock: number
  /** What each level after the first adds. */
  readonly perLevel: {
    readonly damage: number
    readonly count?: number
    readonly pierce?: number
    readonly radius?: number
  }
}

/** What most weapons have. */
const USUAL = { cooldown: 0, speed: 0, life: 0, count: 1, spread: 0, pierce: 0, knock: 1 }
type Entry = Omit<Weapon, keyof typeof USUAL> & Partial<Weapon>

const LIST: readonly Entry[] = [
  {
    name: 'starter',
    about: 'a shot where you aim',
    rarity: 'common',
    pattern: 'shot',
    aim: 'aim',
    type: 'physical',
    damage: 10,
    cooldown: 0.5,
    speed: 300,
    life: 2,
    radius: 3,
    spread: 0.15,
    perLevel: { damage: 4, count: 0.5 },
  },
  {
    name: 'wand',
    about: 'sparks for the nearest enemy',
    rarity: 'common',
    pattern: 'shot',
    aim: 'nearest',
    type: 'magic',
    damage: 10,
    cooldown: 0.8,
    speed: 300,
    life: 2,
    radius: 3,
    spread: 0.2,
    perLevel: { damage: 4, count: 1 },
  },
  {
    name: 'knife',
    about: 'fast blades where you look',
    rarity: 'common',
    pattern: 'shot',
    aim: 'facing',
    type: 'physical',
    damage: 8,
    cooldown: 0.5,
    speed: 400,
    life: 1.5,
    radius: 3,
    spread: 0.1,
    pierce: 1,
    perLevel: { damage: 3, count: 1 },
  },
  {
    name: 'axe',
    about: 'flies out and comes back through everything',
    rarity: 'rare',
    pattern: 'returning',
    aim: 'nearest',
    type: 'physical',
    damage: 20,
    cooldown: 2,
    speed: 250,
    life: 4,
    radius: 8,
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
    aim: 'facing',
    type: 'magic',
    damage: 3,
    cooldown: 0.3,
    radius: 80,
    knock: 0,
    perLevel: { damage: 1.5, radius: 8 },
  },
  {
    name: 'whip',
    about: 'a wide lash, 120 degrees and 100 px',
    rarity: 'common',
    pattern: 'sweep',
    aim: 'aim',
    type: 'physical',
    damage: 15,
    cooldown: 1.2,
    radius: 100,
    perLevel: { damage: 8 },
  },
  {
    name: 'lightning',
    about: 'leaps from one enemy to the next',
    rarity: 'rare',
    pattern: 'chain',
    aim: 'nearest',
    type: 'magic',
    damage: 25,
    cooldown: 3,
    radius: 8,
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
    aim: 'facing',
    type: 'magic',
    damage: 12,
    speed: 2,
    radius: 8,
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
    aim: 'facing',
    type: 'fire',
    damage: 0,
    radius: 100,
    knock: 0,
    perLevel: { damage: 0 },
  },
  {
    name: 'bow',
    about: 'an arrow through a whole row of them',
    rarity: 'common',
    pattern: 'shot',
    aim: 'nearest',
    type: 'physical',
    damage: 14,
    cooldown: 1.2,
    speed: 500,
    life: 1.5,
    radius: 3,
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
