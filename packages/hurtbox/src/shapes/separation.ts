/**
 * How far apart are two shapes, in which direction, and where do they meet?
 *
 * One number serves both sides of touching: positive is the gap, negative the depth. The depth is the shortest way out,
 * exact also when the cores overlap, so pushing by it along the normal separates the pair in one go.
 */

import { HurtboxError } from '../errors.ts'
import { difference, findNearest, nearest, subtract } from './difference.ts'
import type { Pose } from './pose.ts'
import type { ConvexShape, Shape } from './shape.ts'

/** A direction from A to B and a place between them. */
export type ContactGeometry = {
  /** Unit vector from A towards B. (1, 0) when the two are circles on the same spot. */
  normalX: number
  normalY: number
  /** World place midway between the two outlines, where they are nearest to each other or deepest in each other. */
  x: number
  y: number
}

export type Separation = ContactGeometry & {
  /** Gap between the outlines; negative: how far B must move along the normal until they only touch. */
  distance: number
}

/** An `out` for `separation`, to be kept and written again and again. */
export function createSeparation(): Separation {
  return { distance: Number.NaN, normalX: Number.NaN, normalY: Number.NaN, x: Number.NaN, y: Number.NaN }
}

/** Writes distance, normal from A to B and contact point into `out`, and returns it. */
export function separation(a: ConvexShape, poseA: Pose, b: ConvexShape, poseB: Pose, out: Separation): Separation {
  requireConvex(a)
  requireConvex(b)
  subtract(a, poseA, b, poseB)
  findNearest()
  const coreDistance = nearest.corner < 0 ? nearest.gap : Math.sqrt(nearest.squared)
  out.distance = coreDistance - (a.radius + b.radius)
  writeContact(nearest.edge, nearest.corner, a, poseA, b, 0, 0, out)
  return out
}

/**
 * Below this distance two corners have no direction between them that doubles could express: their squares vanish.
 * They count as coincident.
 */
const COINCIDENT_SQUARED = 1e-280

/**
 * Describes the contact at a part of `difference`: an edge, or a corner if that is not -1. A is displaced by (shiftX,
 * shiftY) from where the difference was taken.
 */
export function writeContact(
  edge: number,
  corner: number,
  a: Shape,
  poseA: Pose,
  b: Shape,
  shiftX: number,
  shiftY: number,
  out: ContactGeometry,
): void {
  const { ringA, ringB, fromA, fromB, offsetX, offsetY, edges } = difference
  if (corner >= 0) {
    const towardsX = difference.x[corner] - shiftX
    const towardsY = difference.y[corner] - shiftY
    const squared = towardsX * towardsX + towardsY * towardsY
    if (squared > COINCIDENT_SQUARED) {
      const length = Math.sqrt(squared)
      out.normalX = towardsX / length
      out.normalY = towardsY / length
    } else {
      out.normalX = edge < 0 ? 1 : 0 - difference.normalX[edge]
      out.normalY = edge < 0 ? 0 : 0 - difference.normalY[edge]
    }
    const i = fromA[corner]
    const j = fromB[corner]
    const reach = a.radius - b.radius
    out.x = poseA.x + (ringA.x[i] + shiftX + (offsetX + ringB.x[j]) + out.normalX * reach) / 2
    out.y = poseA.y + (ringA.y[i] + shiftY + (offsetY + ringB.y[j]) + out.normalY * reach) / 2
    return
  }

  // Edges face from B to A. Subtracted from zero, because -0 is a surprise in a normal.
  const normalX = 0 - difference.normalX[edge]
  const normalY = 0 - difference.normalY[edge]
  out.normalX = normalX
  out.normalY = normalY

  // Along the edge: the middle of what the two sides share. Where only one shape has an edge here, the other's corner
  // is a side of length zero, and the middle is that corner.
  const next = edge + 1 === edges ? 0 : edge + 1
  const alongX = normalY
  const alongY = -normalX
  const highA = fromA[edge]
  const lowA = fromA[next]
  const lowB = fromB[edge]
  const highB = fromB[next]
  const shiftAlong = alongX * shiftX + alongY * shiftY
  const offsetAlong = alongX * offsetX + alongY * offsetY
  const low = Math.max(
    alongX * ringA.x[lowA] + alongY * ringA.y[lowA] + shiftAlong,
    alongX * ringB.x[lowB] + alongY * ringB.y[lowB] + offsetAlong,
  )
  const high = Math.min(
    alongX * ringA.x[highA] + alongY * ringA.y[highA] + shiftAlong,
    alongX * ringB.x[highB] + alongY * ringB.y[highB] + offsetAlong,
  )
  const along = (low + high) / 2

  // Across it: midway between the outline of A and that of B.
  const outlineA = normalX * (ringA.x[highA] + shiftX) + normalY * (ringA.y[highA] + shiftY) + a.radius
  const outlineB = normalX * (ringB.x[lowB] + offsetX) + normalY * (ringB.y[lowB] + offsetY) - b.radius
  const across = (outlineA + outlineB) / 2
  out.x = poseA.x + alongX * along + normalX * across
  out.y = poseA.y + alongY * along + normalY * across
}

/** Types say it already; this is for callers without them. An arc read as a full circle would be a silent lie. */
export function requireConvex(shape: Shape): void {
  if (shape.kind === 'arc') {
    throw new HurtboxError('bad-argument', 'an arc has no distance and cannot be swept; ask whether it overlaps.')
  }
}
