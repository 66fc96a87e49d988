/**
 * Siege: what there is.
 *
 * Units are the seed's: 25 is a champion's radius, speeds are per second, y points down. A tick is 1/30 s; `siegeAt` makes
 * the same game at another rate.
 */

import {
  choice,
  declareGame,
  flag,
  layerNumbers,
  oneOf,
  type Player,
  point,
  press,
  rememberHits,
  seconds,
  type Thing,
  target,
  tune,
  type World,
  whole,
  wide,
} from 'hurtbox'
import { defineCombat } from 'hurtbox/combat'
import { SEPARATION_TUNING } from 'hurtbox/motion'
import { GRID_OPTIONS } from '../../grid.ts'
import { abilitiesAt } from './content/abilities.ts'
import { CHAMPIONS, WARES } from './content/champions.ts'
import { CAMPS, FOUNTAINS, HALF, STRUCTURES, WATER, WAYS } from './content/map.ts'
import { CREATURES, UNITS } from './content/units.ts'

const TICK_RATE = 30

export const combat = defineCombat({ damageTypes: ['physical', 'magic'] })

/** Their columns and their events are the same at every rate. */
const abilities = abilitiesAt(TICK_RATE, combat.typeNames)

/** Fog lies on cells of 100 units, 36 × 36 of them for each side. */
export const FOG_CELL = 100
export const FOG_SIDE = (2 * HALF) / FOG_CELL

