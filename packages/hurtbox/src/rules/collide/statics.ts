/**
 * The static map: walls, pillars and tiles, as content with a grid of its own that is built once.
 *
 * One map serves hits, things that travel, separation, queries and lines of sight. It is data: put it into `content` of the
 * declaration, and it is part of the fingerprint. A piece may be a door; whether it is open is state of the game.
 *
 * Statics are no things: they have no row, no id and no state. A contact with one names it by its place in the map, and a
 * rule about it has the thing on the attacker's side and the layer of the static on the victim's. A map brings its own
 * detection, so that a game without walls does not carry it.
 */

import { HurtboxError, requireQuantity } from '../../base/errors.ts'
import { box, capsule, circle, type Point, polygon, type Shape, segment } from '../../geometry/shapes/shape.ts'
import type { PairOptions } from '../../geometry/space/find-pairs.ts'
import { findImagePairs, type PairImages, requireOnTorus } from '../../geometry/space/map-images.ts'
import type { PairList } from '../../geometry/space/pair-list.ts'
import { buildStaticMap, findStaticPairs, type Rectangles, type StaticMap } from '../../geometry/space/statics.ts'
import type { Volume } from '../../geometry/volumes/volume.ts'
import type { AnyHandle } from '../../world/handles/classes.ts'
import { poseNobody } from '../../world/handles/pool.ts'
import { defineLayers, type LayerSpecs, layerNumber } from '../../world/layers.ts'
import type { AnyWorld } from '../../world/world.ts'
import { type Boxes, type CircleLike, STATIC_OWNER } from './boxes.ts'
import type { Collision } from './collide.ts'
import type { BoundRule } from './decide.ts'
import { addContact, reserveContacts } from './detect.ts'
import { leaveRectangle, leaveShape } from './leave-piece.ts'
import { requireDoor, requireNumbers, requirePieces } from './pieces.ts'
import { boundShape, openShape } from './shape-boxes.ts'

export type Door = string | readonly [array: string, place: number]

/** What every piece of a map has: a layer and perhaps a door, by the names of the declaration. */
export type OnLayer<L extends string = string, Opener extends Door = Door> = {
  readonly layer: L
  /**
   * What opens it: the name of a global, or of an array and a place in it. While that is not 0, the piece is not there. It is state, so
   * it is rolled back with everything else.
   */
  readonly door?: Opener
}

export type Rectangle<Named extends OnLayer = OnLayer> = Named & {
  readonly minX: number
  readonly minY: number
  readonly maxX: number
  readonly maxY: number
}

/** What a map of the plane is made of. */
export type StaticShape<Named extends OnLayer = OnLayer> =
  | Rectangle<Named>
  | (Named & { readonly x: number; readonly y: number; readonly radius: number })
  /** A line, or with a radius everything within that of it. */
  | (Named & { readonly from: Point; readonly to: Point; readonly radius?: number })
  /** Convex, 3 to 16 corners. */
  | (Named & { readonly points: readonly Point[]; readonly rounding?: number })

/**
 * A layer and a door by the names of this declaration, if the compiler knows the layers; of a map made elsewhere it knows only that
 * they are strings. The first condition never holds: it lets the compiler infer the layers.
 */
export type NamedIn<D extends WithLayers, L extends string> = OnLayer<
  L extends never ? L : string extends L ? string : NameIn<D['layers']>,
  string extends L ? Door : NameIn<D['globals']> | readonly [array: NameIn<D['arrays']>, place: number]
>
type NameIn<Names> = Names extends object ? keyof Names & string : string

/** A declaration, for the layers and the doors that its walls name. */
export type WithLayers = {
  readonly layers?: LayerSpecs
  readonly globals?: Readonly<Record<string, unknown>>
  readonly arrays?: Readonly<Record<string, unknown>>
}

/** A piece as it stands: its shape or volume and the middle that it was made around. */
export type Piece = { readonly shape: Shape | Volume; readonly x: number; readonly y: number; readonly z: number }

