/** Whether a declaration can be played: every mistake in it is refused by name, before anything is made of it. */

import { HurtboxError, requireFields, requireFinite, requireInteger } from '../base/errors.ts'
import { type ColumnSpecs, requireColumnSpec, requireName } from '../state/columns.ts'
import { RESERVED_NAMES, TABLE_COLUMNS } from '../state/table.ts'
import type { Declaration } from './game.ts'
import { checkSettings } from './settings.ts'

/** The engine's own tables, and what `hashTables` calls the parts that are not tables. */
const ENGINE_NAMES: readonly string[] = ['things', 'players', 'hits', 'header', 'arrays']
export const MAX_ROWS = 1 << 24

export const FIELDS: readonly (keyof Declaration)[] = [
  'id',
  'rulesVersion',
  'tickRate',
  'seats',
  'options',
  'layers',
  'things',
  'capacity',
  'players',
  'hits',
  'tables',
  'arrays',
  'globals',
  'tuning',
  'streams',
  'input',
  'join',
  'events',
  'eventCapacity',
  'content',
]

export function checkDeclaration(declaration: Declaration): void {
  const {
    id,
    rulesVersion,
    tickRate,
    seats,
    tables = {},
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
  requireInteger(declaration.capacity, 'capacity', 1, MAX_ROWS)
  if (declaration.hits !== undefined) requireInteger(declaration.hits, 'hits', 1, MAX_ROWS)
  checkColumns(declaration.things ?? {}, 'things')
  checkColumns(declaration.players ?? {}, 'players')
  for (const [name, spec] of Object.entries(tables)) {
    requireName(name, 'table')
    if (ENGINE_NAMES.includes(name)) throw taken(`the table "${name}"`)
    requireFields(spec, `table ${name}`, ['capacity', 'columns'])
    requireInteger(spec.capacity, `the capacity of table ${name}`, 1, MAX_ROWS)
    checkColumns(spec.columns, `table ${name}`)
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
  checkSettings(declaration.tuning ?? {}, 'tuning value', 'tune(…) or seconds(…)')
  checkSettings(declaration.options ?? {}, 'option', 'flag(…), oneOf(…) or whole(…)')
}

/** For a name that the engine needs for itself. */
export function taken(what: string): HurtboxError {
  return mistake(`${what} is the engine's own; use another name.`)
}

function mistake(message: string): HurtboxError {
  return new HurtboxError('bad-declaration', message)
}

/** Content is shared by all worlds of a game, so it must not change. Typed arrays cannot be frozen; they are trusted. */
function freezeDeep(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value) || ArrayBuffer.isView(value)) return
  Object.freeze(value)
  for (const part of Object.values(value)) freezeDeep(part)
}

export function checkColumns(columns: ColumnSpecs, what: string): void {
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
