/** When a melee arc or a band first meets a shape, or a shape one: the earliest piece of the outline. */

import { from, lookAtNearest, placeSpoke, sideOfOpening } from './arc.ts'
import { apex, best, between, faces, lookFromApex, piece, placeApexes, takePiece, writeBest } from './arc-pieces.ts'
import { findNearest, isWithin, mergeRings, placeRing, scratch } from './difference.ts'
import type { Pose } from './pose.ts'
import { writeContact } from './separation.ts'
import { POINT, type Shape } from './shape.ts'
import { cast, castOrigin, type Impact } from './sweep.ts'

const { STRIDE, ringA, ringB, difference, shift } = scratch

/** Scratch: how the arc that is asked about moves relative to the other shape. */
const motion = { x: Number.NaN, y: Number.NaN }

/**
 * When an arc that moves by (dx, dy) relative to B first meets it, or the other way round; for a pair that does not overlap at
 * the start. What touches a piece of the outline meets it at time 0 if it closes in on it, and not at all if it leaves it.
 */
export function arcSweep(a: Shape, poseA: Pose, b: Shape, poseB: Pose, way: ArcMotion): boolean {
  const { dx, dy, touching, out } = way
  const isSwapped = a.kind !== 'arc'
  best.time = Number.POSITIVE_INFINITY
  if (isSwapped) {
    motion.x = -dx
    motion.y = -dy
    sweepArc(b, poseB, placeRing(ringB, a, poseA), a, poseA, touching)
  } else {
    motion.x = dx
    motion.y = dy
    if (b.kind === 'arc') sweepArcs(a, poseA, b, poseB, touching)
    else sweepArc(a, poseA, placeRing(ringB, b, poseB), b, poseB, touching)
  }
  if (!(touching ? best.time <= 1 : best.time < 1)) return false
  out.time = best.time
  writeBest(isSwapped, out)
  if (isSwapped) {
    // Found with A at rest; the caller has B at rest.
    out.x += best.time * dx
    out.y += best.time * dy
  }
  return true
}

/** How A moves relative to B, and where the answer goes. */
export type ArcMotion = { readonly dx: number; readonly dy: number; readonly touching: boolean; readonly out: Impact }

/** Notes in `best` when an arc that moves by `motion` meets what is placed in `ringB`, if that is earlier. */
function sweepArc(arc: Shape, poseArc: Pose, edgesB: number, b: Shape, poseB: Pose, touching: boolean): void {
  const edges = lookFromApex(arc, poseArc, edgesB, poseB)
  sweepInnerRim(arc, poseArc, edges, b, touching)
  sweepOuterRim(arc, poseArc, edges, b, poseB, touching)
  if (arc.halfAngleCos === -1) return
  for (let turn = -1; turn <= 1; turn += 2) {
    castPiece(
      mergeRings(placeSpoke(ringA, arc, poseArc, turn), edgesB, poseArc, poseB),
      POINT,
      poseArc,
      b,
      poseB,
      touching,
    )
  }
}

/** One convex piece of an arc, `difference` being its ring with that of B. */
function castPiece(edges: number, a: Shape, poseA: Pose, b: Shape, poseB: Pose, touching: boolean): void {
  cast.dx = motion.x
  cast.dy = motion.y
  if (!castOrigin(edges, a, b, touching) || !(cast.time < best.time)) return
  shift.x = cast.time * motion.x
  shift.y = cast.time * motion.y
  piece.time = cast.time
  writeContact(cast.edge, cast.corner, a, poseA, b, poseB, piece)
  // Touching at the start: a contact only if the two close in.
  if (piece.time === 0 && !(piece.normalX * motion.x + piece.normalY * motion.y > 0)) return
  takePiece()
}

/** The whole disc is met where its arc is, if that is in the opening. */
function sweepOuterRim(arc: Shape, poseArc: Pose, edges: number, b: Shape, poseB: Pose, touching: boolean): void {
  cast.dx = motion.x
  cast.dy = motion.y
  if (isWithin(edges, arc, b, touching)) {
    // Within the disc already: beside the opening, in the hole, or just touching the rim.
    findNearest(edges)
    lookAtNearest()
    const distance = Math.sqrt(from.x * from.x + from.y * from.y)
    if (distance < arc.radius || sideOfOpening(arc, poseArc) < 0) return
  } else {
    if (!castOrigin(edges, arc, b, touching)) return
    const { edge, corner, time } = cast
    from.x = corner < 0 ? -difference[STRIDE * edge + 2] : difference[STRIDE * corner] - time * motion.x
    from.y = corner < 0 ? -difference[STRIDE * edge + 3] : difference[STRIDE * corner + 1] - time * motion.y
    const side = sideOfOpening(arc, poseArc)
    if (touching ? side < 0 : side <= 0) return
  }
  castPiece(edges, arc, poseArc, b, poseB, touching)
}

