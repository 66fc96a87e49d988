/**
 * Wide columns: several values per row, `thing.armour.get(type)`.
 *
 * `wide` brings the accessors along, so that a game without such columns does not carry them.
 */

import { HurtboxError, requireInteger } from '../../base/errors.ts'
import type { AnyColumnArray, ColumnType, WideColumn } from '../../state/columns.ts'
import { type Accessors, type AnyHandle, useWideColumns } from './classes.ts'
import { note, sizeOf } from './journal.ts'
import { codeOfWord } from './words.ts'

/**
 * A column with `width` values per row, for slots and short lists.
 *
 * @example
 * ```ts
 * import { createWorld, declareGame, defineGame, spawn, wide } from 'hurtbox'
 *
 * const things = { armour: wide('f64', 2) }
 * const arena = declareGame({ id: 'arena', tickRate: 60, layers: { slime: [] }, things })
 * const slime = spawn(createWorld(defineGame(arena, { phases: {} })), 'slime', { armour: [0, 0.5] })
 * console.log(slime.armour.get(1)) // 0.5
 * ```
 */
export function wide<T extends ColumnType>(type: T, width: number): WideColumn<T> {
  requireInteger(width, 'width', 1, 1024)
  useWideColumns(wideAccessors)
  return Object.freeze({ type, width })
}

/** One object per handle and column, made when first asked for; with `words` it holds choices. */
export function wideAccessors(place: number, words: readonly string[] | undefined): Accessors {
  const get = function (this: AnyHandle): object {
    this.$wides ??= []
    this.$wides[place] ??= words === undefined ? new WideCells(this, place) : new WideWords(this, place, words)
    return this.$wides[place]
  }
  return { get, set: refuseWide, ruleGet: get, ruleSet: refuseWide }
}

function refuseWide(): never {
  throw new HurtboxError('bad-argument', 'a column with several values is written by thing.column.set(i, value).')
}

/** The values that a row has in a wide column. */
class WideCells {
  readonly width: number
  private readonly handle: AnyHandle
  private readonly array: AnyColumnArray
  /** Where the column starts in the block, in values. */
  private readonly offset: number

  constructor(handle: AnyHandle, place: number) {
    const { array, width } = handle.$pool.table.columns[place]
    this.handle = handle
    this.array = array
    this.width = width
    this.offset = (array.byteOffset - handle.$pool.block.u8.byteOffset) / array.BYTES_PER_ELEMENT
  }

  /** Prints as its values. */
  toJSON(): number[] {
    return Array.from({ length: this.width }, (_, index) => this.get(index))
  }

  [Symbol.for('nodejs.util.inspect.custom')](): number[] {
    return this.toJSON()
  }

  get(index: number): number {
    const at = this.at(index)
    return at < this.array.length ? this.array[at] : 0
  }

  set(index: number, value: number): void {
    const at = this.at(index)
    const { handle, array } = this
    // The spare row is not part of the column: writes to it are lost.
    if (at >= array.length) return
    if (handle.$isRule) {
      note(handle.$journal, sizeOf(array), this.offset + at, array[at])
    }
    array[at] = value
  }

  private at(index: number): number {
    const { handle, width } = this
    // Throws when the handle is no longer valid.
    const u8 = handle.$isRule ? handle.$journal.u8 : handle.$u8
    void u8[0]
    if (index >>> 0 !== index || index >= width) {
      throw new HurtboxError('out-of-range', `the column holds ${width} values a row, from 0; there is no ${index}.`)
    }
    return handle.$row * width + index
  }
}

/** The same of a column that holds choices: words in place of numbers. */
class WideWords {
  private readonly cells: WideCells
  private readonly column: string
  private readonly words: readonly string[]

  constructor(handle: AnyHandle, place: number, words: readonly string[]) {
    this.cells = new WideCells(handle, place)
    this.column = handle.$pool.table.columns[place].name
    this.words = words
  }

  get width(): number {
    return this.cells.width
  }

  toJSON(): string[] {
    return this.cells.toJSON().map((code) => this.words[code])
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string[] {
    return this.toJSON()
  }

  get(index: number): string {
    return this.words[this.cells.get(index)]
  }

  set(index: number, word: string): void {
    this.cells.set(index, codeOfWord(this.words, word, this.column))
  }
}
