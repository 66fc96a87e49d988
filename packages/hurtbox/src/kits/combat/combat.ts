/**
 * A game's combat: which columns, events and tables its hits work with.
 *
 * `defineCombat` returns plain pieces that a declaration spreads into its own (`...combat.columns`), so nothing is hidden:
 * they show up in layout, hash, inspector and wire like any other column. What the pieces mean is in the functions beside
 * this file: `hurt`, `protect`, `shield`, `knockback`, `pierce`.
 */

import { HurtboxError, requireInteger } from '../../base/errors.ts'
import type { WideColumn } from '../../state/columns.ts'
import { wide } from '../../world/handles/wide.ts'

export type Combat<T extends string = string> = {
  /** Damage types by name; the number is what events and `armour` use. */
  readonly type: { readonly [K in T]: number }
  readonly typeNames: readonly T[]
  /** Columns of `things`. */
  readonly columns: CombatColumns
  readonly events: typeof COMBAT_EVENTS
  /** The ring of recent damage, part of the state: see `recordDamage`. */
  readonly arrays: RecentArrays
  readonly globals: typeof RECENT_GLOBALS
}

export type CombatColumns = {
  readonly hp: 'f64'
  readonly maxHp: 'f64'
  /** Absorbs damage before health does. */
  readonly shield: 'f64'
  /** Part of the damage that is blocked, 0 to 1, one value per damage type. */
  readonly armour: WideColumn<'f64'>
  /** First tick of the clock at which the thing can be hit again. 0: always. */
  readonly invulnerableUntil: 'timer'
  /** Part of a knockback that the thing resists: 0 none, 1 all. */
  readonly knockbackResistance: 'f64'
  /** 1 / mass; 0 for what no impulse moves. */
  readonly invMass: 'f64'
  /** The tick of the clock at which the thing ends by itself. 0: never. */
  readonly endsAt: 'timer'
  /** How many more victims a projectile passes through. */
  readonly pierceLeft: 'u8'
}

const COMBAT_EVENTS = {
  /** A thing was hurt: what was asked for, what armour and shield blocked, what health lost. */
  damage: {
    victim: 'id',
    /** The attacker: a shooter, a biter; 0 if there is none. */
    attacker: 'id',
    /** What did it: a bullet, a flame; the attacker itself where there is nothing between. */
    source: 'id',
    type: 'u8',
    asked: 'f64',
    absorbed: 'f64',
    taken: 'f64',
    hpAfter: 'f64',
  },
  /** Health reached 0. Once per death. */
  kill: { victim: 'id', attacker: 'id', source: 'id', type: 'u8' },
} as const

type RecentArrays = {
  readonly recentTick: { readonly type: 'u32'; readonly length: number }
  readonly recentVictim: { readonly type: 'u32'; readonly length: number }
  readonly recentSource: { readonly type: 'u32'; readonly length: number }
  readonly recentType: { readonly type: 'u8'; readonly length: number }
  readonly recentTaken: { readonly type: 'f64'; readonly length: number }
}

/** How many hurts there were in all; the newest stands at (count − 1) modulo the length of the ring. */
const RECENT_GLOBALS = { recentCount: 'u32' } as const

export function defineCombat<const T extends string>(options: {
  readonly damageTypes: readonly [T, ...T[]]
  /** How many of the latest hurts the state remembers. */
  readonly recent?: number
}): Combat<T> {
  const { damageTypes, recent = 32 } = options
  requireInteger(recent, 'recent', 1, 4096)
  requireInteger(damageTypes.length, 'the number of damage types', 1, 64)
  if (new Set(damageTypes).size < damageTypes.length) {
    throw new HurtboxError('bad-declaration', `a damage type is named twice in ${damageTypes.join(', ')}.`)
  }
  return Object.freeze({
    type: Object.freeze(Object.fromEntries(damageTypes.map((name, number) => [name, number]))) as Combat<T>['type'],
    typeNames: damageTypes,
    columns: {
      hp: 'f64',
      maxHp: 'f64',
      shield: 'f64',
      armour: wide('f64', damageTypes.length),
      invulnerableUntil: 'timer',
      knockbackResistance: 'f64',
      invMass: 'f64',
      endsAt: 'timer',
      pierceLeft: 'u8',
    },
    events: COMBAT_EVENTS,
    arrays: {
      recentTick: { type: 'u32', length: recent },
      recentVictim: { type: 'u32', length: recent },
      recentSource: { type: 'u32', length: recent },
      recentType: { type: 'u8', length: recent },
      recentTaken: { type: 'f64', length: recent },
    },
    globals: RECENT_GLOBALS,
  } as const)
}
