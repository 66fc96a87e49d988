import { describe, expect, test } from 'vitest'
import {
  along,
  type Body,
  bodyOf,
  CASES,
  dot,
  forCases,
  hullOf,
  minus,
  pairOfVolumes,
  type Vec,
  withPlace,
} from './fixtures/cases.ts'
import { outside, slab, widestSlab } from './fixtures/proof.ts'
import { box, capsule, createSeparation, overlaps, pose, separation, setPose, sphere } from './index.ts'

// Rules [VO5] to [VO12]; see docs/spec.md, section "Volumes".

/** Largest error allowed, in parts of the size of the pair. Measured over 1e6 cases: 2.1e-13 at worst. */
const TOLERANCE = 1e-12

const out = createSeparation()

/** What the engine says, as vectors seen from the place of a. */
function measured(a: Body, b: Body) {
  separation(a, b, out)
  const normal: Vec = [out.normalX, out.normalY, out.normalZ]
  return { distance: out.distance, normal, point: minus([out.x, out.y, out.z], a.place) }
}

/** The size of the pair; with the place in the world, whose own rounding the contact point cannot escape. */
function scales(a: Body, size: number) {
  const place = Math.abs(a.place[0]) + Math.abs(a.place[1]) + Math.abs(a.place[2])
  return { size: TOLERANCE * Math.max(size, 1e-9), place: TOLERANCE * Math.max(size, 1e-9) + 4e-16 * place }
}

describe('distance of volumes that are apart', () => {
  test('[VO5] is proven: two points are that near, and a slab of that width lies between', () => {
    let apart = 0
    forCases(CASES, (n) => {
      const { a, b, sort, size } = pairOfVolumes(n)
      const { distance, normal, point } = measured(a, b)
      if (distance <= 0) return
      apart++
      const hullA = hullOf(a, a.place)
      const hullB = hullOf(b, a.place)
      const allowed = scales(a, size + distance)
      const gap = slab(hullA, hullB, normal) - distance
      if (Math.abs(gap) > allowed.size) return `${sort}: slab differs from distance ${distance} by ${gap}`
      const missA = outside(hullA, along(point, normal, -distance / 2))
      if (missA > allowed.place) return `${sort}: ${missA} from a to its nearest point`
      const missB = outside(hullB, along(point, normal, distance / 2))
      return missB > allowed.place ? `${sort}: ${missB} from b to its nearest point` : undefined
    })
    expect(apart).toBeGreaterThan(CASES / 3)
  })
})

describe('depth of volumes that overlap', () => {
  test('[VO6] is the shortest way out: along the normal it parts them, along no other direction does less', () => {
    let deep = 0
    forCases(CASES, (n) => {
      const { a, b, sort, size } = pairOfVolumes(n)
      const { distance, normal } = measured(a, b)
      if (distance > 0) return
      deep++
      const hullA = hullOf(a, a.place)
      const hullB = hullOf(b, a.place)
      const allowed = scales(a, size)
      const gap = slab(hullA, hullB, normal) - distance
      if (Math.abs(gap) > allowed.size)
        return `${sort}: along the normal they overlap by ${distance + gap}, not ${distance}`
      const widest = widestSlab(hullA, hullB)
      return widest > distance + allowed.size ? `${sort}: ${-widest} would do instead of ${-distance}` : undefined
    })
    expect(deep).toBeGreaterThan(CASES / 4)
  })

  test('[VO6] where only the roundings overlap, the depth is the radii less the proven distance of the cores', () => {
    let rounded = 0
    forCases(CASES, (n) => {
      const { a, b, sort, size } = pairOfVolumes(n)
      const sharpA = bodyOf(a.kind, 0, a.half, a.place, a.turn, a.offset)
      const sharpB = bodyOf(b.kind, 0, b.half, b.place, b.turn, b.offset)
      const core = measured(sharpA, sharpB)
      if (core.distance <= 1e-9 * size) return
      const { distance, normal } = measured(a, b)
      if (distance < 0) rounded++
      const allowed = scales(a, size + core.distance)
      const gap = core.distance - a.radius - b.radius - distance
      if (Math.abs(gap) > allowed.size) return `${sort}: differs by ${gap}`
      const turned = 1 - dot(core.normal, normal)
      return turned > 1e-12 ? `${sort}: the normals differ, 1 - cosine is ${turned}` : undefined
    })
    expect(rounded).toBeGreaterThan(CASES / 20)
  })

  test('[VO6] moving b by the depth along the normal leaves them touching', () => {
    forCases(CASES, (n) => {
      const { a, b, sort, size } = pairOfVolumes(n)
      const { distance, normal } = measured(a, b)
      const moved = withPlace(b, along(b.place, normal, -distance))
      const left = measured(a, moved).distance
      const allowed = scales(a, size + Math.abs(distance))
      return Math.abs(left) > allowed.place ? `${sort}: ${left} left of ${distance}` : undefined
    })
  })
})