export type Statics = {
  readonly map: StaticMap
  /** In the order of the map; shapes in the plane, volumes in space. */
  readonly pieces: readonly Piece[]
  /** Adds the contacts of the boxes with the map to those among things. */
  detect(collision: Posed, options?: StaticOptions): void
  /** Whether a piece is a door that is open, so that nothing meets it. */
  isOpen(world: object, place: number): boolean
  /**
   * Writes into `out` the shortest move that takes a circle out of a piece of the map; (0, 0) when they do not overlap. Returns
   * whether they do.
   */
  penetration(place: number, circle: CircleLike, out: { x: number; y: number }): boolean
  /** Refuses rules in which a static would be the attacker. */
  requireRules(rules: readonly BoundRule[]): void
  /** The wall of the contact being decided as rules see it: a thing with id 0, in the middle of its box. */
  asThing(collision: Pick<Collision, 'things' | 'boxes' | 'hit'>): AnyHandle
}

/** A phase that keeps to a static map. Tools find the map there: the studio draws it, `why` answers about it. */
export type MapPhase<W> = {
  create(world: W): {
    readonly statics: Statics | undefined
    /** Of a phase that pushes things apart: how far apart two rows are; NaN where one of them takes up no room. */
    readonly gapOf?: (a: number, b: number) => number
    run(): void
  }
}

/** What detection works on. */
type Posed = Pick<Collision, 'world' | 'detector' | 'boxes' | 'contacts' | 'pairOptions'>

/** For phases that travel: only boxes from a place on, and tested by something else than `narrow`. */
export type StaticOptions = PairOptions & {
  readonly from?: number
  readonly approach?: (boxes: Boxes, a: number, b: number, isPush?: boolean) => boolean
  /** Where `approach` writes when they meet. */
  readonly met?: { readonly time: number }
  readonly isPush?: boolean
}

/** Adds the box of a static to a list of boxes; gives its place there. */
type AddStatic = (boxes: Boxes, place: number) => number

/**
 * A map of rectangles, circles, lines, capsules and convex polygons, in the order given: in a contact with the third one
 * `hit.wall` is 2. For phases in the plane.
 *
 * @example
 * ```ts
 * import { collide, createWorld, declareGame, defineGame, defineStatics, spawn, step } from 'hurtbox'
 *
 * const arena = declareGame({ id: 'arena', tickRate: 60, layers: { ball: ['wall'], wall: [] } })
 * const statics = defineStatics(arena, [{ layer: 'wall', minX: 10, minY: -50, maxX: 20, maxY: 50 }])
 * const bounce = collide(
 *   arena,
 *   { 'ball hits wall': { between: ['ball', 'wall'], decide: (ball) => void (ball.vx = -ball.vx) } },
 *   { statics },
 * )
 * const world = createWorld(defineGame(arena, { phases: { bounce } }))
 * const ball = spawn(world, 'ball', { x: 8, vx: 3, radius: 4 })
 * step(world)
 * console.log(ball.vx) // -3
 * ```
 */
export function defineStatics<D extends WithLayers, const L extends string>(
  declaration: D,
  pieces: readonly StaticShape<NamedIn<NoInfer<D>, L>>[],
): Statics {
  requirePieces(declaration, pieces)
  const placed = pieces.map(placePiece)
  const columns = rectangleColumns(declaration, placed)
  const addStatic: AddStatic = (boxes, place) => {
    const { shape, x, y } = placed[place]
    const wall = openShape(boxes, STATIC_OWNER, columns.layer[place], shape as Shape)
    boxes.poseX[wall] = x
    boxes.poseY[wall] = y
    boundShape(boxes, wall)
    return wall
  }
  return createStatics(columns, {
    pieces: placed,
    doors: doorsOf(declaration, pieces),
    addStatic,
    penetration: (place, circle, out) =>
      (placed[place].shape as Shape).kind === 'box'
        ? leaveRectangle(columns, place, circle, out)
        : leaveShape(placed[place], circle, out),
  })
}

/** A piece of a map with the rectangle around it. */
type PlacedPiece = Rectangle & Piece

