/**
 * What does a moving circle meet on its way, and when? A ray is a circle without radius.
 *
 * The way is walked cell by cell along its longer axis. Of each column (or row) of cells only those are looked at that the
 * way comes near, with one largest radius to spare on either side; that leaves two or three. Every circle is in one cell and
 * no cell is visited twice, so nothing is tested twice. With a `limit` the walk stops when all
 * further cells lie behind the impacts found.
 *
 * On a torus the way goes on across the seam: it is walked once for every image of the base rectangle that it comes near, and a
 * circle that it meets several times is met first.
 */

import { requireInteger } from '../../base/errors.ts'
import { KEY_SHIFT } from './circles.ts'
import { fold, type Grid, KEY_WORD } from './grid.ts'
import {
  ANYTHING,
  type Answer,
  accepts,
  type CircleIndex,
  type Filter,
  insertByMeasure,
  isNarrow,
  layersOf,
  MEASURE,
  NO_LIMIT,
  requirePlace,
  requireRadius,
} from './query.ts'
import { OPEN, wrap } from './topology.ts'

/** Widens the walk by more than rounding can add: that of `impactTime` grows with the way, that of a column with the cell. */
const WAY_SLACK = 1 / (1 << 30)
const CELL_SLACK = 1 / (1 << 20)
const FOLDED_CELL_SLACK = 1 / 512

/** In cells. A way shorter than this lies all in its first cells, and one over it might be infinite. */
const TOO_SHORT = 1e-100

/** A ray from (x, y) to (x + dx, y + dy), as in `hurtbox/shapes`. */
export type RayQuery = {
  readonly x: number
  readonly y: number
  readonly dx: number
  readonly dy: number
  /** At most this many circles, the first ones. Default: all. */
  readonly limit?: number
}

/** Writes the circles that a ray meets, by time of impact, then by index. */
export function raycast(index: CircleIndex, ray: RayQuery, answer: Answer, filter: Filter = ANYTHING): void {
  index.asked[RADIUS] = 0
  cast(index, ray, answer, filter)
}

/** The same for a circle that moves by (dx, dy). What it overlaps or touches at the start is met at time 0. */
export function sweepCircle(
  index: CircleIndex,
  circle: RayQuery & { readonly radius: number },
  answer: Answer,
  filter: Filter = ANYTHING,
): void {
  requireRadius(circle.radius)
  index.asked[RADIUS] = circle.radius
  cast(index, circle, answer, filter)
}

/** The radius is in `asked` already: as an argument it would be a number on the heap. */
function cast(index: CircleIndex, query: RayQuery, answer: Answer, filter: Filter): void {
  const { x, y, dx, dy, limit = NO_LIMIT } = query
  requirePlace(x, y)
  requirePlace(dx, dy, 'dx', 'dy')
  requireInteger(limit, 'limit', 0, NO_LIMIT)
  answer.count = 0
  if (limit === 0) return
  const { topology, asked } = index
  asked[X] = wrap(x, topology.width)
  asked[Y] = wrap(y, topology.height)
  asked[DX] = dx
  asked[DY] = dy
  if (topology !== OPEN) {
    castAround(index, topology, answer, filter, limit)
    return
  }
  castInto(index, answer, filter, limit)
}

/** Walks the grids from where the way begins. */
function castInto(index: CircleIndex, answer: Answer, filter: Filter, limit: number): void {
  const { levels, topology } = index
  const layers = layersOf(filter)
  for (let level = 0; level < levels.count; level++) {
    const grid = levels.grids[level]
    if ((grid.layers & layers) === 0) continue
    if (grid.folded && topology === OPEN) walkFolded(index, grid, answer, filter, limit)
    else walk(index, grid, answer, filter, limit)
  }
}

/**
 * Moves the way instead of the plane: each image of the base rectangle that it comes near is the base rectangle once. Images are
 * gone through along the longer axis, and beside it only where the way is then.
 */
