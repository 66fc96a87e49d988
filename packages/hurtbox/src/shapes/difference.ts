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
 * exact. That is why the answers of `overlaps` and `separation` do not depend on who is asked first. The offset between
 * the poses is subtracted first, so a pair far from the world's origin is as exact as its coordinates.
 *
 * The arrays below are scratch: written before they are read within one call, never kept between calls, not state.
 */

import { MAX_CORNERS } from './polygon.ts'
import type { Pose } from './pose.ts'
import type { Shape } from './shape.ts'

/** Corners and normals of one shape, turned to its facing, relative to its pose. */
export type Ring = {
  /** 0 for a circle, which still has one corner. */
  edges: number
  readonly x: Float64Array
  readonly y: Float64Array
  readonly normalX: Float64Array
  readonly normalY: Float64Array
}

export type Difference = Ring & {
  readonly ringA: Ring
  readonly ringB: Ring
  /** Corner k of the difference is corner `fromB[k]` of B minus corner `fromA[k]` of A. */
  readonly fromA: Uint8Array
  readonly fromB: Uint8Array
  /** Pose of B minus pose of A. */
  offsetX: number
  offsetY: number
}

/** The part of a difference that is nearest to the origin. */
export type Nearest = {
  /** The origin lies strictly within: the cores overlap. */
  inside: boolean
  /** The nearest part is on this edge; -1 if the difference is a single point. */
  edge: number
  /** The nearest part is this corner; -1 if it lies between the ends of `edge`. */
  corner: number
  /** Squared distance of the cores; 0 inside. */
  squared: number
  /** Distance of the cores along the normal of `edge`, negative inside. Only meaningful where `corner` is -1. */
  gap: number
}

export const difference: Difference = {
  ...createRing(2 * MAX_CORNERS),
  ringA: createRing(MAX_CORNERS),
  ringB: createRing(MAX_CORNERS),
  fromA: new Uint8Array(2 * MAX_CORNERS),
  fromB: new Uint8Array(2 * MAX_CORNERS),
  offsetX: 0,
  offsetY: 0,
}

export const nearest: Nearest = { inside: false, edge: -1, corner: 0, squared: 0.5, gap: 0.5 }

/** Fills `difference` with B minus A. */
export function subtract(a: Shape, poseA: Pose, b: Shape, poseB: Pose): void {
  placeRing(difference.ringA, a, poseA)
  placeRing(difference.ringB, b, poseB)
  mergeRings(poseA, poseB)
}

/** Turns the corners and normals of a shape to the facing of its pose. */
export function placeRing(ring: Ring, shape: Shape, pose: Pose): void {
  const { x, y, normalX, normalY } = ring
  const { corners, normals } = shape
  const { facingX, facingY } = pose
  const edges = normals.length >> 1
  ring.edges = edges
  x[0] = facingX * corners[0] - facingY * corners[1]
  y[0] = facingY * corners[0] + facingX * corners[1]
  for (let k = 0; k < edges; k++) {
    const cornerX = corners[2 * k]
    const cornerY = corners[2 * k + 1]
    x[k] = facingX * cornerX - facingY * cornerY
    y[k] = facingY * cornerX + facingX * cornerY
    const aheadX = normals[2 * k]
    const aheadY = normals[2 * k + 1]
    normalX[k] = facingX * aheadX - facingY * aheadY
    normalY[k] = facingY * aheadX + facingX * aheadY
  }
}

