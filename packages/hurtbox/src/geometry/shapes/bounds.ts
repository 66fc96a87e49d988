/**
 * The circle a broad phase may use in place of a placed shape.
 *
 * It must never be too small: a pair that the exact test accepts and the grid never offered is a missed hit that depends
 * on rounding. The exact test subtracts poses before it adds local offsets; a grid sees absolute centres, rounded. So a
 * centre that is not the pose itself is paid for with a few last bits of radius.
 */

import type { PlacedShape } from './shape.ts'

export type BoundingCircle = { x: number; y: number; radius: number }

/** Some ten units in the last place of a coordinate. */
const CENTRE_ROUNDING = 1e-15

/** Writes the bounding circle of a placed shape into `out`, and returns it. */
export function boundingCircle({ shape, pose }: PlacedShape, out: BoundingCircle): BoundingCircle {
  const { boundX, boundY, boundRadius } = shape
  if (boundX === 0 && boundY === 0) {
    out.x = pose.x
    out.y = pose.y
    out.radius = boundRadius
    return out
  }
  out.x = pose.x + (pose.facingX * boundX - pose.facingY * boundY)
  out.y = pose.y + (pose.facingY * boundX + pose.facingX * boundY)
  const size = Math.abs(pose.x) + Math.abs(pose.y) + Math.abs(boundX) + Math.abs(boundY)
  out.radius = boundRadius + size * CENTRE_ROUNDING
  return out
}
