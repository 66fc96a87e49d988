/**
 * Things: how rules and phases find, add, move and remove them.
 *
 * Every function here serves both. In a phase it takes effect at once; in a rule it is part of the rule's transaction and
 * is undone with it.
 */

import { HurtboxError, unknownName } from '../../base/errors.ts'
import { addRow, COUNTERS, findRow, type Id } from '../../state/table.ts'
import type { ColumnsOf, Declaration, OwnTableNames } from '../game.ts'
import { layerNumber } from '../layers.ts'
import type { AnyWorld } from '../world.ts'
import type { AnyHandle } from './classes.ts'
import { applyMoves, type Moves, note, reserveMove, U32 } from './journal.ts'
import { ANY_LAYER, iterate } from './loop.ts'
import { type HandlePool, handleOf, isValid, type MemoryBlock, nobodyOf } from './pool.ts'
import { type AnyRow, requireHandle, requireThing, requireWorld } from './require.ts'
import type { InWorld, LayerName, Player, Row, Thing, ThingValues, Values } from './types.ts'
import { checkValues, writeValues } from './values.ts'

const THINGS = 0
const PLAYERS = 1

/**
 * The things of a layer, or all of them, oldest first. Things that are leaving are left out, and so are those that are
 * added while the loop runs.
 *
 * @example
 * ```ts
 * import { createWorld, declareGame, defineGame, each, spawn } from 'hurtbox'
 *
 * const arena = declareGame({ id: 'arena', tickRate: 60, layers: { slime: [] }, things: { hp: 'f64' } })
 * const world = createWorld(defineGame(arena, { phases: {} }))
 * for (const hp of [10, 20]) spawn(world, 'slime', { hp })
 * for (const slime of each(world, 'slime')) slime.hp += 1
 * console.log(Array.from(each(world), (slime) => slime.hp).join(', ')) // 11, 21
 * ```
 */
export function each<D extends Declaration, const L extends LayerName<D>>(
  world: InWorld<D>,
  layer?: L,
): IterableIterator<Thing<D, L>> {
  const number = layer === undefined ? ANY_LAYER : layerNumber(world.game.layers, layer)
  return iterate(world.memory.block.pools[THINGS], number) as IterableIterator<Thing<D, L>>
}

/**
 * The players, in the order they joined; leaving players are left out.
 *
 * @example
 * ```ts
 * import { createWorld, declareGame, defineGame, players, spawn, step } from 'hurtbox'
 *
 * const arena = declareGame({ id: 'arena', tickRate: 60, layers: { knight: [] }, players: { score: 'u32' } })
 * const world = createWorld(
 *   defineGame(arena, {
 *     phases: {},
 *     onJoin: (world, player) => void (player.thing = spawn(world, 'knight', { x: 100 * player.seat })),
 *   }),
 * )
 * step(world, { controls: [{ control: 'join', seat: 1 }] })
 * for (const player of players(world)) player.score += 5
 * for (const { seat, score } of players(world)) console.log(seat, score) // 1 5
 * ```
 */
export function players<D extends Declaration>(world: InWorld<D>): IterableIterator<Player<D>> {
  return iterate(world.memory.block.pools[PLAYERS], ANY_LAYER) as IterableIterator<Player<D>>
}

/**
 * The rows of one of the game's own tables, oldest first.
 *
 * @example
 * ```ts
 * import { createWorld, declareGame, defineGame, insert, rows } from 'hurtbox'
 *
 * const orders = { capacity: 8, columns: { unit: 'id', x: 'f64' } } as const
 * const arena = declareGame({ id: 'arena', tickRate: 60, tables: { orders } })
 * const world = createWorld(defineGame(arena, { phases: {} }))
 * insert(world, 'orders', { unit: 7, x: 100 })
 * for (const order of rows(world, 'orders')) console.log(order.unit, order.x) // 7 100
 * ```
 */
export function rows<D extends Declaration, const N extends OwnTableNames<D>>(
  world: InWorld<D>,
  table: N,
): IterableIterator<Row<D, N>> {
  return iterate(poolNamed(world, table), ANY_LAYER) as IterableIterator<Row<D, N>>
}