function castAround(
  index: CircleIndex,
  { width, height }: { readonly width: number; readonly height: number },
  answer: Answer,
  filter: Filter,
  limit: number,
): void {
  const { asked, levels } = index
  const x = asked[X]
  const y = asked[Y]
  const dx = asked[DX]
  const dy = asked[DY]
  let reach = asked[RADIUS]
  for (let level = 0; level < levels.count; level++) {
    reach = Math.max(reach, asked[RADIUS] + levels.grids[level].maxRadius)
  }
  reach = reach * (1 + WAY_SLACK) + (Math.abs(dx) + Math.abs(dy)) * WAY_SLACK
  const alongX = Math.abs(dx) * height >= Math.abs(dy) * width
  const main = alongX ? x : y
  const mainWay = alongX ? dx : dy
  const mainPeriod = alongX ? width : height
  const side = alongX ? y : x
  const sideWay = alongX ? dy : dx
  const sidePeriod = alongX ? height : width
  const first = Math.floor((Math.min(main, main + mainWay) - reach) / mainPeriod)
  const last = Math.floor((Math.max(main, main + mainWay) + reach) / mainPeriod)
  const isForward = mainWay >= 0
  for (let i = first; i <= last; i++) {
    const image = isForward ? i : first + last - i
    const near = image * mainPeriod - reach - main
    const far = (image + 1) * mainPeriod + reach - main
    const enter = mainWay === 0 ? 0 : Math.max(0, (isForward ? near : far) / mainWay)
    const leave = mainWay === 0 ? 1 : Math.min(1, (isForward ? far : near) / mainWay)
    if (answer.count === limit && enter > answer.measure[limit - 1]) return
    const sideFrom = side + sideWay * enter
    const sideTo = side + sideWay * leave
    const sideLast = Math.floor((Math.max(sideFrom, sideTo) + reach) / sidePeriod)
    for (let s = Math.floor((Math.min(sideFrom, sideTo) - reach) / sidePeriod); s <= sideLast; s++) {
      asked[X] = x - (alongX ? image : s) * width
      asked[Y] = y - (alongX ? s : image) * height
      castInto(index, answer, filter, limit)
    }
  }
}

/** Adds a circle with `asked[MEASURE]` to the answer. On a torus it may be there already, met on another round. */
function note({ asked, topology }: CircleIndex, answer: Answer, limit: number, circle: number): void {
  if (topology !== OPEN) {
    const known = answer.circle.subarray(0, answer.count).indexOf(circle)
    if (known >= 0) {
      if (answer.measure[known] <= asked[MEASURE]) return
      answer.circle.copyWithin(known, known + 1, answer.count)
      answer.measure.copyWithin(known, known + 1, answer.count)
      answer.count--
    }
  }
  insertByMeasure(answer, limit, circle, asked)
}

/** Places in `index.asked`. */
const X = 0
const Y = 1
const RADIUS = 2
const DX = 3
const DY = 4

/**
 * When a point that starts at (x, y) and moves by (dx, dy) meets a circle of radius `reach` around the origin: 0 to 1, or
 * infinity. Two circles meet when the centre of one meets the other, grown by the radius of the first.
 */
export function impactTime(x: number, y: number, dx: number, dy: number, reach: number): number {
  const outside = x * x + y * y - reach * reach
  if (outside <= 0) return 0
  const approach = -(x * dx + y * dy)
  if (approach <= 0) return Number.POSITIVE_INFINITY
  const cross = x * dy - y * dx
  const discriminant = (dx * dx + dy * dy) * (reach * reach) - cross * cross
  if (discriminant < 0) return Number.POSITIVE_INFINITY
  // The usual (approach - root) / length², top and bottom multiplied by (approach + root): nothing cancels.
  const time = outside / (approach + Math.sqrt(discriminant))
  return time <= 1 ? time : Number.POSITIVE_INFINITY
}

/** Places in `index.course`, the way through a grid: in cells, from its corner. `MAIN` is the longer axis, `SIDE` the other. */
const MAIN = 0
const MAIN_WAY = 1
const MAIN_REACH = 2
const SIDE = 3
const SIDE_WAY = 4
const SIDE_REACH = 5

