/**
 * Against Rapier 3D (parry), single precision. Its numbers mean something down to about 1e-3 of the size of a pair: its GJK
 * stops there. Where it differs by more, it is not believed and not excused either: its own normal must refute it (a distance
 * is only a distance if a slab of that width lies across its normal, and that is checked on bare corner points), or our touch.
 *
 * Forms without extent are left out (parry does not promise anything for them), and places are taken relative to a.
 */

import RAPIER from '@dimforge/rapier3d-compat'
import { beforeAll, describe, expect, test } from 'vitest'
import { randomOf } from '../../../test/random.ts'
import {
  along,
  type Body,
  CASES,
  dot,
  forCases,
  hullOf,
  minus,
  type Pair,
  pairOfVolumes,
  plus,
  type Quaternion,
  randomUnit,
  rotate,
  type Vec,
} from './fixtures/cases.ts'
import { outside, slab } from './fixtures/proof.ts'
import {
  containsPoint,
  createImpact,
  createSeparation,
  overlaps,
  type Pose,
  pose,
  raycast,
  separation,
  sweep,
  type Vector,
} from './index.ts'

// Rule [VO20]; see docs/spec.md, section "Volumes".

beforeAll(() => RAPIER.init())

const out = createSeparation()
const impact = createImpact()
const RELATIVE = 1e-3
const STILL = { x: 0, y: 0, z: 0 }

const isComparable = ({ a, b, sort }: Pair): boolean =>
  sort !== 'flat' && sort !== 'mixed sizes' && [a, b].every((body) => sizesOf(body).every((size) => size > 0))

function forPairs(property: (pair: Pair, n: number) => string | undefined): void {
  forCases(CASES, (n) => {
    const pair = pairOfVolumes(n)
    return isComparable(pair) ? property(pair, n) : undefined
  })
}

function sizesOf(body: Body): readonly number[] {
  if (body.kind === 'sphere') return [body.radius]
  return body.kind === 'capsule' ? [body.radius, body.half[2]] : body.half
}

/** As Rapier sees it: its capsules stand along y, ours along z. */
function posed(body: Body, origin: Vec) {
  const { kind, radius, half, turn } = body
  const [x, y, z] = plus(minus(body.place, origin), rotate(turn, body.offset))
  const shape =
    kind === 'sphere'
      ? new RAPIER.Ball(radius)
      : kind === 'capsule'
        ? new RAPIER.Capsule(half[2], radius)
        : radius > 0
          ? new RAPIER.RoundCuboid(half[0], half[1], half[2], radius)
          : new RAPIER.Cuboid(half[0], half[1], half[2])
  return { shape, at: { x, y, z }, turn: kind === 'capsule' ? standingUp(turn) : quaternion(turn) }
}

/** The pose of b, with a at the origin. */
function seenFrom(a: Body, b: Body): Pose {
  return { ...b.pose, x: b.pose.x - a.pose.x, y: b.pose.y - a.pose.y, z: b.pose.z - a.pose.z }
}

const quaternion = ([x, y, z, w]: Quaternion) => ({ x, y, z, w })

/** turn × a quarter turn about x. */
function standingUp([x, y, z, w]: Quaternion) {
  const h = Math.SQRT1_2
  return { x: h * (x + w), y: h * (y + z), z: h * (z - y), w: h * (w - x) }
}

