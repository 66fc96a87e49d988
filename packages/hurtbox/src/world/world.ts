/**
 * The world: the whole state of a match in one block of memory.
 *
 * The block has a header (tick, clock, seed, random streams, row counts), the tables column by column, fixed arrays,
 * globals and tuning values. If the step reads it, it is in here; what is not (events, grids, contacts) is scratch and
 * can be thrown away between two ticks. So a snapshot is a copy of bytes, a hash one pass over them, and a difference
 * names table, row and column. Capacity is fixed: a buffer that grew would leave old views writing into lost memory.
 */

import { HurtboxError, requireFields, requireInteger } from '../base/errors.ts'
import { calling } from '../base/failure.ts'
import { defineAccessor, fastObject } from '../base/fast.ts'
import { purposeOf, randomAt, STREAM_WORDS, startStream } from '../geometry/math/random.ts'
import {
  type AnyColumnArray,
  bytesPerRow,
  type ColumnArray,
  type ColumnSpec,
  columnWidth,
  largestValue,
  viewColumn,
} from '../state/columns.ts'
import {
  type ArraySpec,
  CLOCK,
  ENTROPY,
  NO_TABLE,
  PAUSED,
  SEED_HIGH,
  SEED_LOW,
  STREAMS,
  TICK,
} from '../state/layout.ts'
import type { StateMemory } from '../state/memory.ts'
import {
  type AnyTable,
  COUNTERS,
  type Column,
  createRows,
  type Rows,
  type RowsBase,
  type Table,
} from '../state/table.ts'
import type { AnyGame, ColumnsOf, Declaration, Game, IsAny, Phase, RunningPhase, TableNames } from './game.ts'
import { note, sizeOf } from './handles/journal.ts'
import { createBlock, type MemoryBlock } from './handles/pool.ts'
import { refusingUnknown } from './handles/unknown.ts'
import type { OptionSpecs, Options } from './options.ts'
import { readSettings, settings } from './settings.ts'
import type { Tuning, TuningSpecs } from './tuning.ts'

type Globals<D extends Declaration> =
  IsAny<D> extends true
    ? Untyped
    : D['globals'] extends object
      ? { -readonly [K in keyof D['globals']]: number }
      : object
type Arrays<D extends Declaration> =
  D['arrays'] extends Readonly<Record<string, ArraySpec>>
    ? { readonly [K in keyof D['arrays']]: ColumnArray<D['arrays'][K]['type']> }
    : object
type Events<D extends Declaration> =
  IsAny<D> extends true
    ? Untyped
    : D['events'] extends object
      ? {
          readonly [K in keyof D['events']]: D['events'][K] extends Readonly<Record<string, ColumnSpec>>
            ? Rows<D['events'][K]>
            : never
        }
      : object
type Streams<D extends Declaration> = D['streams'] extends readonly (infer N extends string)[]
  ? { readonly [K in N]: Uint32Array }
  : object

type TuningOf<D extends Declaration> = Tuning<D['tuning'] extends TuningSpecs ? D['tuning'] : Record<never, never>>
type OptionsOf<D extends Declaration> = Options<D['options'] extends OptionSpecs ? D['options'] : Record<never, never>>

/**
 * What a world has in phases and in rules alike. Interfaces, so that editors print `World<Pit>` and not what is in it.
 */
export interface WorldBase<D extends Declaration> {
  readonly game: Game<D>
  readonly options: IsAny<D> extends true ? Options : OptionsOf<D>
  readonly globals: Globals<D>
  readonly tuning: IsAny<D> extends true ? AnyWorld['tuning'] : TuningOf<D>
  /** What happened in the last step. Scratch: emptied when the next one begins. */
  readonly events: Events<D>
  /** The number of the tick that runs now, or will run next. */
  readonly tick: number
  /** Like `tick`, but stands still while the match is paused. Timers are compared with it. */
  readonly clock: number
  readonly seed: number
  /** 32 random bits: the last that a room drew (`entropyEvery`); where none were drawn, those of seed and clock. */
  readonly entropy: number
  readonly memory: Memory
}

export interface World<D extends Declaration = Declaration> extends WorldBase<D> {
  readonly tables: { readonly [K in TableNames<D>]: Table<ColumnsOf<D, K>> }
  readonly arrays: Arrays<D>
  readonly random: Streams<D>
  paused: boolean
}

