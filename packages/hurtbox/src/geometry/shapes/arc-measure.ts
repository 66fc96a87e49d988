/**
 * Distance and time of impact of melee arcs and bands, piece by piece.
 *
 * An arc need not be convex, so it has no Minkowski difference of its own. But its outline has four pieces at most, and each
 * has a closed form: the outer rim is met as its whole disc is, the two sides are segments, and the inner rim of a band
 * is met, from inside, by a corner. The nearest or the earliest piece is the answer, so nothing here ends at a tolerance and
 * nothing tunnels.
 *
 * What the pieces are asked about is the ring of B relative to the apex, as in `arc.ts`. Two arcs are asked with the sides of
 * each against the other, and then rim against rim.
 */

import { arcMeetsRing, arcsOverlap, from, lookAtNearest, placeSpoke, sideOfOpening } from './arc.ts'
import { findNearest, isWithin, mergeRings, placeRing, scratch } from './difference.ts'
import type { Pose } from './pose.ts'
import { type Separation, writeContact } from './separation.ts'
import { POINT, type Shape } from './shape.ts'
import { cast, castOrigin, type Impact } from './sweep.ts'

const { STRIDE, ringA, ringB, difference, nearest, shift } = scratch

/** Scratch: the best answer so far, and one piece's. Normals point from the arc to the other shape. */
const n = Number.NaN
type Found = Separation & Impact
const best: Found = { time: n, distance: n, normalX: n, normalY: n, x: n, y: n }
const piece: Found = { time: n, distance: n, normalX: n, normalY: n, x: n, y: n }
/**
 * A gap along the ray `from`, whose length is `length`: the outline of B is `outline` from the apex, that of the arc `rim`. Here, because V8
 * puts doubles that are handed to a function on the heap.
 */
const radial = { outline: n, rim: n, length: n }
/** The apex of the arc that is asked about, in the world, and how it moves relative to the other shape. */
const apex = { x: n, y: n }
const motion = { x: n, y: n }

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
  writeGeometry(isSwapped, out)
}

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
  writeGeometry(isSwapped, out)
  if (isSwapped) {
    // Found with A at rest; the caller has B at rest.
    out.x += best.time * dx
    out.y += best.time * dy
  }
  return true
}

/** How A moves relative to B, and where the answer goes. */
export type ArcMotion = { readonly dx: number; readonly dy: number; readonly touching: boolean; readonly out: Impact }

/** Writes normal and place of the best answer; of a swapped pair, as seen from the other shape. */
function writeGeometry(isSwapped: boolean, out: Omit<Separation, 'distance'>): void {
  out.normalX = isSwapped ? 0 - best.normalX : best.normalX
  out.normalY = isSwapped ? 0 - best.normalY : best.normalY
  out.x = best.x
  out.y = best.y
}

/** Makes the answer of one piece the best one. */
function takePiece(): void {
  best.time = piece.time
  best.distance = piece.distance
  best.normalX = piece.normalX
  best.normalY = piece.normalY
  best.x = piece.x
  best.y = piece.y
}

/** Places the ring of an arc's apex and gives the ring of B relative to it, in `difference`. */
function lookFromApex(arc: Shape, poseArc: Pose, edgesB: number, poseB: Pose): number {
  const edges = mergeRings(placeRing(ringA, arc, poseArc), edgesB, poseArc, poseB)
  apex.x = poseArc.x + ringA[0]
  apex.y = poseArc.y + ringA[1]
  return edges
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

  // Into the hole, if B would fit: by the corner that is farthest from the apex.
  let farthest = 0
  let lowLeft = Number.POSITIVE_INFINITY
  let lowRight = Number.POSITIVE_INFINITY
  let atLeft = 0
  let atRight = 0
  const { halfAngleCos: cos, halfAngleSin: sin } = arc
  const { facingX, facingY } = poseArc
  // Out of the opening, across the left and the right side.
  const leftX = -(facingY * cos + facingX * sin)
  const leftY = facingX * cos - facingY * sin
  const rightX = facingY * cos - facingX * sin
  const rightY = -(facingX * cos + facingY * sin)
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
    const left = leftX * x + leftY * y
    if (left < lowLeft) {
      lowLeft = left
      atLeft = at
    }
    const right = rightX * x + rightY * y
    if (right < lowRight) {
      lowRight = right
      atRight = at
    }
    at += STRIDE
  } while (at < STRIDE * edges)
  if (b.boundRadius < innerRadius && farthest > 0) {
    radial.outline = farthest + b.radius
    radial.rim = innerRadius
    radial.length = farthest
    noteWayOut(-1)
  }

  if (cos === -1) return
  const isNarrow = cos >= 0
  const atLeftX = difference[atLeft]
  const atLeftY = difference[atLeft + 1]
  const atRightX = difference[atRight]
  const atRightY = difference[atRight + 1]
  for (let turn = 1; turn >= -1; turn -= 2) {
    const low = turn === 1 ? lowLeft : lowRight
    const away = low - b.radius
    if (!(away > best.distance)) continue
    // Of an arc wider than half a turn, only a side that B is on is a way out.
    if (
      !isNarrow &&
      !isWithin(mergeRings(placeSpoke(ringA, arc, poseArc, turn), edgesB, poseArc, poseB), POINT, b, true)
    )
      continue
    best.distance = away
    best.normalX = turn === 1 ? leftX : rightX
    best.normalY = turn === 1 ? leftY : rightY
    best.x = apex.x + (turn === 1 ? atLeftX : atRightX) + best.normalX * (away / 2 - low)
    best.y = apex.y + (turn === 1 ? atLeftY : atRightY) + best.normalY * (away / 2 - low)
  }
  for (let turn = 1; turn >= -1; turn -= 2) {
    outwards.x = turn === 1 ? leftX : rightX
    outwards.y = turn === 1 ? leftY : rightY
    noteTip(arc.radius, turn, 1, edgesB, b, poseB)
    if (innerRadius > 0) noteTip(innerRadius, turn, -1, edgesB, b, poseB)
  }
}

