import { describe, expect, test } from 'vitest'
import { randomOf } from '../../../test/random.ts'
import {
  along,
  CASES,
  forCases,
  hullOf,
  pairOfVolumes,
  plus,
  randomUnit,
  reachOf,
  turnedPose,
  type Vec,
} from './fixtures/cases.ts'
import { outside } from './fixtures/proof.ts'
import {
  box,
  capsule,
  containsPoint,
  createSeparation,
  overlaps,
  pose,
  separation,
  sphere,
  type Volume,
} from './index.ts'

// Rules [VO4], [VO13], [VO14]; see docs/spec.md, section "Volumes". Distances are proven in separation.test.ts.

const out = createSeparation()

/** Verdicts with and without touching. */
function verdicts(a: Volume, atA: Vec, b: Volume, atB: Vec) {
  const poseA = turnedPose(atA)
  const poseB = turnedPose(atB)
  return [
    overlaps({ volume: a, pose: poseA }, { volume: b, pose: poseB }, true),
    overlaps({ volume: a, pose: poseA }, { volume: b, pose: poseB }, false),
  ]
}

describe('overlaps', () => {
  test('[VO13] holds exactly when the proven distance is not positive; touching is the distance 0', () => {
    let apart = 0
    let touch = 0
    let deep = 0
    forCases(CASES, (n) => {
      const { a, b, sort, size } = pairOfVolumes(n)
      separation(a, b, out)
      const touching = overlaps(a, b, true)
      const inside = overlaps(a, b, false)
      if (inside && !touching) return `${sort}: overlaps but does not touch`
      if (touching && !inside) touch++
      else if (inside) deep++
      else apart++
      // Squares and roots round differently: within rounding of touching, either verdict is right.
      if (Math.abs(out.distance) <= 4e-15 * size) return
      if (touching !== out.distance <= 0) return `${sort}: touching ${touching} at distance ${out.distance}`
      return inside !== out.distance < 0 ? `${sort}: inside ${inside} at distance ${out.distance}` : undefined
    })
    expect(Math.min(apart, deep)).toBeGreaterThan(CASES / 4)
    expect(touch).toBeGreaterThan(CASES / 500)
  })

  test('[VO13] spheres compare the squared distance with the squared sum of the radii', () => {
    // 3² + 4² + 12² = 13²: they touch to the bit.
    expect(verdicts(sphere(6), [0, 0, 0], sphere(7), [3, 4, 12])).toEqual([true, false])
    expect(verdicts(sphere(6), [0, 0, 0], sphere(7), [3, 4, 12.000001])).toEqual([false, false])
    expect(verdicts(sphere(6), [0, 0, 0], sphere(7), [3, 4, 11.999999])).toEqual([true, true])
    // 0.1 + 0.2 squared is not 0.3 squared; the verdict is that of the squares.
    const reach = 0.1 + 0.2
    expect(verdicts(sphere(0.1), [0, 0, 0], sphere(0.2), [0.3, 0, 0])).toEqual([
      0.3 * 0.3 <= reach * reach,
      0.3 * 0.3 < reach * reach,
    ])
  })

  const cube = box(1, 1, 1)
  test.each<readonly [string, Volume, Vec]>([
    ['a sphere on a face', sphere(0.5), [1.5, 0.25, 0.75]],
    ['a sphere on an edge (3, 4, 5)', sphere(5), [4, 5, 0.5]],
    ['a sphere on a corner (2, 3, 6, 7)', sphere(7), [3, 4, 7]],
    ['a capsule beside a face', capsule(0.5, 1), [1.5, 0.5, 0]],
    ['a capsule standing on the top', capsule(0.5, 1), [0.5, 0.5, 2.5]],
    ['a capsule beside an edge (3, 4, 5)', capsule(5, 1), [4, 5, 1.5]],
    ['a cube face to face', box(1, 1, 1), [2, 0.5, 0.25]],
    ['a cube edge to edge', box(1, 1, 1), [2, 2, 0.25]],
    ['a cube corner to corner', box(1, 1, 1), [2, 2, 2]],
    ['a rounded cube edge to edge (3, 4, 5)', box(1, 1, 1, { rounding: 5 }), [5, 6, 0.5]],
    ['a point on a face', sphere(0), [1, 0, 0]],
    ['a point on a corner', sphere(0), [1, 1, -1]],
    ['a blade along an edge', capsule(0, 2), [1, 1, 0]],
    ['a plate on a face', box(2, 2, 0), [0, 0, 1]],
  ])('[VO13] %s of a cube: touching counts if asked for, and a hair decides', (_, volume, at) => {
    const origin: Vec = [0, 0, 0]
    const farther = along(at, at, 1e-12)
    const nearer = along(at, at, -1e-12)
    expect(verdicts(volume, at, cube, origin), 'touching').toEqual([true, false])
    expect(verdicts(cube, origin, volume, at), 'the other way round').toEqual([true, false])
    expect(verdicts(volume, farther, cube, origin), 'a hair farther').toEqual([false, false])
    expect(verdicts(volume, nearer, cube, origin), 'a hair nearer').toEqual([true, true])
  })

  test('[VO13] sharp forms without an inside touch where they meet, and never more', () => {
    const blade = capsule(0, 1)
    const across = capsule(0, 1, { axis: [1, 0, 0] })
    expect(verdicts(blade, [0, 0, 0], across, [0.5, 0, 0.5])).toEqual([true, false])
    expect(verdicts(blade, [0, 0, 0], blade, [0, 0, 0])).toEqual([true, false])
    expect(verdicts(blade, [0, 0, 0], blade, [0, 0, 2])).toEqual([true, false])
    expect(verdicts(sphere(0), [1, 2, 3], sphere(0), [1, 2, 3])).toEqual([true, false])
    expect(verdicts(sphere(0), [0, 0, 0.5], blade, [0, 0, 0])).toEqual([true, false])
    // Plates that cross must move to be parted; for plates on one level the least lift is enough.
    const plate = box(1, 1, 0)
    const wall = box(1, 0, 1)
    expect(verdicts(plate, [0, 0, 0], wall, [0, 0, 0])).toEqual([true, true])
    expect(verdicts(plate, [0, 0, 0], plate, [0.5, 0, 0])).toEqual([true, false])
    expect(verdicts(plate, [0, 0, 0], plate, [0.5, 0, 1e-9])).toEqual([false, false])
  })

  test.each([96_065, 777_446])('[VO13] a blade through a sheet of paper, both turned (case %d), overlaps', (n) => {
    // Neither has a radius, and their nearest points are a rounding apart: once reported as apart.
    const { a, b } = pairOfVolumes(n)
    expect(a.volume.radius + b.volume.radius).toBe(0)
    expect(overlaps(a, b, true)).toBe(true)
    expect(overlaps(a, b, false)).toBe(true)
  })

  test('[VO13] contained volumes overlap, however small', () => {
    for (const small of [sphere(1e-6), capsule(1e-6, 1e-6), box(1e-6, 1e-6, 1e-6), sphere(0)]) {
      for (const large of [sphere(100), capsule(50, 50), box(100, 100, 100)]) {
        expect(verdicts(small, [3, 4, 5], large, [0, 0, 0])).toEqual([true, true])
      }
    }
  })

  test('[VO13] edges that cross: fifteen axes, not six', () => {
    // Two cubes, each standing on an edge, edges crossing at right angles: only the cross product of the edges parts them.
    const eighth = [Math.sin(Math.PI / 8), Math.cos(Math.PI / 8)] as const
    const a = turnedPose([0, 0, 0], [eighth[0], 0, 0, eighth[1]])
    const b = turnedPose([0, 0, 2 * Math.SQRT2 + 1e-9], [0, eighth[0], 0, eighth[1]])
    expect(overlaps({ volume: cube, pose: a }, { volume: cube, pose: b }, true)).toBe(false)
    b.z -= 2e-9
    expect(overlaps({ volume: cube, pose: a }, { volume: cube, pose: b }, false)).toBe(true)
  })

  test('[VO4] a form without extent answers as the simpler volume, to the bit', () => {
    const stand = pose({ x: 0, y: 0, z: 0 })
    const other = createSeparation()
    forCases(CASES, (n) => {
      const random = randomOf(n)
      const { b } = pairOfVolumes(n)
      const radius = random()
      const half = random()
      const at = along(b.place, randomUnit(random), 3 * random())
      stand.x = at[0]
      stand.y = at[1]
      stand.z = at[2]
      const [simple, flat] =
        n % 2 === 0
          ? [sphere(radius), n % 4 === 0 ? capsule(radius, 0) : box(0, 0, 0, { rounding: radius })]
          : [capsule(radius, half), box(0, 0, half, { rounding: radius })]
      separation({ volume: simple, pose: stand }, b, out)
      separation({ volume: flat, pose: stand }, b, other)
      if (out.distance !== other.distance || out.normalX !== other.normalX || out.z !== other.z) return 'differs'
      const verdict = overlaps({ volume: simple, pose: stand }, b, true)
      return verdict === overlaps({ volume: flat, pose: stand }, b, true) ? undefined : 'verdicts differ'
    })
  })
})

