/**
 * Effects: what every kind of effect consists of.
 *
 * A kind of effect is one record in `effects/`: what designers write for it, how that is read, and what it does. The same
 * function does it in a phase (to the caster, or by it) and in a rule (on a hit), because things are written alike in both.
 *
 * All compiled effects have the same fields, whatever they do, so that the code that loops over them sees objects of one
 * shape. What an effect does not need is 0 or undefined.
 */

import type { Shape } from '../../geometry/shapes/shape.ts'
import type { Volume } from '../../geometry/volumes/volume.ts'
import type { Abilities } from './abilities.ts'
import type { FieldPath } from './check.ts'
import type { Trigger } from './words.ts'
import type { AbilityThing, AbilityWorld } from './world.ts'

/** A kind of effect. `S` is what designers write for it. */
export type EffectRecord<S = unknown> = {
  /** Only a type: nothing has this field. */
  readonly spec?: S
  /** On which triggers it can be; `caster` is every one but `hit`. */
  readonly happensOn: 'active' | 'hit' | 'caster' | 'any'
  /** Whether it happens before the other effects of a hit: the shield that it breaks or not decides about those. */
  readonly isFirst?: true
  /** Whether it can hit, so that hits of its ability are counted. */
  readonly canHit?: true
  /** Reads what designers wrote. When it happens has been read before. */
  read(draft: Draft, value: unknown, place: FieldPath, names: ContentNames): void
  /** What is wrong with the effect as a whole; throws. */
  check?(draft: Draft, place: FieldPath): void
  /** Does it. Left out by melee: its boxes are posed, and what they hit is struck. */
  happen?(effect: Effect, use: Use): void
  /** For frame data: how far it hits, what damage it does, and for how long its victim cannot act. */
  reach?(effect: Effect, tickRate: number): number
  damage?(effect: Effect): number
  disables?(effect: Effect, isMelee: boolean): number
}

/** One effect of an ability, compiled. */
export type Effect = {
  readonly kind: string
  readonly record: EffectRecord
  /** Its place among the effects of its ability. */
  readonly place: number
  readonly on: Trigger
  /** Bit `s` is set when it happens in step `s`. */
  readonly steps: number
  /** The ticks of the active phase in which it happens: from `at` on, before `until`. */
  readonly at: number
  readonly until: number
  readonly slot: number
  readonly toCaster: boolean
  /** Of melee, projectiles and areas: the form in space. Of melee: the form in the plane, and for arcs the sector. */
  readonly volume: Volume | undefined
  readonly shape: Shape | undefined
  readonly sector: Shape | undefined
  /** Its hit set: 0 is that of the whole window. */
  readonly group: number
  /** Ticks after which it hits the same victim again; 0 for never. */
  readonly every: number
  /** Whether its hits use it up. */
  readonly isUsedUp: boolean
  /** A unit vector [ahead, left, up]; for a teleport the distance. */
  readonly x: number
  readonly y: number
  readonly z: number
  readonly frame: ForceFrame | undefined
  readonly byMass: boolean
  /** Impulse, speed, damage, shield, factor. */
  readonly amount: number
  /** What each level above the first adds to it. */
  readonly perLevel: number
  readonly ticks: number
  readonly launch: number
  readonly stop: number
  readonly radius: number
  readonly life: number
  /** Of areas: ticks until it hits, and how far away it can be aimed. */
  readonly delay: number
  readonly aim: number
  readonly ahead: number
  readonly left: number
  readonly up: number
  readonly pierce: number
  /** Number of a damage type, a buffed stat or an ability. */
  readonly what: number
}

/** How the direction of a force is turned. */
export type ForceFrame = {
  /** Whether it is not allowed for a force on the caster. */
  readonly needsVictim: boolean
  /** Computes the unit vector that is ahead, from the rows of the source and the target. */
  turn(things: AbilityWorld['tables']['things'], source: number, target: number): void
}

/** Effects under construction. */
export type Draft = { -readonly [K in keyof Effect]: Effect[K] }

/** The names that content can refer to. */
export type ContentNames = {
  readonly source: string
  readonly abilities: readonly string[]
  readonly slots: readonly string[]
  readonly damageTypes: readonly string[]
}

/** An effect that happens now: its source and its target. */
export type Use = {
  abilities: Abilities
  world: AbilityWorld
  /** Number of the ability, its step and its depth. */
  ability: number
  step: number
  depth: number
  /** Row of the cast in `casts`; -1 for the hit of a projectile or area. */
  cast: number
  /** The caster; undefined when it has left the world. */
  caster: AbilityThing | undefined
  /** The caster, or the projectile or area that hit. */
  source: AbilityThing
  target: AbilityThing
  /** What forces depend on, as it was before the hit: buffed force of the caster; wear and weight of the victim. */
  power: number
  worn: number
  weight: number
  /** Written by the effect: the number of a sub-ability to start; -1 for none. */
  subAbility: number
}

/** Scratch: one object, filled again for every effect. An effect that starts a sub-ability leaves that to its caller. */
export const use: Use = {
  abilities: undefined!,
  world: undefined!,
  ability: 0,
  step: 0,
  depth: 0,
  cast: -1,
  caster: undefined,
  source: undefined!,
  target: undefined!,
  // Not whole, so that the fields are doubles from the start.
  power: Number.NaN,
  worn: Number.NaN,
  weight: Number.NaN,
  subAbility: -1,
}

export function isInStep(effect: Effect, step: number): boolean {
  return ((effect.steps >>> step) & 1) !== 0
}

export function emptyEffect(kind: string, record: EffectRecord, place: number): Draft {
  return {
    kind,
    record,
    place,
    on: 'cast',
    steps: -1,
    at: 0,
    until: 0,
    slot: 0,
    toCaster: false,
    volume: undefined,
    shape: undefined,
    sector: undefined,
    group: 0,
    every: 0,
    isUsedUp: false,
    x: 0,
    y: 0,
    z: 0,
    frame: undefined,
    byMass: false,
    amount: 0,
    perLevel: 0,
    ticks: 0,
    launch: 0,
    stop: 0,
    radius: 0,
    life: 0,
    delay: 0,
    aim: 0,
    ahead: 0,
    left: 0,
    up: 0,
    pierce: 0,
    what: 0,
  }
}