export const declaration = declareGame({
  id: 'siege',
  tickRate: TICK_RATE,
  seats: { min: 1, max: 10 },
  options: {
    crowd: whole(0, { min: 0, max: 5000, help: 'minions that stand on the map from the start, half for each side' }),
    heap: whole(0, {
      min: 0,
      max: 200,
      help: "blue minions that stand on one spot at the start, for the seed's visual checks",
    }),
    draft: flag(
      false,
      'champions are drafted by the seed, and no side has one that the other has while another is free',
    ),
    jungle: oneOf(['plain', 'three'], 'three: monsters, wolves and golems come to the camps in turn'),
    ...GRID_OPTIONS,
  },
  layers: {
    /** Champions, minions, creatures. */
    unit: ['shot', 'blow', 'water'],
    /** Towers and nexuses. */
    structure: ['shot'],
    /** Follows its target. */
    shot: [],
    /** Missiles and bursts: hit what they meet. */
    blow: ['water'],
    water: [],
  },
  capacity: 8192,
  things: {
    ...combat.columns,
    ...abilities.columns,
    champion: 'u8',
    /** Of a blow: that of its champion when it was cast. */
    level: 'u8',
    /** Of minions and towers, towers, creatures. */
    lane: 'u8',
    tier: 'u8',
    camp: 'u8',
    homeX: 'f64',
    homeY: 'f64',
    /** The point of its way that a minion walks to. */
    leg: 'u8',
    /** Per second; per blow; between the rims. */
    speed: 'f64',
    damage: 'f64',
    range: 'f64',
    /** Ticks between two blows, and until one lands. */
    cooldown: 'u16',
    windup: 'u16',
    /** When the next blow can start; when the present one lands. */
    attacksAt: 'timer',
    strikesAt: 'timer',
    /** What it attacks or, of a shot, follows. */
    target: 'id',
    /** Of a tower: hits in a row on the same target. */
    heat: 'u8',
    /** Where it wants to be, and whether it walks there now. */
    goalX: 'f64',
    goalY: 'f64',
    walks: 'u8',
    /** The direction it walks in, and the side on which it goes round something: 1 right, 2 left. */
    headX: 'f64',
    headY: 'f64',
    detour: 'u8',
    slowedUntil: 'timer',
    /** When it was last in a fight, and which champion hurt it. */
    hurtAt: 'timer',
    hurtBy: 'id',
    /** Until when towers and minions prefer it: it has hurt a champion. */
    wantedUntil: 'timer',
    /** Of a champion: where its last ability went. */
    aimX: 'f64',
    aimY: 'f64',
    /** When a recall is complete, a dead champion returns. */
    recallAt: 'timer',
    returnsAt: 'timer',
  },
  players: {
    gold: 'u32',
    earned: 'u32',
    xp: 'f64',
    kills: 'u32',
    deaths: 'u32',
    lastHits: 'u32',
    /** First the bits of what one has once, then how many blades and plates. */
    owned: wide('u8', 3),
  },
  /** Which ability has hit whom. */
  hits: rememberHits(2048),
  tables: { casts: abilities.casts },
  arrays: {
    /** 1 for a cell that a side sees, blue's cells first. */
    fog: { type: 'u8', length: 2 * FOG_SIDE * FOG_SIDE },
    /** When each camp comes back; 0 while it lives. */
    campReturnsAt: { type: 'u32', length: CAMPS.length },
    /** By side. */
    towersFelled: { type: 'u32', length: 3 },
    championsKilled: { type: 'u32', length: 3 },
  },
  globals: { ...abilities.globals, wave: 'u32', winner: 'u8', endedAt: 'timer' },
  streams: ['waves'],
  tuning: {
    ...SEPARATION_TUNING,
    firstWave: seconds(5, { max: 600 }),
    waveEvery: seconds(30, { min: 1, max: 600 }),
    waveGrowth: tune(0.03, {
      unit: '1/wave',
      min: 0,
      max: 1,
      help: 'by how much each wave is stronger than the first',
    }),
    campEvery: seconds(60, { max: 600, help: 'until a camp comes back' }),
    leash: tune(300, { unit: 'u', min: 0, max: 2000, help: 'how far from its camp a creature follows' }),
    towerHeat: tune(40, { unit: 'hp', min: 0, max: 1000, help: 'added by each shot at the same target, up to five' }),
    wanted: seconds(2, { max: 60, help: 'how long towers prefer a champion that hurt a champion' }),
    combat: seconds(5, { max: 60, help: 'how long a fight lasts after a hurt' }),
    regeneration: tune(1.5, {
      unit: 'hp/s',
      min: 0,
      max: 1000,
      help: 'of champions, 2.5 times as much outside a fight',
    }),
    fountain: tune(0.2, { unit: '1/s', min: 0, max: 10, help: 'part of its health that a champion regains at home' }),
    recall: seconds(8, { max: 60 }),
    respawn: seconds(6, { max: 60, help: 'of a champion of level 1' }),
    respawnPerLevel: seconds(2, { max: 60 }),
    respawnMost: seconds(60, { max: 600 }),
    slow: tune(0.5, { unit: '×', min: 0, max: 1, help: 'speed of the slowed' }),
    championSiege: tune(2.5, { unit: '×', min: 0, max: 100, help: 'what blows of champions do to structures' }),
    championGold: tune(300, { unit: 'gold', min: 0, max: 10_000 }),
    championXp: tune(250, { unit: 'xp', min: 0, max: 10_000 }),
    xpReach: tune(800, { unit: 'u', min: 0, max: 5000, help: 'how near a champion must be to learn from a death' }),
  },
  input: {
    /** `attackMove` walks to `go` and attacks on the way, `attack` goes for `target`. */
    order: choice(['hold', 'move', 'attackMove', 'attack']),
    go: point({ min: -HALF, max: HALF, step: 0.25 }),
    target: target(),
    first: press(),
    second: press(),
    aim: point({ min: -HALF, max: HALF, step: 0.25 }),
    recall: press(),
    /** Bought at the fountain whenever there is gold for it. */
    buy: choice(['nothing', 'blade', 'plate', 'boots', 'lens', 'ward', 'might', 'vigour', 'haste', 'guard']),
    /** Which champion; counts until the first wave. */
    pick: choice(['any', 'warrior', 'elara', 'gorath', 'magnus', 'vex']),
  },
  events: {
    ...combat.events,
    ...abilities.events,
    wave: { number: 'u32' },
    shot: { shooter: 'id', target: 'id' },
    lastHit: { champion: 'id', victim: 'id', gold: 'u32' },
    championKilled: { victim: 'id', killer: 'id' },
    levelUp: { champion: 'id', level: 'u8' },
    towerFell: { tower: 'id', side: 'u8', lane: 'u8', tier: 'u8' },
    bought: { champion: 'id', ware: 'u8' },
    recalled: { champion: 'id' },
    returned: { champion: 'id' },
    matchOver: { winner: 'u8' },
  },
  eventCapacity: 4096,
  content: {
    champions: CHAMPIONS,
    wares: WARES,
    creatures: CREATURES,
    units: UNITS,
    structures: STRUCTURES,
    ways: WAYS,
    camps: CAMPS,
    fountains: FOUNTAINS,
    water: WATER,
  },
})

export const LAYER = layerNumbers(declaration)

export interface SiegeWorld extends World<typeof declaration> {}
export interface SiegeThing extends Thing<typeof declaration> {}
export interface SiegePlayer extends Player<typeof declaration> {}
export type SiegeOptions = SiegeWorld['options']
