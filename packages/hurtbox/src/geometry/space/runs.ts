/**
 * Which entries of a grid lie in a rectangle? A list of runs: for each row of cells, the entries from one place to another.
 *
 * Flat or folded, torus or plane: the differences end here; code that scans runs need not know them. A rectangle that covers
 * more rows than there are entries is answered with all entries, so no search costs more than testing all of them.
 *
 * Here and in all searches numbers with fractions travel in typed arrays, not as arguments: a call that is not inlined puts
 * each into an object of its own on the heap.
 */

import { FOLD_MARGIN, fold, type Grid } from './grid.ts'

/** Run `i` goes from place `bounds[2 * i]` up to `bounds[2 * i + 1]`. A place is a multiple of 4, as in `grid.entries`. */
export type Runs = {
  count: number
  /** Entries in all runs together. */
  entries: number
  bounds: Int32Array
  /** The rectangle to be searched: minX, minY, maxX, maxY. */
  readonly area: Float64Array
}

/**
 * What to multiply a radius by before asking for runs. Rounding is monotonous, so a column is never wrong by itself; only the
 * rounding of the distance test has to be covered.
 */
export const REACH_SLACK = 1 + 1 / (1 << 30)

/** The square of anything smaller is zero, so to a distance test points this near touch. Added to every reach. */
export const UNDERFLOW = 1e-150

export function createRuns(): Runs {
  return { count: 0, entries: 0, bounds: new Int32Array(64), area: new Float64Array(4) }
}

/** Finds all entries that can overlap the circle that stands in `from` at `place`: x, y, radius. */
export function findRunsAround(grid: Grid, from: Float64Array, place: number, runs: Runs): void {
  const reach = (from[place + 2] + grid.maxRadius) * REACH_SLACK + UNDERFLOW
  runs.area[0] = from[place] - reach
  runs.area[1] = from[place + 1] - reach
  runs.area[2] = from[place] + reach
  runs.area[3] = from[place + 1] + reach
  findRuns(grid, runs)
}

/** Finds all entries whose centres are in `runs.area`, and others near it. */
export function findRuns(grid: Grid, runs: Runs): void {
  clearRuns(runs)
  if (grid.folded) findFoldedRuns(grid, runs)
  else findFlatRuns(grid, runs)
}

function findFlatRuns(grid: Grid, runs: Runs): void {
  const { originX, originY, perX, perY, cols, rows, cellStart } = grid
  const { area } = runs
  // Compared before they are made whole, because far outside they would not fit 32 bits. Column and row 0 are empty.
  const left = (area[0] - originX) * perX
  const right = (area[2] - originX) * perX
  const top = (area[1] - originY) * perY
  const bottom = (area[3] - originY) * perY
  if (right < 0 || bottom < 0 || left > cols || top > rows) return
  const firstCol = left > 0 ? (left | 0) + 1 : 1
  const endCol = right < cols - 2 ? (right | 0) + 2 : cols
  const firstRow = top > 0 ? (top | 0) + 1 : 1
  const endRow = bottom < rows - 2 ? (bottom | 0) + 2 : rows
  if (endRow - firstRow > grid.count) {
    addRun(runs, 0, grid.count)
    return
  }
  reserveRuns(runs, endRow - firstRow)
  const { bounds } = runs
  let { count, entries } = runs
  for (let row = firstRow; row < endRow; row++) {
    const from = cellStart[row * cols + firstCol]
    const to = cellStart[row * cols + endCol]
    bounds[count] = from << 2
    bounds[count + 1] = to << 2
    count += 2
    entries += to - from
  }
  runs.count = count >> 1
  runs.entries = entries
}

function findFoldedRuns(grid: Grid, runs: Runs): void {
  const { perX, perY, cols, rows, cellStart } = grid
  const { area } = runs
  const firstCol = Math.floor(area[0] * perX - FOLD_MARGIN)
  const lastCol = Math.floor(area[2] * perX + FOLD_MARGIN)
  const firstRow = Math.floor(area[1] * perY - FOLD_MARGIN)
  const lastRow = Math.floor(area[3] * perY + FOLD_MARGIN)
  // Once around is enough, however large the rectangle.
  const width = Math.min(cols, lastCol - firstCol + 1)
  const height = Math.min(rows, lastRow - firstRow + 1)
  if (height > grid.count) {
    addRun(runs, 0, grid.count)
    return
  }
  reserveRuns(runs, 2 * height)
  const left = fold(firstCol, cols)
  const right = left + width
  for (let i = 0; i < height; i++) {
    const cell = fold(firstRow + i, rows) * cols
    addRun(runs, cellStart[cell + left], cellStart[cell + Math.min(right, cols)])
    if (right > cols) addRun(runs, cellStart[cell], cellStart[cell + right - cols])
  }
}

export function clearRuns(runs: Runs): void {
  runs.count = 0
  runs.entries = 0
}

/** Adds the entries of one cell. */
export function addCell(runs: Runs, { cols, cellStart }: Grid, col: number, row: number): void {
  addRun(runs, cellStart[row * cols + col], cellStart[row * cols + col + 1])
}

/** Adds the entries from number `from` up to `to`. There is room for 32 runs at least. */
export function addRun(runs: Runs, from: number, to: number): void {
  runs.bounds[2 * runs.count] = 4 * from
  runs.bounds[2 * runs.count + 1] = 4 * to
  runs.count++
  runs.entries += to - from
}

function reserveRuns(runs: Runs, count: number): void {
  if (runs.bounds.length < 2 * count) runs.bounds = new Int32Array(4 * count)
}
