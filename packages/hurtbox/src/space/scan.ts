/**
 * The inner loops of the broad phase: which circles of a grid overlap a circle, and each other?
 *
 * The test is the one of `brute-force.ts`, in the same order of operations. Here are the only places where speed comes
 * before beauty.
 */

import type { Meets } from './circles.ts'
import { KEY_SHIFT } from './circles.ts'
import { CELL_WORD, FOLD_MARGIN, fold, type Grid, KEY_WORD } from './grid.ts'
import { type FoundPairs, makeRoom, type PairList } from './pair-list.ts'
import { nearestImage } from './topology.ts'

/** Rounding is monotonous, so a search need only be widened by what the rounding of the distance test itself can add. */
const REACH_SLACK = 1 + 1 / (1 << 30)

const LAYER_MASK = (1 << KEY_SHIFT) - 1

/** Finds all pairs inside one grid. */
export function scanWithin(grid: Grid, meets: Meets, found: FoundPairs, pairs: PairList): void {
  if (grid.folded) scanWithinFolded(grid, meets, found, pairs)
  else scanWithinFlat(grid, meets, found, pairs)
}

/**
 * Half of the 3 × 3 cells around each circle: what follows it in its own cell, the right neighbour, and three cells of the
 * next row. These are two runs of entries. They are walked as one, because the processor mispredicts the end of every short
 * loop, and each pair is written whether it overlaps or not and then kept or not, because it mispredicts that too.
 */
function scanWithinFlat(grid: Grid, meets: Meets, found: FoundPairs, pairs: PairList): void {
  const { cols, cellStart, entries, words } = grid
  const end = grid.count << 2
  let { keys, length } = found
  // All places are multiples of 4 doubles, so `| 1` adds one; and `| 0` says that a sum stays within 32 bits.
  for (let place = 0; place < end; place = (place + 4) | 0) {
    const key = words[(place << 1) | KEY_WORD]
    const cell = words[(place << 1) | CELL_WORD]
    const runEnd = cellStart[cell + 2] << 2
    const nextRun = cellStart[cell + cols - 1] << 2
    const nextRunEnd = cellStart[cell + cols + 2] << 2
    const jump = (nextRun - runEnd) | 0
    const to = (nextRunEnd - jump) | 0
    const tests = (to - place - 4) >> 2
    if (length + 2 * tests > keys.length) {
      found.length = length
      makeRoom(found, 2 * tests, pairs)
      keys = found.keys
      length = found.length
    }
    pairs.checks += tests
    const mask = meets[key & LAYER_MASK]
    const x = entries[place]
    const y = entries[place | 1]
    const radius = entries[place | 2]
    for (let i = (place + 4) | 0; i < to; i = (i + 4) | 0) {
      // Behind the end of the first run the sign is set, and the walk goes on in the second.
      const other = (i + (((runEnd - 1 - i) >> 31) & jump)) | 0
      const dx = x - entries[other]
      const dy = y - entries[other | 1]
      const reach = radius + entries[other | 2]
      const otherKey = words[(other << 1) | KEY_WORD]
      keys[length] = key
      keys[length | 1] = otherKey
      length = (length + (((mask >>> otherKey) & +(dx * dx + dy * dy <= reach * reach)) << 1)) | 0
    }
  }
  found.length = length
}

/** Each of a pair finds the other; the one with the lower key reports it. */
function scanWithinFolded(grid: Grid, meets: Meets, found: FoundPairs, pairs: PairList): void {
  const { entries, words } = grid
  for (let entry = 0; entry < grid.count; entry++) {
    const place = 4 * entry
    const key = words[2 * place + KEY_WORD]
    const mask = meets[key & LAYER_MASK]
    lookUp(grid, entries[place], entries[place + 1], entries[place + 2], key, mask, key, found, pairs)
  }
}

