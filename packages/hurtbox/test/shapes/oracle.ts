/**
 * The oracles: slow, direct, and built another way than the engine. No Minkowski difference, no precomputed normals: every
 * pair of sides is measured, every direction projected. Coordinates are relative to the pose of A, as in the contract.
 */

export type Point = readonly [x: number, y: number]

/** A posed rounded convex set: the corners (1, 2 or more, in order) and the radius around them. */
export type Core = { readonly points: readonly Point[]; readonly radius: number }

type CoreDistance = {
  /** Distance of the cores without radii; negative: shortest way out. */
  readonly distance: number
  /** Unit vector from A to B; any unit vector where the cores touch in a point. */
  readonly normal: Point
}

/** Distance between the corner sets of two shapes by measuring all sides against all sides. */
export function coreDistance(a: readonly Point[], b: readonly Point[]): CoreDistance {
  const apart = largestGap(a, b)
  if (apart !== undefined && apart.distance < 0) return apart
  let best: CoreDistance = { distance: Number.POSITIVE_INFINITY, normal: [1, 0] }
  for (const [from, to] of sides(a)) {
    for (const [start, end] of sides(b)) {
      const candidates: [Point, Point][] = [
        [from, closestOnSide(from, start, end)],
        [to, closestOnSide(to, start, end)],
        [closestOnSide(start, from, to), start],
        [closestOnSide(end, from, to), end],
      ]
      for (const [p, q] of candidates) {
        const distance = Math.hypot(q[0] - p[0], q[1] - p[1])
        if (distance < best.distance) {
          best = { distance, normal: distance > 0 ? [(q[0] - p[0]) / distance, (q[1] - p[1]) / distance] : [1, 0] }
        }
      }
    }
  }
  return best
}

/** The direction of a side along which the sets are furthest apart or least deep; undefined if there are no sides. */
function largestGap(a: readonly Point[], b: readonly Point[]): CoreDistance | undefined {
  let best: CoreDistance | undefined
  for (const ring of [a, b]) {
    for (const [from, to] of sides(ring)) {
      const length = Math.hypot(to[0] - from[0], to[1] - from[1])
      if (length === 0) continue
      const normal: Point = [(to[1] - from[1]) / length, (from[0] - to[0]) / length]
      for (const sign of [1, -1]) {
        const direction: Point = [sign * normal[0], sign * normal[1]]
        let gap = Number.POSITIVE_INFINITY
        for (const p of a) for (const q of b) gap = Math.min(gap, dot(q, direction) - dot(p, direction))
        if (best === undefined || gap > best.distance) best = { distance: gap, normal: direction }
      }
    }
  }
  // Two lines on one line, or a point and a line, have no inside to be deep in.
  const flat = a.length + b.length < 4 || (a.length === 2 && b.length === 2 && parallel(a, b))
  return flat && best !== undefined && best.distance <= 0 ? undefined : best
}

type OracleImpact = { readonly hit: boolean; readonly time: number; readonly gapAtClosest: number }

/**
 * Time of impact by Newton's method on the gap. The gap to a convex set is a convex function of time, so starting from the
 * left Newton never passes the first contact: it converges on it, or meets a slope that is not downwards: a miss.
 */
export function firstContact(a: Core, dx: number, dy: number, b: Core): OracleImpact {
  // Closer than rounding there is no trustworthy normal to go on by: that is contact.
  const size = Math.max(...[...a.points, ...b.points].map(([x, y]) => Math.abs(x) + Math.abs(y)))
  const travelled = Math.hypot(dx, dy)
  let time = 0
  let gap = 0
  for (let step = 0; step < 200; step++) {
    const moved = a.points.map(([x, y]): Point => [x + time * dx, y + time * dy])
    const { distance, normal } = coreDistance(moved, b.points)
    gap = distance - a.radius - b.radius
    if (gap <= 1e-13 * size + 1e-15 * time * travelled) return { hit: true, time, gapAtClosest: gap }
    const approach = normal[0] * dx + normal[1] * dy
    if (approach <= 0) return { hit: false, time, gapAtClosest: gap }
    const next = time + gap / approach
    if (next === time) return { hit: true, time, gapAtClosest: gap }
    if (next > 1) {
      // Newton stays on the near side of the contact, so a step beyond the end means: not before the end.
      const atEnd = a.points.map(([x, y]): Point => [x + dx, y + dy])
      return { hit: false, time: 1, gapAtClosest: coreDistance(atEnd, b.points).distance - a.radius - b.radius }
    }
    time = next
  }
  return { hit: true, time, gapAtClosest: gap }
}

/** Distance from a point to the filled corner set (counter-clockwise), 0 inside. */
export function pointToCore([x, y]: Point, core: readonly Point[]): number {
  let inside = core.length > 2
  let nearest = Number.POSITIVE_INFINITY
  for (let k = 0; k < core.length; k++) {
    const [fromX, fromY] = core[k]
    const [toX, toY] = core[(k + 1) % core.length]
    const [ex, ey] = [toX - fromX, toY - fromY]
    if (ex * (y - fromY) - ey * (x - fromX) < 0) inside = false
    const squared = ex * ex + ey * ey
    const t = squared === 0 ? 0 : Math.min(1, Math.max(0, ((x - fromX) * ex + (y - fromY) * ey) / squared))
    nearest = Math.min(nearest, Math.hypot(fromX + t * ex - x, fromY + t * ey - y))
  }
  return inside ? 0 : nearest
}

function sides(ring: readonly Point[]): [Point, Point][] {
  if (ring.length === 1) return [[ring[0], ring[0]]]
  if (ring.length === 2) return [[ring[0], ring[1]]]
  return ring.map((point, k) => [point, ring[(k + 1) % ring.length]])
}

function closestOnSide(point: Point, from: Point, to: Point): Point {
  const ex = to[0] - from[0]
  const ey = to[1] - from[1]
  const squared = ex * ex + ey * ey
  if (squared === 0) return from
  const t = ((point[0] - from[0]) * ex + (point[1] - from[1]) * ey) / squared
  return t <= 0 ? from : t >= 1 ? to : [from[0] + t * ex, from[1] + t * ey]
}

function parallel(a: readonly Point[], b: readonly Point[]): boolean {
  const [ax, ay] = [a[1][0] - a[0][0], a[1][1] - a[0][1]]
  const [bx, by] = [b[1][0] - b[0][0], b[1][1] - b[0][1]]
  return Math.abs(ax * by - ay * bx) <= 1e-14 * Math.hypot(ax, ay) * Math.hypot(bx, by)
}

function dot(p: Point, q: Point): number {
  return p[0] * q[0] + p[1] * q[1]
}