/**
 * The thing with this id; `undefined` when it has left, or for 0.
 *
 * @example
 * ```ts
 * import { createWorld, declareGame, defineGame, spawn, thing } from 'hurtbox'
 *
 * const arena = declareGame({ id: 'arena', tickRate: 60, layers: { slime: [] }, things: { hp: 'f64' } })
 * const world = createWorld(defineGame(arena, { phases: {} }))
 * const { id } = spawn(world, 'slime', { hp: 20 })
 * console.log(thing(world, id)?.hp) // 20
 * console.log(thing(world, 99)) // undefined
 * ```
 */
export function thing<D extends Declaration>(world: InWorld<D>, id: Id): Thing<D> | undefined {
  const pool = world.memory.block.pools[THINGS]
  const row = findRow(pool.table, id)
  return row < 0 ? undefined : handleOf(pool, row)
}

/**
 * The thing in a row of `world.tables.things`, for loops in columns that need the thing itself now and then.
 *
 * @example
 * ```ts
 * import { createWorld, declareGame, defineGame, spawn, thingAt } from 'hurtbox'
 *
 * const arena = declareGame({ id: 'arena', tickRate: 60, layers: { slime: [] }, things: { hp: 'f64' } })
 * const world = createWorld(defineGame(arena, { phases: {} }))
 * spawn(world, 'slime', { hp: 20 })
 * const { count, hp } = world.tables.things
 * for (let row = 0; row < count; row++) if (hp[row] < 30) console.log(thingAt(world, row).layer) // slime
 * ```
 */
export function thingAt<D extends Declaration>(world: InWorld<D>, row: number): Thing<D> {
  const pool = world.memory.block.pools[THINGS]
  if (row >= 0 && row < pool.table.count) return handleOf(pool, row)
  throw new HurtboxError('out-of-range', `there is no row ${row} in things, which has ${pool.table.count}.`)
}

/**
 * The player who controls a thing, by the thing or its id; `undefined` if there is none.
 *
 * @example
 * ```ts
 * import { createWorld, declareGame, defineGame, each, playerOf, spawn, step } from 'hurtbox'
 *
 * const arena = declareGame({ id: 'arena', tickRate: 60, layers: { knight: [] }, players: { score: 'u32' } })
 * const world = createWorld(
 *   defineGame(arena, {
 *     phases: {},
 *     onJoin: (world, player) => void (player.thing = spawn(world, 'knight', { x: 100 * player.seat })),
 *   }),
 * )
 * step(world, { controls: [{ control: 'join', seat: 1 }] })
 * for (const knight of each(world, 'knight')) console.log(playerOf(world, knight)?.seat) // 1
 * ```
 */
export function playerOf<D extends Declaration>(world: InWorld<D>, thing: Id | AnyRow): Player<D> | undefined {
  const id = typeof thing === 'number' ? thing : requireThing(thing).id
  const pool = world.memory.block.pools[PLAYERS]
  const controls = (world as unknown as AnyWorld).tables.players.thing
  for (let row = 0; id !== 0 && row < pool.table.count; row++) {
    if (controls[row] === id) return handleOf(pool, row)
  }
  return undefined
}

/**
 * The player in a seat; `undefined` when it is empty.
 *
 * @example
 * ```ts
 * import { createWorld, declareGame, defineGame, playerAt, spawn, step } from 'hurtbox'
 *
 * const arena = declareGame({ id: 'arena', tickRate: 60, layers: { knight: [] }, players: { score: 'u32' } })
 * const world = createWorld(
 *   defineGame(arena, {
 *     phases: {},
 *     onJoin: (world, player) => void (player.thing = spawn(world, 'knight', { x: 100 * player.seat })),
 *   }),
 * )
 * step(world, { controls: [{ control: 'join', seat: 1 }] })
 * console.log(playerAt(world, 1)?.thing?.x) // 100
 * console.log(playerAt(world, 0)) // undefined
 * ```
 */
export function playerAt<D extends Declaration>(world: InWorld<D>, seat: number): Player<D> | undefined {
  const pool = world.memory.block.pools[PLAYERS]
  const row = seatRow(world as unknown as AnyWorld, seat)
  return row < 0 ? undefined : handleOf(pool, row)
}

/** The row of a seat in `players`, or -1 when it is empty. */
export function seatRow(world: AnyWorld, seat: number): number {
  const { players: table } = world.tables
  for (let row = 0; row < table.count; row++) {
    if (table.seat[row] === seat && table.leaving[row] === 0) return row
  }
  return -1
}

