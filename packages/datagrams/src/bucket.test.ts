import { expect, test } from 'vitest'
import { createBucket } from './bucket.ts'

test('[RM26] a bucket lets a burst through, then as many as flow in', () => {
  let ms = 0
  const may = createBucket({ burst: 5, perSecond: 10 }, () => ms)
  const taken = (now: number, tries: number) => {
    ms = now
    return Array.from({ length: tries }, may).filter(Boolean).length
  }
  expect(taken(0, 20)).toBe(5)
  expect(taken(1000, 20)).toBe(5)
  expect(taken(1100, 20)).toBe(1)
  expect(taken(1150, 20)).toBe(0)
})
