/**
 * Input: what one player asks for in one tick, as a few whole numbers.
 *
 * Every field has a *code*, a whole number from 0 to 2³² − 1, and a value that follows from the code alone. A value is
 * brought to its code at the door (so all peers see the same bits) and the codes are what files and the wire carry.
 * Levels (axis, button, point, choice, thing, fixed) hold until replaced. A press is a count, not a bit: folding two
 * inputs adds the counts, so that no stall loses or doubles one.
 */

import { type ColumnSpec, type ColumnSpecs, requireName } from './columns.ts'
import { HurtboxError, requireFinite, requireInteger, unknownName } from './errors.ts'
import type { RowsBase } from './table.ts'

type Axis = { readonly kind: 'axis' }
type Button = { readonly kind: 'button' }
type Press = { readonly kind: 'press' }
type Thing = { readonly kind: 'thing' }
type Choice = { readonly kind: 'choice'; readonly names: readonly string[] }
type Fixed = { readonly kind: 'fixed'; readonly min: number; readonly max: number; readonly step: number }
type Point = { readonly kind: 'point'; readonly min: number; readonly max: number; readonly step: number }
type ScalarSpec = Axis | Button | Press | Thing | Choice | Fixed
type ItemSpecs = Readonly<Record<string, ScalarSpec | Point>>
type List = { readonly kind: 'list'; readonly max: number; readonly fields: ItemSpecs }

export type InputSpec = ScalarSpec | Point | List
export type InputSpecs = Readonly<Record<string, InputSpec>>

/** −1 … 1 in 255 steps. */
export const axis = (): Axis => ({ kind: 'axis' })
/** Held or not. */
export const button = (): Button => ({ kind: 'button' })
/** How often it was pressed since the last input (0 … 255). */
export const press = (): Press => ({ kind: 'press' })
/** The id of a thing, 0 for none. Whether it exists is for the rules to ask. */
export const thing = (): Thing => ({ kind: 'thing' })
/** One of up to 256 names; the first is the idle one. */
export function choice<const N extends readonly [string, ...string[]]>(
  names: N,
): { readonly kind: 'choice'; readonly names: N } {
  requireInteger(names.length, 'the number of names of a choice', 1, 256)
  return { kind: 'choice', names }
}
/** A number from `min` to `max` in steps. */
export const fixed = (range: StepRange): Fixed => ({ kind: 'fixed', ...checkRange(range) })
/** A place: two `fixed` numbers, x and y. */
export const point = (range: StepRange): Point => ({ kind: 'point', ...checkRange(range) })
/** Up to `max` records a tick, for games of orders. */
export function list<const F extends ItemSpecs>(
  max: number,
  fields: F,
): { readonly kind: 'list'; readonly max: number; readonly fields: F } {
  requireInteger(max, 'max', 1, 64)
  return { kind: 'list', max, fields }
}

type StepRange = { readonly min: number; readonly max: number; readonly step: number }

type ItemValue<S> = S extends Point
  ? { readonly x: number; readonly y: number }
  : S extends Button
    ? boolean
    : S extends { kind: 'choice'; names: readonly (infer N)[] }
      ? N
      : number

type InputValue<S> = S extends { kind: 'list'; fields: infer F }
  ? readonly { readonly [K in keyof F]?: ItemValue<F[K]> }[]
  : ItemValue<S>

/** The input of one seat for one tick. A field left out is idle. */
export type PlayerInput<S extends InputSpecs = InputSpecs> = { readonly seat: number } & {
  readonly [K in keyof S]?: InputValue<S[K]>
}

type ScalarColumn<S> = S extends Button | Press | Choice ? 'u8' : S extends Thing ? 'id' : 'f64'
type Columns<Name extends string, S> = S extends Point
  ? { readonly [K in `${Name}X` | `${Name}Y`]: 'f64' }
  : S extends { kind: 'list'; fields: infer F extends ItemSpecs }
    ? { readonly [K in `${Name}Count`]: 'u8' } & Union<
        { [K in keyof F & string]: WideColumns<`${Name}${Capitalize<K>}`, F[K]> }[keyof F & string]
      >
    : { readonly [K in Name]: ScalarColumn<S> }
type WideColumns<Name extends string, S> = S extends Point
  ? { readonly [K in `${Name}X` | `${Name}Y`]: { type: 'f64'; width: number } }
  : { readonly [K in Name]: { type: ScalarColumn<S>; width: number } }
type Union<U> = (U extends unknown ? (u: U) => void : never) extends (i: infer I) => void ? I : never

/** The columns of `players` that hold the current input of each seat. A point `aim` becomes `aimX` and `aimY`. */
export type InputColumns<S extends InputSpecs> = {
  [K in keyof Merged<S>]: Merged<S>[K] extends ColumnSpec ? Merged<S>[K] : never
}
type Merged<S extends InputSpecs> = Union<{ [K in keyof S & string]: Columns<K, S[K]> }[keyof S & string]>

