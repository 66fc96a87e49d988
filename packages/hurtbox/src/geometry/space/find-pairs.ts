/**
 * The broad phase: which circles overlap?
 *
 * Targets are entered into grids, small ones and large ones apart; they are paired with each other, and seekers with them
 * (`layer-roles.ts` decides which is which). What is found comes in the order of cells and leaves in canonical order.
 */

import { requireInteger, requireSize } from '../../base/errors.ts'
import { type Circles, KEY_SHIFT, LAYER_MASK, MAX_CIRCLES, type Meets } from './circles.ts'
import { createExtent, type Extent, pairCrowd } from './crowds.ts'
import { CELL_WORD, type Grid, KEY_WORD } from './grid.ts'
import { createLayerRoles, divideLayers, type LayerRoles, thoseThatMeet } from './layer-roles.ts'
import { buildLevels, createLevels, type Levels } from './levels.ts'
import { clearFound, createFoundPairs, type FoundPairs, type PairList, reserveFound, takePairs } from './pair-list.ts'
import { createHits, ENOUGH, type Hits, reserveHits, scanAllAround, scanAround, scanSeam, scanWithin } from './scan.ts'
import { OPEN, requireTopology, type Topology } from './topology.ts'

export type PairOptions = {
  /** Which layers can meet. */
  readonly meets: Meets
  /** Side of the cells for small circles, in the units of the world. Left out, it follows from the radii. */
  readonly cellSize?: number
  /** What finds the pairs. Default: the grid. `bruteForce` tests every pair; the result is the same. */
  readonly broadPhase?: BroadPhase | undefined
  readonly topology?: Topology
}

/** Finds the pairs that `findPairs` would, in the same order. */
export type BroadPhase = (circles: Circles, meets: Meets, pairs: PairList, topology: Topology) => void

/** A circle that needs more tests than this is in a crowd, or beside one. */
const CROWD = 64

/** Buffers of `findPairs`, kept between calls. What one call leaves in them does not matter to the next. */
export type PairFinder = {
  readonly levels: Levels
  readonly hits: Hits
  readonly found: FoundPairs
  readonly roles: LayerRoles
  readonly extent: Extent
}

export function createPairFinder(): PairFinder {
  return {
    levels: createLevels(),
    hits: createHits(),
    found: createFoundPairs(),
    roles: createLayerRoles(),
    extent: createExtent(),
  }
}

/**
 * Writes every pair of circles whose layers meet and that overlap or touch into `pairs`: each once, lower index first,
 * ordered by lower, then by higher index. The order does not depend on the cell size or on the broad phase.
 */
export function findPairs(finder: PairFinder, circles: Circles, pairs: PairList, options: PairOptions): void {
  const { meets, cellSize = 0, broadPhase, topology = OPEN } = options
  requireArguments(circles, cellSize, topology)
  if (broadPhase !== undefined) {
    broadPhase(circles, meets, pairs, topology)
    return
  }
  const { levels, found, roles, hits } = finder
  clearFound(found, circles.count)
  hits.count = 0
  hits.checks = 0
  divideLayers(roles, circles, meets)
  levels.seekerRadius = roles.targetsMeet ? 0 : roles.seekerRadius
  buildLevels(levels, circles, roles.targets, cellSize, topology)
  pairTargets(finder, meets)
  pairSeekers(finder, circles, meets)
  takePairs(found, pairs)
  pairs.checks = hits.checks
}

function pairTargets(finder: PairFinder, meets: Meets): void {
  const { count, grids } = finder.levels
  for (let level = 0; level < count; level++) {
    const grid = grids[level]
    if (thoseThatMeet(meets, grid.layers, grid.layers) !== 0) {
      reserveHits(finder.hits, grid)
      if (!grid.folded) pairWithin(finder, grid, 0, 4 * grid.count, meets)
      else if (hasRoomAround(grid)) pairWithinFolded(finder, grid, meets)
      else pairAcross(finder, grid, grid, meets)
    }
    for (let smaller = 0; smaller < level; smaller++) pairAcross(finder, grid, grids[smaller], meets)
  }
}

/** Pairs circles at the places from `from` up to `to`, whose neighbours are all where they are in a flat grid. */
function pairWithin(finder: PairFinder, grid: Grid, from: number, to: number, meets: Meets): void {
  const { hits, found } = finder
  for (let place = from; place < to; ) {
    const start = place
    place = scanWithin(grid, start, to, 0, CROWD, hits)
    const isFull = hits.count >= ENOUGH
    keepMeeting(found, hits, grid, meets, start)
    if (place < to && !isFull) place = pairCrowdedCell(finder, grid, place, meets)
  }
}

/** Whether neighbours in a folded grid are never neighbours on both sides, and never nearer the other way round. */
function hasRoomAround(grid: Grid): boolean {
  return grid.cols >= 5 && grid.rows >= 5
}

