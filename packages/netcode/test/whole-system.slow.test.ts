/**
 * The whole system in virtual time, many times. A failing seed is printed: `simulateSystem({ seed })` repeats it exactly.
 */

import { expect, test } from 'vitest'
import { type SystemReport, simulateSystem } from './system/system.ts'

const isLong = process.env.HURTBOX_LONG !== undefined
const SEEDS = isLong ? 10_000 : 30
const PATIENCE_MS = isLong ? 3_600_000 : 400_000

test('[WS1] whatever goes wrong, no confirmed tick is lost, one owner writes, and every client is back', {
  timeout: PATIENCE_MS,
}, () => {
  const sums = { ticks: 0, kills: 0, stops: 0, handovers: 0, takeovers: 0, fenced: 0, returns: 0, hashes: 0 }
  const failures: string[] = []
  for (let seed = 1; seed <= SEEDS; seed++) {
    const report = simulateSystem({ seed })
    for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += report[name]
    if (report.problems.length > 0) failures.push(`seed ${seed}: ${report.problems.join('; ')}`)
  }
  console.log(`${SEEDS} seeds: ${JSON.stringify(sums)}`)
  expect(failures).toEqual([])
  // It would be easy to survive if nothing happened.
  for (const [name, sum] of Object.entries(sums)) expect(sum, name).toBeGreaterThan(SEEDS / 4)
})

test('[WS2] the same seed gives the same run', () => {
  const first = simulateSystem({ seed: 77 })
  expect(simulateSystem({ seed: 77 })).toEqual(first)
})

const BROKEN = [
  ['fence', /was logged by epoch|processes run the match/],
  ['word', /than the final log has|saw tick|another state|could not go on/],
  ['token', /an intruder got a seat/],
] as const

test.each(BROKEN)('[WS3] a system with a broken %s is noticed', (breaks, sign) => {
  const isNoticed = ({ problems }: SystemReport) => problems.some((problem) => sign.test(problem))
  let seed = 1
  while (seed <= 100 && !isNoticed(simulateSystem({ seed, breaks }))) seed++
  expect(seed).toBeLessThanOrEqual(100)
})
