import { describe, expect, test } from 'vitest'
import { bytesOf, expectRefusal } from '../../../test/support.ts'
import { torus } from '../../geometry/space/index.ts'
import { createWorld, declareGame, defineGame, despawn, spawn } from '../../index.ts'
import {
  createFilter,
  createSpatialIndex,
  found,
  nearest,
  nearestOf,
  raycast,
  rebuild,
  sweepCircle,
  within,
} from './index.ts'

const game = defineGame(declareGame({ id: 'field', tickRate: 60, layers: { tree: [], wolf: [] }, capacity: 16 }), {
  phases: {},
})

function field() {
  const world = createWorld(game)
  const things = [
    spawn(world, 'tree', { x: 0, y: 0, radius: 2, kind: 1 }),
    spawn(world, 'wolf', { x: 10, y: 0, radius: 2, kind: 2, team: 1 }),
    spawn(world, 'wolf', { x: 20, y: 0, radius: 2, kind: 2, team: 2 }),
    spawn(world, 'tree', { x: 30, y: 1, radius: 2, kind: 3 }),
    spawn(world, 'wolf', { x: 10, y: 40, radius: 2, kind: 2, team: 1 }),
  ]
  const index = createSpatialIndex(world)
  rebuild(index)
  const rows = (count: number) => {
    const answer = [...index.answer.circle.subarray(0, count)]
    expect([...found(index)].map((each, i) => each === things[answer[i]])).toEqual(answer.map(() => true))
    return answer
  }
  return { world, index, rows, things }
}

describe('queries', () => {
  test('[QW1] regions, nearest, rays and sweeps give things in canonical order', () => {
    const { index, rows, things } = field()
    expect(rows(within(index, { x: 12, y: 0 }, 8))).toEqual([1, 2])
    expect(rows(within(index, { x: 5, y: 0 }, 3))).toEqual([0, 1])
    expect(nearest(index, { x: 14, y: 0 }) === things[1]).toBe(true)
    expect(nearest(index, { x: 15, y: 0 }) === things[1]).toBe(true)
    expect(rows(nearestOf(index, { x: 31, y: 0 }, 3))).toEqual([3, 2, 1])
    const [from, along] = [
      { x: -10, y: 0 },
      { x: 100, y: 0 },
    ]
    expect(raycast(index, from, along) === things[0]).toBe(true)
    expect(index.answer.measure[0]).toBe(0.08)
    expect(rows(sweepCircle(index, { x: 10, y: 20, radius: 1 }, { x: 0, y: 40 }))).toEqual([4])
    expect(nearest(index, { x: 0, y: 0 }, createFilter({ game }, { layers: ['wolf'] }), 5) === undefined).toBe(true)
    // A thing is a point as well.
    expect(nearest(index, things[4]) === things[4]).toBe(true)
  })

  test('[QW2] a filter narrows by layer, kind, team and rows to leave out', () => {
    const { index, rows, things, world } = field()
    const centre = { x: 10, y: 0 }
    const wolves = createFilter(world, { layers: ['wolf'] })
    expect(rows(within(index, centre, 100, wolves))).toEqual([1, 2, 4])
    wolves.exclude.push(1)
    expect(nearest(index, centre, wolves) === things[2]).toBe(true)
    expect(rows(within(index, centre, 100, createFilter(world, { kind: 2, notTeam: 1 })))).toEqual([2])
    expect(rows(within(index, centre, 100, createFilter(world, { layers: ['tree', 'wolf'], team: 1 })))).toEqual([1, 4])
    expectRefusal(() => createFilter(world, { layers: ['bear' as never] }), /no layer "bear"/)
  })

  test('[QW3] what is leaving is not found, and asking changes nothing', () => {
    const { world, index, things } = field()
    despawn(things[1])
    const before = bytesOf(world)
    rebuild(index)
    expect(nearest(index, { x: 10, y: 0 }) === things[0]).toBe(true)
    expect(bytesOf(world)).toEqual(before)
    expectRefusal(() => within(index, { x: Number.NaN, y: 0 }, 1), /x must be/, world)
    expectRefusal(() => within(index, { x: 0, y: 0 }, -1), /radius/, world)
    expectRefusal(() => nearestOf(index, { x: 0, y: 0 }, 1.5), /limit/, world)
    expectRefusal(() => raycast(index, { x: 0, y: 0 }, { x: Number.POSITIVE_INFINITY, y: 0 }), /dx/, world)
  })

  test('[QW1] on a torus the nearest may be across the seam', () => {
    const { world, things } = field()
    const index = createSpatialIndex(world, torus(50, 50))
    rebuild(index)
    expect(nearest(index, { x: 45, y: 0 }) === things[0]).toBe(true)
    expect(within(index, { x: 49, y: 49 }, 1)).toBe(1)
  })
})
