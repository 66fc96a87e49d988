/**
 * The spatial index of a world: which things are near, what does a ray meet?
 *
 * It is built from where things are and answers for that moment; rebuild it when they have moved. It is scratch, never
 * state. A query returns how many things it found, in canonical order: `index.answer.circle[i]` is a row of `things`, for
 * hot loops, and `found(index)` goes through the things themselves. An answer is valid until the next query.
 */

import { describe, HurtboxError } from '../../base/errors.ts'
import { type Circles, NO_LAYER } from '../../geometry/space/circles.ts'
import { nearest as nearestCircles } from '../../geometry/space/nearest.ts'
import { overlapCircle } from '../../geometry/space/overlap.ts'
import {
  type Answer,
  buildIndex,
  type CircleIndex,
  createAnswer,
  createIndex,
  type Filter,
  type IndexOptions,
  NO_LIMIT,
  requirePoint,
} from '../../geometry/space/query.ts'
import { raycast as castRay, sweepCircle as sweepThrough } from '../../geometry/space/sweep.ts'
import { OPEN, type Topology } from '../../geometry/space/topology.ts'
import type { Declaration } from '../../world/game.ts'
import { type HandlePool, handleOf } from '../../world/handles/pool.ts'
import type { AnyThing, InWorld, LayerName, Thing } from '../../world/handles/types.ts'
import { layerNumber } from '../../world/layers.ts'
import type { AnyWorld } from '../../world/world.ts'

export type SpatialIndex<D extends Declaration = Declaration> = {
  readonly world: InWorld<D>
  readonly index: CircleIndex
  /** What the index is built from, kept so that no tick makes objects. */
  readonly circles: { count: number } & Circles & { readonly leaving: Uint8Array; readonly layers: Uint8Array }
  readonly options: IndexOptions
  /** The last answer: rows of `things` in `circle[0 … count)`, and what was measured in `measure`. */
  readonly answer: Answer
}

/** Which things to look for. Everything left out means: any. */
export type ThingFilter<D extends Declaration = Declaration> = {
  readonly layers?: readonly LayerName<D>[]
  readonly kind?: number
  readonly team?: number
  /** Any team but this one. */
  readonly notTeam?: number
}

// biome-ignore lint/suspicious/noExplicitAny: an index of any game.
type AnyIndex = SpatialIndex<any>
type Point = { readonly x: number; readonly y: number }

/** Makes an index of a world. Once per world, not per tick: in `create` of the phase that asks. */
export function createSpatialIndex<D extends Declaration>(
  world: InWorld<D>,
  topology: Topology = OPEN,
): SpatialIndex<D> {
  const { x, y, radius, layer: layers, leaving, kind, team, capacity } = (world as unknown as AnyWorld).tables.things
  const circles = { count: 0, x, y, radius, layer: new Uint8Array(capacity), layers, leaving }
  return { world, index: createIndex(), circles, options: { topology, traits: { kind, team } }, answer: createAnswer() }
}

/** Takes in where everything is now. Things that are leaving are not found any more. */
export function rebuild({ world, index, circles, options }: AnyIndex): void {
  const { count } = (world as unknown as AnyWorld).tables.things
  const { layer, layers, leaving } = circles
  for (let row = 0; row < count; row++) layer[row] = leaving[row] === 0 ? layers[row] : NO_LAYER
  circles.count = count
  buildIndex(index, circles, options)
}

/** A filter with its layers looked up. Make it once and keep it; `exclude` (rows) may be changed for each query. */
export function createFilter<D extends Declaration>(
  world: Pick<InWorld<D>, 'game'>,
  wanted: ThingFilter<D>,
): Filter & { exclude: number[] } {
  const { layers: names, ...rest } = wanted
  const { layers } = world.game
  if (names !== undefined && !Array.isArray(names)) {
    throw new HurtboxError('bad-argument', `layers of a filter must be a list, as ['slime'], got ${describe(names)}.`)
  }
  const mask =
    names === undefined ? 0xffffffff : names.reduce((bits, name) => bits | (1 << layerNumber(layers, name)), 0) >>> 0
  return { ...rest, layers: mask, exclude: [] }
}

