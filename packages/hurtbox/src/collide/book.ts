/**
 * The book of a `collide` phase: pending values and the changes still to be made.
 *
 * A hit is a transaction. While a rule speaks, its changes are written down behind a mark; `admit` makes them count,
 * `refuse` tears the page out. Columns that hits take from get a copy at the start of the phase and admitted changes go
 * into that copy at once, so that the next contact sees them; the world itself is written in `commitBook` and nowhere
 * else. If a rule throws, the book is opened anew and the world is as it was.
 */

import type { AnyColumnArray } from '../columns.ts'
import { columnType, largestValue } from '../columns.ts'
import { HurtboxError, unknownName } from '../errors.ts'
import { growColumns } from '../grow.ts'
import { NO_TABLE, regionName } from '../layout.ts'
import { type AnyTable, addChecked, checkValues, createRows, type RowsBase } from '../table.ts'
import type { AnyWorld } from '../world.ts'
import { admitEntry, commitLedger, createLedger, type Ledger, noteEntry, openLedger } from './ledger.ts'
import { type Contact, createContact, type Outcome } from './rule.ts'
import { createPlaces, type SortedPlaces, sortPlaces } from './stable-sort.ts'
import { clearTriples, createTriples, type Triples } from './triples.ts'

const ADD = 0
export const PUT = 1
const NO_TAKE = -1
/** A time on the clock that no match reaches. */
export const FOREVER = 0xffffffff

export type Book = {
  /** The tables as rules see them: columns that are taken from are the pending copies. */
  readonly viewTables: Readonly<Record<string, RowsBase>>
  readonly outcome: Outcome
  readonly changes: Changes
  readonly spawns: { table: AnyTable; values: Readonly<Record<string, unknown>> }[]
  readonly takes: readonly Take[]
  /** By column of the block: its take, or NO_TAKE; and the largest value it holds. */
  readonly takeOfColumn: Int16Array
  readonly largest: Float64Array
  readonly ledger: Ledger | undefined
  /**
   * What has hit in this phase, (rule, attack, victim): several boxes of one attack are one hit. They need not come one
   * after another, since other rules of a group, the other side of a mutual rule or an order key may stand between them.
   */
  readonly hits: Triples
  /** The contact being decided. One object, reused. */
  readonly contact: Contact
  /** How many events of each kind there were when the phase opened, and when the rule began to speak. */
  readonly eventsAtOpen: Uint32Array
  readonly eventsAtBegin: Uint32Array
}

/** A column with pending values. */
type Take = { readonly column: number; readonly pending: AnyColumnArray }

/** Changes in the order they were emitted, as parallel arrays. Those from `mark` on are not admitted yet. */
type Changes = SortedPlaces & {
  count: number
  mark: number
  spawnMark: number
  priorityNow: number
  readonly priorities: readonly string[]
  kind: Uint8Array
  /** Region of the block. */
  column: Uint16Array
  /** Place in the column: row × width + part. */
  index: Uint32Array
  value: Float64Array
  priority: Uint8Array
}

/** Opens the book for a phase: pending columns are the world's, nothing is written down. */
export function openBook(world: AnyWorld, book: Book): void {
  const { layout, columns, tables } = world.memory
  for (const { column, pending } of book.takes) {
    const { table } = layout.regions[column]
    const { array, width } = columns[column]
    const length = table === NO_TABLE ? array.length : tables[table].count * width
    // Copying all there is room for is one call that allocates nothing, and twenty times as fast a value as a loop.
    if (length > array.length / 16) pending.set(array)
    else for (let i = 0; i < length; i++) pending[i] = array[i]
  }
  clearTriples(book.hits)
  if (book.ledger !== undefined) openLedger(book.ledger)
  emptyBook(book)
}

/** Begins a transaction. */
export function begin(book: Book): void {
  const { changes } = book
  changes.mark = changes.count
  changes.spawnMark = book.spawns.length
  changes.priorityNow = 0
}

/** Makes what was written since `begin` count: pending columns show it from now on. */
export function admit(book: Book): void {
  const { changes, takes, takeOfColumn, ledger } = book
  if (ledger !== undefined) admitEntry(ledger)
  for (let i = changes.mark; i < changes.count; i++) {
    const take = takeOfColumn[changes.column[i]]
    if (take !== NO_TAKE) change(book, i, takes[take].pending)
  }
}