/** One number of an input: where its value stands, and how values and codes correspond. */
type Field = {
  readonly column: string
  readonly index: number
  readonly label: string
  /** Reads the code out of a player's input; throws a readable error on anything that does not fit. */
  readonly codeOf: (input: Record<string, unknown>) => number
  readonly valueOf: (code: number) => number
  readonly largestCode: number
  /** A press or a list counts for one tick; everything else holds until replaced. */
  readonly isLevel: boolean
  /** For the length of a list: how many fields after it belong to the list. */
  readonly listFields: number
}

/** The input declaration, flattened: an input is exactly `fields.length` codes. */
export type InputLayout = {
  readonly specs: InputSpecs
  readonly fields: readonly Field[]
  readonly columns: ColumnSpecs
}

export function layoutInput(specs: InputSpecs): InputLayout {
  const fields: Field[] = []
  const columns: Record<string, ColumnSpec> = {}
  for (const [name, spec] of Object.entries(specs)) {
    requireName(name, 'input field')
    if (name === 'seat') throw new HurtboxError('bad-declaration', 'input field "seat" is taken: it names the player.')
    if (spec.kind !== 'list') {
      for (const part of partsOf(name, spec)) {
        if (part.column in columns) {
          throw new HurtboxError('bad-declaration', `two input fields need the column "${part.column}"; rename one.`)
        }
        columns[part.column] = columnOf(part.spec)
        fields.push(makeField(part.spec, part.column, 0, name, (input) => part.read(input[name])))
      }
      continue
    }
    columns[`${name}Count`] = 'u8'
    const lengthAt = fields.length
    for (let index = 0; index < spec.max; index++) {
      for (const [itemName, itemSpec] of Object.entries(spec.fields)) {
        const column = `${name}${itemName[0].toUpperCase()}${itemName.slice(1)}`
        for (const part of partsOf(column, itemSpec)) {
          columns[part.column] = { type: columnOf(part.spec), width: spec.max }
          const label = `${name}[${index}].${itemName}`
          fields.push(
            makeField(part.spec, part.column, index, label, (input) =>
              part.read(listOf(input[name], spec, name)[index]?.[itemName]),
            ),
          )
        }
      }
    }
    fields.splice(lengthAt, 0, {
      column: `${name}Count`,
      index: 0,
      label: name,
      isLevel: false,
      listFields: fields.length - lengthAt,
      largestCode: spec.max,
      codeOf: (input) => listOf(input[name], spec, name).length,
      valueOf: (code) => code,
    })
  }
  return { specs, fields, columns }
}

/** Writes the codes of `input` into `codes`. Throws, naming the field, when a value does not fit. */
export function encodeInput(layout: InputLayout, input: PlayerInput, codes: Uint32Array): void {
  for (const name of Object.keys(input)) {
    if (name !== 'seat' && !Object.hasOwn(layout.specs, name)) {
      throw unknownName('input field', name, Object.keys(layout.specs))
    }
  }
  const record = input as unknown as Record<string, unknown>
  for (let i = 0; i < layout.fields.length; i++) codes[i] = layout.fields[i].codeOf(record)
}

/** The codes of a player who asks for nothing. */
export function idleCodes(layout: InputLayout): Uint32Array {
  const codes = new Uint32Array(layout.fields.length)
  encodeInput(layout, { seat: 0 }, codes)
  return codes
}

/** Writes the values of `codes` into the input columns of `players`. */
export function applyCodes(
  layout: InputLayout,
  players: RowsBase,
  row: number,
  codes: ArrayLike<number>,
  at = 0,
): void {
  const columns = players as unknown as Record<string, Float64Array>
  for (let i = 0; i < layout.fields.length; i++) {
    const field = layout.fields[i]
    const spec = layout.columns[field.column]
    columns[field.column][row * (typeof spec === 'string' ? 1 : spec.width) + field.index] = field.valueOf(
      codes[at + i],
    )
  }
}

/** A tick without news from a player: levels hold, presses are over. */
export function clearPresses(layout: InputLayout, players: RowsBase, row: number): void {
  const columns = players as unknown as Record<string, Float64Array>
  for (let i = 0; i < layout.fields.length; i++) {
    const field = layout.fields[i]
    if (field.isLevel) continue
    const spec = layout.columns[field.column]
    columns[field.column][row * (typeof spec === 'string' ? 1 : spec.width) + field.index] = 0
  }
}

/** Whether applying `codes` would leave the player's columns as a tick without any input would. */
export function saysNothing(
  layout: InputLayout,
  players: RowsBase,
  row: number,
  codes: ArrayLike<number>,
  at: number,
): boolean {
  const columns = players as unknown as Record<string, Float64Array>
  for (let i = 0; i < layout.fields.length; i++) {
    const field = layout.fields[i]
    const spec = layout.columns[field.column]
    const now = columns[field.column][row * (typeof spec === 'string' ? 1 : spec.width) + field.index]
    if (field.isLevel ? field.valueOf(codes[at + i]) !== now : codes[at + i] !== 0) return false
  }
  return true
}

/**
 * Brings codes from an untrusted source into range in place; returns how many had to be changed. Never throws: what a
 * client sends must not be able to stop a step.
 */
