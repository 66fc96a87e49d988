import { describe, expect, test } from 'vitest'
import { randomOf } from '../../../test/random.ts'
import {
  along,
  type Body,
  bodyOf,
  CASES,
  dot,
  forCases,
  hullOf,
  minus,
  type Pair,
  pairOfVolumes,
  plus,
  randomTurn,
  randomUnit,
  rotate,
  times,
  turnedPose,
  type Vec,
} from './fixtures/cases.ts'
import { outside } from './fixtures/proof.ts'
import {
  box,
  capsule,
  createImpact,
  createSeparation,
  overlaps,
  pose,
  raycast,
  separation,
  sphere,
  sweep,
  type Vector,
  type Volume,
} from './index.ts'

// Rules [VO15] to [VO19]; see docs/spec.md, section "Volumes". Distances are proven in separation.test.ts.

const impact = createImpact()
const other = createImpact()
const out = createSeparation()

const SPEEDS = [0, 0.1, 1, 10, 1000, 1e6, 1e9]

type Case = Pair & { readonly way: Vector; readonly scale: number }

/** A pair and a way for a: most of them roughly towards b, at all speeds. */
function sweepCase(n: number): Case {
  const pair = pairOfVolumes(n)
  const random = randomOf(n + 0x2000)
  const towards = minus(hullOf(pair.b, pair.a.place).centre, hullOf(pair.a, pair.a.place).centre)
  const unit = randomUnit(random)
  const aim = random() < 0.8 ? along(towards, unit, pair.size * random()) : unit
  const speed = SPEEDS[Math.floor(random() * SPEEDS.length)] / (Math.sqrt(dot(aim, aim)) || 1)
  const way = { x: aim[0] * speed, y: aim[1] * speed, z: aim[2] * speed }
  const wayLength = Math.sqrt(way.x * way.x + way.y * way.y + way.z * way.z)
  return { ...pair, way, scale: pair.size + wayLength + Math.sqrt(dot(towards, towards)) }
}

const poseA = pose({ x: 0, y: 0, z: 0 })
const poseB = pose({ x: 0, y: 0, z: 0 })

/** Distance when a has gone part `time` of the way. Moved relative to b, so that nothing is rounded far away. */
function distanceAt({ a, b, way }: Case, time: number): number {
  Object.assign(poseA, a.pose)
  Object.assign(poseB, b.pose)
  poseA.x = a.place[0] - b.place[0] + way.x * time
  poseA.y = a.place[1] - b.place[1] + way.y * time
  poseA.z = a.place[2] - b.place[2] + way.z * time
  poseB.x = poseB.y = poseB.z = 0
  return separation({ volume: a.volume, pose: poseA }, { volume: b.volume, pose: poseB }, out).distance
}

const GOLDEN = (Math.sqrt(5) - 1) / 2

/**
 * The oracle: the distance is convex in time, so its lowest point is found by golden section, and the first time of contact by
 * halving before it. Too slow to ship.
 */
function firstContact(sample: Case): { lowest: number; time: number } {
  let low = 0
  let high = 1
  let left = 1 - GOLDEN
  let right = GOLDEN
  let atLeft = distanceAt(sample, left)
  let atRight = distanceAt(sample, right)
  const { x, y, z } = sample.way
  const wayLength = Math.sqrt(x * x + y * y + z * z)
  for (let i = 0; i < 75; i++) {
    // Inside already; or so far away that the rest of the bracket is too short to get near.
    const nearer = Math.min(atLeft, atRight)
    if (nearer < 0 || nearer > 2 * wayLength * (high - low)) break
    if (atLeft < atRight) {
      high = right
      right = left
      atRight = atLeft
      left = high - GOLDEN * (high - low)
      atLeft = distanceAt(sample, left)
    } else {
      low = left
      left = right
      atLeft = atRight
      right = low + GOLDEN * (high - low)
      atRight = distanceAt(sample, right)
    }
  }
  const candidates = [low, left, right, high, 1].map((time) => ({ time, distance: distanceAt(sample, time) }))
  const best = candidates.reduce((a, b) => (b.distance < a.distance ? b : a))
  if (best.distance > 0) return { lowest: best.distance, time: Number.NaN }
  let before = 0
  let after = best.time
  for (let i = 0; i < 55; i++) {
    const middle = (before + after) / 2
    if (distanceAt(sample, middle) <= 0) after = middle
    else before = middle
  }
  return { lowest: best.distance, time: after }
}

