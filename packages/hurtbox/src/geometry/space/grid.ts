/**
 * A uniform grid over circles of similar size, rebuilt from nothing each time by a counting sort.
 *
 * An incremental grid would be cheaper when little moves, but the order in its cells would depend on the past, and a
 * restored world has another past. After the sort the circles of a cell are neighbours in memory, and so are the cells
 * of a row: whatever lies in a block of cells is one run of memory per row.
 *
 * A circle is entered once, by its centre, so a search has to reach one largest radius further than it looks.
 *
 * Two layouts. *Flat*: the cells cover the bounding rectangle of the centres. *Folded*: the plane is rolled up, and cell
 * (col, row) is kept at (col mod cols, row mod rows). On a torus that is what the plane is. On an open plane it keeps cells
 * both small and few when a bullet has flown far away: cells that share a place only cost some tests more, where a flat
 * grid would need either a cell for every place on the way or cells so large that everybody else is in one.
 *
 * Words: `x`, `y` and sizes are in the units of the world, `col` and `row` count cells.
 */

import { type Circles, KEY_SHIFT } from './circles.ts'
import type { Topology } from './topology.ts'
import type { Around } from './torus.ts'

export type Grid = {
  /** Circles entered. */
  count: number
  maxRadius: number
  /** Side of a cell that was asked for; at least twice `maxRadius`. */
  cellSize: number
  /** Layers present, one bit each. */
  layers: number
  folded: boolean
  /** Of the torus; infinite on a plane. */
  periodX: number
  periodY: number
  /** Of the torus; undefined on a plane. */
  around: Around | undefined
  /** Low corner of a flat grid, zero for a folded one. */
  originX: number
  originY: number
  /** One over the width and the height of a cell. */
  perX: number
  perY: number
  /** A flat grid keeps column 0 and row 0 empty, and has one empty row more at its end: all neighbours of a cell exist. */
  cols: number
  rows: number
  /** Cell `c` owns the entries from `cellStart[c]` up to `cellStart[c + 1]`. */
  cellStart: Int32Array
  /**
   * Four doubles for each circle: x, y, radius, and two words that are read through `words`. Ordered by cell, and by index
   * inside a cell. Interleaved, because a search reads all of an entry: one cache line instead of five.
   */
  entries: Float64Array
  /** The same memory as words: `8 * entry + KEY_WORD` is the key of the circle, `8 * entry + CELL_WORD` its cell. */
  words: Int32Array
}

export const KEY_WORD = 6
export const CELL_WORD = 7

/** The rectangle that holds all centres. */
export type Bounds = { minX: number; minY: number; maxX: number; maxY: number }

/** At most this many cells for each circle, and a few for the smallest grids: empty cells cost time too. */
const CELLS_PER_CIRCLE = 12
const FEW_CELLS = 256

/**
 * Cells are this much larger than what has to fit into them. Two circles that just touch must be in adjacent cells whatever
 * the rounding of `(x - origin) * perX` does, which with fewer than 2^30 columns is less than 2^-22 of a cell.
 */
const CELL_SLACK = 1 + 1 / (1 << 20)

/** Columns to begin with, before cells are enlarged until they are few enough; and a side one over which is finite. */
const MAX_COLUMNS = 1 << 20
const MIN_SIZE = 1e-100

/** A folded column is computed from the coordinate itself; further than this from zero, its rounding would show. */
const MAX_FOLDED_COLUMN = 1099511627776
/** In cells. Widens a search in a folded grid by more than that rounding. */
export const FOLD_MARGIN = 1 / 1024

/** A grid whose cells had to be enlarged is folded instead if a circle then has more company than this in its cell. */
const CROWDED = 8