/** What the generic parts of the engine work with: the block and its description. */
type Memory = StateMemory & {
  readonly tuningValues: Float64Array
  readonly events: readonly RowsBase[]
  /** How many events there are of each kind, and how many did not fit. */
  readonly eventCounters: Uint32Array
  /** The phases of a tick as they run in this world, in order. */
  readonly phases: PhaseEntry[]
  /** The same bytes as numbers of each size, with the handles of things. */
  readonly block: MemoryBlock
  /** 'ready', 'stepping', or 'broken' after a phase threw half way; a restore repairs it. */
  status: 'ready' | 'stepping' | 'broken'
  /** What was thrown then. */
  brokenBy: unknown
  /** The options as text: what a snapshot must share with the world it is restored into. */
  readonly optionsKey: string
}

/** A world of any game: what the generic parts of the engine need, and tables whose columns they look up by name. */
export type AnyWorld = {
  readonly game: AnyGame
  readonly options: Options
  readonly tables: Readonly<Record<string, Untyped>>
  readonly arrays: Untyped
  readonly globals: Untyped
  readonly tuning: Readonly<Record<string, number>>
  readonly random: Untyped
  readonly events: Untyped
  readonly tick: number
  readonly clock: number
  readonly seed: number
  readonly entropy: number
  paused: boolean
  readonly memory: Memory
}

// biome-ignore lint/suspicious/noExplicitAny: the columns of an unknown game.
type Untyped = any

type PhaseEntry = {
  readonly name: string
  readonly whilePaused: boolean
  readonly phase: RunningPhase<Declaration>
}

/** The world of a game; of a game that the compiler does not know, a world whose columns it does not know. */
export type WorldOf<D extends Declaration> = IsAny<D> extends true ? AnyWorld : World<D>
/** Some of the values; of a game that the compiler does not know, values that are checked when the world is made. */
type Given<D extends Declaration, Values> = IsAny<D> extends true ? Readonly<Record<string, unknown>> : Partial<Values>

export type WorldOptions<D extends Declaration = Declaration> = {
  /** A whole number from 0 to 2^53 − 1. */
  readonly seed?: number
  readonly options?: Given<D, D['options'] extends OptionSpecs ? Options<D['options']> : Record<never, never>>
  /** Values that differ from the defaults, in the declared unit. */
  readonly tuning?: Given<D, D['tuning'] extends TuningSpecs ? Tuning<D['tuning']> : Record<never, never>>
  /** Memory to place the block in (of a SharedArrayBuffer, of WebAssembly): `worldBytes(game)`, from a multiple of 8 on. */
  readonly block?: Uint8Array
}

/**
 * Makes a world and fills it by the game's `setup`.
 *
 * @example
 * ```ts
 * import { createWorld, declareGame, defineGame } from 'hurtbox'
 *
 * const game = defineGame(declareGame({ id: 'arena', tickRate: 60 }), { phases: {} })
 * const world = createWorld(game, { seed: 7 })
 * console.log(world.tick, world.seed) // 0 7
 * ```
 */
export function createWorld<D extends Declaration>(game: Game<D>, given: WorldOptions<D> = {}): WorldOf<D> {
  const world = createEmptyWorld(game, given) as World<D>
  // Setting up is no tick: a step in the middle of it would not be in any replay.
  world.memory.status = 'stepping'
  calling({ what: 'setup' }, () => game.behaviour.setup?.(world))
  world.memory.status = 'ready'
  return world as WorldOf<D>
}

