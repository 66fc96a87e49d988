import { describe, expect, test } from 'vitest'
import { randomOf } from '../../../test/random.ts'
import { createIndexSet, reserveIndexes, sortAscending } from './ascending.ts'

describe('ascending order', () => {
  test('[BP23] distinct indexes come out ascending, from any order, number and range', () => {
    const set = createIndexSet()
    for (let seed = 1; seed <= 400; seed++) {
      const random = randomOf(seed)
      const limit = 1 + Math.floor(10 ** (6 * random()))
      const wanted = Math.floor(random() ** 3 * Math.min(limit, 400))
      // Clustered as often as not: all in a few buckets of the widest range.
      const from = random() < 0.5 ? 0 : limit - wanted
      const chosen = new Set<number>()
      while (chosen.size < wanted) chosen.add(from + Math.floor(random() * (limit - from)))
      const list = Uint32Array.from([7, ...chosen, 3])
      reserveIndexes(set, limit)
      sortAscending(set, list, 1, list.length - 1)
      const expected = [7, ...[...chosen].sort((a, b) => a - b), 3]
      expect([...list], `seed ${seed}: ${wanted} below ${limit}`).toEqual(expected)
    }
  })
})
