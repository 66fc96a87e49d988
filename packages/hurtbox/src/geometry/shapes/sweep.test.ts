import { describe, expect, test } from 'vitest'
import { createRandom } from '../../../test/random.ts'
import { describeCase, PAIRS, type PairCase, pairCase, TIMEOUT } from './fixtures/cases.ts'
import { type Core, coreDistance, firstContact, type Point } from './fixtures/oracle.ts'
import {
  box,
  capsule,
  circle,
  createImpact,
  createSeparation,
  overlaps,
  pose,
  raycast,
  segment,
  separation,
  sweep,
} from './index.ts'

describe('sweep of convex shapes', { timeout: TIMEOUT }, () => {
  const out = createImpact()
  const apart = createSeparation()

  test('[SH30] the time of impact is when the gap first closes', () => {
    let hits = 0
    for (let seed = 1; seed <= PAIRS; seed++) {
      const pair = pairCase(seed)
      const { a, b } = pair
      const { dx, dy } = randomMotion(seed, b.pose.x - a.pose.x, b.pose.y - a.pose.y)
      const expected = firstContact(pair.coreA, dx, dy, pair.coreB)
      const hit = sweep({ ...a, dx, dy }, b, out)
      const travelled = Math.hypot(dx, dy)
      const tolerance = 1e-12 * (pair.scale + travelled)
      if (hit !== expected.hit) {
        if (isUnclear(pair.coreA, dx, dy, pair.coreB, tolerance)) continue
        expect.fail(`${hit}, should be ${expected.hit} by (${dx}, ${dy}): ${describeCase(pair)}`)
      }
      if (!hit) continue
      hits++
      // Compare places, not times: a graze is steep in time and flat in place.
      const moved = pose({ x: a.pose.x, y: a.pose.y, facingX: a.pose.facingX, facingY: a.pose.facingY })
      moved.x += out.time * dx
      moved.y += out.time * dy
      const gap = gapAfter(pair, out.time * dx, out.time * dy)
      const isContact = out.time === 0 ? gap <= tolerance : Math.abs(gap) <= tolerance
      const isFirst = out.time - expected.time <= 1e-6 || gapAfter(pair, expected.time * dx, expected.time * dy) > 0
      if (!isContact || !isFirst || !(out.time >= 0 && out.time <= 1)) {
        expect.fail(`time ${out.time}, should be ${expected.time}, gap there ${gap}: ${describeCase(pair)}`)
      }
    }
    expect(hits).toBeGreaterThan(PAIRS / 5)
  })

  test('[SH31] shapes that overlap at the start meet at time 0, with the normal and place of their separation', () => {
    let overlapping = 0
    for (let seed = 1; seed <= PAIRS; seed++) {
      const pair = pairCase(seed)
      const { a, b } = pair
      if (!overlaps(a, b, true)) continue
      overlapping++
      const { dx, dy } = randomMotion(seed, 1, 1)
      const hit = sweep({ ...a, dx, dy }, b, out)
      const { distance, ...contact } = separation(a, b, apart)
      if (!hit || out.time !== 0) expect.fail(describeCase(pair))
      expect(out, `${distance} ${describeCase(pair)}`).toEqual({ time: 0, ...contact })
    }
    expect(overlapping).toBeGreaterThan(PAIRS / 4)
  })

  test('[SH32] nothing tunnels: at a million lengths per tick a thin wall still stops a point', () => {
    const wall = segment([0, -1], [0, 1])
    const bullets = [circle(0), circle(0.001), box(0.001, 0.001), capsule([0, 0], [0.002, 0], 0)]
    for (const bullet of bullets) {
      for (const start of [1, 1000, 1e6]) {
        expect(
          sweep(
            { shape: bullet, pose: pose({ x: -start, y: 0.25 }), dx: start * 1e6, dy: 0 },
            { shape: wall, pose: pose({ x: 0, y: 0 }) },
            out,
          ),
        ).toBe(true)
        expect(Math.abs(out.time * 1e6 - 1)).toBeLessThan(0.0021 / start + 1e-9)
        expect(out).toMatchObject({ normalX: 1, normalY: 0 })
      }
    }
  })

  test('[SH32] nothing tunnels: a point does not slip through a turned wall without thickness, at any speed', () => {
    const random = createRandom(320)
    for (let i = 0; i < PAIRS; i++) {
      const angle = random() * 2 * Math.PI
      const wall = segment([-1, 0], [1, 0])
      const place = pose({ x: random() * 100, y: random() * 100, facingX: Math.cos(angle), facingY: Math.sin(angle) })
      const along = 1.8 * random() - 0.9
      const [x, y] = [place.x + along * place.facingX, place.y + along * place.facingY]
      const direction = random() * 2 * Math.PI
      const [dx, dy] = [Math.cos(direction), Math.sin(direction)]
      if (Math.abs(dx * place.facingY - dy * place.facingX) < 0.01) continue
      const speed = [1, 1000, 1e6][i % 3]
      const back = [1e-9, 0.5, 300][Math.floor(random() * 3)]
      const start = pose({ x: x - dx * back, y: y - dy * back })
      for (const touching of [true, false]) {
        const hit = sweep(
          { shape: circle(0), pose: start, dx: dx * 400 * speed, dy: dy * 400 * speed },
          { shape: wall, pose: place },
          out,
          touching,
        )
        if (!hit) expect.fail(`case ${i}, from ${back}, touching ${touching}`)
        if (Math.abs(out.time * 400 * speed - back) > 1e-10)
          expect.fail(`case ${i}: ${out.time * 400 * speed} of ${back}`)
      }
    }
  })

  test('[SH32] nothing tunnels: a point that stands on a turned wall to the last bit meets it going one way or the other', () => {
    const random = createRandom(321)
    const wall = segment([-1, 0], [1, 0])
    for (let i = 0; i < PAIRS; i++) {
      const place = pose({ x: random() * 100, y: random() * 100, facingX: random() - 0.5, facingY: random() - 0.5 })
      const along = 1.8 * random() - 0.9
      const start = pose({ x: place.x + along * place.facingX, y: place.y + along * place.facingY })
      const [dx, dy] = [-place.facingY, place.facingX]
      const forwards = sweep({ shape: circle(0), pose: start, dx, dy }, { shape: wall, pose: place }, out)
      const backwards = sweep({ shape: circle(0), pose: start, dx: -dx, dy: -dy }, { shape: wall, pose: place }, out)
      if (!forwards && !backwards) expect.fail(`case ${i}: along ${along} of ${JSON.stringify(place)}`)
    }
  })

  test('[SH32] nothing tunnels through the corner between two sides', () => {
    const random = createRandom(32)
    for (let i = 0; i < PAIRS; i++) {
      const angle = random() * 2 * Math.PI
      const square = box(1, 1)
      const place = pose({ x: random() * 2, y: random() * 2, facingX: Math.cos(angle), facingY: Math.sin(angle) })
      const corner = [place.x + place.facingX - place.facingY, place.y + place.facingY + place.facingX]
      // From outside through the corner towards the centre, and on.
      const [dx, dy] = [(place.x - corner[0]) * 4, (place.y - corner[1]) * 4]
      const start = pose({ x: corner[0] - dx / 4, y: corner[1] - dy / 4 })
      if (!sweep({ shape: circle(0), pose: start, dx, dy }, { shape: square, pose: place }, out))
        expect.fail(`case ${i}, angle ${angle}`)
      if (Math.abs(out.time - 0.25) > 1e-12) expect.fail(`case ${i}: time ${out.time}`)
    }
  })

  test('[SH33] without touching, a graze, an end in touch and a start in touch are no impact', () => {
    const both = (
      bullet: ReturnType<typeof box>,
      from: [number, number],
      by: [number, number],
      target: typeof bullet,
    ) =>
      [true, false].map((touching) =>
        sweep(
          { shape: bullet, pose: pose({ x: from[0], y: from[1] }), dx: by[0], dy: by[1] },
          { shape: target, pose: pose({ x: 0, y: 0 }) },
          out,
          touching,
        ),
      )
    for (const target of [circle(1), box(1, 1), box(0.5, 0.5, { rounding: 0.5 })]) {
      const kind = target.kind
      expect(both(circle(1), [-5, 2], [10, 0], target), `${kind} grazed`).toEqual([true, false])
      expect(both(circle(1), [-5, 0], [3, 0], target), `${kind} reached at the end`).toEqual([true, false])
      expect(both(circle(1), [-2, 0], [-1, 0], target), `${kind} left`).toEqual([true, false])
      expect(both(circle(1), [-2, 0], [1, 0], target), `${kind} entered from touch`).toEqual([true, true])
      expect(both(circle(1), [-2, 0], [0, 0], target), `${kind} at rest`).toEqual([true, false])
      expect(both(circle(1), [-5, 1.5], [10, 0], target), `${kind} hit`).toEqual([true, true])
    }
  })

  test('[SH34] a sweep that goes nowhere is overlaps', () => {
    for (let seed = 1; seed <= PAIRS; seed++) {
      const pair = pairCase(seed)
      const { a, b } = pair
      for (const touching of [true, false]) {
        const hit = sweep({ ...a, dx: 0, dy: 0 }, b, out, touching)
        if (hit !== overlaps(a, b, touching)) expect.fail(describeCase(pair))
      }
    }
  })

  test('[SH35] the normal of an impact points from A to B and is that of the separation there', () => {
    for (let seed = 1; seed <= PAIRS; seed++) {
      const pair = pairCase(seed)
      const { a, b } = pair
      const { dx, dy } = randomMotion(seed, b.pose.x - a.pose.x, b.pose.y - a.pose.y)
      if (!sweep({ ...a, dx, dy }, b, out) || out.time === 0) continue
      if (!(Math.abs(Math.hypot(out.normalX, out.normalY) - 1) <= 1e-15)) expect.fail(describeCase(pair))
      // Moving on must close the gap: the normal never looks back.
      const approach = (out.normalX * dx + out.normalY * dy) / Math.hypot(dx, dy)
      if (approach < -1e-6) expect.fail(`looks back ${approach}: ${describeCase(pair)}`)
      // Shortly before the impact the pair lies apart in that direction, unless it meets corner on corner.
      const before = out.time * (1 - 1e-6)
      const moved = { ...a.pose, x: a.pose.x + before * dx, y: a.pose.y + before * dy }
      separation({ shape: a.shape, pose: moved }, b, apart)
      const radius = a.shape.radius + b.shape.radius
      const turn = Math.hypot(apart.normalX - out.normalX, apart.normalY - out.normalY)
      const rounding = (1e-4 * (pair.scale + Math.hypot(dx, dy))) / radius
      if (radius > 1e-3 && turn > rounding + 1e-3) expect.fail(`turned by ${turn}: ${describeCase(pair)}`)
    }
  })

  test('[SH36] both moving is one moving by the difference', () => {
    sweep(
      { shape: circle(1), pose: pose({ x: 0, y: 0 }), dx: 10 - -10, dy: 0 },
      { shape: circle(1), pose: pose({ x: 12, y: 0 }) },
      out,
    )
    expect(out).toEqual({ time: 0.5, normalX: 1, normalY: 0, x: 11, y: 0 })
  })
})

