/**
 * The static map: walls, terrain and tiles as rectangles, entered into a grid once, when the map is loaded.
 *
 * What never moves is not worth sorting in every tick, and it is long: a wall is not near its centre. So a rectangle is entered
 * into every cell it touches. A circle that touches several cells may find a rectangle in more than one of them; it is
 * reported from the first cell of the part they share, so nothing has to be remembered.
 *
 * Rectangles are bounds. Shapes decide whether a sloped wall is really hit.
 */

import { HurtboxError, requireQuantity, requireSize } from '../../base/errors.ts'
import { createIndexSet, type IndexSet, reserveIndexes, sortAscending } from './ascending.ts'
import { type Circles, LAYERS } from './circles.ts'
import type { PairOptions } from './find-pairs.ts'
import { type PairList, reservePairs } from './pair-list.ts'
import { REACH_SLACK, UNDERFLOW } from './runs.ts'

/** Bounding rectangles in parallel arrays, content of the map. */
export type Rectangles = {
  readonly count: number
  readonly minX: Float64Array
  readonly minY: Float64Array
  readonly maxX: Float64Array
  readonly maxY: Float64Array
  readonly layer: Uint8Array
}

/** Never written after it was built, except for `order`, which is scratch. */
export type StaticMap = {
  readonly rectangles: Rectangles
  /** Layers present, one bit each. */
  readonly layers: number
  readonly originX: number
  readonly originY: number
  /** One over the side of a cell. */
  readonly perCell: number
  readonly cols: number
  readonly rows: number
  /** Cell `c` owns `members[cellStart[c]]` up to `members[cellStart[c + 1] - 1]`, ascending. */
  readonly cellStart: Int32Array
  readonly members: Uint32Array
  /** Rectangles that are in no cell, because they are so much larger than most: the ground under a map. Ascending. */
  readonly wide: Uint32Array
  readonly order: IndexSet
}

/** At most this many cells, and entries in cells, for each rectangle; and some for the smallest maps. */
const CELLS_PER_RECTANGLE = 8
const ENTRIES_PER_RECTANGLE = 16
const FEW = 4096

/** A rectangle with so many times the sides of the middle one would fill the grid, or make its cells too large for the others. */
const WIDE = 256

/** Columns to begin with, before cells are enlarged; and a side one over which is finite. */
const MAX_COLUMNS = 1 << 20
const MIN_SIZE = 1e-100

/** Builds the grid of a map. `cellSize` left out, it follows from the sizes of the rectangles. */
export function buildStaticMap(rectangles: Rectangles, cellSize = 0): StaticMap {
  requireSize(cellSize, 'cellSize')
  requireRectangles(rectangles)
  const { count, minX, minY, maxX, maxY, layer } = rectangles
  const { entered, wide } = splitWide(rectangles)
  const bounds = boundsOf(rectangles, entered)
  const width = bounds.maxX - bounds.minX
  const height = bounds.maxY - bounds.minY
  const extent = Math.max(width, height)
  let size =
    cellSize > 0
      ? Math.max(cellSize, extent / MAX_COLUMNS, MIN_SIZE)
      : Math.max(meanSide(rectangles, entered), extent / 1024) || 1
  while ((width / size + 1) * (height / size + 1) > CELLS_PER_RECTANGLE * count + FEW) size *= 1.25
  while (entriesAt(rectangles, entered, size) > ENTRIES_PER_RECTANGLE * count + FEW) size *= 1.25

  const perCell = 1 / size
  const cols = Math.floor(width * perCell) + 1
  const rows = Math.floor(height * perCell) + 1
  const cellStart = new Int32Array(cols * rows + 1)
  let layers = 0
  const colOf = (x: number) => Math.floor((x - bounds.minX) * perCell)
  const rowOf = (y: number) => Math.floor((y - bounds.minY) * perCell)
  const forEachCell = (i: number, visit: (cell: number) => void) => {
    for (let row = rowOf(minY[i]); row <= rowOf(maxY[i]); row++) {
      for (let col = colOf(minX[i]); col <= colOf(maxX[i]); col++) visit(row * cols + col)
    }
  }

  // A counting sort: count, add up, fill from the end, the last rectangle first.
  for (let i = 0; i < count; i++) if (layer[i] < LAYERS) layers |= 1 << layer[i]
  for (const i of entered) forEachCell(i, (cell) => cellStart[cell]++)
  for (let cell = 1; cell < cellStart.length; cell++) cellStart[cell] += cellStart[cell - 1]
  const members = new Uint32Array(cellStart[cellStart.length - 1])
  for (let k = entered.length - 1; k >= 0; k--)
    forEachCell(entered[k], (cell) => (members[--cellStart[cell]] = entered[k]))

  const order = createIndexSet()
  reserveIndexes(order, count)
  const { minX: originX, minY: originY } = bounds
  return { rectangles, layers, originX, originY, perCell, cols, rows, cellStart, members, wide, order }
}

/**
 * Writes every circle `a` and rectangle `b` of the map whose layers meet and that overlap or touch into `pairs`, ordered by
 * circle, then by rectangle. Circles outside the map meet nothing there and are no error.
 */
export function findStaticPairs(
  map: StaticMap,
  circles: Circles,
  pairs: PairList,
  { meets, from = 0 }: Pick<PairOptions, 'meets'> & { readonly from?: number },
): void {
  pairs.count = 0
  pairs.checks = 0
  for (let circle = from; circle < circles.count; circle++) {
    const layer = circles.layer[circle]
    if (layer >= LAYERS || (meets[layer] & map.layers) === 0) continue
    const first = pairs.count
    addRectangles(map, circles, circle, meets[layer], pairs)
    sortAscending(map.order, pairs.b, first, pairs.count)
  }
}

