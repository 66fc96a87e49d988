/** Seeded pairs of posed shapes for the differential tests: ordinary ones and every sort of awkward one. */

import {
  box,
  type ConvexShape,
  capsule,
  circle,
  type Pose,
  polygon,
  pose,
  segment,
} from '../../src/geometry/shapes/index.ts'
import { createRandom, type Random } from '../random.ts'
import { type Core, coreDistance, type Point } from './oracle.ts'

/** Pairs per function; the long run is a nightly matter. */
export const PAIRS = process.env.HURTBOX_LONG ? 1_000_000 : 20_000

/** For one test, in milliseconds. */
export const TIMEOUT = process.env.HURTBOX_LONG ? 3_600_000 : 60_000

export type Posed = {
  readonly shape: ConvexShape
  readonly pose: Pose
  /** Corners turned to the facing, relative to the pose. */
  readonly points: readonly Point[]
}

export type PairCase = {
  readonly seed: number
  readonly mode: Mode
  readonly a: Posed
  readonly b: Posed
  /** Both cores relative to the pose of A. */
  readonly coreA: Core
  readonly coreB: Core
  /** Size of the coordinates involved: what rounding is measured by. */
  readonly scale: number
}

export const MODES = [
  'ordinary',
  'lattice',
  'coincident',
  'far',
  'degenerate',
  'parallel',
  'contained',
  'apart',
  'touching',
] as const
export type Mode = (typeof MODES)[number]

const known = new Map<number, PairCase>()

/** Seeds 1, 2, 3 … go through all modes in turn. Kept for the next test while there is room. */
export function pairCase(seed: number): PairCase {
  let pair = known.get(seed)
  if (pair === undefined) {
    pair = makePair(seed)
    if (known.size < 20_000) known.set(seed, pair)
  }
  return pair
}

function makePair(seed: number): PairCase {
  const random = createRandom(seed)
  const mode = MODES[seed % MODES.length]
  const sizeA = mode === 'contained' ? 20 : 1
  const a = randomPosed(random, mode, sizeA, 0, 0)
  let b: Posed
  if (mode === 'coincident') b = randomPosed(random, mode, 1, a.pose.x, a.pose.y)
  else if (mode === 'contained') b = randomPosed(random, mode, 0.2, a.pose.x, a.pose.y)
  else if (mode === 'far') {
    const far = random() < 0.5 ? 1e6 : 1e7
    a.pose.x += far
    a.pose.y -= far
    b = randomPosed(random, mode, 1, far, -far)
  } else if (mode === 'apart') b = randomPosed(random, mode, 1, random() * 2e6 - 1e6, random() * 2e6 - 1e6)
  else b = randomPosed(random, mode, 1, 0, 0)
  if (mode === 'parallel') {
    // The same facing, or a quarter or half turn of it: sides exactly parallel, or parallel to the last bit.
    const quarter = Math.floor(random() * 4)
    const [fx, fy] = [a.pose.facingX, a.pose.facingY]
    const turned = [
      [fx, fy],
      [-fy, fx],
      [-fx, -fy],
      [fy, -fx],
    ][quarter]
    return assemble(
      seed,
      mode,
      a,
      reposed(b, pose({ x: b.pose.x, y: b.pose.y, facingX: turned[0], facingY: turned[1] })),
    )
  }
  const pair = assemble(seed, mode, a, b)
  if (mode !== 'touching') return pair
  // Slid together along the normal until they touch, give or take nothing, a hair, or a little.
  const { distance, normal } = coreDistance(pair.coreA.points, pair.coreB.points)
  const miss = [0, 1e-9, -1e-9, 1e-4, -1e-4][Math.floor(random() * 5)]
  const slide = pair.coreA.radius + pair.coreB.radius + miss - distance
  return movedB(pair, normal[0] * slide, normal[1] * slide)
}

/** The same pair with B moved along the given way. */
export function movedB(pair: PairCase, dx: number, dy: number): PairCase {
  const { b } = pair
  return assemble(pair.seed, pair.mode, pair.a, reposed(b, { ...b.pose, x: b.pose.x + dx, y: b.pose.y + dy }))
}

function assemble(seed: number, mode: Mode, a: Posed, b: Posed): PairCase {
  const offsetX = b.pose.x - a.pose.x
  const offsetY = b.pose.y - a.pose.y
  const coreA: Core = { points: a.points, radius: a.shape.radius }
  const coreB: Core = {
    points: b.points.map(([x, y]): Point => [offsetX + x, offsetY + y]),
    radius: b.shape.radius,
  }
  const scale = Math.max(
    ...[...coreA.points, ...coreB.points].map(([x, y]) => Math.abs(x) + Math.abs(y)),
    coreA.radius,
    coreB.radius,
  )
  return { seed, mode, a, b, coreA, coreB, scale }
}

export function describeCase({ seed, mode, a, b }: PairCase): string {
  const one = ({ shape, pose }: Posed) =>
    `${shape.kind} r=${shape.radius} [${shape.corners}] at (${pose.x}, ${pose.y}) facing (${pose.facingX}, ${pose.facingY})`
  return `seed ${seed}, ${mode}: ${one(a)} | ${one(b)}`
}

