/**
 * Questions about the static map: what a ray or a moving circle meets first, who sees whom, which walls are near.
 *
 * The way is walked through the cells of the map, column by column along its longer axis, and ends when what is left of it lies
 * behind the wall that was found. A wall that spans several cells is tested once. Doors that are open are not there.
 */

import { HurtboxError } from '../../base/errors.ts'
import { sweep } from '../../geometry/shapes/measure.ts'
import { overlaps } from '../../geometry/shapes/overlap.ts'
import { pose } from '../../geometry/shapes/pose.ts'
import { type ConvexShape, circle, type Shape } from '../../geometry/shapes/shape.ts'
import { createImpact } from '../../geometry/shapes/sweep.ts'
import { sortAscending } from '../../geometry/space/ascending.ts'
import { asked, findImages, images, requireOnTorus } from '../../geometry/space/map-images.ts'
import {
  ANYTHING,
  type Answer,
  createAnswer,
  type Filter,
  layersOf,
  requirePlace,
  requirePoint,
  requireRadius,
  reserveAnswer,
} from '../../geometry/space/query.ts'
import { OPEN, requireTopology, shorterWay, type Topology } from '../../geometry/space/topology.ts'
import type { Statics } from '../../rules/collide/statics.ts'
import type { Declaration } from '../../world/game.ts'
import type { InWorld } from '../../world/handles/types.ts'

export type MapIndex<D extends Declaration = Declaration> = {
  readonly world: InWorld<D>
  readonly statics: Statics
  /** What the last cast met: when, where, the outline's normal towards the start, and the place of the piece in the map. */
  readonly wall: { time: number; x: number; y: number; normalX: number; normalY: number; place: number }
  /** The last answer of `wallsWithin`: places in the map, ascending. */
  readonly answer: Answer
  /** The periods of the plane, infinite where it does not repeat. */
  readonly width: number
  readonly height: number
  /** By piece: the number of the last query that tested it, and of the last that it is an answer to. Each image of the map is a query. */
  readonly tested: Uint32Array
  readonly listed: Uint32Array
  query: number
  /** The first query of the question that is being answered. */
  asked: number
}

// biome-ignore lint/suspicious/noExplicitAny: an index of any game.
type AnyMapIndex = MapIndex<any>
type Point = { readonly x: number; readonly y: number }

/**
 * Makes an index of the static map of a world, for the plane. Once per world: it needs no rebuilding, also when doors open. On a torus the map
 * repeats: rays and sweeps go on across the seam, round and round, and the view is along the shorter way.
 */
export function createMapIndex<D extends Declaration>(
  world: InWorld<D>,
  statics: Statics,
  topology: Topology = OPEN,
): MapIndex<D> {
  requireTopology(topology)
  if (statics?.pieces === undefined || 'minZ' in statics) {
    throw new HurtboxError(
      'bad-argument',
      'createMapIndex takes a map of defineStatics; for one of defineBlocks there is createSpaceMapIndex.',
    )
  }
  if (topology !== OPEN) requireOnTorus(statics.map, topology)
  const n = Number.NaN
  return {
    width: topology.width,
    height: topology.height,
    world,
    statics,
    wall: { time: n, x: n, y: n, normalX: n, normalY: n, place: -1 },
    answer: createAnswer(),
    tested: new Uint32Array(statics.pieces.length),
    listed: new Uint32Array(statics.pieces.length),
    query: 0,
    asked: 0,
  }
}

/** Scratch: each is written before it is read. */
type ScratchShape = { -readonly [K in keyof ConvexShape]: ConvexShape[K] }
const round: ScratchShape = { ...circle(1.5) }
const moving = { shape: round as Shape, pose: pose({ x: 0, y: 0 }), dx: Number.NaN, dy: Number.NaN }
const target = { shape: round as Shape, pose: pose({ x: 0, y: 0 }) }
const impact = createImpact()