/** Adds the rectangles that overlap one circle. */
function addRectangles(map: StaticMap, circles: Circles, circle: number, met: number, pairs: PairList): void {
  const { rectangles, originX, originY, perCell, cols, rows, cellStart, members, wide } = map
  const { minX, minY, layer } = rectangles
  const x = circles.x[circle]
  const y = circles.y[circle]
  const radius = circles.radius[circle]
  const reach = radius * REACH_SLACK + UNDERFLOW
  const firstCol = Math.max(0, Math.floor((x - reach - originX) * perCell))
  const lastCol = Math.min(cols - 1, Math.floor((x + reach - originX) * perCell))
  const firstRow = Math.max(0, Math.floor((y - reach - originY) * perCell))
  const lastRow = Math.min(rows - 1, Math.floor((y + reach - originY) * perCell))
  for (let row = firstRow; row <= lastRow; row++) {
    for (let col = firstCol; col <= lastCol; col++) {
      const end = cellStart[row * cols + col + 1]
      for (let i = cellStart[row * cols + col]; i < end; i++) {
        const rectangle = members[i]
        if (((met >>> layer[rectangle]) & 1) === 0 || layer[rectangle] >= LAYERS) continue
        const startCol = Math.floor((minX[rectangle] - originX) * perCell)
        const startRow = Math.floor((minY[rectangle] - originY) * perCell)
        if (col !== Math.max(firstCol, startCol) || row !== Math.max(firstRow, startRow)) continue
        addIfNear(map, circles, circle, rectangle, pairs)
      }
    }
  }
  for (let i = 0; i < wide.length; i++) {
    if (((met >>> layer[wide[i]]) & 1) === 1 && layer[wide[i]] < LAYERS) addIfNear(map, circles, circle, wide[i], pairs)
  }
}

function addIfNear(
  { rectangles }: StaticMap,
  circles: Circles,
  circle: number,
  rectangle: number,
  pairs: PairList,
): void {
  const { minX, minY, maxX, maxY } = rectangles
  const x = circles.x[circle]
  const y = circles.y[circle]
  const radius = circles.radius[circle]
  pairs.checks++
  const dx = Math.max(minX[rectangle] - x, 0, x - maxX[rectangle])
  const dy = Math.max(minY[rectangle] - y, 0, y - maxY[rectangle])
  if (dx * dx + dy * dy > radius * radius) return
  reservePairs(pairs, pairs.count + 1)
  pairs.a[pairs.count] = circle
  pairs.b[pairs.count++] = rectangle
}

function requireRectangles({ count, minX, minY, maxX, maxY }: Rectangles): void {
  for (let i = 0; i < count; i++) {
    requireQuantity(minX[i], `minX of rectangle ${i}`)
    requireQuantity(minY[i], `minY of rectangle ${i}`)
    requireQuantity(maxX[i], `maxX of rectangle ${i}`)
    requireQuantity(maxY[i], `maxY of rectangle ${i}`)
    if (minX[i] > maxX[i] || minY[i] > maxY[i]) {
      const corners = `${minX[i]}, ${minY[i]} to ${maxX[i]}, ${maxY[i]}`
      throw new HurtboxError('bad-declaration', `The corners of rectangle ${i} must ascend, got ${corners}.`, { i })
    }
  }
}

/** Which rectangles the cells take in, and which are too wide for that. */
function splitWide({ count, minX, minY, maxX, maxY }: Rectangles): { entered: Uint32Array; wide: Uint32Array } {
  const sides = Float64Array.from({ length: count }, (_, i) => maxX[i] - minX[i] + maxY[i] - minY[i])
  const limit = WIDE * [...sides].sort((a, b) => a - b)[count >> 1]
  const all = Uint32Array.from(sides.keys())
  return { entered: all.filter((i) => !(sides[i] > limit)), wide: all.filter((i) => sides[i] > limit) }
}

function boundsOf({ minX, minY, maxX, maxY }: Rectangles, entered: Uint32Array) {
  const bounds = { minX: 0, minY: 0, maxX: 0, maxY: 0 }
  entered.forEach((i, k) => {
    bounds.minX = k === 0 ? minX[i] : Math.min(bounds.minX, minX[i])
    bounds.minY = k === 0 ? minY[i] : Math.min(bounds.minY, minY[i])
    bounds.maxX = k === 0 ? maxX[i] : Math.max(bounds.maxX, maxX[i])
    bounds.maxY = k === 0 ? maxY[i] : Math.max(bounds.maxY, maxY[i])
  })
  return bounds
}

function meanSide({ minX, minY, maxX, maxY }: Rectangles, entered: Uint32Array): number {
  let sum = 0
  for (const i of entered) sum += maxX[i] - minX[i] + maxY[i] - minY[i]
  return entered.length === 0 ? 0 : sum / (2 * entered.length)
}

/** Estimate of the entries that cells of this size would need. */
function entriesAt({ minX, minY, maxX, maxY }: Rectangles, entered: Uint32Array, size: number): number {
  let entries = 0
  for (const i of entered) entries += ((maxX[i] - minX[i]) / size + 1) * ((maxY[i] - minY[i]) / size + 1)
  return entries
}
