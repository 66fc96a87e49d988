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
import { periodX, periodY, type Topology, wrap } from './topology.ts'

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
  grid.periodX = periodX(topology)
  grid.periodY = periodY(topology)
  if (topology.kind === 'torus') {
    rollUpTorus(grid)
    countFolded(grid, circles, members, from, cellOf)
  } else {
    const enlarged = spreadOut(grid, bounds)
    countFlat(grid, circles, members, from, cellOf)
    if (enlarged && isCrowded(grid)) {
      rollUpPlane(grid, bounds)
      countFolded(grid, circles, members, from, cellOf)
    }
  }
  sumUp(grid.cellStart, cellsOf(grid))
  enter(grid, circles, members, from, cellOf)
  if (topology.kind === 'torus') wrapEntries(grid)
}

/** Where the cell of a coordinate is kept in a folded grid. */
export function fold(cell: number, cells: number): number {
  return cell - Math.floor(cell / cells) * cells
}

/** Flat layout. Returns whether the cells had to be larger than asked for, to be few enough. */
function spreadOut(grid: Grid, bounds: Bounds): boolean {
  const width = bounds.maxX - bounds.minX
  const height = bounds.maxY - bounds.minY
  const maxCells = CELLS_PER_CIRCLE * grid.count + FEW_CELLS
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

/** Folded layout of a torus: a whole number of cells goes round it either way. */
function rollUpTorus(grid: Grid): void {
  const maxCells = CELLS_PER_CIRCLE * grid.count + FEW_CELLS
  let size = smallestSize(grid, Math.max(grid.periodX, grid.periodY))
  while (cellsAround(grid.periodX, size) * cellsAround(grid.periodY, size) > maxCells) size *= 1.25
  grid.folded = true
  grid.originX = 0
  grid.originY = 0
  grid.cols = cellsAround(grid.periodX, size)
  grid.rows = cellsAround(grid.periodY, size)
  grid.perX = grid.cols / grid.periodX
  grid.perY = grid.rows / grid.periodY
}

/** The side that was asked for, but not so small that a column would not fit 32 bits. Points have no size to go by. */
function smallestSize(grid: Grid, extent: number): number {
  return Math.max(grid.cellSize * CELL_SLACK, extent / MAX_COLUMNS, MIN_SIZE)
}

function cellsAround(period: number, size: number): number {
  return Math.max(1, Math.floor(period / size))
}

function cellsOf(grid: Grid): number {
  return grid.folded ? grid.rows * grid.cols : (grid.rows + 1) * grid.cols + 1
}

function clearCells(grid: Grid): void {
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
  const { perX, perY, cols, rows, cellStart, periodX, periodY } = grid
  const to = from + grid.count
  for (let i = from; i < to; i++) {
    const circle = members[i]
    const col = foldInto(Math.floor(wrap(x[circle], periodX) * perX), cols, periodX)
    const row = foldInto(Math.floor(wrap(y[circle], periodY) * perY), rows, periodY)
    const cell = row * cols + col
    cellOf[i] = cell
    cellStart[cell]++
  }
}

/** A wrapped coordinate is inside already, but the product may have been rounded up to the end. */
function foldInto(cell: number, cells: number, period: number): number {
  return period === Number.POSITIVE_INFINITY ? fold(cell, cells) : Math.min(cell, cells - 1)
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

function wrapEntries({ count, entries, periodX, periodY }: Grid): void {
  for (let entry = 0; entry < count; entry++) {
    entries[4 * entry] = wrap(entries[4 * entry], periodX)
    entries[4 * entry + 1] = wrap(entries[4 * entry + 1], periodY)
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
