/**
 * Jet Raiders: what there is.
 *
 * A dogfight on a small plane that wraps around. Units: px, px per second, radians; angle 0 points up (−y), positive is
 * clockwise. A tick is 16 ms exactly.
 */

import { axis, button, choice, declareGame, flag, oneOf, press, seconds, tune, type View, type World, whole } from 'hurtbox'
import { defineCombat } from 'hurtbox/combat'

export const combat = defineCombat({ damageTypes: ['bullet', 'ramming'], recent: 64 })

/** Seconds per tick. */
export const DT = 0.016

/** The plane: x and y from −WIDTH / 2 and −HEIGHT / 2. */
export const WIDTH = 800
export const HEIGHT = 460

export const KIND = { ship: 1, bullet: 2 } as const

export const declaration = declareGame({
  id: 'jet-raiders',
  rulesVersion: 1,
  tickRate: 62.5,
  seats: { min: 1, max: 16 },
  options: {
    edges: oneOf(['wrap', 'wall'], 'ships wrap and bullets fly out, or the edge of the plane is solid for both'),
    torus: flag(false, 'hits count across the seam'),
    ramming: flag(false, 'ships that touch hurt each other'),
    bulletClash: flag(false, 'bullets of different ships cancel out'),
    swept: flag(false, 'bullets hit what they passed; the earliest impact wins'),
    iceBullets: flag(false, 'a hit slows its victim for two seconds'),
    matchSeconds: whole(600, { min: 0, max: 7200, help: 'length of the match, 0 for no end' }),
    grid: flag(true, 'the broad phase uses a grid; never changes an outcome'),
  },
  layers: { ship: ['bullet', 'ship'], bullet: ['bullet'] },
  tables: {
    things: {
      capacity: 4096,
      columns: {
        ...combat.columns,
        /** Where a ship looks. */
        heading: 'f64',
        /** 0 to 1 of the highest speed. */
        throttle: 'f64',
        /** When the gun, the secondary slot and a dead ship are ready again. */
        readyAt: 'timer',
        slotReadyAt: 'timer',
        returnsAt: 'timer',
        shieldUntil: 'timer',
        dashUntil: 'timer',
        slowUntil: 'timer',
      },
    },
    players: { columns: { score: 'u32', deaths: 'u32', hits: 'u32', shots: 'u32' } },
  },
  arrays: combat.arrays,
  globals: combat.globals,
  streams: ['spawns'],
  tuning: {
    shipSpeed: tune(150, { unit: 'px/s', min: 10, max: 2000 }),
    turnRate: tune(3, { unit: 'rad/s', min: 0.1, max: 20 }),
    throttleRate: tune(2, { unit: '1/s', min: 0.1, max: 50 }),
    shipRadius: tune(24, { unit: 'px', min: 1, max: 100 }),
    shipHp: tune(100, { unit: 'hp', min: 1, max: 10_000 }),
    respawn: seconds(1, { max: 60 }),
    bulletSpeed: tune(500, { unit: 'px/s', min: 10, max: 1e6 }),
    bulletLife: seconds(3, { min: 0.016, max: 60 }),
    bulletRadius: tune(5, { unit: 'px', min: 0, max: 100 }),
    bulletDamage: tune(30, { unit: 'hp', min: 0, max: 10_000 }),
    cooldown: seconds(0.1, { max: 60 }),
    rammingDamage: tune(15, { unit: 'hp', min: 0, max: 10_000 }),
    shieldTime: seconds(1.5, { max: 60 }),
    dashTime: seconds(0.25, { max: 60 }),
    dashFactor: tune(4, { unit: '×', min: 1, max: 20 }),
    slotCooldown: seconds(6, { max: 600 }),
    slowTime: seconds(2, { max: 60 }),
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
    /** A bullet met a ship: the four values of the seed's log line. */
    hit: { victim: 'id', shooter: 'id', projectile: 'id', hpAfter: 'f64' },
    shot: { shooter: 'id', projectile: 'id', x: 'f64', y: 'f64' },
    returned: { ship: 'id', x: 'f64', y: 'f64' },
    shield: { ship: 'id' },
    dash: { ship: 'id' },
  },
})

export type JetWorld = World<typeof declaration>
export type JetView = View<typeof declaration>
export const LAYER = { ship: 0, bullet: 1 } as const

export function isAlive(world: JetWorld, ship: number): boolean {
  return world.tables.things.hp[ship] > 0
}
