/**
 * Overlap with a melee arc: a sector of a disc or a band of it, possibly wider than half a turn, so not always convex.
 *
 * It needs no geometry of its own. Look at the point of the other shape's core that is nearest to the apex. If it lies
 * within the opening, the sector is as far from the shape as its full disc is. If not, the nearest part of the sector is
 * on one of its two straight sides, and a side is a segment. Both hold for any opening: a shape that reaches into the
 * sector from outside the opening has to cross a side, because all the way it stays within reach.
 *
 * A band has a hole. A shape that reaches into the hole meets the band where one of its corners or sides comes to the inner
 * rim: seen from inside, the farthest part of a convex shape is a corner.
 *
 * Distances and sweeps of arcs are in `arc-separation.ts` and `arc-sweep.ts`, and rest on the functions here.
 */

import { findNearest, isWithin, mergeRings, placeRing, scratch, subtract } from './difference.ts'
import type { Pose } from './pose.ts'
import { POINT, type Shape } from './shape.ts'

const { STRIDE, ringA, ringB, difference, nearest } = scratch

/** Whether an arc overlaps a convex shape. */
export function arcOverlaps(arc: Shape, arcPose: Pose, b: Shape, poseB: Pose, touching: boolean): boolean {
  return arcMeetsRing(arc, arcPose, placeRing(ringB, b, poseB), b, poseB, touching)
}

/** Two arcs: one reaches into the other with a side (or all of itself), or their round edges cross. */
export function arcsOverlap(a: Shape, poseA: Pose, b: Shape, poseB: Pose, touching: boolean): boolean {
  return (
    spokesMeet(a, poseA, b, poseB, touching) ||
    spokesMeet(b, poseB, a, poseA, touching) ||
    rimsCross(a, poseA, b, poseB, touching)
  )
}

/** Scratch: a direction from an apex. (V8 boxes fractions that are handed to functions, so they go through here.) */
export const from = { x: Number.NaN, y: Number.NaN }

/** Points `from` at the part of `difference` that is nearest to the apex. (0, 0) where the apex is inside. */
export function lookAtNearest(): void {
  const { edge, corner, gap, inside } = nearest
  if (inside) {
    from.x = 0
    from.y = 0
    return
  }
  from.x = corner < 0 ? -gap * difference[STRIDE * edge + 2] : difference[STRIDE * corner]
  from.y = corner < 0 ? -gap * difference[STRIDE * edge + 3] : difference[STRIDE * corner + 1]
}

/** Whether `from`, the nearest point, lies in the hole of a band. */
function reachesIntoHole({ innerRadius }: Shape): boolean {
  return from.x * from.x + from.y * from.y < innerRadius * innerRadius
}

/** Whether a shape that reaches into the hole of a band meets the band within its opening, by a corner or across the rim. */
function meetsInnerRim(arc: Shape, pose: Pose, edges: number, b: Shape, touching: boolean): boolean {
  const { innerRadius, radius } = arc
  let at = 0
  do {
    from.x = difference[at]
    from.y = difference[at + 1]
    const squared = from.x * from.x + from.y * from.y
    const near = Math.max(innerRadius - b.radius, 0)
    const far = radius + b.radius
    const isBetween = touching
      ? squared >= near * near && squared <= far * far
      : squared > near * near && squared < far * far
    const side = isBetween ? sideOfOpening(arc, pose) : -1
    if (touching ? side >= 0 : side > 0) return true
    if (edges > 0 && edgeCrossesRim(arc, pose, at, touching)) return true
    at += STRIDE
  } while (at < STRIDE * edges)
  return false
}

/** Whether the edge of `difference` that starts at `at` crosses the inner rim within the opening. */
function edgeCrossesRim(arc: Shape, pose: Pose, at: number, touching: boolean): boolean {
  const startX = difference[at]
  const startY = difference[at + 1]
  const alongX = difference[at + STRIDE] - startX
  const alongY = difference[at + STRIDE + 1] - startY
  const squared = alongX * alongX + alongY * alongY
  if (squared === 0) return false
  const middle = -(startX * alongX + startY * alongY) / squared
  const aside = startX * alongY - startY * alongX
  const under = (arc.innerRadius * arc.innerRadius) / squared - (aside / squared) * (aside / squared)
  if (under < 0) return false
  const half = Math.sqrt(under)
  for (let turn = -1; turn <= 1; turn += 2) {
    const part = middle + turn * half
    if (part < 0 || part > 1) continue
    from.x = startX + part * alongX
    from.y = startY + part * alongY
    const side = sideOfOpening(arc, pose)
    if (touching ? side >= 0 : side > 0) return true
  }
  return false
}

/** Whether an arc meets what is placed in `ringB`, which is rounded as `b` is. */
export function arcMeetsRing(
  arc: Shape,
  arcPose: Pose,
  edgesB: number,
  b: Shape,
  poseB: Pose,
  touching: boolean,
): boolean {
  const edges = mergeRings(placeRing(ringA, arc, arcPose), edgesB, arcPose, poseB)
  if (!isWithin(edges, arc, b, touching)) return false
  findNearest(edges)
  if (nearest.inside && arc.innerRadius === 0) return true

  lookAtNearest()
  if (arc.innerRadius > 0 && reachesIntoHole(arc)) {
    if (meetsInnerRim(arc, arcPose, edges, b, touching)) return true
  } else {
    const side = sideOfOpening(arc, arcPose)
    if (side > 0 || (side === 0 && (touching || b.radius > 0))) return true
    if (side === 0 && bulgesIntoOpening(arc, arcPose, edges)) return true
  }

  for (let turn = -1; turn <= 1; turn += 2) {
    const edgesA = placeSpoke(ringA, arc, arcPose, turn)
    if (isWithin(mergeRings(edgesA, edgesB, arcPose, poseB), POINT, b, touching)) return true
  }
  return false
}

