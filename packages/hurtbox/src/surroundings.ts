/**
 * Asking a world about its space: who is near, what does a ray meet?
 *
 * A surroundings is built from the things as they stand and answers for that moment; build it again when they have moved.
 * It is scratch, never state. Answers are rows of `things` in canonical order, in buffers that are used again; ids would
 * have to be looked up, and a row is what the asker reads next anyway.
 */

import { type Layers, layerNumber } from './layers.ts'
import { NO_LAYER } from './space/circles.ts'
import { nearest } from './space/nearest.ts'
import { overlapBox, overlapCircle } from './space/overlap.ts'
import { type Answer, buildIndex, type CircleIndex, createAnswer, createIndex, type Filter } from './space/query.ts'
import { raycast, sweepCircle } from './space/sweep.ts'
import { OPEN, type Topology } from './space/topology.ts'
import type { AnyWorld } from './world.ts'

export type Surroundings = {
  readonly world: AnyWorld
  readonly index: CircleIndex
  readonly topology: Topology
  readonly layer: Uint8Array
  /** The rows of the last answer, and what was measured: `answer.circle[0 … count)`, `answer.measure`. */
  readonly answer: Answer
}

/** Who to look for. Everything left out means: any. */
export type Look = {
  readonly layers?: readonly string[]
  readonly kind?: number
  readonly team?: number
  /** Any team but this one. */
  readonly notTeam?: number
}

/** Makes room for questions about a world. Once per world, not per tick. */
export function createSurroundings(world: AnyWorld, topology: Topology = OPEN): Surroundings {
  const layer = new Uint8Array(world.tables.things.capacity)
  return { world, index: createIndex(), topology, layer, answer: createAnswer() }
}

/** Takes in where everything is now. Things that are leaving are not found any more. */
export function lookAround(surroundings: Surroundings): void {
  const { world, index, topology, layer } = surroundings
  const { things } = world.tables
  const { count } = things
  for (let row = 0; row < count; row++) layer[row] = things.leaving[row] === 0 ? things.layer[row] : NO_LAYER
  const { x, y, radius, kind, team } = things
  buildIndex(index, { count, x, y, radius, layer }, { topology, traits: { kind, team } })
}

/** A filter with its layers as bits. Make it once and keep it; `exclude` (rows) may be changed for each question. */
export function lookFor(layers: Layers, look: Look): Filter & { exclude: number[] } {
  const { layers: names, ...rest } = look
  let mask = 0xffffffff
  if (names !== undefined) mask = names.reduce((bits, name) => bits | (1 << layerNumber(layers, name)), 0) >>> 0
  return { ...rest, layers: mask, exclude: [] }
}

/** Rows of all things that overlap or touch a circle; gives how many. */
export function within(from: Surroundings, x: number, y: number, radius: number, filter?: Filter): number {
  overlapCircle(from.index, x, y, radius, from.answer, filter)
  return from.answer.count
}

/** Rows of all things that overlap or touch the rectangle between two corners; gives how many. */
export function withinBox(
  from: Surroundings,
  minX: number,
  minY: number,
  maxX: number,
  maxY: number,
  filter?: Filter,
): number {
  overlapBox(from.index, minX, minY, maxX, maxY, from.answer, filter)
  return from.answer.count
}

/** The row of the thing whose centre is nearest, or -1. Of several equally near ones the oldest. */
export function nearestTo(from: Surroundings, x: number, y: number, filter?: Filter, maxDistance?: number): number {
  nearest(from.index, x, y, 1, from.answer, filter, maxDistance)
  return from.answer.count === 0 ? -1 : from.answer.circle[0]
}

/** Rows of the nearest things, nearest first; gives how many, at most `wanted`. */
export function nearestOf(
  from: Surroundings,
  x: number,
  y: number,
  wanted: number,
  filter?: Filter,
  maxDistance?: number,
): number {
  nearest(from.index, x, y, wanted, from.answer, filter, maxDistance)
  return from.answer.count
}

/** The row that a ray from (x, y) along (dx, dy) meets first, or -1; `answer.measure[0]` is the part of the way. */
export function firstOnRay(from: Surroundings, x: number, y: number, dx: number, dy: number, filter?: Filter): number {
  raycast(from.index, x, y, dx, dy, from.answer, filter, 1)
  return from.answer.count === 0 ? -1 : from.answer.circle[0]
}

/** Rows of all things that a ray meets, by when it meets them; gives how many. */
export function allOnRay(from: Surroundings, x: number, y: number, dx: number, dy: number, filter?: Filter): number {
  raycast(from.index, x, y, dx, dy, from.answer, filter)
  return from.answer.count
}

/** Rows of all things that a circle on its way along (dx, dy) meets, by when it meets them; gives how many. */
export function onTheWay(
  from: Surroundings,
  x: number,
  y: number,
  radius: number,
  dx: number,
  dy: number,
  filter?: Filter,
): number {
  sweepCircle(from.index, x, y, radius, dx, dy, from.answer, filter)
  return from.answer.count
}
