/**
 * A game: a declaration (plain data) and a behaviour (functions).
 *
 * The declaration says what there is: tables, layers, tuning, input, events. Everything generic derives from it, and it
 * is part of the fingerprint two builds must share to play. The behaviour says what happens: phases in order, and what
 * joining and leaving mean. They are two arguments because the types of the functions follow from the data.
 */

import { HurtboxError, requireFields } from '../base/errors.ts'
import type { ColumnSpec, ColumnSpecs } from '../state/columns.ts'
import { type ArraySpec, type Layout, layoutBlock, type TableSpec } from '../state/layout.ts'
import type { Id } from '../state/table.ts'
import { TABLE_COLUMNS } from '../state/table.ts'
import { checkColumns, checkDeclaration, FIELDS, taken } from './check-declaration.ts'
import { createHandleClasses, type HandleClasses } from './handles/classes.ts'
import type { Player, Thing } from './handles/types.ts'
import type { InputSpecs } from './input.ts'
import type { InputLayout } from './input-codes.ts'
import { layoutInput } from './input-kinds.ts'
import type { GivenFields, InputColumns } from './input-values.ts'
import { defineLayers, type LayerSpecs, type Layers } from './layers.ts'
import type { Checked, Exact } from './mistakes.ts'
import type { OptionSpecs, Options } from './options.ts'
import type { TuningSpecs } from './tuning.ts'
import type { World } from './world.ts'

/** Of a game that the compiler does not know: everything typed by it is then unchecked. */
// biome-ignore lint/suspicious/noExplicitAny: the one place that says so.
export type AnyDeclaration = any
export type IsAny<T> = 0 extends 1 & T ? true : false

/** Plain data that never changes during a match: maps, shapes, ability definitions. */
export type Content = { readonly [name: string]: unknown }

declare const REMEMBERS: unique symbol
/** What `rememberHits` returns: a number, marked because that function brings along what remembers. */
export type HitRoom = number & { readonly [REMEMBERS]: true }

export type Declaration = {
  readonly id: string
  /** Raised by hand with every deliberate change of behaviour. Default: 1. */
  readonly rulesVersion: number
  /** Ticks per second. */
  readonly tickRate: number
  /** Default: 0 to 8. */
  readonly seats: { readonly min: number; readonly max: number }
  readonly options?: OptionSpecs
  /** For each layer, the layers it meets. A layer meets itself only if it lists itself. */
  readonly layers?: LayerSpecs
  /** The game's own columns of things, besides those of every thing: place, speed, radius, kind, team, owner. */
  readonly things?: ColumnSpecs
  /** The most things there can be. Part of the game: it changes outcomes when full. Default: 1024. */
  readonly capacity: number
  /** The game's own columns of players, besides seat, team, thing and the input. */
  readonly players?: ColumnSpecs
  /** How many hits can be remembered at a time, for rules that hit `once`: `rememberHits(256)`. */
  readonly hits?: HitRoom
  /** Further tables: orders, casts, everything that is not a thing. */
  readonly tables?: Readonly<Record<string, TableSpec>>
  /** Fixed typed arrays: fog, counters of a foreign generator, recorded poses. */
  readonly arrays?: Readonly<Record<string, ArraySpec>>
  /** Single values: wave number, round clock. */
  readonly globals?: ColumnSpecs
  readonly tuning?: TuningSpecs
  /** Names of the random streams. */
  readonly streams?: readonly string[]
  readonly input?: InputSpecs
  /** What a player may bring along when joining, such as a skin or a loadout: fields like those of an input, for `onJoin`. */
  readonly join?: InputSpecs
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
  /** 1 when `attack` is the id of a thing, so that the entry is removed with that thing. */
  byThing: 'u8',
} as const

/**
 * A phase of the tick: reads and writes the world. Most are plain functions. A phase that needs scratch memory of its own
 * per world makes it in `create`, which is called once when a world is made.
 */
export type Phase<D extends Declaration> = ((world: World<D>) => void) | PhaseSpec<D>

