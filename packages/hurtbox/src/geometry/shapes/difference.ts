/**
 * The Minkowski difference: two convex shapes become one, and every question about the pair a question about one point.
 *
 * Take every corner of B minus every corner of A: their hull holds the origin exactly when the cores of A and B share a
 * point, its distance from the origin is theirs, and moving A is moving the origin. Its edges are those of both shapes,
 * sorted by direction, so it is built by merging two rings that are sorted already: n + m steps, no iteration to a
 * tolerance, no trigonometry, no square root (normals are part of the shape). GJK and conservative advancement were the
 * alternatives: faster for hundreds of corners, but they end at a tolerance and have cases of their own for touching and
 * for deep overlap. With at most sixteen corners the exact way is also the short one.
 *
 * Swapping A and B mirrors the difference in the origin to the bit: each corner is `offset + (b - a)`, and negation is
 * exact. That is why the answers of `overlaps` and `separation` do not depend on the order of the shapes. The offset between
 * the poses is subtracted first, so a pair far from the world's origin is as exact as its coordinates.
 *
 * The arrays below are scratch: written before they are read within one call, never kept between calls, not state. They
 * are constants with all numbers of a corner side by side, because V8 then knows their addresses: 2.5 times as fast as an
 * object of eight arrays that is handed around. It knows them of a module's own constants only, not of imported or
 * exported ones, hence `scratch`: the other modules of this folder take their own constants from it.
 */

import { MAX_CORNERS } from './polygon.ts'
import type { Pose } from './pose.ts'
import type { Shape } from './shape.ts'

/** Numbers per corner of a ring: x, y, and the unit outward normal (x, y) of the edge that starts there. */
const STRIDE = 4

/** The two shapes, turned to their facings, each relative to its own pose. A circle is one corner without an edge. */
const ringA = new Float64Array(STRIDE * MAX_CORNERS)
const ringB = new Float64Array(STRIDE * MAX_CORNERS)

/** The difference, as a ring. The first corner is repeated after the last, so that corner k + 1 always exists. */
const difference = new Float64Array(STRIDE * (2 * MAX_CORNERS + 1))

/** Corner k of the difference is corner `sources[k] & 15` of B minus corner `sources[k] >> 4` of A: 4 bits for each. */
const sources = new Uint8Array(2 * MAX_CORNERS + 1)

/** The part of a difference that is nearest to the origin. */
type Nearest = {
  /** The origin lies strictly within: the cores overlap. */
  inside: boolean
  /** The nearest part is on this edge; -1 if the difference is a single point. */
  edge: number
  /** The nearest part is this corner; -1 if it lies between the ends of `edge`. */
  corner: number
  /** Squared distance of the cores. Not meaningful inside. */
  squared: number
  /** Distance of the cores along the normal of `edge`, negative inside. Only meaningful where `corner` is -1. */
  gap: number
}

const nearest: Nearest = { inside: false, edge: -1, corner: -1, squared: Number.NaN, gap: Number.NaN }

/** How far A stands from where the difference was taken: a sweep describes its contact where A has come to. */
const shift = { x: Number.NaN, y: Number.NaN }

export const scratch = { STRIDE, ringA, ringB, difference, sources, nearest, shift } as const

/** Fills `difference` with B minus A and returns how many edges it has: 0 for two circles, whose difference is a point. */
export function subtract(a: Shape, poseA: Pose, b: Shape, poseB: Pose): number {
  return mergeRings(placeRing(ringA, a, poseA), placeRing(ringB, b, poseB), poseA, poseB)
}

