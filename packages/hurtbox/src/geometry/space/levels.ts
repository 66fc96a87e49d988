/**
 * Circles of very different sizes: one grid per class of size.
 *
 * The cells of a grid must be as large as its largest circle. With a boss of radius 200 among bullets of radius 3 a single
 * grid would have hundreds of bullets in each cell. So circles are first divided into levels, and a larger circle searches
 * the grids of the smaller ones; large circles are few, and what they search is about what they cover.
 *
 * Where to divide is decided by an estimate of the tests it saves. A wrong estimate costs time and nothing else: the
 * pairs that are found do not depend on it.
 */

import type { Circles } from './circles.ts'
import { type Bounds, buildGrid, createGrid, type Grid } from './grid.ts'
import type { Topology } from './topology.ts'

export type Levels = {
  /** Levels in use. */
  count: number
  /** Small circles first. */
  readonly grids: readonly Grid[]
  /** Set by the builder: the radius of most circles that will search the grids without being in them, or 0. */
  seekerRadius: number
  readonly taking: Taking
  readonly classes: SizeClasses
  /** Scratch: the cell of each circle that takes part. */
  cellOf: Int32Array
}

/** The circles that take part. */
type Taking = Bounds & {
  count: number
  minRadius: number
  maxRadius: number
  /** Indexes of the circles: ascending, and after `sortByLevel` ascending within each level. */
  members: Int32Array
  /** Scratch of `sortByLevel`. */
  unsorted: Int32Array
}

/**
 * Circles by the binary exponent of their radius: the last class holds the largest radius, each class before it radii half
 * as large. Class 0 holds those that fit the cell size asked for, class 1 all that are smaller than the classes reach.
 */
type SizeClasses = {
  readonly count: Int32Array
  readonly maxRadius: Float64Array
  /** The level that takes the class. */
  readonly level: Int32Array
  /** Of the rectangle that holds all circles, or of the torus. */
  area: number
}

const CLASSES = 16
const MAX_LEVELS = 6

/** Radii that differ by no more than this factor share a level without further thought. */
const SAME_SIZE = 4

/** The fixed cost of one search in another level, in distance tests. Measured: 30 to 50 ns, a test 3 to 5. */
const SEARCH_COST = 12

export function createLevels(): Levels {
  return {
    count: 0,
    grids: Array.from({ length: MAX_LEVELS }, createGrid),
    seekerRadius: 0,
    taking: {
      count: 0,
      minX: 0,
      minY: 0,
      maxX: 0,
      maxY: 0,
      minRadius: 0,
      maxRadius: 0,
      members: new Int32Array(0),
      unsorted: new Int32Array(0),
    },
    classes: {
      count: new Int32Array(CLASSES),
      maxRadius: new Float64Array(CLASSES),
      level: new Int32Array(CLASSES),
      area: 0,
    },
    cellOf: new Int32Array(0),
  }
}

/** Enters every circle whose layer is in `layers`. `cellSize` is that of the smallest level; 0 lets the radii decide. */
export function buildLevels(
  levels: Levels,
  circles: Circles,
  layers: number,
  cellSize: number,
  topology: Topology,
): void {
  const { taking, classes, grids, seekerRadius } = levels
  collect(taking, circles, layers)
  levels.count = 0
  if (taking.count === 0) return
  if (levels.cellOf.length < taking.count) levels.cellOf = new Int32Array(2 * taking.count)

  if (2 * taking.maxRadius <= cellSize || (cellSize === 0 && taking.maxRadius <= SAME_SIZE * taking.minRadius)) {
    const { maxRadius } = taking
    grids[0].count = taking.count
    grids[0].maxRadius = maxRadius
    grids[0].cellSize = cellSize > 0 ? cellSize : 2 * (maxRadius + searchRadius(maxRadius, seekerRadius))
    buildGrid(grids[0], circles, taking.members, 0, taking, topology, levels.cellOf)
    levels.count = 1
    return
  }

  // The classes are noted in `cellOf`, which is free until the grids are built.
  classify(classes, circles, taking, cellSize, levels.cellOf)
  classes.area = areaOf(taking, topology)
  levels.count = divide(classes, cellSize)
  sortByLevel(taking, classes, levels.cellOf, levels.count)
  let from = 0
  for (let level = 0; level < levels.count; level++) {
    let count = 0
    let maxRadius = 0
    for (let sizeClass = 0; sizeClass < CLASSES; sizeClass++) {
      if (classes.level[sizeClass] !== level) continue
      count += classes.count[sizeClass]
      maxRadius = Math.max(maxRadius, classes.maxRadius[sizeClass])
    }
    const grid = grids[level]
    const wanted = level === classes.level[0] ? cellSize : 0
    grid.count = count
    grid.maxRadius = maxRadius
    grid.cellSize = Math.max(wanted, 2 * (maxRadius + searchRadius(maxRadius, seekerRadius)))
    buildGrid(grid, circles, taking.members, from, taking, topology, levels.cellOf)
    from += count
  }
}

