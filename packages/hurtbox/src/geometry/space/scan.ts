/**
 * The inner loops of the broad phase: which circles of a grid overlap a circle, and which overlap each other?
 *
 * Loops note the places of what overlaps and nothing else; layers and indexes are looked at afterwards, for the few that
 * do. A place is written whether it overlaps or not, and then kept or not: a branch on the answer would be mispredicted
 * too often. `+(condition)` is 0 or 1 and compiles to no branch.
 *
 * The test is that of `brute-force.ts`, in the same order of operations.
 *
 * How to read them: a *place* is where an entry begins in `grid.entries`, a multiple of 4, so `| 1` adds one. `| 0` tells the
 * compiler that a sum stays within 32 bits. The literals 7, 31 and 4096 are CELL_WORD, the last layer and ENOUGH: a constant of
 * a module is loaded from memory each time, and there are no registers left to keep it in.
 */

import type { Circles } from './circles.ts'
import type { Grid } from './grid.ts'
import { addCell, addRun, clearRuns, createRuns, findRunsAround, type Runs } from './runs.ts'

/** How much larger than its reach half a cell must be, so that the rounding of a column cannot matter. */
const BLOCK_SLACK = 1 + 1 / (1 << 20)

/** Overlaps. The second circle of each is at place `other[i]` in the entries of the grid that was searched. */
export type Hits = {
  count: number
  other: Int32Array
  /** After a search for circles from elsewhere: the key of the first circle. */
  own: Int32Array
  /**
   * After `scanWithin`: how many circles were passed since the hit before, so that a running sum gives the first circle. That
   * is one write per circle instead of one per test. All zero otherwise.
   */
  passed: Int32Array
  /** Distance tests so far. */
  checks: number
  /** Scratch of `scanAround`. */
  readonly runs: Runs
  /** Scratch: x, y and radius of the searching circle. */
  readonly seeker: Float64Array
}

/** A scan pauses when it has noted this many, so that they are still in the cache when they are looked at. */
export const ENOUGH = 4096

export function createHits(): Hits {
  return {
    count: 0,
    other: new Int32Array(0),
    own: new Int32Array(0),
    passed: new Int32Array(0),
    checks: 0,
    runs: createRuns(),
    seeker: new Float64Array(3),
  }
}

/** Makes room for what one search can add to `ENOUGH`: all circles. */
export function reserveHits(hits: Hits, grid: Grid): void {
  if (hits.own.length > ENOUGH + grid.count) return
  hits.own = new Int32Array(ENOUGH + 2 * grid.count + 1)
  hits.other = new Int32Array(hits.own.length)
  hits.passed = new Int32Array(hits.own.length)
}

/**
 * Notes the pairs within a flat grid whose first circle is at a place from `from` up to `to`. Circles before place `others`
 * are not tested as second ones. Returns the place to go on from: where enough have been noted, or in front of a cell in
 * which a circle would need more than `maxTests`.
 *
 * Each circle is tested against half of the 3 × 3 cells around it: what follows it in its own cell, the right neighbour, and
 * three cells of the next row. These are two runs of entries. They are walked as one, because the end of every short loop
 * is mispredicted.
 */
export function scanWithin(grid: Grid, from: number, to: number, others: number, maxTests: number, hits: Hits): number {
  const { cols, cellStart, entries, words } = grid
  const { passed, other } = hits
  let { count, checks } = hits
  let place = from
  for (; place < to && count < 4096; place = (place + 4) | 0) {
    const cell = words[(place << 1) | 7]
    const runEnd = cellStart[(cell + 2) | 0] << 2
    const nextRun = cellStart[(cell + cols - 1) | 0] << 2
    const nextRunEnd = cellStart[(cell + cols + 2) | 0] << 2
    const jump = (nextRun - runEnd) | 0
    const end = (nextRunEnd - jump) | 0
    const start = place < others ? others : (place + 4) | 0
    const tests = (end - start) >> 2
    if (tests > maxTests) break
    checks += tests
    const x = entries[place]
    const y = entries[place | 1]
    const radius = entries[place | 2]
    for (let i = start; i < end; i = (i + 4) | 0) {
      // Behind the end of the first run the difference is negative, and the walk goes on in the second.
      const next = (i + (((runEnd - 1 - i) >> 31) & jump)) | 0
      const dx = x - entries[next]
      const dy = y - entries[next | 1]
      const reach = radius + entries[next | 2]
      other[count] = next
      count = (count + +(dx * dx + dy * dy <= reach * reach)) | 0
    }
    passed[count]++
  }
  hits.count = count
  hits.checks = checks
  return place
}

/**
 * Notes in `hits.other` what overlaps the circle at `place` in half of the cells around it, for a circle whose neighbours may be
 * at the other end of a folded grid.
 */
