/**
 * The broad phase: which circles overlap?
 *
 * Layers do more than filter. Two layers that never meet need not be tested, and a layer that does not meet itself need not
 * be in a grid at all: its circles can look up the others. Of bullets and enemies only the enemies are entered; thousands
 * of bullets each look at a few cells. So layers are first divided into *seekers*, no two of which meet, and *targets*,
 * which are entered and may meet each other and the seekers.
 */

import { HurtboxError, requireInteger, requireSize } from '../errors.ts'
import { findPairsByBruteForce } from './brute-force.ts'
import { type Circles, KEY_SHIFT, LAYERS, MAX_CIRCLES, type Meets } from './circles.ts'
import { buildLevels, createLevels, type Levels } from './levels.ts'
import { createFoundPairs, type FoundPairs, type PairList, takePairs } from './pair-list.ts'
import { lookUp, scanBetween, scanWithin } from './scan.ts'
import { OPEN, requireTopology, type Topology, wrap } from './topology.ts'

export type PairOptions = {
  /** Side of the cells for small circles, in the units of the world. Left out, it follows from the radii. */
  readonly cellSize?: number
  /** `false` tests every pair. The result is the same. */
  readonly useSpatialGrid?: boolean
  readonly topology?: Topology
  /** No more than this many pairs, the first in canonical order; the others are counted in `refused`. */
  readonly maxPairs?: number
}

/** Buffers of `findPairs`, kept between calls. They hold no state: each call writes before it reads. */
export type PairFinder = {
  readonly levels: Levels
  readonly found: FoundPairs
  readonly roles: LayerRoles
}

type LayerRoles = {
  /** Circles of each layer. */
  readonly count: Int32Array
  seekers: number
  targets: number
}

export function createPairFinder(): PairFinder {
  return {
    levels: createLevels(),
    found: createFoundPairs(),
    roles: { count: new Int32Array(LAYERS), seekers: 0, targets: 0 },
  }
}

/**
 * Writes every pair of circles whose layers meet and that overlap or touch into `pairs`: each once, lower index first,
 * ordered by lower, then by higher index. The order does not depend on the cell size or on whether there is a grid.
 */
export function findPairs(
  finder: PairFinder,
  circles: Circles,
  meets: Meets,
  pairs: PairList,
  options: PairOptions = {},
): void {
  const { cellSize = 0, useSpatialGrid = true, topology = OPEN, maxPairs = Number.MAX_SAFE_INTEGER } = options
  requireArguments(circles, cellSize, topology, maxPairs)
  if (!useSpatialGrid) {
    findPairsByBruteForce(circles, meets, pairs, maxPairs, topology)
    return
  }
  const { levels, found, roles } = finder
  pairs.count = 0
  pairs.checks = 0
  found.length = 0
  found.dropped = 0
  found.limit = maxPairs
  found.circleCount = circles.count
  divideLayers(roles, circles, meets)
  buildLevels(levels, circles, roles.targets, cellSize, topology)
  if (meetAny(meets, roles.targets, roles.targets)) scanTargets(levels, meets, found, pairs)
  if (roles.seekers !== 0) scanSeekers(levels, circles, meets, roles.seekers, found, pairs)
  takePairs(found, pairs)
}

function scanTargets(levels: Levels, meets: Meets, found: FoundPairs, pairs: PairList): void {
  for (let level = 0; level < levels.count; level++) {
    const grid = levels.grids[level]
    if (meetAny(meets, grid.layers, grid.layers)) scanWithin(grid, meets, found, pairs)
    for (let smaller = 0; smaller < level; smaller++) scanBetween(grid, levels.grids[smaller], meets, found, pairs)
  }
}

function scanSeekers(
  levels: Levels,
  circles: Circles,
  meets: Meets,
  seekers: number,
  found: FoundPairs,
  pairs: PairList,
): void {
  const { count, x, y, radius, layer } = circles
  for (let level = 0; level < levels.count; level++) {
    const grid = levels.grids[level]
    for (let circle = 0; circle < count; circle++) {
      if (layer[circle] > 31 || ((seekers >>> layer[circle]) & 1) === 0) continue
      const mask = meets[layer[circle]]
      if ((mask & grid.layers) === 0) continue
      const key = (circle << KEY_SHIFT) | layer[circle]
      const atX = wrap(x[circle], grid.periodX)
      const atY = wrap(y[circle], grid.periodY)
      lookUp(grid, atX, atY, radius[circle], key, mask, -1, found, pairs)
    }
  }
}

/**
 * Makes the most numerous layers seekers, as long as no two of them meet. Every pair of meeting layers then has at least one
 * target. Layers that meet nobody are neither.
 */
function divideLayers(roles: LayerRoles, { count, layer }: Circles, meets: Meets): void {
  const circlesOf = roles.count
  circlesOf.fill(0)
  for (let circle = 0; circle < count; circle++) {
    if (layer[circle] < LAYERS) circlesOf[layer[circle]]++
  }
  let present = 0
  for (let a = 0; a < meets.length; a++) if (circlesOf[a] > 0) present |= 1 << a
  roles.seekers = 0
  roles.targets = 0
  for (;;) {
    let most = -1
    for (let a = 0; a < meets.length; a++) {
      const isFree = ((present >>> a) & 1) === 1
      if (isFree && (most < 0 || circlesOf[a] > circlesOf[most])) most = a
    }
    if (most < 0) return
    present &= ~(1 << most)
    const met = meets[most] & (present | roles.seekers | roles.targets | (1 << most))
    if (met === 0) continue
    if ((met & (roles.seekers | (1 << most))) === 0) roles.seekers |= 1 << most
    else roles.targets |= 1 << most
  }
}

/** Does any layer of `some` meet one of `others`? */
function meetAny(meets: Meets, some: number, others: number): boolean {
  for (let a = 0; a < meets.length; a++) {
    if (((some >>> a) & 1) === 1 && (meets[a] & others) !== 0) return true
  }
  return false
}

function requireArguments(circles: Circles, cellSize: number, topology: Topology, maxPairs: number): void {
  requireSize(cellSize, 'cellSize')
  requireInteger(maxPairs, 'maxPairs', 0, Number.MAX_SAFE_INTEGER)
  requireTopology(topology)
  if (circles.count > MAX_CIRCLES) {
    throw new HurtboxError('out-of-range', `There can be at most ${MAX_CIRCLES} circles, got ${circles.count}.`)
  }
}
