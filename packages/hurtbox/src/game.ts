/**
 * A game: a declaration (plain data) and a behaviour (functions).
 *
 * The declaration says what there is: tables, layers, tuning, input, events. Everything generic derives from it, and it
 * is part of the fingerprint two builds must share to play. The behaviour says what happens: phases in order, and what
 * joining and leaving mean. They are two arguments because the types of the functions follow from the data.
 */

import { type ColumnSpec, type ColumnSpecs, requireColumnSpec, requireName } from './columns.ts'
import { HurtboxError, requireFields, requireFinite, requireInteger } from './errors.ts'
import type { InputColumns, InputSpecs } from './input.ts'
import { type InputLayout, layoutInput } from './input-codes.ts'
import { defineLayers, type LayerSpecs, type Layers } from './layers.ts'
import { type Layout, layoutBlock } from './layout.ts'
import type { Checked, Exact } from './mistakes.ts'
import { checkOptionSpecs, type OptionSpecs, type Options } from './options.ts'
import { RESERVED_NAMES, TABLE_COLUMNS } from './table.ts'
import { checkTuning, type TuningSpecs } from './tuning.ts'
import type { World } from './world.ts'

export type TableSpec = {
  /** The most rows there can be. Part of the game: it changes outcomes when full. */
  readonly capacity: number
  readonly columns: ColumnSpecs
}

/** A table as a game declares it. Its columns come on top of those that every table of its sort has, if it needs any. */
type OwnTable = Pick<TableSpec, 'capacity'> & Partial<TableSpec>

export type ArraySpec = { readonly type: 'f64' | 'u32' | 'u16' | 'u8'; readonly length: number }

/** Plain data that never changes during a match: maps, shapes, ability definitions. */
export type Content = { readonly [name: string]: unknown }

export type Declaration = {
  readonly id: string
  /** Raised by hand with every deliberate change of behaviour. */
  readonly rulesVersion: number
  /** Ticks per second. */
  readonly tickRate: number
  readonly seats: { readonly min: number; readonly max: number }
  readonly options?: OptionSpecs
  readonly layers?: LayerSpecs
  /**
   * The game's tables. `things` has the columns of a body besides its own, `players` (one row per seat taken) those of
   * a player and its input; `hits` is the hit ledger of the rules that use one. Their capacity is given here too, except
   * that of `players`, which is the number of seats.
   */
  readonly tables: { readonly things: OwnTable } & Readonly<
    Record<string, OwnTable | { readonly columns: ColumnSpecs }>
  >
  /** Fixed typed arrays: fog, counters of a foreign generator, recorded poses. */
  readonly arrays?: Readonly<Record<string, ArraySpec>>
  /** Single values: wave number, round clock. */
  readonly globals?: ColumnSpecs
  readonly tuning?: TuningSpecs
  /** Names of the random streams. */
  readonly streams?: readonly string[]
  readonly input?: InputSpecs
  /** Kinds of events, each with its fields. */
  readonly events?: Readonly<Record<string, ColumnSpecs>>
  /** How many events of one kind fit into a tick; more are counted and reported. */
  readonly eventCapacity?: number
  readonly content?: Content
}

/** The columns of a thing, before what the game adds. */
type ThingColumns = typeof THING_COLUMNS
const THING_COLUMNS = {
  /** What the thing is to its game. */
  kind: 'u8',
  layer: 'u8',
  team: 'u8',
  /** The thing that made this one; a bullet's shooter. */
  owner: 'id',
  /** Counts jumps (wrap, respawn, dock), so that views do not draw the way between. */
  teleports: 'u8',
  x: 'f64',
  y: 'f64',
  vx: 'f64',
  vy: 'f64',
  radius: 'f64',
} as const

type PlayerColumns = typeof PLAYER_COLUMNS
const PLAYER_COLUMNS = {
  seat: 'u8',
  team: 'u8',
  /** The thing this player controls. */
  thing: 'id',
} as const

/** The hit ledger: `attack` has hit `victim` and may not again before the clock shows `until`. */
type HitColumns = typeof HIT_COLUMNS
const HIT_COLUMNS = {
  attack: 'id',
  victim: 'id',
  until: 'timer',
  /** 1 when `attack` is the id of a thing, so that the entry can go when that thing goes. */
  byThing: 'u8',
} as const

/** A phase of the tick: reads and writes the world. */
export type Phase<D extends Declaration> = ((world: World<D>) => void) & {
  readonly whilePaused?: boolean
  /** Called once when a world is made: the place to refuse what can never work. */
  readonly prepare?: (world: World<D>) => void
}

/** How a match stands. */
export type Result = { readonly over: boolean; readonly winner?: string | number; readonly summary?: string }
export type Stats = Readonly<Record<string, number>>