describe('raycast', { timeout: TIMEOUT }, () => {
  const out = createImpact()

  test('[SH37] a ray is the sweep of a point, its normal that of the outline', () => {
    for (let seed = 1; seed <= PAIRS; seed++) {
      const pair = pairCase(seed)
      const { a, b } = pair
      const { dx, dy } = randomMotion(seed, b.pose.x - a.pose.x, b.pose.y - a.pose.y)
      const ray: Core = { points: [[0, 0]], radius: 0 }
      const expected = firstContact(ray, dx, dy, pair.coreB)
      const hit = raycast(b, { x: a.pose.x, y: a.pose.y, dx, dy }, out)
      const tolerance = 1e-12 * (pair.scale + Math.hypot(dx, dy))
      const onRay = (time: number) =>
        coreDistance([[time * dx, time * dy]], pair.coreB.points).distance - pair.coreB.radius
      if (hit !== expected.hit) {
        if (isUnclear(ray, dx, dy, pair.coreB, tolerance)) continue
        expect.fail(`${hit}, should be ${expected.hit} by (${dx}, ${dy}): ${describeCase(pair)}`)
      }
      if (!hit) continue
      const gap = onRay(out.time)
      const isContact = out.time === 0 ? gap <= tolerance : Math.abs(gap) <= tolerance
      if (!isContact || out.time - expected.time > 1e-6) {
        expect.fail(`time ${out.time}, should be ${expected.time}: ${describeCase(pair)}`)
      }
      const facesRay = out.normalX * dx + out.normalY * dy <= 1e-6 * Math.hypot(dx, dy)
      if (out.time > 0 && !facesRay) expect.fail(`normal looks along the ray: ${describeCase(pair)}`)
      const placeX = a.pose.x + out.time * dx
      const placeY = a.pose.y + out.time * dy
      const off = Math.hypot(out.x - placeX, out.y - placeY)
      if (out.time > 0 && off > tolerance + 1e-12 * Math.abs(a.pose.x)) expect.fail(`${off} off: ${describeCase(pair)}`)
    }
  })

  test('[SH38] a ray that starts inside meets the shape at time 0, and one that ends short of it does not', () => {
    expect(raycast({ shape: box(2, 1), pose: pose({ x: 5, y: 0 }) }, { x: 5, y: 0.5, dx: 100, dy: 0 }, out)).toBe(true)
    expect(out).toEqual({ time: 0, normalX: 0, normalY: 1, x: 5, y: 0.75 })
    expect(raycast({ shape: box(2, 1), pose: pose({ x: 5, y: 0 }) }, { x: 0, y: 0, dx: 2.9, dy: 0 }, out)).toBe(false)
    expect(raycast({ shape: box(2, 1), pose: pose({ x: 5, y: 0 }) }, { x: 0, y: 0, dx: 3, dy: 0 }, out)).toBe(true)
    expect(out).toEqual({ time: 1, normalX: -1, normalY: 0, x: 3, y: 0 })
  })
})