/** The things that the last query found, in its order. The loop may ask further questions: it has noted what it goes through. */
export function found<D extends Declaration>({ world, answer }: SpatialIndex<D>): IterableIterator<Thing<D>> {
  const loop = idle.pop() ?? new FoundLoop()
  loop.start(world.memory.block.pools[0], answer)
  return loop as unknown as IterableIterator<Thing<D>>
}

/** An iterator that is its own result, and is used again when its loop is over: a loop allocates nothing. */
class FoundLoop {
  private pool: HandlePool | undefined = undefined
  private rows = new Uint32Array(64)
  private count = 0
  private at = 0
  value: AnyThing = undefined
  done = false

  start(pool: HandlePool, { count, circle }: Answer): void {
    if (this.rows.length < count) this.rows = new Uint32Array(2 * count)
    for (let i = 0; i < count; i++) this.rows[i] = circle[i]
    this.pool = pool
    this.count = count
    this.at = 0
    this.done = false
  }

  [Symbol.iterator](): this {
    return this
  }

  next(): this {
    const { pool, at } = this
    if (pool !== undefined && at < this.count) {
      this.at = at + 1
      this.value = handleOf(pool, this.rows[at])
    } else this.return()
    return this
  }

  /** The loop is over, at its end or by a break. */
  return(): this {
    this.done = true
    this.value = undefined
    if (this.pool !== undefined) idle.push(this)
    this.pool = undefined
    return this
  }
}

/** Loops that are not in use. */
const idle: FoundLoop[] = []

/** Scratch: what is asked, written before it is read. Kept, so that a query allocates nothing. */
const n = Number.NaN
const query = { x: n, y: n, radius: n, dx: n, dy: n, maxDistance: n, limit: 0 }

function setPlace(at: Point, limit = NO_LIMIT): void {
  requirePoint(at)
  query.x = at.x
  query.y = at.y
  query.limit = limit
}

function setDisplacement(along: Point): void {
  requirePoint(along, 'dx')
  query.dx = along.x
  query.dy = along.y
}

/** Finds all things that overlap or touch a circle around a point. */
export function within({ index, answer }: AnyIndex, centre: Point, radius: number, filter?: Filter): number {
  setPlace(centre)
  query.radius = radius
  overlapCircle(index, query, answer, filter)
  return answer.count
}

/** The thing whose centre is nearest to a point; of several equally near ones the oldest. */
export function nearest<D extends Declaration>(
  { index, answer, world }: SpatialIndex<D>,
  from: Point,
  filter?: Filter,
  maxDistance: number = Number.POSITIVE_INFINITY,
): Thing<D> | undefined {
  setPlace(from, 1)
  query.maxDistance = maxDistance
  nearestCircles(index, query, answer, filter)
  return first(world, answer)
}

/** Finds the things whose centres are nearest to a point, nearest first, at most `limit`. */
export function nearestOf({ index, answer }: AnyIndex, from: Point, limit: number, filter?: Filter): number {
  setPlace(from, limit)
  query.maxDistance = Number.POSITIVE_INFINITY
  nearestCircles(index, query, answer, filter)
  return answer.count
}

/** The thing that a ray meets first; `answer.measure[0]` is the part of the ray until then. */
export function raycast<D extends Declaration>(
  { index, answer, world }: SpatialIndex<D>,
  from: Point,
  along: Point,
  filter?: Filter,
): Thing<D> | undefined {
  setPlace(from, 1)
  setDisplacement(along)
  castRay(index, query, answer, filter)
  return first(world, answer)
}

/** Finds all things that a moving circle meets, in that order. */
export function sweepCircle(
  { index, answer }: AnyIndex,
  from: Point & { readonly radius: number },
  along: Point,
  filter?: Filter,
): number {
  setPlace(from)
  setDisplacement(along)
  query.radius = from.radius
  sweepThrough(index, query, answer, filter)
  return answer.count
}

function first<D extends Declaration>({ memory }: InWorld<D>, { count, circle }: Answer): Thing<D> | undefined {
  return count === 0 ? undefined : handleOf(memory.block.pools[0], circle[0])
}
