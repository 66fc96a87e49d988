/**
 * Boxes: the volumes that can meet in this tick, as a scratch list.
 *
 * Everything that can touch is posed here first: one circle per thing by default; melee windows, several hurtboxes or
 * rewound poses are just more boxes. Detection, the studio's drawing and `why` read this list and nothing else, so what
 * you see is what was tested. Boxes stand in canonical order: by the row of their owner, then by their number.
 *
 * This file tests circles only, standing or swept. Other shapes bring the function that tests them along
 * (`addShape`, `addVolume`), so that a game of circles does not carry code for boxes.
 */

import { HurtboxError } from '../../base/errors.ts'
import { growColumns } from '../../base/grow.ts'
import { OPEN, type Topology } from '../../geometry/space/topology.ts'
import { type Layers, layerNumber } from '../../world/layers.ts'
import type { HitScratch } from './rule.ts'

/** The owner of boxes that belong to the static map: after all things, in every order. */
export const STATIC_OWNER = 0xffffffff

/** A list of boxes in a game with these layers. */
export type Boxes<L extends string = string> = {
  count: number
  /** The row and the layer of the thing whose boxes are being posed. */
  posing: number
  posingLayer: number
  readonly layers: Layers<L>
  /** Row of the owner in `things`. */
  owner: Uint32Array
  /** Number of the box among those of its owner; of a static, its place in the map. */
  number: Uint32Array
  layer: Uint8Array
  /** A circle that holds the box and its sweep in this tick. A standing circle is its own. */
  x: Float64Array
  y: Float64Array
  radius: Float64Array
  /**
   * From here to `size`: known only once there is something else than standing circles (`isPlain` is false). Until then
   * the circle is all there is to know of a box, and writing the rest would take longer than finding the pairs.
   *
   * Where the box is now, and how far it has moved in this tick.
   */
  poseX: Float64Array
  poseY: Float64Array
  poseZ: Float64Array
  sweepX: Float64Array
  sweepY: Float64Array
  sweepZ: Float64Array
  facingX: Float64Array
  facingY: Float64Array
  /** The shape or volume; `undefined` for a circle of `size`. */
  shape: (object | undefined)[]
  size: Float64Array
  /** Whether all boxes are standing circles, so that overlapping bounds are overlapping boxes. */
  isPlain: boolean
  /** Whether a box has moved in this tick, so that boxes met at different times. */
  isSwept: boolean
  /** Tests two boxes exactly; set when a box is not a standing circle. */
  narrow: Narrow | undefined
  /** Notes the rest of a standing circle, from `poseX` to `size`; brought along by the first box that is something else. */
  poseCircle: typeof poseAsCircle | undefined
  /** How far two boxes are apart where they are now; for words, and only where `narrow` brought it along. */
  gap: MeasureGap | undefined
  /** The periods of the plane, infinite where it does not repeat; and what measures around a torus. */
  readonly width: number
  readonly height: number
  readonly around: Topology['around']
}

/**
 * Whether two boxes meet, and when: a part of the tick from 0 to 1, or -1 for never. Boxes that do not move meet at 1,
 * which is now.
 */
export type Narrow = (boxes: Boxes, a: number, b: number, touching: boolean) => number

export type MeasureGap = (boxes: Boxes, a: number, b: number) => number

export function createBoxes(layers: Layers, capacity: number, topology: Topology = OPEN): Boxes {
  return {
    count: 0,
    posing: 0,
    posingLayer: 0,
    layers,
    ...createColumns(capacity),
    shape: [],
    isPlain: true,
    isSwept: false,
    narrow: undefined,
    poseCircle: undefined,
    gap: undefined,
    ...topology,
  }
}

export function clearBoxes(boxes: Boxes): void {
  boxes.count = 0
  boxes.isPlain = true
  boxes.isSwept = false
  boxes.narrow = undefined
  boxes.gap = undefined
}