const sweepOf = ({ a, b, way }: Case, touching: boolean): boolean =>
  sweep({ ...a, dx: way.x, dy: way.y, dz: way.z }, b, impact, touching)

describe('sweep', () => {
  test('[VO15] finds the first contact that golden section and halving find, at any speed', () => {
    let hits = 0
    let misses = 0
    let atRounding = 0
    forCases(CASES, (n) => {
      const sample = sweepCase(n)
      if (distanceAt(sample, 0) <= 0) return
      const hit = sweepOf(sample, true)
      const { lowest, time } = firstContact(sample)
      const rounding = 2e-14 * sample.scale
      if (Math.abs(lowest) <= rounding) {
        atRounding++
        return
      }
      if (hit !== lowest <= 0) return `${sample.sort}: hit ${hit}, but the lowest distance is ${lowest}`
      if (!hit) {
        misses++
        return
      }
      hits++
      const { x, y, z } = sample.way
      const off = Math.abs(impact.time - time) * Math.sqrt(x * x + y * y + z * z)
      // A shallow path turns an error of the distance into a larger one of the time.
      const shallow = Math.abs(distanceAt(sample, impact.time)) <= rounding
      return off > 10 * rounding && !shallow ? `${sample.sort}: time ${impact.time} instead of ${time}` : undefined
    })
    expect(hits).toBeGreaterThan(CASES / 8)
    expect(misses).toBeGreaterThan(CASES / 8)
    expect(atRounding).toBeLessThan(CASES / 50)
  })

  test('[VO15] at the time found the volumes touch within the tolerance, and are closing in', () => {
    let largest = 0
    forCases(CASES, (n) => {
      const sample = sweepCase(n)
      if (distanceAt(sample, 0) <= 0 || !sweepOf(sample, true)) return
      const { x, y, z } = sample.way
      const wayLeft = Math.sqrt(x * x + y * y + z * z) * (1 - impact.time)
      const gap = Math.abs(distanceAt(sample, impact.time)) / (sample.scale - wayLeft)
      largest = Math.max(largest, gap)
      // 4e-15 by the sweep, the rest by the rounding of this measurement.
      if (gap > 6e-15) return `${sample.sort}: ${gap} of the scale apart at time ${impact.time}`
      const closing = x * impact.normalX + y * impact.normalY + z * impact.normalZ
      // At time 0 they touch within rounding already, and may leave.
      return closing < -1e-9 * sample.scale && impact.time > 0 ? `${sample.sort}: leaving, ${closing}` : undefined
    })
    expect(largest).toBeGreaterThan(0)
  })

  test('[VO15] the place of impact lies on both', () => {
    forCases(CASES, (n) => {
      const sample = sweepCase(n)
      const { a, b, way, scale, sort } = sample
      if (!sweepOf(sample, true)) return
      const place = Math.abs(b.place[0]) + Math.abs(b.place[1]) + Math.abs(b.place[2])
      const point = minus([impact.x, impact.y, impact.z], a.place)
      const moved: Vec = [way.x * impact.time, way.y * impact.time, way.z * impact.time]
      const missA = outside(hullOf(a, a.place), minus(point, moved))
      const missB = outside(hullOf(b, a.place), point)
      const allowed = 1e-13 * scale + 1e-15 * place
      return Math.max(missA, missB) > allowed ? `${sort}: ${missA} from a, ${missB} from b` : undefined
    })
  })

  test('[VO16] volumes that overlap at the start meet at time 0, whatever the way', () => {
    let started = 0
    forCases(CASES, (n) => {
      const sample = sweepCase(n)
      const { a, b, sort, size } = sample
      if (!overlaps(a, b, true)) return
      started++
      if (!sweepOf(sample, true) || impact.time !== 0) return `${sort}: touching, time ${impact.time}`
      if (distanceAt(sample, 0) > -1e-13 * size - 1e-14 * sample.scale) return
      if (!sweepOf(sample, false) || impact.time !== 0) return `${sort}: inside, time ${impact.time}`
      separation(a, b, out)
      const same =
        impact.normalX === out.normalX && impact.normalY === out.normalY && impact.x === out.x && impact.z === out.z
      return same ? undefined : `${sort}: normal or place differ from those of the separation`
    })
    expect(started).toBeGreaterThan(CASES / 4)
  })

  test('[VO17] a bullet does not pass through a sheet of paper at a million lengths per tick', () => {
    const bullet = sphere(0.001)
    const sheet = box(0.0001, 1, 1)
    expect(
      sweep(
        { volume: bullet, pose: pose({ x: -1, y: 0, z: 0 }), dx: 1e6, dy: 0, dz: 0 },
        { volume: sheet, pose: pose({ x: 0, y: 0, z: 0 }) },
        impact,
      ),
    ).toBe(true)
    expect(impact.time * 1e6).toBeCloseTo(1 - 0.0011, 9)
    const point = sphere(0)
    expect(
      sweep(
        { volume: point, pose: pose({ x: -1, y: 0.5, z: 0 }), dx: 1e9, dy: 0, dz: 0 },
        { volume: box(0, 1, 1), pose: pose({ x: 0, y: 0, z: 0 }) },
        impact,
      ),
    ).toBe(true)
    expect(impact.time).toBe(1e-9)
    expect([impact.normalX, impact.y]).toEqual([1, 0.5])
  })

  test('[VO17] numbers one can check by hand', () => {
    // A sphere of 0.5 runs 4 along x at a cube: it touches after 1.5.
    expect(
      sweep(
        { volume: sphere(0.5), pose: pose({ x: -3, y: 0, z: 0 }), dx: 4, dy: 0, dz: 0 },
        { volume: box(1, 1, 1), pose: pose({ x: 0, y: 0, z: 0 }) },
        impact,
      ),
    ).toBe(true)
    expect(impact).toMatchObject({ time: 0.375, normalX: 1, x: -1, y: 0, z: 0 })
    // A cube falls on a cube.
    expect(
      sweep(
        { volume: box(1, 1, 1), pose: pose({ x: 0.5, y: 0, z: 5 }), dx: 0, dy: 0, dz: -8 },
        { volume: box(1, 1, 1), pose: pose({ x: 0, y: 0, z: 0 }) },
        impact,
      ),
    ).toBe(true)
    expect(impact).toMatchObject({ time: 0.375, normalZ: -1, z: 1 })
    // An upright capsule runs past the corner post at (3, 4) of its radius 5 and touches where it is level with it.
    expect(
      sweep(
        { volume: capsule(5, 1), pose: pose({ x: -10, y: 5, z: 0 }), dx: 20, dy: 0, dz: 0 },
        { volume: capsule(0, 1), pose: pose({ x: 0, y: 0, z: 0 }) },
        impact,
      ),
    ).toBe(true)
    expect(impact.time).toBeCloseTo(0.5, 6)
    // Just short, and just there.
    expect(
      sweep(
        { volume: sphere(1), pose: pose({ x: 0, y: 0, z: 0 }), dx: 0.999, dy: 0, dz: 0 },
        { volume: sphere(1), pose: pose({ x: 3, y: 0, z: 0 }) },
        impact,
      ),
    ).toBe(false)
    expect(
      sweep(
        { volume: sphere(1), pose: pose({ x: 0, y: 0, z: 0 }), dx: 1, dy: 0, dz: 0 },
        { volume: sphere(1), pose: pose({ x: 3, y: 0, z: 0 }) },
        impact,
      ),
    ).toBe(true)
    expect(impact.time).toBe(1)
  })

  test('[VO17] a sharp box that sinks by a hair while it slides, edge over edge, lands where it should', () => {
    // The direction between edges so near to each other is mostly rounding: following it took hundreds of steps.
    const [s, c] = [Math.sin(Math.PI / 8), Math.cos(Math.PI / 8)]
    forCases(500, (n) => {
      const turn = randomTurn(randomOf(n + 0x7000))
      const gap = 1e-10
      // Both stand on an edge, one along x, the other along y; they meet at the height of half a diagonal each.
      const lower = bodyOf('box', 0, [1, 1, 1], [0, 0, 0], times(turn, [s, 0, 0, c]))
      const upper = bodyOf(
        'box',
        0,
        [1, 1, 1],
        rotate(turn, [-0.3, -0.2, 2 * Math.SQRT2 + gap]),
        times(turn, [0, s, 0, c]),
      )
      const [x, y, z] = rotate(turn, [0.6, 0.4, -2 * gap])
      if (!sweep({ ...upper, dx: x, dy: y, dz: z }, lower, impact)) return 'missed'
      return Math.abs(impact.time - 0.5) > 1e-4 ? `lands at ${impact.time}` : undefined
    })
  })

  test('[VO17] the answer does not depend on which of the two moves', () => {
    forCases(CASES, (n) => {
      const sample = sweepCase(n)
      const { a, b, way, sort } = sample
      const hit = sweepOf(sample, true)
      const back = { x: -way.x, y: -way.y, z: -way.z }
      const hitBack = sweep({ ...b, dx: back.x, dy: back.y, dz: back.z }, a, other)
      if (hit !== hitBack) return `${sort}: ${hit} and ${hitBack}`
      return hit && impact.time !== other.time ? `${sort}: ${impact.time} and ${other.time}` : undefined
    })
  })

  const cube = box(1, 1, 1)
  test.each([
    ['grazing a sphere', sphere(1), [-3, 2, 0], [6, 0, 0], sphere(1)],
    ['grazing a cube', sphere(1), [-3, 2, 0], [6, 0, 0], cube],
    ['grazing a cube with a cube', cube, [-3, 2, 0], [6, 0, 0], cube],
    ['grazing an edge with a rounded cube', box(1, 1, 1, { rounding: 1 }), [-9, 3, 0], [20, 0, 0], cube],
    ['ending in touch', sphere(1), [4, 0, 0], [-2, 0, 0], cube],
    ['a cube ending in touch', cube, [4, 0, 0], [-2, 0, 0], cube],
    ['leaving from touch', sphere(1), [2, 0, 0], [3, 0, 0], cube],
    ['a cube leaving from touch', cube, [2, 0, 0], [3, 0, 0], cube],
    ['standing in touch', cube, [0, 0, 2], [0, 0, 0], cube],
    ['sliding on a face', capsule(0.5, 1), [-9, 0, 2.5], [18, 0, 0], cube],
  ] satisfies readonly (readonly [string, Volume, Vec, Vec, Volume])[])(
    '[VO18] %s is an impact only if touching counts',
    (_, a, at, way, b) => {
      const moving: Vector = { x: way[0], y: way[1], z: way[2] }
      expect(
        sweep(
          { volume: a, pose: turnedPose(at), dx: moving.x, dy: moving.y, dz: moving.z },
          { volume: b, pose: pose({ x: 0, y: 0, z: 0 }) },
          impact,
          true,
        ),
      ).toBe(true)
      expect(
        sweep(
          { volume: a, pose: turnedPose(at), dx: moving.x, dy: moving.y, dz: moving.z },
          { volume: b, pose: pose({ x: 0, y: 0, z: 0 }) },
          impact,
          false,
        ),
      ).toBe(false)
    },
  )

  test('[VO18] going on from touch into the other is an impact at once, with or without touching', () => {
    for (const volume of [sphere(1), cube, box(0.5, 0.5, 0.5, { rounding: 0.5 })]) {
      for (const touching of [true, false]) {
        expect(
          sweep(
            { volume, pose: pose({ x: 2, y: 0, z: 0 }), dx: -1, dy: 0, dz: 0 },
            { volume: cube, pose: pose({ x: 0, y: 0, z: 0 }) },
            impact,
            touching,
          ),
        ).toBe(true)
        expect(impact.time).toBeLessThan(1e-13)
        expect(impact.normalX).toBe(-1)
      }
    }
  })

  test('[VO18] without touching the time is the same, unless the path is a graze', () => {
    let hits = 0
    forCases(CASES, (n) => {
      const sample = sweepCase(n)
      const { x, y, z } = sample.way
      // Flat forms may have no inside to get into.
      if (sample.sort === 'flat' || sample.sort === 'lattice' || distanceAt(sample, 0) <= 0) return
      const hit = sweepOf(sample, true)
      const { time, normalX, normalY, normalZ } = impact
      if (hit) {
        const closing = x * normalX + y * normalY + z * normalZ
        if (closing < 1e-3 * Math.sqrt(x * x + y * y + z * z) || time > 0.999) return
      }
      if (hit !== sweepOf(sample, false)) return `${sample.sort}: hit ${hit} with touching only`
      if (!hit) return
      hits++
      const off = Math.abs(impact.time - time) * Math.sqrt(x * x + y * y + z * z)
      return off > 2e-11 * sample.scale ? `${sample.sort}: off by ${off}` : undefined
    })
    expect(hits).toBeGreaterThan(CASES / 10)
  })

  test('[VO15] a miss leaves the impact as it was', () => {
    const untouched = createImpact()
    expect(
      sweep(
        { volume: sphere(1), pose: pose({ x: 0, y: 0, z: 0 }), dx: 1, dy: 0, dz: 0 },
        { volume: sphere(1), pose: pose({ x: 0, y: 9, z: 0 }) },
        untouched,
      ),
    ).toBe(false)
    expect(
      raycast({ volume: cube, pose: pose({ x: 0, y: 0, z: 0 }) }, { x: 0, y: 9, z: 0, dx: 1, dy: 0, dz: 0 }, untouched),
    ).toBe(false)
    expect(untouched).toEqual(createImpact())
  })
})

