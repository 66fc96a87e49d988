/**
 * What pushes and is pushed: the columns that separation reads, who of them takes up room, and who overlaps whom.
 */

import type { Statics } from '../../collide/statics.ts'
import { type Circles, NO_LAYER } from '../../space/circles.ts'
import { createPairFinder, findPairs, type PairFinder, type PairOptions } from '../../space/find-pairs.ts'
import { createPairList, type PairList } from '../../space/pair-list.ts'
import type { AnyTable } from '../../table.ts'
import type { SeparationSettings } from './settings.ts'

type Columns = AnyTable & {
  readonly x: Float64Array
  readonly y: Float64Array
  readonly vx: Float64Array
  readonly vy: Float64Array
  readonly radius: Float64Array
  readonly layer: Uint8Array
  readonly invMass: Float64Array
}

/** What separation needs of a world: things with a mass. `invMass` is 1 / mass, 0 for what never moves. */
export type SeparationWorld = {
  readonly tick: number
  readonly seed: number
  readonly tables: { readonly things: Columns }
}

/** Centres stay in this rectangle, shrunk by the radius. */
export type Bounds = { readonly minX: number; readonly minY: number; readonly maxX: number; readonly maxY: number }

/** Where things may be: inside `bounds` and outside `obstacles`. */
export type Surroundings = { readonly bounds?: Bounds; readonly obstacles?: Statics }

/** Scratch that both ways of separating use, kept between ticks. What one tick leaves in it does not matter to the next. */
export type Room = {
  readonly finder: PairFinder
  readonly pairs: PairList
  /** What is asked of the finder, kept so that no tick makes objects. */
  readonly asked: Mutable<Circles> & Mutable<Required<Pick<PairOptions, 'cellSize' | 'useSpatialGrid'>>>
  /** Layer 0 for who takes room, `NO_LAYER` for who does not. */
  layer: Uint8Array
  /** One layer that meets itself: who takes room meets all others that do. */
  readonly meets: Uint32Array
  /** Whatever layers the obstacles are on, all of them are solid here. */
  readonly meetsObstacles: Uint32Array
  /** Where a function that gives a vector writes it. */
  readonly vector: { x: number; y: number }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

export function createRoom(obstacles: Statics | undefined): Room {
  const none = new Float64Array(0)
  return {
    finder: createPairFinder(),
    pairs: createPairList(),
    asked: { count: 0, x: none, y: none, radius: none, layer: new Uint8Array(0), cellSize: 0, useSpatialGrid: true },
    layer: new Uint8Array(0),
    meets: Uint32Array.of(1),
    meetsObstacles: Uint32Array.of(obstacles?.map.layers ?? 0),
    vector: { x: 0.5, y: 0.5 },
  }
}

export function markRoom<W extends SeparationWorld>(
  world: W,
  room: Room,
  takesRoom: ((world: W, row: number) => boolean) | undefined,
): void {
  const { count, capacity, leaving } = world.tables.things
  if (room.layer.length < capacity) room.layer = new Uint8Array(capacity)
  for (let row = 0; row < count; row++) {
    const takes = leaving[row] === 0 && (takesRoom === undefined || takesRoom(world, row))
    room.layer[row] = takes ? 0 : NO_LAYER
  }
}

/** Finds all pairs of things with these radii that overlap or touch, in canonical order. */
export function findNear(
  world: SeparationWorld,
  room: Room,
  radius: Float64Array,
  { spatialGridCellSize: cellSize, useSpatialGrid }: SeparationSettings,
): void {
  const { asked, finder, meets, pairs } = room
  const { count, x, y } = world.tables.things
  asked.count = count
  asked.x = x
  asked.y = y
  asked.radius = radius
  asked.layer = room.layer
  asked.cellSize = cellSize
  asked.useSpatialGrid = useSpatialGrid
  findPairs(finder, asked, meets, pairs, asked)
}
