/** The distance of a pair with a melee arc or a band in it: the nearest piece of the outline, or the shortest way out across one. */

import { arcMeetsRing, arcsOverlap, from, lookAtNearest, placeSpoke, sideOfOpening } from './arc.ts'
import { apex, best, between, faces, lookFromApex, piece, placeApexes, takePiece, writeBest } from './arc-pieces.ts'
import { findNearest, isWithin, mergeRings, placeRing, scratch } from './difference.ts'
import type { Pose } from './pose.ts'
import { type Separation, writeContact } from './separation.ts'
import { POINT, type Shape } from './shape.ts'

const { STRIDE, ringA, ringB, difference, nearest, shift } = scratch

const n = Number.NaN
/**
 * A gap along the ray `from`, whose length is `length`: the outline of B is `outline` from the apex, that of the arc `rim`. Here, because V8
 * puts doubles that are handed to a function on the heap.
 */
const radial = { outline: n, rim: n, length: n }

/**
 * Writes distance, normal and place of a pair with an arc in it. A positive distance is exact. Of a pair that overlaps, the
 * depth is that of the shortest way out across one piece of the outline; of two arcs, of the way out of both discs.
 */
export function arcSeparation(a: Shape, poseA: Pose, b: Shape, poseB: Pose, out: Separation): void {
  const isSwapped = a.kind !== 'arc'
  if (isSwapped) separateArc(b, poseB, placeRing(ringB, a, poseA), a, poseA)
  else if (b.kind !== 'arc') separateArc(a, poseA, placeRing(ringB, b, poseB), b, poseB)
  else separateArcs(a, poseA, b, poseB)
  out.distance = best.distance
  writeBest(isSwapped, out)
}

function separateArc(arc: Shape, poseArc: Pose, edgesB: number, b: Shape, poseB: Pose): void {
  if (arcMeetsRing(arc, poseArc, edgesB, b, poseB, true)) findWayOut(arc, poseArc, edgesB, b, poseB)
  else {
    best.distance = Number.POSITIVE_INFINITY
    findGap(arc, poseArc, edgesB, b, poseB)
  }
}

/** Notes in `best` the smallest gap between an arc and what is placed in `ringB`, if it is smaller than the one there. */
function findGap(arc: Shape, poseArc: Pose, edgesB: number, b: Shape, poseB: Pose): void {
  const { radius, innerRadius } = arc
  const edges = lookFromApex(arc, poseArc, edgesB, poseB)
  findNearest(edges)
  lookAtNearest()
  const distance = Math.sqrt(from.x * from.x + from.y * from.y)
  if (distance >= radius && distance > 0 && sideOfOpening(arc, poseArc) >= 0) {
    radial.outline = distance - b.radius
    radial.rim = radius
    radial.length = distance
    noteRadial(1)
  }
  let at = 0
  do {
    from.x = difference[at]
    from.y = difference[at + 1]
    const away = Math.sqrt(from.x * from.x + from.y * from.y)
    if (away < innerRadius && sideOfOpening(arc, poseArc) >= 0) {
      if (away === 0) lookAhead(poseArc)
      radial.outline = away + b.radius
      radial.rim = innerRadius
      radial.length = away === 0 ? 1 : away
      noteRadial(-1)
    }
    at += STRIDE
  } while (at < STRIDE * edges)
  if (arc.halfAngleCos === -1) return
  for (let turn = -1; turn <= 1; turn += 2) {
    findNearest(mergeRings(placeSpoke(ringA, arc, poseArc, turn), edgesB, poseArc, poseB))
    const core = nearest.corner < 0 ? nearest.gap : Math.sqrt(nearest.squared)
    if (!(core - b.radius < best.distance)) continue
    piece.distance = core - b.radius
    shift.x = 0
    shift.y = 0
    writeContact(nearest.edge, nearest.corner, POINT, poseArc, b, poseB, piece)
    takePiece()
  }
}

/** Notes the gap of `radial` in `best` if it is nearer. `turn` 1: B is outside of the rim; -1: in the hole. */
function noteRadial(turn: number): void {
  const { outline, rim, length } = radial
  const distance = turn * (outline - rim)
  if (!(distance < best.distance)) return
  const x = from.x / length
  const y = from.y / length
  best.distance = distance
  best.normalX = turn * x
  best.normalY = turn * y
  best.x = apex.x + (x * (outline + rim)) / 2
  best.y = apex.y + (y * (outline + rim)) / 2
}

