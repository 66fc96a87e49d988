/**
 * Column types: how one value per row is stored in the world's memory block.
 *
 * Everything else (layout, snapshots, hashes, differences, the inspector, the wire) derives from these declarations,
 * so that a column is declared once and can never be forgotten by one of them.
 */

import { HurtboxError, MAX_MAGNITUDE, requireInteger } from '../base/errors.ts'

/**
 * `f64` places, speeds, amounts · `u32` `u16` `u8` whole numbers · `id` the id of a row (0 = none) · `timer` an
 * absolute tick of the world's clock (a type of its own, so that hit stop can shift every timer of a thing).
 */
export type ColumnType = 'f64' | 'u32' | 'u16' | 'u8' | 'id' | 'timer'

/** A column with several values per row: value `i` of `row` stands at `row * width + i`. */
export type WideColumn<T extends ColumnType = ColumnType> = { readonly type: T; readonly width: number }

export type ColumnSpec = ColumnType | WideColumn
export type ColumnSpecs = Readonly<Record<string, ColumnSpec>>

type TypeOf<S extends ColumnSpec> = S extends WideColumn<infer T> ? T : S extends ColumnType ? S : never

export type ColumnArray<S extends ColumnSpec = ColumnSpec> =
  TypeOf<S> extends 'f64'
    ? Float64Array
    : TypeOf<S> extends 'u8'
      ? Uint8Array
      : TypeOf<S> extends 'u16'
        ? Uint16Array
        : TypeOf<S> extends 'u32' | 'id' | 'timer'
          ? Uint32Array
          : Float64Array | Uint32Array | Uint16Array | Uint8Array

export type AnyColumnArray = Float64Array | Uint32Array | Uint16Array | Uint8Array

/** The numbers of a column as phases see them, for functions that serve any game. A typed array fits. */
export type Cells = { [index: number]: number; readonly length: number }

/** The same, read only, as in rules. */
export type ReadCells = { readonly [index: number]: number; readonly length: number }

/** How each type is stored. A new type is a line here, and an accessor in `world/handles/classes.ts` if its size is new. */
const STORAGE = {
  f64: Float64Array,
  u32: Uint32Array,
  u16: Uint16Array,
  u8: Uint8Array,
  id: Uint32Array,
  timer: Uint32Array,
} as const

export function columnType(spec: ColumnSpec): ColumnType {
  return typeof spec === 'string' ? spec : spec.type
}

export function columnWidth(spec: ColumnSpec): number {
  return typeof spec === 'string' ? 1 : spec.width
}

/** Bytes that one row of a column takes. */
export function bytesPerRow(spec: ColumnSpec): number {
  return STORAGE[columnType(spec)].BYTES_PER_ELEMENT * columnWidth(spec)
}

/** The largest value that can be given when a row is added: the largest quantity, or all bits of a whole number. */
export function largestValue(spec: ColumnSpec): number {
  const type = columnType(spec)
  return type === 'f64' ? MAX_MAGNITUDE : 0xffffffff >>> (32 - 8 * STORAGE[type].BYTES_PER_ELEMENT)
}

export function viewColumn(
  spec: ColumnSpec,
  buffer: ArrayBufferLike,
  byteOffset: number,
  rows: number,
): AnyColumnArray {
  return new STORAGE[columnType(spec)](buffer as ArrayBuffer, byteOffset, rows * columnWidth(spec))
}

const NAME = /^[a-z][a-zA-Z0-9]*$/

/** Names become properties and file contents: plain camelCase words, so that none is reordered or shadows a builtin. */
export function requireName(name: string, what: string): void {
  if (!NAME.test(name) || name in Object.prototype) {
    throw new HurtboxError('bad-declaration', `${what} "${name}" must be camelCase letters and digits.`)
  }
}

export function requireColumnSpec(spec: unknown, what: string): ColumnSpec {
  const type = typeof spec === 'object' && spec !== null ? (spec as WideColumn).type : spec
  if (typeof type !== 'string' || !(type in STORAGE)) {
    throw new HurtboxError(
      'bad-declaration',
      `${what} has the type ${JSON.stringify(type)}; use one of ${Object.keys(STORAGE).join(', ')}.`,
    )
  }
  if (typeof spec === 'object') requireInteger((spec as WideColumn).width, `${what} width`, 1, 1024)
  return spec as ColumnSpec
}