/** Where a circle is, and how large. A thing is one. */
export type CircleLike = { readonly x: number; readonly y: number; readonly radius: number }

/**
 * Adds a circle to the boxes of the thing that is being posed, on its own layer unless another is named.
 *
 * @example
 * ```ts
 * import { addCircle, collide, createWorld, declareGame, defineGame, spawn, step } from 'hurtbox'
 *
 * const layers = { knight: ['slime'], slime: [] } as const
 * const arena = declareGame({ id: 'arena', tickRate: 60, layers, things: { hp: 'f64' } })
 * const hits = collide(
 *   arena,
 *   { 'knight hits slime': { between: ['knight', 'slime'], decide: (_knight, slime) => void (slime.hp -= 12) } },
 *   {
 *     pose: {
 *       knight(knight, boxes) {
 *         addCircle(boxes, { x: knight.x + 40, y: knight.y, radius: 10 }) // a fist in front of him
 *       },
 *     },
 *   },
 * )
 * const world = createWorld(defineGame(arena, { phases: { hits } }))
 * spawn(world, 'knight', { radius: 10 })
 * const slime = spawn(world, 'slime', { x: 50, radius: 15, hp: 30 })
 * step(world)
 * console.log(slime.hp) // 18
 * ```
 */
export function addCircle<L extends string>(boxes: Boxes<L>, circle: CircleLike, layer?: NoInfer<L>): void {
  const box = addBox(boxes, layer)
  boxes.x[box] = circle.x
  boxes.y[box] = circle.y
  // A phase can write anything into a column, so a negative radius counts as 0.
  boxes.radius[box] = Math.max(circle.radius, 0)
  if (!boxes.isPlain) poseAsCircle(boxes, box)
}

/**
 * Sweeps the box that was added last: it has come (dx, dy, dz) in this tick and is now where it was posed. It meets what it
 * passed on the way, at any speed.
 *
 * @example
 * ```ts
 * import { addCircle, collide, createWorld, declareGame, defineGame, spawn, step, sweepBox } from 'hurtbox'
 *
 * const layers = { knight: ['slime'], slime: [] } as const
 * const arena = declareGame({ id: 'arena', tickRate: 60, layers, things: { hp: 'f64' } })
 * const hits = collide(
 *   arena,
 *   { 'knight hits slime': { between: ['knight', 'slime'], decide: (_knight, slime) => void (slime.hp -= 12) } },
 *   {
 *     pose: {
 *       knight(knight, boxes) {
 *         addCircle(boxes, knight)
 *         sweepBox(boxes, 500, 0) // it came 500 px from the left in this tick
 *       },
 *     },
 *   },
 * )
 * const world = createWorld(defineGame(arena, { phases: { hits } }))
 * spawn(world, 'knight', { radius: 10 })
 * const slime = spawn(world, 'slime', { x: -300, radius: 15, hp: 30 })
 * step(world)
 * console.log(slime.hp) // 18
 * ```
 */
export function sweepBox(boxes: Boxes, dx: number, dy: number, dz = 0): void {
  const box = boxes.count - 1
  useNarrow(boxes, boxes.narrow ?? narrowCircles, boxes.gap)
  boxes.sweepZ[box] = dz
  setSweep(boxes, box, dx, dy)
}

/** What `addCirclesOf` reads of the table `things`. */
type Circular = {
  readonly leaving: Uint8Array
  readonly layer: Uint8Array
  readonly x: Float64Array
  readonly y: Float64Array
  readonly radius: Float64Array
}

/**
 * Adds the circles of the things in the rows from `first` up to `end`, as `addCircle` would do one by one. All at once is
 * four times as fast: no array has to be looked up again for every thing.
 */