describe('raycast', () => {
  test('[VO19] is the sweep of a point, with the normal out of the surface', () => {
    let hits = 0
    forCases(CASES, (n) => {
      const sample = sweepCase(n)
      const { b, way, sort } = sample
      const origin = hullOf(sample.a, [0, 0, 0]).centre
      const start: Vector = { x: origin[0], y: origin[1], z: origin[2] }
      const tip: Body = {
        ...sample.a,
        volume: sphere(0),
        pose: turnedPose(origin),
        place: origin,
        offset: [0, 0, 0],
        half: [0, 0, 0],
      }
      const hit = raycast(b, { x: start.x, y: start.y, z: start.z, dx: way.x, dy: way.y, dz: way.z }, impact)
      const ray: Case = { ...sample, a: { ...tip, radius: 0 } }
      const rounding = 2e-14 * sample.scale
      if (distanceAt(ray, 0) <= -rounding) return hit && impact.time === 0 ? undefined : `${sort}: starts inside`
      const { lowest } = firstContact(ray)
      if (Math.abs(lowest) <= rounding) return
      if (hit !== lowest < 0) return `${sort}: hit ${hit} at lowest ${lowest}`
      if (!hit) return
      hits++
      const gap = Math.abs(distanceAt(ray, impact.time))
      if (gap > rounding) return `${sort}: ${gap} from the surface`
      // Outwards: against the way, and a step along it is outside.
      if (way.x * impact.normalX + way.y * impact.normalY + way.z * impact.normalZ > 1e-9 * sample.scale)
        return `${sort}: inwards`
      const place: Vec = plus(minus(origin, b.place), [way.x * impact.time, way.y * impact.time, way.z * impact.time])
      const off = minus(minus([impact.x, impact.y, impact.z], b.place), place)
      const allowed =
        1e-13 * sample.scale + 1e-15 * (Math.abs(b.place[0]) + Math.abs(b.place[1]) + Math.abs(b.place[2]))
      return Math.sqrt(dot(off, off)) > allowed ? `${sort}: the place is off the ray by ${off}` : undefined
    })
    expect(hits).toBeGreaterThan(CASES / 20)
  })

  test.each([
    ['sphere', sphere(2), 0.4, -1],
    ['upright capsule', capsule(2, 5), 0.4, -1],
    ['capsule lying along the ray', capsule(0.5, 1.5, { axis: [1, 0, 0] }), 0.4, -1],
    ['box', box(2, 1, 1), 0.4, -1],
    ['rounded box', box(1, 1, 1, { rounding: 1 }), 0.4, -1],
    ['plate', box(0, 1, 1), 0.6, -1],
  ] as const)('[VO19] %s straight ahead', (_, volume, time, normalX) => {
    expect(
      raycast({ volume, pose: pose({ x: 0, y: 0, z: 0 }) }, { x: -6, y: 0.25, z: 0, dx: 10, dy: 0, dz: 0 }, impact),
    ).toBe(true)
    if (volume.kind === 'box') expect(impact).toMatchObject({ time, normalX, y: 0.25 })
    expect(Math.abs(impact.time - time)).toBeLessThan(0.02)
    expect(
      raycast({ volume, pose: pose({ x: 0, y: 0, z: 0 }) }, { x: -6, y: 0, z: 0, dx: 10, dy: 0, dz: 0 }, impact),
    ).toBe(true)
    expect(impact.time).toBeCloseTo(time, 15)
    expect([impact.normalX, impact.y + 0, impact.z + 0]).toEqual([normalX, 0, 0])
  })

  test('[VO19] from inside: time 0, at the origin of the ray, the normal shows the way out', () => {
    expect(
      raycast(
        { volume: box(4, 4, 1), pose: pose({ x: 0, y: 0, z: 0 }) },
        { x: 1, y: 1, z: -0.5, dx: 9, dy: 0, dz: 0 },
        impact,
      ),
    ).toBe(true)
    expect(impact).toMatchObject({ time: 0, normalZ: -1, x: 1, y: 1, z: -0.5 })
  })
})
