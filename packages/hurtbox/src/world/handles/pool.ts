/**
 * Handle pools: one handle per living row, for phases and for rules.
 *
 * A handle is made when it is first asked for and stays the same object as long as its row lives: `===` works, and it can
 * be kept from tick to tick. The end of a tick moves handles along with their rows; `restore` finds them again by id.
 * When a row leaves, its handles throw on every use. Nothing here is state: handles are another way to look at the block.
 */

import { HurtboxError } from '../../base/errors.ts'
import { type AnyTable, findRow } from '../../state/table.ts'
import type { AnyWorld } from '../world.ts'
import type { AnyHandle, Handle, HandleClasses, RuleHandle } from './classes.ts'
import { createJournal, type Journal, type RuleViews } from './journal.ts'
import type { AnyThing } from './types.ts'

/** The memory block of a world as numbers of each size, with the handles of its tables. */
export type MemoryBlock = {
  readonly world: AnyWorld
  readonly f64: Float64Array
  readonly u32: Uint32Array
  readonly u16: Uint16Array
  readonly u8: Uint8Array
  /** By table. */
  readonly pools: readonly HandlePool[]
  readonly journal: Journal
  /** Whether rules are deciding: what is asked for is then a rule handle. */
  isDeciding: boolean
  /** Iterators that are not in use. */
  readonly idle: object[]
}

export type HandlePool = {
  readonly block: MemoryBlock
  readonly table: AnyTable
  readonly classes: HandleClasses
  readonly layerNames: readonly string[]
  /** By row: the place of its handles in the lists below, 0 for none. Made with the first handle. */
  slot: Uint32Array
  readonly handles: (Handle | undefined)[]
  readonly ruleHandles: (RuleHandle | undefined)[]
  readonly free: number[]
  /** Above the highest row that has a handle. */
  top: number
  /** Scratch of `restore`: the ids of rows with handles before it. */
  keptIds: Uint32Array
  /** Handles of the spare row, for what does not exist. */
  nobody: Handle | undefined
  ruleNobody: RuleHandle | undefined
  /** The handle that posers get, of one thing after another. */
  cursor: Handle | undefined
}

const NO_SLOTS = new Uint32Array(0)

export function createBlock(world: AnyWorld, bytes: Uint8Array): MemoryBlock {
  const { buffer, byteOffset, byteLength } = bytes
  const f64 = new Float64Array(buffer, byteOffset, byteLength >>> 3)
  const u32 = new Uint32Array(buffer, byteOffset, byteLength >>> 2)
  const u16 = new Uint16Array(buffer, byteOffset, byteLength >>> 1)
  const journal = createJournal([f64, u32, u16, bytes], OUTSIDE_VIEWS)
  const pools: HandlePool[] = []
  const block: MemoryBlock = { world, f64, u32, u16, u8: bytes, pools, journal, isDeciding: false, idle: [] }
  const { tables } = world.memory
  const layerNames = world.game.layers.names
  for (let i = 0; i < tables.length; i++) {
    pools.push({
      block,
      table: tables[i],
      classes: world.game.handles[i],
      layerNames,
      slot: NO_SLOTS,
      handles: [undefined],
      ruleHandles: [undefined],
      free: [],
      top: 0,
      keptIds: NO_SLOTS,
      nobody: undefined,
      ruleNobody: undefined,
      cursor: undefined,
    })
  }
  return block
}

/** The handle of a row: for a phase, or for a rule while rules decide. */
export function handleOf(pool: HandlePool, row: number): AnyThing {
  return pool.block.isDeciding ? ruleHandleAt(pool, row) : handleAt(pool, row)
}

export function handleAt(pool: HandlePool, row: number): Handle {
  return pool.handles[pool.slot[row]] ?? makeHandle(pool, row)
}

/**
 * A handle of a row for a moment: the next call moves it on. Posing goes through thousands of things a tick, and fetching the
 * handle of each from memory costs more than posing it.
 */
export function cursorAt(pool: HandlePool, row: number): Handle {
  pool.cursor ??= new pool.classes.Handle(pool, row, 0)
  const { cursor, block } = pool
  if (cursor.$u8 !== block.u8) setViews(cursor, block.f64, block.u32, block.u8)
  cursor.$row = row
  ;(cursor as { id: number }).id = pool.table.id[row]
  return cursor
}