/**
 * Adds a thing on a layer. Columns that are left out are 0. When there is no room, the thing it returns is not in the world
 * (its id is 0, `exists` says so, what is written to it is lost), and the table counts the refusal.
 *
 * @example
 * ```ts
 * import { createWorld, declareGame, defineGame, spawn } from 'hurtbox'
 *
 * const arena = declareGame({ id: 'arena', tickRate: 60, layers: { slime: [] }, things: { hp: 'f64' } })
 * const world = createWorld(defineGame(arena, { phases: {} }))
 * const slime = spawn(world, 'slime', { x: 30, radius: 15, hp: 20 })
 * console.log(slime.id, slime.layer, slime.hp) // 1 slime 20
 * ```
 */
export function spawn<D extends Declaration, const L extends LayerName<D>>(
  world: InWorld<D>,
  layer: L,
  values?: ThingValues<D>,
): Thing<D, L> {
  requireWorld(world, "spawn(world, 'slime', { x, y })")
  const number = layerNumber(world.game.layers, layer)
  const pool = world.memory.block.pools[THINGS]
  const row = insertRow(pool, values as Readonly<Record<string, unknown>> | undefined)
  if (row < 0) return nobodyOf(pool)
  ;(world as unknown as AnyWorld).tables.things.layer[row] = number
  return handleOf(pool, row)
}

/**
 * Adds a row to one of the game's own tables. When it is full: as `spawn`.
 *
 * @example
 * ```ts
 * import { createWorld, declareGame, defineGame, insert } from 'hurtbox'
 *
 * const orders = { capacity: 8, columns: { unit: 'id', x: 'f64' } } as const
 * const arena = declareGame({ id: 'arena', tickRate: 60, tables: { orders } })
 * const world = createWorld(defineGame(arena, { phases: {} }))
 * const order = insert(world, 'orders', { unit: 7, x: 100 })
 * console.log(order.id, order.x) // 1 100
 * ```
 */
export function insert<D extends Declaration, const N extends OwnTableNames<D>>(
  world: InWorld<D>,
  table: N,
  values?: Values<ColumnsOf<D, N>>,
): Row<D, N> {
  requireWorld(world, "insert(world, 'orders', { … })")
  const pool = poolNamed(world, table)
  const row = insertRow(pool, values as Readonly<Record<string, unknown>> | undefined)
  return row < 0 ? nobodyOf(pool) : handleOf(pool, row)
}

/**
 * Removes a thing (or a row) at the end of the tick. Until then it can be read, but it takes part in no further contact.
 *
 * @example
 * ```ts
 * import { createWorld, declareGame, defineGame, despawn, each, spawn } from 'hurtbox'
 *
 * const arena = declareGame({ id: 'arena', tickRate: 60, layers: { slime: [] }, things: { hp: 'f64' } })
 * const world = createWorld(defineGame(arena, { phases: {} }))
 * const slime = spawn(world, 'slime')
 * despawn(slime)
 * console.log(slime.leaving, [...each(world)].length) // 1 0
 * ```
 */
export function despawn(thing: AnyRow): void {
  const { $pool: pool, $row: row } = requireHandle(thing)
  const { leaving } = pool.table
  if (row >= leaving.length) return
  const { block } = pool
  if (block.isDeciding) noteByte(block, leaving, row)
  leaving[row] = 1
}

/**
 * Whether a thing that was kept is still in the world and stays in it after this tick.
 *
 * @example
 * ```ts
 * import { createWorld, declareGame, defineGame, despawn, exists, spawn } from 'hurtbox'
 *
 * const arena = declareGame({ id: 'arena', tickRate: 60, layers: { slime: [] }, things: { hp: 'f64' } })
 * const world = createWorld(defineGame(arena, { phases: {} }))
 * const slime = spawn(world, 'slime')
 * console.log(exists(slime)) // true
 * despawn(slime)
 * console.log(exists(slime)) // false
 * ```
 */
export function exists(thing: AnyRow): boolean {
  return isValid(requireThing(thing))
}

