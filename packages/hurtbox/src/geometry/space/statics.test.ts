import { describe, expect, test } from 'vitest'
import { randomOf } from '../../../test/random.ts'
import { circlesOf, firstDifference, listPairs, meetsOf, placements, randomScene } from './fixtures/scenes.ts'
import { buildStaticMap, type Circles, createPairList, findStaticPairs, type Rectangles } from './index.ts'

const all = meetsOf('all')
const SEEDS = process.env.HURTBOX_LONG === undefined ? 150 : 5000

describe('static map', () => {
  test('[BP16] a circle meets the rectangles that it overlaps or touches, by ascending number', () => {
    const map = buildStaticMap(rectanglesOf([10, 0, 20, 5], [-5, -5, 0, 0], [0, 10, 100, 11], [0, 0, 3, 3]))
    const circles = circlesOf([9, 1, 1], [-3, 4, 4], [1, 1, 9], [3.6, 3.8, 1])
    expect(staticPairs(map, circles)).toEqual([
      [0, 0],
      [1, 1],
      [1, 3],
      [2, 0],
      [2, 1],
      [2, 2],
      [2, 3],
      [3, 3],
    ])
    // The corner of the last is exactly 1 from (3, 3); a little less does not reach it.
    expect(staticPairs(map, circlesOf([3.6, 3.8, 0.999999]))).toEqual([])
  })

  test('[BP17] circles outside the map are kept and meet nothing', () => {
    const map = buildStaticMap(rectanglesOf([0, 0, 10, 10]))
    const circles = circlesOf([1e12, 5, 1], [5, -1e12, 1], [5, 5, 1], [-2, 5, 2])
    expect(staticPairs(map, circles)).toEqual([
      [2, 0],
      [3, 0],
    ])
    expect(staticPairs(buildStaticMap(rectanglesOf()), circles)).toEqual([])
  })

  test('[BP18] circles meet the rectangles of the layers that theirs meets', () => {
    const rectangles = { ...rectanglesOf([0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 1, 1]), layer: Uint8Array.of(0, 1, 255) }
    const map = buildStaticMap(rectangles)
    const circles = circlesOf([0, 0, 1, 0], [0, 0, 1, 1], [0, 0, 1, 255])
    expect(staticPairs(map, circles, Uint32Array.of(2, 3))).toEqual([
      [0, 1],
      [1, 0],
      [1, 1],
    ])
  })

  test('[BP19] agrees with testing every rectangle, whatever the sizes and the cells', () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const random = randomOf(seed)
      const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]
      const placement = pick(['spread', 'lattice', 'piles', 'line', 'outliers', 'far'] as const)
      const rectangles = rectanglesOf(
        ...Array.from({ length: Math.floor(random() * 80) }, () => {
          const [x, y] = placements[placement](random)
          const long = pick([0, 2, 30, 3000])
          return [x, y, x + Math.floor(random() * long), y + Math.floor(random() * pick([2, long]))] as const
        }),
      )
      const circles = randomScene(seed, 60, placement, pick(['similar', 'whole', 'mixed', 'points'] as const))
      const cellSize = pick([0, 0, 1, 17, 1e5])
      const found = staticPairs(buildStaticMap(rectangles, cellSize), circles)
      const label = `seed ${seed}: ${rectangles.count} ${placement}, cell ${cellSize}`
      expect(firstDifference(found, everyStaticPair(rectangles, circles)), label).toBe('')
    }
  })

  test('[BP20] neither a huge map nor a huge rectangle needs a huge grid', () => {
    const map = buildStaticMap(rectanglesOf([-9e11, 0, 9e11, 1], [0, -9e11, 1, 9e11], [0, 0, 1, 1]), 0.001)
    expect(map.cellStart.length + map.members.length).toBeLessThan(20_000)
    expect(buildStaticMap(rectanglesOf([0, 0, 1e9, 1e9], [5, 5, 5, 5]), 5e-324).cellStart.length).toBeLessThan(10_000)
    const carpets = buildStaticMap(rectanglesOf(...Array.from({ length: 500 }, () => [0, 0, 900, 900] as const)), 1)
    expect(carpets.members.length).toBeLessThan(20_000)
    expect(staticPairs(map, circlesOf([5e11, 1, 1], [3, 5e11, 1], [3, 5e11, 2]))).toEqual([
      [0, 0],
      [2, 1],
    ])
  })

  test('[BP21] a map with a corner in the wrong place is refused by name', () => {
    expect(() => buildStaticMap(rectanglesOf([0, 0, 1, 1], [5, 0, 4, 1]))).toThrow(
      'The corners of rectangle 1 must ascend, got 5, 0 to 4, 1.',
    )
    expect(() => buildStaticMap(rectanglesOf([0, 0, Number.NaN, 1]))).toThrow('maxX of rectangle 0 must be a finite')
  })
})

function rectanglesOf(...corners: (readonly [minX: number, minY: number, maxX: number, maxY: number])[]): Rectangles {
  return {
    count: corners.length,
    minX: Float64Array.from(corners, (c) => c[0]),
    minY: Float64Array.from(corners, (c) => c[1]),
    maxX: Float64Array.from(corners, (c) => c[2]),
    maxY: Float64Array.from(corners, (c) => c[3]),
    layer: new Uint8Array(corners.length),
  }
}

function staticPairs(map: ReturnType<typeof buildStaticMap>, circles: Circles, meets = all): [number, number][] {
  const pairs = createPairList()
  findStaticPairs(map, circles, pairs, { meets })
  return listPairs(pairs)
}

function everyStaticPair({ count, minX, minY, maxX, maxY }: Rectangles, circles: Circles): [number, number][] {
  const found: [number, number][] = []
  for (let a = 0; a < circles.count; a++) {
    for (let b = 0; b < count; b++) {
      const dx = Math.max(minX[b] - circles.x[a], 0, circles.x[a] - maxX[b])
      const dy = Math.max(minY[b] - circles.y[a], 0, circles.y[a] - maxY[b])
      if (dx * dx + dy * dy <= circles.radius[a] * circles.radius[a]) found.push([a, b])
    }
  }
  return found
}
