import { describe, expect, test } from 'vitest'
import {
  allOnRay,
  createSurroundings,
  createWorld,
  declareGame,
  defineGame,
  firstOnRay,
  lookAround,
  lookFor,
  nearestOf,
  nearestTo,
  onTheWay,
  spawn,
  within,
  withinBox,
} from '../src/index.ts'
import { bytesOf, expectRefusal } from './support.ts'

const game = defineGame(
  declareGame({
    id: 'field',
    rulesVersion: 1,
    tickRate: 60,
    seats: { min: 0, max: 1 },
    layers: { tree: [], wolf: [] },
    tables: { things: { capacity: 16, columns: {} } },
  }),
  { phases: () => ({}) },
)

function field() {
  const world = createWorld(game)
  const { things } = world.tables
  spawn(things, { layer: 0, x: 0, y: 0, radius: 2, kind: 1 })
  spawn(things, { layer: 1, x: 10, y: 0, radius: 2, kind: 2, team: 1 })
  spawn(things, { layer: 1, x: 20, y: 0, radius: 2, kind: 2, team: 2 })
  spawn(things, { layer: 0, x: 30, y: 1, radius: 2, kind: 3 })
  spawn(things, { layer: 1, x: 10, y: 40, radius: 2, kind: 2, team: 1 })
  const around = createSurroundings(world)
  lookAround(around)
  const rows = (count: number) => [...around.answer.circle.subarray(0, count)]
  return { world, around, rows }
}

describe('surroundings', () => {
  test('[QW1] regions, nearest, rays and ways give rows in canonical order', () => {
    const { around, rows } = field()
    expect(rows(within(around, 12, 0, 8))).toEqual([1, 2])
    expect(rows(within(around, 5, 0, 3))).toEqual([0, 1])
    expect(rows(withinBox(around, 5, -5, 35, 5))).toEqual([1, 2, 3])
    expect(nearestTo(around, 14, 0)).toBe(1)
    expect(nearestTo(around, 15, 0)).toBe(1)
    expect(rows(nearestOf(around, 31, 0, 3))).toEqual([3, 2, 1])
    expect([firstOnRay(around, -10, 0, 100, 0), around.answer.measure[0]]).toEqual([0, 0.08])
    expect(rows(allOnRay(around, -10, 0, 100, 0))).toEqual([0, 1, 2, 3])
    expect(rows(onTheWay(around, 10, 20, 1, 0, 40))).toEqual([4])
    expect(nearestTo(around, 0, 0, lookFor(game.layers, { layers: ['wolf'] }), 5)).toBe(-1)
  })

  test('[QW2] a look narrows by layer, kind, team and rows to leave out', () => {
    const { around, rows } = field()
    const wolves = lookFor(game.layers, { layers: ['wolf'] })
    expect(rows(within(around, 10, 0, 100, wolves))).toEqual([1, 2, 4])
    wolves.exclude.push(1)
    expect(nearestTo(around, 10, 0, wolves)).toBe(2)
    expect(rows(within(around, 10, 0, 100, lookFor(game.layers, { kind: 2, notTeam: 1 })))).toEqual([2])
    expect(rows(within(around, 10, 0, 100, lookFor(game.layers, { layers: ['tree', 'wolf'], team: 1 })))).toEqual([
      1, 4,
    ])
    expectRefusal(() => lookFor(game.layers, { layers: ['bear'] }), /no layer "bear"/)
  })

  test('[QW3] what is leaving is not found, and asking changes nothing', () => {
    const { world, around } = field()
    world.tables.things.leaving[1] = 1
    const before = bytesOf(world)
    lookAround(around)
    expect(nearestTo(around, 10, 0)).toBe(0)
    expect(bytesOf(world)).toEqual(before)
    expectRefusal(() => within(around, Number.NaN, 0, 1), /x must be/, world)
    expectRefusal(() => within(around, 0, 0, -1), /radius/, world)
    expectRefusal(() => nearestOf(around, 0, 0, 1.5), /wanted/, world)
    expectRefusal(() => firstOnRay(around, 0, 0, Number.POSITIVE_INFINITY, 0), /dx/, world)
  })

  test('[QW1] on a torus the nearest may be across the seam', () => {
    const { world } = field()
    const around = createSurroundings(world, { kind: 'torus', width: 50, height: 50 })
    lookAround(around)
    expect(nearestTo(around, 45, 0)).toBe(0)
    expect(within(around, 49, 49, 1)).toBe(1)
  })
})