/** Turns the corners and normals of a shape to the facing of its pose, and returns the number of edges. */
export function placeRing(ring: Float64Array, shape: Shape, pose: Pose): number {
  const { corners, normals } = shape
  const { facingX, facingY } = pose
  const length = normals.length
  ring[0] = facingX * corners[0] - facingY * corners[1]
  ring[1] = facingY * corners[0] + facingX * corners[1]
  for (let from = 0; from < length; from += 2) {
    const cornerX = corners[from]
    const cornerY = corners[from + 1]
    const normalX = normals[from]
    const normalY = normals[from + 1]
    const to = 2 * from
    ring[to] = facingX * cornerX - facingY * cornerY
    ring[to + 1] = facingY * cornerX + facingX * cornerY
    ring[to + 2] = facingX * normalX - facingY * normalY
    ring[to + 3] = facingY * normalX + facingX * normalY
  }
  return length >> 1
}

/** Merges `ringB` and the mirrored `ringA` by the direction of their edges, and returns the number of edges. */
export function mergeRings(edgesA: number, edgesB: number, poseA: Pose, poseB: Pose): number {
  const offsetX = poseB.x - poseA.x
  const offsetY = poseB.y - poseA.y
  let i = edgesA === 0 || edgesB === 0 ? 0 : firstEdge(ringA, edgesA, -1)
  let j = edgesA === 0 || edgesB === 0 ? 0 : firstEdge(ringB, edgesB, 1)
  let leftA = edgesA
  let leftB = edgesB
  let count = 0
  do {
    const a = STRIDE * i
    const b = STRIDE * j
    const to = STRIDE * count
    sources[count] = (i << 4) | j
    difference[to] = offsetX + (ringB[b] - ringA[a])
    difference[to + 1] = offsetY + (ringB[b + 1] - ringA[a + 1])

    const outAX = -ringA[a + 2]
    const outAY = -ringA[a + 3]
    const outBX = ringB[b + 2]
    const outBY = ringB[b + 3]
    // Whose edge comes next, counter-clockwise?
    const turn = leftA === 0 ? -1 : leftB === 0 ? 1 : outAX * outBY - outAY * outBX
    if (turn > 0) {
      difference[to + 2] = outAX
      difference[to + 3] = outAY
      i = i + 1 === edgesA ? 0 : i + 1
      leftA--
    } else if (turn < 0) {
      difference[to + 2] = outBX
      difference[to + 3] = outBY
      j = j + 1 === edgesB ? 0 : j + 1
      leftB--
    } else {
      // Both at once where they are parallel: of two half edges, rounding would choose which holds the nearest point.
      const useB = isBetterNormal(outBX, outBY, outAX, outAY)
      difference[to + 2] = useB ? outBX : outAX
      difference[to + 3] = useB ? outBY : outAY
      i = i + 1 === edgesA ? 0 : i + 1
      j = j + 1 === edgesB ? 0 : j + 1
      leftA--
      leftB--
    }
    count++
  } while (leftA > 0 || leftB > 0)
  sources[count] = sources[0]
  difference[STRIDE * count] = difference[0]
  difference[STRIDE * count + 1] = difference[1]
  return edgesA + edgesB === 0 ? 0 : count
}

/**
 * Whether the origin lies within both radii of `difference`; at exactly that distance only if `touching`. The verdict
 * alone: `findNearest` without what only a distance needs, and done at the first side that parts the pair. (It takes
 * shapes, not a sum, because V8 boxes a fraction handed to a function; that would be garbage in every query.)
 */
export function isWithin(edges: number, a: Shape, b: Shape, touching: boolean): boolean {
  const reach = a.radius + b.radius
  let inside = edges > 0
  let squared = Number.POSITIVE_INFINITY
  if (edges === 0) squared = difference[0] * difference[0] + difference[1] * difference[1]
  for (let at = 0; at < STRIDE * edges; at += STRIDE) {
    const startX = difference[at]
    const startY = difference[at + 1]
    const outX = difference[at + 2]
    const outY = difference[at + 3]
    const endX = difference[at + STRIDE]
    const endY = difference[at + STRIDE + 1]
    const distance = -Math.max(outX * startX + outY * startY, outX * endX + outY * endY)
    // Distances here and squares below are one and the same comparison: different doubles have different squares.
    if (distance > reach) return false
    if (distance < 0) continue
    inside = false
    const pastStart = outY * startX - outX * startY
    const pastEnd = outY * endX - outX * endY
    const candidate =
      pastStart < 0 ? startX * startX + startY * startY : pastEnd > 0 ? endX * endX + endY * endY : distance * distance
    if (candidate < squared) squared = candidate
  }
  return inside || (touching ? squared <= reach * reach : squared < reach * reach)
}

