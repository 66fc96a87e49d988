/**
 * Shapes as content: defined once, frozen, shared by everything that looks the same.
 *
 * Every convex shape is a set of corners with a radius around it, as in box2d v3: a circle is one corner, a capsule or
 * segment two, a box four, a polygon up to sixteen. So one distance function and one sweep carry all pairs. A melee arc
 * is a circle with a filter on the direction, and with a hole where it is a band.
 *
 * All shapes are built by one function and have the same fields in the same order, which keeps the queries monomorphic
 * whatever a game mixes. Everything in a shape is plain JSON, so it can go into a fingerprint as it is.
 */

import { describe, HurtboxError, requireFinite, requireQuantity, requireSize } from '../../base/errors.ts'
import { TAU } from '../math/scalar.ts'
import { direction } from '../math/trig.ts'
import { convexCorners } from './polygon.ts'
import { type Pose, vectorLength } from './pose.ts'

export type ShapeKind = 'circle' | 'capsule' | 'segment' | 'box' | 'polygon' | 'arc'

/** Any shape. Coordinates are local: +x is ahead, along the facing of the pose. */
export type Shape = {
  readonly kind: ShapeKind
  /**
   * Corners x, y, x, y … one per edge, counter-clockwise (y up). A circle or arc has one. A capsule or segment lists
   * each end twice: its ends are edges of length zero, with a normal, so that "beyond the end" is as certain a question
   * as "beside it".
   */
  readonly corners: readonly number[]
  /** Unit outward normals x, y, x, y … of the edges; edge k runs from corner k to the next. None for a circle or arc. */
  readonly normals: readonly number[]
  /** Rounding around the corners: radius of a circle or capsule, reach of an arc. */
  readonly radius: number
  /** Cosine and sine of half the arc's opening. A shape without the filter has (-1, 0): half a turn to either side. */
  readonly halfAngleCos: number
  readonly halfAngleSin: number
  /** Where an arc begins: 0 for a whole sector, more for a band. 0 for every other shape. */
  readonly innerRadius: number
  /** Bounding circle, local centre. Never smaller than the shape; a plain circle is its own, to the bit. */
  readonly boundX: number
  readonly boundY: number
  readonly boundRadius: number
  /** What `why` and drawings of boxes call it. */
  readonly label?: string
}

/** Anything but an arc: one formula has its distances and sweeps. */
export type ConvexShape = Shape & { readonly kind: Exclude<ShapeKind, 'arc'> }
export type ArcShape = Shape & { readonly kind: 'arc' }

/** A shape and where it is: what the queries of this folder ask about. */
export type PlacedShape<S extends Shape = Shape> = { readonly shape: S; readonly pose: Pose }

/** A point, relative to a pose. */
export type Point = readonly [x: number, y: number]

/** Where a shape lies relative to its pose: ahead (x) and aside (y). Default: centred on it. */
export type ShapeOffset = { readonly offsetX?: number; readonly offsetY?: number }

/** `rounding` grows the shape by that much on every side, corners rounded. */
export type RoundedShapeOptions = ShapeOffset & { readonly rounding?: number }

/** A bounding circle must hold every point of its shape although both are rounded: a hair larger than computed. */
const BOUND_MARGIN = 1 + 1e-12

export function circle(radius: number, options: ShapeOffset = {}): ConvexShape {
  requireSize(radius, 'circle radius')
  const { x, y } = offsetOf(options, 'circle')
  return build('circle', [x, y], [], radius, NO_FILTER, x, y, radius) as ConvexShape
}

/** Everything within `radius` of a line. */
export function capsule(from: Point, to: Point, radius: number, options: ShapeOffset = {}): ConvexShape {
  return stadium('capsule', [from, to], requireSize(radius, 'capsule radius'), options)
}

/** A bare line: a wall, a laser, a blade. */
export function segment(from: Point, to: Point, options: ShapeOffset = {}): ConvexShape {
  return stadium('segment', [from, to], 0, options)
}

