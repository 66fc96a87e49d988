/**
 * Hit zones: a thing of several boxes, each with damage, armour and effects of its own, and parts that break.
 *
 * The box that was met says which zone it is: zones are posed in the order of their definition, so their numbers are those of the boxes.
 * A part that breaks off stays among the boxes, or the numbers of the others would change in the middle of a tick; a gate refuses it.
 */

import { HurtboxError, requireInteger, unknownName } from '../../base/errors.ts'
import type { Shape } from '../../geometry/shapes/shape.ts'
import type { Volume } from '../../geometry/volumes/volume.ts'
import type { WideColumn } from '../../state/columns.ts'
import type { Wide } from '../../world/handles/types.ts'
import { wide } from '../../world/handles/wide.ts'
import type { Status } from '../status/define.ts'

/** What a hit on a zone means. */
export type ZoneMeaning<T extends string = string, S extends string = string> = {
  /** Damage is multiplied by it. Default: 1. */
  readonly damage?: number
  /** By damage type the part that the zone blocks, before the armour of the thing. Default: none. */
  readonly armour?: { readonly [K in T]?: number }
  /** A status effect for the victim. */
  readonly inflicts?: S
}

export type ZoneSpec<T extends string = string, S extends string = string> = ZoneMeaning<T, S> & {
  /** In the frame of the thing: a shape of the plane, or a volume in space. */
  readonly shape: Shape | Volume
  /** It breaks when so much damage was aimed at it, whatever it blocked. Default: never. */
  readonly breaksAt?: number
  /** What a hit means then; `gone` for a part that is no longer there. Default: as before. */
  readonly broken?: ZoneMeaning<T, S> | 'gone'
}

export type ZoneOptions<T extends string, S extends string> = {
  /** Names of the damage types, as in `defineCombat`. */
  readonly damageTypes?: readonly T[]
  /** The game's status effects, where zones inflict them. */
  readonly status?: Status<S>
}

type Meaning = { readonly damage: number; readonly armour: readonly number[]; readonly inflicts: string }

/** A zone, checked. */
export type Zone = {
  /** Whole and broken, under their names. */
  readonly shape: Shape | Volume
  readonly brokenShape: Shape | Volume
  /** 0: it does not break. */
  readonly breaksAt: number
  readonly whole: Meaning
  readonly broken: Meaning
  readonly isGone: boolean
}

/** A thing of zones: it has their column. */
export type Zoned = { readonly id: number; readonly zoneDamage: Wide }

const ZONE_EVENTS = {
  /** A zone broke: its place in `names`. */
  zoneBroken: { thing: 'id', zone: 'u8', by: 'id' },
} as const

export type Zones<N extends string = string, S extends string = string> = {
  readonly names: readonly N[]
  readonly list: readonly Zone[]
  readonly status: Status<S> | undefined
  /** Columns of `things`: the damage that was aimed at each zone, until it breaks. */
  readonly columns: { readonly zoneDamage: WideColumn<'f64'> }
  readonly events: typeof ZONE_EVENTS
  /** A gate for rules about things of zones: refuses boxes of parts that are gone. The thing of zones is the second. */
  readonly gate: {
    readonly name: string
    refuses(first: object, second: Zoned, hit: { readonly secondBox: number }): boolean
  }
}

/** Checks the zones of a sort of things, and returns the pieces that a declaration spreads into its own. */
export function defineZones<const N extends string, const T extends string = string, const S extends string = string>(
  specs: { readonly [K in N]: ZoneSpec<NoInfer<T>, NoInfer<S>> },
  options: ZoneOptions<T, S> = {},
): Zones<N, S> {
  const { damageTypes = [], status } = options
  const names = Object.keys(specs) as N[]
  requireInteger(names.length, 'the number of zones', 1, 64)
  const statusNames: readonly string[] = status?.names ?? []
  const list = names.map((name) => readZone(name, specs[name], damageTypes, statusNames))
  return Object.freeze({
    names,
    list,
    status,
    columns: { zoneDamage: wide('f64', names.length) },
    events: ZONE_EVENTS,
    gate: {
      name: 'part is gone',
      refuses: (_first: object, second: Zoned, { secondBox }: { readonly secondBox: number }) =>
        list[secondBox]?.isGone === true && second.zoneDamage.get(secondBox) >= list[secondBox].breaksAt,
    },
  })
}

function readZone(name: string, spec: ZoneSpec, types: readonly string[], effects: readonly string[]): Zone {
  const { shape, breaksAt = 0, broken = spec } = spec
  if (!(breaksAt >= 0 && breaksAt < Number.POSITIVE_INFINITY)) {
    throw new HurtboxError('out-of-range', `breaksAt of ${name} must be a number from 0 on, got ${breaksAt}.`)
  }
  if (spec.broken !== undefined && breaksAt === 0) {
    throw new HurtboxError('bad-argument', `zone ${name} says what it is when broken, and needs breaksAt to break.`)
  }
  const isGone = broken === 'gone'
  return {
    shape: { ...shape, label: name },
    brokenShape: { ...shape, label: `${name}, ${isGone ? 'gone' : 'broken'}` },
    breaksAt,
    whole: readMeaning(name, spec, types, effects),
    broken: readMeaning(name, isGone ? {} : broken, types, effects),
    isGone,
  }
}

function readMeaning(
  name: string,
  meaning: ZoneMeaning,
  types: readonly string[],
  effects: readonly string[],
): Meaning {
  const { damage = 1, armour = {}, inflicts = '' } = meaning
  if (!(damage >= 0 && damage < Number.POSITIVE_INFINITY)) {
    throw new HurtboxError('out-of-range', `damage of ${name} must be a factor from 0 on, got ${damage}.`)
  }
  const unknown = Object.keys(armour).find((type) => !types.includes(type))
  if (unknown !== undefined) throw unknownName(`armour of ${name}`, unknown, types)
  if (inflicts !== '' && !effects.includes(inflicts)) throw unknownName(`inflicts of ${name}`, inflicts, effects)
  const parts = types.map((type) => armour[type] ?? 0)
  const wrong = parts.find((part) => !(part <= 1 && part > Number.NEGATIVE_INFINITY))
  if (wrong !== undefined) {
    throw new HurtboxError('out-of-range', `armour of ${name} is the part that it blocks, at most 1, got ${wrong}.`)
  }
  return { damage, armour: parts, inflicts }
}
