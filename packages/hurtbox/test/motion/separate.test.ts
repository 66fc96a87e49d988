import { describe, expect, test } from 'vitest'
import {
  createWorld,
  declareGame,
  defineGame,
  defineStatics,
  hashWorld,
  restore,
  snapshot,
  spawn,
  step,
  type World,
} from '../../src/index.ts'
import { range } from '../../src/math/random.ts'
import { residualOverlap, type SeparationOptions, type SeparationSettings, separate } from '../../src/motion/index.ts'
import { expectRefusal } from '../support.ts'

const declaration = declareGame({
  id: 'crowd',
  rulesVersion: 1,
  tickRate: 30,
  seats: { min: 0, max: 1 },
  layers: { unit: [], rock: [] },
  tables: { things: { capacity: 1024, columns: { invMass: 'f64', hp: 'f64' } } },
  streams: ['places'],
})
type Crowd = World<typeof declaration>

const CHAMPION = { radius: 25, invMass: 1 / 100, hp: 1 }
const MINION = { radius: 20, invMass: 1 / 50, hp: 1 }
const TOWER = { radius: 50, invMass: 0, hp: 1 }

type Unit = { x: number; y?: number; radius: number; invMass: number; hp?: number }

function push(
  units: readonly Unit[],
  settings: Partial<SeparationSettings> = {},
  options: SeparationOptions<Crowd> = {},
) {
  const phase = separate<Crowd>({ settings: () => settings, ...options })
  const world = createWorld(defineGame(declaration, { phases: () => ({ separate: phase }) }), { seed: 3 })
  for (const unit of units) spawn(world.tables.things, unit)
  step(world)
  const { x, y } = world.tables.things
  const at = (row: number): readonly [number, number] => [x[row], y[row]]
  return {
    world,
    at,
    distance: (a: number, b: number) => Math.sqrt((x[a] - x[b]) * (x[a] - x[b]) + (y[a] - y[b]) * (y[a] - y[b])),
  }
}