export function addCirclesOf(boxes: Boxes, things: Circular, first: number, end: number): void {
  while (boxes.owner.length < boxes.count + end - first) grow(boxes)
  const { owner, number, layer, x, y, radius } = boxes
  const { leaving, layer: layerOf, x: xOf, y: yOf, radius: radiusOf } = things
  const from = boxes.count
  let box = from
  for (let row = first; row < end; row++) {
    if (leaving[row] !== 0) continue
    owner[box] = row
    number[box] = 0
    layer[box] = layerOf[row]
    x[box] = xOf[row]
    y[box] = yOf[row]
    radius[box] = Math.max(radiusOf[row], 0)
    box++
  }
  boxes.count = box
  if (boxes.isPlain) return
  const { poseCircle } = boxes
  for (let added = from; added < box; added++) poseCircle!(boxes, added)
}

/**
 * Adds a box of the thing that is being posed; place and size are for the caller to write. Callers that add something else
 * than a standing circle call `useNarrow` first.
 */
export function addBox(boxes: Boxes, layer?: string): number {
  return addBoxOf(boxes, boxes.posing, layer === undefined ? boxes.posingLayer : layerNumber(boxes.layers, layer))
}

/** Adds a box of an owner, by numbers. Boxes of one owner are added together, owners in row order. */
export function addBoxOf(boxes: Boxes, owner: number, layer: number): number {
  const box = boxes.count
  if (box === boxes.owner.length) grow(boxes)
  const previous = box === 0 ? -1 : boxes.owner[box - 1]
  boxes.owner[box] = owner
  boxes.number[box] = owner === previous ? boxes.number[box - 1] + 1 : 0
  boxes.layer[box] = layer
  if (!boxes.isPlain) poseAsNothing(boxes, box)
  boxes.count = box + 1
  return box
}

/** Enlarges the bounding circle of a box so that it holds the sweep. */
export function setSweep(boxes: Boxes, box: number, sweepX: number, sweepY: number): void {
  boxes.isSwept = true
  boxes.sweepX[box] = sweepX
  boxes.sweepY[box] = sweepY
  boxes.x[box] -= sweepX / 2
  boxes.y[box] -= sweepY / 2
  // A hair larger than computed, because the middle is rounded.
  boxes.radius[box] +=
    (Math.sqrt(sweepX * sweepX + sweepY * sweepY) / 2) * (1 + 1e-12) + Math.abs(boxes.radius[box]) * 1e-15
}

/** From now on `narrow` decides which boxes of this list meet. */
export function useNarrow(boxes: Boxes, narrow: Narrow, gap?: MeasureGap): void {
  if (boxes.narrow !== undefined && boxes.narrow !== narrow && boxes.narrow !== narrowCircles) {
    throw new HurtboxError('bad-argument', 'boxes of one phase are shapes in the plane or volumes in space, not both.')
  }
  boxes.narrow = narrow
  boxes.gap = gap
  if (!boxes.isPlain) return
  boxes.isPlain = false
  boxes.poseCircle = poseAsCircle
  for (let box = 0; box < boxes.count; box++) poseAsCircle(boxes, box)
}

/** What a plain list does not know of a standing circle. */
function poseAsCircle(boxes: Boxes, box: number): void {
  poseAsNothing(boxes, box)
  boxes.poseX[box] = boxes.x[box]
  boxes.poseY[box] = boxes.y[box]
  boxes.size[box] = boxes.radius[box]
}

function poseAsNothing(boxes: Boxes, box: number): void {
  boxes.poseZ[box] = 0
  boxes.sweepX[box] = 0
  boxes.sweepY[box] = 0
  boxes.sweepZ[box] = 0
  boxes.facingX[box] = 1
  boxes.facingY[box] = 0
  boxes.size[box] = 0
  boxes.shape[box] = undefined
}

