/** Boxes of any shape in the plane: oriented boxes, capsules, polygons, melee arcs, standing or swept. */

import { HurtboxError } from '../errors.ts'
import { growColumns } from '../grow.ts'
import { direction } from '../math/trig.ts'
import { boundingCircle } from '../shapes/bounds.ts'
import { sweep } from '../shapes/measure.ts'
import { overlaps } from '../shapes/overlap.ts'
import { type PlaneFrame, type Pose, pose } from '../shapes/pose.ts'
import { type ConvexShape, circle, type Shape } from '../shapes/shape.ts'
import { createImpact } from '../shapes/sweep.ts'
import { placeAt, reachOf, sweepTurning, turnBetween } from '../shapes/turning.ts'
import { addBox, addBoxOf, type Boxes, imageShiftX, imageShiftY, setSweep, useNarrow } from './boxes.ts'

/**
 * Adds a shape to the boxes of the thing that is being posed, where `frame` is, on the thing's layer unless another is
 * named. `sweepBox` makes it meet what it passed.
 *
 * @example
 * ```ts
 * import { addShape, collide, createWorld, declareGame, defineGame, spawn, step } from 'hurtbox'
 * import { arc } from 'hurtbox/shapes'
 *
 * const blade = arc(60, 1)
 * const layers = { knight: ['slime'], slime: [] } as const
 * const arena = declareGame({ id: 'arena', tickRate: 60, layers, things: { hp: 'f64' } })
 * const hits = collide(
 *   arena,
 *   { 'knight hits slime': { between: ['knight', 'slime'], decide: (_knight, slime) => void (slime.hp -= 12) } },
 *   {
 *     pose: {
 *       knight(knight, boxes) {
 *         addShape(boxes, blade, knight) // faces +x; columns facingX and facingY turn it
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
export function addShape(boxes: Boxes, shape: Shape, frame: PlaneFrame, layer?: string): void {
  useNarrow(boxes, narrowShapes)
  const box = addBox(boxes, layer)
  boxes.shape[box] = shape
  forgetTurn(boxes, box)
  boxes.poseX[box] = frame.x
  boxes.poseY[box] = frame.y
  boxes.facingX[box] = frame.facingX ?? 1
  boxes.facingY[box] = frame.facingY ?? 0
  boundShape(boxes, box)
}

/** Finds the circle around a shape that stands where its pose columns say. */
export function boundShape(boxes: Boxes, box: number): void {
  movingA.shape = boxes.shape[box] as Shape
  setPose(movingA.pose, boxes.poseX[box], boxes.poseY[box], boxes.facingX[box], boxes.facingY[box])
  boundingCircle(movingA, bound)
  boxes.x[box] = bound.x
  boxes.y[box] = bound.y
  boxes.radius[box] = bound.radius
}

/** Opens a shape whose pose the caller writes into the columns, to be closed by `boundShape`: no number becomes an object. */
export function openShape(boxes: Boxes, owner: number, layer: number, shape: Shape): number {
  useNarrow(boxes, narrowShapes)
  const box = addBoxOf(boxes, owner, layer)
  boxes.shape[box] = shape
  forgetTurn(boxes, box)
  return box
}

/**
 * Lets the box that was added last turn on its way: at the start of the tick it faced (fromX, fromY), now it faces where it was
 * posed, and it turned the short way round. It meets what it swung across, at any speed; see `hurtbox/shapes` for the bound.
 *
 * @example
 * ```ts
 * import { addShape, collide, createWorld, declareGame, defineGame, spawn, step, turnBox } from 'hurtbox'
 * import { capsule } from 'hurtbox/shapes'
 *
 * const blade = capsule([10, 0], [60, 0], 2)
 * const layers = { knight: ['slime'], slime: [] } as const
 * const arena = declareGame({ id: 'arena', tickRate: 60, layers, things: { hp: 'f64' } })
 * const hits = collide(
 *   arena,
 *   { 'knight hits slime': { between: ['knight', 'slime'], decide: (_knight, slime) => void (slime.hp -= 12) } },
 *   {
 *     pose: {
 *       knight(knight, boxes) {
 *         addShape(boxes, blade, { x: knight.x, y: knight.y, facingX: 0, facingY: 1 })
 *         turnBox(boxes, 1, 0) // it swung a quarter turn in this tick
 *       },
 *     },
 *   },
 * )
 * const world = createWorld(defineGame(arena, { phases: { hits } }))
 * spawn(world, 'knight', { radius: 10 })
 * const slime = spawn(world, 'slime', { x: 30, y: 30, radius: 5, hp: 30 })
 * step(world)
 * console.log(slime.hp) // 18
 * ```
 */
export function turnBox(boxes: Boxes, fromX: number, fromY: number): void {
  const box = boxes.count - 1
  const shape = boxes.shape[box] as Shape | undefined
  if (box < 0 || shape?.corners === undefined) {
    throw new HurtboxError('bad-argument', 'turnBox turns the shape that was added last: call addShape first.')
  }
  const length = Math.sqrt(fromX * fromX + fromY * fromY)
  if (!(length > 0)) throw new HurtboxError('bad-argument', `turnBox needs a direction, got (${fromX}, ${fromY}).`)
  setTurn(boxes, box, fromX / length, fromY / length)
}

