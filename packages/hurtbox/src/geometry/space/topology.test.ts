import { describe, expect, test } from 'vitest'
import { randomOf } from '../../../test/random.ts'
import {
  circlesOf,
  firstDifference,
  meetsOf,
  type Placement,
  pairsIn,
  placements,
  randomScene,
  type Sizes,
} from './fixtures/scenes.ts'
import { bruteForce, type Topology, torus } from './index.ts'
import { nearestImage, wrap } from './topology.ts'

const all = meetsOf('all')
const round = torus(100, 40)
const SEEDS = process.env.HURTBOX_LONG !== undefined ? 200 : 5

describe('topology', () => {
  test('[TO1] on a torus things meet across the seam, at the distance of their nearest images', () => {
    const ends = circlesOf([1, 20, 3], [98, 20, 3])
    expect(pairsIn(ends, all)).toEqual([])
    expect(pairsIn(ends, all, { topology: round })).toEqual([[0, 1]])
    // Exactly 3 + 3 apart across both seams at once: (-3.6, -4.8).
    const corner = circlesOf([1.5, 2, 3], [97.9, 37.2, 3])
    expect(pairsIn(corner, all, { topology: round })).toEqual([[0, 1]])
  })

  test('[TO3] a place is brought into the base rectangle first, however far outside', () => {
    const scene = circlesOf([1, 1, 1], [100 * 12345 + 1.5, 1 - 40 * 77, 1])
    expect(pairsIn(scene, all, { topology: round })).toEqual([[0, 1]])
    const random = randomOf(3)
    for (let i = 0; i < 10_000; i++) {
      const coordinate = (random() - 0.5) * 10 ** (24 * random() - 12)
      const wrapped = wrap(coordinate, 100)
      expect(wrapped >= 0 && wrapped < 100, `wrap(${coordinate}) = ${wrapped}`).toBe(true)
    }
    expect(wrap(-1e-20, 100)).toBe(0)
    expect(wrap(-1, 100)).toBe(99)
    expect(wrap(100, 100)).toBe(0)
  })

  test('[TO4] distances on a torus are the same both ways and at most half the way round', () => {
    const random = randomOf(8)
    for (let i = 0; i < 10_000; i++) {
      const a = random() * 100
      const b = random() * 100
      const there = nearestImage(a, b, 100)
      const symmetric = there === nearestImage(b, a, 100) && there <= 50
      expect(symmetric, `${a} to ${b}`).toBe(true)
    }
  })

  test.each(Object.keys(placements) as Placement[])(
    '[TO5] grid and brute force find the same on a torus: %s',
    (placement) => {
      // The last ones are narrower than the circles, where every circle is its neighbour's neighbour on both sides.
      const sizes: [number, number][] = [
        [190, 70],
        [64, 1000],
        [33.3, 17.7],
        [8, 600],
        [5, 4],
      ]
      for (const [width, height] of sizes) {
        for (const kind of ['similar', 'whole', 'mixed', 'points'] as Sizes[]) {
          for (let seed = 1; seed <= SEEDS; seed++) {
            const scene = randomScene(seed, 90, placement, kind, 'teams')
            const topology: Topology = torus(width, height)
            const expected = pairsIn(scene, meetsOf('teams'), { topology, broadPhase: bruteForce })
            for (const options of [{ topology }, { topology, cellSize: 3 }]) {
              const label = `${width} × ${height}, ${kind}, seed ${seed}, cell ${options.cellSize}`
              expect(firstDifference(pairsIn(scene, meetsOf('teams'), options), expected), label).toBe('')
            }
          }
        }
      }
    },
  )
})