describe('contact point', () => {
  test('[VO7] of volumes that overlap lies in both', () => {
    forCases(CASES, (n) => {
      const { a, b, sort, size } = pairOfVolumes(n)
      const { distance, point } = measured(a, b)
      if (distance > 0) return
      const allowed = scales(a, size)
      const missA = outside(hullOf(a, a.place), point)
      const missB = outside(hullOf(b, a.place), point)
      return Math.max(missA, missB) > allowed.place ? `${sort}: ${missA} from a, ${missB} from b` : undefined
    })
  })

  test('[VO7] of spheres and of upright capsules side by side is where one would look for it', () => {
    separation(
      { volume: sphere(1), pose: pose({ x: 0, y: 0, z: 0 }) },
      { volume: sphere(0.5), pose: pose({ x: 2, y: 0, z: 0 }) },
      out,
    )
    expect([out.distance, out.x, out.y, out.z]).toEqual([0.5, 1.25, 0, 0])
    separation(
      { volume: sphere(1), pose: pose({ x: 0, y: 0, z: 0 }) },
      { volume: sphere(0.5), pose: pose({ x: 1, y: 0, z: 0 }) },
      out,
    )
    expect([out.distance, out.x, out.y, out.z]).toEqual([-0.5, 0.75, 0, 0])
    // Heights 0 … 4 and 2 … 6 of the straight parts: they share 2 … 4.
    separation(
      { volume: capsule(0.5, 2), pose: pose({ x: 0, y: 0, z: 2 }) },
      { volume: capsule(0.5, 2), pose: pose({ x: 0.75, y: 0, z: 4 }) },
      out,
    )
    expect([out.distance, out.x, out.y, out.z]).toEqual([-0.25, 0.375, 0, 3])
    separation(
      { volume: capsule(0.5, 2), pose: pose({ x: 2, y: 0, z: 2 }) },
      { volume: box(1, 1, 1), pose: pose({ x: 0, y: 0, z: 4 }) },
      out,
    )
    expect([out.distance, out.x, out.y, out.z]).toEqual([0.5, 1.25, 0, 3.5])
  })

  test('[VO7] of two boxes of one orientation is the middle of what they share', () => {
    separation(
      { volume: box(1, 1, 1), pose: pose({ x: 0, y: 0, z: 0 }) },
      { volume: box(1, 1, 1), pose: pose({ x: 1, y: 0.5, z: 0.25 }) },
      out,
    )
    expect([out.distance, out.normalX]).toEqual([-1, 1])
    expect(out.x).toBeCloseTo(0.5, 14)
    expect(out.y).toBeCloseTo(0.25, 14)
    expect(out.z).toBeCloseTo(0.125, 14)
  })

  test('[VO7] of a small sphere deep in a large one is in the small one', () => {
    separation(
      { volume: sphere(10), pose: pose({ x: 0, y: 0, z: 0 }) },
      { volume: sphere(0.1), pose: pose({ x: 1, y: 0, z: 0 }) },
      out,
    )
    expect([out.distance, out.normalX, out.x]).toEqual([-9.1, 1, 1])
  })
})