/** Methods rather than function properties, so that generic code can hold the behaviour of any game. */
export type Behaviour<D extends Declaration> = {
  /** Fills a new world. */
  setup?(world: World<D>): void
  /** A player took a seat; `row` is its row in `players`. */
  onJoin?(world: World<D>, row: number): void
  /** A player left its seat; its row goes when the tick ends. */
  onLeave?(world: World<D>, row: number): void
  /** The phases of a tick, in order. Called once per world. */
  phases(options: Options<SpecsOf<D['options']>>): Readonly<Record<string, Phase<D>>>
  /** Whether the match is over, and who won. */
  result?(world: World<D>): Result
  /** Figures worth printing. */
  stats?(world: World<D>): Stats
  /** Whether `side` (a team) may know of the thing in this row of `things`: fog of war. Left out, everybody sees all. */
  visible?(world: World<D>, side: number, row: number): boolean
}

type SpecsOf<S> = S extends OptionSpecs ? S : Record<never, never>

export type Game<D extends Declaration = Declaration> = {
  readonly declaration: D
  readonly behaviour: Behaviour<D>
  readonly layers: Layers
  readonly input: InputLayout
  /** Every table with all its columns, in the order of the memory block. */
  readonly tables: Readonly<Record<string, TableSpec>>
  readonly layout: Layout
}

// biome-ignore lint/suspicious/noExplicitAny: a game of any declaration.
export type AnyGame = Game<any>

/** What `hashTables` calls the parts that are no tables. */
const HASHED_PARTS: readonly string[] = ['header', 'arrays']

/**
 * Checks a declaration ({@link Declaration} says what can stand in it) and gives it its exact type.
 * `World<typeof declaration>` is then the type rules work with.
 */
export function declareGame<const D>(declaration: Checked<D>): Exact<D> {
  checkDeclaration(declaration as Declaration)
  return declaration as Exact<D>
}

const FIELDS: readonly (keyof Declaration)[] = [
  'id',
  'rulesVersion',
  'tickRate',
  'seats',
  'options',
  'layers',
  'tables',
  'arrays',
  'globals',
  'tuning',
  'streams',
  'input',
  'events',
  'eventCapacity',
  'content',
]

function checkDeclaration(declaration: Declaration): void {
  requireFields(declaration, 'a declaration', FIELDS)
  const {
    id,
    rulesVersion,
    tickRate,
    seats,
    tables,
    arrays = {},
    globals = {},
    events = {},
    streams = [],
  } = declaration
  if (typeof id !== 'string' || !/^[a-z][a-z0-9-]*$/.test(id)) {
    throw mistake(`the id of a game is small letters, digits and dashes, got "${id}".`)
  }
  requireInteger(rulesVersion, 'rulesVersion', 1, 1e9)
  requireFinite(tickRate, 'tickRate')
  if (tickRate <= 0 || tickRate > 1000) {
    throw new HurtboxError('out-of-range', `tickRate must be above 0 and at most 1000, got ${tickRate}.`)
  }
  requireFields(seats, 'seats', ['min', 'max'])
  requireInteger(seats.min, 'seats.min', 0, 255)
  requireInteger(seats.max, 'seats.max', Math.max(1, seats.min), 255)
  if (tables?.things === undefined) throw mistake('a game needs the table "things".')
  for (const [name, spec] of Object.entries(tables)) {
    requireName(name, 'table')
    if (HASHED_PARTS.includes(name)) {
      throw taken(`the table "${name}"`)
    }
    requireFields(spec, `table ${name}`, ['capacity', 'columns'])
    if (name !== 'players') {
      requireInteger((spec as OwnTable).capacity, `the capacity of table ${name}`, 1, 1 << 24)
    }
    checkColumns(spec.columns ?? {}, `table ${name}`)
  }
  for (const [name, spec] of Object.entries(arrays)) {
    requireName(name, 'array')
    if (name === 'tuning') throw taken('the array "tuning"')
    requireColumnSpec(spec?.type, `array ${name}`)
    requireInteger(spec.length, `the length of array ${name}`, 1, 1 << 26)
  }
  for (const [name, spec] of Object.entries(globals)) {
    requireName(name, 'global')
    if (typeof requireColumnSpec(spec, `global ${name}`) === 'object') {
      throw mistake(`global ${name} is a single value; for several use an array.`)
    }
  }
  for (const [name, columns] of Object.entries(events)) {
    requireName(name, 'event')
    checkColumns(columns, `event ${name}`)
    for (const key of ['tick', 'kind', 'n']) {
      if (key in columns) {
        throw taken(`the field "${key}" of event ${name}`)
      }
    }
  }
  if (!Array.isArray(streams)) throw mistake('streams must be a list of names.')
  for (const name of streams) requireName(name, 'random stream')
  if (new Set(streams).size < streams.length) {
    throw mistake(`a random stream is named twice in ${streams.join(', ')}.`)
  }
  requireInteger(declaration.eventCapacity ?? 1, 'eventCapacity', 1, 1 << 24)
  freezeDeep(declaration.content)
  checkTuning(declaration.tuning ?? {})
  checkOptionSpecs(declaration.options ?? {})
}

