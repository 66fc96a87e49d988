/**
 * A game's abilities: its content, checked and compiled, and the pieces of state they need.
 *
 * `defineAbilities` returns plain pieces that a declaration spreads into its own (`...abilities.columns`), as `defineCombat`
 * does, so cooldowns, windows, stuns and hit sets are columns like any other: hashed, rolled back, inspected. A running
 * ability is one row of the table `casts`; the hit set is the engine's ledger, the table `hits`.
 */

import { HurtboxError, requireInteger, unknownName } from '../../base/errors.ts'
import { wide } from '../../world/handles/wide.ts'
import { fail } from './check.ts'
import { type Ability, compileAbility } from './compile.ts'
import type { AbilitySpec } from './content.ts'
import type { ContentNames } from './effect.ts'
import { STATS } from './words.ts'

export type AbilityOptions<N extends string = string, S extends string = string> = {
  /** The file with the content, for error messages. */
  readonly source: string
  readonly abilities: Readonly<Record<N, AbilitySpec>>
  /** What each slot can do: a press starts the first ability of the list that can start. */
  readonly slots: Readonly<Record<S, readonly N[]>>
  /** Names of the damage types, as in `defineCombat`. */
  readonly damageTypes: readonly string[]
  /** The kinds and layers of projectiles and areas; needed if an ability releases one. */
  readonly projectile?: Released
  readonly area?: Released
  /** By how much forces grow as health goes: × 1 at full health, × 1 + wear at none. */
  readonly wear?: number
  /**
   * What a shield that holds keeps off: every effect of a hit, as in fighting games, or `damage` alone, so that its bearer can
   * be stunned and pushed. Default: everything.
   */
  readonly shieldsStop?: 'everything' | 'damage'
  /** How many abilities can run at once in the whole world. Default: 256. */
  readonly capacity?: number
}

/** The kind and the layer of a thing that an ability releases. */
export type Released = { readonly kind: number; readonly layer: string }

export type Abilities<N extends string = string, S extends string = string> = {
  readonly list: readonly Ability[]
  readonly names: readonly N[]
  readonly number: { readonly [K in N]: number }
  readonly slotNames: readonly S[]
  readonly slot: { readonly [K in S]: number }
  /** By slot: numbers of abilities, in the order they are tried. */
  readonly slots: readonly (readonly number[])[]
  readonly projectile: Released | undefined
  readonly area: Released | undefined
  readonly wear: number
  readonly shieldsStop: 'everything' | 'damage'
  /** Columns of `things`, besides those of `defineCombat`. */
  readonly columns: AbilityColumns
  readonly casts: { readonly capacity: number; readonly columns: typeof CAST_COLUMNS }
  readonly globals: typeof ABILITY_GLOBALS
  readonly events: typeof ABILITY_EVENTS
}

export type AbilityColumns = typeof ABILITY_COLUMNS

/** Their length follows from the content: `readyAt` has a value per ability. */
export const ABILITY_COLUMNS = {
  /** Where a thing looks: a unit vector. */
  facingX: 'f64',
  facingY: 'f64',
  /** The cast that keeps the thing busy, or waits for the next press of a combo; 0 for none. */
  busyWith: 'id',
  /** How many casts of sub-abilities it has. */
  subCasts: 'u8',
  /** When each ability is ready again. */
  readyAt: wide('timer', 1),
  /** Until when it cannot act; has no control and no friction; stands still in hit stop. */
  stunnedUntil: 'timer',
  launchedUntil: 'timer',
  stillUntil: 'timer',
  /** Ticks of hit stop that the hits of this tick asked for. */
  stopFor: 'u8',
  /** What carries it, until when; and what it carries. */
  heldBy: 'id',
  heldUntil: 'timer',
  holds: 'id',
  shieldUntil: 'timer',
  buffFactor: wide('f64', STATS.length),
  buffUntil: wide('timer', STATS.length),
  /** A sub-ability that a hit asked for, its number + 1; it starts with the next tick. */
  queued: 'u8',
  queuedDepth: 'u8',
  /** Of projectiles and areas: the ability + 1, the place of the effect in it, its step, its depth, its hit set, its hits. */
  ability: 'u8',
  abilityEffect: 'u8',
  abilityStep: 'u8',
  abilityDepth: 'u8',
  swing: 'u32',
  strikes: 'u16',
  /** How much of its move of this tick a projectile has flown: less than 1 where a wall stopped it. */
  flown: 'f64',
} as const

