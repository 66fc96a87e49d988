/**
 * Initial values of a row: checked first, so that a wrong one changes nothing, then written.
 *
 * Spawning is part of a tick, so the common case makes no garbage: names of columns are looked up in a map that is made once
 * per table, and the words of an error only when there is one.
 */

import { HurtboxError, requireInteger, requireQuantity, requireSize, unknownName } from '../../base/errors.ts'
import { columnType } from '../../state/columns.ts'
import type { Column, RowsBase } from '../../state/table.ts'
import { type AnyHandle, idOf } from './classes.ts'

/** Columns in which a negative value is wrong in every game. */
const SIZES: readonly string[] = ['radius', 'invMass']

/** Throws on a wrong name, or on a value that its column cannot hold. */
export function checkValues(rows: RowsBase, values: Readonly<Record<string, unknown>>, block: object): void {
  if (typeof values !== 'object' || values === null) {
    throw new HurtboxError('bad-argument', `the values of a row of ${rows.name} are an object: { x, y }.`)
  }
  const columns = columnsByName(rows)
  // biome-ignore lint/plugin: the order does not matter here, and a list of names would be garbage for every spawn.
  for (const name in values) {
    const column = columns.get(name)
    if (column === undefined) throw unknownName(`column of ${rows.name}`, name, [...columns.keys()])
    const value = values[name]
    if (typeof value === 'number' && fits(value, column)) continue
    if (column.spec === 'id' && (value as AnyHandle | null)?.$pool !== undefined) idOf(value as AnyHandle, block)
    else if (Array.isArray(value)) checkSeveral(value, column, `${rows.name}.${name}`)
    else requireValue(value, column, `${rows.name}.${name}`)
  }
}

export function writeValues(
  rows: RowsBase,
  row: number,
  values: Readonly<Record<string, unknown>>,
  block: object,
): void {
  const columns = columnsByName(rows)
  // biome-ignore lint/plugin: the order does not matter here, and a list of names would be garbage for every spawn.
  for (const name in values) {
    const { array, width } = columns.get(name)!
    const value = values[name]
    // Adding 0 turns −0 into 0, so that equal values have equal bits.
    if (typeof value === 'number') array[row * width] = value + 0
    else if (Array.isArray(value)) for (let i = 0; i < value.length; i++) array[row * width + i] = value[i] + 0
    else array[row] = idOf(value as AnyHandle, block)
  }
}

const named = new WeakMap<RowsBase, ReadonlyMap<string, Column>>()

/** The columns that can be given when a row is added. The layer of a thing is given by name, apart from the others. */
function columnsByName(rows: RowsBase): ReadonlyMap<string, Column> {
  let known = named.get(rows)
  if (known === undefined) {
    const fixed = rows.name === 'things' ? ['id', 'leaving', 'layer'] : ['id', 'leaving']
    const settable = rows.columns.filter(({ name }) => !fixed.includes(name))
    known = new Map(settable.map((column) => [column.name, column]))
    named.set(rows, known)
  }
  return known
}

/** Whether a value surely fits; what is left over is looked at closely. */
function fits(value: number, { spec, largest }: Column): boolean {
  return value >= 0 && value <= largest && (spec === 'f64' || value === Math.floor(value))
}

function checkSeveral(values: readonly unknown[], column: Column, label: string): void {
  requireInteger(values.length, `the number of values of ${label}`, 0, column.width)
  for (let i = 0; i < values.length; i++) requireValue(values[i], column, `${label}[${i}]`)
}

/** Throws unless `value` can be stored in the column without changing it. */
function requireValue(value: unknown, { name, spec, largest }: Column, label: string): void {
  if (columnType(spec) !== 'f64') requireInteger(value, label, 0, largest)
  else if (SIZES.includes(name)) requireSize(value, label)
  else requireQuantity(value, label)
}