/** Joins what there is and what happens to a game. */
export function defineGame<D extends Declaration>(declaration: D, behaviour: Behaviour<NoInfer<D>>): Game<D> {
  checkDeclaration(declaration)
  if (typeof behaviour?.phases !== 'function') {
    throw new HurtboxError('bad-argument', 'defineGame takes a declaration and { phases: (options) => ({ … }) }.')
  }
  const input = layoutInput(declaration.input ?? {})
  checkColumns(input.columns, 'input')
  const tables = completeTables(declaration, input)
  return Object.freeze({
    declaration,
    behaviour,
    layers: defineLayers(declaration.layers ?? {}),
    input,
    tables,
    layout: layoutBlock(declaration, tables),
  })
}

/** Lets a phase run while the match is paused as well: menus, drafts, counting down to the start. */
export function alsoWhilePaused<D extends Declaration>(phase: (world: World<D>) => void): Phase<D> {
  return Object.assign((world: World<D>) => phase(world), { whilePaused: true })
}

/** The phases of a match that can end: from the moment `isOver` says so none of them runs, and the last picture stands. */
export function untilOver<D extends Declaration>(
  isOver: (world: World<D>) => boolean,
  phases: Readonly<Record<string, Phase<D>>>,
): Readonly<Record<string, Phase<D>>> {
  const ending = (phase: Phase<D>): Phase<D> => {
    const run = (world: World<D>) => {
      if (!isOver(world)) phase(world)
    }
    // What a phase is beside a function (made for pauses, checked beforehand) it stays.
    return Object.assign(run, phase)
  }
  return Object.fromEntries(Object.entries(phases).map(([name, phase]) => [name, ending(phase)]))
}

/** The engine's tables first, then the game's, each with the columns that every table of its sort has. */
function completeTables(declaration: Declaration, input: InputLayout): Record<string, TableSpec> {
  const { things, players, hits, ...others } = declaration.tables as Record<string, OwnTable | undefined>
  const complete: Record<string, TableSpec> = {
    things: withColumns('things', THING_COLUMNS, things!.columns, things!.capacity),
    players: withColumns(
      'players',
      PLAYER_COLUMNS,
      mergeColumns('players', input.columns, players?.columns),
      declaration.seats.max,
    ),
  }
  if (hits !== undefined) complete.hits = withColumns('hits', HIT_COLUMNS, hits.columns, hits.capacity)
  for (const [name, spec] of Object.entries(others))
    complete[name] = withColumns(name, {}, spec!.columns, spec!.capacity)
  return complete
}

function withColumns(table: string, base: ColumnSpecs, own: ColumnSpecs | undefined, capacity: number): TableSpec {
  return { capacity, columns: { ...TABLE_COLUMNS, ...mergeColumns(table, base, own) } }
}

function mergeColumns(table: string, base: ColumnSpecs, own: ColumnSpecs = {}): Record<string, ColumnSpec> {
  for (const name of Object.keys(own)) {
    if (!Object.hasOwn(base, name)) continue
    throw taken(`the column "${name}" of table ${table}`)
  }
  return { ...base, ...own }
}

/** For a name that the engine needs for itself. */
function taken(what: string): HurtboxError {
  return mistake(`${what} is the engine's own; use another name.`)
}

function mistake(message: string): HurtboxError {
  return new HurtboxError('bad-declaration', message)
}

/** Content is shared by all worlds of a game, so nobody may change it. Typed arrays cannot be frozen; they are trusted. */
function freezeDeep(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value) || ArrayBuffer.isView(value)) return
  Object.freeze(value)
  for (const part of Object.values(value)) freezeDeep(part)
}

function checkColumns(columns: ColumnSpecs, what: string): void {
  if (typeof columns !== 'object' || columns === null) {
    throw mistake(`the columns of ${what} are an object: { name: 'f64', … }.`)
  }
  for (const [name, spec] of Object.entries(columns)) {
    requireName(name, `column of ${what}`)
    requireColumnSpec(spec, `column ${name} of ${what}`)
    if (RESERVED_NAMES.includes(name) || Object.hasOwn(TABLE_COLUMNS, name)) {
      throw taken(`the column "${name}" of ${what}`)
    }
  }
}

// The types of a world's parts, derived from the declaration.

type OwnColumns<D extends Declaration, Name extends string> = D['tables'][Name] extends {
  columns: infer C extends ColumnSpecs
}
  ? C
  : Record<never, never>
type InputOf<D extends Declaration> = D['input'] extends InputSpecs ? InputColumns<D['input']> : Record<never, never>

/** All columns of a table of the game, by name. */
export type ColumnsOf<D extends Declaration, Name extends string> = Name extends 'things'
  ? ThingColumns & OwnColumns<D, 'things'>
  : Name extends 'players'
    ? PlayerColumns & InputOf<D> & OwnColumns<D, 'players'>
    : Name extends 'hits'
      ? HitColumns & OwnColumns<D, 'hits'>
      : OwnColumns<D, Name>
export type TableNames<D extends Declaration> = (keyof D['tables'] & string) | 'players'