export function ruleHandleAt(pool: HandlePool, row: number): RuleHandle {
  return pool.ruleHandles[pool.slot[row]] ?? makeRuleHandle(pool, row)
}

function makeHandle(pool: HandlePool, row: number): Handle {
  const made = new pool.classes.Handle(pool, row, pool.table.id[row])
  pool.handles[slotOf(pool, row)] = made
  return made
}

function makeRuleHandle(pool: HandlePool, row: number): RuleHandle {
  const made = new pool.classes.RuleHandle(pool, row, pool.table.id[row])
  pool.ruleHandles[slotOf(pool, row)] = made
  return made
}

function slotOf(pool: HandlePool, row: number): number {
  if (pool.slot === NO_SLOTS) pool.slot = new Uint32Array(pool.table.capacity)
  const known = pool.slot[row]
  if (known !== 0) return known
  if (row >= pool.top) pool.top = row + 1
  const slot = pool.free.pop() ?? pool.handles.length
  pool.slot[row] = slot
  pool.handles[slot] = undefined
  pool.ruleHandles[slot] = undefined
  return slot
}

/** A handle of nothing: id 0, every column 0, and what is written to it is lost. */
export function nobodyOf(pool: HandlePool): AnyThing {
  const { block, table } = pool
  const { columns, capacity } = table
  for (let c = 0; c < columns.length; c++) {
    const { array, width } = columns[c]
    const bytes = width * array.BYTES_PER_ELEMENT
    const start = array.byteOffset - block.u8.byteOffset + capacity * bytes
    block.u8.fill(0, start, start + bytes)
  }
  const { Handle, RuleHandle } = pool.classes
  return block.isDeciding
    ? (pool.ruleNobody ??= new RuleHandle(pool, capacity, 0))
    : (pool.nobody ??= new Handle(pool, capacity, 0))
}

/** Posing is over: a poser's thing that was kept throws on every use. */
export function closeCursor({ cursor }: HandlePool): void {
  if (cursor !== undefined) setViews(cursor, POSED, POSED, POSED)
}

function setViews(handle: Handle, f64: Float64Array, u32: Uint32Array, u8: Uint8Array): void {
  handle.$f64 = f64
  handle.$u32 = u32
  handle.$u8 = u8
}

/** The handle of nothing, placed on a layer: how rules see a wall. */
export function poseNobody(pool: HandlePool, x: number, y: number, layer: number): AnyHandle {
  const nobody = nobodyOf(pool)
  const { block, table } = pool
  for (const { name, array } of table.columns) {
    const at = (array.byteOffset - block.u8.byteOffset) / array.BYTES_PER_ELEMENT + table.capacity
    if (name === 'x') block.f64[at] = x
    else if (name === 'y') block.f64[at] = y
    else if (name === 'layer') block.u8[at] = layer
  }
  return nobody
}

/** From now on rules decide: their handles work, and what they write is noted. */
export function openRules(block: MemoryBlock): void {
  const { journal } = block
  setRuleViews(journal, block)
  journal.count = 0
  journal.moves.count = 0
  journal.hasSpawned = false
  block.isDeciding = true
}

export function closeRules(block: MemoryBlock): void {
  setRuleViews(block.journal, OUTSIDE_VIEWS)
  block.isDeciding = false
}

function setRuleViews(journal: Journal, { f64, u32, u16, u8 }: RuleViews): void {
  journal.f64 = f64
  journal.u32 = u32
  journal.u16 = u16
  journal.u8 = u8
}

/** Before leaving rows are removed, of which `first` is the first: handles move along with their rows. */
export function moveHandles(pool: HandlePool, first: number): void {
  const { slot, top, table } = pool
  const { leaving } = table
  if (first >= top) return
  let kept = first
  for (let row = first; row < top; row++) {
    const at = slot[row]
    if (leaving[row] !== 0) {
      if (at !== 0) dropHandles(pool, at)
      continue
    }
    slot[kept] = at
    if (at !== 0) setRow(pool, at, kept)
    kept++
  }
  slot.fill(0, kept, top)
  pool.top = kept
}