/** Returns whether the longer axis is x. */
function plot({ asked, course }: CircleIndex, grid: Grid): boolean {
  const alongX = Math.abs(asked[DX]) >= Math.abs(asked[DY])
  const perMain = alongX ? grid.perX : grid.perY
  const perSide = alongX ? grid.perY : grid.perX
  const way = Math.abs(asked[DX]) + Math.abs(asked[DY])
  const reach = (asked[RADIUS] + grid.maxRadius) * (1 + WAY_SLACK) + way * WAY_SLACK
  const slack = grid.folded ? FOLDED_CELL_SLACK : CELL_SLACK
  course[MAIN] = (alongX ? asked[X] - grid.originX : asked[Y] - grid.originY) * perMain
  course[MAIN_WAY] = (alongX ? asked[DX] : asked[DY]) * perMain
  course[MAIN_REACH] = reach * perMain + slack
  course[SIDE] = (alongX ? asked[Y] - grid.originY : asked[X] - grid.originX) * perSide
  course[SIDE_WAY] = (alongX ? asked[DY] : asked[DX]) * perSide
  course[SIDE_REACH] = reach * perSide + slack
  return alongX
}

/** Walks a grid whose cells end somewhere. `testRun` and `impactTime` are written out in its innermost loop. */
function walk(index: CircleIndex, grid: Grid, answer: Answer, filter: Filter, limit: number): void {
  const alongX = plot(index, grid)
  const { asked, course, traits } = index
  const { cols, cellStart, entries, words } = grid
  const pad = grid.folded ? 0 : 1
  const main = course[MAIN]
  const mainWay = course[MAIN_WAY]
  const mainReach = course[MAIN_REACH]
  const side = course[SIDE]
  const sideWay = course[SIDE_WAY]
  const sideReach = course[SIDE_REACH]
  // Clamped before they are made whole, because far outside they would not fit 32 bits.
  const mainCells = (alongX ? cols : grid.rows) - pad
  const sideCells = (alongX ? grid.rows : cols) - pad
  const low = Math.min(main, main + mainWay) - mainReach
  const high = Math.max(main, main + mainWay) + mainReach
  if (high < 0 || low >= mainCells) return
  const first = low > 0 ? low | 0 : 0
  const last = high < mainCells ? high | 0 : (mainCells - 1) | 0
  const perWay = Math.abs(mainWay) < TOO_SHORT ? 0 : 1 / mainWay
  const forward = mainWay >= 0
  const mainStride = alongX ? 1 : cols
  const sideStride = alongX ? cols : 1

  const x = asked[X]
  const y = asked[Y]
  const radius = asked[RADIUS]
  const dx = asked[DX]
  const dy = asked[DY]
  const squaredWay = dx * dx + dy * dy
  const layers = layersOf(filter)
  const narrow = isNarrow(filter)
  /** Nothing later than this can be in the answer. */
  let until = answer.count === limit ? answer.measure[limit - 1] : 1
  for (let i = first; i <= last; i = (i + 1) | 0) {
    const cell = forward ? i : (first + last - i) | 0
    // The part of the way on which anything in this column can be met.
    const near = (forward ? cell - mainReach : cell + 1 + mainReach) - main
    const far = (forward ? cell + 1 + mainReach : cell - mainReach) - main
    const enter = Math.max(0, near * perWay)
    const leave = Math.min(1, far * perWay)
    if (enter > until) return
    const from = side + sideWay * enter
    const to = side + sideWay * leave
    const sideLow = Math.min(from, to) - sideReach
    const sideHigh = Math.max(from, to) + sideReach
    if (sideHigh < 0 || sideLow >= sideCells) continue
    const sideFirst = sideLow > 0 ? sideLow | 0 : 0
    const sideLast = sideHigh < sideCells ? sideHigh | 0 : (sideCells - 1) | 0
    for (let sideCell = sideFirst; sideCell <= sideLast; sideCell = (sideCell + 1) | 0) {
      const at = (Math.imul(cell + pad, mainStride) + Math.imul(sideCell + pad, sideStride)) | 0
      const end = cellStart[(at + 1) | 0] << 2
      for (let place = cellStart[at] << 2; place < end; place = (place + 4) | 0) {
        const offX = x - entries[place]
        const offY = y - entries[place | 1]
        const reach = radius + entries[place | 2]
        const outside = offX * offX + offY * offY - reach * reach
        let time = 0
        if (outside > 0) {
          const approach = -(offX * dx + offY * dy)
          if (approach <= 0) continue
          const cross = offX * dy - offY * dx
          const discriminant = squaredWay * (reach * reach) - cross * cross
          if (discriminant < 0) continue
          time = outside / (approach + Math.sqrt(discriminant))
          if (time > until) continue
        }
        const key = words[(place << 1) | KEY_WORD]
        if (((layers >>> key) & 1) === 0 || (narrow && !accepts(filter, traits, key >>> KEY_SHIFT))) continue
        asked[MEASURE] = time
        note(index, answer, limit, key >>> KEY_SHIFT)
        if (answer.count === limit) until = answer.measure[limit - 1]
      }
    }
  }
}