export function createGrid(): Grid {
  const entries = new Float64Array(0)
  return {
    count: 0,
    maxRadius: 0,
    cellSize: 0,
    layers: 0,
    folded: false,
    periodX: Number.POSITIVE_INFINITY,
    periodY: Number.POSITIVE_INFINITY,
    around: undefined,
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

/**
 * Enters `grid.count` circles, those named by `members` from place `from` on, which ascend. Their largest radius and the size
 * of the cells are set in the grid. `cellOf` is scratch as long as `members`.
 */
export function buildGrid(
  grid: Grid,
  circles: Circles,
  members: Int32Array,
  from: number,
  bounds: Bounds,
  topology: Topology,
  cellOf: Int32Array,
): void {
  const { around } = topology
  grid.periodX = topology.width
  grid.periodY = topology.height
  grid.around = around
  if (around !== undefined) around.layOut(grid, circles, members, from, cellOf)
  else {
    const enlarged = spreadOut(grid, bounds)
    countFlat(grid, circles, members, from, cellOf)
    if (enlarged && isCrowded(grid)) {
      rollUpPlane(grid, bounds)
      countFolded(grid, circles, members, from, cellOf)
    }
  }
  sumUp(grid.cellStart, cellsOf(grid))
  enter(grid, circles, members, from, cellOf)
  if (around === undefined) return
  for (let entry = 0; entry < grid.count; entry++) around.wrapPlace(grid, grid.entries, 4 * entry)
}

/** Where the cell of a coordinate is kept in a folded grid. */
export function fold(cell: number, cells: number): number {
  return cell - Math.floor(cell / cells) * cells
}

/** Flat layout. Returns whether the cells had to be larger than asked for, to be few enough. */
function spreadOut(grid: Grid, bounds: Bounds): boolean {
  const width = bounds.maxX - bounds.minX
  const height = bounds.maxY - bounds.minY
  const maxCells = mostCells(grid)
  let size = smallestSize(grid, Math.max(width, height))
  let enlarged = false
  while ((width / size + 2) * (height / size + 3) > maxCells) {
    size *= 1.25
    enlarged = true
  }
  grid.folded = false
  grid.originX = bounds.minX
  grid.originY = bounds.minY
  grid.perX = 1 / size
  grid.perY = 1 / size
  grid.cols = Math.floor(width * grid.perX) + 2
  grid.rows = Math.floor(height * grid.perY) + 2
  return enlarged
}

/** Folded layout of an open plane, with cells of the size asked for. */
function rollUpPlane(grid: Grid, bounds: Bounds): void {
  const furthest = Math.max(-bounds.minX, bounds.maxX, -bounds.minY, bounds.maxY)
  const size = Math.max(smallestSize(grid, 0), furthest / MAX_FOLDED_COLUMN)
  let side = 8
  while (side * side < 2 * grid.count) side *= 2
  grid.folded = true
  grid.originX = 0
  grid.originY = 0
  grid.perX = 1 / size
  grid.perY = 1 / size
  grid.cols = side
  grid.rows = side
}

export function mostCells({ count }: Grid): number {
  return CELLS_PER_CIRCLE * count + FEW_CELLS
}

/** The side that was asked for, but not so small that a column would not fit 32 bits. Points have no size to go by. */
export function smallestSize(grid: Grid, extent: number): number {
  return Math.max(grid.cellSize * CELL_SLACK, extent / MAX_COLUMNS, MIN_SIZE)
}

function cellsOf(grid: Grid): number {
  return grid.folded ? grid.rows * grid.cols : (grid.rows + 1) * grid.cols + 1
}

export function clearCells(grid: Grid): void {
  const length = cellsOf(grid) + 1
  if (grid.cellStart.length < length) grid.cellStart = new Int32Array(2 * length)
  else grid.cellStart.fill(0, 0, length)
}

/** Counts the circles of each cell into `cellStart`, and notes the cell of each. */
function countFlat(grid: Grid, { x, y }: Circles, members: Int32Array, from: number, cellOf: Int32Array): void {
  clearCells(grid)
  const { originX, originY, perX, perY, cols, cellStart } = grid
  const to = from + grid.count
  for (let i = from; i < to; i++) {
    const circle = members[i]
    // Never negative and never beyond the last cell, so cutting off the fraction is the floor.
    const col = 1 + (((x[circle] - originX) * perX) | 0)
    const row = 1 + (((y[circle] - originY) * perY) | 0)
    const cell = (Math.imul(row, cols) + col) | 0
    cellOf[i] = cell
    cellStart[cell]++
  }
}

function countFolded(grid: Grid, { x, y }: Circles, members: Int32Array, from: number, cellOf: Int32Array): void {
  clearCells(grid)
  const { perX, perY, cols, rows, cellStart } = grid
  const to = from + grid.count
  for (let i = from; i < to; i++) {
    const circle = members[i]
    const cell = fold(Math.floor(y[circle] * perY), rows) * cols + fold(Math.floor(x[circle] * perX), cols)
    cellOf[i] = cell
    cellStart[cell]++
  }
}

function isCrowded(grid: Grid): boolean {
  const { cellStart } = grid
  const cells = cellsOf(grid)
  let company = 0
  for (let cell = 0; cell < cells; cell++) company += cellStart[cell] * cellStart[cell]
  return company > CROWDED * grid.count
}

/** Turns counts into the place where each cell ends. The one behind the last holds no circle and ends where that does. */
function sumUp(cellStart: Int32Array, cells: number): void {
  let end = 0
  for (let cell = 0; cell <= cells; cell++) {
    end = (end + cellStart[cell]) | 0
    cellStart[cell] = end
  }
}

/**
 * Fills each cell from its end, which turns the ends into starts. From the last circle to the first, so that the circles of
 * a cell ascend.
 */
function enter(grid: Grid, circles: Circles, members: Int32Array, from: number, cellOf: Int32Array): void {
  const { x, y, radius, layer } = circles
  const { cellStart } = grid
  if (grid.entries.length < 4 * grid.count) {
    grid.entries = new Float64Array(8 * grid.count)
    grid.words = new Int32Array(grid.entries.buffer)
  }
  const { entries, words } = grid
  let layers = 0
  for (let i = from + grid.count - 1; i >= from; i--) {
    const circle = members[i]
    const cell = cellOf[i]
    const entry = (cellStart[cell] - 1) | 0
    cellStart[cell] = entry
    const key = (circle << KEY_SHIFT) | layer[circle]
    const place = entry << 2
    entries[place] = x[circle]
    entries[place | 1] = y[circle]
    entries[place | 2] = radius[circle]
    words[(place << 1) | KEY_WORD] = key
    words[(place << 1) | CELL_WORD] = cell
    layers |= 1 << key
  }
  grid.layers = layers
}
