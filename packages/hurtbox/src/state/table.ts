/**
 * Tables: dense rows in creation order, one typed array per column.
 *
 * Rows are never reused in place and never swapped. Rows that leave are closed up at the end of the tick, keeping the
 * order of the rest, so "lowest row" always means "oldest", loops meet no holes, and a snapshot is a prefix of each
 * column. An id is the ordinal of creation, never used again; ids ascend with the rows, so a binary search finds a row
 * without any index that a rollback would have to restore.
 */

import { HurtboxError } from '../base/errors.ts'
import { fastObject } from '../base/fast.ts'
import type { AnyColumnArray, ColumnArray, ColumnSpec, ColumnSpecs } from './columns.ts'

/** The id of a row: its creation ordinal in its table, from 1. 0 is no row. */
export type Id = number

export type Column = {
  readonly name: string
  readonly spec: ColumnSpec
  readonly width: number
  /** The largest value it can be given when a row is added. */
  readonly largest: number
  readonly array: AnyColumnArray
}

/** What rows have in common, whether they are state (tables) or scratch (event lists). */
export type RowsBase = {
  readonly name: string
  readonly capacity: number
  readonly columns: readonly Column[]
  /** Where count, next id and refusals are kept: three words, in the block's header for tables. */
  readonly counters: Uint32Array
  readonly countersAt: number
  /** Rows in use. */
  readonly count: number
  /** How many rows were refused because the table was full. Part of the state, so that a replay reports the same. */
  readonly refused: number
}

export type Rows<S extends ColumnSpecs = ColumnSpecs> = RowsBase & { readonly [K in keyof S]: ColumnArray<S[K]> }

/** The columns that every table has. */
export type TableColumns = { readonly id: 'id'; readonly leaving: 'u8' }
export const TABLE_COLUMNS: TableColumns = { id: 'id', leaving: 'u8' }

export type Table<S extends ColumnSpecs = ColumnSpecs> = Rows<TableColumns> & Rows<S>
/** A table whose own columns are not known to the compiler. */
export type AnyTable = Rows<TableColumns>

const COUNT = 0
export const NEXT_ID = 1
const REFUSED = 2
export const COUNTERS = 3

/** Names that columns cannot have, because the table itself uses them. */
export const RESERVED_NAMES: readonly string[] = [
  'name',
  'capacity',
  'columns',
  'counters',
  'countersAt',
  'count',
  'refused',
]

export function createRows(
  name: string,
  columns: readonly Column[],
  capacity: number,
  counters: Uint32Array,
  countersAt: number,
): RowsBase {
  const fields: Record<string, unknown> = { name, capacity, columns, counters, countersAt }
  for (const column of columns) fields[column.name] = column.array
  return fastObject(rowAccessors, fields)
}

const rowAccessors = {
  get count(): number {
    return this.counters[this.countersAt + COUNT]
  },
  get refused(): number {
    return this.counters[this.countersAt + REFUSED]
  },
} as RowsBase

/**
 * Adds a row with every column 0 and returns it, or -1 when the table is full.
 *
 * The way to add rows in a hot loop: nothing is allocated, nothing is checked. In a table the row gets its id.
 *
 * @example
 * ```ts
 * import { addRow, createWorld, declareGame, defineGame, layerNumbers } from 'hurtbox'
 *
 * const arena = declareGame({ id: 'arena', tickRate: 60, layers: { slime: [] }, things: { hp: 'f64' } })
 * const world = createWorld(defineGame(arena, { phases: {} }))
 * const { things } = world.tables
 * const row = addRow(things)
 * things.layer[row] = layerNumbers(arena).slime
 * things.hp[row] = 20
 * console.log(things.count, things.hp[row]) // 1 20
 * ```
 */