/** A world before `setup`: what a snapshot is restored into. */
export function createEmptyWorld<D extends Declaration>(game: Game<D>, given: WorldOptions<D> = {}): WorldOf<D> {
  requireGame(game)
  requireFields(given, 'the second argument of createWorld', ['seed', 'options', 'tuning', 'block'])
  const { declaration, layout } = game
  const seed = requireInteger(given.seed === undefined ? 0 : given.seed, 'seed', 0, Number.MAX_SAFE_INTEGER)
  const { options: optionSpecs = {}, tuning: tuningSpecs = {}, tickRate } = declaration
  const options = Object.freeze(readSettings<unknown>(optionSpecs, 'option', given.options ?? {}, tickRate))
  const tuning = readSettings(tuningSpecs, 'tuning value', given.tuning ?? {}, tickRate)

  const bytes = requireBlock(layout.byteLength, given.block)
  const { buffer, byteOffset } = bytes
  const header = new Uint32Array(buffer, byteOffset, layout.headerWords)
  // New memory is zero already, and pages that nothing is written to cost nothing.
  if (given.block) bytes.fill(0)

  const columns = layout.regions.map(
    (region): Column =>
      createColumn(region.column, region.spec, buffer, byteOffset + region.byteOffset, region.capacity),
  )
  const columnsOf = (table: number) => columns.filter((_, i) => layout.regions[i].table === table)
  const arrayNamed = (name: string) =>
    columns[layout.regions.findIndex((region) => region.table === NO_TABLE && region.column === name)]?.array

  const tables = Object.entries(game.tables).map(([name, spec], i) =>
    createRows(name, columnsOf(i), spec.capacity, header, layout.countersAt + i * COUNTERS),
  ) as AnyTable[]
  const kinds = Object.entries(declaration.events ?? {})
  const eventCounters = new Uint32Array(kinds.length * COUNTERS)
  const events = kinds.map(([name, specs], i) => {
    const capacity = declaration.eventCapacity ?? 1024
    const columns = Object.entries(specs).map(([column, spec]) =>
      createColumn(column, spec, new ArrayBuffer(bytesPerRow(spec) * capacity), 0, capacity),
    )
    return createRows(name, columns, capacity, eventCounters, i * COUNTERS)
  })
  const random: Record<string, Uint32Array> = {}
  declaration.streams?.forEach((name, i) => {
    const at = STREAMS + i * STREAM_WORDS
    random[name] = header.subarray(at, at + STREAM_WORDS)
    startStream(random[name], seed, name)
  })
  const tuningValues = (arrayNamed('tuning') ?? new Float64Array(0)) as Float64Array
  tuningValues.set(Object.values(tuning))
  header[SEED_LOW] = seed >>> 0
  header[SEED_HIGH] = Math.floor(seed / 0x100000000)

  const globals: object = Object.create(refusingUnknown(() => ['global', 'globals', Object.keys(globals)]))
  const memory: Omit<Memory, 'block'> & { block?: MemoryBlock } = {
    layout,
    bytes,
    header,
    tuningValues,
    tables,
    events,
    eventCounters,
    columns,
    phases: [],
    status: 'ready',
    brokenBy: undefined,
    optionsKey: JSON.stringify(options),
  }
  const world = fastObject(worldAccessors, {
    game,
    options,
    tables: byName(tables),
    arrays: Object.fromEntries(Object.keys(declaration.arrays ?? {}).map((name) => [name, arrayNamed(name)])),
    globals,
    tuning: settings.used?.viewTuning(tuningSpecs, tuningValues) ?? {},
    random,
    events: byName(events),
    memory,
  }) as unknown as World<D>
  const block = (memory.block = createBlock(world as unknown as AnyWorld, bytes))
  for (const name of Object.keys(declaration.globals ?? {})) {
    defineGlobal(globals, name, arrayNamed(`globals.${name}`), block)
  }
  memory.phases.push(...startPhases(world as unknown as AnyWorld))
  return world as WorldOf<D>
}

/** A global is a property; what a rule writes to it is part of the rule's transaction. */
function defineGlobal(globals: object, name: string, cell: AnyColumnArray, block: MemoryBlock): void {
  const size = sizeOf(cell)
  const at = (cell.byteOffset - block.u8.byteOffset) / cell.BYTES_PER_ELEMENT
  const set = (value: number) => {
    if (block.isDeciding) note(block.journal, size, at, cell[0])
    cell[0] = value
  }
  defineAccessor(globals, name, () => cell[0], set)
}

const UNDRAWN = purposeOf('entropy')

/** What a world shows of the header. */
const worldAccessors = {
  get tick(): number {
    return this.memory.header[TICK]
  },
  get clock(): number {
    return this.memory.header[CLOCK]
  },
  get seed(): number {
    return this.memory.header[SEED_HIGH] * 0x100000000 + this.memory.header[SEED_LOW]
  },
  get entropy(): number {
    const { header } = this.memory
    // Derived, not stored: the state of a game that never asks is what it was without.
    return header[ENTROPY] || randomAt(this.seed, header[CLOCK], 0, 0, UNDRAWN)
  },
  get paused(): boolean {
    return this.memory.header[PAUSED] === 1
  },
  set paused(paused: boolean) {
    this.memory.header[PAUSED] = paused ? 1 : 0
  },
} as AnyWorld

