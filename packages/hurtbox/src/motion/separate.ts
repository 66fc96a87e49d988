/**
 * Separation: things that take up room push each other apart, the lighter one further.
 *
 * A phase, not a rule: each push is applied at once and the next one sees it, which is what keeps a crowd from exploding.
 * So the order of pushes is part of the outcome. The pairs of a pass are found at its start and visited in canonical
 * order; neither the size of the cells nor whether there is a grid can then change a bit.
 */

import { type Statics, wayOut } from '../collide/statics.ts'
import { requireFinite, requireInteger, requireSize } from '../errors.ts'
import { purposeOf, unitVectorAt } from '../math/random.ts'
import { NO_LAYER } from '../space/circles.ts'
import { createPairFinder, findPairs, type PairFinder } from '../space/find-pairs.ts'
import { createPairList, type PairList } from '../space/pair-list.ts'
import { findStaticPairs } from '../space/statics.ts'
import type { AnyTable } from '../table.ts'

/** The four settings of the seed under its names, and the number of passes. They may change at any time. */
export type SeparationSettings = {
  /** Part of an overlap that one push undoes, 0 to 1. */
  readonly separationStrength: number
  /** The longest push of a pair in one pass, before it is shared out. */
  readonly maxSeparationDistance: number
  readonly spatialGridCellSize: number
  readonly useSpatialGrid: boolean
  readonly passes: number
}

export const SEPARATION_DEFAULTS: SeparationSettings = {
  separationStrength: 1,
  maxSeparationDistance: 50,
  spatialGridCellSize: 100,
  useSpatialGrid: true,
  passes: 1,
}

type Columns = AnyTable & {
  readonly x: Float64Array
  readonly y: Float64Array
  readonly radius: Float64Array
  readonly layer: Uint8Array
  readonly invMass: Float64Array
}

/** What separation needs of a world: bodies with a mass. `invMass` is 1 / mass, 0 for what never moves. */
export type SeparationWorld = {
  readonly tick: number
  readonly seed: number
  readonly tables: { readonly things: Columns }
}

export type SeparationOptions<W extends SeparationWorld> = {
  /** The settings now; read once per tick. Default: the seed's. */
  readonly settings?: (world: W) => Partial<SeparationSettings>
  /** Whether the thing in this row takes up room: not the dead, not what others pass through. Default: all do. */
  readonly takesRoom?: (world: W, row: number) => boolean
  /** Centres stay in this rectangle, shrunk by the radius: nobody is pushed out. */
  readonly bounds?: { readonly minX: number; readonly minY: number; readonly maxX: number; readonly maxY: number }
  /** Solid rectangles; things are moved out of them after each pass. */
  readonly obstacles?: Statics
}

/** Things nearer than this have no direction to part in; they get one by chance that a rollback reproduces. */
const COINCIDENT = 0.001
const PURPOSE = purposeOf('separate')

/** Makes a phase that pushes overlapping things apart. */
export function separate<W extends SeparationWorld>(options: SeparationOptions<W> = {}): (world: W) => void {
  const scratch = createScratch(options.obstacles)
  return (world) => {
    const settings = requireSettings({ ...SEPARATION_DEFAULTS, ...options.settings?.(world) })
    markRoom(world, scratch, options.takesRoom)
    for (let pass = 0; pass < settings.passes; pass++) {
      findOverlaps(world, scratch, settings)
      pushApart(world, scratch, settings)
      keepIn(world, scratch, options)
    }
  }
}

export type ResidualOverlap = {
  /** Pairs that still overlap. */
  readonly pairs: number
  /** Deepest overlap, and the mean over those pairs, in units of the world. */
  readonly deepest: number
  readonly mean: number
}

/** How much overlap is left now. Costs a detection; for measuring, not for a tick. */
export function residualOverlap<W extends SeparationWorld>(
  world: W,
  options: SeparationOptions<W> = {},
): ResidualOverlap {
  const scratch = createScratch(options.obstacles)
  markRoom(world, scratch, options.takesRoom)
  findOverlaps(world, scratch, requireSettings({ ...SEPARATION_DEFAULTS, ...options.settings?.(world) }))
  const { pairs } = scratch
  const { x, y, radius } = world.tables.things
  let [overlapping, deepest, sum] = [0, 0, 0]
  for (let i = 0; i < pairs.count; i++) {
    const [a, b] = [pairs.a[i], pairs.b[i]]
    const [dx, dy] = [x[b] - x[a], y[b] - y[a]]
    const overlap = radius[a] + radius[b] - Math.sqrt(dx * dx + dy * dy)
    if (overlap <= 0) continue
    overlapping++
    sum += overlap
    deepest = Math.max(deepest, overlap)
  }
  return { pairs: overlapping, deepest, mean: overlapping === 0 ? 0 : sum / overlapping }
}

