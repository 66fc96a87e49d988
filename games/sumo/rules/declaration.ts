/**
 * Sumo: what there is.
 *
 * Fighters on a square ring, 3 m above the ground around it; a fighter that is thrown down is out. Units: m, m/s, kg, ticks of
 * 1/64 s. The plane is x and y, z is up (in the seed's documents y is up and z lies in the plane).
 */

import {
  axis,
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
import { defineAbilities } from 'hurtbox/abilities'
import { defineCombat } from 'hurtbox/combat'
import { matchFlow } from 'hurtbox/match'
import { GRID_OPTIONS } from '../../grid.ts'
import { type Arts, CONTENT_FILE, contentOf, type Knockback, MAP, SLOTS } from './content.ts'

export const KIND = { fighter: 1, dummy: 2, projectile: 3, area: 4 } as const

/** The stage of a match. In practice it is always `play`. */
export { STAGE } from 'hurtbox/match'

const combat = defineCombat({ damageTypes: ['blow'] })

const abilitiesFor = (knockback: Knockback, arts: Arts) =>
  defineAbilities({
    source: CONTENT_FILE,
    abilities: contentOf(knockback, arts),
    slots: SLOTS,
    damageTypes: combat.typeNames,
    projectile: { kind: KIND.projectile, layer: 'projectile' },
    area: { kind: KIND.area, layer: 'hitbox' },
    // In the document nobody tires.
    wear: knockback === 'document' ? 0 : 2,
  })

/** The same abilities in the same order, pushing by mass, by speed, or by mass and nothing more. */
const kitsFor = (arts: Arts) => ({
  impulse: abilitiesFor('impulse', arts),
  velocity: abilitiesFor('velocity', arts),
  document: abilitiesFor('document', arts),
})
const kits = { push: kitsFor('push'), pull: kitsFor('pull') }
export const abilities = kits.push.impulse

export const abilitiesOf = ({ knockback, arts }: { readonly knockback: Knockback; readonly arts: Arts }) =>
  kits[arts][knockback]

const perAbility = { type: 'u32', length: abilities.names.length } as const

export const declaration = declareGame({
  id: 'sumo',
  tickRate: 64,
  seats: { min: 2, max: 8 },
  options: {
    mode: oneOf(['match', 'practice'], 'best of five; or no rounds, and fallen fighters come back'),
    dummy: flag(false, 'a target that just stands there, at the place of the document'),
    knockback: oneOf(
      ['impulse', 'velocity', 'document'],
      'by mass; as speed, by the 5 and 8 of the origin; or by mass without finisher, wear, stun and hit stop, as the document says',
    ),
    arts: oneOf(['push', 'pull'], 'pull: the shockwave draws in, and strength takes the place of the barrier'),
    bulletsHitTerrain: flag(false, 'projectiles end at the ring and the ground instead of passing through'),
    rounds: whole(5, { min: 1, max: 99, help: 'the match is the best of so many' }),
    ...GRID_OPTIONS,
  },
  /** Character meets character, terrain, hitbox and projectile; no other two meet. As in the document. */
  layers: {
    character: ['character', 'terrain', 'hitbox', 'projectile'],
    hitbox: ['character'],
    projectile: ['character'],
    terrain: ['character'],
  },
  /** Part of the fingerprint: builds with other abilities or another ring cannot play together. */
  content: {
    abilities: { impulse: contentOf('impulse'), velocity: contentOf('velocity'), document: contentOf('document') },
    pull: contentOf('impulse', 'pull'),
    slots: SLOTS,
    map: MAP,
  },
  capacity: 256,
  things: {
    ...combat.columns,
    ...abilities.columns,
    z: 'f64',
    vz: 'f64',
    halfLength: 'f64',
    grounded: 'u8',
    /** 1 for a fighter that has left the ring in this round. */
    out: 'u8',
    /** The last attacker, its ability + 1, and until when it gets the credit for a fall. */
    hitBy: 'id',
    hitWith: 'u8',
    hitCountsUntil: 'timer',
  },
  players: { wins: 'u8', thrown: 'u32', falls: 'u32' },
  hits: rememberHits(256),
  tables: { casts: abilities.casts },
  /** Over the whole match, by ability. */
  arrays: { used: perAbility, hitting: perAbility, whiffed: perAbility, ringOuts: perAbility },
  globals: {
    ...abilities.globals,
    ...matchFlow.globals,
  },
  tuning: {
    runSpeed: tune(5, { unit: 'm/s', min: 0, max: 100 }),
    acceleration: tune(20, { unit: 'm/s²', min: 0, max: 1000, help: 'towards the wished speed, also braking' }),
    friction: tune(5, { unit: 'm/s²', min: 0, max: 1000, help: 'of a fighter that slides while its ability runs' }),
    gravity: tune(9.81, { unit: 'm/s²', min: 0, max: 1000 }),
    mass: tune(7.33, { unit: 'kg', min: 0.1, max: 1000, fromNextSpawn: true }),
    stamina: tune(100, {
      unit: 'hp',
      min: 1,
      max: 10_000,
      help: 'with none left one is pushed three times as hard',
      fromNextSpawn: true,
    }),
    countdown: seconds(1, { max: 60 }),
    roundTime: seconds(60, { min: 1, max: 3600 }),
    breather: seconds(1.5, { max: 60, help: 'between two rounds' }),
    credit: seconds(4, { max: 60, help: 'how long after a hit a fall is still its work' }),
  },
  input: {
    moveX: axis(),
    moveY: axis(),
    punch: press(),
    fireball: press(),
    dash: press(),
    jump: press(),
    uppercut: press(),
    shockwave: press(),
    barrier: press(),
    grab: press(),
  },
  events: {
    ...combat.events,
    ...abilities.events,
    ...matchFlow.events,
    /** A fighter left the ring. `by` gets the credit, `ability` is its ability + 1; both are 0 for an unforced fall. */
    ringOut: { victim: 'id', by: 'id', ability: 'u8' },
  },
})

export interface SumoWorld extends World<typeof declaration> {}
export interface SumoThing extends Thing<typeof declaration> {}
export type SumoPlayer = Player<typeof declaration>

/** Seconds per tick. */
export const DT = 1 / declaration.tickRate

/** Whether a thing is a fighter that is still in the ring. */
export function isIn(thing: SumoThing): boolean {
  return thing.layer === 'character' && thing.out === 0 && thing.leaving === 0
}
