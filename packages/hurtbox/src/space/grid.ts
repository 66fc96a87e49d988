/**
 * A uniform grid over circles of similar size, rebuilt from nothing each time by a counting sort.
 *
 * An incremental grid would be cheaper when little moves, but the order in its cells would depend on the past, and a
 * restored world has another past. After the sort the circles of a cell are neighbours in memory, and so are the cells
 * of a row: whatever lies in a block of cells is one run of memory per row.
 *
 * A circle is entered once, by its centre. So a search has to reach one largest radius further than it looks.
 *
 * Two layouts. *Flat*: cells cover the bounding rectangle of the entries. *Folded*: the plane is rolled up, cell (col, row)
 * is kept at (col mod cols, row mod rows). On a torus that is what the plane is. On an open plane it keeps the number of cells
 * bounded when one bullet has flown far away: cells that share a place only cost a few tests more. A flat grid would
 * have to give everybody huge cells instead.
 */

import { type Circles, KEY_SHIFT } from './circles.ts'
import { wrap } from './topology.ts'

export type Grid = {
  /** Circles entered. */
  count: number
  maxRadius: number
  /** Layers present, one bit each. */
  layers: number
  folded: boolean
  /** Infinite unless the plane is a torus. */
  periodX: number
  periodY: number
  /** Low corner of a flat grid; zero in a folded one. */
  originX: number
  originY: number
  /** One over the sides of a cell. */
  perX: number
  perY: number
  /** Columns of a flat grid include column 0, which stays empty: the right neighbour of one row is the left one of the next. */
  cols: number
  rows: number
  /** Cell `c` owns the entries from `cellStart[c]` up to `cellStart[c + 1]`. */
  cellStart: Int32Array
  /**
   * Four doubles for each circle, ordered by cell, ascending by index inside a cell: x, y, radius, and two words that are
   * read through `words`. One run of memory instead of five: a search touches one cache line where it would touch five.
   */
  entries: Float64Array
  /** The same memory: `words[8 * entry + KEY_WORD]` is the key of the circle, `+ CELL_WORD` its cell. */
  words: Int32Array
}

export const KEY_WORD = 6
export const CELL_WORD = 7

/** Bounding rectangle of centres. */
export type Bounds = { minX: number; minY: number; maxX: number; maxY: number }

/** Cells for each entry, at most, and a few for the smallest grids. */
const CELLS_PER_ENTRY = 8
const FEW_CELLS = 1024

/**
 * Cells are this much larger than what must fit. Two circles a whole diameter apart that just touch must be in adjacent cells
 * whatever the rounding of `(x - origin) * perX` does; with fewer than 2^26 columns it does less than 2^-26 of a cell.
 */
const CELL_SLACK = 1 + 1 / (1 << 20)

/** The same for the widening of a search. Rounding is monotonous, so here it only has to cover the distance test's own. */
export const REACH_SLACK = 1 + 1 / (1 << 30)

/** A folded column is computed from the coordinate itself. Beyond 2^40 cells from zero its rounding error would show. */
const MAX_FOLDED_COLUMN = 2 ** 40
/** In cells: widens a folded search by more than the error of a column below `MAX_FOLDED_COLUMN`. */
export const FOLD_MARGIN = 1 / 1024

/** A crowded flat grid is replaced by a folded one when the mean company in a cell exceeds this. */
const CROWDED = 8

export function createGrid(): Grid {
  const entries = new Float64Array(0)
  return {
    count: 0,
    maxRadius: 0,
    layers: 0,
    folded: false,
    periodX: Number.POSITIVE_INFINITY,
    periodY: Number.POSITIVE_INFINITY,
    originX: 0,
    originY: 0,
    perX: 1,
    perY: 1,
    cols: 1,
    rows: 1,
    cellStart: new Int32Array(2),
    entries,
    words: new Int32Array(entries.buffer),
  }
}