/** Sets the time of a world that is filled from outside: a copy of a world for display, not one that is stepped. */
export function setTime({ memory: { header } }: AnyWorld, tick: number, clock: number): void {
  header[TICK] = tick
  header[CLOCK] = clock
}

/** Gives a world the entropy that was drawn for another: one that runs ahead cannot know it before. */
export function takeEntropy({ memory: { header } }: AnyWorld, from: AnyWorld): void {
  header[ENTROPY] = from.memory.header[ENTROPY]
}

/** How many bytes the block of a game takes, for callers with their own buffer. */
export function worldBytes(game: AnyGame): number {
  return game.layout.byteLength
}

function requireGame(game: AnyGame): void {
  if (game?.layout !== undefined) return
  throw new HurtboxError('bad-argument', 'game must be what defineGame returned.')
}

function requireBlock(byteLength: number, block: Uint8Array = new Uint8Array(byteLength)): Uint8Array {
  if (block?.BYTES_PER_ELEMENT === 1 && block.byteLength >= byteLength && block.byteOffset % 8 === 0) {
    return new Uint8Array(block.buffer, block.byteOffset, byteLength)
  }
  throw new HurtboxError(
    'bad-argument',
    `block must be a Uint8Array of at least ${byteLength} bytes at a multiple of 8.`,
  )
}

function createColumn(
  name: string,
  spec: ColumnSpec,
  buffer: ArrayBufferLike,
  byteOffset: number,
  rows: number,
): Column {
  const array = viewColumn(spec, buffer, byteOffset, rows)
  return { name, spec, width: columnWidth(spec), largest: largestValue(spec), array }
}

/** The phases of the game's behaviour, made ready to run in this world. */
function startPhases(world: AnyWorld): PhaseEntry[] {
  const { phases } = (world.game as Game).behaviour
  const listed =
    typeof phases === 'function' ? calling({ what: 'phases' }, () => phases(world.options as never)) : phases
  return Object.entries(listed).map(([name, phase]) => {
    // A number as a name would move to the front of the object, and so change the order of the phases.
    if (/^\d/.test(name)) throw new HurtboxError('bad-declaration', `phase "${name}" must not start with a digit.`)
    return startPhase(world, name, phase as Phase<Declaration>)
  })
}

function startPhase(world: AnyWorld, name: string, phase: Phase<Declaration>): PhaseEntry {
  const { whilePaused = false, create, run } = (phase ?? {}) as StartedPhase
  // A phase object may be shared by many worlds; what runs belongs to this one, so that a tool can wrap it.
  const running =
    typeof phase === 'function'
      ? { run: phase }
      : create
        ? calling({ what: `create of phase ${name}`, phase: name }, () => create.call(phase, world))
        : { run: run?.bind(phase) }
  if (typeof running?.run === 'function') return { name, whilePaused, phase: running as RunningPhase<Declaration> }
  throw new HurtboxError('bad-declaration', `phase "${name}" must be a function, { run(world) } or { create(world) }.`)
}

/** A phase of any form, as it may come from plain JavaScript. */
type StartedPhase = {
  readonly whilePaused?: boolean
  readonly create?: (world: AnyWorld) => Partial<RunningPhase<Declaration>> | undefined
  readonly run?: (world: World) => void
}

/**
 * Calls `around` in the place of each phase of this world, for tools that time phases or name what they throw. What the phase
 * returned is for these tools only: nothing, unless it is async.
 */
export function wrapPhases(world: AnyWorld, around: (name: string, run: () => unknown) => void): void {
  for (const { name, phase } of world.memory.phases) {
    const run = phase.run.bind(phase)
    phase.run = (given) => around(name, () => run(given))
  }
}

/** A copy has a fixed layout, the same in every world; see fast.ts. */
function byName<T extends { readonly name: string }>(items: readonly T[]): Record<string, T> {
  return { ...Object.fromEntries(items.map((item) => [item.name, item])) }
}
