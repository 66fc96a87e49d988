/**
 * Shapes in the plane: what they are, whether they overlap, how far apart they are, when a moving one hits.
 *
 * @module hurtbox/shapes
 */

/** What a broad phase may use in place of a placed shape. */
export { type BoundingCircle, boundingCircle } from './bounds.ts'
/** Distance or depth, direction and place of two shapes; time of impact of moving shapes and of rays. */
export { type Ray, raycast, separation, sweep } from './measure.ts'
/** Verdicts: any two shapes, arcs included. */
export { containsPoint, overlaps } from './overlap.ts'
/** Where a shape stands and looks; checked where it is made. */
export { type PlaneFrame, type Pose, pose } from './pose.ts'
/** Checks on loose `{ x, y, radius }` objects: `checkCircle`, `checkAABB`, `overlaps` of rects, `checkCircleAABB`, `calculateKnockback`. */
export * as primitives from './primitives.ts'
export { type ContactGeometry, createSeparation, type Separation } from './separation.ts'
/** Definitions: immutable content, validated here and nowhere else. */
export {
  type ArcShape,
  arc,
  arcBand,
  box,
  type ConvexShape,
  capsule,
  circle,
  type PlacedShape,
  type Point,
  polygon,
  type RoundedShapeOptions,
  type Shape,
  type ShapeKind,
  type ShapeOffset,
  segment,
} from './shape.ts'
export { createImpact, type Impact, type MovingShape } from './sweep.ts'
/** The same for shapes that turn on their way. */
export { sweepTurning, type TurningShape } from './turning.ts'