export type PhaseSpec<D extends Declaration> = {
  /** Whether the phase also runs while the match is paused: menus, drafts, a countdown. */
  readonly whilePaused?: boolean
} & ({ run(world: World<D>): void } | { create(world: World<D>): RunningPhase<D> })

/** A phase in one world. */
export type RunningPhase<D extends Declaration> = {
  run(world: World<D>): void
  /** Called when the tick is over, before leaving rows are removed. */
  endTick?(world: World<D>): void
  /** Why the last run did or did not do something about two things. For `why`, of a phase that decides without `collide`. */
  explain?(world: World<D>, a: Id, b: Id): string
}

type Phases<D extends Declaration> = Readonly<Record<string, Phase<D>>>

/** How a match stands. */
export type Result = { readonly over: boolean; readonly winner?: string | number; readonly summary?: string }
export type Stats = Readonly<Record<string, number>>

/** Methods rather than function properties, so that generic code can hold the behaviour of any game. */
export type Behaviour<D extends Declaration> = {
  /** The phases of a tick, in order; a function where they depend on the options of the match. */
  readonly phases: Phases<D> | ((options: Options<SpecsOf<D['options']>>) => Phases<D>)
  /** Fills a new world. */
  setup?(world: World<D>): void
  /** A player took a seat. `data` is what the declared `join` asks for; `undefined` for bots and who brings nothing. */
  onJoin?(world: World<D>, player: Player<D>, data: JoinData<D> | undefined): void
  /** A player left its seat; the row goes when the tick ends. Default: the player's thing leaves, with all it owns. */
  onLeave?(world: World<D>, player: Player<D>): void
  /** Once this returns true, no further phase runs and the last state stands. */
  isOver?(world: World<D>): boolean
  /** Whether the match is over, and the winner. */
  result?(world: World<D>): Result
  /** Figures worth printing. */
  stats?(world: World<D>): Stats
  /** Whether a team may know of this thing: fog of war. Default: all teams see everything. */
  visible?(world: World<D>, team: number, thing: Thing<D>): boolean
}

/** What a player brought along: every field of the declared `join`, as it is given, rounded to what is declared. */
export type JoinData<D extends Declaration> =
  IsAny<D> extends true
    ? AnyJoinData
    : D['join'] extends InputSpecs
      ? GivenFields<D['join']>
      : Readonly<Record<string, never>>

/** Of a game that the compiler does not know. */
export type AnyJoinData = Readonly<Record<string, AnyDeclaration>>

type SpecsOf<S> = S extends OptionSpecs ? S : Record<never, never>

export type Game<D extends Declaration = Declaration> = {
  readonly declaration: D
  readonly behaviour: Behaviour<D>
  readonly layers: Layers
  readonly input: InputLayout
  /** Every table with all its columns, in the order of the memory block. */
  readonly tables: Readonly<Record<string, TableSpec>>
  readonly layout: Layout
  /** One class of handles per table, shared by all worlds of the game. */
  readonly handles: readonly HandleClasses[]
}

// biome-ignore lint/suspicious/noExplicitAny: a game of any declaration.
export type AnyGame = Game<any>

/**
 * Checks a declaration ({@link Declaration} says what can stand in it) and gives it its exact type.
 * `World<typeof declaration>` is then the type rules work with.
 *
 * @example
 * ```ts
 * import { createWorld, declareGame, defineGame, spawn } from 'hurtbox'
 *
 * const arena = declareGame({
 *   id: 'arena',
 *   tickRate: 60,
 *   layers: { sword: ['slime'], slime: [] }, // swords meet slimes
 *   things: { hp: 'f64' }, // besides the columns that every thing has
 * })
 * const world = createWorld(defineGame(arena, { phases: {} }))
 * console.log(spawn(world, 'slime', { hp: 30 }).hp) // 30
 * ```
 */
export function declareGame<const D>(declaration: Checked<D>): Exact<D> {
  return complete(declaration as unknown as DeclarationSpec) as unknown as Exact<D>
}

/** A declaration as it is written: what a first game does not care about can be left out. */
export type DeclarationSpec = Omit<Declaration, keyof typeof DEFAULTS> &
  Partial<Pick<Declaration, keyof typeof DEFAULTS>>