/** Forgets what was written since `begin`. */
export function refuse(book: Book): void {
  const { changes } = book
  changes.count = changes.mark
  book.spawns.length = changes.spawnMark
}

/** Writes everything admitted into the world: values, ledger, then spawns. The only place of `collide` that writes. */
export function commitBook(world: AnyWorld, book: Book): void {
  const { changes, takes, takeOfColumn, ledger, spawns } = book
  const { columns } = world.memory
  const byPriority = changes.priorities.length > 0 ? sortByPriority(changes) : undefined
  for (let n = 0; n < changes.count; n++) {
    const i = byPriority === undefined ? n : byPriority[n]
    const take = takeOfColumn[changes.column[i]]
    const { array } = columns[changes.column[i]]
    // What the rules saw of a column that is taken from is what stands, whatever the priorities say.
    if (take === NO_TAKE) change(book, i, array)
    else array[changes.index[i]] = takes[take].pending[changes.index[i]]
  }
  if (ledger !== undefined) commitLedger(ledger)
  for (let i = 0; i < spawns.length; i++) addChecked(spawns[i].table, spawns[i].values)
  emptyBook(book)
}

export function createBook(world: AnyWorld, takes: readonly string[], priorities: readonly string[]): Book {
  const { layout, columns } = world.memory
  const names = layout.regions.map((region) => regionName(layout, region))
  // A thing that is to leave takes part in no further contact, so that column is always pending.
  const taken = [...new Set(['things.leaving', ...takes])].map((name): Take => {
    const column = names.indexOf(name)
    if (column < 0) throw unknownName('column to take from', name, names)
    return { column, pending: columns[column].array.slice() }
  })
  const takeOfColumn = new Int16Array(columns.length).fill(NO_TAKE)
  for (let i = 0; i < taken.length; i++) takeOfColumn[taken[i].column] = i
  const marks = 2 * world.memory.events.length
  const book: Omit<Book, 'outcome'> = {
    viewTables: viewTables(world, taken, takeOfColumn),
    changes: {
      count: 0,
      mark: 0,
      spawnMark: 0,
      priorityNow: 0,
      priorities,
      kind: new Uint8Array(256),
      column: new Uint16Array(256),
      index: new Uint32Array(256),
      value: new Float64Array(256),
      priority: new Uint8Array(256),
      ...createPlaces(256),
    },
    spawns: [],
    takes: taken,
    takeOfColumn,
    largest: Float64Array.from(columns, ({ spec }) => largestValue(columnType(spec))),
    ledger: createLedger(world),
    hits: createTriples(),
    contact: createContact(),
    eventsAtOpen: new Uint32Array(marks),
    eventsAtBegin: new Uint32Array(marks),
  }
  return { ...book, outcome: createOutcome(world, book as Book, names) }
}

