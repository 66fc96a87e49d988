import { describe, expect, test } from 'vitest'
import { expectRefusal, worldWith } from '../../../test/support.ts'
import { range } from '../../geometry/math/random.ts'
import { createWorld, defineGame, hashWorld, restore, snapshot, step } from '../../index.ts'
import { addUnits, type Crowd, declaration, GRIDS, rock } from './fixtures/crowd.ts'
import {
  residualOverlap,
  SEPARATION_CROWD,
  SEPARATION_DEFAULTS,
  SEPARATION_PAIRWISE,
  SEPARATION_TUNING,
  type SeparationOptions,
  type SeparationSettings,
  separate,
  tunedSeparation,
} from './index.ts'

type Unit = { x: number; y: number; radius: number; invMass: number; hp: number }

const unit =
  (radius: number, invMass: number) =>
  (x: number, y = 0) => ({ x, y, radius, invMass, hp: 1 })
const champion = unit(25, 1 / 100)
const minion = unit(20, 1 / 50)
const tower = unit(50, 0)

function push(
  units: readonly Unit[],
  settings: Partial<SeparationSettings> = {},
  options: SeparationOptions<Crowd> = {},
) {
  const phase = separate<Crowd>({ settings: () => settings, ...options })
  const world = createWorld(defineGame(declaration, { phases: { separate: phase } }), { seed: 3 })
  addUnits(world, units)
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
    const { at, distance } = push([champion(0), minion(30)])
    expect(distance(0, 1)).toBeCloseTo(45, 9)
    expect(at(0)[0]).toBeCloseTo(-15 / 3, 9)
    expect(at(1)[0]).toBeCloseTo(30 + (15 * 2) / 3, 9)
    const equal = push([champion(0), champion(30)])
    expect([equal.at(0)[0], equal.at(1)[0]]).toEqual([-10, 40])
  })

  test('[SP2] touching is not overlapping, and units that are apart stay', () => {
    expect(push([champion(0), champion(50)]).at(1)).toEqual([50, 0])
    expect(push([champion(0), champion(60)]).at(1)).toEqual([60, 0])
  })

  test('[SP3] what cannot be moved stays, and the other goes all the way; two such units do not part', () => {
    const { at, distance } = push([tower(0), champion(60)])
    expect(at(0)).toEqual([0, 0])
    expect(distance(0, 1)).toBeGreaterThanOrEqual(74.9)
    expect(push([tower(0), tower(10)]).at(1)).toEqual([10, 0])
  })

  test('[SP4] strength 0.5 undoes half, and the cap holds for the whole push before it is shared', () => {
    const half = push([champion(0), champion(30)], { separationStrength: 0.5 })
    expect([half.at(0)[0], half.at(1)[0]]).toEqual([-5, 35])
    const capped = push([tower(0), champion(0.5)])
    expect(capped.at(1)[0]).toBeCloseTo(50.5, 9)
    const tight = push([champion(0), champion(30)], { maxSeparationDistance: 4 })
    expect([tight.at(0)[0], tight.at(1)[0]]).toEqual([-2, 32])
  })

  test('[SP5] units in one place part in a random direction that a rollback repeats', () => {
    const start = () => push([champion(7), champion(7)])
    const { world, distance } = start()
    expect(distance(0, 1)).toBeCloseTo(50, 9)
    const piles = push([0, 0, 500, 500].map((x) => champion(x)))
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

  test('[SP5] only units nearer than 0.001 count as on one spot; others part along their line, however short', () => {
    for (const gap of [0.3, 0.0011]) expect(push([champion(0), champion(gap)]).at(1)[1], `${gap} apart`).toBe(0)
    expect(push([champion(0), champion(0.0009)]).at(1)[1], '0.0009 apart').not.toBe(0)
  })

  test('[SP15] no unit is moved further in a tick than the longest push, however many push it and in however many passes', () => {
    const beside = [tower(-5, 8), champion(0), tower(-5, -8)]
    const moved = ({ at }: ReturnType<typeof push>) => Math.sqrt(at(1)[0] ** 2 + at(1)[1] ** 2)
    for (const settings of [{}, { pairwise: true }, { passes: 8 }, { yielding: true }]) {
      expect(moved(push(beside, settings)), JSON.stringify(settings)).toBeCloseTo(50, 9)
      expect(moved(push(beside, { ...settings, maxSeparationDistance: 3 })), JSON.stringify(settings)).toBeCloseTo(3, 9)
    }
    expect(moved(push(beside, { maxSeparationDistance: 1000 }))).toBeGreaterThan(60)
    // What a unit is moved by limits is no push.
    const bounds = { minX: 0, minY: 0, maxX: 500, maxY: 500 }
    expect(push([minion(-300)], { maxSeparationDistance: 3 }, { bounds }).at(0)).toEqual([20, 20])
  })

  test('[SP6] dead units and others that take no room are skipped', () => {
    const takesRoom = ({ tables }: Crowd, row: number) => tables.things.hp[row] > 0
    const units = [champion(0), { ...champion(10), hp: 0 }, champion(30)]
    const { at } = push(units, {}, { takesRoom })
    expect([at(0)[0], at(1)[0], at(2)[0]]).toEqual([-10, 10, 40])
  })

  test('[SP7] three in a triangle are within 95 percent after one pass, apart after more', () => {
    const triangle = [champion(0), champion(30), champion(15, 26)]
    const nearest = ({ distance }: ReturnType<typeof push>) => Math.min(distance(0, 1), distance(1, 2), distance(0, 2))
    expect(nearest(push(triangle))).toBeGreaterThanOrEqual(50 * 0.95)
    expect(nearest(push(triangle, { passes: 16 }))).toBeGreaterThan(49.99)
  })

  test('[SP8] grid, every pair and any cell size give the same bits', () => {
    const hashes = GRIDS.map((settings) => {
      const phase = separate<Crowd>({ settings: () => ({ passes: 3, ...settings }) })
      const world = createWorld(defineGame(declaration, { phases: { separate: phase } }), { seed: 9 })
      for (let i = 0; i < 400; i++) {
        const [x, y] = [range(world.random.places, 0, 700), range(world.random.places, 0, 500)]
        addUnits(world, [(i % 40 === 0 ? tower : i % 3 === 0 ? champion : minion)(x, y)])
      }
      for (let tick = 0; tick < 20; tick++) step(world)
      return hashWorld(world)
    })
    expect(new Set(hashes).size).toBe(1)
  })

  test('[SP9] no unit is pushed out of the bounds or stays in an obstacle', () => {
    const bounds = { minX: 0, minY: 0, maxX: 200, maxY: 200 }
    const statics = rock({ minX: 90, minY: 90, maxX: 110, maxY: 110 })
    const units = Array.from({ length: 14 }, (_, i) => minion(60 + (i % 4) * 25, 60 + Math.floor(i / 4) * 25))
    const { at } = push(units, { passes: 20 }, { bounds, statics })
    for (let row = 0; row < units.length; row++) {
      const [x, y] = at(row)
      expect(Math.min(x, y), `unit ${row}`).toBeGreaterThanOrEqual(20)
      expect(Math.max(x, y), `unit ${row}`).toBeLessThanOrEqual(180)
    }
    const alone = push([minion(95, 99)], {}, { bounds, statics })
    expect(alone.at(0)).toEqual([70, 99])
    expect(push([minion(101, 105)], {}, { bounds, statics }).at(0)).toEqual([101, 130])
    // What takes no room goes where it likes.
    const takesRoom = ({ tables }: Crowd, row: number) => tables.things.hp[row] > 0
    expect(push([{ ...minion(-500), hp: 0 }], {}, { bounds, statics, takesRoom }).at(0)).toEqual([-500, 0])
    expect(push([minion(-500)], {}, { bounds }).at(0)).toEqual([20, 20])
    expect(push([minion(500, 500)], {}, { bounds }).at(0)).toEqual([180, 180])
  })

  test('[SP19] settings can be tuned; the method is that of the preset', () => {
    const read = (preset: SeparationSettings, tuning: object) => {
      const game = defineGame({ ...declaration, tuning: SEPARATION_TUNING }, { phases: {} })
      return { ...tunedSeparation(preset)(createWorld(game, { tuning })) }
    }
    for (const preset of [SEPARATION_DEFAULTS, SEPARATION_PAIRWISE]) expect(read(preset, {})).toEqual(preset)
    const tuned = { separationStrength: 0.5, maxSeparationDistance: 7, spatialGridCellSize: 60, passes: 3 }
    expect(read(SEPARATION_CROWD, { ...tuned, useSpatialGrid: 0 })).toEqual({
      ...SEPARATION_CROWD,
      ...tuned,
      useSpatialGrid: false,
    })
  })

  test('[SP10] the overlap that is left can be read', () => {
    const { world } = push([champion(0), champion(30)], { separationStrength: 0.5 })
    expect(residualOverlap(world)).toEqual({ pairs: 1, deepest: 10, mean: 10 })
    step(world)
    step(world)
    expect(residualOverlap(world).deepest).toBeCloseTo(2.5, 9)
  })

  test('[SP4] settings change at run time, and bad ones are refused by name', () => {
    let strength = 0
    const phase = separate<Crowd>({ settings: () => ({ separationStrength: strength }) })
    const world = worldWith(declaration, phase)
    addUnits(world, [champion(0), champion(30)])
    step(world)
    expect(world.tables.things.x[1]).toBe(30)
    strength = 1
    step(world)
    expect(world.tables.things.x[1]).toBe(40)
    for (const bad of [
      { passes: 1.5 },
      { maxSeparationDistance: -1 },
      { separationStrength: Number.NaN },
      { separationStrength: 7 },
      { separationStrength: -0.01 },
      { pairwise: 1 as never },
      { yielding: true, pairwise: true },
    ]) {
      const [name] = Object.keys(bad)
      expectRefusal(() => push([champion(0)], bad), new RegExp(name))
    }
  })
})