/**
 * Whether nothing of the map lies between two points. `filter` says which layers block the view; default: all.
 *
 * @example
 * ```ts
 * import { createWorld, declareGame, defineGame, defineStatics } from 'hurtbox'
 * import { canSee, createMapIndex } from 'hurtbox/query'
 *
 * const arena = declareGame({ id: 'arena', tickRate: 60, layers: { wall: [] }, globals: { gateOpen: 'u8' } })
 * const gate = { layer: 'wall', minX: 10, minY: -50, maxX: 20, maxY: 50, door: 'gateOpen' } as const
 * const world = createWorld(defineGame(arena, { phases: {} }))
 * const map = createMapIndex(world, defineStatics(arena, [gate]))
 * console.log(canSee(map, { x: 0, y: 0 }, { x: 30, y: 0 })) // false
 * world.globals.gateOpen = 1
 * console.log(canSee(map, { x: 0, y: 0 }, { x: 30, y: 0 })) // true
 * ```
 */
export function canSee(index: AnyMapIndex, from: Point, to: Point, filter?: Filter): boolean {
  requirePoint(from)
  requirePoint(to, 'to.x')
  moving.dx = shorterWay(to.x - from.x, index.width)
  moving.dy = shorterWay(to.y - from.y, index.height)
  return !cast(index, from, 0, filter)
}

/** Whether a ray meets the map; what it meets first is in `index.wall`. A ray that starts in a wall meets it at time 0. */
export function raycastMap(index: AnyMapIndex, from: Point, along: Point, filter?: Filter): boolean {
  setWay(from, along)
  return cast(index, from, 0, filter)
}

/** The same for a circle that moves. */
export function sweepMap(
  index: AnyMapIndex,
  from: Point & { readonly radius: number },
  along: Point,
  filter?: Filter,
): boolean {
  setWay(from, along)
  requireRadius(from.radius)
  return cast(index, from, from.radius, filter)
}

/** Finds the pieces of the map that overlap or touch a circle; their places are in `index.answer.circle`, ascending. */
export function wallsWithin(index: AnyMapIndex, from: Point & { readonly radius: number }, filter?: Filter): number {
  const { answer, statics } = index
  requirePoint(from)
  requirePlace(from.x, from.y)
  requireRadius(from.radius)
  place(from, from.radius)
  answer.count = 0
  index.asked = index.query + 1
  if (index.width === Number.POSITIVE_INFINITY) addTouched(index, filter)
  else {
    askAlong(from, 0, 0, from.radius)
    findImages(statics.map, index)
    for (let j = images.firstY; j <= images.lastY; j++) {
      for (let i = images.firstX; i <= images.lastX; i++) {
        standBefore(from, index, i, j)
        addTouched(index, filter)
      }
    }
  }
  sortAscending(statics.map.order, answer.circle, 0, answer.count)
  return answer.count
}

/** Adds the pieces that the circle in `moving` touches. */
function addTouched(index: AnyMapIndex, filter: Filter | undefined): void {
  const { map } = index.statics
  const { x, y } = moving.pose
  const { radius } = round
  const query = ++index.query
  const { originX, originY, perCell, cols, rows, cellStart, members } = map
  const firstCol = Math.max(0, Math.floor((x - radius - originX) * perCell))
  const lastCol = Math.min(cols - 1, Math.floor((x + radius - originX) * perCell))
  const firstRow = Math.max(0, Math.floor((y - radius - originY) * perCell))
  const lastRow = Math.min(rows - 1, Math.floor((y + radius - originY) * perCell))
  for (let row = firstRow; row <= lastRow; row++) {
    for (let col = firstCol; col <= lastCol; col++) {
      const cell = row * cols + col
      for (let i = cellStart[cell]; i < cellStart[cell + 1]; i++) {
        const piece = members[i]
        if (index.tested[piece] === query) continue
        index.tested[piece] = query
        addIfTouched(index, piece, filter)
      }
    }
  }
  for (let i = 0; i < map.wide.length; i++) addIfTouched(index, map.wide[i], filter)
}

