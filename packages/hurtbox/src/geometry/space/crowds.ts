/**
 * Crowds: cells with very many circles in them.
 *
 * When a whole wave is spawned on one spot, pairs grow with the square of its size, and nearly every test says yes. A circle
 * that reaches the far corner of all centres in its cell overlaps all of them, and its pairs are simply written down.
 * Within a cell indexes ascend, so a circle and those behind it are lower and higher without being compared. And if the circle
 * before it met all of them too, those behind it are the same but one, and are copied.
 */

import { KEY_SHIFT, LAYER_MASK, type Meets } from './circles.ts'
import type { Grid } from './grid.ts'
import { type FoundPairs, reserveFound } from './pair-list.ts'

/** Covers the rounding of the distance test. */
const SLACK = 1 + 1 / (1 << 30)

/** Scratch: the rectangle that holds the centres of a crowd, and its smallest radius. */
export type Extent = Float64Array
const MIN_X = 0
const MIN_Y = 1
const MAX_X = 2
const MAX_Y = 3
const MIN_RADIUS = 4

export function createExtent(): Extent {
  return new Float64Array(5)
}

/** Finds the pairs among the circles of one cell, at the places from `from` up to `to`. Returns the tests it took. */
export function pairCrowd(
  found: FoundPairs,
  extent: Extent,
  grid: Grid,
  from: number,
  to: number,
  meets: Meets,
): number {
  const { entries, words, layers } = grid
  measure(extent, entries, from, to)
  // With pairs of other cells before them these no longer ascend.
  if (found.count > 0) found.isAscending = false
  let checks = 0
  // Where the pairs of the circle before begin and end, if it met all circles behind it; else both are -1.
  let start = -1
  let end = -1
  for (let place = from; place < to; place += 4) {
    const behind = (to - place - 4) >> 2
    reserveFound(found, behind + 1)
    const mask = meets[words[(place << 1) | 6] & LAYER_MASK]
    const next = found.count
    if (!reachesAll(extent, entries, place)) {
      writeOverlapping(found, grid, place, to, mask)
      checks += behind
      start = end = -1
    } else if ((mask & layers) !== layers) {
      writeAll(found, words, place, to, mask)
      start = end = -1
    } else {
      // Making room may have thrown pairs away.
      if (end === next) copyAll(found, words, place, start, behind)
      else writeAll(found, words, place, to, mask)
      start = next
      end = found.count
    }
  }
  return checks
}

function measure(extent: Extent, entries: Float64Array, from: number, to: number): void {
  extent[MIN_X] = extent[MIN_Y] = extent[MIN_RADIUS] = Number.POSITIVE_INFINITY
  extent[MAX_X] = extent[MAX_Y] = Number.NEGATIVE_INFINITY
  for (let place = from; place < to; place += 4) {
    extent[MIN_X] = Math.min(extent[MIN_X], entries[place])
    extent[MAX_X] = Math.max(extent[MAX_X], entries[place])
    extent[MIN_Y] = Math.min(extent[MIN_Y], entries[place + 1])
    extent[MAX_Y] = Math.max(extent[MAX_Y], entries[place + 1])
    extent[MIN_RADIUS] = Math.min(extent[MIN_RADIUS], entries[place + 2])
  }
}

/** Whether the circle at `place` overlaps even the smallest one in the corner furthest away. */
function reachesAll(extent: Extent, entries: Float64Array, place: number): boolean {
  const dx = Math.max(entries[place] - extent[MIN_X], extent[MAX_X] - entries[place])
  const dy = Math.max(entries[place + 1] - extent[MIN_Y], extent[MAX_Y] - entries[place + 1])
  const reach = entries[place + 2] + extent[MIN_RADIUS]
  return (dx * dx + dy * dy) * SLACK <= reach * reach
}

function writeAll(found: FoundPairs, words: Int32Array, place: number, to: number, mask: number): void {
  const { lower, higher } = found
  const index = words[(place << 1) | 6] >> KEY_SHIFT
  const end = to << 1
  let { count } = found
  for (let word = ((place << 1) + 14) | 0; word < end; word = (word + 8) | 0) {
    const key = words[word]
    lower[count] = index
    higher[count] = key >> 5
    count = (count + ((mask >>> key) & 1)) | 0
  }
  found.count = count
}

/** The pairs of the circle before, from `start` on, are those of this one but the first. */
function copyAll(found: FoundPairs, words: Int32Array, place: number, start: number, behind: number): void {
  const { count, lower, higher } = found
  lower.fill(words[(place << 1) | 6] >> KEY_SHIFT, count, count + behind)
  higher.copyWithin(count, start + 1, start + 1 + behind)
  found.count = count + behind
}

function writeOverlapping(found: FoundPairs, grid: Grid, place: number, to: number, mask: number): void {
  const { entries, words } = grid
  const { lower, higher } = found
  const index = words[(place << 1) | 6] >> KEY_SHIFT
  const x = entries[place]
  const y = entries[place | 1]
  const radius = entries[place | 2]
  let { count } = found
  for (let other = (place + 4) | 0; other < to; other = (other + 4) | 0) {
    const dx = x - entries[other]
    const dy = y - entries[other | 1]
    const reach = radius + entries[other | 2]
    const key = words[(other << 1) | 6]
    lower[count] = index
    higher[count] = key >> 5
    count = (count + ((mask >>> key) & +(dx * dx + dy * dy <= reach * reach))) | 0
  }
  found.count = count
}
