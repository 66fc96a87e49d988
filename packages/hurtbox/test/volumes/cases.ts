/**
 * Seeded pairs of volumes for the tests of this folder, each described twice: as the engine sees it (volume and pose) and,
 * independently of the engine's arithmetic, as corner points with a radius.
 *
 * Case n depends on n alone, so the number in a failure message repeats it: `pairOfVolumes(n)`. Only operations that are exact
 * on every engine are used, so that the cases, too, are the same everywhere.
 */

import { vi } from 'vitest'
import { box, capsule, type Pose, pose, sphere, type Volume } from '../../src/geometry/volumes/index.ts'
import { type Random, randomOf } from '../random.ts'

/** How many cases each property is tried on. */
export const CASES = process.env.HURTBOX_LONG ? 1_000_000 : 20_000
if (process.env.HURTBOX_LONG) vi.setConfig({ testTimeout: 3_600_000 })

/**
 * Tries a property on many cases. It returns what is wrong with case n, or nothing; the first failure is thrown with its
 * number. (An `expect` per case would take longer than the case.)
 */
export function forCases(count: number, property: (n: number) => string | undefined): void {
  for (let n = 0; n < count; n++) {
    const wrong = property(n)
    if (wrong !== undefined) throw new Error(`case ${n}: ${wrong}`)
  }
}

export type Vec = readonly [number, number, number]
export type Quaternion = readonly [x: number, y: number, z: number, w: number]

export type Body = {
  readonly volume: Volume
  readonly pose: Pose
  readonly kind: 'sphere' | 'capsule' | 'box'
  readonly radius: number
  /** Capsule: [0, 0, half length]. Box: half extents. */
  readonly half: Vec
  readonly turn: Quaternion
  readonly place: Vec
  readonly offset: Vec
}

/** A body as points, relative to a common origin so that nothing is lost far away. */
export type Hull = {
  readonly centre: Vec
  /** Unit vectors: the axes of a box; the first is the direction of a capsule. */
  readonly axes: readonly Vec[]
  readonly half: Vec
  readonly corners: readonly Vec[]
  readonly radius: number
}

export type Pair = { readonly a: Body; readonly b: Body; readonly sort: string; readonly size: number }

const SORTS = [
  'general',
  'general',
  'upright',
  'near',
  'contained',
  'lattice',
  'flat',
  'almost parallel',
  'mixed sizes',
  'far',
] as const

/** The cases of the normal suite are made once; those of a long run would not fit. */
const made: Pair[] = []

export function pairOfVolumes(n: number): Pair {
  return n < 20_000 ? (made[n] ??= makePair(n)) : makePair(n)
}

function makePair(n: number): Pair {
  const random = randomOf(n + 1)
  const sort = SORTS[n % SORTS.length]
  const a = randomBody(random, sort)
  let b = randomBody(random, sort)
  if (sort === 'contained') b = shrunk(b, a, random)
  if (sort === 'almost parallel') b = alignedWith(b, a, random)
  if (sort === 'lattice' && random() < 0.3) b = withPlace(b, a.place)
  if (sort === 'near') b = withPlace(b, along(a.place, randomUnit(random), reachOf(a) + reachOf(b) * (0.4 + random())))
  if (sort === 'far') {
    const far = random() < 0.5 ? 1e6 : 1e7
    const shift: Vec = [far * (random() * 2 - 1), far * (random() * 2 - 1), far * (random() * 2 - 1)]
    const moved = withPlace(a, plus(a.place, shift))
    return { a: moved, b: withPlace(b, plus(b.place, shift)), sort, size: reachOf(a) + reachOf(b) }
  }
  return { a, b, sort, size: reachOf(a) + reachOf(b) }
}

/** A body of a given form. */
export function bodyOf(
  kind: Body['kind'],
  radius: number,
  half: Vec,
  place: Vec,
  turn: Quaternion = [0, 0, 0, 1],
  offset: Vec = [0, 0, 0],
): Body {
  const options = { offsetX: offset[0], offsetY: offset[1], offsetZ: offset[2] }
  const volume =
    kind === 'sphere'
      ? sphere(radius, options)
      : kind === 'capsule'
        ? capsule(radius, half[2], options)
        : box(half[0], half[1], half[2], { ...options, rounding: radius })
  return { volume, pose: turnedPose(place, turn), kind, radius, half, turn, place, offset }
}

/** A pose turned by a unit quaternion, its axes in closed form. */
export function turnedPose([x, y, z]: Vec, [qx, qy, qz, qw]: Quaternion = [0, 0, 0, 1]): Pose {
  const made = pose({ x, y, z })
  made.xx = qw * qw + qx * qx - qy * qy - qz * qz
  made.xy = 2 * (qx * qy + qw * qz)
  made.xz = 2 * (qx * qz - qw * qy)
  made.yx = 2 * (qx * qy - qw * qz)
  made.yy = qw * qw - qx * qx + qy * qy - qz * qz
  made.yz = 2 * (qy * qz + qw * qx)
  made.zx = 2 * (qx * qz + qw * qy)
  made.zy = 2 * (qy * qz - qw * qx)
  made.zz = qw * qw - qx * qx - qy * qy + qz * qz
  return made
}

export function withPlace(body: Body, place: Vec): Body {
  return bodyOf(body.kind, body.radius, body.half, place, body.turn, body.offset)
}