/** The same on a plane that is rolled up: cells do not end, and circles of others are kept in the same place. */
function walkFolded(index: CircleIndex, grid: Grid, answer: Answer, filter: Filter, limit: number): void {
  const alongX = plot(index, grid)
  const { course } = index
  const { perX, perY, cols, rows, cellStart, entries } = grid
  const main = course[MAIN]
  const mainWay = course[MAIN_WAY]
  const mainReach = course[MAIN_REACH]
  const first = Math.floor(Math.min(main, main + mainWay) - mainReach)
  const last = Math.floor(Math.max(main, main + mainWay) + mainReach)
  if ((last - first) * (2 * course[SIDE_REACH] + 2) > grid.count) {
    testRun(index, grid, 0, 4 * grid.count, answer, filter, limit)
    return
  }
  const perWay = Math.abs(mainWay) < TOO_SHORT ? 0 : 1 / mainWay
  for (let cell = first; cell <= last; cell++) {
    const one = (cell - mainReach - main) * perWay
    const other = (cell + 1 + mainReach - main) * perWay
    const from = course[SIDE] + course[SIDE_WAY] * Math.max(0, Math.min(one, other))
    const to = course[SIDE] + course[SIDE_WAY] * Math.min(1, Math.max(one, other))
    const sideLast = Math.floor(Math.max(from, to) + course[SIDE_REACH])
    for (let sideCell = Math.floor(Math.min(from, to) - course[SIDE_REACH]); sideCell <= sideLast; sideCell++) {
      const col = alongX ? cell : sideCell
      const row = alongX ? sideCell : cell
      const kept = fold(row, rows) * cols + fold(col, cols)
      for (let place = 4 * cellStart[kept]; place < 4 * cellStart[kept + 1]; place += 4) {
        if (Math.floor(entries[place] * perX) !== col || Math.floor(entries[place + 1] * perY) !== row) continue
        testRun(index, grid, place, place + 4, answer, filter, limit)
      }
    }
  }
}

/** Tests the circles at the places from `from` up to `to`. */
function testRun(
  index: CircleIndex,
  { entries, words }: Grid,
  from: number,
  to: number,
  answer: Answer,
  filter: Filter,
  limit: number,
): void {
  const { asked, traits } = index
  const x = asked[X]
  const y = asked[Y]
  const radius = asked[RADIUS]
  const dx = asked[DX]
  const dy = asked[DY]
  for (let place = from; place < to; place = (place + 4) | 0) {
    const time = impactTime(x - entries[place], y - entries[place | 1], dx, dy, radius + entries[place | 2])
    if (time === Number.POSITIVE_INFINITY) continue
    if (answer.count === limit && time > answer.measure[limit - 1]) continue
    const key = words[(place << 1) | KEY_WORD]
    if (((layersOf(filter) >>> key) & 1) === 0) continue
    if (isNarrow(filter) && !accepts(filter, traits, key >>> KEY_SHIFT)) continue
    asked[MEASURE] = time
    note(index, answer, limit, key >>> KEY_SHIFT)
  }
}
