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

type Storage = {
  readonly bytes: number
  /** The largest value it can hold. */
  readonly largest: number
  readonly view: (buffer: ArrayBufferLike, byteOffset: number, length: number) => AnyColumnArray
}

const U32: Storage = { bytes: 4, largest: 0xffffffff, view: (...range) => new Uint32Array(...range) }

/** How each type is stored. A new type is a record here, and an accessor in `handles/classes.ts` if its size is new. */
const STORAGE: Readonly<Record<ColumnType, Storage>> = {
  f64: { bytes: 8, largest: Number.MAX_VALUE, view: (...range) => new Float64Array(...range) },
  u32: U32,
  u16: { bytes: 2, largest: 0xffff, view: (...range) => new Uint16Array(...range) },
  u8: { bytes: 1, largest: 0xff, view: (...range) => new Uint8Array(...range) },
  id: U32,
  timer: U32,
}

export function columnType(spec: ColumnSpec): ColumnType {
  return typeof spec === 'string' ? spec : spec.type
}

export function columnWidth(spec: ColumnSpec): number {
  return typeof spec === 'string' ? 1 : spec.width
}

/** Bytes that one row of a column takes. */
export function bytesPerRow(spec: ColumnSpec): number {
  return STORAGE[columnType(spec)].bytes * columnWidth(spec)
}

/** The largest value a column type can hold; `f64` holds any finite number. */
export function largestValue(type: ColumnType): number {
  return STORAGE[type].largest
}

export function viewColumn(
  spec: ColumnSpec,
  buffer: ArrayBufferLike,
  byteOffset: number,
  rows: number,
): AnyColumnArray {
  return STORAGE[columnType(spec)].view(buffer, byteOffset, rows * columnWidth(spec))
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
  if (typeof type !== 'string' || !(type in STORAGE)) {
    throw new HurtboxError(
      'bad-declaration',
      `${what} has the type ${JSON.stringify(type)}; use one of ${Object.keys(STORAGE).join(', ')}.`,
    )
  }
  if (typeof spec === 'object') requireInteger((spec as WideColumn).width, `${what} width`, 1, 1024)
  return spec as ColumnSpec
}