/** Merges `ringB` and the mirrored `ringA` by the direction of their edges. */
export function mergeRings(poseA: Pose, poseB: Pose): void {
  const { ringA, ringB, x, y, normalX, normalY, fromA, fromB } = difference
  const offsetX = poseB.x - poseA.x
  const offsetY = poseB.y - poseA.y
  difference.offsetX = offsetX
  difference.offsetY = offsetY

  const edgesA = ringA.edges
  const edgesB = ringB.edges
  let i = firstEdge(ringA, -1)
  let j = firstEdge(ringB, 1)
  let leftA = edgesA
  let leftB = edgesB
  let count = 0
  do {
    fromA[count] = i
    fromB[count] = j
    x[count] = offsetX + (ringB.x[j] - ringA.x[i])
    y[count] = offsetY + (ringB.y[j] - ringA.y[i])

    // Whose edge comes next, counter-clockwise? Both at once where they are parallel: two half edges would leave it to
    // rounding which of them the nearest point is on.
    const turn =
      leftA === 0 ? -1 : leftB === 0 ? 1 : ringA.normalY[i] * ringB.normalX[j] - ringA.normalX[i] * ringB.normalY[j]
    const takeA = leftA > 0 && !(turn < 0)
    const takeB = leftB > 0 && !(turn > 0)
    if (takeA && !(takeB && isBetterNormal(ringB.normalX[j], ringB.normalY[j], ringA.normalX[i], ringA.normalY[i]))) {
      normalX[count] = -ringA.normalX[i]
      normalY[count] = -ringA.normalY[i]
    } else {
      normalX[count] = ringB.normalX[j]
      normalY[count] = ringB.normalY[j]
    }
    if (takeA) {
      leftA--
      i = i + 1 === edgesA ? 0 : i + 1
    }
    if (takeB) {
      leftB--
      j = j + 1 === edgesB ? 0 : j + 1
    }
    count++
  } while (leftA > 0 || leftB > 0)
  difference.edges = edgesA + edgesB === 0 ? 0 : count
}

/** Finds the part of `difference` that is nearest to the origin and writes it into `nearest`. */
export function findNearest(): void {
  const { edges, x, y, normalX, normalY } = difference
  if (edges === 0) {
    nearest.inside = false
    nearest.edge = -1
    nearest.corner = 0
    nearest.squared = x[0] * x[0] + y[0] * y[0]
    return
  }

  let inside = true
  let edge = 0
  let corner = -1
  let gap = Number.NEGATIVE_INFINITY
  let squared = Number.POSITIVE_INFINITY
  for (let k = 0; k < edges; k++) {
    const startX = x[k]
    const startY = y[k]
    const outX = normalX[k]
    const outY = normalY[k]
    const distance = -(outX * startX + outY * startY)

    if (distance < 0) {
      // Behind this edge. As long as that is so for all of them, the shallowest is the way out.
      if (!inside || distance < gap) continue
      if (distance === gap && !isFirstChoice(outX, outY, normalX[edge], normalY[edge])) continue
      gap = distance
      edge = k
      continue
    }

    inside = false
    const next = k + 1 === edges ? 0 : k + 1
    const pastStart = outY * startX - outX * startY
    const pastEnd = outY * x[next] - outX * y[next]
    if (pastStart >= 0 && pastEnd <= 0) {
      const candidate = distance * distance
      if (candidate > squared) continue
      if (candidate === squared && corner < 0 && !isFirstChoice(outX, outY, normalX[edge], normalY[edge])) continue
      squared = candidate
      gap = distance
      edge = k
      corner = -1
    } else {
      const end = pastStart < 0 ? k : next
      const candidate = x[end] * x[end] + y[end] * y[end]
      if (!(candidate < squared)) continue
      squared = candidate
      edge = k
      corner = end
    }
  }
  nearest.inside = inside
  nearest.edge = edge
  nearest.corner = corner
  nearest.squared = inside ? 0 : squared
  nearest.gap = gap
}

function createRing(capacity: number): Ring {
  return {
    edges: 0,
    x: new Float64Array(capacity),
    y: new Float64Array(capacity),
    normalX: new Float64Array(capacity),
    normalY: new Float64Array(capacity),
  }
}

/** The first edge of a ring, counted from the direction of +x. `sign` -1 asks for the mirrored ring. */
function firstEdge(ring: Ring, sign: number): number {
  const { edges, normalX, normalY } = ring
  if (edges === 0) return 0
  let previousUpwards = isUpwards(sign * normalX[edges - 1], sign * normalY[edges - 1])
  for (let k = 0; k < edges; k++) {
    const upwards = isUpwards(sign * normalX[k], sign * normalY[k])
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
function isFirstChoice(outX: number, outY: number, thanX: number, thanY: number): boolean {
  return outX < thanX || (outX === thanX && outY < thanY)
}