/** Where the direction `from` lies: 1 strictly in the opening, -1 outside, 0 on a side or no direction at all. */
export function sideOfOpening(arc: Shape, pose: Pose): number {
  if (arc.halfAngleCos === -1) return 1
  const ahead = pose.facingX * from.x + pose.facingY * from.y
  const aside = Math.abs(pose.facingX * from.y - pose.facingY * from.x)
  // sin(half - angle), scaled by the distance: both angles lie between zero and half a turn.
  const within = ahead * arc.halfAngleSin - aside * arc.halfAngleCos
  return within > 0 ? 1 : within < 0 ? -1 : 0
}

/**
 * A shape without rounding whose point nearest to the apex, `from`, is exactly on a side or at the apex: does any of it lie
 * inwards from there? Decides, without touching, between a box that leans on the arc from outside and one from inside.
 */
function bulgesIntoOpening(arc: Shape, pose: Pose, edges: number): boolean {
  const { x: nearX, y: nearY } = from
  const sideways = pose.facingX * nearY - pose.facingY * nearX
  for (let at = 0; at < STRIDE * edges; at += STRIDE) {
    const inwards = nearY * difference[at] - nearX * difference[at + 1]
    if (sideways > 0 ? inwards > 0 : inwards < 0) return true
    if (sideways !== 0) continue
    from.x = difference[at]
    from.y = difference[at + 1]
    if (sideOfOpening(arc, pose) > 0) return true
  }
  return false
}

/** Whether a side or the middle line of arc A meets arc B. The middle distinguishes arcs with the same sides from neighbours. */
function spokesMeet(a: Shape, poseA: Pose, b: Shape, poseB: Pose, touching: boolean): boolean {
  for (let turn = -1; turn <= 1; turn++) {
    if (arcMeetsRing(b, poseB, placeSpoke(ringB, a, poseA, turn), POINT, poseA, touching)) return true
  }
  return false
}

/** Whether the round edges of two arcs, outer or inner, cross in a point that is in both openings. */
function rimsCross(a: Shape, poseA: Pose, b: Shape, poseB: Pose, touching: boolean): boolean {
  if (!isWithin(subtract(a, poseA, b, poseB), a, b, touching)) return false
  const x = difference[0]
  const y = difference[1]
  const squared = x * x + y * y
  if (squared === 0) return false
  for (let pair = 0; pair < 4; pair++) {
    const radiusA = (pair & 1) === 0 ? a.radius : a.innerRadius
    const radiusB = (pair & 2) === 0 ? b.radius : b.innerRadius
    if (radiusA === 0 || radiusB === 0) continue
    const inner = radiusA - radiusB
    const outer = radiusA + radiusB
    if (squared < inner * inner || squared > outer * outer) continue
    const ahead = (squared + radiusA * radiusA - radiusB * radiusB) / (2 * squared)
    const aside = Math.sqrt(Math.max(0, (radiusA * radiusA) / squared - ahead * ahead))
    for (let turn = -1; turn <= 1; turn += 2) {
      from.x = ahead * x - turn * aside * y
      from.y = ahead * y + turn * aside * x
      const sideOfA = sideOfOpening(a, poseA)
      from.x -= x
      from.y -= y
      const side = Math.min(sideOfA, sideOfOpening(b, poseB))
      if (touching ? side >= 0 : side > 0) return true
    }
  }
  return false
}

/** The line from where an arc begins to its rim as a ring: `turn` 1 is its left side, -1 its right, 0 the middle. */
export function placeSpoke(ring: Float64Array, arc: Shape, pose: Pose, turn: number): number {
  const cos = turn === 0 ? 1 : arc.halfAngleCos
  const sin = turn * arc.halfAngleSin
  const alongX = pose.facingX * cos - pose.facingY * sin
  const alongY = pose.facingY * cos + pose.facingX * sin
  placeRing(ring, arc, pose)
  const apexX = ring[0]
  const apexY = ring[1]
  // Four edges, as of any segment: one along either side, and one without length at either end.
  for (let at = 0; at < 4 * STRIDE; at += STRIDE) {
    const isTip = at === STRIDE || at === 2 * STRIDE
    const distance = isTip ? arc.radius : arc.innerRadius
    ring[at] = apexX + alongX * distance
    ring[at + 1] = apexY + alongY * distance
  }
  ring[2] = alongY
  ring[3] = -alongX
  ring[STRIDE + 2] = alongX
  ring[STRIDE + 3] = alongY
  ring[2 * STRIDE + 2] = -alongY
  ring[2 * STRIDE + 3] = alongX
  ring[3 * STRIDE + 2] = -alongX
  ring[3 * STRIDE + 3] = -alongY
  return 4
}
