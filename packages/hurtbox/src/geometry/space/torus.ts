/**
 * The torus: what leaves the plane on one side comes in on the other.
 *
 * Holds what grids and searches do otherwise on a torus. They know it by `topology.around` alone, so that it is in a page only if the
 * page made a torus.
 */

import { HurtboxError, requireSize } from '../../base/errors.ts'
import type { Circles } from './circles.ts'
import { clearCells, type Grid, mostCells, smallestSize } from './grid.ts'
import type { Hits } from './scan.ts'
import { nearestImage, type Topology, wrap } from './topology.ts'

/** A world smaller than this around is a mistake in units, and dividing by it could overflow. */
const MIN_PERIOD = 1e-6

/**
 * A plane that repeats after `width` and `height`: for `collide`, `move` and the indexes of queries. The base rectangle begins at (0, 0).
 *
 * @example
 * ```ts
 * import { collide, createWorld, declareGame, defineGame, despawn, spawn, step } from 'hurtbox'
 * import { torus } from 'hurtbox/space'
 *
 * const arena = declareGame({ id: 'arena', tickRate: 60, layers: { rock: ['ship'], ship: [] } })
 * const hits = collide(
 *   arena,
 *   { 'rock hits ship': { between: ['rock', 'ship'], decide: (_rock, ship) => despawn(ship) } },
 *   { topology: torus(800, 600) },
 * )
 * const world = createWorld(defineGame(arena, { phases: { hits } }))
 * spawn(world, 'rock', { x: 1, y: 300, radius: 5 })
 * spawn(world, 'ship', { x: 799, y: 300, radius: 5 })
 * step(world)
 * console.log(world.tables.things.count) // 1
 * ```
 */
export function torus(width: number, height: number): Topology {
  return Object.freeze({ width: requireSide(width, 'width'), height: requireSide(height, 'height'), around })
}

export type Around = typeof around

const around = { layOut, wrapPlace, scan, squaredApart }

/** Layout of a grid, folded: a whole number of cells goes round either way. Counts the circles of each cell. */
function layOut(grid: Grid, { x, y }: Circles, members: Int32Array, from: number, cellOf: Int32Array): void {
  const { periodX, periodY } = grid
  const maxCells = mostCells(grid)
  let size = smallestSize(grid, Math.max(periodX, periodY))
  while (cellsAround(periodX, size) * cellsAround(periodY, size) > maxCells) size *= 1.25
  const cols = cellsAround(periodX, size)
  const rows = cellsAround(periodY, size)
  const perX = cols / periodX
  const perY = rows / periodY
  grid.folded = true
  grid.originX = 0
  grid.originY = 0
  grid.cols = cols
  grid.rows = rows
  grid.perX = perX
  grid.perY = perY
  clearCells(grid)
  const { cellStart } = grid
  const to = from + grid.count
  for (let i = from; i < to; i++) {
    const circle = members[i]
    // A wrapped coordinate is inside already, but the product may have been rounded up to the end.
    const col = Math.min(Math.floor(wrap(x[circle], periodX) * perX), cols - 1)
    const row = Math.min(Math.floor(wrap(y[circle], periodY) * perY), rows - 1)
    const cell = row * cols + col
    cellOf[i] = cell
    cellStart[cell]++
  }
}

function cellsAround(period: number, size: number): number {
  return Math.max(1, Math.floor(period / size))
}

/** Brings x and y, which stand in a list from `at` on, into the base rectangle. */
function wrapPlace({ periodX, periodY }: Grid, list: Float64Array, at: number): void {
  list[at] = wrap(list[at], periodX)
  list[at + 1] = wrap(list[at + 1], periodY)
}

/** `scanPlane` around a torus. */
function scan({ entries, periodX, periodY }: Grid, from: Float64Array, place: number, hits: Hits): void {
  const { other, runs } = hits
  for (let run = 0; run < 2 * runs.count; run += 2) {
    for (let next = runs.bounds[run]; next < runs.bounds[run + 1]; next += 4) {
      const dx = nearestImage(from[place], entries[next], periodX)
      const dy = nearestImage(from[place + 1], entries[next + 1], periodY)
      const reach = from[place + 2] + entries[next + 2]
      other[hits.count] = next
      hits.count += +(dx * dx + dy * dy <= reach * reach)
    }
  }
}

/** The squared distance of two centres. */
function squaredApart(
  { width, height }: { readonly width: number; readonly height: number },
  { x, y }: Pick<Circles, 'x' | 'y'>,
  a: number,
  b: number,
): number {
  const dx = nearestImage(wrap(x[a], width), wrap(x[b], width), width)
  const dy = nearestImage(wrap(y[a], height), wrap(y[b], height), height)
  return dx * dx + dy * dy
}

function requireSide(value: number, name: string): number {
  if (requireSize(value, name) >= MIN_PERIOD) return value
  throw new HurtboxError('out-of-range', `${name} must be at least ${MIN_PERIOD}, got ${value}.`)
}