const DEFAULTS = { rulesVersion: 1, seats: { min: 0, max: 8 }, capacity: 1024 } as const

/** A checked declaration with the defaults filled in. */
function complete(spec: DeclarationSpec): Declaration {
  requireFields(spec, 'a declaration', FIELDS)
  const declaration: Declaration = { ...DEFAULTS, ...spec }
  checkDeclaration(declaration)
  return Object.freeze(declaration)
}

/**
 * Joins a declaration and its behaviour to a game.
 *
 * @example
 * ```ts
 * import { createWorld, declareGame, defineGame, each, spawn, step } from 'hurtbox'
 *
 * const arena = declareGame({ id: 'arena', tickRate: 60, layers: { slime: [] } })
 * const game = defineGame(arena, {
 *   setup: (world) => void spawn(world, 'slime', { vx: 2 }),
 *   phases: {
 *     crawl(world) {
 *       for (const slime of each(world, 'slime')) slime.x += slime.vx
 *     },
 *   },
 * })
 * const world = createWorld(game)
 * step(world)
 * console.log([...each(world)][0].x) // 2
 * ```
 */
export function defineGame<D extends Declaration>(declaration: D, behaviour: Behaviour<NoInfer<D>>): Game<D> {
  const full = Object.isFrozen(declaration) ? declaration : (complete(declaration) as D)
  requireFields(behaviour, 'the behaviour of a game', BEHAVIOUR)
  const phases: unknown = behaviour.phases
  if (typeof phases !== 'function' && (typeof phases !== 'object' || phases === null)) {
    throw new HurtboxError('bad-argument', 'defineGame takes a declaration and { phases: { … } }.')
  }
  const input = layoutInput(full.input ?? {})
  checkColumns(input.columns, 'input')
  const tables = completeTables(full, input)
  const layout = layoutBlock(full, tables)
  return Object.freeze({
    declaration: full,
    behaviour,
    layers: defineLayers(full.layers ?? {}),
    input,
    tables,
    layout,
    handles: createHandleClasses(layout, input.words),
  })
}

const BEHAVIOUR: readonly (keyof Behaviour<Declaration>)[] = [
  'phases',
  'setup',
  'onJoin',
  'onLeave',
  'isOver',
  'result',
  'stats',
  'visible',
]

/** The engine's tables first, then the game's, each with the columns that every table of its sort has. */
function completeTables(declaration: Declaration, input: InputLayout): Record<string, TableSpec> {
  const { things, players, hits, tables = {}, capacity, seats } = declaration
  const complete: Record<string, TableSpec> = {
    things: withColumns('things', THING_COLUMNS, things, capacity),
    players: withColumns('players', PLAYER_COLUMNS, mergeColumns('players', input.columns, players), seats.max),
  }
  if (hits !== undefined) complete.hits = withColumns('hits', HIT_COLUMNS, {}, hits)
  for (const [name, spec] of Object.entries(tables)) complete[name] = withColumns(name, {}, spec.columns, spec.capacity)
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

// The types of a world's parts, derived from the declaration.

type Columns<S> = S extends ColumnSpecs ? S : Record<never, never>
type InputOf<D extends Declaration> = D['input'] extends InputSpecs ? InputColumns<D['input']> : Record<never, never>
type OwnTables<D extends Declaration> = D['tables'] extends object ? D['tables'] : Record<never, never>

/** All columns of a table of the game, by name. */
export type ColumnsOf<D extends Declaration, Name extends string> = Name extends 'things'
  ? ThingColumns & Columns<D['things']>
  : Name extends 'players'
    ? PlayerColumns & InputOf<D> & Columns<D['players']>
    : Name extends 'hits'
      ? HitColumns
      : Name extends keyof OwnTables<D>
        ? OwnTables<D>[Name] extends { readonly columns: infer C }
          ? Columns<C>
          : Record<never, never>
        : Record<never, never>

export type OwnTableNames<D extends Declaration> = keyof OwnTables<D> & string
export type TableNames<D extends Declaration> =
  | 'things'
  | 'players'
  | (D['hits'] extends number ? 'hits' : never)
  | OwnTableNames<D>