function placePiece(piece: StaticShape, i: number): PlacedPiece {
  const { layer } = piece
  if ('minX' in piece) {
    const { minX, minY, maxX, maxY } = piece
    requireRectangle(piece, i)
    const shape = box((maxX - minX) / 2, (maxY - minY) / 2)
    return { layer, minX, minY, maxX, maxY, shape, x: (minX + maxX) / 2, y: (minY + maxY) / 2, z: 0 }
  }
  if ('points' in piece) {
    requirePoints(piece.points, i)
    return placePoints(piece.points, piece.rounding ?? 0, layer, (points, rounding) => polygon(points, { rounding }))
  }
  if ('from' in piece) {
    requireNumbers(piece.from, `from of piece ${i}`, 2)
    requireNumbers(piece.to, `to of piece ${i}`, 2)
    return placePoints([piece.from, piece.to], piece.radius ?? 0, layer, ([from, to], radius) =>
      radius === 0 ? segment(from, to) : capsule(from, to, radius),
    )
  }
  if ('radius' in piece) {
    requireNumbers([piece.x, piece.y], `x and y of piece ${i}`, 2)
    return placePoints([[piece.x, piece.y]], piece.radius, layer, (_points, radius) => circle(radius))
  }
  throw new HurtboxError(
    'bad-argument',
    `piece ${i} of the map must have minX, minY, maxX and maxY, or x, y and radius, or from and to, or points.`,
  )
}

function requirePoints(points: readonly Point[], i: number): void {
  if (!Array.isArray(points)) {
    throw new HurtboxError('bad-argument', `points of piece ${i} must be a list, as [[0, 0], [10, 0], [0, 10]].`)
  }
  for (const [k, point] of points.entries()) requireNumbers(point, `points[${k}] of piece ${i}`, 2)
}

/** Shapes of a map are made around the middle of their bounds, so that a map far from the origin is as exact as any. */
function placePoints(
  points: readonly Point[],
  radius: number,
  layer: string,
  make: (points: readonly Point[], radius: number) => Shape,
): PlacedPiece {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
  const [minX, minY, maxX, maxY] = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
  const [x, y] = [(minX + maxX) / 2, (minY + maxY) / 2]
  const shape = make(
    points.map(([pointX, pointY]) => [pointX - x, pointY - y]),
    radius,
  )
  // A hair larger than computed: the middle is rounded.
  const reach = radius + (Math.abs(x) + Math.abs(y) + radius) * 1e-12
  return { layer, minX: minX - reach, minY: minY - reach, maxX: maxX + reach, maxY: maxY + reach, shape, x, y, z: 0 }
}

/** What a kind of map brings along. */
type MapParts = Pick<Statics, 'pieces' | 'penetration'> & { readonly doors: Doors; readonly addStatic: AddStatic }

export function createStatics(columns: Rectangles, { pieces, doors, addStatic, penetration }: MapParts): Statics {
  const map = buildStaticMap(columns)
  /** Lists of boxes on a torus that the map is known to fit. */
  const checked = new WeakSet<Boxes>()
  const isOpen: Statics['isOpen'] = (world, place) => {
    const door = doors?.[place]
    if (door === undefined) return false
    const { globals, arrays } = world as AnyWorld
    return (
      (typeof door === 'string' ? (globals as Readonly<Record<string, unknown>>)[door] : arrays[door[0]][door[1]]) !== 0
    )
  }
  return {
    map,
    pieces,
    isOpen,
    penetration,
    detect(collision, options = collision.pairOptions) {
      const { detector, boxes, contacts, world } = collision
      const { pairs } = detector
      let images: PairImages | undefined
      if (boxes.width === Number.POSITIVE_INFINITY) findStaticPairs(map, boxes, pairs, options)
      else {
        if (!checked.has(boxes)) requireOnTorus(map, boxes)
        checked.add(boxes)
        images = findImagePairs(map, boxes, pairs, options)
      }
      contacts.checks += pairs.checks
      if (doors !== undefined) dropOpenDoors(pairs, images, isOpen, world)
      if (pairs.count > 0) addStaticContacts(collision, addStatic, images, options)
    },
    requireRules: (rules) => requireWallsSecond(map, rules),
    asThing: ({ things, boxes, hit: { secondPlace: box } }) =>
      poseNobody(things, boxes.poseX[box], boxes.poseY[box], boxes.layer[box]),
  }
}

/** By place; `undefined` in a map without doors. */
type Doors = readonly (OnLayer['door'] | undefined)[] | undefined

/** The doors of a map, checked: they are opened by state. */
export function doorsOf(declaration: WithLayers, pieces: readonly OnLayer[]): Doors {
  if (pieces.every(({ door }) => door === undefined)) return undefined
  for (const [i, { door }] of pieces.entries()) requireDoor(door, i, declaration)
  return pieces.map(({ door }) => door)
}