/** After rows were taken back: handles of rows that no longer exist are dropped. */
export function trimHandles(pool: HandlePool): void {
  const { slot, table } = pool
  for (let row = table.count; row < pool.top; row++) {
    if (slot[row] !== 0) dropHandles(pool, slot[row])
    slot[row] = 0
  }
  pool.top = Math.min(pool.top, table.count)
}

/** After tables were filled from outside: each handle of the world looks for its id. */
export function refreshHandles({ memory }: AnyWorld): void {
  for (const pool of memory.block.pools) findHandles(pool, 0)
}

/** Before the block is replaced: keeps the ids of rows with handles. */
export function keepIds({ memory }: AnyWorld): void {
  for (const pool of memory.block.pools) {
    if (pool.top === 0) continue
    if (pool.keptIds === NO_SLOTS) pool.keptIds = new Uint32Array(pool.table.capacity)
    pool.keptIds.set(pool.table.id.subarray(0, pool.top))
  }
}

/** After the block was replaced: handles look for their ids, from the first row on that has another id than the kept one. */
export function refreshMovedHandles({ memory }: AnyWorld): void {
  for (const pool of memory.block.pools) {
    const { keptIds, table, top } = pool
    const { id } = table
    const end = Math.min(top, table.count)
    let row = 0
    while (row < end && id[row] === keptIds[row]) row++
    if (row < top) findHandles(pool, row)
  }
}

/** Handles of rows from `first` on look for their ids. */
function findHandles(pool: HandlePool, first: number): void {
  const { slot, handles, ruleHandles, table, top } = pool
  const lost: number[] = []
  pool.top = first
  for (let row = first; row < top; row++) {
    const at = slot[row]
    if (at === 0) continue
    const id = (handles[at] ?? ruleHandles[at]!).id
    // Mostly nothing has moved.
    if (row < table.count && table.id[row] === id) {
      pool.top = row + 1
      continue
    }
    slot[row] = 0
    lost.push(at)
  }
  for (const at of lost) {
    const row = findRow(table, (handles[at] ?? ruleHandles[at]!).id)
    if (row < 0) {
      dropHandles(pool, at)
      continue
    }
    slot[row] = at
    setRow(pool, at, row)
    if (row >= pool.top) pool.top = row + 1
  }
}

function setRow({ handles, ruleHandles }: HandlePool, at: number, row: number): void {
  const handle = handles[at]
  if (handle !== undefined) handle.$row = row
  const ruleHandle = ruleHandles[at]
  if (ruleHandle !== undefined) ruleHandle.$row = row
}

function dropHandles({ handles, ruleHandles, free }: HandlePool, at: number): void {
  const handle = handles[at]
  if (handle !== undefined) setViews(handle, GONE, GONE, GONE)
  const ruleHandle = ruleHandles[at]
  if (ruleHandle !== undefined) ruleHandle.$journal = GONE
  handles[at] = undefined
  ruleHandles[at] = undefined
  free.push(at)
}

/** Stands in the place of a handle's views when they must not be used: every use says why. */
function refusing(why: string): never {
  const refuse = (): never => {
    throw new HurtboxError('stale-id', `this thing ${why} keep its id and ask thing(world, id).`)
  }
  return new Proxy({}, { get: refuse, set: refuse }) as never
}

export const GONE = refusing('has left the world; test exists(thing), or')
const POSED = refusing('was given to a poser, for that call only;')
const OUTSIDE = refusing('was given to a rule, and the rules are no longer deciding;')
const OUTSIDE_VIEWS = { f64: OUTSIDE, u32: OUTSIDE, u16: OUTSIDE, u8: OUTSIDE }

/** Whether a handle is of a row that is in the world and not leaving. */
export function isValid(handle: AnyHandle): boolean {
  const { $pool: pool, id } = handle
  const views = handle.$isRule ? handle.$journal : handle.$f64
  if (id === 0 || views === GONE || views === POSED) return false
  // Rows move on: a handle that a rule kept does not know its own any more.
  const row = findRow(pool.table, id)
  return row >= 0 && pool.table.leaving[row] === 0
}
