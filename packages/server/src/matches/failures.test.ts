import { expect, test } from 'vitest'
import { createFailures } from './failures.ts'

test('[ML27] a match that cannot be read is tried again after twice the time, half a minute at most, and logged once', () => {
  const failures = createFailures()
  const waits: number[] = []
  const logged: boolean[] = []
  let now = 0
  for (let i = 0; i < 10; i++) {
    logged.push(failures.note('broken', now))
    const failedAt = now
    while (!failures.mayTry('broken', now)) now += 100
    waits.push(now - failedAt)
  }
  expect(waits).toEqual([200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000])
  expect(logged).toEqual([true, ...new Array(9).fill(false)])
  expect(failures.mayTry('sound', now)).toBe(true)
  failures.forgetOthers(new Set(['sound']))
  expect(failures.note('broken', now), 'a match that is gone is forgotten').toBe(true)
})
