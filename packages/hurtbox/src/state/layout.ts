/**
 * The layout of the memory block: where each column, array and counter stands.
 *
 * It follows from the declaration alone, so that every world of a game, on every machine, has the same one.
 */

import { STREAM_WORDS } from '../geometry/math/random.ts'
import { bytesPerRow, type ColumnSpec, type ColumnSpecs } from './columns.ts'
import { COUNTERS } from './table.ts'

// Words of the header. The random streams come last, then the counters of the tables.
export const TICK = 0
export const CLOCK = 1
export const PAUSED = 2
export const SEED_LOW = 3
export const SEED_HIGH = 4
export const ENTROPY = 5
export const STREAMS = 6

/** The names of the words before the streams, in order. */
export const HEADER_NAMES: readonly string[] = ['tick', 'clock', 'paused', 'seedLow', 'seedHigh', 'entropy']

/** The table number of regions that belong to none: arrays, globals, tuning. */
export const NO_TABLE = -1

/** A stretch of the block: one column of a table, or one array. Starts at a multiple of 8 bytes. */
export type Region = {
  /** Number of the table it belongs to, in the order of `tableNames`. */
  readonly table: number
  readonly column: string
  readonly spec: ColumnSpec
  readonly byteOffset: number
  readonly bytesPerRow: number
  readonly capacity: number
}

export type TableSpec = {
  /** The most rows there can be. Part of the game: it changes outcomes when full. */
  readonly capacity: number
  readonly columns: ColumnSpecs
}

export type ArraySpec = { readonly type: 'f64' | 'u32' | 'u16' | 'u8'; readonly length: number }

/** What a declaration adds to the block besides its tables. */
type StateSpec = {
  readonly streams?: readonly string[]
  readonly arrays?: Readonly<Record<string, ArraySpec>>
  readonly globals?: ColumnSpecs
  readonly tuning?: object
}

export type Layout = {
  readonly tableNames: readonly string[]
  readonly capacities: readonly number[]
  readonly headerWords: number
  /** The header word where the counters of the first table stand; each table has three. */
  readonly countersAt: number
  /** In the order of the block; the regions of one table stand together. */
  readonly regions: readonly Region[]
  readonly byteLength: number
}

export function layoutBlock(declaration: StateSpec, tables: Readonly<Record<string, TableSpec>>): Layout {
  const tableNames = Object.keys(tables)
  const countersAt = STREAMS + (declaration.streams ?? []).length * STREAM_WORDS
  const headerWords = countersAt + tableNames.length * COUNTERS
  const regions: Region[] = []
  let byteOffset = alignTo8(headerWords * 4)
  const add = (table: number, column: string, spec: ColumnSpec, capacity: number) => {
    regions.push({ table, column, spec, byteOffset, bytesPerRow: bytesPerRow(spec), capacity })
    // One row more than a table holds: the spare row, for handles of things that do not exist. It is never state.
    const rows = table === NO_TABLE ? capacity : capacity + 1
    byteOffset = alignTo8(byteOffset + bytesPerRow(spec) * rows)
  }
  tableNames.forEach((name, table) => {
    for (const [column, spec] of Object.entries(tables[name].columns)) add(table, column, spec, tables[name].capacity)
  })
  for (const [name, spec] of Object.entries(declaration.arrays ?? {})) add(NO_TABLE, name, spec.type, spec.length)
  for (const [name, spec] of Object.entries(declaration.globals ?? {})) add(NO_TABLE, `globals.${name}`, spec, 1)
  const tuned = Object.keys(declaration.tuning ?? {}).length
  if (tuned > 0) add(NO_TABLE, 'tuning', 'f64', tuned)
  return {
    tableNames,
    capacities: tableNames.map((name) => tables[name].capacity),
    headerWords,
    countersAt,
    regions,
    byteLength: byteOffset,
  }
}

/** How many rows of a region are alive, by the counters in `header`: the table's count, or all of an array. */
export function liveRows(layout: Layout, header: Uint32Array, region: Region): number {
  return region.table === NO_TABLE ? region.capacity : header[layout.countersAt + region.table * COUNTERS]
}

/** The name people know a region by: `things.x`, `fog`, `globals.wave`. */
export function regionName(layout: Layout, region: Region): string {
  return region.table === NO_TABLE ? region.column : `${layout.tableNames[region.table]}.${region.column}`
}

export function alignTo8(bytes: number): number {
  return Math.ceil(bytes / 8) * 8
}
