/**
 * Handle classes: `slime.hp` instead of `things.hp[row]`.
 *
 * Each table of a game gets two classes, one for phases and one for rules, with an accessor per column. All worlds of a
 * game share the layout, so an accessor is a closure over a column's constant offset in the memory block, and every world
 * runs through the same code. A phase accessor stays below 27 bytes of bytecode, which V8 inlines wherever it is used; so
 * it checks nothing. Whether a handle is still valid costs nothing either: when its row leaves, its views of the block are
 * replaced by ones that throw.
 *
 * What a rule writes is noted in the journal first, so that a refused rule can be undone.
 */

import { HurtboxError } from '../../base/errors.ts'
import { defineAccessor } from '../../base/fast.ts'
import { columnType, columnWidth } from '../../state/columns.ts'
import type { Layout } from '../../state/layout.ts'
import { findRow } from '../../state/table.ts'
import { type Journal, note, noteF64, U8, U16, U32 } from './journal.ts'
import { GONE, type HandlePool, handleOf } from './pool.ts'
import { type Declared, refusingUnknown } from './unknown.ts'
import type { Words } from './words.ts'

/**
 * A row as phases see it. The views stand in the handle itself, which keeps setters small enough to be inlined. Its own
 * fields start with $, because a column may have any other name.
 */
export class Handle {
  /** A mark of the prototype. `instanceof` would go through all prototypes, and asking the last one, the trap, takes long. */
  declare readonly $isRule: false
  $f64: Float64Array
  $u32: Uint32Array
  $u8: Uint8Array
  $row: number
  readonly id: number
  readonly $pool: HandlePool
  $wides: object[] | undefined = undefined
  /** Of a player: the thing it was last found to control. */
  $controls: Handle | undefined = undefined
  constructor(pool: HandlePool, row: number, id: number) {
    const { f64, u32, u8 } = pool.block
    this.$f64 = f64
    this.$u32 = u32
    this.$u8 = u8
    this.$row = row
    this.id = id
    this.$pool = pool
  }
}

/** A row as rules see it. */
export class RuleHandle {
  declare readonly $isRule: true
  $journal: Journal
  $row: number
  readonly id: number
  readonly $pool: HandlePool
  $wides: object[] | undefined = undefined
  constructor(pool: HandlePool, row: number, id: number) {
    this.$journal = pool.block.journal
    this.$row = row
    this.id = id
    this.$pool = pool
  }
}

export type AnyHandle = Handle | RuleHandle

type HandleClass<H> = new (pool: HandlePool, row: number, id: number) => H
export type HandleClasses = { readonly Handle: HandleClass<Handle>; readonly RuleHandle: HandleClass<RuleHandle> }

/** Where a thing is: frozen while rules decide. */
const PLACE: readonly string[] = ['x', 'y', 'z']

/** `words` are those of the columns of `players` that hold choices. */
export function createHandleClasses(layout: Layout, words: Readonly<Record<string, Words>>): readonly HandleClasses[] {
  return layout.tableNames.map((name, table) => {
    class HandleOfTable extends Handle {}
    class RuleHandleOfTable extends RuleHandle {}
    const ofTable = layout.regions.filter((region) => region.table === table)
    ofTable.forEach(({ column, spec, byteOffset, bytesPerRow }, place) => {
      if (column === 'id') return
      const width = columnWidth(spec)
      const offset = byteOffset / (bytesPerRow / width)
      const spoken = name === 'players' ? words[column] : undefined
      const plain =
        typeof spec === 'object'
          ? wideAccessors(place, column, spoken?.names)
          : (spoken?.accessors ?? ACCESSORS[columnType(spec)])(offset, column)
      const accessors =
        name === 'things' && column === 'layer'
          ? layerAccessors(offset)
          : name === 'players' && column === 'thing'
            ? thingAccessors(offset)
            : plain
      const ruleSet = name === 'things' && PLACE.includes(column) ? frozenSetter(column) : accessors.ruleSet
      defineAccessor(HandleOfTable.prototype, column, accessors.get, accessors.set)
      defineAccessor(RuleHandleOfTable.prototype, column, accessors.ruleGet, ruleSet)
    })
    return { Handle: HandleOfTable, RuleHandle: RuleHandleOfTable }
  })
}

/** A thing prints as its values, not as the memory behind it. */
function valuesOf(this: AnyHandle): object {
  const { $pool } = this
  return Object.fromEntries(
    $pool.table.columns.map(({ name }) => [name, (this as unknown as Record<string, unknown>)[name]]),
  )
}

for (const HandleClass of [Handle, RuleHandle]) {
  const { prototype } = HandleClass
  // The fields stand on the prototypes too: where a bundler compiles them for older browsers, their first values are written by
  // assignment, and the trap refuses what no prototype has.
  Object.assign(prototype, new HandleClass({ block: {} } as HandlePool, 0, 0), {
    $isRule: prototype === RuleHandle.prototype,
    toJSON: valuesOf,
    [Symbol.for('nodejs.util.inspect.custom')]: valuesOf,
  })
  Object.setPrototypeOf(prototype, refusingUnknown(declaredOf))
}

function declaredOf({ $pool: { table } }: AnyHandle): Declared {
  const { name, columns } = table
  const part = name === 'things' || name === 'players' ? name : `tables.${name}.columns`
  return [`column of ${name}`, part, columns.map((column) => column.name)]
}