/** A box of twice the half extents: `halfWidth` ahead and behind, `halfHeight` to either side. */
export function box(halfWidth: number, halfHeight: number, options: RoundedShapeOptions = {}): ConvexShape {
  requireSize(halfWidth, 'box halfWidth')
  requireSize(halfHeight, 'box halfHeight')
  const { x, y } = offsetOf(options, 'box')
  const rounding = requireSize(options.rounding ?? 0, 'box rounding')
  const [left, right] = [x - halfWidth, x + halfWidth]
  const [low, high] = [y - halfHeight, y + halfHeight]
  // A box without width still has four normals, so it needs no care of its own: it is the corners of a segment.
  return build(
    'box',
    [left, low, right, low, right, high, left, high],
    [0, -1, 1, 0, 0, 1, -1, 0],
    rounding,
    NO_FILTER,
    x,
    y,
    (vectorLength(halfWidth, halfHeight) + rounding) * BOUND_MARGIN,
  ) as ConvexShape
}

/**
 * A convex polygon of 3 to 16 corners, in either winding. Repeated corners and corners in the middle of a straight side
 * are dropped. For anything not convex use several polygons.
 */
export function polygon(points: readonly Point[], options: RoundedShapeOptions = {}): ConvexShape {
  const { x, y } = offsetOf(options, 'polygon')
  const rounding = requireSize(options.rounding ?? 0, 'polygon rounding')
  const { corners, normals, bound } = convexCorners(points)
  for (let i = 0; i < corners.length; i += 2) {
    corners[i] += x
    corners[i + 1] += y
  }
  const boundRadius = (bound.radius + rounding) * BOUND_MARGIN
  return build('polygon', corners, normals, rounding, NO_FILTER, bound.x + x, bound.y + y, boundRadius) as ConvexShape
}

/**
 * A melee arc: what lies within `reach` and within `angle`, the whole opening in radians, half of it to either side of the
 * facing. It may be wider than half a turn; `arc(100, TAU / 3)` is a whip of 100 px over 120 degrees.
 */
export function arc(reach: number, angle: number, options: ShapeOffset = {}): ArcShape {
  return sector(0, requireSize(reach, 'arc reach'), angle, options)
}

/**
 * A band of an arc: what lies between `inner` and `outer` and within `angle`, the whole opening in radians. A curved shield in
 * front of its owner, a ring of fire: `arcBand(40, 46, TAU / 3)`.
 */
export function arcBand(inner: number, outer: number, angle: number, options: ShapeOffset = {}): ArcShape {
  requireSize(inner, 'arcBand inner')
  if (!(requireSize(outer, 'arcBand outer') > inner)) {
    throw new HurtboxError('bad-argument', `arcBand outer must be more than inner, got ${inner} and ${outer}.`)
  }
  return sector(inner, outer, angle, options)
}

function sector(inner: number, reach: number, angle: number, options: ShapeOffset): ArcShape {
  if (!(requireFinite(angle, 'arc angle') > 0 && angle <= TAU)) {
    throw new HurtboxError(
      'out-of-range',
      `arc angle must be more than 0 and at most a full turn, in radians (2π), got ${angle}.`,
      { angle },
    )
  }
  const { x, y } = offsetOf(options, 'arc')
  const half = { x: 0, y: 0 }
  direction(angle / 2, half)
  // π / 2 in doubles is not quite a right angle, but it is meant as one.
  const filter = { cos: snap(half.x), sin: snap(half.y) }
  const bound = arcBound(inner, reach, filter)
  const opening = { ...filter, inner }
  return build('arc', [x, y], [], reach, opening, x + bound.ahead, y, bound.radius * BOUND_MARGIN) as ArcShape
}

type CosSin = { readonly cos: number; readonly sin: number }
type Opening = CosSin & { readonly inner: number }

const NO_FILTER: Opening = { cos: -1, sin: 0, inner: 0 }

/** The simplest shape of all: rays are its sweeps, and contained points its overlaps. */
export const POINT: ConvexShape = circle(0)

function requirePair(point: Point, name: string): void {
  if (Array.isArray(point) && point.length === 2) return
  throw new HurtboxError('bad-argument', `${name} must be 2 numbers, as [10, 20], got ${describe(point)}.`)
}

