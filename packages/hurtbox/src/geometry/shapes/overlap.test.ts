import { describe, expect, test } from 'vitest'
import { createRandom } from '../../../test/random.ts'
import { describeCase, latticePosed, PAIRS, type PairCase, type Posed, pairCase, TIMEOUT } from './fixtures/cases.ts'
import { coreDistance } from './fixtures/oracle.ts'
import { box, capsule, circle, containsPoint, overlaps, type Pose, polygon, pose, segment } from './index.ts'
import { checkCircle } from './primitives.ts'

describe('overlap of convex shapes', { timeout: TIMEOUT }, () => {
  const square = box(1, 1)
  const origin = pose({ x: 0, y: 0 })

  test('[SH10] two circles compare squared distance with the squared sum of radii, to the bit', () => {
    const random = createRandom(10)
    let touched = 0
    for (let i = 0; i < PAIRS; i++) {
      // Tenths, so that 0.1 + 0.2 and its kind occur on both sides of the comparison.
      const tenth = (max: number) => Math.floor(random() * max) / 10
      const [ax, ay, ar, br] = [tenth(40), tenth(40), tenth(20), tenth(20)]
      // Every other pair stands side by side, at about the distance that matters.
      const [bx, by] = i % 2 === 0 ? [tenth(40), tenth(40)] : [ax + ar + br + tenth(3) - 0.1, ay]
      const squared = (bx - ax) * (bx - ax) + (by - ay) * (by - ay)
      const reach = (ar + br) * (ar + br)
      const name = `case ${i}: (${ax}, ${ay}) r=${ar} | (${bx}, ${by}) r=${br}`
      const ask = (touching: boolean) =>
        overlaps(
          { shape: circle(ar), pose: pose({ x: ax, y: ay }) },
          { shape: circle(br), pose: pose({ x: bx, y: by }) },
          touching,
        )
      if (ask(true) !== squared <= reach || ask(false) !== squared < reach) expect.fail(name)
      if (ask(false) !== checkCircle({ x: ax, y: ay, radius: ar }, { x: bx, y: by, radius: br })) expect.fail(name)
      if (squared === reach) touched++
    }
    expect(touched).toBeGreaterThan(PAIRS / 100)
  })

  test('[SH11] any two convex shapes overlap exactly when measuring all their sides says so', () => {
    let near = 0
    for (let seed = 1; seed <= PAIRS; seed++) {
      const pair = pairCase(seed)
      const gap = signedGap(pair)
      if (Math.abs(gap) <= 1e-13 * pair.scale) {
        near++
        continue
      }
      const { a, b } = pair
      for (const touching of [true, false]) {
        if (overlaps(a, b, touching) !== gap < 0) {
          expect.fail(`gap ${gap}, touching ${touching}, ${describeCase(pair)}`)
        }
      }
    }
    // What is nearer to touching than rounding is left to the exact cases below; it must stay a corner of the whole.
    expect(near).toBeLessThan(PAIRS * 0.08)
  })

  test('[SH12] on whole coordinates touching is exact: in or out as asked', () => {
    const random = createRandom(12)
    const seen = { apart: 0, touching: 0, overlapping: 0 }
    for (let i = 0; i < PAIRS; i++) {
      const a = latticePosed(random)
      const b = latticePosed(random)
      const expected = latticeRelation(a, b)
      seen[expected]++
      const withTouch = overlaps(a, b, true)
      const without = overlaps(a, b, false)
      const got = withTouch ? (without ? 'overlapping' : 'touching') : 'apart'
      if (got !== expected) expect.fail(`case ${i}: ${got}, should be ${expected}: ${JSON.stringify([a, b])}`)
    }
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(PAIRS / 50)
  })

  test('[SH12] without touching, shapes without area overlap only where a small shift cannot part them', () => {
    const line = segment([-1, 0], [1, 0])
    const point = circle(0)
    const strict = (a: typeof line, poseA: Pose, b: typeof line, poseB: Pose) =>
      overlaps({ shape: a, pose: poseA }, { shape: b, pose: poseB }, false)
    expect(strict(line, origin, line, pose({ x: 0, y: 0, facingX: 0, facingY: 1 })), 'crossing lines').toBe(true)
    expect(strict(line, origin, line, pose({ x: 1, y: 0 })), 'lines on one line').toBe(false)
    expect(strict(line, origin, line, pose({ x: 0, y: 1, facingX: 0, facingY: 1 })), 'a T').toBe(false)
    expect(strict(line, origin, point, pose({ x: 0.5, y: 0 })), 'a point on a line').toBe(false)
    expect(strict(point, origin, point, origin), 'two points').toBe(false)
    expect(strict(square, origin, point, pose({ x: 0.5, y: 0 })), 'a point in a box').toBe(true)
    expect(strict(square, origin, point, pose({ x: 1, y: 0 })), 'a point on the side of a box').toBe(false)
    expect(overlaps({ shape: point, pose: origin }, { shape: point, pose: origin }, true), 'two points, touching').toBe(
      true,
    )
  })

  test('[SH13] the verdict does not depend on which shape is asked first', () => {
    for (let seed = 1; seed <= PAIRS; seed++) {
      const pair = pairCase(seed)
      const { a, b } = pair
      for (const touching of [true, false]) {
        const forwards = overlaps(a, b, touching)
        if (overlaps(b, a, touching) !== forwards) expect.fail(describeCase(pair))
      }
    }
  })

  test('[SH14] far from the origin a verdict is as exact as the coordinates', () => {
    for (const far of [2 ** 20, 2 ** 24, 2 ** 39]) {
      const touches = (gap: number, touching: boolean) =>
        overlaps(
          { shape: square, pose: pose({ x: far, y: -far }) },
          { shape: square, pose: pose({ x: far + 2 + gap, y: -far }) },
          touching,
        )
      const lastBit = far * 2 ** -52
      expect([touches(0, true), touches(0, false)], `at ${far}`).toEqual([true, false])
      expect([touches(lastBit, true), touches(-lastBit, false)], `at ${far}`).toEqual([false, true])
    }
  })

  test('[SH15] a pose that is not a number overlaps nothing, and every query returns', () => {
    const shapes = [
      circle(1),
      capsule([-1, 0], [1, 0], 1),
      square,
      polygon([
        [0, 0],
        [2, 0],
        [0, 2],
      ]),
    ]
    for (const field of ['x', 'y', 'facingX', 'facingY'] as const) {
      for (const bad of [Number.NaN, Number.POSITIVE_INFINITY]) {
        for (const a of shapes) {
          for (const b of shapes) {
            const broken = { ...origin, [field]: bad }
            const turnedCircle = a.kind === 'circle' && field.startsWith('facing')
            if (turnedCircle && bad === Number.POSITIVE_INFINITY) continue
            expect(
              overlaps({ shape: a, pose: broken }, { shape: b, pose: origin }, true),
              `${a.kind} ${field} ${bad} | ${b.kind}`,
            ).toBe(false)
          }
        }
      }
    }
  })

  test('[SH16] a point is contained as a circle without radius is overlapped', () => {
    for (let seed = 1; seed <= PAIRS; seed++) {
      const { a, coreA, b, mode } = pairCase(seed)
      const gap = coreDistance([[b.pose.x - a.pose.x, b.pose.y - a.pose.y]], coreA.points).distance - coreA.radius
      const scale = Math.abs(b.pose.x - a.pose.x) + Math.abs(b.pose.y - a.pose.y) + 10
      if (Math.abs(gap) <= 1e-13 * scale) continue
      for (const touching of [true, false]) {
        if (containsPoint(a, { x: b.pose.x, y: b.pose.y }, touching) !== gap < 0) {
          expect.fail(`seed ${seed}, ${mode}, gap ${gap}`)
        }
      }
    }
    expect(containsPoint({ shape: square, pose: origin }, { x: 1, y: 0.5 })).toBe(true)
    expect(containsPoint({ shape: square, pose: origin }, { x: 1, y: 0.5 }, false)).toBe(false)
    expect(containsPoint({ shape: circle(5), pose: pose({ x: 1, y: 1 }) }, { x: 4, y: 5 })).toBe(true)
    expect(containsPoint({ shape: circle(5), pose: pose({ x: 1, y: 1 }) }, { x: 4, y: 5 }, false)).toBe(false)
  })
})

function signedGap({ coreA, coreB }: PairCase): number {
  return coreDistance(coreA.points, coreB.points).distance - coreA.radius - coreB.radius
}

/** Whole-number arithmetic on boxes along the axes: exact by construction. */
function latticeRelation(a: Posed, b: Posed): 'apart' | 'touching' | 'overlapping' {
  const gapAlong = (axis: 0 | 1) => {
    const [placeA, placeB] = axis === 0 ? [a.pose.x, b.pose.x] : [a.pose.y, b.pose.y]
    const onA = a.points.map((point) => placeA + point[axis])
    const onB = b.points.map((point) => placeB + point[axis])
    return Math.max(Math.min(...onB) - Math.max(...onA), Math.min(...onA) - Math.max(...onB))
  }
  const [gapX, gapY] = [gapAlong(0), gapAlong(1)]
  const radius = a.shape.radius + b.shape.radius
  if (gapX < 0 && gapY < 0) return 'overlapping'
  const squared = Math.max(0, gapX) ** 2 + Math.max(0, gapY) ** 2
  return squared < radius ** 2 ? 'overlapping' : squared === radius ** 2 ? 'touching' : 'apart'
}
