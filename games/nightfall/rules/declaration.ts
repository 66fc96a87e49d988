/**
 * Nightfall: what there is.
 *
 * Up to four survivors in a walled field, and a night of 1,200 seconds that sends more and more against them. Units: px,
 * px per second, hp; x to the right, y down. A tick is 1/60 s.
 */

import {
  axis,
  declareGame,
  layerNumbers,
  oneOf,
  type Player,
  press,
  type RuleWorld,
  rememberHits,
  seconds,
  type spawn,
  type Thing,
  tune,
  type World,
  whole,
  wide,
} from 'hurtbox'
import { defineCombat } from 'hurtbox/combat'
import { GRID_OPTIONS } from '../../grid.ts'
import { DAMAGE_TYPES } from './content/damage-types.ts'
import { ENEMIES } from './content/enemies.ts'
import { UPGRADES } from './content/upgrades.ts'
import { WAVES } from './content/waves.ts'
import { WEAPONS } from './content/weapons.ts'

export const combat = defineCombat({ damageTypes: DAMAGE_TYPES, recent: 64 })

export const TICK_RATE = 60
/** Seconds per tick. */
export const DT = 1 / TICK_RATE

/** The field, and how far from its edge survivors stay. */
export const WIDTH = 800
export const HEIGHT = 600
export const MARGIN = 32

/** Kinds 1, 2, … are the enemies in the order of their list. */
export const KIND = {
  survivor: 16,
  projectile: 17,
  strike: 18,
  bullet: 19,
  hazard: 20,
  gem: 21,
  heal: 22,
  clear: 23,
  flame: 24,
} as const

/** The causes of a hit in the words of the seed document. */
export const SOURCES = ['projectile', 'enemy', 'hazard'] as const

/** The cause of a hit, a place in `SOURCES`, by the layer of what did it. */
export const SOURCE: Readonly<Record<string, number>> = { projectile: 0, strike: 0, bullet: 0, enemy: 1, hazard: 2 }

/** How many upgrades a new level offers. */
export const OFFERS = 3