/** Scratch: out of the opening across the side that is asked about, and the corner at one of its ends. */
const outwards = { x: n, y: n }
const tip: Pose = { x: n, y: n, facingX: 1, facingY: 0 }

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
  for (let turn = -1; turn <= 1; turn += 2) {
    if (b.halfAngleCos !== -1) findGap(a, poseA, placeSpoke(ringB, b, poseB, turn), POINT, poseB)
  }
  // The normals of what follows point from B to A: turned round at the end, if it is nearer.
  const before = best.distance
  for (let turn = -1; turn <= 1; turn += 2) {
    if (a.halfAngleCos !== -1) findGap(b, poseB, placeSpoke(ringB, a, poseA, turn), POINT, poseA)
  }
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
  if (length >= a.radius + b.radius && isApart && facesBoth(a, poseA, b, poseB, 1, -1)) {
    radial.outline = length - b.radius
    radial.rim = a.radius
    radial.length = unit
    noteRadial(1)
  }
  if (a.innerRadius >= b.radius + length && facesBoth(a, poseA, b, poseB, 1, 1)) {
    radial.outline = length + b.radius
    radial.rim = a.innerRadius
    radial.length = unit
    noteRadial(-1)
  }
  if (b.innerRadius >= a.radius + length && facesBoth(a, poseA, b, poseB, -1, -1)) {
    // Seen from the apex of A, the rim of B lies on the far side from B's apex, B's rim outside of A's.
    from.x = -from.x
    from.y = -from.y
    radial.outline = b.innerRadius - length
    radial.rim = a.radius
    radial.length = unit
    noteRadial(1)
  }
}

/** The apex of B relative to that of A. */
const between = { x: n, y: n }

function placeApexes(a: Shape, poseA: Pose, b: Shape, poseB: Pose): void {
  mergeRings(placeRing(ringA, a, poseA), placeRing(ringB, b, poseB), poseA, poseB)
  apex.x = poseA.x + ringA[0]
  apex.y = poseA.y + ringA[1]
  between.x = difference[0]
  between.y = difference[1]
}

/** Whether `from`, turned round where a sign is -1, lies in the opening of A and in that of B. */
function facesBoth(a: Shape, poseA: Pose, b: Shape, poseB: Pose, signA: number, signB: number): boolean {
  const { x, y } = from
  from.x = signA * x
  from.y = signA * y
  const inA = sideOfOpening(a, poseA) >= 0
  from.x = signB * x
  from.y = signB * y
  const inB = sideOfOpening(b, poseB) >= 0
  from.x = x
  from.y = y
  return inA && inB
}

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
    const length = Math.sqrt(from.x * from.x + from.y * from.y)
    best.time = time
    best.distance = 0
    best.normalX = -from.x / length
    best.normalY = -from.y / length
    best.x = apex.x + time * motion.x + (from.x / length) * arc.innerRadius
    best.y = apex.y + time * motion.y + (from.y / length) * arc.innerRadius
  } while (at < STRIDE * edges)
}

/** Overlaps shallower than this are touching, for `arcSweep`. */
export const TOUCH = 1e-6

function isAtRim({ innerRadius }: Shape, x: number, y: number, b: Shape): boolean {
  const past = Math.sqrt(x * x + y * y) + b.radius - innerRadius
  return past >= 0 && past <= TOUCH
}

function sweepArcs(a: Shape, poseA: Pose, b: Shape, poseB: Pose, touching: boolean): void {
  for (let turn = -1; turn <= 1; turn += 2) {
    if (b.halfAngleCos !== -1) sweepArc(a, poseA, placeSpoke(ringB, b, poseB, turn), POINT, poseB, touching)
  }
  const before = best.time
  const { x, y } = motion
  motion.x = -x
  motion.y = -y
  for (let turn = -1; turn <= 1; turn += 2) {
    if (a.halfAngleCos !== -1) sweepArc(b, poseB, placeSpoke(ringB, a, poseA, turn), POINT, poseA, touching)
  }
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

/** When the apexes of two arcs come to be `reach` apart, `turn` -1 nearing, 1 parting, in a direction that is in both openings. */
function sweepRims(a: Shape, poseA: Pose, b: Shape, poseB: Pose, reach: number, turn: number): void {
  const squared = motion.x * motion.x + motion.y * motion.y
  if (squared === 0) return
  const middle = (between.x * motion.x + between.y * motion.y) / squared
  const aside = (between.x * motion.y - between.y * motion.x) / squared
  const under = (reach * reach) / squared - aside * aside
  const time = middle + turn * Math.sqrt(Math.max(0, under))
  if (under < 0 || !(time >= 0 && time < best.time)) return
  from.x = between.x - time * motion.x
  from.y = between.y - time * motion.y
  const isAInB = turn === 1 && b.innerRadius > a.radius && reach === b.innerRadius - a.radius
  const [signA, signB] = turn === -1 ? [1, -1] : isAInB ? [-1, -1] : [1, 1]
  if (!facesBoth(a, poseA, b, poseB, signA, signB)) return
  const length = Math.sqrt(from.x * from.x + from.y * from.y)
  const x = from.x / length
  const y = from.y / length
  const rim = turn === -1 ? a.radius : isAInB ? -a.radius : a.innerRadius
  best.time = time
  best.distance = 0
  best.normalX = -turn * x
  best.normalY = -turn * y
  best.x = apex.x + time * motion.x + rim * x
  best.y = apex.y + time * motion.y + rim * y
}
