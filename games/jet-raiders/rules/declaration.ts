/**
 * Jet Raiders: what there is.
 *
 * A dogfight on a small plane that wraps around. Units: px, px per second, radians; angle 0 points up (−y), positive is
 * clockwise. A tick is 16 ms exactly, as in the seed's server, so that its tick counts are ours.
 */

import {
  axis,
  border,
  button,
  choice,
  declareGame,
  flag,
  oneOf,
  type Player,
  press,
  rememberHits,
  seconds,
  type Thing,
  tune,
  type World,
  whole,
} from 'hurtbox'
import { defineCombat } from 'hurtbox/combat'
import { GRID_OPTIONS } from '../../grid.ts'

export const combat = defineCombat({ damageTypes: ['bullet', 'ramming'] })

/** Seconds per tick. */
export const DT = 0.016

/** The plane: x from −WIDTH / 2 to WIDTH / 2, y from −HEIGHT / 2 to HEIGHT / 2. */
export const WIDTH = 800
export const HEIGHT = 460

export const KIND = { ship: 1, bullet: 2 } as const

export const declaration = declareGame({
  id: 'jet-raiders',
  rulesVersion: 1,
  tickRate: 62.5,
  seats: { min: 1, max: 16 },
  options: {
    edges: oneOf(
      ['wrap', 'torus', 'wall'],
      'ships jump across and bullets fly out; all wraps and hits count across the seam; all is stopped',
    ),
    ramming: flag(false, 'ships that touch hurt each other'),
    bulletClash: flag(false, 'bullets of different ships cancel out'),
    swept: flag(false, 'bullets hit what they passed; the earliest impact wins'),
    iceBullets: flag(false, 'a hit slows its victim for a while'),
    matchSeconds: whole(600, { min: 0, max: 7200, help: 'length of the match, 0 for no end' }),
    ...GRID_OPTIONS,
  },
  layers: { ship: ['ship', 'bullet'], bullet: ['bullet', 'wall'], wall: [] },
  content: {
    walls: border({ layer: 'wall', minX: -WIDTH / 2, minY: -HEIGHT / 2, maxX: WIDTH / 2, maxY: HEIGHT / 2 }),
  },
  capacity: 4096,
  things: {
    ...combat.columns,
    /** Where a ship looks. */
    heading: 'f64',
    /** 0 to 1 of the highest speed. */
    throttle: 'f64',
    /** When the gun, the secondary slot and a dead ship are ready again. */
    readyAt: 'timer',
    slotReadyAt: 'timer',
    returnsAt: 'timer',
    dashUntil: 'timer',
    slowUntil: 'timer',
    /** When a ship joined or returned, and until when it is protected for that. */
    appearedAt: 'timer',
    protectedUntil: 'timer',
  },
  players: { score: 'u32', deaths: 'u32', shots: 'u32', hits: 'u32', earlyDeaths: 'u32' },
  /** Recent rammings. */
  hits: rememberHits(256),
  /** Health lost in the whole match, by type of damage. */
  arrays: { damageTaken: { type: 'f64', length: combat.typeNames.length } },
  streams: ['spawns'],
  tuning: {
    shipSpeed: tune(150, { unit: 'px/s', min: 10, max: 2000 }),
    turnRate: tune(3, { unit: 'rad/s', min: 0.1, max: 20 }),
    throttleRate: tune(2, { unit: '1/s', min: 0.1, max: 50 }),
    shipRadius: tune(24, { unit: 'px', min: 1, max: 100 }),
    shipHp: tune(100, { unit: 'hp', min: 1, max: 10_000, fromNextSpawn: true }),
    respawn: seconds(1, { max: 60 }),
    protection: seconds(1.5, { max: 60, fromNextSpawn: true, help: 'of a ship that appears; its first shot ends it' }),
    spawnChoices: tune(8, {
      min: 1,
      max: 64,
      help: 'of so many random places a ship takes the one farthest from foes',
    }),
    bulletSpeed: tune(500, { unit: 'px/s', min: 10, max: 10_000 }),
    bulletLife: seconds(3, { min: 0.016, max: 60 }),
    bulletRadius: tune(5, { unit: 'px', min: 0, max: 100 }),
    bulletDamage: tune(30, { unit: 'hp', min: 0, max: 10_000 }),
    cooldown: seconds(0.1, { max: 60 }),
    rammingDamage: tune(20, { unit: 'hp', min: 0, max: 10_000 }),
    rammingInterval: seconds(0.5, { min: 0.016, max: 60, help: 'between two hurts of one pair that stays in touch' }),
    slotCooldown: seconds(6, { max: 600 }),
    shieldTime: seconds(1, { max: 60 }),
    dashTime: seconds(0.25, { max: 60 }),
    dashFactor: tune(4, { unit: '×', min: 1, max: 20 }),
    slowTime: seconds(2, { max: 60, help: 'how long an ice bullet slows its victim' }),
    slowFactor: tune(0.5, { unit: '×', min: 0, max: 1 }),
  },
  input: {
    thrust: axis(),
    turn: axis(),
    shoot: button(),
    slot: press(),
    secondary: choice(['shield', 'dash']),
  },
  events: {
    ...combat.events,
    /** A bullet hit a ship: the four values of the seed's log line. */
    hit: { victim: 'id', shooter: 'id', projectile: 'id', hpAfter: 'f64' },
    /** A shield stopped a bullet. */
    block: { victim: 'id', shooter: 'id', projectile: 'id' },
    /** Two bullets cancelled out. */
    clash: { older: 'id', younger: 'id' },
    shot: { shooter: 'id', projectile: 'id' },
    shield: { ship: 'id' },
    dash: { ship: 'id' },
    returned: { ship: 'id' },
    /** Once, in the last tick. `winner` is a ship, 0 for a draw. */
    matchOver: { winner: 'id' },
  },
})

export interface JetWorld extends World<typeof declaration> {}
export interface JetThing extends Thing<typeof declaration> {}
export type JetPlayer = Player<typeof declaration>
export type JetOptions = JetWorld['options']
