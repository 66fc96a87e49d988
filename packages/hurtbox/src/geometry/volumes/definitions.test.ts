import { describe, expect, test } from 'vitest'
import { randomOf } from '../../../test/random.ts'
import { HurtboxError } from '../../base/errors.ts'
import {
  bodyOf,
  CASES,
  dot,
  forCases,
  hullOf,
  pairOfVolumes,
  randomFacing,
  turnedPose,
  type Vec,
} from './fixtures/cases.ts'
import { box, capsule, type Pose, pose, setPose, setPoseAxes, sphere, type Volume } from './index.ts'
import { boundingSphere } from './volume.ts'

// Rules [VO1] to [VO4]; see docs/spec.md, section "Volumes".

const BAD_NUMBERS: readonly unknown[] = [
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  1e308,
  -1e308,
  '1',
  null,
  [1],
  {},
  true,
]

/** The message of the error that the call throws; the test fails if it throws none or another kind. */
function refusal(call: () => unknown): string {
  try {
    call()
  } catch (error) {
    if (error instanceof HurtboxError) return error.message
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('definitions', () => {
  const makers: readonly (readonly [name: string, make: (value: never) => Volume])[] = [
    ['sphere radius', (value) => sphere(value)],
    ['sphere offsetX', (value) => sphere(1, { offsetX: value })],
    ['sphere offsetY', (value) => sphere(1, { offsetY: value })],
    ['sphere offsetZ', (value) => sphere(1, { offsetZ: value })],
    ['capsule radius', (value) => capsule(value, 1)],
    ['capsule halfLength', (value) => capsule(1, value)],
    ['capsule axis[0]', (value) => capsule(1, 1, { axis: [value, 0, 1] })],
    ['capsule axis[1]', (value) => capsule(1, 1, { axis: [0, value, 1] })],
    ['capsule axis[2]', (value) => capsule(1, 1, { axis: [0, 0, value] })],
    ['capsule offsetZ', (value) => capsule(1, 1, { offsetZ: value })],
    ['box halfX', (value) => box(value, 1, 1)],
    ['box halfY', (value) => box(1, value, 1)],
    ['box halfZ', (value) => box(1, 1, value)],
    ['box rounding', (value) => box(1, 1, 1, { rounding: value })],
    ['box offsetX', (value) => box(1, 1, 1, { offsetX: value })],
  ]

  test.each(makers)('[VO1] %s refuses what is no number of the simulated space, and says its name', (name, make) => {
    for (const value of BAD_NUMBERS) {
      // A missing option is not an error, and 1e308 as an axis is a length, reported as such.
      if (value === null && (name.includes('offset') || name.includes('rounding'))) continue
      const isLength = name.includes('axis') && Math.abs(Number(value)) === 1e308
      expect(
        refusal(() => make(value as never)),
        String(value),
      ).toContain(isLength ? 'capsule axis' : name)
    }
  })

  test.each([
    'sphere radius',
    'capsule radius',
    'capsule halfLength',
    'box halfX',
    'box halfY',
    'box halfZ',
    'box rounding',
  ])('[VO1] %s must not be negative', (name) => {
    const make = makers.find(([maker]) => maker === name)![1]
    expect(refusal(() => make(-0.001 as never))).toContain(`${name} must not be negative`)
  })

  test('[VO1] a capsule axis must have length 1', () => {
    expect(refusal(() => capsule(1, 1, { axis: [0, 0, 2] }))).toBe(
      'capsule axis must have length 1, got (0, 0, 2). Normalise it first.',
    )
    expect(refusal(() => capsule(1, 1, { axis: [0, 0, 0] }))).toContain('capsule axis must have length 1')
    expect(refusal(() => capsule(1, 1, { axis: [0, 1] as never }))).toContain('capsule axis must be three numbers')
    expect(refusal(() => capsule(1, 1, { axis: 'z' as never }))).toContain('capsule axis must be three numbers')
  })

  test('[VO1] options must be an object', () => {
    expect(refusal(() => sphere(1, null as never))).toContain('sphere options')
    expect(refusal(() => capsule(1, 1, 7 as never))).toContain('capsule options')
    expect(refusal(() => box(1, 1, 1, 'round' as never))).toContain('box options')
  })

  test('[VO1] a volume is plain, frozen data', () => {
    for (const volume of [sphere(1), capsule(1, 2), box(1, 2, 3, { rounding: 0.5, offsetX: 1 })]) {
      expect(Object.isFrozen(volume)).toBe(true)
      expect(JSON.parse(JSON.stringify(volume))).toEqual(volume)
    }
    expect(box(0.5, 0.75, 1, { offsetX: 1.5 })).toMatchObject({
      kind: 'box',
      halfX: 0.5,
      halfY: 0.75,
      halfZ: 1,
      offsetX: 1.5,
    })
  })

  test('[VO4] a form without extent is the simpler volume', () => {
    const core = (volume: Volume): unknown => ({ ...volume, kind: null })
    expect(core(capsule(0.5, 0))).toEqual(core(sphere(0.5)))
    expect(core(box(0, 0, 0, { rounding: 0.5 }))).toEqual(core(sphere(0.5)))
    expect(core(box(0, 0, 2, { rounding: 0.5 }))).toEqual(core(capsule(0.5, 2)))
    expect(core(box(2, 0, 0, { rounding: 0.5 }))).toEqual(core(capsule(0.5, 2, { axis: [1, 0, 0] })))
    expect(core(capsule(0.5, 1e-70))).toEqual(core(sphere(0.5)))
  })
})

describe('poses', () => {
  const setters: readonly (readonly [name: string, set: (value: never) => void])[] = [
    ['pose x', (value) => pose({ x: value, y: 0, z: 0 })],
    ['pose y', (value) => setPose(pose({ x: 0, y: 0, z: 0 }), { x: 0, y: value, z: 0 })],
    ['pose z', (value) => setPose(pose({ x: 0, y: 0, z: 0 }), { x: 0, y: 0, z: value })],
    ['pose facing', (value) => pose({ x: 0, y: 0, z: 0, facingX: value, facingY: 0 })],
    ['pose facing', (value) => pose({ x: 0, y: 0, z: 0, facingX: 0, facingY: value })],
    [
      'pose ahead',
      (value) =>
        setPoseAxes(pose({ x: 0, y: 0, z: 0 }), { x: 0, y: 0, z: 0 }, { x: 1, y: value, z: 0 }, { x: 0, y: 0, z: 1 }),
    ],
    [
      'pose ahead and up',
      (value) =>
        setPoseAxes(pose({ x: 0, y: 0, z: 0 }), { x: 0, y: 0, z: 0 }, { x: 1, y: 0, z: 0 }, { x: 0, y: value, z: 1 }),
    ],
  ]

  test.each(setters)('[VO2] %s refuses what is no number of the simulated space, and says its name', (name, set) => {
    for (const value of BAD_NUMBERS) {
      expect(
        refusal(() => set(value as never)),
        String(value),
      ).toContain(name)
    }
  })

  test('[VO2] an orientation that is not of unit length, or not at right angles, is refused', () => {
    const at = pose({ x: 0, y: 0, z: 0 })
    expect(refusal(() => pose({ x: 0, y: 0, z: 0, facingX: 3, facingY: 4 }))).toContain(
      'pose facing must be numbers, of length 1',
    )
    expect(pose({ x: 0, y: 0, z: 0, facingX: 0, facingY: 0 })).toEqual(at)
    expect(refusal(() => setPose(at, { x: 0, y: 0, z: 0, facingX: Number.NaN, facingY: 0 }))).toContain('pose facing')
    setPose(at, { x: 0, y: 0, z: 0, facingX: 0, facingY: 0 })
    expect(refusal(() => setPose(at, { x: 0, y: 0, z: 0, facingX: 1, facingY: 1e-4 }))).toContain('pose facing')
    expect(refusal(() => setPoseAxes(at, { x: 0, y: 0, z: 0 }, { x: 2, y: 0, z: 0 }, { x: 0, y: 0, z: 1 }))).toContain(
      'pose ahead',
    )
    expect(refusal(() => setPoseAxes(at, { x: 0, y: 0, z: 0 }, { x: 1, y: 0, z: 0 }, { x: 0, y: 0, z: 2 }))).toContain(
      'pose ahead and up',
    )
    expect(refusal(() => setPoseAxes(at, { x: 0, y: 0, z: 0 }, { x: 1, y: 0, z: 0 }, { x: 1, y: 0, z: 0 }))).toContain(
      'right angles',
    )
    const askew = Math.sqrt(1 - 1e-10)
    expect(
      refusal(() => setPoseAxes(at, { x: 0, y: 0, z: 0 }, { x: 1, y: 0, z: 0 }, { x: 1e-5, y: 0, z: askew })),
    ).toContain('right angles')
  })

  test('[VO2] facing is the local x axis, left of it is local y, up is local z', () => {
    expect(pose({ x: 1, y: 2, z: 3, facingX: 0, facingY: 1 })).toEqual({
      x: 1,
      y: 2,
      z: 3,
      xx: 0,
      xy: 1,
      xz: 0,
      yx: -1,
      yy: 0,
      yz: 0,
      zx: 0,
      zy: 0,
      zz: 1,
    })
  })

  test('[VO2] facing and axes describe the same turn', () => {
    const fromFacing = pose({ x: 0, y: 0, z: 0 })
    const fromAxes = pose({ x: 0, y: 0, z: 0 })
    forCases(1000, (n) => {
      const random = randomOf(n)
      // Half of an angle, doubled by the formulas for the sine and cosine of twice an angle.
      const [c, s] = randomFacing(random)
      setPose(fromFacing, { x: n, y: 2, z: 3, facingX: c * c - s * s, facingY: 2 * c * s })
      setPoseAxes(fromAxes, { x: n, y: 2, z: 3 }, { x: c * c - s * s, y: 2 * c * s, z: 0 }, { x: 0, y: 0, z: 1 })
      const fromQuaternion = turnedPose([n, 2, 3], [0, 0, s, c])
      const gap = Math.max(difference(fromFacing, fromQuaternion), difference(fromFacing, fromAxes))
      return gap < 1e-15 ? undefined : `differ by ${gap}`
    })
  })

  test('[VO2] ahead and up give three axes, orthonormal and right-handed', () => {
    const at = pose({ x: 0, y: 0, z: 0 })
    const vectorOf = ([x, y, z]: Vec) => ({ x, y, z })
    forCases(CASES, (n) => {
      const { a } = pairOfVolumes(n)
      const { axes } = hullOf(a, a.place)
      setPoseAxes(at, a.pose, vectorOf(axes[0]), vectorOf(axes[2]))
      const { xx, xy, xz, yx, yy, yz, zx, zy, zz } = at
      const ours: readonly Vec[] = [
        [xx, xy, xz],
        [yx, yy, yz],
        [zx, zy, zz],
      ]
      for (let i = 0; i < 3; i++) {
        for (let j = 0; j < 3; j++) {
          // Left is the product of the other two, and has the rounding of both.
          if (Math.abs(ours[i][j] - axes[i][j]) > 4e-15) return `axis ${i} is ${ours[i]}, not ${axes[i]}`
          if (Math.abs(dot(ours[i], ours[j]) - (i === j ? 1 : 0)) > 4e-15) return `axes ${i} and ${j} are askew`
        }
      }
      const handedness = xx * (yy * zz - yz * zy) + xy * (yz * zx - yx * zz) + xz * (yx * zy - yy * zx)
      return handedness > 0.99 ? undefined : 'left-handed'
    })
  })
})

describe('bounding spheres', () => {
  test('[VO3] a sphere is its own bounding sphere, to the bit', () => {
    const out = { x: 0, y: 0, z: 0, radius: 0 }
    expect(boundingSphere({ volume: sphere(0.1), pose: pose({ x: 1, y: 2, z: 3 }) }, out)).toEqual({
      x: 1,
      y: 2,
      z: 3,
      radius: 0.1,
    })
    expect(boundingSphere({ volume: capsule(0.1, 0), pose: pose({ x: 1, y: 2, z: 3 }) }, out)).toEqual({
      x: 1,
      y: 2,
      z: 3,
      radius: 0.1,
    })
  })

  test('[VO3] an offset is turned with the pose', () => {
    const out = { x: 0, y: 0, z: 0, radius: 0 }
    boundingSphere(
      {
        volume: box(0.5, 0.75, 1, { offsetX: 1.5, offsetZ: 1 }),
        pose: pose({ x: 10, y: 20, z: 30, facingX: 0, facingY: 1 }),
      },
      out,
    )
    expect([out.x, out.y, out.z]).toEqual([10, 21.5, 31])
    expect(out.radius).toBeCloseTo(Math.sqrt(0.25 + 0.5625 + 1), 10)
  })

  test('[VO3] it holds every point of the volume, and is at most a part in 1e11 too large', () => {
    const out = { x: 0, y: 0, z: 0, radius: 0 }
    forCases(CASES, (n) => {
      const { a } = pairOfVolumes(n)
      boundingSphere(a, out)
      const { corners } = hullOf(a, [0, 0, 0])
      let farthest = 0
      for (const [x, y, z] of corners) {
        const squared = (x - out.x) * (x - out.x) + (y - out.y) * (y - out.y) + (z - out.z) * (z - out.z)
        farthest = Math.max(farthest, Math.sqrt(squared) + a.radius)
      }
      // The corners of this test are rounded at their place in the world, which far away is more than the sphere allows for.
      const rounding = 4e-16 * (sumOf(a.place) + sumOf(a.offset))
      if (out.radius < farthest - rounding) return `too small by ${farthest - out.radius}`
      const slack = 1e-11 * farthest + 10 * rounding
      return out.radius > farthest + slack ? `too large by ${out.radius - farthest}` : undefined
    })
  })

  test('[VO3] the bounding radius alone never rejects a pair that the corners touch', () => {
    // The corner of a box, straight above the pole of a sphere along the diagonal.
    const cube = bodyOf('box', 0, [1, 1, 1], [0, 0, 0])
    const { boundRadius } = cube.volume
    expect(boundRadius).toBeGreaterThan(Math.sqrt(3))
    expect(boundRadius).toBeLessThan(Math.sqrt(3) * (1 + 2e-12))
  })
})

function sumOf(v: Vec): number {
  return Math.abs(v[0]) + Math.abs(v[1]) + Math.abs(v[2])
}

function difference(a: Pose, b: Pose): number {
  let largest = 0
  for (const key of Object.keys(a) as (keyof Pose)[]) largest = Math.max(largest, Math.abs(a[key] - b[key]))
  return largest
}