/** Mostly towards the other shape, over lengths from a step to a million sizes. */
function randomMotion(seed: number, towardsX: number, towardsY: number): { dx: number; dy: number } {
  const random = createRandom(seed ^ 0x5eed)
  const away = Math.hypot(towardsX, towardsY)
  const stretch = [0.5, 1, 2, 1000, 1e6][Math.floor(random() * 5)]
  const spread = 4 * random()
  return {
    dx: (towardsX + spread * (random() - 0.5)) * stretch + (away === 0 ? 3 : 0),
    dy: (towardsY + spread * (random() - 0.5)) * stretch,
  }
}

function gapAfter(pair: PairCase, shiftX: number, shiftY: number): number {
  const moved = pair.coreA.points.map(([x, y]) => [x + shiftX, y + shiftY] as const)
  return coreDistance(moved, pair.coreB.points).distance - pair.coreA.radius - pair.coreB.radius
}

/** Whether touch at the start, to the last bits, or a shift by the tolerance decides between hit and miss. */
function isUnclear(a: Core, dx: number, dy: number, b: Core, tolerance: number): boolean {
  if (Math.abs(coreDistance(a.points, b.points).distance - a.radius - b.radius) <= 1e-14) return true
  const travelled = Math.hypot(dx, dy)
  const [alongX, alongY] = [(dx / travelled) * tolerance, (dy / travelled) * tolerance]
  const shifts: Point[] = [
    [alongX, alongY],
    [-alongX, -alongY],
    [-alongY, alongX],
    [alongY, -alongX],
  ]
  const verdicts = shifts.map(
    ([x, y]) => firstContact({ ...a, points: a.points.map(([px, py]): Point => [px + x, py + y]) }, dx, dy, b).hit,
  )
  return verdicts.includes(true) && verdicts.includes(false)
}
