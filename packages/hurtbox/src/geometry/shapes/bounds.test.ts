import { describe, expect, test } from 'vitest'
import { createRandom } from '../../../test/random.ts'
import { describeCase, PAIRS, pairCase, TIMEOUT } from './fixtures/cases.ts'
import { arc, boundingCircle, box, circle, overlaps, type Pose, polygon, pose, type Shape } from './index.ts'

describe('bounding circles', { timeout: TIMEOUT }, () => {
  const bound = { x: 0, y: 0, radius: 0 }

  test('[SH9] a bounding circle holds every point of its shape', () => {
    for (let seed = 1; seed <= PAIRS; seed++) {
      const pair = pairCase(seed)
      const { a } = pair
      boundingCircle(a, bound)
      for (const [x, y] of a.points) {
        const distance = Math.hypot(a.pose.x + x - bound.x, a.pose.y + y - bound.y) + a.shape.radius
        const rounding = 4e-16 * (Math.abs(a.pose.x) + Math.abs(a.pose.y))
        if (!(distance <= bound.radius + rounding)) expect.fail(`${distance} of ${bound.radius}: ${describeCase(pair)}`)
      }
    }
  })

  test('[SH9] what overlaps or touches has bounding circles that do, also far away and on the last bit', () => {
    const other = { x: 0, y: 0, radius: 0 }
    const check = (a: Shape, poseA: Pose, b: Shape, poseB: Pose, name: () => string): void => {
      if (!overlaps({ shape: a, pose: poseA }, { shape: b, pose: poseB }, true)) return
      boundingCircle({ shape: a, pose: poseA }, bound)
      boundingCircle({ shape: b, pose: poseB }, other)
      const [dx, dy, reach] = [other.x - bound.x, other.y - bound.y, other.radius + bound.radius]
      if (!(dx * dx + dy * dy <= reach * reach)) expect.fail(name())
    }
    for (let seed = 1; seed <= PAIRS; seed++) {
      const pair = pairCase(seed)
      const { a, b } = pair
      check(a.shape, a.pose, b.shape, b.pose, () => describeCase(pair))
    }
    // Circles far ahead of their poses that touch on a line through both: nothing to spare but the margin.
    const random = createRandom(9)
    for (let i = 0; i < PAIRS; i++) {
      const angle = random() * 2 * Math.PI
      const [fx, fy] = [Math.cos(angle), Math.sin(angle)]
      const arm = 10 * random()
      const shape = circle(random(), { offsetX: arm })
      const far = [0, 1e6, 1e7][i % 3]
      const gap = 2 * (arm + shape.radius)
      const [poseA, poseB] = [
        pose({ x: far, y: far, facingX: fx, facingY: fy }),
        pose({ x: far + gap * fx, y: far + gap * fy, facingX: -fx, facingY: -fy }),
      ]
      check(shape, poseA, shape, poseB, () => `case ${i}: radius ${shape.radius} arm ${arm} angle ${angle} at ${far}`)
    }
  })

  test('[SH9] bounding circles are tight: the smallest there is, and a plain circle is its own to the bit', () => {
    const local = ({ boundX, boundY, boundRadius }: Shape) => [boundX, boundY, boundRadius]
    expect(local(circle(0.1))).toEqual([0, 0, 0.1])
    expect(boundingCircle({ shape: circle(0.1), pose: pose({ x: 1e7, y: 0.3 }) }, bound)).toEqual({
      x: 1e7,
      y: 0.3,
      radius: 0.1,
    })
    const near = (shape: Shape, x: number, y: number, radius: number) => {
      const [gotX, gotY, gotRadius] = local(shape)
      expect(Math.hypot(gotX - x, gotY - y), shape.kind).toBeLessThan(1e-12)
      expect(gotRadius / radius - 1, shape.kind).toBeGreaterThanOrEqual(0)
      expect(gotRadius / radius - 1, shape.kind).toBeLessThan(1e-11)
    }
    near(box(3, 4, { rounding: 1 }), 0, 0, 6)
    near(
      polygon([
        [0, 0],
        [4, 0],
        [0, 3],
      ]),
      2,
      1.5,
      2.5,
    )
    near(
      polygon([
        [0, 0],
        [10, 0],
        [5, 1],
      ]),
      5,
      0,
      5,
    )
    near(
      polygon([
        [1, 0],
        [-0.5, Math.sqrt(0.75)],
        [-0.5, -Math.sqrt(0.75)],
      ]),
      0,
      0,
      1,
    )
    near(arc(10, Math.PI), 0, 0, 10)
    near(arc(10, Math.PI / 2), Math.SQRT1_2 * 10, 0, Math.SQRT1_2 * 10)
    near(arc(10, (2 * Math.PI) / 3), 5, 0, Math.sqrt(75))
    near(arc(10, Math.PI / 3), 10 / Math.sqrt(3), 0, 10 / Math.sqrt(3))
  })

  test('[SH9] the bounding circle of an arc holds its apex, its tips and its round edge', () => {
    const random = createRandom(90)
    for (let i = 0; i < 2000; i++) {
      const reach = 0.1 + random() * 10
      const angle = random() * 2 * Math.PI
      const blow = arc(reach, angle, { offsetX: random(), offsetY: random() })
      const [apexX, apexY] = blow.corners
      for (let k = 0; k <= 20; k++) {
        const at = angle * (k / 20 - 0.5)
        for (const distance of [0, reach]) {
          const [x, y] = [apexX + distance * Math.cos(at), apexY + distance * Math.sin(at)]
          const off = Math.hypot(x - blow.boundX, y - blow.boundY)
          if (!(off <= blow.boundRadius)) expect.fail(`case ${i}: reach ${reach}, angle ${angle}`)
        }
      }
    }
  })
})