function addIfTouched(index: AnyMapIndex, piece: number, filter: Filter | undefined): void {
  const { statics, answer, world, listed } = index
  // Touched in another image already.
  if (listed[piece] >= index.asked) return
  const { minX, minY, maxX, maxY, layer } = statics.map.rectangles
  const { x, y } = moving.pose
  // A hair more than rounding can take off.
  const reach = round.radius * (1 + 1e-9) + 1e-9
  if (x + reach < minX[piece] || x - reach > maxX[piece] || y + reach < minY[piece] || y - reach > maxY[piece]) return
  if (!isAsked(layer[piece], filter) || statics.isOpen(world, piece)) return
  setTarget(statics, piece)
  if (!overlaps(moving, target, true)) return
  listed[piece] = index.query
  reserveAnswer(answer, answer.count + 1)
  answer.circle[answer.count++] = piece
}

function isAsked(layer: number, filter: Filter = ANYTHING): boolean {
  return ((layersOf(filter) >>> layer) & 1) === 1
}

function place({ x, y }: Point, radius: number): void {
  round.radius = radius
  round.boundRadius = radius
  moving.pose.x = x
  moving.pose.y = y
}

function setTarget({ pieces }: Statics, piece: number): void {
  const { shape, x, y } = pieces[piece]
  target.shape = shape as Shape
  target.pose.x = x
  target.pose.y = y
}

/** Scratch: how far the image of the map that is looked at has moved. */
const shift = { x: Number.NaN, y: Number.NaN }

/** Which images a way can reach. */
function askAlong({ x, y }: Point, dx: number, dy: number, radius: number): void {
  asked.x = x + dx / 2
  asked.y = y + dy / 2
  asked.reachX = Math.abs(dx) / 2 + radius
  asked.reachY = Math.abs(dy) / 2 + radius
}

/** Puts what moves before image (i, j) of the map as it is before the map itself. */
function standBefore({ x, y }: Point, { width, height }: AnyMapIndex, i: number, j: number): void {
  shift.x = i * width
  shift.y = j * height
  moving.pose.x = x - shift.x
  moving.pose.y = y - shift.y
}

function setWay(from: Point, along: Point): void {
  requirePoint(from)
  requirePoint(along, 'dx')
  moving.dx = along.x
  moving.dy = along.y
}

/** The way is in `moving` already. */
function cast(index: AnyMapIndex, from: Point, radius: number, filter: Filter | undefined): boolean {
  const { dx, dy } = moving
  requirePlace(from.x, from.y)
  requirePlace(dx, dy, 'dx', 'dy')
  place(from, radius)
  index.wall.time = Number.POSITIVE_INFINITY
  index.wall.place = -1
  if (index.width === Number.POSITIVE_INFINITY) {
    shift.x = 0
    shift.y = 0
    castOnce(index, filter)
  } else {
    askAlong(from, dx, dy, radius)
    findImages(index.statics.map, index)
    for (let j = images.firstY; j <= images.lastY; j++) {
      for (let i = images.firstX; i <= images.lastX; i++) {
        standBefore(from, index, i, j)
        castOnce(index, filter)
      }
    }
  }
  return index.wall.time <= 1
}

/** A little more than rounding can take off, in cells. */
const SLACK = 1e-6

