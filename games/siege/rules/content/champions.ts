/** Champions: what they are made of, how they grow, and their two abilities. */

/** What a missile or burst does to its victims. */
export type Blow = Readonly<{
  range: number
  radius: number
  damage: number
  damagePerLevel: number
  /** Seconds. */
  stun?: number
  slow?: number
  /** Units that a victim is thrown. */
  knockback?: number
}>

export type Ability = Readonly<{ name: string; cooldown: number }> &
  (
    | (Blow &
        Readonly<{
          /** Flies straight from the caster towards the aim and hits what it meets. */
          effect: 'missile'
          speed: number
          /** How many victims it passes through. */
          pierce?: number
          /** Several at once, this many radians apart. */
          count?: number
          spread?: number
        }>)
    /** The caster moves towards the aim and hits units that it passes within `radius`. */
    | (Blow & Readonly<{ effect: 'dash'; speed: number }>)
    /** Hits all around a place, the aim within `range`, after `delay` seconds. */
    | (Blow & Readonly<{ effect: 'burst'; delay: number }>)
    /** Absorbs damage for a while. */
    | Readonly<{ effect: 'shield'; amount: number; amountPerLevel: number; duration: number }>
  )

export type Champion = Readonly<{
  name: string
  hp: number
  hpPerLevel: number
  resist: number
  damage: number
  damagePerLevel: number
  /** Blows per second. */
  attackSpeed: number
  /** Between the rims. */
  range: number
  speed: number
  /** 0 for melee. */
  shotSpeed: number
  abilities: readonly [Ability, Ability]
}>

export const CHAMPION_RADIUS = 25
export const CHAMPION_MASS = 100
export const CHAMPION_SIGHT = 800
export const CHAMPION_SHOT_RADIUS = 10
/** How far from its rim a champion notices enemies on an `attackMove`. */
export const CHAMPION_NOTICES = 400

export const CHAMPIONS: readonly Champion[] = [
  {
    name: 'warrior',
    ...{ hp: 580, hpPerLevel: 90, resist: 30, damage: 60, damagePerLevel: 9, attackSpeed: 0.65 },
    ...{ range: 75, speed: 340, shotSpeed: 0 },
    abilities: [
      {
        ...{ name: 'charge', effect: 'dash', cooldown: 9, range: 300, speed: 1200, radius: 60 },
        ...{ damage: 60, damagePerLevel: 15, stun: 0.4 },
      },
      {
        ...{ name: 'whirl', effect: 'burst', cooldown: 7, range: 0, radius: 150, delay: 0 },
        ...{ damage: 70, damagePerLevel: 15 },
      },
    ],
  },
  {
    name: 'elara',
    ...{ hp: 480, hpPerLevel: 75, resist: 22, damage: 48, damagePerLevel: 10, attackSpeed: 0.75 },
    ...{ range: 325, speed: 335, shotSpeed: 1000 },
    abilities: [
      {
        ...{ name: 'arrow', effect: 'missile', cooldown: 8, speed: 1400, range: 850, radius: 20, pierce: 3 },
        ...{ damage: 70, damagePerLevel: 18 },
      },
      {
        ...{ name: 'roll', effect: 'dash', cooldown: 12, range: 220, speed: 900, radius: 0 },
        ...{ damage: 0, damagePerLevel: 0 },
      },
    ],
  },
  {
    name: 'gorath',
    ...{ hp: 650, hpPerLevel: 100, resist: 35, damage: 55, damagePerLevel: 8, attackSpeed: 0.6 },
    ...{ range: 100, speed: 330, shotSpeed: 0 },
    abilities: [
      {
        ...{ name: 'slam', effect: 'burst', cooldown: 9, range: 0, radius: 175, delay: 0 },
        ...{ damage: 60, damagePerLevel: 12, knockback: 160, stun: 0.3 },
      },
      { name: 'bulwark', effect: 'shield', cooldown: 12, amount: 120, amountPerLevel: 25, duration: 3 },
    ],
  },
  {
    name: 'magnus',
    ...{ hp: 425, hpPerLevel: 75, resist: 20, damage: 53, damagePerLevel: 7, attackSpeed: 0.625 },
    ...{ range: 325, speed: 330, shotSpeed: 900 },
    abilities: [
      {
        ...{ name: 'firebolt', effect: 'missile', cooldown: 6, speed: 1000, range: 800, radius: 25 },
        ...{ damage: 80, damagePerLevel: 22 },
      },
      {
        ...{ name: 'meteor', effect: 'burst', cooldown: 11, range: 550, radius: 140, delay: 0.6 },
        ...{ damage: 90, damagePerLevel: 25, slow: 1.5 },
      },
    ],
  },
  {
    name: 'vex',
    ...{ hp: 520, hpPerLevel: 80, resist: 26, damage: 65, damagePerLevel: 10, attackSpeed: 0.68 },
    ...{ range: 75, speed: 350, shotSpeed: 0 },
    abilities: [
      {
        ...{ name: 'shadowstep', effect: 'dash', cooldown: 8, range: 260, speed: 1400, radius: 60 },
        ...{ damage: 55, damagePerLevel: 14 },
      },
      {
        ...{
          name: 'knives',
          effect: 'missile',
          cooldown: 7,
          speed: 1100,
          range: 500,
          radius: 15,
          count: 3,
          spread: 0.26,
        },
        ...{ damage: 45, damagePerLevel: 12 },
      },
    ],
  },
]

/** What a champion takes: wares for gold at the fountain, and a choice of two at some levels, wherever it is. */
export type Ware = Readonly<{
  name: string
  price: number
  damage: number
  hp: number
  speed?: number
  range?: number
  resist?: number
  /** Had once: its bit in what a player owns. The others are bought any number of times. */
  bit?: number
  /** From which level on; of the two of a level only one. */
  level?: number
}>

/** The first is nothing. */
export const WARES = [
  { name: 'nothing', price: 0, damage: 0, hp: 0 },
  { name: 'blade', price: 300, damage: 12, hp: 0 },
  { name: 'plate', price: 300, damage: 0, hp: 150 },
  { name: 'boots', price: 350, damage: 0, hp: 0, speed: 40, bit: 1 },
  { name: 'lens', price: 500, damage: 0, hp: 0, range: 50, bit: 2 },
  { name: 'ward', price: 450, damage: 0, hp: 0, resist: 25, bit: 4 },
  { name: 'might', price: 0, damage: 20, hp: 0, level: 4, bit: 8 },
  { name: 'vigour', price: 0, damage: 0, hp: 250, level: 4, bit: 16 },
  { name: 'haste', price: 0, damage: 0, hp: 0, speed: 35, level: 8, bit: 32 },
  { name: 'guard', price: 0, damage: 0, hp: 0, resist: 30, level: 8, bit: 64 },
] as const satisfies readonly Ware[]