function stadium(
  kind: 'capsule' | 'segment',
  [from, to]: readonly [Point, Point],
  radius: number,
  options: ShapeOffset,
): ConvexShape {
  const { x, y } = offsetOf(options, kind)
  requirePair(from, `${kind} from`)
  requirePair(to, `${kind} to`)
  const startX = requireQuantity(from[0], `${kind} from[0]`) + x
  const startY = requireQuantity(from[1], `${kind} from[1]`) + y
  const endX = requireQuantity(to[0], `${kind} to[0]`) + x
  const endY = requireQuantity(to[1], `${kind} to[1]`) + y
  const length = vectorLength(endX - startX, endY - startY)
  const boundX = (startX + endX) / 2
  const boundY = (startY + endY) / 2
  const boundRadius = (length / 2 + radius) * BOUND_MARGIN
  // Without length there is no side to stand beside: a circle, whatever it is called.
  if (length === 0) {
    return build(kind, [startX, startY], [], radius, NO_FILTER, startX, startY, radius) as ConvexShape
  }
  const alongX = (endX - startX) / length
  const alongY = (endY - startY) / length
  return build(
    kind,
    [startX, startY, endX, endY, endX, endY, startX, startY],
    [alongY, 0 - alongX, alongX, alongY, 0 - alongY, alongX, 0 - alongX, 0 - alongY],
    radius,
    NO_FILTER,
    boundX,
    boundY,
    boundRadius,
  ) as ConvexShape
}

function snap(value: number): number {
  return Math.abs(value) < 1e-15 ? 0 : value
}

type Bound = { readonly ahead: number; readonly radius: number }

/** A small circle around an arc that looks along +x; the smallest one around a whole sector. */
function arcBound(inner: number, reach: number, { cos, sin }: CosSin): Bound {
  if (cos <= 0) return { ahead: 0, radius: reach }
  // Up to a quarter turn the circle passes through the apex and both tips; beyond, the tips are its diameter.
  const whole =
    cos >= sin ? { ahead: reach / (2 * cos), radius: reach / (2 * cos) } : { ahead: reach * cos, radius: reach * sin }
  if (inner === 0) return whole
  // A narrow band is far from its apex: the circle halfway between the inner tips and the middle of the rim.
  const ahead = (inner * cos + reach) / 2
  const radius = Math.max(
    reach - ahead,
    vectorLength(inner * cos - ahead, inner * sin),
    vectorLength(reach * cos - ahead, reach * sin),
  )
  return radius < whole.radius ? { ahead, radius } : whole
}

function offsetOf(options: ShapeOffset, kind: ShapeKind): { x: number; y: number } {
  if (typeof options !== 'object' || options === null) {
    throw new HurtboxError('bad-argument', `${kind} options must be an object, got ${String(options)}.`)
  }
  return {
    x: requireQuantity(options.offsetX ?? 0, `${kind} offsetX`),
    y: requireQuantity(options.offsetY ?? 0, `${kind} offsetY`),
  }
}

function build(
  kind: ShapeKind,
  corners: readonly number[],
  normals: readonly number[],
  radius: number,
  opening: Opening,
  boundX: number,
  boundY: number,
  boundRadius: number,
): Shape {
  // For V8 a size of 1 and a size of 1.5 must look the same, or each query meets several sorts of shapes and runs at half
  // the speed: numbers start as NaN, so their fields hold doubles from the start. For the same reason the two arrays are
  // not frozen (V8 boxes every number of a frozen array); their type says that they are read only.
  const n = Number.NaN
  const shape = {
    kind,
    corners: doubles(corners),
    normals: doubles(normals),
    radius: n,
    halfAngleCos: n,
    halfAngleSin: n,
    innerRadius: n,
    boundX: n,
    boundY: n,
    boundRadius: n,
  }
  shape.radius = radius
  shape.halfAngleCos = opening.cos
  shape.halfAngleSin = opening.sin
  shape.innerRadius = opening.inner
  shape.boundX = boundX
  shape.boundY = boundY
  shape.boundRadius = boundRadius
  return Object.freeze(shape)
}

function doubles(values: readonly number[]): number[] {
  const array = values.map(() => Number.NaN)
  for (let i = 0; i < values.length; i++) array[i] = values[i]
  return array
}