/** From inside the hole: each corner, when it leaves the circle that keeps it off the rim. */
function sweepInnerRim(arc: Shape, poseArc: Pose, edges: number, b: Shape, touching: boolean): void {
  const room = arc.innerRadius - b.radius
  const squared = motion.x * motion.x + motion.y * motion.y
  if (!(room > 0) || squared === 0) return
  let at = 0
  do {
    const x = difference[at]
    const y = difference[at + 1]
    at += STRIDE
    // Part of the motion until the corner passes the apex, and how far aside it passes. The corner moves by -motion.
    const middle = (x * motion.x + y * motion.y) / squared
    const aside = (x * motion.y - y * motion.x) / squared
    const under = (room * room) / squared - aside * aside
    if (under < 0) continue
    const half = Math.sqrt(under)
    // On its way out past the rim already, by less than what counts as overlapping: meets at once.
    const time = Math.max(0, middle + half)
    if (middle + half < 0 && !(middle < 0 && isAtRim(arc, x, y, b))) continue
    if (!(time < best.time && (touching ? time <= 1 : time < 1))) continue
    from.x = x - time * motion.x
    from.y = y - time * motion.y
    const side = sideOfOpening(arc, poseArc)
    if (touching ? side < 0 : side <= 0) continue
    best.time = time
    noteRim(1, arc.innerRadius)
  } while (at < STRIDE * edges)
}

/** Overlaps shallower than this are touching, for `arcSweep`. */
export const TOUCH = 1e-6

function isAtRim({ innerRadius }: Shape, x: number, y: number, b: Shape): boolean {
  const past = Math.sqrt(x * x + y * y) + b.radius - innerRadius
  return past >= 0 && past <= TOUCH
}

function sweepArcs(a: Shape, poseA: Pose, b: Shape, poseB: Pose, touching: boolean): void {
  sweepToSides(a, poseA, b, poseB, touching)
  const before = best.time
  const { x, y } = motion
  motion.x = -x
  motion.y = -y
  sweepToSides(b, poseB, a, poseA, touching)
  motion.x = x
  motion.y = y
  if (best.time < before) {
    // Found with A at rest.
    best.normalX = 0 - best.normalX
    best.normalY = 0 - best.normalY
    best.x += best.time * x
    best.y += best.time * y
  }
  placeApexes(a, poseA, b, poseB)
  sweepRims(a, poseA, b, poseB, a.radius + b.radius, -1)
  if (a.innerRadius > b.radius) sweepRims(a, poseA, b, poseB, a.innerRadius - b.radius, 1)
  if (b.innerRadius > a.radius) sweepRims(a, poseA, b, poseB, b.innerRadius - a.radius, 1)
}

/** Notes in `best` when arc A meets a side of arc B. */
function sweepToSides(a: Shape, poseA: Pose, b: Shape, poseB: Pose, touching: boolean): void {
  if (b.halfAngleCos === -1) return
  for (let turn = -1; turn <= 1; turn += 2) {
    sweepArc(a, poseA, placeSpoke(ringB, b, poseB, turn), POINT, poseB, touching)
  }
}

/** When the apexes of two arcs come to be `reach` apart, `turn` -1 nearing, 1 parting, in a direction that is in both openings. */
function sweepRims(a: Shape, poseA: Pose, b: Shape, poseB: Pose, reach: number, turn: number): void {
  const squared = motion.x * motion.x + motion.y * motion.y
  if (squared === 0) return
  const middle = (between.x * motion.x + between.y * motion.y) / squared
  const aside = (between.x * motion.y - between.y * motion.x) / squared
  // Not a number if they pass each other by.
  const time = middle + turn * Math.sqrt((reach * reach) / squared - aside * aside)
  if (!(time >= 0 && time < best.time)) return
  from.x = between.x - time * motion.x
  from.y = between.y - time * motion.y
  const isAInB = turn === 1 && reach === b.innerRadius - a.radius
  if (!faces(a, poseA, isAInB ? -1 : 1) || !faces(b, poseB, isAInB ? -1 : turn)) return
  best.time = time
  noteRim(turn, turn === -1 ? a.radius : isAInB ? -a.radius : a.innerRadius)
}

/** Notes in `best` what is met at `best.time` in the direction `from`, `rim` from the apex. `turn` 1: from inside of the rim; -1: from outside. */
function noteRim(turn: number, rim: number): void {
  const length = Math.sqrt(from.x * from.x + from.y * from.y)
  const x = from.x / length
  const y = from.y / length
  best.normalX = -turn * x
  best.normalY = -turn * y
  best.x = apex.x + best.time * motion.x + rim * x
  best.y = apex.y + best.time * motion.y + rim * y
}