function lookAhead(pose: Pose): void {
  from.x = pose.facingX
  from.y = pose.facingY
}

/** Notes in `best` the shortest way out of an arc for what overlaps it: across a rim or a side. */
function findWayOut(arc: Shape, poseArc: Pose, edgesB: number, b: Shape, poseB: Pose): void {
  const { radius, innerRadius } = arc
  const edges = lookFromApex(arc, poseArc, edgesB, poseB)
  findNearest(edges)
  best.distance = Number.NEGATIVE_INFINITY
  const { inside, gap, edge } = nearest
  lookAtNearest()
  let distance = Math.sqrt(from.x * from.x + from.y * from.y)
  const isInOpening = inside || distance === 0 || sideOfOpening(arc, poseArc) >= 0
  if (inside) {
    // The apex is in B: out by the nearest side of B.
    distance = gap
    from.x = gap * -difference[STRIDE * edge + 2]
    from.y = gap * -difference[STRIDE * edge + 3]
  }
  if (distance === 0) lookAhead(poseArc)
  if (isInOpening) {
    radial.outline = distance - b.radius
    radial.rim = radius
    radial.length = distance === 0 ? 1 : distance
    noteWayOut(1)
  }
  if (b.boundRadius < innerRadius) findWayIntoHole(arc, edges, b)
  if (arc.halfAngleCos === -1) return
  for (let turn = 1; turn >= -1; turn -= 2) noteSide(arc, poseArc, edges, turn, edgesB, b, poseB)
  for (let turn = 1; turn >= -1; turn -= 2) {
    lookOutwards(arc, poseArc, turn)
    noteTip(radius, turn, 1, edgesB, b, poseB)
    if (innerRadius > 0) noteTip(innerRadius, turn, -1, edgesB, b, poseB)
  }
}

/** Into the hole, in which B would fit: by the corner that is farthest from the apex. */
function findWayIntoHole({ innerRadius }: Shape, edges: number, b: Shape): void {
  let farthest = 0
  let at = 0
  do {
    const x = difference[at]
    const y = difference[at + 1]
    const away = Math.sqrt(x * x + y * y)
    if (away >= farthest) {
      farthest = away
      from.x = x
      from.y = y
    }
    at += STRIDE
  } while (at < STRIDE * edges)
  radial.outline = farthest + b.radius
  radial.rim = innerRadius
  radial.length = farthest
  if (farthest > 0) noteWayOut(-1)
}

/** Scratch: out of the opening across the side that is asked about, and the corner at one of its ends. */
const outwards = { x: n, y: n }
const tip: Pose = { x: n, y: n, facingX: 1, facingY: 0 }

/** Points `outwards` across the left side (`turn` 1) or the right one (-1). */
function lookOutwards({ halfAngleCos: cos, halfAngleSin: sin }: Shape, { facingX, facingY }: Pose, turn: number): void {
  outwards.x = turn === 1 ? -(facingY * cos + facingX * sin) : facingY * cos - facingX * sin
  outwards.y = turn === 1 ? facingX * cos - facingY * sin : -(facingX * cos + facingY * sin)
}

/** The way out across the side of `turn`: all of B, which is `edges` corners from the apex, must come past it. */
function noteSide(arc: Shape, poseArc: Pose, edges: number, turn: number, edgesB: number, b: Shape, poseB: Pose): void {
  lookOutwards(arc, poseArc, turn)
  let low = Number.POSITIVE_INFINITY
  let corner = 0
  let at = 0
  do {
    const past = outwards.x * difference[at] + outwards.y * difference[at + 1]
    if (past < low) {
      low = past
      corner = at
    }
    at += STRIDE
  } while (at < STRIDE * edges)
  const away = low - b.radius
  if (!(away > best.distance)) return
  if (arc.halfAngleCos < 0) {
    // Of an arc wider than half a turn, only a side that B is on is a way out.
    const isOn = isWithin(mergeRings(placeSpoke(ringA, arc, poseArc, turn), edgesB, poseArc, poseB), POINT, b, true)
    lookFromApex(arc, poseArc, edgesB, poseB)
    if (!isOn) return
  }
  best.distance = away
  best.normalX = outwards.x
  best.normalY = outwards.y
  best.x = apex.x + difference[corner] + outwards.x * (away / 2 - low)
  best.y = apex.y + difference[corner + 1] + outwards.y * (away / 2 - low)
}