/** Finds the part of `difference` that is nearest to the origin and writes it into `nearest`. */
export function findNearest(edges: number): void {
  if (edges === 0) {
    nearest.inside = false
    nearest.edge = -1
    nearest.corner = 0
    nearest.squared = difference[0] * difference[0] + difference[1] * difference[1]
    return
  }

  let inside = true
  let edge = 0
  let corner = -1
  let gap = Number.NEGATIVE_INFINITY
  let squared = Number.POSITIVE_INFINITY
  for (let k = 0; k < edges; k++) {
    const at = STRIDE * k
    const startX = difference[at]
    const startY = difference[at + 1]
    const outX = difference[at + 2]
    const outY = difference[at + 3]
    const endX = difference[at + STRIDE]
    const endY = difference[at + STRIDE + 1]
    // Both ends are at the same distance but for rounding. Taking the nearer keeps a line from having two outsides: a point
    // beside it is beyond one of its two sides at most.
    const distance = -Math.max(outX * startX + outY * startY, outX * endX + outY * endY)

    if (distance < 0) {
      // Behind this edge. As long as that is so for all of them, the shallowest is the way out.
      if (inside && (distance > gap || (distance === gap && isFirstChoice(k, edge)))) {
        gap = distance
        edge = k
      }
      continue
    }

    inside = false
    const pastStart = outY * startX - outX * startY
    const pastEnd = outY * endX - outX * endY
    if (pastStart < 0 || pastEnd > 0) {
      const candidate = pastStart < 0 ? startX * startX + startY * startY : endX * endX + endY * endY
      if (candidate < squared) {
        squared = candidate
        edge = k
        corner = pastStart < 0 ? k : k + 1 === edges ? 0 : k + 1
      }
    } else {
      const candidate = distance * distance
      if (candidate < squared || (candidate === squared && (corner >= 0 || isFirstChoice(k, edge)))) {
        squared = candidate
        gap = distance
        edge = k
        corner = -1
      }
    }
  }
  nearest.inside = inside
  nearest.edge = edge
  nearest.corner = corner
  nearest.squared = squared
  nearest.gap = gap
}

/** The first edge of a ring, counted from the direction of +x. `sign` -1 asks for the mirrored ring. */
function firstEdge(ring: Float64Array, edges: number, sign: number): number {
  let previousUpwards = isUpwards(sign * ring[STRIDE * edges - 2], sign * ring[STRIDE * edges - 1])
  for (let k = 0; k < edges; k++) {
    const upwards = isUpwards(sign * ring[STRIDE * k + 2], sign * ring[STRIDE * k + 3])
    if (upwards && !previousUpwards) return k
    previousUpwards = upwards
  }
  return 0
}

/** Whether the edge with this outward normal runs in a direction from 0 to just under half a turn. */
function isUpwards(normalX: number, normalY: number): boolean {
  return normalX > 0 || (normalX === 0 && normalY < 0)
}

/** Of two parallel normals that differ in the last bit, one choice that does not depend on which shape is A. */
function isBetterNormal(x: number, y: number, thanX: number, thanY: number): boolean {
  const sizeX = Math.abs(x)
  const sizeThanX = Math.abs(thanX)
  return sizeX > sizeThanX || (sizeX === sizeThanX && Math.abs(y) > Math.abs(thanY))
}

/** Ties between edges go to the direction from A to B that points most along +x, then +y; edges point the other way. */
function isFirstChoice(edge: number, than: number): boolean {
  const x = difference[STRIDE * edge + 2]
  const thanX = difference[STRIDE * than + 2]
  return x < thanX || (x === thanX && difference[STRIDE * edge + 3] < difference[STRIDE * than + 3])
}