export type Accessors = {
  get(this: Handle): unknown
  set(this: Handle, value: never): void
  ruleGet(this: RuleHandle): unknown
  ruleSet(this: RuleHandle, value: never): void
}

// One literal per element type and direction: closures of one literal share what the compiler has learnt about it.

const f64 = (offset: number): Accessors => ({
  get() {
    return this.$f64[offset + this.$row]
  },
  set(value) {
    this.$f64[offset + this.$row] = value
  },
  ruleGet() {
    return this.$journal.f64[offset + this.$row]
  },
  ruleSet(value) {
    const at = offset + this.$row
    noteF64(this.$journal, at)
    this.$journal.f64[at] = value
  },
})

const u32 = (offset: number): Accessors => ({
  get() {
    return this.$u32[offset + this.$row]
  },
  set(value) {
    this.$u32[offset + this.$row] = value
  },
  ruleGet() {
    return this.$journal.u32[offset + this.$row]
  },
  ruleSet(value) {
    const at = offset + this.$row
    note(this.$journal, U32, at, this.$journal.u32[at])
    this.$journal.u32[at] = value
  },
})

const u16 = (offset: number): Accessors => ({
  // Few columns are of this type, so a view in every handle would not pay.
  get() {
    return viewOf(this)[offset + this.$row]
  },
  set(value) {
    viewOf(this)[offset + this.$row] = value
  },
  ruleGet() {
    return this.$journal.u16[offset + this.$row]
  },
  ruleSet(value) {
    const at = offset + this.$row
    note(this.$journal, U16, at, this.$journal.u16[at])
    this.$journal.u16[at] = value
  },
})

const u8 = (offset: number): Accessors => ({
  get() {
    return this.$u8[offset + this.$row]
  },
  set(value) {
    this.$u8[offset + this.$row] = value
  },
  ruleGet() {
    return this.$journal.u8[offset + this.$row]
  },
  ruleSet(value) {
    const at = offset + this.$row
    note(this.$journal, U8, at, this.$journal.u8[at])
    this.$journal.u8[at] = value
  },
})

function viewOf(handle: Handle): Uint16Array {
  // Throws when the handle is no longer valid.
  void handle.$u8[0]
  return handle.$pool.block.u16
}

const ACCESSORS = { f64, u32, u16, u8, id: u32, timer: u32 } as const

/** The layer of a thing is its name. */
function layerAccessors(offset: number): Accessors {
  return {
    get() {
      return this.$pool.layerNames[this.$u8[offset + this.$row]]
    },
    set: refuseLayer,
    ruleGet() {
      return this.$pool.layerNames[this.$journal.u8[offset + this.$row]]
    },
    ruleSet: refuseLayer,
  }
}

function refuseLayer(): never {
  throw new HurtboxError('bad-argument', 'the layer of a thing does not change.')
}

/** The thing of a player is a thing; in the column stands its id. */
function thingAccessors(offset: number): Accessors {
  return {
    get() {
      const id = this.$u32[offset + this.$row]
      const known = this.$controls
      if (known !== undefined && known.id === id && known.$u8 !== GONE) return isLeaving(known) ? undefined : known
      return (this.$controls = controlled(this, id) as Handle | undefined)
    },
    set(value: OptionalThing) {
      this.$u32[offset + this.$row] = idOf(value, this.$pool.block)
    },
    ruleGet() {
      return controlled(this, this.$journal.u32[offset + this.$row])
    },
    ruleSet(value: OptionalThing) {
      const at = offset + this.$row
      note(this.$journal, U32, at, this.$journal.u32[at])
      this.$journal.u32[at] = idOf(value, this.$pool.block)
    },
  }
}

/** Not one that leaves in this very tick: its player has lost it already. */
function controlled({ $pool: { block } }: AnyHandle, id: number): AnyHandle | undefined {
  const things = block.pools[0]
  const row = id === 0 ? -1 : findRow(things.table, id)
  return row < 0 || things.table.leaving[row] !== 0 ? undefined : handleOf(things, row)
}

function isLeaving({ $pool: pool, $row: row }: Handle): boolean {
  return pool.table.leaving[row] !== 0
}

type OptionalThing = { readonly id: number } | undefined

/** The id of a thing of this world, 0 for none. */
export function idOf(thing: OptionalThing, block: object): number {
  if (thing === undefined) return 0
  const { $pool: pool } = thing as AnyHandle
  if (pool !== undefined && pool.block !== block) {
    throw new HurtboxError('bad-argument', 'a thing of another world cannot be stored here.')
  }
  return thing.id
}

function frozenSetter(column: string): () => never {
  return () => {
    throw new HurtboxError(
      'bad-argument',
      `${column} is frozen while rules decide. Use push(thing, dx, dy) or moveTo(thing, x, y).`,
    )
  }
}

/** What makes the accessors of wide columns: brought along by `wide`, so that a game without them does not carry it. */
type WideFactory = (place: number, words: readonly string[] | undefined) => Accessors
const wideFactory: { make: WideFactory | undefined } = { make: undefined }

export function useWideColumns(make: WideFactory): void {
  wideFactory.make = make
}

function wideAccessors(place: number, column: string, words: readonly string[] | undefined): Accessors {
  if (wideFactory.make !== undefined) return wideFactory.make(place, words)
  throw new HurtboxError('bad-declaration', `column ${column} must be made with wide(type, width).`)
}