/** A running ability. */
export const CAST_COLUMNS = {
  caster: 'id',
  ability: 'u8',
  /** The slot it came from; `NO_SLOT` when no press started it. */
  slot: 'u8',
  /** From 1. */
  step: 'u8',
  phase: 'u8',
  /** 0 for what a press started, one more for each sub-ability. */
  depth: 'u8',
  /** 1 when the press for the next step has come. */
  chained: 'u8',
  /** When the phase is over, and the time for a further press. */
  endsAt: 'timer',
  windowUntil: 'timer',
  /** Numbers the hit set of this step: never the same twice. */
  swing: 'u32',
  /** How many victims this step has hit. */
  strikes: 'u16',
  /** 1 when the boxes of this window were tested in the last tick; then where their caster was. */
  traced: 'u8',
  fromX: 'f64',
  fromY: 'f64',
  fromZ: 'f64',
  fromFacingX: 'f64',
  fromFacingY: 'f64',
  fromTeleports: 'u8',
} as const

const ABILITY_GLOBALS = { swings: 'u32' } as const

export const ABILITY_EVENTS = {
  /** A step of an ability began. */
  cast: { caster: 'id', ability: 'u8', step: 'u8' },
  /** A victim was hit. `source` is a projectile or area, or the attacker itself; `blocked` is 1 when a shield held. */
  strike: { attacker: 'id', victim: 'id', source: 'id', ability: 'u8', step: 'u8', blocked: 'u8' },
  /** A window closed, or a projectile or area ended, without a hit. */
  whiff: { caster: 'id', ability: 'u8', step: 'u8' },
  /** An ability was cut short by a hit. */
  interrupt: { caster: 'id', ability: 'u8' },
} as const

/** Sub-abilities start sub-abilities no deeper than this. */
export const DEEPEST = 4
export const NO_SLOT = 255

export function defineAbilities<const N extends string, const S extends string>(
  options: AbilityOptions<N, S>,
): Abilities<N, S> {
  const { source, damageTypes, wear = 0, shieldsStop = 'everything', capacity = 256 } = options
  const names = Object.keys(options.abilities) as N[]
  const slotNames = Object.keys(options.slots) as S[]
  requireInteger(names.length, `${source}: the number of abilities`, 1, 254)
  requireInteger(slotNames.length, `${source}: the number of slots`, 0, 254)
  if (shieldsStop !== 'everything' && shieldsStop !== 'damage') {
    throw unknownName(`shieldsStop in ${source}`, shieldsStop, ['everything', 'damage'])
  }
  if (!(wear >= 0 && wear <= 1000)) throw new HurtboxError('out-of-range', `${source}: wear must lie from 0 to 1000.`)
  const known: ContentNames = { source, abilities: names, slots: slotNames, damageTypes }
  const list = names.map((name, number) => compileAbility(options.abilities[name], name, number, known))
  for (const kind of ['projectile', 'area'] as const) {
    const ability = options[kind] === undefined && list.find(({ effects }) => effects.some((e) => e.kind === kind))
    if (!ability) continue
    throw fail({ source, ability: ability.name, field: '' }, `needs ${kind}: { kind, layer } beside the abilities.`)
  }
  const slots = slotNames.map((slot) =>
    options.slots[slot].map((name) => {
      if (!names.includes(name)) throw unknownName(`ability of slot "${slot}" in ${source}`, name, names)
      return names.indexOf(name)
    }),
  )
  return Object.freeze({
    list,
    names,
    number: numbered(names),
    slotNames,
    slot: numbered(slotNames),
    slots,
    projectile: options.projectile,
    area: options.area,
    wear,
    shieldsStop,
    columns: { ...ABILITY_COLUMNS, readyAt: wide('timer', names.length) },
    casts: { capacity, columns: CAST_COLUMNS },
    globals: ABILITY_GLOBALS,
    events: ABILITY_EVENTS,
  } as const)
}

function numbered<K extends string>(names: readonly K[]): { readonly [Name in K]: number } {
  return Object.freeze(Object.fromEntries(names.map((name, number) => [name, number]))) as never
}