describe('containsPoint', () => {
  test('[VO14] holds exactly for the points that are not outside', () => {
    let within = 0
    forCases(CASES, (n) => {
      const { a, sort, size } = pairOfVolumes(n)
      const random = randomOf(n + 0x1000)
      const hull = hullOf(a, a.place)
      const local = along(hull.centre, randomUnit(random), reachOf(a) * 1.2 * random())
      const [x, y, z] = plus(a.place, local)
      const point = { x, y, z }
      const isWithin = containsPoint(a, point)
      if (isWithin) within++
      // The place is rounded where it is in the world; so is the verdict.
      const rounding = 1e-15 * (size + Math.abs(x) + Math.abs(y) + Math.abs(z))
      const gap = outside(hull, [x - a.place[0], y - a.place[1], z - a.place[2]])
      if (gap > rounding && isWithin) return `${sort}: ${gap} outside, but contained`
      return gap === 0 &&
        !isWithin &&
        !containsPoint({ volume: { ...a.volume, radius: a.radius + rounding, boundRadius: 1e9 }, pose: a.pose }, point)
        ? `${sort}: inside, but not contained`
        : undefined
    })
    expect(within).toBeGreaterThan(CASES / 4)
  })

  test('[VO14] the surface counts unless touching is false', () => {
    const at = pose({ x: 1, y: 2, z: 3 })
    expect(containsPoint({ volume: sphere(5), pose: at }, { x: 4, y: 6, z: 3 })).toBe(true)
    expect(containsPoint({ volume: sphere(5), pose: at }, { x: 4, y: 6, z: 3 }, false)).toBe(false)
    expect(containsPoint({ volume: box(1, 1, 1), pose: at }, { x: 2, y: 2, z: 3 })).toBe(true)
    expect(containsPoint({ volume: box(1, 1, 1), pose: at }, { x: 2, y: 2, z: 3 }, false)).toBe(false)
    expect(containsPoint({ volume: capsule(1, 1), pose: at }, { x: 1, y: 2, z: 5 })).toBe(true)
    expect(containsPoint({ volume: capsule(1, 1), pose: at }, { x: 1, y: 2, z: 5 }, false)).toBe(false)
  })
})