describe('separation', () => {
  test('[SP1] two overlapping units part along the line between them, by mass: 33 and 67 percent', () => {
    const { at, distance } = push([
      { x: 0, ...CHAMPION },
      { x: 30, ...MINION },
    ])
    expect(distance(0, 1)).toBeCloseTo(45, 9)
    expect(at(0)[0]).toBeCloseTo(-15 / 3, 9)
    expect(at(1)[0]).toBeCloseTo(30 + (15 * 2) / 3, 9)
    const equal = push([
      { x: 0, ...CHAMPION },
      { x: 30, ...CHAMPION },
    ])
    expect([equal.at(0)[0], equal.at(1)[0]]).toEqual([-10, 40])
  })

  test('[SP2] touching is not overlapping, and who is apart stays', () => {
    expect(
      push([
        { x: 0, ...CHAMPION },
        { x: 50, ...CHAMPION },
      ]).at(1),
    ).toEqual([50, 0])
    expect(
      push([
        { x: 0, ...CHAMPION },
        { x: 60, ...CHAMPION },
      ]).at(1),
    ).toEqual([60, 0])
  })

  test('[SP3] what cannot be moved stays, and the other goes all the way; two such units do not part', () => {
    const { at, distance } = push([
      { x: 0, ...TOWER },
      { x: 60, ...CHAMPION },
    ])
    expect(at(0)).toEqual([0, 0])
    expect(distance(0, 1)).toBeGreaterThanOrEqual(74.9)
    expect(
      push([
        { x: 0, ...TOWER },
        { x: 10, ...TOWER },
      ]).at(1),
    ).toEqual([10, 0])
  })

  test('[SP4] strength 0.5 undoes half, and the cap holds for the whole push before it is shared', () => {
    const half = push(
      [
        { x: 0, ...CHAMPION },
        { x: 30, ...CHAMPION },
      ],
      { separationStrength: 0.5 },
    )
    expect([half.at(0)[0], half.at(1)[0]]).toEqual([-5, 35])
    const capped = push([
      { x: 0, ...TOWER },
      { x: 0.5, ...CHAMPION },
    ])
    expect(capped.at(1)[0]).toBeCloseTo(50.5, 9)
    const tight = push(
      [
        { x: 0, ...CHAMPION },
        { x: 30, ...CHAMPION },
      ],
      { maxSeparationDistance: 4 },
    )
    expect([tight.at(0)[0], tight.at(1)[0]]).toEqual([-2, 32])
  })

  test('[SP5] units on one spot part along a direction by chance that a rollback reproduces', () => {
    const start = () =>
      push([
        { x: 7, ...CHAMPION },
        { x: 7, ...CHAMPION },
      ])
    const { world, distance } = start()
    expect(distance(0, 1)).toBeCloseTo(50, 9)
    const piles = push([0, 0, 500, 500].map((x) => ({ x, ...CHAMPION })))
    expect(piles.at(1)[1], 'each pair has its own direction').not.toBe(piles.at(3)[1])
    expect(hashWorld(start().world)).toBe(hashWorld(world))
    const { things } = world.tables
    const pile = () => {
      for (let row = 0; row < 2; row++) [things.x[row], things.y[row]] = [7, 7]
    }
    pile()
    const before = snapshot(world)
    step(world)
    const [x, y] = [things.x[1], things.y[1]]
    restore(world, before)
    step(world)
    expect([things.x[1], things.y[1]]).toEqual([x, y])
    pile()
    step(world)
    expect([things.x[1], things.y[1]], 'another tick, another direction').not.toEqual([x, y])
  })

  test('[SP6] the dead and whatever else takes no room are passed over', () => {
    const takesRoom = ({ tables }: Crowd, row: number) => tables.things.hp[row] > 0
    const units = [
      { x: 0, ...CHAMPION },
      { x: 10, ...CHAMPION, hp: 0 },
      { x: 30, ...CHAMPION },
    ]
    const { at } = push(units, {}, { takesRoom })
    expect([at(0)[0], at(1)[0], at(2)[0]]).toEqual([-10, 10, 40])
  })

  test('[SP7] three in a triangle are within 95 percent after one pass, apart after more', () => {
    const triangle = [
      { x: 0, ...CHAMPION },
      { x: 30, ...CHAMPION },
      { x: 15, y: 26, ...CHAMPION },
    ]
    const once = push(triangle)
    for (const [a, b] of [
      [0, 1],
      [1, 2],
      [0, 2],
    ])
      expect(once.distance(a, b)).toBeGreaterThanOrEqual(50 * 0.95)
    const often = push(triangle, { passes: 16 })
    for (const [a, b] of [
      [0, 1],
      [1, 2],
      [0, 2],
    ])
      expect(often.distance(a, b)).toBeGreaterThan(49.99)
  })

  test('[SP8] grid, every pair and any cell size give the same bits', () => {
    const hashes = [{}, { useSpatialGrid: false }, { spatialGridCellSize: 7 }, { spatialGridCellSize: 1000 }].map(
      (settings) => {
        const phase = separate<Crowd>({ settings: () => ({ passes: 3, ...settings }) })
        const world = createWorld(defineGame(declaration, { phases: () => ({ separate: phase }) }), { seed: 9 })
        for (let i = 0; i < 400; i++) {
          const [x, y] = [range(world.random.places, 0, 700), range(world.random.places, 0, 500)]
          spawn(world.tables.things, { x, y, ...(i % 40 === 0 ? TOWER : i % 3 === 0 ? CHAMPION : MINION) })
        }
        for (let tick = 0; tick < 20; tick++) step(world)
        return hashWorld(world)
      },
    )
    expect(new Set(hashes).size).toBe(1)
  })

  test('[SP9] nobody is pushed out of the bounds or stays in an obstacle', () => {
    const bounds = { minX: 0, minY: 0, maxX: 200, maxY: 200 }
    const obstacles = defineStatics(defineGame(declaration, { phases: () => ({}) }).layers, [
      { layer: 'rock', minX: 90, minY: 90, maxX: 110, maxY: 110 },
    ])
    const units = Array.from({ length: 14 }, (_, i) => ({
      x: 60 + (i % 4) * 25,
      y: 60 + Math.floor(i / 4) * 25,
      ...MINION,
    }))
    const { at } = push(units, { passes: 20 }, { bounds, obstacles })
    for (let row = 0; row < units.length; row++) {
      const [x, y] = at(row)
      expect(Math.min(x, y), `unit ${row}`).toBeGreaterThanOrEqual(20)
      expect(Math.max(x, y), `unit ${row}`).toBeLessThanOrEqual(180)
    }
    const alone = push([{ x: 95, y: 99, ...MINION }], {}, { bounds, obstacles })
    expect(alone.at(0)).toEqual([70, 99])
    expect(push([{ x: 101, y: 105, ...MINION }], {}, { bounds, obstacles }).at(0)).toEqual([101, 130])
    // What takes no room goes where it likes.
    const takesRoom = ({ tables }: Crowd, row: number) => tables.things.hp[row] > 0
    expect(push([{ x: -500, ...MINION, hp: 0 }], {}, { bounds, obstacles, takesRoom }).at(0)).toEqual([-500, 0])
    expect(push([{ x: -500, ...MINION }], {}, { bounds }).at(0)).toEqual([20, 20])
  })

  test('[SP10] the overlap that is left can be read', () => {
    const { world } = push(
      [
        { x: 0, ...CHAMPION },
        { x: 30, ...CHAMPION },
      ],
      { separationStrength: 0.5 },
    )
    expect(residualOverlap(world)).toEqual({ pairs: 1, deepest: 10, mean: 10 })
    step(world)
    step(world)
    expect(residualOverlap(world).deepest).toBeCloseTo(2.5, 9)
  })

  test('[SP4] settings change at run time, and bad ones are refused by name', () => {
    let strength = 0
    const phase = separate<Crowd>({ settings: () => ({ separationStrength: strength }) })
    const world = createWorld(defineGame(declaration, { phases: () => ({ separate: phase }) }))
    spawn(world.tables.things, { x: 0, ...CHAMPION })
    spawn(world.tables.things, { x: 30, ...CHAMPION })
    step(world)
    expect(world.tables.things.x[1]).toBe(30)
    strength = 1
    step(world)
    expect(world.tables.things.x[1]).toBe(40)
    for (const bad of [{ passes: 1.5 }, { maxSeparationDistance: -1 }, { separationStrength: Number.NaN }]) {
      const [name] = Object.keys(bad)
      expectRefusal(() => push([{ x: 0, ...CHAMPION }], bad), new RegExp(name))
    }
  })
})
