import { describe, expect, test } from 'vitest'
import { randomOf } from '../../../test/random.ts'
import {
  circlesOf,
  firstDifference,
  type Layering,
  layerings,
  listPairs,
  meetsOf,
  type Placement,
  pairsIn,
  placements,
  radii,
  randomScene,
  type Sizes,
} from './fixtures/scenes.ts'
import {
  bruteForce,
  type Circles,
  createPairFinder,
  createPairList,
  findPairs,
  NO_LAYER,
  OPEN,
  type PairOptions,
  type Topology,
  torus,
} from './index.ts'

const all = meetsOf('all')
const LONG = process.env.HURTBOX_LONG !== undefined
const SEEDS = LONG ? 200 : 6
const CELL_SIZES = [undefined, 0.5, 3, 10, 24, 1000]

describe('pairs', () => {
  test('[BP1] circles overlap when their distance is at most the sum of the radii', () => {
    // 3-4-5 triangles: distances are exact.
    expect(pairsIn(circlesOf([0, 0, 2], [3, 4, 3]), all)).toEqual([[0, 1]])
    expect(pairsIn(circlesOf([0, 0, 2], [3, 4, 2.999999]), all)).toEqual([])
    expect(pairsIn(circlesOf([0, 0, 0], [0, 0, 0]), all)).toEqual([[0, 1]])
    expect(pairsIn(circlesOf([0, 0, 10], [1, 1, 0.5]), all)).toEqual([[0, 1]])
  })

  describe.each(Object.keys(placements) as Placement[])('[BP2] grid and brute force find the same: %s', (placement) => {
    test.each(Object.keys(radii) as Sizes[])('radii %s', (sizes) => {
      for (const layering of Object.keys(layerings) as Layering[]) {
        const meets = meetsOf(layering)
        for (let seed = 1; seed <= SEEDS; seed++) {
          const scene = randomScene(seed, 40 + 37 * (seed % 5), placement, sizes, layering)
          const expected = pairsIn(scene, meets, { broadPhase: bruteForce })
          const cellSize = CELL_SIZES[(seed + layering.length) % CELL_SIZES.length]
          const options = cellSize === undefined ? {} : { cellSize }
          expect(
            firstDifference(pairsIn(scene, meets, options), expected),
            `${layering}, seed ${seed}, cell ${cellSize}`,
          ).toBe('')
        }
      }
    })
  })

  test('[BP2] a crowd of two thousand, spread, mixed and with runaways', () => {
    for (const [placement, sizes] of [
      ['spread', 'points'],
      ['line', 'mixed'],
      ['outliers', 'whole'],
      ['far', 'points'],
    ] as const) {
      const scene = randomScene(99, 2000, placement, sizes)
      const expected = pairsIn(scene, all, { broadPhase: bruteForce })
      expect(firstDifference(pairsIn(scene, all), expected), placement).toBe('')
    }
  })

  test('[BP3] each pair once, lower index first, ordered by lower, then higher index', () => {
    const scene = randomScene(7, 300, 'piles')
    const found = pairsIn(scene, all)
    expect(found.length).toBeGreaterThan(1000)
    expect(found.every(([a, b]) => a < b)).toBe(true)
    const ranks = found.map(([a, b]) => a * scene.count + b)
    expect(ranks).toEqual([...new Set(ranks)].sort((a, b) => a - b))
  })

  test('[BP4] the cell size changes neither the pairs nor their order', () => {
    let pairs = 0
    for (let seed = 1; seed <= SEEDS; seed++) {
      const scene = randomScene(seed, 200, 'spread', 'boss')
      const reference = pairsIn(scene, all)
      pairs += reference.length
      for (const cellSize of [0.01, 0.7, 2, 5, 13, 80, 1e6]) {
        expect(firstDifference(pairsIn(scene, all, { cellSize }), reference), `seed ${seed}, cell ${cellSize}`).toBe('')
      }
    }
    expect(pairs).toBeGreaterThan(20 * SEEDS)
  })

  test('[BP5] only layers that meet are paired, and a circle on no layer never is', () => {
    const pile = circlesOf([0, 0, 1, 0], [0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 1, NO_LAYER], [0, 0, 1, 2])
    expect(pairsIn(pile, Uint32Array.of(0b010, 0b001, 0b000))).toEqual([
      [0, 1],
      [0, 2],
    ])
    expect(pairsIn(pile, Uint32Array.of(0b000, 0b010, 0b100))).toEqual([[1, 2]])
  })

  test('[BP6] circles on layers that meet no layer cost no test', () => {
    const scene = randomScene(3, 200, 'point', 'equal', 'bullets')
    scene.layer[0] = 0
    expect(checksOf(scene, Uint32Array.of(0, 0))).toBe(0)
    // Bullets are never tested against bullets, enemies never against enemies.
    const enemies = scene.layer.filter((layer) => layer === 0).length
    expect(checksOf(scene, meetsOf('bullets'))).toBe(enemies * (scene.count - enemies))
    // The more numerous layer is the one that is not entered.
    const finder = createPairFinder()
    findPairs(finder, scene, createPairList(), { meets: meetsOf('bullets') })
    expect(finder.roles).toMatchObject({ seekers: 0b10, targets: 0b01 })
    expect(finder.levels.grids[0].count).toBe(enemies)
  })

  test('[BP7] a rounding at the border of two cells loses no pair', () => {
    // 1 / size is rounded. In cells of exactly size 49, 4 * 49 would come out just below the fourth border and 5 * 49 on the
    // fifth: a diameter apart and two cells apart.
    for (let size = 1; size < 2000; size++) {
      const scene = circlesOf(...Array.from({ length: 40 }, (_, i) => [i * size, 0, size / 2] as const))
      const found = pairsIn(scene, all, { cellSize: size })
      expect(found.length, `size ${size}`).toBe(39)
    }
    // The difference of the first two rounds to exactly 100, the sum of the radii.
    expect(pairsIn(circlesOf([-1e-17, 0, 50], [100, 0, 50], [-100, 0, 50]), all, { cellSize: 100 })).toEqual([
      [0, 1],
      [0, 2],
    ])
  })

  test('[BP8] places far outside are kept, and cost neither memory nor time', () => {
    const random = randomOf(5)
    const circles = Array.from({ length: 3000 }, () => [random() * 1500, random() * 1000, 4 + 8 * random()] as const)
    const scene = circlesOf(...circles)
    const near = checksOf(scene, all)
    scene.x[17] = 9e11
    scene.y[18] = -9e11
    scene.x[2999] = 9e11
    scene.y[17] = scene.y[2999] = 4
    const finder = createPairFinder()
    const pairs = createPairList()
    findPairs(finder, scene, pairs, { meets: all })
    expect(pairs.checks).toBeLessThan(4 * near)
    for (const { cellStart } of finder.levels.grids) expect(cellStart.length).toBeLessThan(40 * scene.count)
    const found = listPairs(pairs)
    expect(found).toContainEqual([17, 2999])
    expect(firstDifference(found, pairsIn(scene, all, { broadPhase: bruteForce }))).toBe('')
  })

  test('[BP9] one boss does not make the bullets meet each other', () => {
    const random = randomOf(12)
    const bullets = Array.from({ length: 2000 }, () => [random() * 4000, random() * 3000, 3] as const)
    const alone = checksOf(circlesOf(...bullets), all)
    const withBoss = checksOf(circlesOf(...bullets, [2000, 1500, 200]), all)
    // The boss itself is tested against what its square covers: 2000 × 420² / 12e6, about 30.
    expect(withBoss - alone).toBeLessThan(100)
  })

  test('[BP4] sizes at the end of what a number can hold are no trouble', () => {
    const places = [0, 1e-320, 3e-320, 1e-200, 1e-9, 1, 1 + 1e-15, 9e11]
    for (const radius of [0, 5e-324, 1e-320, 1e-160, 1e11]) {
      const scene = circlesOf(...places.flatMap((x) => places.map((y) => [x, y, radius, x > y ? 1 : 0] as const)))
      for (const meets of [Uint32Array.of(3, 3), Uint32Array.of(2, 1)]) {
        const expected = pairsIn(scene, meets, { broadPhase: bruteForce })
        for (const cellSize of [0, 5e-324, 1e-300, 1, 1e12]) {
          const label = `radius ${radius}, cell ${cellSize}`
          expect(firstDifference(pairsIn(scene, meets, { cellSize }), expected), label).toBe('')
        }
      }
    }
  })

  test('[BP11] no circles, or one, are no pairs', () => {
    expect(pairsIn(circlesOf(), all)).toEqual([])
    expect(pairsIn(circlesOf([1, 2, 3]), all)).toEqual([])
  })

  test('[BP12] one finder and one list serve scenes of any size and kind, one after another', () => {
    const finder = createPairFinder()
    const pairs = createPairList()
    for (let seed = 1; seed <= 60; seed++) {
      const random = randomOf(seed)
      const pick = <T>(list: T[]) => list[Math.floor(random() * list.length)]
      const layering = pick(Object.keys(layerings) as Layering[])
      const placement = pick(Object.keys(placements) as Placement[])
      const scene = randomScene(
        seed,
        Math.floor(random() * 250),
        placement,
        pick(Object.keys(radii) as Sizes[]),
        layering,
      )
      const topology = pick<Topology>([OPEN, torus(90, 40)])
      findPairs(finder, scene, pairs, { meets: meetsOf(layering), topology })
      const expected = pairsIn(scene, meetsOf(layering), { topology, broadPhase: bruteForce })
      expect(firstDifference(listPairs(pairs), expected), `seed ${seed}`).toBe('')
    }
  })

  test('[BP13] bad options are refused by name', () => {
    const scene = circlesOf([0, 0, 1])
    expect(() => pairsIn(scene, all, { cellSize: Number.NaN })).toThrow('cellSize must be a finite number, got NaN.')
    expect(() => pairsIn(scene, all, { cellSize: -1 })).toThrow('cellSize must not be negative, got -1.')
    expect(() => pairsIn(scene, all, { topology: torus(0, 5) })).toThrow('width must be at least 0.000001, got 0.')
    expect(() => pairsIn(scene, all, { topology: { width: 5, height: 5 } as never })).toThrow(
      'topology must be made with torus(width, height).',
    )
  })
})