/** Every circle of `larger` looks for those of `grid`. */
export function scanBetween(larger: Grid, grid: Grid, meets: Meets, found: FoundPairs, pairs: PairList): void {
  const { entries, words } = larger
  for (let entry = 0; entry < larger.count; entry++) {
    const place = 4 * entry
    const key = words[2 * place + KEY_WORD]
    const mask = meets[key & LAYER_MASK]
    if ((mask & grid.layers) === 0) continue
    lookUp(grid, entries[place], entries[place + 1], entries[place + 2], key, mask, -1, found, pairs)
  }
}

/**
 * Reports the circles of `grid` that overlap the circle `key` at (x, y), are on a layer of `mask`, and have a key above
 * `above`. On a torus the place is already wrapped.
 */
export function lookUp(
  grid: Grid,
  x: number,
  y: number,
  radius: number,
  key: number,
  mask: number,
  above: number,
  found: FoundPairs,
  pairs: PairList,
): void {
  const { originX, originY, perX, perY, cols, rows, cellStart } = grid
  const reach = (radius + grid.maxRadius) * REACH_SLACK
  if (grid.folded) {
    lookUpFolded(grid, reach, x, y, radius, key, mask, above, found, pairs)
    return
  }
  const firstCol = Math.max(0, Math.floor((x - reach - originX) * perX))
  const lastCol = Math.min(cols - 2, Math.floor((x + reach - originX) * perX))
  const firstRow = Math.max(0, Math.floor((y - reach - originY) * perY))
  const lastRow = Math.min(rows - 1, Math.floor((y + reach - originY) * perY))
  if (firstCol > lastCol) return
  for (let row = firstRow; row <= lastRow; row++) {
    const cell = row * cols + 1
    const from = cellStart[cell + firstCol]
    const to = cellStart[cell + lastCol + 1]
    scanRun(grid, from, to, x, y, radius, key, mask, above, found, pairs)
  }
}

function lookUpFolded(
  grid: Grid,
  reach: number,
  x: number,
  y: number,
  radius: number,
  key: number,
  mask: number,
  above: number,
  found: FoundPairs,
  pairs: PairList,
): void {
  const { perX, perY, cols, rows, cellStart } = grid
  const firstCol = Math.floor((x - reach) * perX - FOLD_MARGIN)
  const lastCol = Math.floor((x + reach) * perX + FOLD_MARGIN)
  const firstRow = Math.floor((y - reach) * perY - FOLD_MARGIN)
  const lastRow = Math.floor((y + reach) * perY + FOLD_MARGIN)
  // Once around is enough, however far the circle reaches.
  const width = Math.min(cols, lastCol - firstCol + 1)
  const height = Math.min(rows, lastRow - firstRow + 1)
  const left = fold(firstCol, cols)
  const right = left + width
  for (let i = 0; i < height; i++) {
    const cell = fold(firstRow + i, rows) * cols
    const end = Math.min(right, cols)
    scanRun(grid, cellStart[cell + left], cellStart[cell + end], x, y, radius, key, mask, above, found, pairs)
    if (right > cols) {
      scanRun(grid, cellStart[cell], cellStart[cell + right - cols], x, y, radius, key, mask, above, found, pairs)
    }
  }
}

function scanRun(
  grid: Grid,
  from: number,
  to: number,
  x: number,
  y: number,
  radius: number,
  key: number,
  mask: number,
  above: number,
  found: FoundPairs,
  pairs: PairList,
): void {
  const { entries, words, periodX, periodY } = grid
  if (found.length + 2 * (to - from) > found.keys.length) makeRoom(found, 2 * (to - from), pairs)
  const { keys } = found
  pairs.checks += to - from
  for (let entry = from; entry < to; entry++) {
    const place = 4 * entry
    const dx = nearestImage(x, entries[place], periodX)
    const dy = nearestImage(y, entries[place + 1], periodY)
    const reach = radius + entries[place + 2]
    if (dx * dx + dy * dy > reach * reach) continue
    const other = words[2 * place + KEY_WORD]
    if (((mask >>> other) & 1) === 0 || other <= above) continue
    keys[found.length++] = key
    keys[found.length++] = other
  }
}