/** Only the cells at a seam, the first and the last of each row and all of the last row, have neighbours at the other end. */
function pairWithinFolded(finder: PairFinder, grid: Grid, meets: Meets): void {
  const { cols, rows, cellStart } = grid
  for (let row = 0; row < rows - 1; row++) {
    const first = row * cols
    const last = first + cols - 1
    pairSeam(finder, grid, first, meets)
    pairWithin(finder, grid, 4 * cellStart[first + 1], 4 * cellStart[last], meets)
    pairSeam(finder, grid, last, meets)
  }
  for (let cell = (rows - 1) * cols; cell < rows * cols; cell++) pairSeam(finder, grid, cell, meets)
}

function pairSeam({ hits, found }: PairFinder, grid: Grid, cell: number, meets: Meets): void {
  for (let entry = grid.cellStart[cell]; entry < grid.cellStart[cell + 1]; entry++) {
    const from = hits.count
    scanSeam(grid, 4 * entry, hits)
    hits.own.fill(grid.words[8 * entry + KEY_WORD], from, hits.count)
    if (hits.count >= ENOUGH) keepMeeting(found, hits, grid, meets)
  }
  keepMeeting(found, hits, grid, meets)
}

/** Pairs the circles of the cell that begins at `place`, among themselves and with their neighbours. Returns its end. */
function pairCrowdedCell(finder: PairFinder, grid: Grid, place: number, meets: Meets): number {
  const { hits, found, extent } = finder
  const cell = grid.words[2 * place + CELL_WORD]
  const end = 4 * grid.cellStart[cell + 1]
  hits.checks += pairCrowd(found, extent, grid, place, end, meets)
  for (let next = place; next < end; ) {
    const from = next
    next = scanWithin(grid, from, end, end, ALL_TESTS, hits)
    keepMeeting(found, hits, grid, meets, from)
  }
  return end
}

/** Each circle of `grid` searches `smaller`. If they are the same, both of a pair find each other, and one is kept. */
function pairAcross({ hits, found }: PairFinder, grid: Grid, smaller: Grid, meets: Meets): void {
  const { entries, words } = grid
  reserveHits(hits, smaller)
  for (let place = 0; place < 4 * grid.count; place += 4) {
    const key = words[2 * place + KEY_WORD]
    if ((meets[key & LAYER_MASK] & smaller.layers) === 0) continue
    const from = hits.count
    scanAround(smaller, entries, place, hits)
    if (grid === smaller) dropUpTo(place, hits, from)
    hits.own.fill(key, from, hits.count)
    if (hits.count >= ENOUGH) keepMeeting(found, hits, smaller, meets)
  }
  keepMeeting(found, hits, smaller, meets)
}

function pairSeekers({ levels, hits, found, roles }: PairFinder, circles: Circles, meets: Meets): void {
  for (let level = 0; level < levels.count; level++) {
    const grid = levels.grids[level]
    const seekers = thoseThatMeet(meets, roles.seekers, grid.layers)
    if (seekers === 0) continue
    reserveHits(hits, grid)
    for (let circle = 0; circle < circles.count; ) {
      circle = scanAllAround(grid, circles, seekers, circle, hits)
      keepMeeting(found, hits, grid, meets)
    }
  }
}

/** Drops hits from `from` on that are not behind `place`. */
function dropUpTo(place: number, hits: Hits, from: number): void {
  const { other } = hits
  let kept = from
  for (let i = from; i < hits.count; i++) if (other[i] > place) other[kept++] = other[i]
  hits.count = kept
}

/**
 * Moves the hits whose layers meet over to `found`, lower index first. `from` is the place where a scan within the grid began;
 * for hits of circles from elsewhere it is left out.
 */
function keepMeeting(found: FoundPairs, hits: Hits, grid: Grid, meets: Meets, from: number = ELSEWHERE): void {
  reserveFound(found, hits.count)
  const { other, passed } = hits
  const { words } = grid
  const { lower, higher } = found
  // Where the keys of first circles are read: as many entries on as were passed, or one on for each hit.
  const keys = from === ELSEWHERE ? hits.own : words
  const step = from === ELSEWHERE ? 1 : 0
  let at = from === ELSEWHERE ? -1 : (from << 1) | KEY_WORD
  let { count } = found
  for (let i = 0; i < hits.count; i++) {
    at = (at + (passed[i] << 3) + step) | 0
    passed[i] = 0
    const key = keys[at]
    const otherKey = words[(other[i] << 1) | KEY_WORD]
    const index = key >> KEY_SHIFT
    const otherIndex = otherKey >> KEY_SHIFT
    // Without a branch, because half of all hits would take it: `swap` is the difference if that is negative, else 0.
    const swap = (index - otherIndex) & ((index - otherIndex) >> 31)
    lower[count] = otherIndex + swap
    higher[count] = index - swap
    count = (count + ((meets[key & LAYER_MASK] >>> otherKey) & 1)) | 0
  }
  passed[hits.count] = 0
  if (count > found.count) found.isAscending = false
  found.count = count
  hits.count = 0
}

const ELSEWHERE = -1
/** As many tests as there are: the largest number that is still a small integer to the compiler. */
const ALL_TESTS = 0x7fffffff

function requireArguments(circles: Circles, cellSize: number, topology: Topology): void {
  requireSize(cellSize, 'cellSize')
  requireTopology(topology)
  requireInteger(circles.count, 'the number of circles', 0, MAX_CIRCLES)
}
