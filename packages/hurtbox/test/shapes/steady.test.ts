import { describe, expect, test } from 'vitest'
import {
  arc,
  containsPoint,
  createImpact,
  createSeparation,
  overlaps,
  raycast,
  separation,
  sweep,
} from '../../src/shapes/index.ts'
import { measuredBy } from '../heap.ts'
import { pairCase } from './cases.ts'

describe('queries are steady', () => {
  const whip = arc(3, 2)
  const apart = createSeparation()
  const impact = createImpact()

  /** Everything the folder can be asked about a pair, as one line. */
  function answers(seed: number): string {
    const { a, b } = pairCase(seed)
    const hit = sweep(a.shape, a.pose, 3, -2, b.shape, b.pose, impact)
    const swept = hit ? Object.values(impact) : []
    const seen = raycast(b.shape, b.pose, a.pose.x, a.pose.y, 5, 1, impact) ? Object.values(impact) : []
    return String([
      overlaps(a.shape, a.pose, b.shape, b.pose, true),
      overlaps(whip, a.pose, b.shape, b.pose, true),
      overlaps(whip, a.pose, whip, b.pose, false),
      containsPoint(a.shape, a.pose, b.pose.x, b.pose.y),
      Object.values(separation(a.shape, a.pose, b.shape, b.pose, apart)),
      swept,
      seen,
    ])
  }

  test('[SH60] the same question has the same answer, whatever was asked in between', () => {
    // Backwards the second time: scratch left over from a larger or smaller pair must not show.
    const first = Array.from({ length: 3000 }, (_, seed) => answers(seed))
    for (let seed = first.length - 1; seed >= 0; seed--) expect(answers(seed), `seed ${seed}`).toBe(first[seed])
  })

  test('[SH61] a query allocates nothing', () => {
    const child = new URL('allocation-child.ts', import.meta.url)
    const bytesPerCall: Record<string, number> = measuredBy(child, ['--single-threaded'])
    expect(Object.keys(bytesPerCall)).toHaveLength(8)
    // The smallest object has 12 bytes.
    for (const [query, bytes] of Object.entries(bytesPerCall)) expect(Math.abs(bytes), query).toBeLessThan(1)
  })
})