describe('normal', () => {
  test('[VO8] is a unit vector from a to b', () => {
    forCases(CASES, (n) => {
      const { a, b, sort, size } = pairOfVolumes(n)
      const { normal } = measured(a, b)
      if (Math.abs(dot(normal, normal) - 1) > 1e-14) return `${sort}: length² ${dot(normal, normal)}`
      // All volumes are symmetric about their centres: no shortest way out, no nearest gap goes against the centres.
      const between = minus(hullOf(b, a.place).centre, hullOf(a, a.place).centre)
      const length = Math.sqrt(dot(between, between))
      return dot(between, normal) < -1e-14 * (length + size)
        ? `${sort}: against the centres by ${dot(between, normal)}`
        : undefined
    })
  })

  test.each([
    ['spheres', sphere(1), sphere(2), -3],
    ['an upright capsule and a sphere', capsule(1, 2), sphere(2), -3],
    ['a sphere and an upright capsule', sphere(2), capsule(1, 2), -3],
    ['upright capsules', capsule(1, 2), capsule(0.5, 3), -1.5],
    ['a cube and a sphere', box(2, 2, 2), sphere(0.5), -2.5],
    ['a sphere and a cube', sphere(0.5), box(2, 2, 2), -2.5],
    ['a cube and an upright capsule', box(1, 1, 1), capsule(0.5, 3), -1.5],
    ['cubes', box(2, 2, 2), box(1, 1, 1), -3],
    ['points', sphere(0), sphere(0), -0],
  ])('[VO8] coincident centres of %s give +x', (_, a, b, distance) => {
    separation({ volume: a, pose: pose({ x: 5, y: 6, z: 7 }) }, { volume: b, pose: pose({ x: 5, y: 6, z: 7 }) }, out)
    expect([out.distance + 0, out.normalX, out.normalY + 0, out.normalZ + 0]).toEqual([distance + 0, 1, 0, 0])
  })

  test('[VO8] a capsule that lies along x is left along +y', () => {
    const lying = capsule(1, 2, { axis: [1, 0, 0] })
    separation(
      { volume: lying, pose: pose({ x: 0, y: 0, z: 0 }) },
      { volume: sphere(1), pose: pose({ x: 0.5, y: 0, z: 0 }) },
      out,
    )
    expect([out.distance, out.normalX + 0, out.normalY, out.normalZ + 0]).toEqual([-2, 0, 1, 0])
  })

  test('[VO8] crossing capsules are parted across both', () => {
    const alongX = capsule(0.5, 3, { axis: [1, 0, 0] })
    const alongY = capsule(0.25, 3, { axis: [0, 1, 0] })
    separation(
      { volume: alongX, pose: pose({ x: 0, y: 0, z: 0 }) },
      { volume: alongY, pose: pose({ x: 1, y: 1, z: 0 }) },
      out,
    )
    expect([out.distance, out.normalX + 0, out.normalY + 0, out.normalZ]).toEqual([-0.75, 0, 0, 1])
  })

  test('[VO8] a box leaves by its nearest face, also downwards', () => {
    separation(
      { volume: box(2, 2, 1), pose: pose({ x: 0, y: 0, z: 0 }) },
      { volume: sphere(0.5), pose: pose({ x: 0, y: 0, z: -0.75 }) },
      out,
    )
    expect([out.distance, out.normalX + 0, out.normalY + 0, out.normalZ]).toEqual([-0.75, 0, 0, -1])
  })
})

describe('order of the arguments', () => {
  test('[VO9] (b, a) gives the same distance and place to the bit, and the opposite normal', () => {
    let tied = 0
    forCases(CASES, (n) => {
      const { a, b, sort } = pairOfVolumes(n)
      const forth = measured(a, b)
      separation(b, a, out)
      const back: Vec = [out.normalX, out.normalY, out.normalZ]
      const place = minus([out.x, out.y, out.z], a.place)
      if (overlaps(a, b, true) !== overlaps(b, a, true)) {
        return `${sort}: the verdicts differ`
      }
      const between = minus(hullOf(b, a.place).centre, hullOf(a, a.place).centre)
      if (dot(between, between) < 1e-28) {
        // On the same spot: both orders give the direction of the tie, and rounding may differ.
        return Math.abs(out.distance - forth.distance) < 1e-14
          ? undefined
          : `${sort}: ${out.distance}, ${forth.distance}`
      }
      if (out.distance !== forth.distance)
        return `${sort}: distance ${forth.distance} one way, ${out.distance} the other`
      if (place.some((value, i) => value !== forth.point[i])) return `${sort}: place ${forth.point} and ${place}`
      if (back.every((value, i) => value === -forth.normal[i])) return
      // Centres on one level across the normal: a tie, decided for +x both ways.
      tied++
      const isSame = back.every((value, i) => value === forth.normal[i]) && Math.abs(dot(between, back)) < 1e-14
      return isSame ? undefined : `${sort}: normal ${forth.normal} one way, ${back} the other`
    })
    expect(tied).toBeLessThan(CASES / 20)
  })
})