/** Lets a shape have come by a turn of so many radians to where it faces. Other boxes do not turn. */
export function turnShape(boxes: Boxes, box: number, turn: number): void {
  if ((boxes.shape[box] as Shape | undefined)?.corners === undefined) return
  direction(-turn, turned)
  const { facingX, facingY } = boxes
  setTurn(
    boxes,
    box,
    facingX[box] * turned.x - facingY[box] * turned.y,
    facingY[box] * turned.x + facingX[box] * turned.y,
  )
}

const turned = { x: Number.NaN, y: Number.NaN }

function setTurn(boxes: Boxes, box: number, fromX: number, fromY: number): void {
  if (boxes !== boxesInUse || turns === undefined) openTurns(boxes)
  while (turns!.isTurning.length <= box) {
    growColumns(turns!, ['isTurning', 'fromX', 'fromY'], 2 * turns!.isTurning.length)
  }
  turns!.isTurning[box] = 1
  turns!.fromX[box] = fromX
  turns!.fromY[box] = fromY
  boxes.isSwept = true
  // Wherever it points on the way, it stays within reach of its pivot.
  boxes.x[box] = boxes.poseX[box]
  boxes.y[box] = boxes.poseY[box]
  boxes.radius[box] = reachOf(boxes.shape[box] as Shape) * (1 + 1e-12)
  if (boxes.sweepX[box] !== 0 || boxes.sweepY[box] !== 0) setSweep(boxes, box, boxes.sweepX[box], boxes.sweepY[box])
}

/** Where boxes that turn faced at the start. Few lists have any, so they are kept beside the list. */
type Turns = { isTurning: Uint8Array; fromX: Float64Array; fromY: Float64Array }
const turnsOf = new WeakMap<Boxes, Turns>()
/** Those of the list that was last asked about. */
let boxesInUse: Boxes | undefined
let turns: Turns | undefined

function useTurns(boxes: Boxes): void {
  if (boxes === boxesInUse) return
  boxesInUse = boxes
  turns = turnsOf.get(boxes)
}

function openTurns(boxes: Boxes): void {
  useTurns(boxes)
  if (turns !== undefined) return
  turns = { isTurning: new Uint8Array(64), fromX: new Float64Array(64), fromY: new Float64Array(64) }
  turnsOf.set(boxes, turns)
}

function forgetTurn(boxes: Boxes, box: number): void {
  useTurns(boxes)
  if (turns !== undefined && box < turns.isTurning.length) turns.isTurning[box] = 0
}

function isTurning(boxes: Boxes, box: number): boolean {
  return turns !== undefined && boxes.shape[box] !== undefined && turns.isTurning[box] === 1
}

/** Moves the start of a box's way on by a part of it, from 0 to 1; where it ends stays. */
export function cutWay(boxes: Boxes, box: number, part: number): void {
  useTurns(boxes)
  if (isTurning(boxes, box)) {
    placeTurning(boxes, box, pair.a)
    placeAt(pair.a, part, poseA)
    turns!.fromX[box] = poseA.facingX
    turns!.fromY[box] = poseA.facingY
  }
  boxes.sweepX[box] *= 1 - part
  boxes.sweepY[box] *= 1 - part
  boxes.sweepZ[box] *= 1 - part
}

/** Lets a box stand where it is at a part of its way. */
export function stopWay(boxes: Boxes, box: number, part: number): void {
  cutWay(boxes, box, part)
  boxes.poseX[box] -= boxes.sweepX[box]
  boxes.poseY[box] -= boxes.sweepY[box]
  boxes.poseZ[box] -= boxes.sweepZ[box]
  boxes.sweepX[box] = 0
  boxes.sweepY[box] = 0
  boxes.sweepZ[box] = 0
  if (!isTurning(boxes, box)) return
  boxes.facingX[box] = turns!.fromX[box]
  boxes.facingY[box] = turns!.fromY[box]
}

/** Keeps the way of a box, to put it back after `cutWay` or `stopWay`. */
export function keepWay(boxes: Boxes, box: number, kept: Way): void {
  useTurns(boxes)
  for (let i = 0; i < WAY.length; i++) kept[WAY[i]] = boxes[WAY[i]][box]
  if (!isTurning(boxes, box)) return
  kept.fromX = turns!.fromX[box]
  kept.fromY = turns!.fromY[box]
}

export function putBackWay(boxes: Boxes, box: number, kept: Way): void {
  useTurns(boxes)
  for (let i = 0; i < WAY.length; i++) boxes[WAY[i]][box] = kept[WAY[i]]
  if (!isTurning(boxes, box)) return
  turns!.fromX[box] = kept.fromX
  turns!.fromY[box] = kept.fromY
}

const WAY = ['poseX', 'poseY', 'poseZ', 'sweepX', 'sweepY', 'sweepZ', 'facingX', 'facingY'] as const

