/**
 * Which parts of a world are sent to terminals, and in which steps: derived from the declaration.
 *
 * Every column becomes a whole number per value: floats in steps (1/256 by default), everything else as it is. Left out by
 * default is what no view draws or may show: the hit ledger, recorded poses, the inputs of other players, fixed arrays. In a
 * game with fog (`behaviour.visible`) only things and players are sent unless the room's options name more tables, things
 * that the viewer does not see are left out, and their ids are sent as 0. Of players of other teams only seat, team and
 * thing are sent.
 */

import { HurtboxError } from 'hurtbox'
import type { AnyGame, ColumnSpec } from 'hurtbox/tools'

export type TerminalOptions = {
  /** Ticks between two frames. Default: about 20 frames a second. */
  readonly every?: number
  /** Steps of single columns, by `table.column`: `{ 'things.heading': 1 / 512 }`. */
  readonly steps?: Readonly<Record<string, number>>
  /** Columns and tables that are not sent: `things.throttle`, `marks`. */
  readonly hide?: readonly string[]
  /**
   * What is sent besides the default in a game with fog, to every viewer: tables (`marks`), columns of players of all teams
   * (`players.kills`), globals (`globals.wave`).
   */
  readonly show?: readonly string[]
  /** Fixed arrays that are sent. */
  readonly arrays?: readonly string[]
  /**
   * Phases that a terminal runs on what it was sent, to compute what follows from it: which part of the map a team sees.
   * Default: none.
   */
  readonly derive?: readonly string[]
  /** Kinds of events that are sent. Default: all, in a game without fog. */
  readonly events?: readonly string[]
}

/** One number of a row. */
export type WireValue = {
  readonly column: string
  /** Place among the values of the column. */
  readonly index: number
  readonly width: number
  /** `float` in steps · `id` of a thing, hidden with it · `whole` as it is. */
  readonly kind: 'float' | 'id' | 'whole'
  readonly step: number
}

export type WireTable = {
  readonly name: string
  readonly values: readonly WireValue[]
  /** The places of x, y, vx and vy among the values: a row that moves straight is sent once. x is −1 if any is missing. */
  readonly x: number
  readonly y: number
  readonly vx: number
  readonly vy: number
  /** Quanta of place per quantum of speed and tick. */
  readonly quantaPerTick: number
  /** The place of `kind` among the values: new rows are sent as differences to another row of their kind. */
  readonly kindAt: number
  /** Places among the values that only the player's own team is sent. */
  readonly privateAt: readonly number[]
}

export type Scheme = {
  readonly game: AnyGame
  readonly every: number
  readonly hasFog: boolean
  readonly tables: readonly WireTable[]
  /** Arrays and globals, as the values of one row. */
  readonly singles: readonly (WireValue & { readonly array: string })[]
  readonly derive: readonly string[]
  /** Places among the fields of an input that name a thing. */
  readonly thingFields: readonly number[]
  readonly events: readonly { readonly name: string; readonly kind: number; readonly values: readonly WireValue[] }[]
}

const DEFAULT_STEP = 1 / 256
const FRAMES_PER_SECOND = 20
/** Bookkeeping that no view draws. */
const NEVER = ['hits', 'poses']
/** What all viewers get of every player. */
const PUBLIC_OF_PLAYERS = ['seat', 'team', 'thing']

export function schemeOf(game: AnyGame, options: TerminalOptions = {}): Scheme {
  const { declaration } = game
  const hasFog = 'visible' in game.behaviour && game.behaviour.visible !== undefined
  const hidden = new Set(options.hide ?? [])
  const inputColumns = Object.keys(game.input.columns)
  const steps = options.steps ?? {}

  const tables = Object.entries(game.tables).flatMap(([name, { columns }]): WireTable[] => {
    const isShown = !hasFog || name === 'things' || name === 'players' || options.show?.includes(name)
    if (!isShown || NEVER.includes(name) || hidden.has(name)) return []
    const values = Object.entries(columns).flatMap(([column, spec]) => {
      // The id is sent separately, and rows that are leaving are removed by the end of a tick.
      const isEngines = column === 'id' || column === 'leaving'
      const isInput = name === 'players' && inputColumns.includes(column)
      return isEngines || isInput || hidden.has(`${name}.${column}`)
        ? []
        : valuesOf(column, spec, steps[`${name}.${column}`])
    })
    const at = (column: string) => values.findIndex((value) => value.column === column)
    const [x, y, vx, vy] = [at('x'), at('y'), at('vx'), at('vy')]
    const flies = x >= 0 && y >= 0 && vx >= 0 && vy >= 0
    const quantaPerTick = flies ? values[vx].step / values[x].step / declaration.tickRate : 0
    const isPrivate = ({ column }: WireValue) =>
      hasFog &&
      name === 'players' &&
      !PUBLIC_OF_PLAYERS.includes(column) &&
      !options.show?.includes(`players.${column}`)
    const privateAt = values.flatMap((value, i) => (isPrivate(value) ? [i] : []))
    return [{ name, values, privateAt, x: flies ? x : -1, y, vx, vy, quantaPerTick, kindAt: at('kind') }]
  })

  const arrays = (options.arrays ?? []).map((name) => {
    const spec = declaration.arrays?.[name]
    if (spec === undefined) throw new HurtboxError('unknown-name', `${declaration.id} has no array "${name}" to show.`)
    return [name, { type: spec.type, width: spec.length }] as const
  })
  const globals = Object.entries((declaration.globals ?? {}) as Record<string, ColumnSpec>).filter(
    ([name]) => !hidden.has(`globals.${name}`) && (!hasFog || options.show?.includes(`globals.${name}`)),
  )
  const singles = [
    ...arrays.flatMap(([name, spec]) => valuesOf(name, spec, steps[name]).map((value) => ({ ...value, array: name }))),
    ...globals.flatMap(([name, spec]) =>
      valuesOf(name, spec, steps[`globals.${name}`]).map((value) => ({ ...value, array: `globals.${name}` })),
    ),
  ]

  const eventNames = Object.keys(declaration.events ?? {})
  const events = (options.events ?? (hasFog ? [] : eventNames)).map((name) => {
    const kind = eventNames.indexOf(name)
    if (kind < 0) throw new HurtboxError('unknown-name', `${declaration.id} has no event "${name}" to show.`)
    const columns = declaration.events[name] as Record<string, ColumnSpec>
    return {
      name,
      kind,
      values: Object.entries(columns).flatMap(([column, spec]) => valuesOf(column, spec, undefined)),
    }
  })

  return {
    game,
    every: options.every ?? Math.max(1, Math.round(declaration.tickRate / FRAMES_PER_SECOND)),
    hasFog,
    tables,
    singles,
    derive: options.derive ?? [],
    thingFields: game.input.fields.flatMap(({ column }: { column: string }, i: number) =>
      typeOf(game.input.columns[column]) === 'id' ? [i] : [],
    ),
    events,
  }
}

function valuesOf(column: string, spec: ColumnSpec, step: number | undefined): WireValue[] {
  const type = typeOf(spec)
  const width = typeof spec === 'string' ? 1 : spec.width
  const kind = type === 'f64' ? 'float' : type === 'id' ? 'id' : 'whole'
  return Array.from({ length: width }, (_, index) => ({
    column,
    index,
    width,
    kind,
    step: kind === 'float' ? (step ?? DEFAULT_STEP) : 1,
  }))
}

function typeOf(spec: ColumnSpec): string {
  return typeof spec === 'string' ? spec : spec.type
}