/**
 * The way out past a corner of the outline, for a rounded shape whose core lies beyond it: `reach` along the side of `turn`, at the
 * outer rim (`away` 1) or at the inner one (-1).
 */
function noteTip(reach: number, turn: number, away: number, edgesB: number, b: Shape, poseB: Pose): void {
  // Along the side: `outwards` turned back by a quarter.
  const alongX = turn * outwards.y
  const alongY = -turn * outwards.x
  tip.x = apex.x + alongX * reach
  tip.y = apex.y + alongY * reach
  findNearest(mergeRings(placeRing(ringA, POINT, tip), edgesB, tip, poseB))
  if (nearest.inside) return
  lookAtNearest()
  if (away * (from.x * alongX + from.y * alongY) < 0 || from.x * outwards.x + from.y * outwards.y < 0) return
  const length = Math.sqrt(from.x * from.x + from.y * from.y)
  const distance = length - b.radius
  if (!(length > 0 && distance <= 0 && distance > best.distance)) return
  best.distance = distance
  best.normalX = from.x / length
  best.normalY = from.y / length
  best.x = tip.x + (best.normalX * distance) / 2
  best.y = tip.y + (best.normalY * distance) / 2
}

/** As `noteRadial`, for ways out: the shallowest wins. */
function noteWayOut(turn: number): void {
  const { outline, rim } = radial
  const distance = turn * (outline - rim)
  if (!(distance > best.distance)) return
  best.distance = Number.POSITIVE_INFINITY
  noteRadial(turn)
}

function separateArcs(a: Shape, poseA: Pose, b: Shape, poseB: Pose): void {
  const isOverlap = arcsOverlap(a, poseA, b, poseB, true)
  placeApexes(a, poseA, b, poseB)
  best.distance = Number.POSITIVE_INFINITY
  if (isOverlap) {
    const length = Math.sqrt(between.x * between.x + between.y * between.y)
    from.x = length === 0 ? 1 : between.x
    from.y = length === 0 ? 0 : between.y
    radial.outline = length - b.radius
    radial.rim = a.radius
    radial.length = length === 0 ? 1 : length
    noteRadial(1)
    return
  }
  findGapToSides(a, poseA, b, poseB)
  // The normals of what follows point from B to A: turned round at the end, if it is nearer.
  const before = best.distance
  findGapToSides(b, poseB, a, poseA)
  if (best.distance < before) {
    best.normalX = 0 - best.normalX
    best.normalY = 0 - best.normalY
  }
  placeApexes(a, poseA, b, poseB)
  const length = Math.sqrt(between.x * between.x + between.y * between.y)
  const isApart = length > 0
  from.x = isApart ? between.x : poseA.facingX
  from.y = isApart ? between.y : poseA.facingY
  const unit = isApart ? length : 1
  // Outside of each other; B in the hole of A; A in the hole of B.
  if (length >= a.radius + b.radius && isApart && faces(a, poseA, 1) && faces(b, poseB, -1)) {
    radial.outline = length - b.radius
    radial.rim = a.radius
    radial.length = unit
    noteRadial(1)
  }
  if (a.innerRadius >= b.radius + length && faces(a, poseA, 1) && faces(b, poseB, 1)) {
    radial.outline = length + b.radius
    radial.rim = a.innerRadius
    radial.length = unit
    noteRadial(-1)
  }
  if (b.innerRadius >= a.radius + length && faces(a, poseA, -1) && faces(b, poseB, -1)) {
    // Seen from the apex of A, the rim of B lies on the far side from B's apex, B's rim outside of A's.
    from.x = -from.x
    from.y = -from.y
    radial.outline = b.innerRadius - length
    radial.rim = a.radius
    radial.length = unit
    noteRadial(1)
  }
}

/** Notes in `best` the smallest gap between arc A and a side of arc B. */
function findGapToSides(a: Shape, poseA: Pose, b: Shape, poseB: Pose): void {
  if (b.halfAngleCos === -1) return
  for (let turn = -1; turn <= 1; turn += 2) findGap(a, poseA, placeSpoke(ringB, b, poseB, turn), POINT, poseB)
}
