/** What the abilities need of a world and of a thing. Every game that spreads the pieces of `defineAbilities` has it. */

import type { Cells } from '../../state/columns.ts'
import type { AnyTable, RowsBase } from '../../state/table.ts'
import { handleOf } from '../../world/handles/pool.ts'
import { requireHandle, worldOf } from '../../world/handles/require.ts'
import { thing } from '../../world/handles/things.ts'
import type { ThingOn } from '../../world/handles/types.ts'
import type { AnyWorld } from '../../world/world.ts'
import type { CombatColumns } from '../combat/combat.ts'
import type { ABILITY_EVENTS, AbilityColumns, CAST_COLUMNS } from './abilities.ts'

type Wides = 'armour' | 'readyAt' | 'buffFactor' | 'buffUntil'
type Singles =
  | 'kind'
  | 'team'
  | 'owner'
  | 'teleports'
  | 'x'
  | 'y'
  | 'vx'
  | 'vy'
  | 'radius'
  | Exclude<keyof CombatColumns | keyof AbilityColumns, Wides>

/**
 * What only some games have: heights, ground to stand on, and what their content asks for (`perLevel`, `aim` of an area,
 * `slow`).
 */
type Optional = 'z' | 'vz' | 'grounded' | 'level' | 'aimX' | 'aimY' | 'slowedUntil' | 'slowFactor'

/** A fighter, or a projectile or area that an ability released. */
export type AbilityThing = ThingOn<string, Singles, Wides> & { -readonly [K in Optional]?: number }

/** A running ability: a row of the table `casts`. */
export type Cast = { readonly id: number; readonly leaving: number } & {
  -readonly [K in keyof typeof CAST_COLUMNS]: number
}

type Things = AnyTable & { readonly [K in Singles | Wides | 'layer']: Cells } & { readonly [K in Optional]?: Cells }
type Casts = AnyTable & { readonly [K in keyof typeof CAST_COLUMNS]: Cells }
type Events = {
  readonly [E in keyof typeof ABILITY_EVENTS]: RowsBase & { readonly [K in keyof (typeof ABILITY_EVENTS)[E]]: Cells }
}

export type AbilityWorld = {
  readonly clock: number
  readonly game: { readonly declaration: { readonly tickRate: number } }
  readonly tables: {
    readonly things: Things
    readonly casts: Casts
    readonly hits: AnyTable & { readonly attack: Cells; readonly byThing: Cells }
  }
  readonly globals: { swings: number }
  readonly events: Events
  readonly memory: AnyWorld['memory']
}

type HasId = { readonly id: number }

export function worldOfThing(thing: HasId): AbilityWorld {
  return worldOf(thing) as unknown as AbilityWorld
}

/** The row of a thing; refuses what is not a thing. */
export function rowOfThing(thing: HasId): number {
  return requireHandle(thing).$row
}

/** The thing in a row of `things`, for the phase or the rule that runs now. */
export function thingAt({ memory }: AbilityWorld, row: number): AbilityThing {
  return handleOf(memory.block.pools[0], row)
}

/** The thing with this id; `undefined` when it has left, or for 0. */
export function thingWithId(world: AbilityWorld, id: number): AbilityThing | undefined {
  return thing(world as unknown as AnyWorld, id)
}

/** The running ability in a row of `casts`: in a rule, what is written to it is part of the rule's transaction. */
export function castAt({ memory: { block, layout } }: AbilityWorld, row: number): Cast {
  return handleOf(block.pools[layout.tableNames.indexOf('casts')], row)
}
