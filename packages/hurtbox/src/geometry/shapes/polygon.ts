/**
 * From a list of points to a convex ring: cleaned, counter-clockwise, with normals and a bounding circle.
 *
 * Runs once per shape at definition time, so it is written for clear messages, not for speed. What it lets through is what
 * the queries rely on: strictly convex corners and sides long enough for a trustworthy normal.
 */

import { HurtboxError, requireQuantity } from '../../base/errors.ts'
import { vectorLength } from './pose.ts'

export const MAX_CORNERS = 16

/** Corners nearer to each other, or to the line through their neighbours, than this part of the extent are no corners. */
const FLATNESS = 1e-9

type Corner = { readonly x: number; readonly y: number; readonly index: number }

type Circle = { readonly x: number; readonly y: number; readonly radius: number }

type ConvexRing = { readonly corners: number[]; readonly normals: number[]; readonly bound: Circle }

export function convexCorners(points: readonly (readonly [number, number])[]): ConvexRing {
  const given = readPoints(points)
  const extent = extentOf(given)
  const ring = dropFlatCorners(dropRepeats(given, extent * FLATNESS), extent * FLATNESS)
  if (ring.length < 3 || Math.abs(doubleArea(ring)) <= extent * extent * FLATNESS) {
    throw new HurtboxError(
      'bad-argument',
      `polygon needs at least 3 corners that do not lie on one line, got ${given.length} points without area. For a line use segment or capsule.`,
      { points },
    )
  }
  if (doubleArea(ring) < 0) ring.reverse()
  requireConvex(ring)
  if (ring.length > MAX_CORNERS) {
    throw new HurtboxError('out-of-range', `polygon has at most ${MAX_CORNERS} corners, got ${ring.length}.`, {
      points,
    })
  }
  return {
    corners: ring.flatMap(({ x, y }) => [x, y]),
    normals: ring.flatMap((corner, k) => edgeNormal(corner, ring[(k + 1) % ring.length])),
    bound: enclosingCircle(ring),
  }
}

function readPoints(points: readonly (readonly [number, number])[]): Corner[] {
  if (!Array.isArray(points)) {
    throw new HurtboxError('bad-argument', `polygon points must be an array of [x, y] pairs, got ${typeof points}.`)
  }
  return points.map((point: unknown, index) => {
    if (!Array.isArray(point) || point.length !== 2) {
      throw new HurtboxError('bad-argument', `polygon points[${index}] must be a pair [x, y].`, { index, point })
    }
    const x = requireQuantity(point[0], `polygon points[${index}] x`)
    const y = requireQuantity(point[1], `polygon points[${index}] y`)
    return { x, y, index }
  })
}

/** How far the corners spread from the first, along the axis where they spread most. */
function extentOf(corners: readonly Corner[]): number {
  let extent = 0
  for (const { x, y } of corners) {
    extent = Math.max(extent, Math.abs(x - corners[0].x), Math.abs(y - corners[0].y))
  }
  return extent
}

/** Also drops the closing corner of a ring that ends where it began. */
function dropRepeats(corners: readonly Corner[], tolerance: number): Corner[] {
  const kept: Corner[] = []
  for (const corner of corners) {
    if (kept.length === 0 || distance(kept[kept.length - 1], corner) > tolerance) kept.push(corner)
  }
  while (kept.length > 1 && distance(kept[0], kept[kept.length - 1]) <= tolerance) kept.pop()
  return kept
}

function dropFlatCorners(corners: readonly Corner[], tolerance: number): Corner[] {
  const ring = [...corners]
  for (let k = 0; k < ring.length && ring.length >= 3; ) {
    const before = ring[(k + ring.length - 1) % ring.length]
    const after = ring[(k + 1) % ring.length]
    const span = distance(before, after)
    // A spike that runs out and back along one line is flat too, but it is a mistake, not a spare corner.
    const between = (ring[k].x - before.x) * (after.x - ring[k].x) + (ring[k].y - before.y) * (after.y - ring[k].y) > 0
    if (between && Math.abs(turn(before, ring[k], after)) <= tolerance * span) ring.splice(k, 1)
    else k++
  }
  return ring
}

function requireConvex(ring: readonly Corner[]): void {
  for (let k = 0; k < ring.length; k++) {
    const corner = ring[k]
    if (turn(ring[(k + ring.length - 1) % ring.length], corner, ring[(k + 1) % ring.length]) <= 0) {
      throw new HurtboxError(
        'bad-argument',
        `polygon must be convex, but its outline turns inwards at points[${corner.index}] (${corner.x}, ${corner.y}). Use several convex polygons.`,
        { index: corner.index },
      )
    }
  }
  // Every corner may turn the right way and the outline still go round twice, as a five-pointed star does.
  for (let k = 0; k < ring.length; k++) {
    const after = ring[(k + 1) % ring.length]
    for (const other of ring) {
      if (other !== ring[k] && other !== after && turn(ring[k], after, other) <= 0) {
        throw new HurtboxError(
          'bad-argument',
          `polygon must be convex, but its outline crosses itself: points[${other.index}] lies outside the side that starts at points[${ring[k].index}].`,
          { index: other.index },
        )
      }
    }
  }
}

function edgeNormal(from: Corner, to: Corner): [number, number] {
  const length = distance(from, to)
  return [(to.y - from.y) / length, (from.x - to.x) / length]
}

/** Smallest circle around all corners: it is held by two or by three of them, and there are few enough to try all. */
function enclosingCircle(ring: readonly Corner[]): Circle {
  let best: Circle = { x: 0, y: 0, radius: Number.POSITIVE_INFINITY }
  for (let i = 0; i < ring.length; i++) {
    for (let j = i + 1; j < ring.length; j++) {
      best = smaller(best, (ring[i].x + ring[j].x) / 2, (ring[i].y + ring[j].y) / 2, ring)
      for (let k = j + 1; k < ring.length; k++) {
        const centre = circumcentre(ring[i], ring[j], ring[k])
        best = smaller(best, centre.x, centre.y, ring)
      }
    }
  }
  return best
}

/** The circle round (x, y) that holds all corners, if it is smaller than `best`. */
function smaller(best: Circle, x: number, y: number, ring: readonly Corner[]): Circle {
  let radius = 0
  for (const corner of ring) {
    radius = Math.max(radius, vectorLength(corner.x - x, corner.y - y))
    if (!(radius < best.radius)) return best
  }
  return { x, y, radius }
}

function circumcentre(a: Corner, b: Corner, c: Corner): { x: number; y: number } {
  const [bx, by, cx, cy] = [b.x - a.x, b.y - a.y, c.x - a.x, c.y - a.y]
  const scale = 2 * (bx * cy - by * cx)
  const b2 = bx * bx + by * by
  const c2 = cx * cx + cy * cy
  return { x: a.x + (cy * b2 - by * c2) / scale, y: a.y + (bx * c2 - cx * b2) / scale }
}

function doubleArea(ring: readonly Corner[]): number {
  let sum = 0
  for (let k = 1; k + 1 < ring.length; k++) sum += turn(ring[0], ring[k], ring[k + 1])
  return sum
}

/** Positive when the way a, b, c turns counter-clockwise; twice the area of the triangle. */
function turn(a: Corner, b: Corner, c: Corner): number {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}

function distance(a: Corner, b: Corner): number {
  return vectorLength(b.x - a.x, b.y - a.y)
}