/** What a rule speaks to. Every word is checked here, so that nothing can go wrong when the book is committed. */
function createOutcome(world: AnyWorld, book: Book, names: readonly string[]): Outcome {
  const { columns, tables } = world.memory
  const { changes, takes, takeOfColumn, spawns } = book
  const columnOfArray = new Map<unknown, number>()
  for (let i = 0; i < columns.length; i++) columnOfArray.set(columns[i].array, i)
  for (const take of takes) columnOfArray.set(take.pending, take.column)
  const [xColumn, yColumn, leavingColumn] = ['x', 'y', 'leaving'].map((name) => names.indexOf(`things.${name}`))

  const resolve = (array: unknown): number => {
    const column = columnOfArray.get(array)
    if (column !== undefined) return column
    throw new HurtboxError('bad-argument', 'an outcome changes columns of its view; got something else.')
  }
  // Small, so that it is inlined: a double that passes through a real call is put on the heap.
  const note = (kind: number, column: number, index: number, value: number): void => {
    if (!(index >= 0 && index < columns[column].array.length) || value - value !== 0)
      throw badChange(names[column], index)
    if (changes.count === changes.kind.length) growChanges(changes)
    const at = changes.count++
    changes.kind[at] = kind
    changes.column[at] = column
    changes.index[at] = index
    changes.value[at] = value
    changes.priority[at] = changes.priorityNow
  }
  return {
    add: (column, index, amount) => note(ADD, resolve(column), index, amount),
    put: (column, index, value) => note(PUT, resolve(column), index, value),
    push: (thing, dx, dy) => {
      note(ADD, xColumn, thing, dx)
      note(ADD, yColumn, thing, dy)
    },
    now: (array, index) => {
      const column = resolve(array)
      const take = takeOfColumn[column]
      if (take === NO_TAKE) {
        throw new HurtboxError(
          'bad-declaration',
          `a rule asks what is left of ${names[column]}: list it in collide(rules, { takes: { … } }).`,
        )
      }
      let value = takes[take].pending[index]
      for (let i = changes.mark; i < changes.count; i++) {
        if (changes.column[i] !== column || changes.index[i] !== index) continue
        const said = changes.kind[i] === ADD ? value + changes.value[i] : changes.value[i]
        value = withinColumn(said, book.largest[column])
      }
      return value
    },
    despawn: (thing) => note(PUT, leavingColumn, thing, 1),
    spawn: (table, values) => {
      const real = tables.find((candidate) => candidate.name === table?.name)
      if (real === undefined)
        throw unknownName(
          'table',
          String(table?.name),
          tables.map((each) => each.name),
        )
      checkValues(real, values as Record<string, unknown>)
      spawns.push({ table: real, values: { ...values } })
    },
    remember: (until = FOREVER) => {
      if (book.ledger === undefined) {
        throw new HurtboxError('bad-declaration', 'to remember hits, declare tables: { hits: { capacity } }.')
      }
      noteEntry(book.ledger, until)
    },
    priority: (name) => {
      const priority = changes.priorities.indexOf(name)
      if (priority < 0) throw unknownName('priority', name, changes.priorities)
      changes.priorityNow = priority
    },
  }
}

function badChange(name: string, index: number): HurtboxError {
  return new HurtboxError(
    'out-of-range',
    `${name} cannot be changed at ${index}: there is no such row, or the new value is no finite number.`,
  )
}

function viewTables(world: AnyWorld, taken: readonly Take[], takeOfColumn: Int16Array): Record<string, RowsBase> {
  const { layout, columns, tables } = world.memory
  return Object.fromEntries(
    tables.map((table, t) => {
      const viewed = layout.regions.flatMap((region, i) => {
        if (region.table !== t) return []
        const take = takeOfColumn[i]
        return [take === NO_TAKE ? columns[i] : { ...columns[i], array: taken[take].pending }]
      })
      return [table.name, createRows(table.name, viewed, table.capacity, table.counters, table.countersAt)]
    }),
  )
}

/** Makes change `i` in a column. */
function change(book: Book, i: number, array: AnyColumnArray): void {
  const { kind, value, column, index } = book.changes
  const at = index[i]
  array[at] = withinColumn(kind[i] === ADD ? array[at] + value[i] : value[i], book.largest[column[i]])
}

/**
 * A column of whole numbers stops at its ends: 10 − 30 is 0, not 236. Small, so that it is inlined: a double that passes
 * through a real call is put on the heap.
 */
function withinColumn(value: number, largest: number): number {
  return largest === Number.MAX_VALUE ? value : Math.min(Math.max(value, 0), largest)
}

function emptyBook(book: Book): void {
  const { changes } = book
  changes.count = 0
  changes.mark = 0
  changes.spawnMark = 0
  book.spawns.length = 0
}

/** By priority, then by target, then as emitted. */
function sortByPriority(changes: Changes): Uint32Array {
  const { places, priority, index, count } = changes
  for (let i = 0; i < count; i++) places[i] = i
  sortPlaces(changes, 0, count, (a, b) => (priority[a] - priority[b] || index[a] - index[b]) > 0)
  return changes.places
}

function growChanges(changes: Changes): void {
  growColumns(changes, ['places', 'spare', 'kind', 'column', 'index', 'value', 'priority'], 2 * changes.count)
}