/** Two circles, each standing or swept, in closed form. */
function narrowCircles(boxes: Boxes, a: number, b: number, touching: boolean): number {
  const reach = boxes.size[a] + boxes.size[b]
  // B relative to A: where it is now, how far it moved, and where it was.
  const dx = boxes.poseX[b] + imageShiftX(boxes, a, b) - boxes.poseX[a]
  const dy = boxes.poseY[b] + imageShiftY(boxes, a, b) - boxes.poseY[a]
  const sweepX = boxes.sweepX[b] - boxes.sweepX[a]
  const sweepY = boxes.sweepY[b] - boxes.sweepY[a]
  if (sweepX === 0 && sweepY === 0) return isWithin(dx * dx + dy * dy, reach * reach, touching) ? 1 : -1
  const startX = dx - sweepX
  const startY = dy - sweepY
  if (isWithin(startX * startX + startY * startY, reach * reach, touching)) return 0
  const closing = -(startX * sweepX + startY * sweepY)
  if (closing <= 0) return -1
  // How far to the side B passes, and how far along its sweep the two are closest. Not by the quadratic formula: at 1e6
  // widths a tick the difference of its squares would be all rounding.
  const length = Math.sqrt(sweepX * sweepX + sweepY * sweepY)
  const aside = (startX * sweepY - startY * sweepX) / length
  const under = reach * reach - aside * aside
  if (touching ? under < 0 : under <= 0) return -1
  const time = Math.max(0, (closing / length - Math.sqrt(under)) / length)
  return (touching ? time <= 1 : time < 1) ? time : -1
}

/** Two boxes that met, and when: columns, because a time that is handed to a function would be put on the heap. */
type HitCases = { readonly firstBox: Uint32Array; readonly secondBox: Uint32Array; readonly time: Float64Array }

/** Writes into `out` what is known of two boxes that met. */
export function readHit(boxes: Boxes, cases: HitCases, place: number, out: HitScratch): void {
  const first = cases.firstBox[place]
  const second = cases.secondBox[place]
  const { owner, number } = boxes
  const isWall = owner[second] === STATIC_OWNER
  out.firstRow = owner[first]
  out.secondRow = isWall ? -1 : owner[second]
  out.wall = isWall ? number[second] : -1
  out.firstPlace = first
  out.secondPlace = second
  out.firstBox = number[first]
  out.secondBox = number[second]
  out.time = cases.time[place]
}

/** What to add to the place of B so that its image in the middle of the sweep is nearest to A. 0 on an open plane. */
export function imageShiftX(boxes: Boxes, a: number, b: number): number {
  return imageShift(boxes.x[b] - boxes.x[a], boxes.width)
}

export function imageShiftY(boxes: Boxes, a: number, b: number): number {
  return imageShift(boxes.y[b] - boxes.y[a], boxes.height)
}

function imageShift(distance: number, period: number): number {
  return period === Number.POSITIVE_INFINITY ? 0 : -Math.round(distance / period) * period
}

function isWithin(squared: number, reachSquared: number, touching: boolean): boolean {
  return touching ? squared <= reachSquared : squared < reachSquared
}

type BoxColumns = Omit<
  Boxes,
  | 'count'
  | 'posing'
  | 'posingLayer'
  | 'layers'
  | 'shape'
  | 'isPlain'
  | 'isSwept'
  | 'narrow'
  | 'poseCircle'
  | 'gap'
  | 'width'
  | 'around'
  | 'height'
>

function createColumns(capacity: number): BoxColumns {
  return {
    owner: new Uint32Array(capacity),
    number: new Uint32Array(capacity),
    layer: new Uint8Array(capacity),
    x: new Float64Array(capacity),
    y: new Float64Array(capacity),
    radius: new Float64Array(capacity),
    poseX: new Float64Array(capacity),
    poseY: new Float64Array(capacity),
    poseZ: new Float64Array(capacity),
    sweepX: new Float64Array(capacity),
    sweepY: new Float64Array(capacity),
    sweepZ: new Float64Array(capacity),
    facingX: new Float64Array(capacity),
    facingY: new Float64Array(capacity),
    size: new Float64Array(capacity),
  }
}

function grow(boxes: Boxes): void {
  growColumns(boxes, Object.keys(createColumns(0)) as (keyof BoxColumns)[], 2 * boxes.owner.length)
}