/**
 * What to add to `maxRadius` so that a cell is twice as wide as a seeker reaches, which makes searches cheap. Not worth it
 * where seekers are much larger than what they seek.
 */
function searchRadius(maxRadius: number, seekerRadius: number): number {
  return seekerRadius <= 2 * maxRadius ? seekerRadius : 0
}

function collect(taking: Taking, circles: Circles, layers: number): void {
  const { count, x, y, radius, layer } = circles
  if (taking.members.length < count) taking.members = new Int32Array(2 * count)
  const { members } = taking
  let taken = 0
  let minX = Number.POSITIVE_INFINITY
  let minY = Number.POSITIVE_INFINITY
  let maxX = Number.NEGATIVE_INFINITY
  let maxY = Number.NEGATIVE_INFINITY
  let minRadius = Number.POSITIVE_INFINITY
  let maxRadius = 0
  for (let circle = 0; circle < count; circle++) {
    const own = layer[circle]
    if (own > 31 || ((layers >>> own) & 1) === 0) continue
    members[taken++] = circle
    const atX = x[circle]
    const atY = y[circle]
    const r = radius[circle]
    if (atX < minX) minX = atX
    if (atX > maxX) maxX = atX
    if (atY < minY) minY = atY
    if (atY > maxY) maxY = atY
    if (r < minRadius) minRadius = r
    if (r > maxRadius) maxRadius = r
  }
  taking.count = taken
  taking.minX = minX
  taking.minY = minY
  taking.maxX = maxX
  taking.maxY = maxY
  taking.minRadius = minRadius
  taking.maxRadius = maxRadius
}

function classify(
  classes: SizeClasses,
  { radius }: Circles,
  { count, members, maxRadius }: Taking,
  cellSize: number,
  classOf: Int32Array,
): void {
  classes.count.fill(0)
  classes.maxRadius.fill(0)
  const largest = exponent(maxRadius)
  for (let i = 0; i < count; i++) {
    const r = radius[members[i]]
    const sizeClass = 2 * r <= cellSize ? 0 : Math.max(1, CLASSES - 1 - largest + exponent(r))
    classOf[i] = sizeClass
    classes.count[sizeClass]++
    if (r > classes.maxRadius[sizeClass]) classes.maxRadius[sizeClass] = r
  }
}

/** Gives each class a level, merging neighbours while that is cheaper. Returns the number of levels. */
function divide(classes: SizeClasses, cellSize: number): number {
  const { area } = classes
  let levels = 0
  let count = 0
  let size = 0
  for (let sizeClass = 0; sizeClass < CLASSES; sizeClass++) {
    classes.level[sizeClass] = -1
    if (classes.count[sizeClass] === 0) continue
    const nextCount = classes.count[sizeClass]
    const nextSize = 2 * classes.maxRadius[sizeClass]
    const together = testsWithin(count + nextCount, nextSize, area)
    const apart =
      testsWithin(count, size, area) +
      testsWithin(nextCount, nextSize, area) +
      testsBetween(nextCount, nextSize, count, size, area)
    // A cell size that was asked for is kept: nothing larger joins that level.
    const keepsCell = sizeClass > 0 && size > 0 && size === cellSize
    if (levels === 0 || (levels < MAX_LEVELS && (keepsCell || apart < together))) {
      levels++
      count = 0
    }
    count += nextCount
    size = sizeClass === 0 ? cellSize : nextSize
    classes.level[sizeClass] = levels - 1
  }
  return levels
}

/** Estimate: each circle meets those in half of its 3 × 3 cells. */
function testsWithin(count: number, size: number, area: number): number {
  return count * Math.min(count, (4.5 * size * size * count) / area)
}

/** Estimate: each larger circle meets the smaller ones in the cells its square touches. */
function testsBetween(largeCount: number, large: number, smallCount: number, small: number, area: number): number {
  const side = large + 2 * small
  return largeCount * (SEARCH_COST + Math.min(smallCount, (side * side * smallCount) / area))
}

function areaOf({ minX, minY, maxX, maxY }: Bounds, { width, height }: Topology): number {
  return Math.min(maxX - minX, width) * Math.min(maxY - minY, height)
}

function sortByLevel(taking: Taking, classes: SizeClasses, classOf: Int32Array, levels: number): void {
  const { count, members } = taking
  if (taking.unsorted.length < count) taking.unsorted = new Int32Array(members.length)
  const { unsorted } = taking
  for (let i = 0; i < count; i++) unsorted[i] = members[i]
  let to = 0
  for (let level = 0; level < levels; level++) {
    for (let i = 0; i < count; i++) {
      if (classes.level[classOf[i]] === level) members[to++] = unsorted[i]
    }
  }
}

/** Scratch of `exponent`, written before it is read. */
const bits = new Float64Array(1)
const bitWords = new Uint32Array(bits.buffer)

/** Binary exponent of a number that is not negative: equal or one more for a number up to twice as large. */
function exponent(value: number): number {
  bits[0] = value
  // Sign and exponent are in the high word, the second one on every machine JavaScript runs on today.
  return bitWords[1] >>> 20
}
