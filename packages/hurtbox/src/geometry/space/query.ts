/**
 * Queries: the index, filters, and where the answer is written.
 *
 * The index is built once per tick and answers for the places the circles had then. A question needs no circle of its own
 * and no membership: it names the layers it looks at, and may narrow that by kind, team and a few rows to leave out. Answers
 * come in canonical order and are written into buffers that the asker keeps.
 */

import { HurtboxError, MAX_MAGNITUDE, requireInteger, requireQuantity, requireSize } from '../../base/errors.ts'
import { createIndexSet, type IndexSet, reserveIndexes } from './ascending.ts'
import { type Circles, MAX_CIRCLES } from './circles.ts'
import { buildLevels, createLevels, type Levels } from './levels.ts'
import { createRuns, type Runs } from './runs.ts'
import { OPEN, requireTopology, type Topology } from './topology.ts'

export type CircleIndex = {
  readonly levels: Levels
  topology: Topology
  traits: Traits
  /** Scratch: the numbers of the question that is being answered, see there. */
  readonly asked: Float64Array
  /** Scratch of sweeps, see there. */
  readonly course: Float64Array
  readonly runs: Runs
  readonly order: IndexSet
}

/** What a filter may ask about. Columns are by row; a circle belongs to the row `owner` says, or has its own index as row. */
export type Traits = {
  readonly owner?: Uint32Array
  readonly kind?: Uint8Array
  readonly team?: Uint8Array
}

export type IndexOptions = {
  readonly topology?: Topology
  /** Side of the cells for small circles. Left out, it follows from the radii. */
  readonly cellSize?: number
  readonly traits?: Traits
}

/** Everything left out means: any. */
export type Filter = {
  /** Layers to look at, one bit each. */
  readonly layers?: number
  readonly kind?: number
  readonly team?: number
  /** Any team but this one. */
  readonly notTeam?: number
  /** Rows to leave out: the searching thing itself, those already hit. Meant to be few. */
  readonly exclude?: ArrayLike<number>
}

/** An answer: circles by index. Buffers are kept and only ever grow. */
export type Answer = {
  count: number
  circle: Uint32Array
  /** Of rays and sweeps: part of the way until impact, 0 to 1. Of `nearest`: squared distance. Else not written. */
  measure: Float64Array
}

export const ANYTHING: Filter = {}

/** The `limit` of a query that wants all there are. */
export const NO_LIMIT = 0x7fffffff

/** The place in `index.asked` of a measure on its way into the answer. */
export const MEASURE = 5

/** As a signed word: 0xffffffff would not be a small integer, and slow. */
const ALL_LAYERS = -1
const NO_TRAITS: Traits = {}

export function createIndex(): CircleIndex {
  return {
    levels: createLevels(),
    topology: OPEN,
    traits: NO_TRAITS,
    asked: new Float64Array(6),
    course: new Float64Array(6),
    runs: createRuns(),
    order: createIndexSet(),
  }
}

export function createAnswer(): Answer {
  return { count: 0, circle: new Uint32Array(64), measure: new Float64Array(64) }
}

/** Enters all circles. Those on no layer are never found. */
export function buildIndex(index: CircleIndex, circles: Circles, options: IndexOptions = {}): void {
  const { topology = OPEN, cellSize = 0, traits = NO_TRAITS } = options
  requireSize(cellSize, 'cellSize')
  requireTopology(topology)
  requireInteger(circles.count, 'the number of circles', 0, MAX_CIRCLES)
  index.topology = topology
  index.traits = traits
  reserveIndexes(index.order, circles.count)
  buildLevels(index.levels, circles, ALL_LAYERS, cellSize, topology)
}

/** As a signed word, see `ALL_LAYERS`. */
export function layersOf(filter: Filter): number {
  return filter.layers === undefined ? ALL_LAYERS : filter.layers | 0
}

/** Whether `accepts` needs to be called at all. */
export function isNarrow(filter: Filter): boolean {
  return (
    filter.kind !== undefined ||
    filter.team !== undefined ||
    filter.notTeam !== undefined ||
    (filter.exclude !== undefined && filter.exclude.length > 0)
  )
}

/** Everything a filter checks beyond the layer. */
export function accepts(filter: Filter, { owner, kind, team }: Traits, circle: number): boolean {
  const row = owner === undefined ? circle : owner[circle]
  if (filter.kind !== undefined && column(kind, 'kind')[row] !== filter.kind) return false
  if (filter.team !== undefined && column(team, 'team')[row] !== filter.team) return false
  if (filter.notTeam !== undefined && column(team, 'team')[row] === filter.notTeam) return false
  const { exclude } = filter
  if (exclude === undefined) return true
  for (let i = 0; i < exclude.length; i++) if (exclude[i] === row) return false
  return true
}

export function reserveAnswer(answer: Answer, count: number): void {
  if (answer.circle.length >= count) return
  const capacity = Math.max(count, 2 * answer.circle.length)
  const circle = new Uint32Array(capacity)
  const measure = new Float64Array(capacity)
  circle.set(answer.circle)
  measure.set(answer.measure)
  answer.circle = circle
  answer.measure = measure
}

/** Adds a circle with `asked[MEASURE]` to an answer that is ordered by measure, then by index, and holds at most `limit`. */
export function insertByMeasure(answer: Answer, limit: number, circle: number, asked: Float64Array): void {
  const added = asked[MEASURE]
  let place = answer.count
  if (place === limit) {
    place--
    if (!comesBefore(added, circle, answer, place)) return
  } else {
    reserveAnswer(answer, place + 1)
    answer.count++
  }
  const { circle: circles, measure } = answer
  while (place > 0 && comesBefore(added, circle, answer, place - 1)) {
    circles[place] = circles[place - 1]
    measure[place] = measure[place - 1]
    place--
  }
  circles[place] = circle
  measure[place] = added
}

function comesBefore(added: number, circle: number, { circle: circles, measure }: Answer, place: number): boolean {
  return added < measure[place] || (added === measure[place] && circle < circles[place])
}

/** One cheap test for all numbers of a query; the error names the bad one. */
export function requirePlace(x: number, y: number, nameX = 'x', nameY = 'y'): void {
  if (Math.abs(x) <= MAX_MAGNITUDE && Math.abs(y) <= MAX_MAGNITUDE) return
  requireQuantity(x, nameX)
  requireQuantity(y, nameY)
}

/** A point that is not there has no coordinates. Asked by itself: with `point?.x` V8 would put the numbers on the heap. */
export function requirePoint(point: unknown, nameX = 'x'): void {
  if (point === undefined || point === null) requireQuantity(undefined, nameX)
}

export function requireRadius(radius: number): void {
  if (radius >= 0 && radius <= MAX_MAGNITUDE) return
  requireSize(radius, 'radius')
}

function column(values: Uint8Array | undefined, name: string): Uint8Array {
  if (values !== undefined) return values
  throw new HurtboxError('bad-argument', `A filter asks for ${name}, but the index was built without that column.`, {
    name,
  })
}
