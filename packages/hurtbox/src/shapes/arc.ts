/**
 * Overlap with a melee arc: a sector of a disc, possibly wider than half a turn, so not always convex.
 *
 * It needs no geometry of its own. Look at the point of the other shape's core that is nearest to the apex. If it lies
 * within the opening, the sector is as far from the shape as its full disc is. If not, the nearest part of the sector is
 * on one of its two straight sides, and a side is a segment. Both hold for any opening: a shape that reaches into the
 * sector from outside the opening has to cross a side, because all the way it stays within reach.
 *
 * Only overlap is offered. A swing that turns during a tick is the caller's to sample or to widen: an arc that is as wide
 * as the whole swing misses nothing.
 */

import { difference, findNearest, mergeRings, nearest, placeRing, type Ring } from './difference.ts'
import type { Pose } from './pose.ts'
import type { Shape } from './shape.ts'

export function arcOverlaps(arc: Shape, arcPose: Pose, b: Shape, poseB: Pose, touching: boolean): boolean {
  placeRing(difference.ringB, b, poseB)
  return arcMeetsRing(arc, arcPose, poseB, b.radius, touching)
}

/** Two arcs: one reaches into the other with a side (or all of itself), or their round edges cross. */
export function arcsOverlap(a: Shape, poseA: Pose, b: Shape, poseB: Pose, touching: boolean): boolean {
  return (
    spokesMeet(a, poseA, b, poseB, touching) ||
    spokesMeet(b, poseB, a, poseA, touching) ||
    rimsCross(a, poseA, b, poseB, touching)
  )
}

/** Whether an arc meets what is placed in `difference.ringB`, rounded by `radius`. */
function arcMeetsRing(arc: Shape, arcPose: Pose, ringPose: Pose, radius: number, touching: boolean): boolean {
  const { ringA } = difference
  placeRing(ringA, arc, arcPose)
  mergeRings(arcPose, ringPose)
  findNearest()
  if (nearest.inside) return true
  const reach = arc.radius + radius
  if (touching ? !(nearest.squared <= reach * reach) : !(nearest.squared < reach * reach)) return false

  const { edge, corner } = nearest
  const nearX = corner < 0 ? -nearest.gap * difference.normalX[edge] : difference.x[corner]
  const nearY = corner < 0 ? -nearest.gap * difference.normalY[edge] : difference.y[corner]
  const within = withinOpening(arc, arcPose, nearX, nearY)
  if (within > 0 || (within === 0 && (touching || radius > 0))) return true
  if (within === 0 && bulgesIntoOpening(arc, arcPose, nearX, nearY)) return true

  return (
    sideMeetsRing(arc, arcPose, 1, ringPose, radius, touching) ||
    sideMeetsRing(arc, arcPose, -1, ringPose, radius, touching)
  )
}

/** Positive: the direction (x, y) from the apex lies strictly in the opening; zero: on a side, or no direction at all. */
function withinOpening(arc: Shape, pose: Pose, x: number, y: number): number {
  if (arc.halfAngleCos === -1) return 1
  const ahead = pose.facingX * x + pose.facingY * y
  const aside = Math.abs(pose.facingX * y - pose.facingY * x)
  // sin(half - angle), scaled by the distance: both angles lie between zero and half a turn.
  return ahead * arc.halfAngleSin - aside * arc.halfAngleCos
}

/**
 * A shape without rounding whose nearest point is exactly on a side or at the apex: does any of it lie inwards from
 * there? Decides, without touching, between a box that leans on the arc from outside and one that leans from inside.
 */
function bulgesIntoOpening(arc: Shape, pose: Pose, nearX: number, nearY: number): boolean {
  const { edges, x, y } = difference
  const sideways = pose.facingX * nearY - pose.facingY * nearX
  for (let k = 0; k < edges; k++) {
    const inwards =
      sideways === 0 ? withinOpening(arc, pose, x[k], y[k]) : (nearY * x[k] - nearX * y[k]) * (sideways > 0 ? 1 : -1)
    if (inwards > 0) return true
  }
  return false
}

/** `side` 1 is the left side of an arc (y up), -1 the right one. */
function sideMeetsRing(
  arc: Shape,
  arcPose: Pose,
  side: number,
  ringPose: Pose,
  radius: number,
  touching: boolean,
): boolean {
  placeSpoke(difference.ringA, arc, arcPose, arc.halfAngleCos, side * arc.halfAngleSin)
  mergeRings(arcPose, ringPose)
  findNearest()
  if (nearest.inside) return true
  return touching ? nearest.squared <= radius * radius : nearest.squared < radius * radius
}

/** Whether a side or the middle line of arc A meets arc B. The middle tells arcs with the same sides from neighbours. */
function spokesMeet(a: Shape, poseA: Pose, b: Shape, poseB: Pose, touching: boolean): boolean {
  for (let side = -1; side <= 1; side++) {
    const cos = side === 0 ? 1 : a.halfAngleCos
    placeSpoke(difference.ringB, a, poseA, cos, side * a.halfAngleSin)
    if (arcMeetsRing(b, poseB, poseA, 0, touching)) return true
  }
  return false
}

/** Whether the round edges of two arcs cross in a point that is in both openings. */
function rimsCross(a: Shape, poseA: Pose, b: Shape, poseB: Pose, touching: boolean): boolean {
  placeRing(difference.ringA, a, poseA)
  placeRing(difference.ringB, b, poseB)
  mergeRings(poseA, poseB)
  const x = difference.x[0]
  const y = difference.y[0]
  const squared = x * x + y * y
  const reach = a.radius + b.radius
  const inner = a.radius - b.radius
  if (touching ? !(squared <= reach * reach) : !(squared < reach * reach)) return false
  if (squared < inner * inner || squared === 0) return false

  const ahead = (squared + a.radius * a.radius - b.radius * b.radius) / (2 * squared)
  const aside = Math.sqrt(Math.max(0, (a.radius * a.radius) / squared - ahead * ahead))
  for (let side = -1; side <= 1; side += 2) {
    const crossX = ahead * x - side * aside * y
    const crossY = ahead * y + side * aside * x
    const within = Math.min(withinOpening(a, poseA, crossX, crossY), withinOpening(b, poseB, crossX - x, crossY - y))
    if (touching ? within >= 0 : within > 0) return true
  }
  return false
}

/** A line from the apex of an arc to its rim, at the angle (cos, sin) from its facing, as a ring. */
function placeSpoke(ring: Ring, arc: Shape, pose: Pose, cos: number, sin: number): void {
  placeRing(ring, arc, pose)
  const { x, y, normalX, normalY } = ring
  const alongX = pose.facingX * cos - pose.facingY * sin
  const alongY = pose.facingY * cos + pose.facingX * sin
  ring.edges = 4
  x[3] = x[0]
  y[3] = y[0]
  x[1] = x[0] + alongX * arc.radius
  y[1] = y[0] + alongY * arc.radius
  x[2] = x[1]
  y[2] = y[1]
  normalX[0] = alongY
  normalY[0] = -alongX
  normalX[1] = alongX
  normalY[1] = alongY
  normalX[2] = -alongY
  normalY[2] = alongX
  normalX[3] = -alongX
  normalY[3] = -alongY
}
