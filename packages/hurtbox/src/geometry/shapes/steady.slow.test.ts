import { describe, expect, test } from 'vitest'
import { measuredBy } from '../../../test/heap.ts'
import { pairCase } from './fixtures/cases.ts'
import { arc, containsPoint, createImpact, createSeparation, overlaps, raycast, separation, sweep } from './index.ts'

describe('queries are steady', () => {
  const whip = arc(3, 2)
  const apart = createSeparation()
  const impact = createImpact()

  /** Everything the folder can be asked about a pair, as one line. */
  function answers(seed: number): string {
    const { a, b } = pairCase(seed)
    const hit = sweep({ ...a, dx: 3, dy: -2 }, b, impact)
    const swept = hit ? Object.values(impact) : []
    const seen = raycast(b, { x: a.pose.x, y: a.pose.y, dx: 5, dy: 1 }, impact) ? Object.values(impact) : []
    return String([
      overlaps(a, b, true),
      overlaps({ shape: whip, pose: a.pose }, b, true),
      overlaps({ shape: whip, pose: a.pose }, { shape: whip, pose: b.pose }, false),
      containsPoint(a, { x: b.pose.x, y: b.pose.y }),
      Object.values(separation(a, b, apart)),
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
    const child = new URL('fixtures/allocation-child.ts', import.meta.url)
    const bytesPerCall: Record<string, number> = measuredBy(child)
    expect(Object.keys(bytesPerCall)).toHaveLength(8)
    // The smallest object has 12 bytes.
    for (const [query, bytes] of Object.entries(bytesPerCall)) expect(Math.abs(bytes), query).toBeLessThan(1)
  })
})