export type Way = Record<(typeof WAY)[number] | 'fromX' | 'fromY', number>

export function createWay(): Way {
  const n = Number.NaN
  return {
    poseX: n,
    poseY: n,
    poseZ: n,
    sweepX: n,
    sweepY: n,
    sweepZ: n,
    facingX: n,
    facingY: n,
    fromX: n,
    fromY: n,
  }
}

/** Scratch: each is written before it is read. */
const poseA: Pose = pose({ x: 0, y: 0 })
const bound = { x: 0, y: 0, radius: 0 }
const impact = createImpact()
/** Circles of any radius, as shapes. */
type ScratchShape = { -readonly [K in keyof ConvexShape]: ConvexShape[K] }
const circleA: ScratchShape = { ...circle(1.5) }
const circleB: ScratchShape = { ...circle(1.5) }

/** A shape at the start of its way. */
type Placed = { shape: Shape; readonly pose: Pose; dx: number; dy: number; turn: number }
const n = Number.NaN
/** The two shapes that were placed last. */
export const pair: { readonly a: Placed; readonly b: Placed } = {
  a: { shape: circleA, pose: pose({ x: 0, y: 0 }), dx: n, dy: n, turn: n },
  b: { shape: circleB, pose: pose({ x: 0, y: 0 }), dx: n, dy: n, turn: n },
}
const movingA = pair.a
const movingB = pair.b

/** How two boxes move, seen from each other. */
export const STANDING = 0
export const MOVING = 1
export const TURNING = 2

/**
 * Places two boxes in `pair` where they come from, B as its image that is nearest to A. If they do not turn, `pair.a` has the
 * motion of A relative to B.
 */
export function placePair(boxes: Boxes, a: number, b: number): number {
  useTurns(boxes)
  movingA.shape = shapeOf(boxes, a, circleA)
  movingB.shape = shapeOf(boxes, b, circleB)
  if (boxes.isPlain) {
    setPose(movingA.pose, boxes.x[a], boxes.y[a], 1, 0)
    setPose(movingB.pose, boxes.x[b] + imageShiftX(boxes, a, b), boxes.y[b] + imageShiftY(boxes, a, b), 1, 0)
    return STANDING
  }
  const turning = isTurning(boxes, a) || isTurning(boxes, b)
  placeStart(boxes, a, movingA)
  placeStart(boxes, b, movingB)
  movingB.pose.x += imageShiftX(boxes, a, b)
  movingB.pose.y += imageShiftY(boxes, a, b)
  if (turning) return TURNING
  movingA.dx -= movingB.dx
  movingA.dy -= movingB.dy
  return movingA.dx === 0 && movingA.dy === 0 ? STANDING : MOVING
}

function placeStart(boxes: Boxes, box: number, out: Placed): void {
  if (isTurning(boxes, box)) {
    placeTurning(boxes, box, out)
    return
  }
  out.dx = boxes.sweepX[box]
  out.dy = boxes.sweepY[box]
  out.turn = 0
  setPose(out.pose, boxes.poseX[box] - out.dx, boxes.poseY[box] - out.dy, boxes.facingX[box], boxes.facingY[box])
}

function placeTurning(boxes: Boxes, box: number, out: Placed): void {
  const { fromX, fromY } = turns!
  out.dx = boxes.sweepX[box]
  out.dy = boxes.sweepY[box]
  out.turn = turnBetween(fromX[box], fromY[box], boxes.facingX[box], boxes.facingY[box])
  setPose(out.pose, boxes.poseX[box] - out.dx, boxes.poseY[box] - out.dy, fromX[box], fromY[box])
}

export function narrowShapes(boxes: Boxes, a: number, b: number, touching: boolean): number {
  const way = placePair(boxes, a, b)
  if (way === STANDING) {
    // Where they are now: if both moved alike, that is not where they come from.
    movingA.pose.x = boxes.poseX[a]
    movingA.pose.y = boxes.poseY[a]
    movingB.pose.x = boxes.poseX[b] + imageShiftX(boxes, a, b)
    movingB.pose.y = boxes.poseY[b] + imageShiftY(boxes, a, b)
    return overlaps(movingA, movingB, touching) ? 1 : -1
  }
  const meets = way === TURNING ? sweepTurning(movingA, movingB, impact) : sweep(movingA, movingB, impact, touching)
  return meets ? impact.time : -1
}

function shapeOf(boxes: Boxes, box: number, ofCircle: ScratchShape): Shape {
  const shape = boxes.isPlain ? undefined : (boxes.shape[box] as Shape | undefined)
  if (shape !== undefined) return shape
  const radius = boxes.isPlain ? boxes.radius[box] : boxes.size[box]
  ofCircle.radius = radius
  ofCircle.boundRadius = radius
  return ofCircle
}

function setPose(target: Pose, x: number, y: number, facingX: number, facingY: number): void {
  target.x = x
  target.y = y
  target.facingX = facingX
  target.facingY = facingY
}
