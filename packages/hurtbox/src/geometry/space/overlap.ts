/** Which circles are in a region? All that overlap or touch it, in ascending order. */

import { HurtboxError } from '../../base/errors.ts'
import { sortAscending } from './ascending.ts'
import { KEY_SHIFT } from './circles.ts'
import { type Grid, KEY_WORD } from './grid.ts'
import {
  ANYTHING,
  type Answer,
  accepts,
  type CircleIndex,
  type Filter,
  isNarrow,
  layersOf,
  requirePlace,
  requireRadius,
  reserveAnswer,
} from './query.ts'
import { findRuns, findRunsAround, REACH_SLACK, type Runs, UNDERFLOW } from './runs.ts'
import { nearestImage, OPEN, wrap } from './topology.ts'

export function overlapCircle(
  index: CircleIndex,
  circle: { readonly x: number; readonly y: number; readonly radius: number },
  answer: Answer,
  filter: Filter = ANYTHING,
): void {
  const { x, y, radius } = circle
  requirePlace(x, y)
  requireRadius(radius)
  const { levels, topology, runs, asked } = index
  const layers = layersOf(filter)
  asked[0] = wrap(x, topology.width)
  asked[1] = wrap(y, topology.height)
  asked[2] = radius
  answer.count = 0
  for (let level = 0; level < levels.count; level++) {
    const grid = levels.grids[level]
    if ((grid.layers & layers) === 0) continue
    findRunsAround(grid, asked, 0, runs)
    reserveAnswer(answer, answer.count + runs.entries + 1)
    if (topology === OPEN) scanPlane(grid, runs, asked, layers, answer)
    else scanTorus(grid, runs, asked, layers, answer)
  }
  finish(index, filter, answer)
}

/** A rectangle along the axes. On a torus it may reach across the seam. */
export function overlapBox(
  index: CircleIndex,
  box: { readonly minX: number; readonly minY: number; readonly maxX: number; readonly maxY: number },
  answer: Answer,
  filter: Filter = ANYTHING,
): void {
  const { minX, minY, maxX, maxY } = box
  requirePlace(minX, minY, 'minX', 'minY')
  requirePlace(maxX, maxY, 'maxX', 'maxY')
  if (minX > maxX || minY > maxY) {
    throw new HurtboxError(
      'bad-argument',
      `The corners of a box must ascend, got ${minX}, ${minY} to ${maxX}, ${maxY}.`,
    )
  }
  const { levels, topology, runs, asked } = index
  const layers = layersOf(filter)
  // On a torus the box is moved as a whole, so that its lower corner is in the base rectangle.
  asked[0] = wrap(minX, topology.width)
  asked[1] = wrap(minY, topology.height)
  asked[2] = topology === OPEN ? maxX : asked[0] + (maxX - minX)
  asked[3] = topology === OPEN ? maxY : asked[1] + (maxY - minY)
  answer.count = 0
  for (let level = 0; level < levels.count; level++) {
    const grid = levels.grids[level]
    if ((grid.layers & layers) === 0) continue
    const reach = grid.maxRadius * REACH_SLACK + UNDERFLOW
    runs.area[0] = asked[0] - reach
    runs.area[1] = asked[1] - reach
    runs.area[2] = asked[2] + reach
    runs.area[3] = asked[3] + reach
    findRuns(grid, runs)
    reserveAnswer(answer, answer.count + runs.entries + 1)
    scanBox(grid, runs, asked, layers, answer)
  }
  finish(index, filter, answer)
}

/** How far a wrapped coordinate is outside of an interval that begins in the base rectangle. 0 inside. */
export function distanceToInterval(at: number, from: number, to: number, period: number): number {
  if (period === Number.POSITIVE_INFINITY) return Math.max(from - at, 0, at - to)
  const offset = wrap(at - from, period)
  const extent = to - from
  return offset <= extent ? 0 : Math.min(offset - extent, period - offset)
}

/** Every circle is written and then kept or not, without a branch: half of them would be mispredicted. See `scan.ts`. */
function scanPlane(grid: Grid, runs: Runs, asked: Float64Array, layers: number, answer: Answer): void {
  const { entries, words } = grid
  const x = asked[0]
  const y = asked[1]
  const radius = asked[2]
  const { circle } = answer
  const { bounds } = runs
  const end = runs.count << 1
  let { count } = answer
  for (let run = 0; run < end; run += 2) {
    const to = bounds[run + 1]
    for (let place = bounds[run]; place < to; place = (place + 4) | 0) {
      const dx = x - entries[place]
      const dy = y - entries[place | 1]
      const reach = radius + entries[place | 2]
      const key = words[(place << 1) | 6]
      circle[count] = key >>> 5
      count = (count + ((layers >>> key) & +(dx * dx + dy * dy <= reach * reach))) | 0
    }
  }
  answer.count = count
}

function scanTorus(grid: Grid, runs: Runs, asked: Float64Array, layers: number, answer: Answer): void {
  const { entries, words, periodX: width, periodY: height } = grid
  for (let run = 0; run < 2 * runs.count; run += 2) {
    for (let place = runs.bounds[run]; place < runs.bounds[run + 1]; place += 4) {
      const dx = nearestImage(asked[0], entries[place], width)
      const dy = nearestImage(asked[1], entries[place + 1], height)
      const reach = asked[2] + entries[place + 2]
      const key = words[2 * place + KEY_WORD]
      answer.circle[answer.count] = key >>> KEY_SHIFT
      answer.count += (layers >>> key) & +(dx * dx + dy * dy <= reach * reach)
    }
  }
}

function scanBox(grid: Grid, runs: Runs, asked: Float64Array, layers: number, answer: Answer): void {
  const { entries, words, periodX: width, periodY: height } = grid
  for (let run = 0; run < 2 * runs.count; run += 2) {
    for (let place = runs.bounds[run]; place < runs.bounds[run + 1]; place += 4) {
      const dx = distanceToInterval(entries[place], asked[0], asked[2], width)
      const dy = distanceToInterval(entries[place + 1], asked[1], asked[3], height)
      const radius = entries[place + 2]
      const key = words[2 * place + KEY_WORD]
      answer.circle[answer.count] = key >>> KEY_SHIFT
      answer.count += (layers >>> key) & +(dx * dx + dy * dy <= radius * radius)
    }
  }
}

function finish(index: CircleIndex, filter: Filter, answer: Answer): void {
  if (isNarrow(filter)) narrow(index, filter, answer)
  sortAscending(index.order, answer.circle, 0, answer.count)
}

function narrow({ traits }: CircleIndex, filter: Filter, answer: Answer): void {
  let kept = 0
  for (let i = 0; i < answer.count; i++) {
    if (accepts(filter, traits, answer.circle[i])) answer.circle[kept++] = answer.circle[i]
  }
  answer.count = kept
}