export function randomPosed(random: Random, mode: Mode, size: number, x: number, y: number): Posed {
  if (mode === 'lattice') return latticePosed(random)
  const exactPlace = mode === 'coincident' || mode === 'contained'
  const spread = exactPlace ? 0 : 4
  const angle = random() * 2 * Math.PI
  const made = randomShape(random, size, mode === 'degenerate')
  return posed(
    made.shape,
    made.points,
    pose({
      x: x + (random() * 2 - 1) * spread,
      y: y + (random() * 2 - 1) * spread,
      facingX: Math.cos(angle),
      facingY: Math.sin(angle),
    }),
  )
}

type Made = { shape: ConvexShape; points: Point[] }

/** A shape and, computed independently, its corners. */
function randomShape(random: Random, size: number, degenerate: boolean): Made {
  const length = () => (degenerate && random() < 0.5 ? 0 : size * (0.1 + 2 * random()))
  const place = () => (degenerate && random() < 0.5 ? 0 : size * (2 * random() - 1))
  const offset = random() < 0.3 ? { offsetX: place(), offsetY: place() } : { offsetX: 0, offsetY: 0 }
  const { offsetX, offsetY } = offset
  const shifted = (points: Point[]) => points.map(([x, y]): Point => [x + offsetX, y + offsetY])
  const kind = Math.floor(random() * 6)
  if (kind === 0) return { shape: circle(length(), offset), points: shifted([[0, 0]]) }
  if (kind === 1 || kind === 2) {
    const [ax, ay, bx, by] = [place(), place(), place(), place()]
    const shape = kind === 1 ? capsule([ax, ay], [bx, by], length(), offset) : segment([ax, ay], [bx, by], offset)
    const points: Point[] =
      ax === bx && ay === by
        ? [[ax, ay]]
        : [
            [ax, ay],
            [bx, by],
          ]
    return { shape, points: shifted(points) }
  }
  const rounding = random() < 0.5 ? 0 : length() / 4
  if (kind === 3) {
    const [w, h] = [length(), length()]
    const shape = box(w, h, { ...offset, rounding })
    const points: Point[] =
      w === 0 && h === 0
        ? [[0, 0]]
        : w === 0
          ? [
              [0, -h],
              [0, h],
            ]
          : h === 0
            ? [
                [-w, 0],
                [w, 0],
              ]
            : [
                [-w, -h],
                [w, -h],
                [w, h],
                [-w, h],
              ]
    return { shape, points: shifted(points) }
  }
  const points = randomConvexPoints(random, size)
  const given = random() < 0.5 ? points : [...points].reverse()
  return { shape: polygon(given, { ...offset, rounding }), points: shifted(points) }
}

/** Points on an ellipse at jittered angles: convex by construction, 3 to 16 corners, counter-clockwise. */
export function randomConvexPoints(random: Random, size: number): Point[] {
  const count = 3 + Math.floor(random() * 14)
  const [w, h] = [size * (0.3 + 2 * random()), size * (0.3 + 2 * random())]
  return Array.from({ length: count }, (_, k): Point => {
    const angle = ((k + 0.8 * random()) / count) * 2 * Math.PI
    return [w * Math.cos(angle), h * Math.sin(angle)]
  })
}

/** Whole numbers and quarter turns only: touching is exact, and the exact verdict is known. */
export function latticePosed(random: Random): Posed {
  const whole = (max: number) => Math.floor(random() * (max + 1))
  const facing: readonly Point[] = [
    [1, 0],
    [0, 1],
    [-1, 0],
    [0, -1],
  ]
  const [fx, fy] = facing[whole(3)]
  const place = pose({ x: whole(12) - 6, y: whole(12) - 6, facingX: fx, facingY: fy })
  const kind = whole(3)
  const radius = whole(2)
  if (kind === 0) return posed(circle(radius), [[0, 0]], place)
  if (kind === 1) {
    const length = whole(3)
    const points: Point[] =
      length === 0
        ? [[0, 0]]
        : [
            [-length, 0],
            [length, 0],
          ]
    return posed(capsule([-length, 0], [length, 0], radius), points, place)
  }
  const [w, h] = [1 + whole(2), 1 + whole(2)]
  return posed(
    box(w, h, { rounding: kind === 2 ? 0 : radius }),
    [
      [-w, -h],
      [w, -h],
      [w, h],
      [-w, h],
    ],
    place,
  )
}

function posed(shape: ConvexShape, localPoints: readonly Point[], place: Pose): Posed {
  const { facingX, facingY } = place
  const points = localPoints.map(([x, y]): Point => [facingX * x - facingY * y, facingY * x + facingX * y])
  return { shape, pose: place, points }
}

function reposed(from: Posed, place: Pose): Posed {
  const { facingX, facingY } = from.pose
  // Turn back to local, then to the new facing.
  const local = from.points.map(([x, y]): Point => [facingX * x + facingY * y, facingX * y - facingY * x])
  if (place.facingX === facingX && place.facingY === facingY)
    return { shape: from.shape, pose: place, points: from.points }
  return posed(from.shape, local, place)
}
