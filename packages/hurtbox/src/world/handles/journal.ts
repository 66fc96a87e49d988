/**
 * The journal: what rules have overwritten, so that it can be undone.
 *
 * Rules write the live block, so that the next contact sees what this one did. Every write notes the old value first; a
 * refused rule is undone by writing the old values back, last first. Moves (`push`, `moveTo`) wait here until all contacts
 * of the phase are decided, because places are frozen until then.
 */

import { growColumns } from '../../base/grow.ts'
import type { AnyWorld } from '../world.ts'

/** The size of the values that an entry is about: 8 bytes, halved so many times. */
const F64 = 0
export const U32 = 1
export const U16 = 2
export const U8 = 3

/** The size of the values of an array. */
export function sizeOf(array: { readonly BYTES_PER_ELEMENT: number }): number {
  return Math.clz32(array.BYTES_PER_ELEMENT) - 28
}

/** Where in the block the value of an entry stands, in bytes. */
export function byteOf(journal: Journal, entry: number): number {
  return (journal.place[entry] >>> 2) * (8 >> (journal.place[entry] & 3))
}

type Views = readonly [Float64Array, Uint32Array, Uint16Array, Uint8Array]

/** The block as rules see it. */
export type RuleViews = { f64: Float64Array; u32: Uint32Array; u16: Uint16Array; u8: Uint8Array }

/** What rules see throws unless rules are deciding. */
export type Journal = RuleViews & {
  /** The block as numbers of each size, at any time. */
  readonly views: Views
  count: number
  /** Place in the block, counted in values of its size, times 4, plus the size: one number is noted faster than two. */
  place: Uint32Array
  old: Float64Array
  readonly moves: Moves
  /** Set when a row was added since the journal was opened. */
  hasSpawned: boolean
}

/** Moves in the order they were asked for. */
export type Moves = {
  count: number
  row: Uint32Array
  /** 1: to a place, 0: by a distance. */
  isPlace: Uint8Array
  x: Float64Array
  y: Float64Array
  z: Float64Array
  /** What makes them: brought along by the first move, so that a game without moves does not carry it. */
  apply: typeof applyMoves | undefined
}

export function createJournal(views: Views, ruleViews: RuleViews): Journal {
  return {
    ...ruleViews,
    views,
    count: 0,
    place: new Uint32Array(64),
    old: new Float64Array(64),
    moves: {
      count: 0,
      row: new Uint32Array(16),
      isPlace: new Uint8Array(16),
      x: new Float64Array(16),
      y: new Float64Array(16),
      z: new Float64Array(16),
      apply: undefined,
    },
    hasSpawned: false,
  }
}

export function note(journal: Journal, size: number, at: number, old: number): void {
  const entry = journal.count
  if (entry === journal.place.length) grow(journal)
  journal.place[entry] = (at << 2) | size
  journal.old[entry] = old
  journal.count = entry + 1
}

/** `note` for doubles, reading the old value itself: a double that passes through a real call is put on the heap. */
export function noteF64(journal: Journal, at: number): void {
  const entry = journal.count
  if (entry === journal.place.length) grow(journal)
  journal.place[entry] = at << 2
  journal.old[entry] = journal.f64[at]
  journal.count = entry + 1
}

function grow(journal: Journal): void {
  growColumns(journal, ['place', 'old'], 2 * journal.count)
}

/** Undoes every write from entry `from` on, last first. */
export function undo(journal: Journal, from: number): void {
  const { views, place, old } = journal
  for (let i = journal.count - 1; i >= from; i--) views[place[i] & 3][place[i] >>> 2] = old[i]
  journal.count = from
}

/** Room for one more move. */
export function reserveMove(moves: Moves): void {
  moves.apply = applyMoves
  if (moves.count === moves.row.length) growColumns(moves, ['row', 'isPlace', 'x', 'y', 'z'], 2 * moves.count)
}

/** Makes the moves, in the order they were asked for. */
export function applyMoves({ moves }: Journal, { tables: { things } }: AnyWorld): void {
  const { x, y, z } = things
  for (let i = 0; i < moves.count; i++) {
    const row = moves.row[i]
    if (moves.isPlace[i] === 1) {
      x[row] = moves.x[i]
      y[row] = moves.y[i]
      if (z !== undefined) z[row] = moves.z[i]
    } else {
      x[row] += moves.x[i]
      y[row] += moves.y[i]
      if (z !== undefined) z[row] += moves.z[i]
    }
  }
  moves.count = 0
}

/** The first entry from `from` on that wrote a number that is not finite, or −1. */
export function findNotFinite({ f64, place, count }: Journal, from: number): number {
  for (let i = from; i < count; i++) {
    if ((place[i] & 3) !== F64) continue
    const value = f64[place[i] >>> 2]
    if (value - value !== 0) return i
  }
  return -1
}