/** Takes the pairs out whose piece is an open door; the others stay in order. */
function dropOpenDoors(
  pairs: PairList,
  images: PairImages | undefined,
  isOpen: Statics['isOpen'],
  world: object,
): void {
  let kept = 0
  for (let i = 0; i < pairs.count; i++) {
    if (isOpen(world, pairs.b[i])) continue
    if (images !== undefined) {
      images.imageX[kept] = images.imageX[i]
      images.imageY[kept] = images.imageY[i]
    }
    pairs.a[kept] = pairs.a[i]
    pairs.b[kept++] = pairs.b[i]
  }
  pairs.count = kept
}

function requireWallsSecond({ layers }: StaticMap, rules: readonly BoundRule[]): void {
  for (const { name, rule, firstLayer, secondLayer } of rules) {
    if (((layers >>> firstLayer) & 1) === 0 || ((layers >>> secondLayer) & 1) === 1) continue
    throw new HurtboxError(
      'bad-declaration',
      `rule "${name}" has the static layer ${rule.between[0]} first. Name the thing first and the wall second.`,
    )
  }
}

/**
 * In the order of the boxes, then of the map. Boxes of the statics that are near something are added to the list, so that
 * from here on they are boxes like any other. On a torus each contact has one of its own, which stands where the image is.
 */
function addStaticContacts(
  { detector, boxes, contacts }: Posed,
  addStatic: AddStatic,
  images: PairImages | undefined,
  { approach, met, isPush }: StaticOptions,
): void {
  const { pairs, boxOfStatic } = detector
  reserveContacts(contacts, contacts.count + pairs.count)
  const firstStatic = boxes.count
  for (let i = 0; i < pairs.count; i++) {
    const place = pairs.b[i]
    let box = images === undefined ? (boxOfStatic[place] ?? -1) : -1
    if (box < firstStatic || box >= boxes.count || boxes.number[box] !== place) {
      box = addStatic(boxes, place)
      boxes.number[box] = place
      if (images === undefined) boxOfStatic[place] = box
      else moveToImage(boxes, box, images, i)
    }
    if (approach === undefined) {
      const time = boxes.narrow!(boxes, pairs.a[i], box, true)
      if (time >= 0) addContact(contacts, pairs.a[i], box, time)
    } else if (approach(boxes, pairs.a[i], box, isPush)) {
      // Written here: handed to a function, V8 would put the time on the heap.
      contacts.time[contacts.count] = met!.time
      contacts.a[contacts.count] = pairs.a[i]
      contacts.b[contacts.count++] = box
    }
  }
}

function moveToImage(boxes: Boxes, box: number, { imageX, imageY }: PairImages, pair: number): void {
  const dx = imageX[pair] * boxes.width
  const dy = imageY[pair] * boxes.height
  boxes.x[box] += dx
  boxes.y[box] += dy
  boxes.poseX[box] += dx
  boxes.poseY[box] += dy
}

/** Rectangles as columns, checked. */
export function rectangleColumns(declaration: WithLayers, rectangles: readonly Rectangle[]): Rectangles {
  const layers = defineLayers(declaration.layers ?? {})
  const { length } = rectangles
  const columns: Rectangles = {
    count: length,
    minX: new Float64Array(length),
    minY: new Float64Array(length),
    maxX: new Float64Array(length),
    maxY: new Float64Array(length),
    layer: new Uint8Array(length),
  }
  rectangles.forEach((rectangle, i) => {
    requireRectangle(rectangle, i)
    for (const side of SIDES) columns[side][i] = rectangle[side]
    columns.layer[i] = layerNumber(layers, rectangle.layer)
  })
  return columns
}

const SIDES = ['minX', 'minY', 'maxX', 'maxY'] as const

function requireRectangle(rectangle: Rectangle, i: number): void {
  for (const side of SIDES) requireQuantity(rectangle[side], `rectangle ${i} ${side}`)
  const { minX, minY, maxX, maxY } = rectangle
  if (!(minX > maxX || minY > maxY)) return
  throw new HurtboxError(
    'bad-argument',
    `rectangle ${i} must have min below max, got ${minX}, ${minY} to ${maxX}, ${maxY}.`,
  )
}
