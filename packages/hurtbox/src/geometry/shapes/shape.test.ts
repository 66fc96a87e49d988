import { describe, expect, test } from 'vitest'
import { createRandom } from '../../../test/random.ts'
import { HurtboxError } from '../../base/errors.ts'
import { randomConvexPoints } from './fixtures/cases.ts'
import type { Point } from './fixtures/oracle.ts'
import { arc, box, capsule, circle, polygon, pose, type Shape, segment } from './index.ts'

describe('defining shapes', () => {
  const all: Shape[] = [
    circle(2),
    capsule([-1, 0], [1, 0], 0.5),
    segment([0, 0], [3, 4]),
    box(2, 1, { rounding: 0.25 }),
    polygon([
      [0, 0],
      [2, 0],
      [0, 2],
    ]),
    arc(10, Math.PI),
  ]

  test('[SH1] a shape is frozen plain data that survives JSON', () => {
    for (const shape of all) {
      expect(Object.isFrozen(shape), shape.kind).toBe(true)
      expect(JSON.parse(JSON.stringify(shape))).toEqual(JSON.parse(JSON.stringify(shape)))
      expect(JSON.parse(JSON.stringify(shape)).corners).toHaveLength(shape.corners.length)
    }
  })

  test('[SH2] corners run counter-clockwise and every edge has a unit normal that points outwards', () => {
    for (const { kind, corners, normals } of all) {
      const count = normals.length / 2
      expect(corners).toHaveLength(count === 0 ? 2 : 2 * count)
      for (let k = 0; k < count; k++) {
        const [nx, ny] = [normals[2 * k], normals[2 * k + 1]]
        expect(Math.hypot(nx, ny), kind).toBeCloseTo(1, 15)
        // No corner lies beyond the edge.
        const limit = nx * corners[2 * k] + ny * corners[2 * k + 1]
        for (let c = 0; c < count; c++) {
          expect(nx * corners[2 * c] + ny * corners[2 * c + 1], kind).toBeLessThanOrEqual(limit + 1e-15)
        }
        const next = (k + 1) % count
        const [ex, ey] = [corners[2 * next] - corners[2 * k], corners[2 * next + 1] - corners[2 * k + 1]]
        expect(-ny * ex + nx * ey, `${kind} edge ${k} runs along its normal's left`).toBeGreaterThanOrEqual(0)
      }
    }
  })

  test('[SH3] sizes and places must be finite numbers within bounds, sizes not negative; the message names the argument', () => {
    const shapes: Record<string, (bad: never) => unknown> = {
      'circle radius': (bad) => circle(bad),
      'circle offsetX': (bad) => circle(1, { offsetX: bad }),
      'circle offsetY': (bad) => circle(1, { offsetY: bad }),
      'capsule from[0]': (bad) => capsule([bad, 0], [1, 0], 1),
      'capsule from[1]': (bad) => capsule([0, bad], [1, 0], 1),
      'capsule to[0]': (bad) => capsule([0, 0], [bad, 0], 1),
      'capsule to[1]': (bad) => capsule([0, 0], [1, bad], 1),
      'capsule radius': (bad) => capsule([0, 0], [1, 0], bad),
      'segment from[0]': (bad) => segment([bad, 0], [1, 0]),
      'box halfWidth': (bad) => box(bad, 1),
      'box halfHeight': (bad) => box(1, bad),
      'box rounding': (bad) => box(1, 1, { rounding: bad }),
      'polygon points[1] x': (bad) =>
        polygon([
          [0, 0],
          [bad, 0],
          [0, 1],
        ]),
      'polygon points[2] y': (bad) =>
        polygon([
          [0, 0],
          [1, 0],
          [0, bad],
        ]),
      'polygon rounding': (bad) =>
        polygon(
          [
            [0, 0],
            [1, 0],
            [0, 1],
          ],
          { rounding: bad },
        ),
      'arc reach': (bad) => arc(bad, 1),
      'arc angle': (bad) => arc(1, bad),
      'pose x': (bad) => pose({ x: bad, y: 0 }),
      'pose y': (bad) => pose({ x: 0, y: bad }),
      'pose facingX': (bad) => pose({ x: 0, y: 0, facingX: bad, facingY: 1 }),
      'pose facingY': (bad) => pose({ x: 0, y: 0, facingX: 1, facingY: bad }),
    }
    const isSize = /radius|half|rounding|reach|angle/
    for (const [name, define] of Object.entries(shapes)) {
      const bads = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e308, '3', null, {}, [1], true]
      for (const bad of isSize.test(name) ? [...bads, -1] : bads) {
        // A missing option is not a mistake; null is what a level editor writes for one.
        if (bad === null && /offset|rounding/.test(name)) continue
        const error = caught(() => define(bad as never))
        expect(error, `${name} ${String(bad)}`).toBeInstanceOf(HurtboxError)
        expect((error as Error).message, String(bad)).toMatch(new RegExp(`^${name.replace(/[[\]]/g, '\\$&')} must`))
      }
    }
    expect(() => segment(undefined as never, [1, 2])).toThrow(
      /^segment from must be 2 numbers, as \[10, 20\], got undefined/,
    )
    expect(() => capsule([0, 0], { x: 1, y: 2 } as never, 3)).toThrow(/^capsule to must be 2 numbers, .*got object/)
    expect(() => pose(undefined as never)).toThrow(/^pose x must be a number, got undefined/)
  })

  test('[SH3] options must be an object', () => {
    expect(() => circle(1, null as never)).toThrow(/circle options must be an object, got null/)
    expect(() => box(1, 1, 5 as never)).toThrow(/box options must be an object, got 5/)
  })

  test('[SH4] a polygon comes out counter-clockwise, without repeated and flat corners, whatever way it went in', () => {
    const square = [
      [0, 0],
      [2, 0],
      [2, 2],
      [0, 2],
    ] as const
    const expected = polygon(square)
    expect(polygon([...square].reverse()).normals).toHaveLength(8)
    expect(cornersOf(polygon([...square].reverse()))).toEqual(expect.arrayContaining(cornersOf(expected)))
    expect(polygon([...square, [0, 0]])).toEqual(expected)
    expect(
      polygon([
        [0, 0],
        [0, 0],
        [2, 0],
        [2, 2],
        [2, 2],
        [0, 2],
      ]),
    ).toEqual(expected)
    expect(
      polygon([
        [0, 0],
        [1, 0],
        [2, 0],
        [2, 2],
        [1, 2 + 1e-12],
        [0, 2],
      ]),
    ).toEqual(expected)
    expect(
      polygon([
        [0, 0],
        [1, 1e-13],
        [2, 0],
        [2, 2],
        [0, 2],
      ]),
    ).toEqual(expected)
  })

  test('[SH5] a polygon that is not convex, flat, crossed, too small or too large in corners is refused, and says where', () => {
    const refuse = (points: unknown, message: RegExp) => expect(() => polygon(points as Point[])).toThrow(message)
    refuse(
      [
        [0, 0],
        [4, 0],
        [4, 4],
        [2, 1],
        [0, 4],
      ],
      /must be convex, but its outline turns inwards at points\[3\] \(2, 1\)/,
    )
    refuse(
      [
        [0, 4],
        [2, 1],
        [4, 4],
        [4, 0],
        [0, 0],
      ],
      /turns inwards at points\[1\] \(2, 1\)/,
    )
    const star = [0, 2, 4, 1, 3].map((k): Point => [Math.cos((k * 2 * Math.PI) / 5), Math.sin((k * 2 * Math.PI) / 5)])
    refuse(star, /must be convex, but its outline crosses itself/)
    refuse(
      [
        [0, 0],
        [2, 2],
        [2, 0],
        [0, 2],
      ],
      /must be convex|without area/,
    )
    refuse(
      [
        [0, 0],
        [1, 1],
        [2, 2],
      ],
      /at least 3 corners that do not lie on one line, got 3 points without area/,
    )
    refuse(
      [
        [0, 0],
        [1, 1],
        [0, 0],
        [1, 1],
      ],
      /at least 3 corners/,
    )
    refuse(
      [
        [0, 0],
        [1, 1],
      ],
      /at least 3 corners/,
    )
    refuse([], /at least 3 corners/)
    refuse(
      [
        [0, 0],
        [1, 0],
        [1, 1e-10],
      ],
      /without area/,
    )
    refuse(ngon(17), /at most 16 corners, got 17/)
    expect(polygon(ngon(16)).normals).toHaveLength(32)
    refuse('square', /points must be an array of \[x, y\] pairs, got string/)
    refuse([[0, 0], [1, 0], 5], /points\[2\] must be a pair/)
    refuse(
      [
        [0, 0],
        [1, 0],
        [1, 2, 3],
      ],
      /points\[2\] must be a pair/,
    )
  })

  test('[SH5] every convex outline is accepted, at any size and place', () => {
    const random = createRandom(5)
    for (let i = 0; i < 2000; i++) {
      const size = [1e-9, 1e-3, 1, 1e3, 1e9][i % 5]
      const points = randomConvexPoints(random, size)
      const [x, y] = [(random() - 0.5) * size * 100, (random() - 0.5) * size * 100]
      const moved = points.map(([px, py]): Point => [px + x, py + y])
      expect(polygon(moved).corners.length, `case ${i}: ${JSON.stringify(moved)}`).toBeGreaterThanOrEqual(6)
    }
  })

  test('[SH6] shapes without extent become the simpler shape: a capsule without length is a circle', () => {
    expect(capsule([1, 2], [1, 2], 3)).toEqual({ ...circle(3, { offsetX: 1, offsetY: 2 }), kind: 'capsule' })
    expect(segment([1, 2], [1, 2]).normals).toEqual([])
  })

  test('[SH7] a pose turns its facing into a unit vector; (0, 0) is along +x', () => {
    expect(pose({ x: 1, y: 2 })).toEqual({ x: 1, y: 2, facingX: 1, facingY: 0 })
    expect(pose({ x: 1, y: 2, facingX: 3, facingY: 4 })).toEqual({ x: 1, y: 2, facingX: 0.6, facingY: 0.8 })
    expect(pose({ x: 0, y: 0, facingX: -1e-200, facingY: 0 })).toEqual({ x: 0, y: 0, facingX: -1, facingY: 0 })
    expect(pose({ x: 0, y: 0, facingX: 0, facingY: 1e12 })).toEqual({ x: 0, y: 0, facingX: 0, facingY: 1 })
    expect(pose({ x: 0, y: 0, facingX: 0, facingY: 0 })).toEqual({ x: 0, y: 0, facingX: 1, facingY: 0 })
    expect(pose({ x: 0, y: 0, facingX: -0, facingY: 0 }).facingX).toBe(1)
    expect(() => pose({ x: 0, y: 0, facingX: Number.NaN, facingY: 0 })).toThrow(/pose facingX/)
  })

  test('[SH8] an arc opens by its angle: more than nothing, at most a full turn, right angles exactly', () => {
    const opening = (angle: number) => [arc(1, angle).halfAngleCos, arc(1, angle).halfAngleSin]
    expect(opening(Math.PI)).toEqual([0, 1])
    expect(opening(2 * Math.PI)).toEqual([-1, 0])
    expect(opening((2 * Math.PI) / 3)[0]).toBeCloseTo(0.5, 15)
    expect(() => arc(1, 0)).toThrow(/arc angle must be more than 0 and at most a full turn, in radians \(2π\), got 0/)
    expect(() => arc(1, 120)).toThrow(/got 120/)
  })
})

function cornersOf({ corners }: Shape): Point[] {
  return Array.from({ length: corners.length / 2 }, (_, k) => [corners[2 * k], corners[2 * k + 1]])
}

function ngon(count: number): Point[] {
  return Array.from({ length: count }, (_, k) => [
    Math.cos((k / count) * 2 * Math.PI),
    Math.sin((k / count) * 2 * Math.PI),
  ])
}

function caught(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  return undefined
}
