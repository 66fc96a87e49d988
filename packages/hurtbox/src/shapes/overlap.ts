/**
 * Do two shapes overlap? The question asked most, so it computes no more than the verdict.
 *
 * "Touching" is a matter of the game, so it is an argument and not a tolerance: with `touching` a shared point is enough;
 * without it the shapes must still share one after any small enough shift. Distances are compared as squares, `<=` or `<`
 * against the squared sum of the radii: the same comparison, with the same rounding, as everywhere in the engine.
 */

import { arcOverlaps, arcsOverlap } from './arc.ts'
import { findNearest, nearest, subtract } from './difference.ts'
import { type Pose, pose } from './pose.ts'
import { circle, type Shape } from './shape.ts'

export function overlaps(a: Shape, poseA: Pose, b: Shape, poseB: Pose, touching: boolean): boolean {
  if (a.kind === 'arc') {
    return b.kind === 'arc' ? arcsOverlap(a, poseA, b, poseB, touching) : arcOverlaps(a, poseA, b, poseB, touching)
  }
  if (b.kind === 'arc') return arcOverlaps(b, poseB, a, poseA, touching)

  subtract(a, poseA, b, poseB)
  findNearest()
  if (nearest.inside) return true
  const reach = a.radius + b.radius
  return touching ? nearest.squared <= reach * reach : nearest.squared < reach * reach
}

/** Whether the point (x, y) lies in the shape, its outline included unless `touching` is false. */
export function containsPoint(shape: Shape, shapePose: Pose, x: number, y: number, touching = true): boolean {
  pointPose.x = x
  pointPose.y = y
  return overlaps(shape, shapePose, POINT, pointPose, touching)
}

const POINT = circle(0)
/** Scratch: written before it is read in each call. */
const pointPose = pose(0, 0)
