/** Boxes of any shape in the plane: oriented boxes, capsules, polygons, melee arcs, standing or swept. */

import { boundingCircle } from '../shapes/bounds.ts'
import { overlaps } from '../shapes/overlap.ts'
import { type PlaneFrame, type Pose, pose } from '../shapes/pose.ts'
import { type ConvexShape, circle, type PlacedShape, type Shape } from '../shapes/shape.ts'
import { createImpact, type MovingShape, sweep } from '../shapes/sweep.ts'
import { addBox, addBoxOf, type Boxes, imageShiftX, imageShiftY, useNarrow } from './boxes.ts'

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
  return box
}

/** Scratch: each is written before it is read. */
const poseA: Pose = pose({ x: 0, y: 0 })
const poseB: Pose = pose({ x: 0, y: 0 })
const bound = { x: 0, y: 0, radius: 0 }
const impact = createImpact()
/** Circles of any radius, as shapes. */
type ScratchShape = { -readonly [K in keyof ConvexShape]: ConvexShape[K] }
const circleA: ScratchShape = { ...circle(1.5) }
const circleB: ScratchShape = { ...circle(1.5) }
const movingA = { shape: circleA as Shape, pose: poseA, dx: Number.NaN, dy: Number.NaN }
const placedB = { shape: circleB as Shape, pose: poseB }

function narrowShapes(boxes: Boxes, a: number, b: number, touching: boolean): number {
  const shapeA = shapeOf(boxes, a, circleA)
  const shapeB = shapeOf(boxes, b, circleB)
  const sweepX = boxes.sweepX[a] - boxes.sweepX[b]
  const sweepY = boxes.sweepY[a] - boxes.sweepY[b]
  const isStanding = sweepX === 0 && sweepY === 0
  movingA.shape = shapeA
  placedB.shape = shapeB
  const shiftX = imageShiftX(boxes, a, b)
  const shiftY = imageShiftY(boxes, a, b)
  if (isStanding || shapeA.kind === 'arc' || shapeB.kind === 'arc') {
    setPose(poseA, boxes.poseX[a], boxes.poseY[a], boxes.facingX[a], boxes.facingY[a])
    setPose(poseB, boxes.poseX[b] + shiftX, boxes.poseY[b] + shiftY, boxes.facingX[b], boxes.facingY[b])
    return overlaps(movingA, placedB, touching) ? 1 : -1
  }
  setPose(poseA, boxes.poseX[a] - boxes.sweepX[a], boxes.poseY[a] - boxes.sweepY[a], boxes.facingX[a], boxes.facingY[a])
  const [startX, startY] = [boxes.poseX[b] + shiftX - boxes.sweepX[b], boxes.poseY[b] + shiftY - boxes.sweepY[b]]
  setPose(poseB, startX, startY, boxes.facingX[b], boxes.facingY[b])
  movingA.dx = sweepX
  movingA.dy = sweepY
  const meets = sweep(movingA as MovingShape, placedB as PlacedShape<ConvexShape>, impact, touching)
  return meets ? impact.time : -1
}

function shapeOf(boxes: Boxes, box: number, ofCircle: ScratchShape): Shape {
  const shape = boxes.shape[box] as Shape | undefined
  if (shape !== undefined) return shape
  ofCircle.radius = boxes.size[box]
  ofCircle.boundRadius = boxes.size[box]
  return ofCircle
}

function setPose(target: Pose, x: number, y: number, facingX: number, facingY: number): void {
  target.x = x
  target.y = y
  target.facingX = facingX
  target.facingY = facingY
}
