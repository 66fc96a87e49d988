/**
 * Status effects as data: poison, burn, regeneration, slow, haste, stun.
 *
 * One that runs is a row of the table `status`, so any number of them can run on one thing, each with who is credited for it. A thing
 * counts its own: whoever asks a thing without any gets the answer without a search.
 */

import { HurtboxError, requireInteger, unknownName } from '../../base/errors.ts'
import type { WideColumn } from '../../state/columns.ts'
import { wide } from '../../world/handles/wide.ts'

/** What happens when a thing gets an effect that it has already. */
export type Stacking =
  /** The new one takes the place of the old, and never ends earlier. */
  | 'refresh'
  /** The strengths add up, to at most `most`; the time starts again. */
  | 'add'
  /** Of all that run, the strongest counts; a weaker one that lasts longer counts after it. */
  | 'strongest'
  /** Each runs by itself. */
  | 'independent'

export type StatusSpec<T extends string = string> = {
  /** How long it runs. */
  readonly ticks: number
  /** Health lost each time, of which damage type, or gained; every so many ticks. */
  readonly damage?: number
  readonly type?: T
  readonly heal?: number
  readonly every?: number
  /** What is left of a thing's speed, be that per tick or per second: 0.5 for a slow, 1.5 for haste. */
  readonly speed?: number
  /** Whether it takes away control. */
  readonly stuns?: boolean
  /** Default: `refresh`. */
  readonly stacking?: Stacking
  /** The highest strength that `add` reaches, a factor of what happens every so many ticks and of the speed. Default: no limit. */
  readonly most?: number
}

export type StatusOptions<T extends string> = {
  /** Names of the damage types, as in `defineCombat`. */
  readonly damageTypes?: readonly T[]
  /** How many effects can run at once in the whole world. Default: 256. */
  readonly capacity?: number
}

/** A status effect, checked, with every field. */
export type StatusKind = {
  readonly ticks: number
  readonly damage: number
  readonly type: number
  readonly heal: number
  /** 0: it does nothing at intervals. */
  readonly every: number
  readonly speed: number
  readonly stuns: boolean
  readonly stacking: Stacking
  readonly most: number
}

const STATUS_ROW = {
  thing: 'id',
  /** The place of the effect in the list of its names. */
  kind: 'u8',
  /** What gave it, and who is credited: kept, because a bullet is gone long before its poison kills. */
  by: 'id',
  attacker: 'id',
  strength: 'f64',
  /** The first tick in which it no longer runs. */
  endsAt: 'timer',
  nextAt: 'timer',
} as const

const STATUS_EVENTS = {
  /** A thing has an effect that it had not, or has it no longer. `effect` is its place in `names`. */
  statusBegan: { thing: 'id', effect: 'u8', by: 'id' },
  statusEnded: { thing: 'id', effect: 'u8' },
  healed: { thing: 'id', by: 'id', amount: 'f64' },
} as const

export type Status<N extends string = string> = {
  readonly names: readonly N[]
  readonly kinds: readonly StatusKind[]
  /** Columns of `things`. */
  readonly columns: { readonly statusCount: 'u16'; readonly immuneUntil: WideColumn<'timer'> }
  readonly tables: { readonly status: { readonly capacity: number; readonly columns: typeof STATUS_ROW } }
  readonly events: typeof STATUS_EVENTS
}

const STACKINGS: readonly Stacking[] = ['refresh', 'add', 'strongest', 'independent']

/** Checks a game's status effects, and returns the pieces that its declaration spreads into its own. */
export function defineStatus<const N extends string, const T extends string = string>(
  effects: { readonly [K in N]: StatusSpec<NoInfer<T>> },
  options: StatusOptions<T> = {},
): Status<N> {
  const { damageTypes = [], capacity = 256 } = options
  const names = Object.keys(effects) as N[]
  requireInteger(names.length, 'the number of status effects', 1, 255)
  requireInteger(capacity, 'capacity', 1, 65535)
  return Object.freeze({
    names,
    kinds: names.map((name) => readKind(name, effects[name], damageTypes)),
    columns: { statusCount: 'u16', immuneUntil: wide('timer', names.length) },
    tables: { status: { capacity, columns: STATUS_ROW } },
    events: STATUS_EVENTS,
  } as const)
}

function readKind(name: string, spec: StatusSpec, damageTypes: readonly string[]): StatusKind {
  const { ticks, damage = 0, type, heal = 0, every = 0, speed = 1, stuns = false, stacking = 'refresh' } = spec
  const { most = Number.POSITIVE_INFINITY } = spec
  requireInteger(ticks, `ticks of ${name}`, 1, 0xffffff)
  const acts = damage !== 0 || heal !== 0
  requireInteger(every, `every of ${name}`, acts ? 1 : 0, 0xffffff)
  for (const [field, value] of Object.entries({ damage, heal, speed, most })) {
    if (value >= 0 && (value < Number.POSITIVE_INFINITY || field === 'most')) continue
    throw new HurtboxError('out-of-range', `${field} of ${name} must be a number from 0 on, got ${value}.`)
  }
  if (!STACKINGS.includes(stacking)) throw unknownName(`stacking of ${name}`, stacking, STACKINGS)
  if (type !== undefined && !damageTypes.includes(type)) throw unknownName(`type of ${name}`, type, damageTypes)
  return {
    ticks,
    damage,
    type: type === undefined ? 0 : damageTypes.indexOf(type),
    heal,
    every: acts ? every : 0,
    speed,
    stuns,
    stacking,
    most,
  }
}

/** The place of an effect in the list; an unknown name is an error that lists the known ones. */
export function kindOf({ names }: Status, name: string): number {
  const kind = names.indexOf(name)
  if (kind < 0) throw unknownName('status effect', name, names)
  return kind
}