function randomBody(random: Random, sort: (typeof SORTS)[number]): Body {
  const kind = (['sphere', 'capsule', 'box', 'box'] as const)[Math.floor(random() * 4)]
  const flat = sort === 'flat' || sort === 'lattice'
  const length = (): number => {
    if (flat && random() < 0.35) return 0
    if (sort === 'lattice') return 0.25 * Math.ceil(random() * 6)
    if (sort === 'mixed sizes') return MAGNITUDES[Math.floor(random() * MAGNITUDES.length)] * (1 + random())
    return 0.1 + 1.5 * random()
  }
  const radius = kind === 'box' && random() < 0.6 ? 0 : length()
  const half: Vec =
    kind === 'sphere' ? [0, 0, 0] : kind === 'capsule' ? [0, 0, length()] : [length(), length(), length()]
  const spread = 2.2
  const coordinate = (): number =>
    sort === 'lattice' ? 0.5 * Math.floor(random() * 7 - 3) : spread * (random() * 2 - 1)
  const place: Vec = [coordinate(), coordinate(), coordinate()]
  const offset: Vec = random() < 0.3 ? [coordinate(), coordinate(), coordinate()] : [0, 0, 0]
  const turn =
    sort === 'upright'
      ? upright(random)
      : sort === 'lattice'
        ? QUARTER_TURNS[Math.floor(random() * QUARTER_TURNS.length)]
        : randomTurn(random)
  return bodyOf(kind, radius, half, place, turn, offset)
}

const MAGNITUDES = [0.001, 0.01, 0.1, 1, 10, 100]
const HAIRS = [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14, 1e-15, 1e-16]

const h = Math.SQRT1_2
const QUARTER_TURNS: readonly Quaternion[] = [
  [0, 0, 0, 1],
  [0, 0, 0, 1],
  [1, 0, 0, 0],
  [0.5, 0.5, 0.5, 0.5],
  [0, 0, h, h],
  [h, 0, 0, h],
]

function shrunk(b: Body, a: Body, random: Random): Body {
  const scale = 0.02 + 0.3 * random()
  const half: Vec = [b.half[0] * scale, b.half[1] * scale, b.half[2] * scale]
  const centre = plus(a.place, rotate(a.turn, a.offset))
  const place: Vec = random() < 0.1 ? centre : along(centre, randomUnit(random), 0.2 * random())
  return bodyOf(b.kind, b.radius * scale, half, place, b.turn)
}

/** Turned by a hair against a, about any axis: edges are parallel but for 1e-3 to 1e-16. */
function alignedWith(b: Body, a: Body, random: Random): Body {
  const angle = HAIRS[Math.floor(random() * HAIRS.length)]
  const [x, y, z] = randomUnit(random)
  const hair: Quaternion = [(x * angle) / 2, (y * angle) / 2, (z * angle) / 2, Math.sqrt(1 - (angle * angle) / 4)]
  return bodyOf(b.kind, b.radius, b.half, b.place, normalised(times(hair, a.turn)), b.offset)
}

export function randomUnit(random: Random): Vec {
  for (;;) {
    const v: Vec = [random() * 2 - 1, random() * 2 - 1, random() * 2 - 1]
    const length = Math.sqrt(dot(v, v))
    if (length > 0.05 && length <= 1) return [v[0] / length, v[1] / length, v[2] / length]
  }
}

export function randomTurn(random: Random): Quaternion {
  for (;;) {
    const q: Quaternion = [random() * 2 - 1, random() * 2 - 1, random() * 2 - 1, random() * 2 - 1]
    const squared = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]
    if (squared > 0.01 && squared <= 1) return normalised(q)
  }
}

function upright(random: Random): Quaternion {
  const [x, y] = randomFacing(random)
  return [0, 0, x, y]
}

/** A unit vector of the plane. */
export function randomFacing(random: Random): readonly [number, number] {
  for (;;) {
    const x = random() * 2 - 1
    const y = random() * 2 - 1
    const length = Math.sqrt(x * x + y * y)
    if (length > 0.05 && length <= 1) return [x / length, y / length]
  }
}

export function hullOf(body: Body, origin: Vec): Hull {
  const centre = plus(minus(body.place, origin), rotate(body.turn, body.offset))
  const x = rotate(body.turn, [1, 0, 0])
  const y = rotate(body.turn, [0, 1, 0])
  const z = rotate(body.turn, [0, 0, 1])
  const corners: Vec[] = []
  if (body.kind === 'sphere') corners.push(centre)
  if (body.kind === 'capsule') corners.push(along(centre, z, body.half[2]), along(centre, z, -body.half[2]))
  if (body.kind === 'box') {
    for (const i of [-1, 1]) {
      for (const j of [-1, 1]) {
        for (const k of [-1, 1]) {
          corners.push(along(along(along(centre, x, i * body.half[0]), y, j * body.half[1]), z, k * body.half[2]))
        }
      }
    }
  }
  return { centre, axes: [x, y, z], half: body.half, corners, radius: body.radius }
}

/** Radius of a ball around the centre that holds the body. */
export function reachOf(body: Body): number {
  return Math.sqrt(dot(body.half, body.half)) + body.radius
}

export function dot(a: Vec, b: Vec): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

export function cross(a: Vec, b: Vec): Vec {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

export function plus(a: Vec, b: Vec): Vec {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

export function minus(a: Vec, b: Vec): Vec {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/** a + s·d */
export function along(a: Vec, d: Vec, s: number): Vec {
  return [a[0] + d[0] * s, a[1] + d[1] * s, a[2] + d[2] * s]
}

/** a × b: first turned by b, then by a. */
export function times(a: Quaternion, b: Quaternion): Quaternion {
  return [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
    a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
  ]
}

function normalised(q: Quaternion): Quaternion {
  const length = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
  return [q[0] / length, q[1] / length, q[2] / length, q[3] / length]
}

/** v turned by q, as the quaternion product q v q*. */
export function rotate(q: Quaternion, v: Vec): Vec {
  const [x, y, z] = times(times(q, [v[0], v[1], v[2], 0]), [-q[0], -q[1], -q[2], q[3]])
  return [x, y, z]
}
