import { describe, expect, test } from 'vitest'
import { createRandom } from '../../../test/random.ts'
import { describeCase, movedB, PAIRS, type PairCase, pairCase, TIMEOUT } from './fixtures/cases.ts'
import { coreDistance, type Point } from './fixtures/oracle.ts'
import { box, capsule, circle, createSeparation, overlaps, pose, separation } from './index.ts'

describe('separation of convex shapes', { timeout: TIMEOUT }, () => {
  const out = createSeparation()
  const back = createSeparation()
  const ask = (pair: PairCase, into = out) => separation(pair.a, pair.b, into)

  test('[SH20] the distance is the gap or the depth that measuring all sides gives', () => {
    for (let seed = 1; seed <= PAIRS; seed++) {
      const pair = pairCase(seed)
      const { distance } = coreDistance(pair.coreA.points, pair.coreB.points)
      const expected = distance - pair.coreA.radius - pair.coreB.radius
      const error = Math.abs(ask(pair).distance - expected)
      if (!(error <= 1e-13 * pair.scale)) expect.fail(`${out.distance}, should be ${expected}: ${describeCase(pair)}`)
    }
  })

  test('[SH21] moving B by the distance along the normal makes the pair touch', () => {
    for (let seed = 1; seed <= PAIRS; seed++) {
      const pair = pairCase(seed)
      const { distance, normalX, normalY } = ask(pair)
      if (!(Math.abs(Math.hypot(normalX, normalY) - 1) <= 1e-15)) expect.fail(`normal, ${describeCase(pair)}`)
      const moved = movedB(pair, -distance * normalX, -distance * normalY)
      const tolerance = 1e-12 * (pair.scale + Math.abs(pair.a.pose.x))
      const left = ask(moved).distance
      if (!(Math.abs(left) <= tolerance)) expect.fail(`${left} left of ${distance}: ${describeCase(pair)}`)
    }
  })

  test('[SH22] swapped, the distance is the same to the bit and the normal is opposite', () => {
    for (let seed = 1; seed <= PAIRS; seed++) {
      const pair = pairCase(seed)
      ask(pair)
      separation(pair.b, pair.a, back)
      if (out.distance !== back.distance) expect.fail(`${out.distance} and ${back.distance}: ${describeCase(pair)}`)
      const opposite = out.normalX === -back.normalX && out.normalY === -back.normalY
      // Where two ways out are equally short, each order may take its own; both must be that short.
      const along = gapAlong(pair, -back.normalX, -back.normalY)
      const isTie = out.distance <= 0 && Math.abs(along - out.distance) <= 1e-13 * pair.scale
      if (!opposite && !isTie) expect.fail(`normals, ${describeCase(pair)}`)
    }
  })

  test('[SH22] swapped, the same to the bit also where sides are parallel but for the last bit of their normals', () => {
    const random = createRandom(22)
    for (let i = 0; i < PAIRS; i++) {
      const [x, y] = [random() - 0.5, random() - 0.5]
      const [a, b] = [random() * 3, random() * 3].map((length) =>
        capsule([0, 0], [x * length, y * length], 0.1 * random()),
      )
      const [fx, fy] = [random() - 0.5, random() - 0.5]
      const [poseA, poseB] = [
        pose({ x: random(), y: random(), facingX: fx, facingY: fy }),
        pose({ x: random(), y: random(), facingX: fx, facingY: fy }),
      ]
      separation({ shape: a, pose: poseA }, { shape: b, pose: poseB }, out)
      separation({ shape: b, pose: poseB }, { shape: a, pose: poseA }, back)
      const isMirrored = out.normalX === -back.normalX && out.normalY === -back.normalY
      if (out.distance !== back.distance || !isMirrored) expect.fail(`case ${i}: ${out.distance}, ${back.distance}`)
    }
  })

  test('[SH23] the contact point is midway between the outlines', () => {
    for (let seed = 1; seed <= PAIRS; seed++) {
      const pair = pairCase(seed)
      const { distance, normalX, normalY, x, y } = ask(pair)
      // From the point, half the distance back is the outline of A, half the distance on is that of B.
      const [backX, backY] = [(normalX * distance) / 2, (normalY * distance) / 2]
      const onA: Point = [x - pair.a.pose.x - backX, y - pair.a.pose.y - backY]
      const onB: Point = [x - pair.a.pose.x + backX, y - pair.a.pose.y + backY]
      const offA = coreDistance([onA], pair.coreA.points).distance - pair.coreA.radius
      const offB = coreDistance([onB], pair.coreB.points).distance - pair.coreB.radius
      const tolerance = 1e-12 * (pair.scale + Math.abs(pair.a.pose.x))
      if (!(Math.abs(offA) <= tolerance && Math.abs(offB) <= tolerance)) {
        expect.fail(`(${x}, ${y}) is ${offA} and ${offB} off, distance ${distance}: ${describeCase(pair)}`)
      }
    }
    separation(
      { shape: box(1, 1), pose: pose({ x: 0, y: 0 }) },
      { shape: box(1, 1), pose: pose({ x: 1.5, y: 1 }) },
      out,
    )
    expect(out).toEqual({ distance: -0.5, normalX: 1, normalY: 0, x: 0.75, y: 0.5 })
    separation({ shape: circle(1), pose: pose({ x: 0, y: 0 }) }, { shape: circle(2), pose: pose({ x: 6, y: 8 }) }, out)
    expect(out).toEqual({ distance: 7, normalX: 0.6, normalY: 0.8, x: 2.7, y: 3.6 })
  })

  test('[SH24] coincident shapes part along +x where no way out is shorter', () => {
    const here = pose({ x: 3, y: -4 })
    separation({ shape: circle(1), pose: here }, { shape: circle(2), pose: here }, out)
    expect(out).toMatchObject({ distance: -3, normalX: 1, normalY: 0 })
    separation({ shape: box(1, 1), pose: here }, { shape: box(1, 1), pose: here }, out)
    expect(out).toMatchObject({ distance: -2, normalX: 1, normalY: 0 })
    separation({ shape: box(2, 1), pose: here }, { shape: box(2, 1), pose: here }, out)
    expect(out).toMatchObject({ distance: -2, normalY: 1 })
    for (const upright of [capsule([0, -2], [0, 2], 1), capsule([0, 2], [0, -2], 1)]) {
      expect(separation({ shape: upright, pose: here }, { shape: circle(1), pose: here }, out)).toMatchObject({
        distance: -2,
        normalX: 1,
      })
      expect(separation({ shape: circle(1), pose: here }, { shape: upright, pose: here }, out)).toMatchObject({
        distance: -2,
        normalX: 1,
      })
    }
    // Nearer than squares can tell is coincident too, and still a direction.
    separation(
      { shape: circle(1), pose: pose({ x: 0, y: 0 }) },
      { shape: circle(1), pose: pose({ x: -1e-150, y: 1e-150 }) },
      out,
    )
    expect(out).toMatchObject({ distance: -2, normalX: 1, normalY: 0 })
  })

  test('[SH25] the sign of the distance agrees with the verdict of overlaps', () => {
    for (let seed = 1; seed <= PAIRS; seed++) {
      const pair = pairCase(seed)
      const { distance } = ask(pair)
      const { a, b } = pair
      if (Math.abs(distance) <= 1e-14 * pair.scale) continue
      if (overlaps(a, b, true) !== distance < 0) expect.fail(describeCase(pair))
    }
  })
})

/** How far apart the shapes are when seen along a direction from A to B. */
function gapAlong({ coreA, coreB }: PairCase, x: number, y: number): number {
  const highA = Math.max(...coreA.points.map((point) => point[0] * x + point[1] * y))
  const lowB = Math.min(...coreB.points.map((point) => point[0] * x + point[1] * y))
  return lowB - highA - coreA.radius - coreB.radius
}
