/**
 * Sumo: what there is.
 *
 * Fighters on a square ring, 3 m above the ground around it; who is thrown down is out. Units: m, m/s, kg, ticks of 1/64 s.
 * The plane is x and y, z is up (in the seed's documents y is up and z lies in the plane).
 */

import { axis, declareGame, flag, layerNumbers, oneOf, press, seconds, tune, type World, whole } from 'hurtbox'
import { defineAbilities } from 'hurtbox/abilities'
import { defineCombat } from 'hurtbox/combat'
import { GRID_OPTIONS } from '../../grid.ts'
import { CONTENT_FILE, contentOf, SLOTS } from './content.ts'

/** Character meets character, terrain, hitbox and projectile; no other two meet. As in the document. */
const layers = {
  character: ['character', 'terrain', 'hitbox', 'projectile'],
  hitbox: ['character'],
  projectile: ['character'],
  terrain: ['character'],
} as const

export const LAYER = layerNumbers({ layers })
export const KIND = { fighter: 1, dummy: 2, projectile: 3, area: 4 } as const

/** Where a match stands. In practice it is always `fight`. */
export const STAGE = { waiting: 0, countdown: 1, fight: 2, breather: 3, over: 4 } as const

const combat = defineCombat({ damageTypes: ['blow'] })

const abilitiesFor = (knockback: 'impulse' | 'velocity') =>
  defineAbilities({
    source: CONTENT_FILE,
    abilities: contentOf(knockback),
    slots: SLOTS,
    damageTypes: combat.typeNames,
    projectile: { kind: KIND.projectile, layer: LAYER.projectile },
    area: { kind: KIND.area, layer: LAYER.hitbox },
    wear: 2,
  })

/** The same abilities in the same order, pushing by mass or by speed. */
const kits = { impulse: abilitiesFor('impulse'), velocity: abilitiesFor('velocity') }
export const abilities = kits.impulse

export type SumoAbilities = typeof abilities

export function abilitiesOf(options: { readonly knockback: 'impulse' | 'velocity' }): SumoAbilities {
  return kits[options.knockback]
}

const perAbility = { type: 'u32', length: abilities.names.length } as const

export const declaration = declareGame({
  id: 'sumo',
  rulesVersion: 1,
  tickRate: 64,
  seats: { min: 2, max: 8 },
  options: {
    mode: oneOf(['match', 'practice'], 'best of five; or no rounds, and who falls comes back'),
    dummy: flag(false, 'a target that just stands there, at the place of the document'),
    knockback: oneOf(['impulse', 'velocity'], 'by mass, as the document says; or as speed, as its origin shipped it'),
    bulletsHitTerrain: flag(false, 'projectiles end at the ring and the ground instead of passing through'),
    rounds: whole(5, { min: 1, max: 99, help: 'the match is the best of so many' }),
    ...GRID_OPTIONS,
  },
  layers,
  /** In the fingerprint: who has other abilities cannot play along. */
  content: { abilities: { impulse: contentOf('impulse'), velocity: contentOf('velocity') }, slots: SLOTS },
  tables: {
    things: {
      capacity: 256,
      columns: {
        ...combat.columns,
        ...abilities.columns,
        z: 'f64',
        vz: 'f64',
        halfLength: 'f64',
        grounded: 'u8',
        /** 1 for who has left the ring in this round. */
        out: 'u8',
        /** Who has hit it last, with what, and until when that counts when it falls. */
        hitBy: 'id',
        hitWith: 'u8',
        hitCountsUntil: 'timer',
      },
    },
    players: { columns: { wins: 'u8', thrown: 'u32', falls: 'u32' } },
    casts: abilities.casts,
    hits: { capacity: 256, columns: {} },
  },
  /** Over the whole match, by ability. */
  arrays: { used: perAbility, hitting: perAbility, whiffed: perAbility, ringOuts: perAbility },
  globals: {
    ...abilities.globals,
    round: 'u32',
    stage: 'u8',
    /** When the stage is over. */
    stageEndsAt: 'timer',
  },
  tuning: {
    runSpeed: tune(5, { unit: 'm/s', min: 0, max: 100 }),
    acceleration: tune(20, { unit: 'm/s²', min: 0, max: 1000, help: 'towards the wished speed, also braking' }),
    friction: tune(5, { unit: 'm/s²', min: 0, max: 1000, help: 'of who slides while its ability runs' }),
    gravity: tune(9.81, { unit: 'm/s²', min: 0, max: 1000 }),
    mass: tune(7.33, { unit: 'kg', min: 0.1, max: 1000 }),
    stamina: tune(100, { unit: 'hp', min: 1, max: 10_000, help: 'with none left one is pushed three times as hard' }),
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
    roundStart: { round: 'u32' },
    /** Somebody left the ring. `by` is who gets the credit, `ability` its ability + 1; both 0 for a fall of one's own. */
    ringOut: { victim: 'id', by: 'id', ability: 'u8' },
    /** `winner` is a fighter; 0 when nobody won. */
    roundOver: { round: 'u32', winner: 'id' },
    matchOver: { winner: 'id' },
  },
})

export type SumoWorld = World<typeof declaration>
export type SumoOptions = SumoWorld['options']

/** Seconds per tick. */
export const DT = 1 / declaration.tickRate

export function isFighter(world: SumoWorld, row: number): boolean {
  const { kind } = world.tables.things
  return kind[row] === KIND.fighter || kind[row] === KIND.dummy
}

/** Whether the thing in `row` is a fighter who is still in the ring. */
export function isIn(world: SumoWorld, row: number): boolean {
  const { out, leaving } = world.tables.things
  return isFighter(world, row) && out[row] === 0 && leaving[row] === 0
}
