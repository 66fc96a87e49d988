/** Boxes of any shape in the plane: oriented boxes, capsules, polygons, melee arcs, standing or swept. */

import { HurtboxError } from '../../base/errors.ts'
import { facingXOf, settleFacing } from '../../geometry/math/facing.ts'
import { direction } from '../../geometry/math/trig.ts'
import { boundingCircle } from '../../geometry/shapes/bounds.ts'
import { sweep } from '../../geometry/shapes/measure.ts'
import { overlaps } from '../../geometry/shapes/overlap.ts'
import { type PlaneFrame, type Pose, pose } from '../../geometry/shapes/pose.ts'
import { type ConvexShape, circle, type Shape } from '../../geometry/shapes/shape.ts'
import { createImpact } from '../../geometry/shapes/sweep.ts'
import { reachOf, sweepTurning } from '../../geometry/shapes/turning.ts'
import { turningReach } from '../../geometry/volumes/turning.ts'
import type { Volume } from '../../geometry/volumes/volume.ts'
import type { AnyHandle } from '../../world/handles/classes.ts'
import { addBox, addBoxOf, type Boxes, useNarrow } from './boxes.ts'
import { shiftX, shiftY } from './images.ts'
import { boundTurn, forgetTurn, isTurning, MOVING, openTurn, STANDING, TURNING, turnsIn } from './turns.ts'

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
export function addShape<L extends string>(boxes: Boxes<L>, shape: Shape, frame: PlaneFrame, layer?: NoInfer<L>): void {
  useNarrow(boxes, narrowShapes)
  const box = addBox(boxes, layer)
  boxes.shape[box] = shape
  forgetTurn(boxes, box)
  boxes.poseX[box] = frame.x
  boxes.poseY[box] = frame.y
  poseFacing(boxes, box, frame)
  boundShape(boxes, box)
}

/**
 * Writes which way a frame faces, +x unless it says another. A thing without these columns is not asked: the trap for names that were
 * not declared, where the question would end, answers slowly.
 */
export function poseFacing(boxes: Boxes, box: number, frame: Facing): void {
  const { $pool } = frame as Partial<AnyHandle>
  const isAsked = $pool === undefined || 'facingX' in $pool.table
  boxes.facingX[box] = (isAsked ? frame.facingX : undefined) ?? 1
  boxes.facingY[box] = (isAsked ? frame.facingY : undefined) ?? 0
}

type Facing = { readonly facingX?: number; readonly facingY?: number }

/** Finds the circle around a shape that stands where its pose columns say. */
export function boundShape(boxes: Boxes, box: number): void {
  movingA.shape = boxes.shape[box] as Shape
  settleFacing(boxes.facingX, boxes.facingY, box)
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
  if (box < 0 || boxes.shape[box] === undefined) {
    throw new HurtboxError(
      'bad-argument',
      'turnBox turns the shape that was added last: call addShape or addVolume first.',
    )
  }
  const facedX = facingXOf(fromX, fromY)
  const length = Math.sqrt(facedX * facedX + fromY * fromY)
  if (!(length > 0)) throw new HurtboxError('bad-argument', `turnBox needs a direction, got (${fromX}, ${fromY}).`)
  const turns = openTurn(boxes, box)
  turns.fromX[box] = facedX / length
  turns.fromY[box] = fromY / length
  boxes.radius[box] = reachOfBox(boxes, box)
  boundTurn(boxes, box)
}

/** Lets a shape or volume have come by the turn that a row makes to where it faces. Circles do not turn. */
export function turnShape(boxes: Boxes, box: number, turnOfRow: Float64Array, row: number): void {
  if (boxes.shape[box] === undefined) return
  direction(-turnOfRow[row], turned)
  const { facingX, facingY } = boxes
  const turns = openTurn(boxes, box)
  turns.fromX[box] = facingX[box] * turned.x - facingY[box] * turned.y
  turns.fromY[box] = facingY[box] * turned.x + facingX[box] * turned.y
  boxes.radius[box] = reachOfBox(boxes, box)
  boundTurn(boxes, box)
}

const turned = { x: Number.NaN, y: Number.NaN }

/** How far the farthest point of a box is from its pivot. */
function reachOfBox(boxes: Boxes, box: number): number {
  const shape = boxes.shape[box] as Shape | Volume
  return 'corners' in shape ? reachOf(shape) : turningReach(shape)
}

/** Scratch: each is written before it is read. */
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

/**
 * Places two boxes in `pair` where they come from, B as its image that is nearest to A. If they do not turn, `pair.a` has the
 * motion of A relative to B.
 */
export function placePair(boxes: Boxes, a: number, b: number): number {
  movingA.shape = shapeOf(boxes, a, circleA)
  movingB.shape = shapeOf(boxes, b, circleB)
  if (boxes.isPlain) {
    setPose(movingA.pose, boxes.x[a], boxes.y[a], 1, 0)
    setPose(movingB.pose, boxes.x[b] + shiftX(boxes, a, b), boxes.y[b] + shiftY(boxes, a, b), 1, 0)
    return STANDING
  }
  const turning = isTurning(boxes, a) || isTurning(boxes, b)
  placeStart(boxes, a, movingA)
  placeStart(boxes, b, movingB)
  movingB.pose.x += shiftX(boxes, a, b)
  movingB.pose.y += shiftY(boxes, a, b)
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
  const { fromX, fromY, turn } = turnsIn(boxes)
  out.dx = boxes.sweepX[box]
  out.dy = boxes.sweepY[box]
  out.turn = turn[box]
  setPose(out.pose, boxes.poseX[box] - out.dx, boxes.poseY[box] - out.dy, fromX[box], fromY[box])
}

export function narrowShapes(boxes: Boxes, a: number, b: number, touching: boolean): number {
  const way = placePair(boxes, a, b)
  if (way === STANDING) {
    // Where they are now: if both moved alike, that is not where they come from.
    movingA.pose.x = boxes.poseX[a]
    movingA.pose.y = boxes.poseY[a]
    movingB.pose.x = boxes.poseX[b] + shiftX(boxes, a, b)
    movingB.pose.y = boxes.poseY[b] + shiftY(boxes, a, b)
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