export function clampCodes(layout: InputLayout, codes: Uint32Array): number {
  let changed = 0
  for (let i = 0; i < layout.fields.length; i++) {
    if (codes[i] <= layout.fields[i].largestCode) continue
    codes[i] = layout.fields[i].largestCode
    changed++
  }
  return changed
}

/** Folds a later input into an earlier one of the same player: newest levels, presses added up. */
export function foldCodes(layout: InputLayout, into: Uint32Array, later: Uint32Array): void {
  for (let i = 0; i < layout.fields.length; i++) {
    const { isLevel, listFields, largestCode } = layout.fields[i]
    if (listFields > 0) {
      // A list is one order: the newest that is not empty stands, whole.
      for (let f = 0; later[i] > 0 && f <= listFields; f++) into[i + f] = later[i + f]
      i += listFields
    } else into[i] = isLevel ? later[i] : Math.min(into[i] + later[i], largestCode)
  }
}

function partsOf(name: string, spec: ScalarSpec | Point) {
  if (spec.kind !== 'point') return [{ column: name, spec, read: (value: unknown) => value }]
  const part = (axisName: 'x' | 'y') => ({
    column: `${name}${axisName.toUpperCase()}`,
    spec: { ...spec, kind: 'fixed' } as Fixed,
    read: (value: unknown) => {
      if (value === undefined) return undefined
      if (typeof value === 'object' && value !== null) return (value as Record<string, unknown>)[axisName]
      throw new HurtboxError('bad-argument', `input ${name} must be a point { x, y }, got ${String(value)}.`, { name })
    },
  })
  return [part('x'), part('y')]
}

function listOf(value: unknown, spec: List, name: string): readonly Record<string, unknown>[] {
  if (value === undefined) return []
  if (
    !Array.isArray(value) ||
    value.length > spec.max ||
    value.some((item) => typeof item !== 'object' || item === null)
  ) {
    throw new HurtboxError('bad-argument', `input ${name} must be a list of at most ${spec.max} records.`, {
      name,
      value,
    })
  }
  for (const item of value) {
    for (const key of Object.keys(item)) {
      if (!Object.hasOwn(spec.fields, key)) throw unknownName(`field of input ${name}`, key, Object.keys(spec.fields))
    }
  }
  return value
}

function makeField(
  spec: ScalarSpec,
  column: string,
  index: number,
  label: string,
  read: (input: Record<string, unknown>) => unknown,
): Field {
  const name = `input ${label}`
  const common = { column, index, label, isLevel: spec.kind !== 'press', listFields: 0 }
  switch (spec.kind) {
    case 'axis':
      return {
        ...common,
        largestCode: 254,
        codeOf: (input) => {
          const value = requireFinite(read(input) ?? 0, name)
          return Math.round(127 * clamp(value, -1, 1)) + 127
        },
        valueOf: (code) => (code - 127) / 127,
      }
    case 'button':
      return {
        ...common,
        largestCode: 1,
        codeOf: (input) => {
          const value = read(input) ?? false
          if (typeof value === 'boolean') return value ? 1 : 0
          throw new HurtboxError('bad-argument', `${name} must be true or false, got ${String(value)}.`, {
            name,
            value,
          })
        },
        valueOf: (code) => code,
      }
    case 'choice':
      return {
        ...common,
        largestCode: spec.names.length - 1,
        codeOf: (input) => {
          const value = read(input) ?? spec.names[0]
          const code = spec.names.indexOf(value as string)
          if (code < 0) throw unknownName(`choice of ${name}`, String(value), spec.names)
          return code
        },
        valueOf: (code) => code,
      }
    case 'press':
    case 'thing': {
      const largestCode = spec.kind === 'press' ? 255 : 0xffffffff
      return {
        ...common,
        largestCode,
        codeOf: (input) => requireInteger(read(input) ?? 0, name, 0, largestCode),
        valueOf: (code) => code,
      }
    }
    case 'fixed': {
      const { min, max, step } = spec
      // The hair is for ranges like 0 to 1 in steps of 0.1, whose quotient is a hair below 10.
      const largestCode = Math.floor((max - min) / step + 1e-9)
      return {
        ...common,
        largestCode,
        codeOf: (input) => {
          const value = requireFinite(read(input) ?? 0, name)
          return Math.min(Math.round((clamp(value, min, max) - min) / step), largestCode)
        },
        valueOf: (code) => min + code * step,
      }
    }
  }
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max)
}

function columnOf(spec: ScalarSpec): 'u8' | 'id' | 'f64' {
  if (spec.kind === 'thing') return 'id'
  return spec.kind === 'axis' || spec.kind === 'fixed' ? 'f64' : 'u8'
}

function checkRange(range: StepRange): StepRange {
  const { min, max, step } = range
  requireFinite(min, 'min')
  requireFinite(max, 'max')
  requireFinite(step, 'step')
  if (!(step > 0) || !(max > min) || (max - min) / step > 0xfffffffe) {
    throw new HurtboxError('bad-declaration', 'a range needs min < max, a step above 0, and fewer than 2³² steps.', {
      range,
    })
  }
  return { min, max, step }
}