export function scanSeam(grid: Grid, place: number, hits: Hits): void {
  const { cols, rows, cellStart, words } = grid
  const { runs } = hits
  const cell = words[(place << 1) | 7]
  const col = cell % cols
  const row = (cell - col) / cols
  const left = col === 0 ? cols - 1 : col - 1
  const right = col === cols - 1 ? 0 : col + 1
  const below = row === rows - 1 ? 0 : row + 1
  clearRuns(runs)
  addRun(runs, (place >> 2) + 1, cellStart[cell + 1])
  addCell(runs, grid, right, row)
  addCell(runs, grid, left, below)
  addCell(runs, grid, col, below)
  addCell(runs, grid, right, below)
  hits.checks += runs.entries
  scanRuns(grid, grid.entries, place, hits)
}

/**
 * Notes what overlaps the circles of the given layers, from circle `from` on. Returns the circle to go on from.
 *
 * Where a circle reaches no further than half a cell, all it can overlap is in the 2 × 2 cells around the nearest corner of
 * cells, and their column and row are found by one multiplication each.
 */
export function scanAllAround(grid: Grid, circles: Circles, layers: number, from: number, hits: Hits): number {
  const { x, y, radius, layer } = circles
  const { originX, originY, perX, perY, cols, rows, cellStart, entries } = grid
  const { own, other, seeker } = hits
  const blockRadius = grid.folded ? -1 : 0.5 / Math.max(perX, perY) / BLOCK_SLACK - grid.maxRadius
  let { count, checks } = hits
  let circle = from
  for (; circle < circles.count && count < 4096; circle++) {
    const ownLayer = layer[circle]
    if (ownLayer > 31 || ((layers >>> ownLayer) & 1) === 0) continue
    const atX = x[circle]
    const atY = y[circle]
    const ownRadius = radius[circle]
    const key = (circle << 5) | ownLayer
    if (ownRadius <= blockRadius) {
      const col = (atX - originX) * perX + 0.5
      const row = (atY - originY) * perY + 0.5
      if (!(col >= 0 && row >= 0 && col < cols && row < rows)) continue
      const cell = (Math.imul(row | 0, cols) + (col | 0)) | 0
      const runEnd = cellStart[(cell + 2) | 0] << 2
      for (let place = cellStart[cell] << 2; place < runEnd; place = (place + 4) | 0) {
        const dx = atX - entries[place]
        const dy = atY - entries[place | 1]
        const reach = ownRadius + entries[place | 2]
        own[count] = key
        other[count] = place
        count = (count + +(dx * dx + dy * dy <= reach * reach)) | 0
        checks++
      }
      const nextRunEnd = cellStart[(cell + cols + 2) | 0] << 2
      for (let place = cellStart[(cell + cols) | 0] << 2; place < nextRunEnd; place = (place + 4) | 0) {
        const dx = atX - entries[place]
        const dy = atY - entries[place | 1]
        const reach = ownRadius + entries[place | 2]
        own[count] = key
        other[count] = place
        count = (count + +(dx * dx + dy * dy <= reach * reach)) | 0
        checks++
      }
    } else {
      const before = count
      hits.count = count
      hits.checks = checks
      seeker[0] = atX
      seeker[1] = atY
      seeker[2] = ownRadius
      grid.around?.wrapPlace(grid, seeker, 0)
      scanAround(grid, seeker, 0, hits)
      count = hits.count
      checks = hits.checks
      own.fill(key, before, count)
    }
  }
  hits.count = count
  hits.checks = checks
  return circle
}

/** Notes in `hits.other` what overlaps the circle that stands in `from` at `place`: x and y, wrapped on a torus, and radius. */
export function scanAround(grid: Grid, from: Float64Array, place: number, hits: Hits): void {
  findRunsAround(grid, from, place, hits.runs)
  hits.checks += hits.runs.entries
  scanRuns(grid, from, place, hits)
}

/** Notes what overlaps in the runs that were found. */
function scanRuns(grid: Grid, from: Float64Array, place: number, hits: Hits): void {
  if (grid.around === undefined) scanPlane(grid, from, place, hits)
  else grid.around.scan(grid, from, place, hits)
}

function scanPlane({ entries }: Grid, from: Float64Array, place: number, hits: Hits): void {
  const { other, runs } = hits
  const { bounds } = runs
  const x = from[place]
  const y = from[place + 1]
  const radius = from[place + 2]
  const end = runs.count << 1
  let { count } = hits
  for (let run = 0; run < end; run += 2) {
    const to = bounds[run + 1]
    for (let next = bounds[run]; next < to; next = (next + 4) | 0) {
      const dx = x - entries[next]
      const dy = y - entries[next | 1]
      const reach = radius + entries[next | 2]
      other[count] = next
      count = (count + +(dx * dx + dy * dy <= reach * reach)) | 0
    }
  }
  hits.count = count
}