type Scratch = {
  readonly finder: PairFinder
  readonly pairs: PairList
  layer: Uint8Array
  readonly meets: Uint32Array
  readonly meetsObstacles: Uint32Array
  readonly direction: { x: number; y: number }
}

function createScratch(obstacles: Statics | undefined): Scratch {
  return {
    finder: createPairFinder(),
    pairs: createPairList(),
    layer: new Uint8Array(0),
    // One layer that meets itself: who takes room meets all others that do.
    meets: Uint32Array.of(1),
    // Whatever layers the obstacles are on, all of them are solid here.
    meetsObstacles: Uint32Array.of(obstacles?.map.layers ?? 0),
    direction: { x: 0.5, y: 0.5 },
  }
}

function markRoom<W extends SeparationWorld>(
  world: W,
  scratch: Scratch,
  takesRoom: ((world: W, row: number) => boolean) | undefined,
): void {
  const { count, capacity, leaving } = world.tables.things
  if (scratch.layer.length < capacity) scratch.layer = new Uint8Array(capacity)
  for (let row = 0; row < count; row++) {
    const takes = leaving[row] === 0 && (takesRoom === undefined || takesRoom(world, row))
    scratch.layer[row] = takes ? 0 : NO_LAYER
  }
}

function findOverlaps(world: SeparationWorld, scratch: Scratch, settings: SeparationSettings): void {
  const { count, x, y, radius } = world.tables.things
  const { spatialGridCellSize: cellSize, useSpatialGrid } = settings
  findPairs(scratch.finder, { count, x, y, radius, layer: scratch.layer }, scratch.meets, scratch.pairs, {
    cellSize,
    useSpatialGrid,
  })
}

function pushApart(world: SeparationWorld, scratch: Scratch, settings: SeparationSettings): void {
  const { x, y, radius, invMass, id } = world.tables.things
  const { separationStrength, maxSeparationDistance } = settings
  const { pairs, direction } = scratch
  for (let i = 0; i < pairs.count; i++) {
    const a = pairs.a[i]
    const b = pairs.b[i]
    const invMassSum = invMass[a] + invMass[b]
    if (invMassSum === 0) continue
    const dx = x[b] - x[a]
    const dy = y[b] - y[a]
    const reach = radius[a] + radius[b]
    const squared = dx * dx + dy * dy
    // Earlier pushes of this pass may have parted them. Touching is not overlapping.
    if (squared >= reach * reach) continue
    const distance = Math.sqrt(squared)
    if (distance < COINCIDENT) unitVectorAt(world.seed, world.tick, id[a], id[b], PURPOSE, direction)
    else {
      direction.x = dx / distance
      direction.y = dy / distance
    }
    const push = Math.min((reach - distance) * separationStrength, maxSeparationDistance)
    // Shares by mass: massB / (massA + massB) of the way for A is invMassA / (invMassA + invMassB).
    const shareA = (push * invMass[a]) / invMassSum
    const shareB = (push * invMass[b]) / invMassSum
    x[a] -= direction.x * shareA
    y[a] -= direction.y * shareA
    x[b] += direction.x * shareB
    y[b] += direction.y * shareB
  }
}

/** Out of obstacles, then inside the bounds. Only what takes room and can move. */
function keepIn<W extends SeparationWorld>(world: W, scratch: Scratch, options: SeparationOptions<W>): void {
  const { bounds, obstacles } = options
  if (obstacles !== undefined) leaveObstacles(world, scratch, obstacles)
  if (bounds === undefined) return
  const { count, x, y, radius, invMass } = world.tables.things
  for (let row = 0; row < count; row++) {
    if (scratch.layer[row] === NO_LAYER || invMass[row] === 0) continue
    x[row] = Math.min(Math.max(x[row], bounds.minX + radius[row]), bounds.maxX - radius[row])
    y[row] = Math.min(Math.max(y[row], bounds.minY + radius[row]), bounds.maxY - radius[row])
  }
}

function leaveObstacles(world: SeparationWorld, scratch: Scratch, obstacles: Statics): void {
  const { count, x, y, radius, invMass } = world.tables.things
  const { pairs, layer, meetsObstacles, direction: out } = scratch
  findStaticPairs(obstacles.map, { count, x, y, radius, layer }, meetsObstacles, pairs)
  for (let i = 0; i < pairs.count; i++) {
    const row = pairs.a[i]
    if (invMass[row] === 0 || !wayOut(obstacles, pairs.b[i], x[row], y[row], radius[row], out)) continue
    x[row] += out.x
    y[row] += out.y
  }
}

function requireSettings(settings: SeparationSettings): SeparationSettings {
  requireFinite(settings.separationStrength, 'separationStrength')
  requireSize(settings.maxSeparationDistance, 'maxSeparationDistance')
  requireSize(settings.spatialGridCellSize, 'spatialGridCellSize')
  requireInteger(settings.passes, 'passes', 0, 64)
  return settings
}
