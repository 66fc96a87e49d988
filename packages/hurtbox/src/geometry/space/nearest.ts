/**
 * The nearest circles to a place, measured to their centres.
 *
 * A square around the place is searched, and doubled until it is sure to hold what was asked for: as many as asked for, none of
 * them further away than the square reaches. Rings of cells would look at a little less; squares serve planes, tori and
 * folded grids alike.
 */

import { requireInteger, requireSize } from '../../base/errors.ts'
import { KEY_SHIFT } from './circles.ts'
import { KEY_WORD } from './grid.ts'
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
} from './query.ts'
import { findRuns, REACH_SLACK } from './runs.ts'
import { nearestImage, wrap } from './topology.ts'

/** What `nearest` looks for: circles around a point. */
export type NearestQuery = {
  readonly x: number
  readonly y: number
  /** At most this many, the nearest. Default: all. */
  readonly limit?: number
  /** None whose centre is further away. Default: at any distance. */
  readonly maxDistance?: number
}

/** Writes circles, nearest first, equally near ones by index. */
export function nearest(index: CircleIndex, query: NearestQuery, answer: Answer, filter: Filter = ANYTHING): void {
  const { x, y, limit = NO_LIMIT, maxDistance = Number.POSITIVE_INFINITY } = query
  requirePlace(x, y)
  requireInteger(limit, 'limit', 0, NO_LIMIT)
  if (maxDistance !== Number.POSITIVE_INFINITY) requireSize(maxDistance, 'maxDistance')
  const { asked, topology } = index
  answer.count = 0
  if (limit === 0) return
  asked[X] = wrap(x, topology.width)
  asked[Y] = wrap(y, topology.height)
  asked[MAX_DISTANCE] = maxDistance
  asked[REACH] = Math.min(maxDistance, firstReach(index, limit))
  while (!searchSquare(index, limit, answer, filter)) asked[REACH] = Math.min(maxDistance, 2 * asked[REACH])
}

/** Places in `index.asked`. `MEASURE` is a fifth one. */
const X = 0
const Y = 1
const REACH = 2
const MAX_DISTANCE = 3

/** A cell or so of the smallest grid, where most circles are. */
function firstReach({ levels }: CircleIndex, limit: number): number {
  return levels.count === 0 ? 1 : Math.sqrt(limit) / levels.grids[0].perX
}

/** Returns whether the answer is complete. */
function searchSquare(
  { levels, runs, traits, asked }: CircleIndex,
  limit: number,
  answer: Answer,
  filter: Filter,
): boolean {
  const layers = layersOf(filter)
  const narrow = isNarrow(filter)
  const x = asked[X]
  const y = asked[Y]
  const reach = asked[REACH]
  const maxSquared = asked[MAX_DISTANCE] * asked[MAX_DISTANCE]
  runs.area[0] = x - reach * REACH_SLACK
  runs.area[1] = y - reach * REACH_SLACK
  runs.area[2] = x + reach * REACH_SLACK
  runs.area[3] = y + reach * REACH_SLACK
  let seenAll = true
  answer.count = 0
  for (let level = 0; level < levels.count; level++) {
    const grid = levels.grids[level]
    if ((grid.layers & layers) === 0) continue
    findRuns(grid, runs)
    if (runs.entries < grid.count) seenAll = false
    const { entries, words } = grid
    for (let run = 0; run < 2 * runs.count; run += 2) {
      const to = runs.bounds[run + 1]
      for (let place = runs.bounds[run]; place < to; place += 4) {
        const dx = nearestImage(x, entries[place], grid.periodX)
        const dy = nearestImage(y, entries[place + 1], grid.periodY)
        const squared = dx * dx + dy * dy
        if (squared > maxSquared || (answer.count === limit && squared > answer.measure[limit - 1])) continue
        const key = words[2 * place + KEY_WORD]
        if (((layers >>> key) & 1) === 0) continue
        if (narrow && !accepts(filter, traits, key >>> KEY_SHIFT)) continue
        asked[MEASURE] = squared
        insertByMeasure(answer, limit, key >>> KEY_SHIFT, asked)
      }
    }
  }
  const isSure = answer.count === limit && answer.measure[limit - 1] <= reach * reach
  return isSure || seenAll || reach === asked[MAX_DISTANCE]
}