export const declaration = declareGame({
  id: 'nightfall',
  tickRate: TICK_RATE,
  seats: { min: 1, max: 4 },
  options: {
    start: oneOf(
      [
        'night',
        'storm',
        'empty',
        'scenario-1',
        'scenario-2',
        'scenario-3',
        'scenario-1-original',
        'scenario-2-original',
        'scenario-3-original',
      ],
      'what stands on the field when the match starts, and whether waves come',
    ),
    waves: oneOf(
      ['seven-kinds', 'four-kinds'],
      'which enemies come: all seven kinds, or the four of the seed document',
    ),
    fromMinute: whole(0, { min: 0, max: 60, help: 'the minute of the wave table with which the night begins' }),
    knockbackMode: oneOf(['displace', 'per-tick'], 'a hit moves its victim by K px, or by K · dt as the origin did'),
    stormShots: whole(10_000, { min: 0, max: 12_000, help: 'projectiles in the air during a storm' }),
    stormEnemies: whole(2000, { min: 0, max: 4000, help: 'enemies on the field during a storm' }),
    ...GRID_OPTIONS,
  },
  layers: {
    survivor: ['enemy', 'bullet', 'hazard', 'pickup'],
    enemy: ['projectile', 'strike', 'hazard'],
    /** Used up by a hit; meets the bullets of the other side. */
    projectile: ['bullet'],
    /** Blows, orbs and blasts: not used up by a hit. */
    strike: [],
    bullet: [],
    hazard: [],
    pickup: [],
  },
  capacity: 16_384,
  things: {
    ...combat.columns,
    /** What a touch or a hit costs, and the chance of twice as much in percent. */
    damage: 'f64',
    doublePercent: 'u8',
    /** Place in the list of weapons, which has the rest of what a shot does. */
    weapon: 'u8',
    /** Which of the orbs it is, how large a sweep, which way burning ground lies. */
    slot: 'u8',
    /** The only enemy it can hit; 0: any. */
    target: 'id',
    /** Of an enemy. */
    speed: 'f64',
    isElite: 'u8',
    /** When an enemy's gun is ready, a returning weapon turns, a hazard begins to burn. */
    readyAt: 'timer',
    /** Experience in a gem. */
    worth: 'u32',
  },
  players: {
    level: 'u16',
    experience: 'f64',
    kills: 'u32',
    /** Where the survivor looks: a unit vector. */
    facingX: 'f64',
    facingY: 'f64',
    /** Level of each upgrade. */
    owned: wide('u8', UPGRADES.length),
    /** When each weapon is ready again. */
    readyAt: wide('timer', WEAPONS.length),
    /** How many books circle around the survivor. */
    orbs: 'u8',
    flamesUntil: 'timer',
    /** Drafts to come, what the present one offers (place + 1 in the list of upgrades), the tick at which it ends. */
    drafts: 'u8',
    offer: wide('u8', OFFERS),
    draftEndsAt: 'u32',
  },
  hits: rememberHits(8192),
  arrays: { ...combat.arrays, damageByType: { type: 'f64', length: DAMAGE_TYPES.length } },
  globals: {
    ...combat.globals,
    /** Enemies owed by the waves, in sixtieths. */
    spawnDebt: 'f64',
    hits: 'u32',
    kills: 'u32',
    /** 1 while the match is paused for a draft. */
    isDrafting: 'u8',
    /** 0 the night goes on, 1 victory, 2 defeat. */
    ending: 'u8',
    /** Ticks survived so far; stops at the end. */
    survived: 'timer',
  },
  streams: ['waves', 'guns', 'hazards', 'loot', 'drafts', 'storm'],
  tuning: {
    night: seconds(1200, { min: 1, max: 36_000, help: 'how long the night lasts' }),
    survivorHp: tune(100, { unit: 'hp', min: 1, max: 1e9, fromNextSpawn: true }),
    survivorSpeed: tune(150, { unit: 'px/s', min: 0, max: 2000 }),
    survivorRadius: tune(12, { unit: 'px', min: 1, max: 100 }),
    iframes: seconds(1, { max: 60, help: 'how long a hurt survivor cannot be hurt again' }),
    enemyKnockback: tune(50, { unit: 'px', min: 0, max: 1000 }),
    survivorKnockback: tune(100, { unit: 'px', min: 0, max: 1000, help: 'by a touch' }),
    bulletKnockback: tune(50, { unit: 'px', min: 0, max: 1000 }),
    bulletSpeed: tune(200, { unit: 'px/s', min: 1, max: 2000 }),
    bulletLife: seconds(3, { max: 60 }),
    spawnRate: tune(1, { unit: '×', min: 0, max: 100, help: 'of the wave table' }),
    growth: tune(0.05, {
      unit: '1/min²',
      min: 0,
      max: 10,
      help: 'by how much the night grows with the square of the minutes since the table has ended',
    }),
    crowdLimit: tune(600, { unit: 'enemies', min: 0, max: 8000, help: 'when so many live, no more come' }),
    hazardEvery: seconds(12, { min: 1, max: 3600 }),
    hazardDamage: tune(8, { unit: 'hp', min: 0, max: 1e6 }),
    gemWorth: tune(5, { unit: 'xp', min: 0, max: 1e6 }),
    gemLimit: tune(400, { unit: 'gems', min: 1, max: 4000, help: 'further ones are added to the youngest' }),
    magnetReach: tune(80, { unit: 'px', min: 0, max: 2000 }),
    magnetSpeed: tune(200, { unit: 'px/s', min: 0, max: 5000 }),
    powerUpChance: tune(0.05, { unit: '', min: 0, max: 1, help: 'that an elite leaves one' }),
    powerUpLife: seconds(15, { max: 600 }),
    healing: tune(50, { unit: 'hp', min: 0, max: 1e6 }),
    flameTime: seconds(10, { max: 600 }),
    draftTime: seconds(30, { min: 1, max: 3600, help: 'after that the first offer is taken' }),
  },
  input: {
    moveX: axis(),
    moveY: axis(),
    /** A direction; (0, 0) lets the weapons choose. */
    aimX: axis(),
    aimY: axis(),
    first: press(),
    second: press(),
    third: press(),
  },
  events: {
    ...combat.events,
    /** A hit as in the seed document: `damage` is what the target's health lost, `source` a place in `SOURCES`. */
    hit: { frame: 'u32', target: 'id', damage: 'f64', source: 'u8' },
    /** A projectile and a bullet destroyed each other. */
    clash: { x: 'f64', y: 'f64' },
    spawned: { enemy: 'id', enemyKind: 'u8', isElite: 'u8' },
    fired: { survivor: 'id', weapon: 'u8' },
    taken: { survivor: 'id', pickup: 'id', pickupKind: 'u8', worth: 'u32' },
    levelled: { seat: 'u8', level: 'u16' },
    drafted: { seat: 'u8', upgrade: 'u8', level: 'u8' },
    fell: { survivor: 'id' },
    ended: { isVictory: 'u8' },
  },
  eventCapacity: 4096,
  content: { enemies: ENEMIES, waves: WAVES, weapons: WEAPONS, upgrades: UPGRADES },
})

/** Layers as numbers, for loops over columns. */
export const LAYER = layerNumbers(declaration)

export interface NightWorld extends World<typeof declaration> {}
export interface NightRuleWorld extends RuleWorld<typeof declaration> {}
export interface NightThing extends Thing<typeof declaration> {}
export interface NightPlayer extends Player<typeof declaration> {}
export type NightOptions = NightWorld['options']
/** Columns of a new thing. */
export type NightValues = Parameters<typeof spawn<typeof declaration, 'enemy'>>[2]
export type Place = { readonly x: number; readonly y: number }