describe('extreme cases', () => {
  test('[VO10] far away the answer is the one at the origin', () => {
    const near = createSeparation()
    const far = createSeparation()
    forCases(CASES, (n) => {
      const { a, b, sort } = pairOfVolumes(10 * n + 5) // The lattice cases: places that are exact also far away.
      const shift = n % 2 === 0 ? 1e6 : 1e7
      separation(a, b, near)
      const farA = withPlace(a, [a.place[0] + shift, a.place[1] - shift, a.place[2] + shift])
      const farB = withPlace(b, [b.place[0] + shift, b.place[1] - shift, b.place[2] + shift])
      separation(farA, farB, far)
      if (far.distance !== near.distance) return `${sort}: ${far.distance} instead of ${near.distance}`
      if (far.normalX !== near.normalX || far.normalY !== near.normalY || far.normalZ !== near.normalZ)
        return `${sort}: normal`
      return Math.abs(far.x - shift - near.x) > 4e-9 ? `${sort}: point off by ${far.x - shift - near.x}` : undefined
    })
  })

  test.each([1e-2, 1e-4, 1e-6, 1e-8, 1e-9])(
    '[VO5] sharp tips and corners %d apart are that far apart, not zero',
    (gap) => {
      const blade = capsule(0, 1)
      separation(
        { volume: blade, pose: pose({ x: 0, y: 0, z: 0 }) },
        { volume: blade, pose: pose({ x: 0, y: 0, z: 2 + gap }) },
        out,
      )
      expect(out.distance).toBeCloseTo(gap, 15)
      expect([out.normalX + 0, out.normalY + 0, out.normalZ]).toEqual([0, 0, 1])
      const aside = gap / Math.sqrt(3)
      separation(
        { volume: box(1, 1, 1), pose: pose({ x: 0, y: 0, z: 0 }) },
        { volume: box(1, 1, 1), pose: pose({ x: 2 + aside, y: 2 + aside, z: 2 + aside }) },
        out,
      )
      expect(out.distance).toBeCloseTo(gap, 15)
      expect(out.normalX).toBeCloseTo(1 / Math.sqrt(3), 6)
      separation(
        { volume: capsule(0.5, 1), pose: pose({ x: 0, y: 0, z: 0 }) },
        { volume: capsule(0.5, 1), pose: pose({ x: 0, y: 0, z: 2 + gap }) },
        out,
      )
      expect(out.distance).toBeCloseTo(gap - 1, 15)
      expect(out.normalZ).toBe(1)
    },
  )

  test('[VO10] a million apart the distance still has all its digits', () => {
    separation(
      { volume: box(1, 1, 1), pose: pose({ x: 0, y: 0, z: 0, facingX: 0.6, facingY: 0.8 }) },
      { volume: sphere(0.5), pose: pose({ x: 1e6, y: 0, z: 0 }) },
      out,
    )
    // The farthest the box reaches towards +x is a corner, 1.4 away.
    expect(out.distance).toBeCloseTo(1e6 - 1.4 - 0.5, 6)
  })

  test('[VO12] what was asked before changes nothing', () => {
    const at = pose({ x: 0, y: 0, z: 0 })
    const ask = (n: number): readonly number[] => {
      const { a, b } = pairOfVolumes(n)
      separation(a, b, out)
      return [out.distance, out.normalX, out.normalY, out.normalZ, out.x, out.y, out.z]
    }
    const first = Array.from({ length: 1000 }, (_, n) => ask(n))
    for (let n = 999; n >= 0; n--) {
      setPose(at, { x: n, y: n, z: n })
      overlaps(
        { volume: box(1, 1, 1), pose: at },
        { volume: capsule(1, 1), pose: pose({ x: n, y: n + 1, z: n }) },
        n % 2 === 0,
      )
      expect(ask(n), `case ${n}`).toEqual(first[n])
    }
  })
})
