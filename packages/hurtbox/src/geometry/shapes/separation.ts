/**
 * How far apart are two shapes, in which direction, and where do they meet?
 *
 * One number serves both sides of touching: positive is the gap, negative the depth. The depth is the shortest way out,
 * exact also when the cores overlap, so pushing by it along the normal separates the pair in one go.
 */

import { findNearest, scratch, subtract } from './difference.ts'
import type { Pose } from './pose.ts'
import type { PlacedShape, Shape } from './shape.ts'

const { STRIDE, ringA, ringB, difference, sources, nearest, shift } = scratch

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

/** `separation` of two convex shapes. */
export function convexSeparation(first: PlacedShape, second: PlacedShape, out: Separation): Separation {
  const { shape: a, pose: poseA } = first
  const { shape: b, pose: poseB } = second
  findNearest(subtract(a, poseA, b, poseB))
  const coreDistance = nearest.corner < 0 ? nearest.gap : Math.sqrt(nearest.squared)
  out.distance = coreDistance - (a.radius + b.radius)
  shift.x = 0
  shift.y = 0
  writeContact(nearest.edge, nearest.corner, a, poseA, b, poseB, out)
  return out
}

/**
 * Below this distance two corners have no direction between them that doubles could express: their squares vanish.
 * They count as coincident.
 */
const COINCIDENT_SQUARED = 1e-280

/**
 * Describes the contact at a part of `difference`: an edge, or a corner if that is not -1. A is displaced by `shift`.
 */
export function writeContact(
  edge: number,
  corner: number,
  a: Shape,
  poseA: Pose,
  b: Shape,
  poseB: Pose,
  out: ContactGeometry,
): void {
  const { x: shiftX, y: shiftY } = shift
  const offsetX = poseB.x - poseA.x
  const offsetY = poseB.y - poseA.y
  // Edges face from B to A. Subtracted from zero, because -0 is a surprise in a normal.
  let normalX = edge < 0 ? 1 : 0 - difference[STRIDE * edge + 2]
  let normalY = edge < 0 ? 0 : 0 - difference[STRIDE * edge + 3]

  if (corner >= 0) {
    const towardsX = difference[STRIDE * corner] - shiftX
    const towardsY = difference[STRIDE * corner + 1] - shiftY
    const squared = towardsX * towardsX + towardsY * towardsY
    if (squared > COINCIDENT_SQUARED) {
      const length = Math.sqrt(squared)
      normalX = towardsX / length
      normalY = towardsY / length
    }
    const cornerA = STRIDE * (sources[corner] >> 4)
    const cornerB = STRIDE * (sources[corner] & 15)
    const reach = a.radius - b.radius
    out.normalX = normalX
    out.normalY = normalY
    out.x = poseA.x + (ringA[cornerA] + shiftX + (offsetX + ringB[cornerB]) + normalX * reach) / 2
    out.y = poseA.y + (ringA[cornerA + 1] + shiftY + (offsetY + ringB[cornerB + 1]) + normalY * reach) / 2
    return
  }

  // Along the edge: the middle of what the two sides share. Where only one shape has an edge here, the other's corner
  // is a side of length zero, and the middle is that corner.
  const alongX = normalY
  const alongY = -normalX
  const highA = STRIDE * (sources[edge] >> 4)
  const lowA = STRIDE * (sources[edge + 1] >> 4)
  const lowB = STRIDE * (sources[edge] & 15)
  const highB = STRIDE * (sources[edge + 1] & 15)
  const shiftAlong = alongX * shiftX + alongY * shiftY
  const offsetAlong = alongX * offsetX + alongY * offsetY
  const low = Math.max(
    alongX * ringA[lowA] + alongY * ringA[lowA + 1] + shiftAlong,
    alongX * ringB[lowB] + alongY * ringB[lowB + 1] + offsetAlong,
  )
  const high = Math.min(
    alongX * ringA[highA] + alongY * ringA[highA + 1] + shiftAlong,
    alongX * ringB[highB] + alongY * ringB[highB + 1] + offsetAlong,
  )
  const along = (low + high) / 2

  // Across it: midway between the outline of A and that of B.
  const outlineA = normalX * (ringA[highA] + shiftX) + normalY * (ringA[highA + 1] + shiftY) + a.radius
  const outlineB = normalX * (ringB[lowB] + offsetX) + normalY * (ringB[lowB + 1] + offsetY) - b.radius
  const across = (outlineA + outlineB) / 2
  out.normalX = normalX
  out.normalY = normalY
  out.x = poseA.x + alongX * along + normalX * across
  out.y = poseA.y + alongY * along + normalY * across
}
