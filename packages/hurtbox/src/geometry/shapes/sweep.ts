/**
 * When does a moving shape first meet another?
 *
 * Moving A by d moves the origin along d through the Minkowski difference of the pair, grown by both radii. So every sweep
 * is one ray against one convex polygon with round corners, solved in closed form. Does the line of the ray pass the shape
 * by? That is asked across the line, of the corners alone. If it does not, the ray comes in by the last side that it
 * crosses, or past the end of that side by the circle round that one corner. There is no step size and no tolerance:
 * nothing tunnels at any speed, and the time is right to the rounding of its own formula.
 *
 * Two other ways look simpler and leak. The least time over all sides: a ray through the very corner between two of them
 * can miss both by rounding. Clipping, "in before out": a wall without thickness is left in the moment it is entered, and
 * rounding makes it a moment before.
 */

import { findNearest, isWithin, scratch, subtract } from './difference.ts'
import { type ContactGeometry, writeContact } from './separation.ts'
import type { PlacedShape, Shape } from './shape.ts'

const { STRIDE, difference, nearest, shift } = scratch

/** Where a moving shape or a ray first meets a shape. */
export type Impact = ContactGeometry & {
  /** Part of the way travelled until then, 0 to 1. */
  time: number
}

/** An `out` for `sweep` and `raycast`, to be kept and written again and again. */
export function createImpact(): Impact {
  return { time: Number.NaN, normalX: Number.NaN, normalY: Number.NaN, x: Number.NaN, y: Number.NaN }
}

/** A placed shape that moves by (dx, dy). */
export type MovingShape = PlacedShape & { readonly dx: number; readonly dy: number }

/** `sweep` of two convex shapes. */
export function convexSweep(moving: MovingShape, target: PlacedShape, out: Impact, touching: boolean): boolean {
  const { shape: a, pose: poseA, dx, dy } = moving
  const { shape: b, pose: poseB } = target
  const edges = subtract(a, poseA, b, poseB)
  cast.dx = dx
  cast.dy = dy
  if (!castOrigin(edges, a, b, touching)) return false
  const { time } = cast
  shift.x = time * dx
  shift.y = time * dy
  out.time = time
  writeContact(cast.edge, cast.corner, a, poseA, b, poseB, out)
  return true
}

/** Scratch: the way of the origin, and where it comes in: at an edge, or at a corner if that is not -1. */
export const cast = { dx: Number.NaN, dy: Number.NaN, time: Number.NaN, edge: -1, corner: -1 }

/** Sends the origin on the way of `cast` into `difference` grown by both radii, and notes in `cast` where it comes in. */
export function castOrigin(edges: number, a: Shape, b: Shape, touching: boolean): boolean {
  if (isWithin(edges, a, b, touching)) {
    findNearest(edges)
    cast.time = 0
    cast.edge = nearest.edge
    cast.corner = nearest.corner
    return true
  }

  const { dx, dy } = cast
  const radius = a.radius + b.radius
  let enter = 0
  let entered = -1
  for (let k = 0; k < edges; k++) {
    const at = STRIDE * k
    const outX = difference[at + 2]
    const outY = difference[at + 3]
    const ahead = -(outX * difference[at] + outY * difference[at + 1]) - radius
    if (ahead > 0 || (ahead === 0 && !touching)) {
      // Outside this side: must cross it.
      const speed = -(outX * dx + outY * dy)
      if (!(speed > 0)) return false
      const time = ahead / speed
      if (time >= enter) {
        enter = time
        entered = k
      }
    }
  }
  if (touching ? !(enter <= 1) : !(enter < 1)) return false
  if (passesBy(edges, a, b, touching)) return false

  if (entered < 0) {
    // Within all sides but not within the shape: beyond the rounding of the nearest corner.
    findNearest(edges)
    return castAtCorner(nearest.corner, nearest.edge, a, b, touching)
  }
  const start = STRIDE * entered
  const end = start + STRIDE
  const outX = difference[start + 2]
  const outY = difference[start + 3]
  const pastStart = outY * (difference[start] - enter * dx) - outX * (difference[start + 1] - enter * dy)
  const pastEnd = outY * (difference[end] - enter * dx) - outX * (difference[end + 1] - enter * dy)
  // Without a radius there is nothing round a corner: in by the side is in.
  if (radius > 0 && (pastStart < 0 || pastEnd > 0)) {
    return castAtCorner(pastStart < 0 ? entered : entered + 1, entered, a, b, touching)
  }
  cast.time = enter
  cast.edge = entered
  cast.corner = -1
  return true
}

/** Whether the line of `cast` leaves all of `difference`, grown by both radii, on one side. */
function passesBy(edges: number, a: Shape, b: Shape, touching: boolean): boolean {
  const { dx, dy } = cast
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  let at = 0
  do {
    const aside = dx * difference[at + 1] - dy * difference[at]
    low = Math.min(low, aside)
    high = Math.max(high, aside)
    at += STRIDE
  } while (at < STRIDE * edges)
  const reach = (a.radius + b.radius) * Math.sqrt(dx * dx + dy * dy)
  return touching ? !(low <= reach && high >= -reach) : !(low < reach && high > -reach)
}

/** The way into the circle round one corner, for a line that does not pass it by. */
function castAtCorner(corner: number, edge: number, a: Shape, b: Shape, touching: boolean): boolean {
  const { dx, dy } = cast
  const radius = a.radius + b.radius
  const cornerX = difference[STRIDE * corner]
  const cornerY = difference[STRIDE * corner + 1]
  const approach = cornerX * dx + cornerY * dy
  if (!(approach > 0)) return false
  const reach = radius * radius
  const aside = dx * cornerY - dy * cornerX
  const slack = Math.max(0, (dx * dx + dy * dy) * reach - aside * aside)
  // The smaller root of the quadratic, written so that it does not cancel when the start is near.
  const time = (cornerX * cornerX + cornerY * cornerY - reach) / (approach + Math.sqrt(slack))
  if (touching ? !(time <= 1) : !(time < 1)) return false
  cast.time = Math.max(time, 0)
  cast.edge = edge
  cast.corner = corner
  return true
}
