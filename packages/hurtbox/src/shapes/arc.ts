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

import { findNearest, isWithin, mergeRings, placeRing, scratch, subtract } from './difference.ts'
import type { Pose } from './pose.ts'
import type { Shape } from './shape.ts'

const { STRIDE, ringA, ringB, difference, nearest } = scratch

/** Whether an arc overlaps a convex shape. */
export function arcOverlaps(arc: Shape, arcPose: Pose, b: Shape, poseB: Pose, touching: boolean): boolean {
  return arcMeetsRing(arc, arcPose, placeRing(ringB, b, poseB), poseB, b.radius, touching)
}

/** Two arcs: one reaches into the other with a side (or all of itself), or their round edges cross. */
export function arcsOverlap(a: Shape, poseA: Pose, b: Shape, poseB: Pose, touching: boolean): boolean {
  return (
    spokesMeet(a, poseA, b, poseB, touching) ||
    spokesMeet(b, poseB, a, poseA, touching) ||
    rimsCross(a, poseA, b, poseB, touching)
  )
}

/** Whether an arc meets what is placed in `ringB`, rounded by `radius`. */
function arcMeetsRing(
  arc: Shape,
  arcPose: Pose,
  ringEdges: number,
  ringPose: Pose,
  radius: number,
  touching: boolean,
): boolean {
  const edges = mergeRings(placeRing(ringA, arc, arcPose), ringEdges, arcPose, ringPose)
  if (!isWithin(edges, arc.radius + radius, touching)) return false
  findNearest(edges)
  if (nearest.inside) return true

  const { edge, corner, gap } = nearest
  const nearX = corner < 0 ? -gap * difference[STRIDE * edge + 2] : difference[STRIDE * corner]
  const nearY = corner < 0 ? -gap * difference[STRIDE * edge + 3] : difference[STRIDE * corner + 1]
  const within = withinOpening(arc, arcPose, nearX, nearY)
  if (within > 0 || (within === 0 && (touching || radius > 0))) return true
  if (within === 0 && bulgesIntoOpening(arc, arcPose, edges, nearX, nearY)) return true

  for (let side = -1; side <= 1; side += 2) {
    const spokeEdges = placeSpoke(ringA, arc, arcPose, arc.halfAngleCos, side * arc.halfAngleSin)
    if (isWithin(mergeRings(spokeEdges, ringEdges, arcPose, ringPose), radius, touching)) return true
  }
  return false
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
function bulgesIntoOpening(arc: Shape, pose: Pose, edges: number, nearX: number, nearY: number): boolean {
  const sideways = pose.facingX * nearY - pose.facingY * nearX
  for (let at = 0; at < STRIDE * edges; at += STRIDE) {
    const x = difference[at]
    const y = difference[at + 1]
    const inwards = sideways === 0 ? withinOpening(arc, pose, x, y) : (nearY * x - nearX * y) * (sideways > 0 ? 1 : -1)
    if (inwards > 0) return true
  }
  return false
}

/** Whether a side or the middle line of arc A meets arc B. The middle tells arcs with the same sides from neighbours. */
function spokesMeet(a: Shape, poseA: Pose, b: Shape, poseB: Pose, touching: boolean): boolean {
  for (let side = -1; side <= 1; side++) {
    const edges = placeSpoke(ringB, a, poseA, side === 0 ? 1 : a.halfAngleCos, side * a.halfAngleSin)
    if (arcMeetsRing(b, poseB, edges, poseA, 0, touching)) return true
  }
  return false
}

/** Whether the round edges of two arcs cross in a point that is in both openings. */
function rimsCross(a: Shape, poseA: Pose, b: Shape, poseB: Pose, touching: boolean): boolean {
  if (!isWithin(subtract(a, poseA, b, poseB), a.radius + b.radius, touching)) return false
  const x = difference[0]
  const y = difference[1]
  const squared = x * x + y * y
  const inner = a.radius - b.radius
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

/** A line from the apex of an arc to its rim, at the angle (cos, sin) from its facing, as a ring; returns its edges. */
function placeSpoke(ring: Float64Array, arc: Shape, pose: Pose, cos: number, sin: number): number {
  placeRing(ring, arc, pose)
  const apexX = ring[0]
  const apexY = ring[1]
  const alongX = pose.facingX * cos - pose.facingY * sin
  const alongY = pose.facingY * cos + pose.facingX * sin
  const tipX = apexX + alongX * arc.radius
  const tipY = apexY + alongY * arc.radius
  setCorner(ring, 0, apexX, apexY, alongY, -alongX)
  setCorner(ring, 1, tipX, tipY, alongX, alongY)
  setCorner(ring, 2, tipX, tipY, -alongY, alongX)
  setCorner(ring, 3, apexX, apexY, -alongX, -alongY)
  return 4
}

function setCorner(ring: Float64Array, corner: number, x: number, y: number, normalX: number, normalY: number): void {
  const at = STRIDE * corner
  ring[at] = x
  ring[at + 1] = y
  ring[at + 2] = normalX
  ring[at + 3] = normalY
}
