/**
 * Proofs of distances, independent of how they were found.
 *
 * A distance d > 0 with normal n is right if and only if a point of a and a point of b are d apart (no less is possible to
 * claim) and a slab of thickness d across n lies between them (no less is possible to be). Both are checked on bare corner
 * points. A depth is right if moving b by it along n parts them, and no other direction needs less: all directions in which a
 * solid with these edges can have a face are tried by brute force.
 */

import { along, cross, dot, type Hull, minus, type Vec } from './cases.ts'

/** The width of the empty slab across n between a and b, n pointing from a to b. Negative: their overlap along n. */
export function slab(a: Hull, b: Hull, n: Vec): number {
  let maxA = Number.NEGATIVE_INFINITY
  for (const corner of a.corners) maxA = Math.max(maxA, dot(corner, n))
  let minB = Number.POSITIVE_INFINITY
  for (const corner of b.corners) minB = Math.min(minB, dot(corner, n))
  return minB - b.radius - (maxA + a.radius)
}

/** How far a point is from the body: 0 inside. */
export function outside(hull: Hull, point: Vec): number {
  const local = minus(point, hull.centre)
  let nearest = hull.centre
  for (let axis = 0; axis < 3; axis++) {
    const half = hull.half[axis]
    if (half === 0) continue
    nearest = along(nearest, hull.axes[axis], Math.max(-half, Math.min(half, dot(local, hull.axes[axis]))))
  }
  const gap = minus(point, nearest)
  return Math.max(0, Math.sqrt(dot(gap, gap)) - hull.radius)
}

/** The widest slab over all directions in which two cores of these edges can have a face between them. */
export function widestSlab(a: Hull, b: Hull): number {
  const edges: Vec[] = []
  for (const hull of [a, b]) {
    for (let axis = 0; axis < 3; axis++) if (hull.half[axis] > 0) edges.push(hull.axes[axis])
  }
  const directions: Vec[] = [...a.axes, ...b.axes]
  for (const one of edges) {
    for (const other of edges) {
      const n = cross(one, other)
      const length = Math.sqrt(dot(n, n))
      if (length > 1e-9) directions.push([n[0] / length, n[1] / length, n[2] / length])
    }
  }
  let widest = Number.NEGATIVE_INFINITY
  for (const n of directions) {
    widest = Math.max(widest, slab(a, b, n), slab(a, b, [-n[0], -n[1], -n[2]]))
  }
  return widest
}