/**
 * Moves a thing by a distance. In a rule it moves when all hits of the phase are decided; pushes of several hits add up.
 *
 * @example
 * ```ts
 * import { createWorld, declareGame, defineGame, push, spawn } from 'hurtbox'
 *
 * const arena = declareGame({ id: 'arena', tickRate: 60, layers: { slime: [] }, things: { hp: 'f64' } })
 * const world = createWorld(defineGame(arena, { phases: {} }))
 * const slime = spawn(world, 'slime', { x: 5 })
 * push(slime, 3, 0)
 * console.log(slime.x) // 8
 * ```
 */
export function push(thing: AnyRow & { readonly x: number }, dx: number, dy: number, dz = 0): void {
  const moves = openMove(thing, 0)
  moves.x[moves.count] = dx
  moves.y[moves.count] = dy
  moves.z[moves.count] = dz
  closeMove(thing)
}

/**
 * Moves a thing to a place. In a rule it moves when all hits of the phase are decided.
 *
 * @example
 * ```ts
 * import { createWorld, declareGame, defineGame, moveTo, spawn } from 'hurtbox'
 *
 * const arena = declareGame({ id: 'arena', tickRate: 60, layers: { slime: [] }, things: { hp: 'f64' } })
 * const world = createWorld(defineGame(arena, { phases: {} }))
 * const slime = spawn(world, 'slime', { x: 5 })
 * moveTo(slime, 40, 30)
 * console.log(slime.x, slime.y) // 40 30
 * ```
 */
export function moveTo(thing: AnyRow & { readonly x: number }, x: number, y: number, z = 0): void {
  const moves = openMove(thing, 1)
  moves.x[moves.count] = x
  moves.y[moves.count] = y
  moves.z[moves.count] = z
  closeMove(thing)
}

/** Makes room for a move. The caller writes the numbers itself: handed to a function, V8 would put each on the heap. */
export function openMove(thing: AnyRow, isPlace: 0 | 1): Moves {
  const { $pool: pool, $row: row } = requireHandle(thing)
  const { moves } = pool.block.journal
  reserveMove(moves)
  moves.row[moves.count] = row
  moves.isPlace[moves.count] = isPlace
  return moves
}

export function closeMove(thing: AnyRow): void {
  const { block } = (thing as AnyHandle).$pool
  const { journal } = block
  const { moves } = journal
  const { count } = moves
  const sum = moves.x[count] + moves.y[count] + moves.z[count]
  if (sum - sum !== 0) {
    const words = `(${moves.x[count]}, ${moves.y[count]}, ${moves.z[count]})`
    throw new HurtboxError('not-finite', `a thing cannot be moved by or to ${words}.`)
  }
  if (thing.id === 0) return
  moves.count = count + 1
  if (!block.isDeciding) applyMoves(journal, block.world)
}

/** For a player who leaves: despawns its thing and everything that it owns. */
export function despawnOwned(world: AnyWorld, id: Id): void {
  const { things } = world.tables
  if (id === 0) return
  for (let row = 0; row < things.count; row++) {
    if (things.id[row] === id || things.owner[row] === id) things.leaving[row] = 1
  }
}

/** Adds a row and writes its values; part of the transaction while rules decide. Returns the row, or -1. */
function insertRow(pool: HandlePool, values: Readonly<Record<string, unknown>> | undefined): number {
  const { table, block } = pool
  if (values !== undefined) checkValues(table, values, block)
  if (block.isDeciding) noteCounters(pool)
  const row = addRow(table)
  if (row >= 0 && values !== undefined) writeValues(table, row, values, block)
  return row
}

/** A spawn in a rule can be undone: what the counters of its table were. */
function noteCounters({ table, block }: HandlePool): void {
  const { counters, countersAt } = table
  const first = (counters.byteOffset - block.u8.byteOffset) / 4 + countersAt
  for (let i = 0; i < COUNTERS; i++) note(block.journal, U32, first + i, block.u32[first + i])
  block.journal.hasSpawned = true
}

function noteByte(block: MemoryBlock, array: Uint8Array, row: number): void {
  note(block.journal, 3, array.byteOffset - block.u8.byteOffset + row, array[row])
}

function poolNamed(world: { readonly memory: AnyWorld['memory'] }, name: string): HandlePool {
  const { tableNames } = world.memory.layout
  const table = tableNames.indexOf(name)
  if (table < 0) throw unknownName('table', name, tableNames)
  return world.memory.block.pools[table]
}