export function addRow(rows: RowsBase): number {
  const { counters, countersAt, columns } = rows
  const row = counters[countersAt + COUNT]
  if (row === rows.capacity) {
    counters[countersAt + REFUSED]++
    return -1
  }
  counters[countersAt + COUNT] = row + 1
  for (let c = 0; c < columns.length; c++) {
    const { array, width } = columns[c]
    for (let i = row * width; i < (row + 1) * width; i++) array[i] = 0
  }
  // Ids start at 1; the counter holds how many were given out. Only tables have an id column, and it comes first.
  if (columns.length > 0 && columns[0].name === 'id') columns[0].array[row] = ++counters[countersAt + NEXT_ID]
  return row
}

/** The id that was given last; 0 before the first. */
export function lastId({ counters, countersAt }: RowsBase): Id {
  return counters[countersAt + NEXT_ID]
}

/** The row that `id` stands in now; throws when it has left. Use `findRow` where leaving is part of the game. */
export function rowOf(table: AnyTable, id: Id): number {
  const row = typeof id === 'number' ? findRow(table, id) : -1
  if (row >= 0) return row
  const given = table.counters[table.countersAt + NEXT_ID]
  const why = !Number.isInteger(id) || id < 1 || id > given ? `ids 1 to ${given} were given out` : 'it has left'
  throw new HurtboxError('stale-id', `${table.name} has no row with id ${String(id)}: ${why}.`, {
    table: table.name,
    id,
  })
}

/**
 * The row that `id` stands in now, or -1. Rows ascend by id and only ever move down, so the search starts low.
 *
 * @example
 * ```ts
 * import { createWorld, declareGame, defineGame, findRow, spawn } from 'hurtbox'
 *
 * const arena = declareGame({ id: 'arena', tickRate: 60, layers: { slime: [] }, things: { hp: 'f64' } })
 * const world = createWorld(defineGame(arena, { phases: {} }))
 * const { id } = spawn(world, 'slime', { hp: 20 })
 * const { things } = world.tables
 * console.log(things.hp[findRow(things, id)]) // 20
 * console.log(findRow(things, 99)) // -1
 * ```
 */
export function findRow(table: { readonly count: number; readonly id: ArrayLike<number> }, id: Id): number {
  const ids = table.id
  let low = 0
  let high = table.count - 1
  // A row is never above its id - 1: exact while nothing has left yet, which is the common case for seats and maps.
  if (id - 1 < high) high = id - 1
  if (high >= 0 && ids[high] === id) return high
  while (low <= high) {
    const middle = (low + high) >>> 1
    const found = ids[middle]
    if (found === id) return middle
    if (found < id) low = middle + 1
    else high = middle - 1
  }
  return -1
}

/** Removes all rows, for a table that is filled from outside: a copy of a world for display, not one that is stepped. */
export function emptyTable({ counters, countersAt }: AnyTable): void {
  counters[countersAt + COUNT] = 0
  counters[countersAt + NEXT_ID] = 0
}

/** The first row marked as leaving, or -1. */
export function firstLeaving({ leaving, counters, countersAt }: AnyTable): number {
  const count = counters[countersAt + COUNT]
  for (let row = 0; row < count; row++) if (leaving[row] !== 0) return row
  return -1
}

/** Scratch: start and end of each run of rows that stay. */
const runs: number[] = []

/** Closes up the rows marked as leaving, of which `first` is the first, keeping the order of the rest. */
export function removeLeaving({ leaving, columns, counters, countersAt, count }: AnyTable, first: number): void {
  let ends = 0
  let kept = first
  for (let row = first; row < count; ) {
    while (row < count && leaving[row] !== 0) row++
    runs[ends++] = row
    while (row < count && leaving[row] === 0) row++
    runs[ends++] = row
  }
  // Column by column, because memory is read fastest in a row. Short runs by a loop: a call costs as much as some rows.
  for (let c = 0; c < columns.length; c++) {
    const { array, width } = columns[c]
    if (array === leaving) continue
    let to = first * width
    for (let i = 0; i < ends; i += 2) {
      const start = runs[i] * width
      const end = runs[i + 1] * width
      if (end - start < 8) for (let from = start; from < end; ) array[to++] = array[from++]
      else {
        array.copyWithin(to, start, end)
        to += end - start
      }
    }
    kept = to / width
  }
  leaving.fill(0, first, count)
  counters[countersAt + COUNT] = kept
}