describe('Rapier 3D', () => {
  test('[VO20] verdicts agree; the one exception is 3e-5 of its size deep', () => {
    const disagree: number[] = []
    let compared = 0
    forPairs((pair, n) => {
      compared++
      const a = posed(pair.a, pair.a.place)
      const b = posed(pair.b, pair.a.place)
      const { distance } = separation(pair.a, pair.b, out)
      const ours = overlaps(pair.a, pair.b, true)
      const theirs = a.shape.intersectsShape(a.at, a.turn, b.shape, b.at, b.turn)
      // Exact touch cannot be expected in single precision.
      if (ours === theirs || Math.abs(distance) < 1e-6 * pair.size) return
      disagree.push(n)
      return Math.abs(distance) > RELATIVE * pair.size
        ? `${pair.sort}: ${ours}, Rapier ${theirs}, at ${distance}`
        : undefined
    })
    expect(compared).toBeGreaterThan(CASES / 2)
    if (CASES === 20_000) expect(disagree).toEqual([7823])
    else expect(disagree.length).toBeLessThan(CASES / 5000)
  })

  test('[VO20] distances and depths agree, or the own normal of Rapier refutes it', () => {
    let refuted = 0
    forPairs((pair) => {
      const a = posed(pair.a, pair.a.place)
      const b = posed(pair.b, pair.a.place)
      const { distance } = separation(pair.a, pair.b, out)
      const theirs = a.shape.contactShape(a.at, a.turn, b.shape, b.at, b.turn, 1e6)
      const scale = pair.size + Math.abs(distance)
      if (theirs !== null && Math.abs(theirs.distance - distance) < RELATIVE * scale) return
      refuted++
      // It found nothing within a million: once in a million pairs.
      if (theirs === null) return
      const { x, y, z } = theirs.normal1
      const width = slab(hullOf(pair.a, pair.a.place), hullOf(pair.b, pair.a.place), [x, y, z])
      // It says more than there is room for.
      return theirs.distance > width + 0.5 * RELATIVE * scale
        ? undefined
        : `${pair.sort}: ${distance}, Rapier ${theirs.distance}`
    })
    expect(refuted).toBeLessThan(CASES / 300)
  })

  test('[GE23] normals agree, or the slab across ours is no narrower than across theirs', () => {
    let compared = 0
    let refuted = 0
    forPairs((pair) => {
      const a = posed(pair.a, pair.a.place)
      const b = posed(pair.b, pair.a.place)
      const { distance, normalX, normalY, normalZ } = separation(pair.a, pair.b, out)
      const theirs = a.shape.contactShape(a.at, a.turn, b.shape, b.at, b.turn, 1e6)
      if (theirs === null) return
      compared++
      const { x, y, z } = theirs.normal1
      if (x * normalX + y * normalY + z * normalZ > 1 - 1e-3) return
      refuted++
      const [hullA, hullB] = [hullOf(pair.a, pair.a.place), hullOf(pair.b, pair.a.place)]
      const ours = slab(hullA, hullB, [normalX, normalY, normalZ])
      // A normal is right if the slab across it is as wide as the distance, and no other is wider.
      const isProven = Math.abs(ours - distance) < 1e-9 * (pair.size + Math.abs(distance))
      const isWidest = slab(hullA, hullB, [x, y, z]) <= ours + RELATIVE * pair.size
      return isProven && isWidest
        ? undefined
        : `${pair.sort}: (${normalX}, ${normalY}, ${normalZ}), Rapier (${x}, ${y}, ${z})`
    })
    expect(compared).toBeGreaterThan(CASES / 2)
    expect(refuted).toBeLessThan(compared / 10)
  })

  /** A way for a, roughly towards b. */
  function wayOf({ a, b, size }: Pair, n: number): Vector {
    const random = randomOf(n + 0x4000)
    const aim = along(minus(b.place, a.place), randomUnit(random), size * random())
    const speed = 0.5 + 3 * random()
    return { x: aim[0] * speed, y: aim[1] * speed, z: aim[2] * speed }
  }

  /** The proven distance when a has gone part `time` of the way. */
  function distanceAt({ a, b }: Pair, way: Vector, time: number): number {
    const moved = { ...a.pose, x: way.x * time, y: way.y * time, z: way.z * time }
    return separation({ volume: a.volume, pose: moved }, { volume: b.volume, pose: seenFrom(a, b) }, out).distance
  }

  test('[VO20] sweeps agree, or Rapier stops where there is still a gap, or too deep', () => {
    let hits = 0
    let refuted = 0
    forPairs((pair, n) => {
      const a = posed(pair.a, pair.a.place)
      const b = posed(pair.b, pair.a.place)
      const way = wayOf(pair, n)
      const hit = sweep({ ...pair.a, dx: way.x, dy: way.y, dz: way.z }, pair.b, impact)
      const theirs = a.shape.castShape(a.at, a.turn, way, b.shape, b.at, b.turn, STILL, 0, 1, true)
      if (hit) hits++
      if (hit === (theirs !== null) && (!hit || Math.abs(impact.time - theirs!.time_of_impact) < 1e-3)) return
      // Nor can a start in exact touch.
      if (Math.abs(distanceAt(pair, way, 0)) < 1e-6 * pair.size) return
      refuted++
      const { time } = impact
      // It misses; we show the touch.
      if (theirs === null)
        return Math.abs(distanceAt(pair, way, time)) < 1e-12 * pair.size ? undefined : `${pair.sort}: no touch`
      const theirGap = Math.abs(distanceAt(pair, way, theirs.time_of_impact))
      if (!hit)
        return theirGap > 1e-6 * pair.size ? undefined : `${pair.sort}: we miss a touch at ${theirs.time_of_impact}`
      const ourGap = Math.abs(distanceAt(pair, way, time))
      return ourGap < 1e-12 * pair.size && theirGap > 1e-6 * pair.size
        ? undefined
        : `${pair.sort}: time ${time} (gap ${ourGap}), Rapier ${theirs.time_of_impact} (gap ${theirGap})`
    })
    expect(hits).toBeGreaterThan(CASES / 4)
    expect(refuted).toBeLessThan(CASES / 500)
  })

  test('[VO20] rays and points agree, or Rapier is off the surface', () => {
    let hits = 0
    let refuted = 0
    forPairs((pair, n) => {
      const b = posed(pair.b, pair.a.place)
      const hull = hullOf(pair.b, pair.a.place)
      const random = randomOf(n + 0x5000)
      const target = along(hull.centre, randomUnit(random), 0.8 * pair.size * random())
      const [x, y, z] = target
      const stand = seenFrom(pair.a, pair.b)
      const within = containsPoint({ volume: pair.b.volume, pose: stand }, { x, y, z })
      if (within !== b.shape.containsPoint(b.at, b.turn, { x, y, z })) {
        refuted++
        const gap = outside(hull, target)
        const wrong = within ? gap > 1e-12 * pair.size : gap === 0
        if (wrong) return `${pair.sort}: contains ${within}, ${gap} outside`
      }
      const start = along(hull.centre, randomUnit(random), pair.size * (0.2 + random()))
      const origin = { x: start[0], y: start[1], z: start[2] }
      const way = { x: x - start[0], y: y - start[1], z: z - start[2] }
      const hit = raycast(
        { volume: pair.b.volume, pose: stand },
        { x: origin.x, y: origin.y, z: origin.z, dx: way.x, dy: way.y, dz: way.z },
        impact,
      )
      const theirs = b.shape.castRayAndGetNormal(new RAPIER.Ray(origin, way), b.at, b.turn, 1, true)
      if (hit) hits++
      if (hit === (theirs !== null)) {
        if (!hit || Math.abs(impact.time - theirs.timeOfImpact) < 1e-3) return
      }
      refuted++
      const gapAt = (time: number): number => outside(hull, along(start, [way.x, way.y, way.z], time))
      if (hit && gapAt(impact.time) > 1e-12 * pair.size) return `${pair.sort}: we are off the surface at ${impact.time}`
      // It misses; we have just shown the point.
      if (theirs === null) return
      // Where it stops there is still a gap, or it stops later than the surface.
      const isRefuted = gapAt(theirs.timeOfImpact) > 1e-6 * pair.size || (hit && impact.time < theirs.timeOfImpact)
      return isRefuted ? undefined : `${pair.sort}: ${hit ? impact.time : 'miss'}, Rapier ${theirs.timeOfImpact}`
    })
    expect(hits).toBeGreaterThan(CASES / 4)
    expect(refuted).toBeLessThan(CASES / 1000)
  })

  test('[VO20] spheres, capsules and boxes are compared in the same pose', () => {
    // A capsule along our z, turned to lie along x: both say that its tip touches at 1.5.
    const body: Body = {
      ...pairOfVolumes(0).a,
      kind: 'capsule',
      radius: 0.5,
      half: [0, 0, 1],
      turn: [0, Math.SQRT1_2, 0, Math.SQRT1_2],
      offset: [0, 0, 0],
      place: [0, 0, 0],
    }
    const { shape, at, turn } = posed(body, [0, 0, 0])
    expect(shape.containsPoint(at, turn, { x: 1.49, y: 0, z: 0 })).toBe(true)
    expect(shape.containsPoint(at, turn, { x: 0, y: 0, z: 0.51 })).toBe(false)
    expect(dot([1, 0, 0], rotate(body.turn, [0, 0, 1]))).toBeCloseTo(1, 12)
    expect(pose({ x: 0, y: 0, z: 0 }).zz).toBe(1)
  })
})