/** Looks for what is met before `index.wall`. */
function castOnce(index: AnyMapIndex, filter: Filter | undefined): void {
  const { map } = index.statics
  const { dx, dy } = moving
  const { x, y } = moving.pose
  const { radius } = round
  index.query++
  const { originX, originY, perCell, cols, rows } = map
  for (let i = 0; i < map.wide.length; i++) testPiece(index, map.wide[i], filter)
  const alongX = Math.abs(dx) >= Math.abs(dy)
  // In cells: along the longer axis and beside it.
  const main = (alongX ? x - originX : y - originY) * perCell
  const side = (alongX ? y - originY : x - originX) * perCell
  const mainWay = (alongX ? dx : dy) * perCell
  const sideWay = (alongX ? dy : dx) * perCell
  const reach = radius * perCell + SLACK
  const mainCells = alongX ? cols : rows
  const sideCells = alongX ? rows : cols
  const first = Math.max(0, Math.floor(Math.min(main, main + mainWay) - reach))
  const last = Math.min(mainCells - 1, Math.floor(Math.max(main, main + mainWay) + reach))
  const isForward = mainWay >= 0
  for (let i = first; i <= last; i++) {
    const cell = isForward ? i : first + last - i
    const enter = mainWay === 0 ? 0 : Math.max(0, ((isForward ? cell - reach : cell + 1 + reach) - main) / mainWay)
    const leave = mainWay === 0 ? 1 : Math.min(1, ((isForward ? cell + 1 + reach : cell - reach) - main) / mainWay)
    // Everything from here on is behind the wall.
    if (enter > index.wall.time) break
    const sideFrom = side + sideWay * enter
    const sideTo = side + sideWay * leave
    const sideFirst = Math.max(0, Math.floor(Math.min(sideFrom, sideTo) - reach))
    const sideLast = Math.min(sideCells - 1, Math.floor(Math.max(sideFrom, sideTo) + reach))
    for (let s = sideFirst; s <= sideLast; s++) testCell(index, alongX ? s * cols + cell : cell * cols + s, filter)
  }
}

function testCell(index: AnyMapIndex, cell: number, filter: Filter | undefined): void {
  const { tested, query } = index
  const { cellStart, members } = index.statics.map
  for (let i = cellStart[cell]; i < cellStart[cell + 1]; i++) {
    const piece = members[i]
    if (tested[piece] === query) continue
    tested[piece] = query
    testPiece(index, piece, filter)
  }
}

/** Of several pieces that are met at once the first of the map counts. */
function testPiece({ statics, world, wall }: AnyMapIndex, piece: number, filter: Filter | undefined): void {
  if (!isAsked(statics.map.rectangles.layer[piece], filter) || !mayMeet(statics, piece, wall.time)) return
  if (statics.isOpen(world, piece)) return
  setTarget(statics, piece)
  if (!sweep(moving, target, impact)) return
  if (impact.time > wall.time || (impact.time === wall.time && piece > wall.place)) return
  wall.time = impact.time
  wall.x = impact.x + shift.x
  wall.y = impact.y + shift.y
  wall.normalX = 0 - impact.normalX
  wall.normalY = 0 - impact.normalY
  wall.place = piece
}

/** Whether the way, as a box grown by the radius, comes near the bounds of a piece before `until`. Never wrong when it says no. */
function mayMeet({ map }: Statics, piece: number, until: number): boolean {
  const { minX, minY, maxX, maxY } = map.rectangles
  const { x, y } = moving.pose
  const { dx, dy } = moving
  const reach = round.radius * (1 + 1e-9) + 1e-9
  let enter = 0
  let leave = Math.min(1, until)
  if (dx !== 0) {
    const one = (minX[piece] - reach - x) / dx
    const other = (maxX[piece] + reach - x) / dx
    enter = Math.max(enter, Math.min(one, other))
    leave = Math.min(leave, Math.max(one, other))
  } else if (x < minX[piece] - reach || x > maxX[piece] + reach) return false
  if (dy !== 0) {
    const one = (minY[piece] - reach - y) / dy
    const other = (maxY[piece] + reach - y) / dy
    enter = Math.max(enter, Math.min(one, other))
    leave = Math.min(leave, Math.max(one, other))
  } else if (y < minY[piece] - reach || y > maxY[piece] + reach) return false
  return enter <= leave + 1e-9
}
