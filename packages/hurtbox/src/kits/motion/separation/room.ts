/** What separation works with: the columns it reads, which things take up room, and which of them overlap. */

import { bruteForce } from '../../../geometry/space/brute-force.ts'
import { type Circles, NO_LAYER } from '../../../geometry/space/circles.ts'
import { createPairFinder, findPairs, type PairFinder, type PairOptions } from '../../../geometry/space/find-pairs.ts'
import { createPairList, type PairList } from '../../../geometry/space/pair-list.ts'
import type { Statics } from '../../../rules/collide/statics.ts'
import type { AnyTable } from '../../../state/table.ts'
import type { Layers } from '../../../world/layers.ts'
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
  readonly game: { readonly layers: Layers }
  readonly tick: number
  readonly seed: number
  readonly tables: { readonly things: Columns }
}

/** Centres stay in this rectangle, shrunk by the radius. */
export type Bounds = { readonly minX: number; readonly minY: number; readonly maxX: number; readonly maxY: number }

/** Where things may be: inside `bounds` and outside `statics`. */
export type Limits = { readonly bounds?: Bounds; readonly statics?: Statics }

/** Scratch of both methods of separation, kept between ticks. What one tick leaves in it does not matter to the next. */
export type Room = {
  readonly finder: PairFinder
  readonly pairs: PairList
  /** Circles and options of the finder, kept so that no tick makes objects. One layer, which meets itself. */
  readonly query: Mutable<Circles & Required<Pick<PairOptions, 'meets' | 'cellSize'>> & Pick<PairOptions, 'broadPhase'>>
  /** Layer 0 for things that take up room, `NO_LAYER` for the others. */
  layer: Uint8Array
  /** Finds all pieces of the map; whether layers meet is asked per thing. */
  readonly withStatics: { readonly meets: Uint32Array }
  /** Scratch for functions that compute a vector. */
  readonly vector: { x: number; y: number }
  /** Where things were when the tick began, for the longest push. */
  startX: Float64Array
  startY: Float64Array
  /** Radii with a margin, to find pairs that pushes may bring together. */
  wideRadius: Float64Array
  margin: Float64Array
  /** How far pushes have moved each thing since the pass began; measured where the search depends on it. */
  readonly moved: { isMeasured: boolean; fromX: Float64Array; fromY: Float64Array; furthestSquared: Float64Array }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

export function createRoom(statics: Statics | undefined): Room {
  const none = new Float64Array(0)
  return {
    finder: createPairFinder(),
    pairs: createPairList(),
    query: {
      count: 0,
      x: none,
      y: none,
      radius: none,
      layer: new Uint8Array(0),
      meets: Uint32Array.of(1),
      cellSize: 0,
      broadPhase: undefined,
    },
    layer: new Uint8Array(0),
    withStatics: { meets: Uint32Array.of(statics?.map.layers ?? 0) },
    vector: { x: 0.5, y: 0.5 },
    startX: none,
    startY: none,
    wideRadius: none,
    margin: none,
    moved: { isMeasured: false, fromX: none, fromY: none, furthestSquared: none },
  }
}

export function markRoom<W extends SeparationWorld>(
  world: W,
  room: Room,
  takesRoom: ((world: W, row: number) => boolean) | undefined,
): void {
  const { count, capacity, leaving } = world.tables.things
  if (room.layer.length < capacity) {
    room.layer = new Uint8Array(capacity)
    room.startX = new Float64Array(capacity)
    room.startY = new Float64Array(capacity)
  }
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
  const { query, finder, pairs } = room
  const { count, x, y } = world.tables.things
  query.count = count
  query.x = x
  query.y = y
  query.radius = radius
  query.layer = room.layer
  query.cellSize = cellSize
  query.broadPhase = useSpatialGrid ? undefined : bruteForce
  findPairs(finder, query, pairs, query)
}
