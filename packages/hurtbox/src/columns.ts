/**
 * Column types: how one value per row is stored in the world's memory block.
 *
 * Everything else (layout, snapshots, hashes, differences, the inspector, the wire) derives from these declarations,
 * so that a column is declared once and can never be forgotten by one of them.
 */

import { HurtboxError, requireInteger } from './errors.ts'

/**
 * `f64` places, speeds, amounts · `u32` `u16` `u8` whole numbers · `id` the id of a row (0 = nobody) · `timer` an
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

/** The numbers of a column as phases see them, for functions that serve any game; a typed array is one. */
export type Cells = { [index: number]: number; readonly length: number }

/** The same for those who only read, as rules do. */
export type ReadCells = { readonly [index: number]: number; readonly length: number }

const BYTES: Readonly<Record<ColumnType, number>> = { f64: 8, u32: 4, u16: 2, u8: 1, id: 4, timer: 4 }

/** A column with `width` values per row, for slots and short lists. */
export function wide<T extends ColumnType>(type: T, width: number): WideColumn<T> {
  requireInteger(width, 'width', 1, 1024)
  return Object.freeze({ type, width })
}

export function columnType(spec: ColumnSpec): ColumnType {
  return typeof spec === 'string' ? spec : spec.type
}

export function columnWidth(spec: ColumnSpec): number {
  return typeof spec === 'string' ? 1 : spec.width
}

/** Bytes that one row of a column takes. */
export function bytesPerRow(spec: ColumnSpec): number {
  return BYTES[columnType(spec)] * columnWidth(spec)
}

/** The largest value a column type can hold; `f64` holds any finite number. */
export function largestValue(type: ColumnType): number {
  return type === 'f64' ? Number.MAX_VALUE : type === 'u16' ? 0xffff : type === 'u8' ? 0xff : 0xffffffff
}

export function viewColumn(
  spec: ColumnSpec,
  buffer: ArrayBufferLike,
  byteOffset: number,
  rows: number,
): AnyColumnArray {
  const length = rows * columnWidth(spec)
  switch (columnType(spec)) {
    case 'f64':
      return new Float64Array(buffer, byteOffset, length)
    case 'u16':
      return new Uint16Array(buffer, byteOffset, length)
    case 'u8':
      return new Uint8Array(buffer, byteOffset, length)
    default:
      return new Uint32Array(buffer, byteOffset, length)
  }
}

const NAME = /^[a-z][a-zA-Z0-9]*$/

/** Names become properties and file contents: plain camelCase words, so that none is reordered or shadows a builtin. */
export function requireName(name: string, what: string): void {
  if (!NAME.test(name) || name in Object.prototype) {
    throw new HurtboxError('bad-declaration', `${what} "${name}" must be a camelCase word of letters and digits.`)
  }
}

export function requireColumnSpec(spec: unknown, what: string): ColumnSpec {
  const type = typeof spec === 'object' && spec !== null ? (spec as WideColumn).type : spec
  if (typeof type !== 'string' || !(type in BYTES)) {
    throw new HurtboxError(
      'bad-declaration',
      `${what} has the type ${JSON.stringify(type)}; use one of ${Object.keys(BYTES).join(', ')}.`,
    )
  }
  if (typeof spec === 'object') requireInteger((spec as WideColumn).width, `${what} width`, 1, 1024)
  return spec as ColumnSpec
}
