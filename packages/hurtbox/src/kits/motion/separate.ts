/**
 * Separation: things that take up room push each other apart.
 *
 * A phase, not a rule: each push sees the ones before it, so the order of pushes is part of the outcome. The pairs of a pass
 * are found at its start and visited in an order that follows from them alone; neither the size of the cells nor whether
 * there is a grid can then change a bit.
 *
 * Three methods: pushes shared by mass over the pairs that overlap at the start, which is cheap; the same as a loop over all
 * pairs would do it; and yielding, which keeps a dense crowd apart.
 */

import { NO_LAYER } from '../../geometry/space/circles.ts'
import type { MapPhase, Statics } from '../../rules/collide/statics.ts'
import { pushPairwise } from './separation/pairwise.ts'
import { type Bounds, createRoom, findNear, markRoom, type Room, type SeparationWorld } from './separation/room.ts'
import { requireSettings, SEPARATION_DEFAULTS, type SeparationSettings } from './separation/settings.ts'
import { applyLimits, shareByMass } from './separation/share-by-mass.ts'
import { createQueue, yieldToFront } from './separation/yield.ts'

export type SeparationOptions<W extends SeparationWorld> = {
  /** The current settings, read once per tick. Default: the fast preset. */
  readonly settings?: (world: W) => Partial<SeparationSettings>
  /**
   * Whether the thing in this row takes up room: not the dead, not what others pass through. Default: all do. By row,
   * because it is asked for thousands of things in every tick.
   */
  readonly takesRoom?: (world: W, row: number) => boolean
  /** Centres stay in this rectangle, shrunk by the radius. */
  readonly bounds?: Bounds
  /** Walls; after each pass things are moved out of the pieces on layers that their own layer meets. */
  readonly statics?: Statics
}

/** Makes a phase that pushes overlapping things apart. */
export function separate<W extends SeparationWorld>(options: SeparationOptions<W> = {}): MapPhase<W> {
  const { statics } = options
  const room = createRoom(statics)
  const queue = createQueue()
  const settings = { ...SEPARATION_DEFAULTS }
  const run = (world: W) => {
    readSettings(settings, world, options)
    markRoom(world, room, options.takesRoom)
    noteStart(world, room)
    for (let pass = 0; pass < settings.passes; pass++) {
      if (settings.yielding) yieldToFront(world, room, queue, settings, options)
      else {
        if (settings.pairwise) pushPairwise(world, room, settings)
        else {
          findNear(world, room, world.tables.things.radius, settings)
          shareByMass(world, room.pairs, settings, room)
        }
        applyLimits(world, room, options)
      }
    }
    if (holdBack(world, room, settings.maxSeparationDistance)) applyLimits(world, room, options)
  }
  const gapOf = (world: W, a: number, b: number) => {
    const { takesRoom } = options
    if (a < 0 || b < 0 || (takesRoom !== undefined && !(takesRoom(world, a) && takesRoom(world, b)))) return Number.NaN
    const { x, y, radius } = world.tables.things
    const [dx, dy] = [x[b] - x[a], y[b] - y[a]]
    return Math.sqrt(dx * dx + dy * dy) - radius[a] - radius[b]
  }
  return { create: (world) => ({ statics, gapOf: (a, b) => gapOf(world, a, b), run: () => run(world) }) }
}

function noteStart({ tables: { things } }: SeparationWorld, { startX, startY }: Room): void {
  const { count, x, y } = things
  for (let row = 0; row < count; row++) {
    startX[row] = x[row]
    startY[row] = y[row]
  }
}

/** No thing gets further in a tick than the longest push, however many push it. Returns whether one was held back. */
function holdBack({ tables: { things } }: SeparationWorld, { startX, startY, layer }: Room, longest: number): boolean {
  const { count, x, y } = things
  let isHeld = false
  for (let row = 0; row < count; row++) {
    const dx = x[row] - startX[row]
    const dy = y[row] - startY[row]
    const squared = dx * dx + dy * dy
    if (layer[row] === NO_LAYER || squared <= longest * longest) continue
    const part = longest / Math.sqrt(squared)
    x[row] = startX[row] + dx * part
    y[row] = startY[row] + dy * part
    isHeld = true
  }
  return isHeld
}

export type ResidualOverlap = {
  /** Pairs that still overlap. */
  readonly pairs: number
  /** Deepest overlap, and the mean over those pairs, in units of the world. */
  readonly deepest: number
  readonly mean: number
}

/** How much overlap is left now. Costs a detection: for measuring, not for a tick. */
export function residualOverlap<W extends SeparationWorld>(
  world: W,
  options: SeparationOptions<W> = {},
): ResidualOverlap {
  const room = createRoom(options.statics)
  markRoom(world, room, options.takesRoom)
  const settings = { ...SEPARATION_DEFAULTS }
  readSettings(settings, world, options)
  findNear(world, room, world.tables.things.radius, settings)
  const { pairs } = room
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

/** Overwrites the settings of the last tick, so that a tick makes no object. */
function readSettings<W extends SeparationWorld>(
  into: SeparationSettings,
  world: W,
  options: SeparationOptions<W>,
): void {
  const given = options.settings === undefined ? SEPARATION_DEFAULTS : options.settings(world)
  const { separationStrength, maxSeparationDistance, spatialGridCellSize, useSpatialGrid, passes, pairwise, yielding } =
    SEPARATION_DEFAULTS
  into.separationStrength = given.separationStrength ?? separationStrength
  into.maxSeparationDistance = given.maxSeparationDistance ?? maxSeparationDistance
  into.spatialGridCellSize = given.spatialGridCellSize ?? spatialGridCellSize
  into.useSpatialGrid = given.useSpatialGrid ?? useSpatialGrid
  into.passes = given.passes ?? passes
  into.pairwise = given.pairwise ?? pairwise
  into.yielding = given.yielding ?? yielding
  requireSettings(into)
}
