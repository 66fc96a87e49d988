/** What the abilities need of a world or of a rule's view. Every game that spreads the pieces of `defineAbilities` has it. */

import type { Cells, ReadCells } from '../columns.ts'
import type { CombatColumns } from '../combat/combat.ts'
import type { AnyTable, RowsBase } from '../table.ts'
import type { ABILITY_EVENTS, AbilityColumns, CAST_COLUMNS } from './abilities.ts'

type ThingColumn =
  | 'id'
  | 'leaving'
  | 'kind'
  | 'layer'
  | 'team'
  | 'owner'
  | 'teleports'
  | 'x'
  | 'y'
  | 'vx'
  | 'vy'
  | 'radius'
  | keyof CombatColumns
  | keyof AbilityColumns

/** In the plane there is no height; on a map without ground nobody is off it. */
type SpaceColumn = 'z' | 'vz' | 'grounded' | 'halfLength'

type Things<C> = RowsBase & { readonly [K in ThingColumn]: C } & { readonly [K in SpaceColumn]?: C }
type Casts<C> = RowsBase & { readonly [K in keyof typeof CAST_COLUMNS | 'id' | 'leaving']: C }
type Events = {
  readonly [E in keyof typeof ABILITY_EVENTS]: RowsBase & { readonly [K in keyof (typeof ABILITY_EVENTS)[E]]: Cells }
}

/** As a rule sees it: to be read only. */
export type AbilityView = {
  readonly clock: number
  readonly tables: { readonly things: Things<ReadCells>; readonly casts: Casts<ReadCells> }
  readonly events: Events
}

/** As a phase sees it. */
export type AbilityWorld = {
  readonly clock: number
  readonly game: { readonly declaration: { readonly tickRate: number } }
  readonly tables: {
    readonly things: Things<Cells> & AnyTable
    readonly casts: Casts<Cells> & AnyTable
    readonly hits: AnyTable & { readonly attack: Cells; readonly byThing: Cells }
  }
  readonly globals: { swings: number }
  readonly events: Events
}