describe('checks', () => {
  // Seed 002's table: every pair at 100 and 1,000 units is 4,950 and 499,500 checks; a grid needs about 100 to 200 and
  // 1,000 to 2,000. Uniform scenes of one density, its radii (champion, melee, caster, tower) and its cell of 100.
  const table = [
    { units: 100, side: 1800, naive: 4950, from: 100, to: 200 },
    { units: 1000, side: 5692, naive: 499_500, from: 1000, to: 2000 },
  ]

  test.each(table)('[BP14] $units units: $naive checks without a grid, $from to $to with one', (row) => {
    for (let seed = 1; seed <= 20; seed++) {
      const random = randomOf(seed)
      const units = Array.from(
        { length: row.units },
        () => [random() * row.side, random() * row.side, [25, 20, 20, 50][Math.floor(random() * 4)]] as const,
      )
      const scene = circlesOf(...units)
      expect(checksOf(scene, all, { broadPhase: bruteForce })).toBe(row.naive)
      const finder = createPairFinder()
      const pairs = createPairList()
      findPairs(finder, scene, pairs, { meets: all, cellSize: 100 })
      const { checks } = pairs
      // A tower is exactly as wide as a cell, and in the same grid as everybody else.
      expect(finder.levels.count).toBe(1)
      expect(checks, `seed ${seed}`).toBeGreaterThanOrEqual(row.from)
      expect(checks, `seed ${seed}`).toBeLessThanOrEqual(row.to)
    }
  })

  test('[BP15] two thousand on one point are paired without testing them', () => {
    const pairs = createPairList()
    findPairs(createPairFinder(), randomScene(1, 2000, 'point'), pairs, { meets: all })
    expect(pairs.count).toBe((2000 * 1999) / 2)
    expect(pairs.checks).toBe(0)
  })

  test('[BP15] piles and crowds beside each other are paired like everybody else', () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const random = randomOf(seed)
      const piles = Array.from({ length: 6 }, () => [random() * 60, random() * 40, random() * 12] as const)
      const circles = Array.from({ length: 600 }, () => {
        const [x, y, spread] = piles[Math.floor(random() * piles.length)]
        return [x + random() * spread, y + random() * spread, 5 + random(), Math.floor(random() * 3)] as const
      })
      const scene = circlesOf(...circles)
      for (const layering of ['teams', 'bullets'] as const) {
        const meets = Uint32Array.from([...meetsOf(layering), 0, 0])
        const expected = pairsIn(scene, meets, { broadPhase: bruteForce })
        for (const options of [{}, { cellSize: 40 }]) {
          expect(firstDifference(pairsIn(scene, meets, options), expected), `seed ${seed}`).toBe('')
        }
      }
    }
  })
})

function checksOf(circles: Circles, meets: Uint32Array, options: Partial<PairOptions> = {}): number {
  const pairs = createPairList()
  findPairs(createPairFinder(), circles, pairs, { meets, ...options })
  return pairs.checks
}
