import { describe, expect, test } from 'vitest'
import { pairsPlot, spread } from '../plot.ts'
import { contenders, type Entry } from '../registry.ts'
import { formatMs, summaryTable, workloadTable } from '../report.ts'
import { type Line, linesOf } from '../results.ts'
import type { Outcome } from '../schedule.ts'
import { growthExponent, median, quantile } from '../statistics.ts'
import { workloads } from '../workloads/index.ts'

describe('benchmark figures', () => {
  test('[BE13] median and quantile, odd and even, unsorted', () => {
    expect(median([3, 1, 2])).toBe(2)
    expect(median([4, 1, 3, 2])).toBe(2.5)
    expect(quantile([10, 0, 20, 30, 40], 0.75)).toBe(30)
    expect(quantile([0, 10], 0.99)).toBeCloseTo(9.9, 12)
    expect(median([])).toBeNaN()
  })

  test('[BE14] growth is the slope in log-log', () => {
    const at = (k: number) => [1000, 10_000, 100_000].map((n) => ({ n, ms: 0.001 * n ** k }))
    expect(growthExponent(at(1))).toBeCloseTo(1, 12)
    expect(growthExponent(at(1.5))).toBeCloseTo(1.5, 12)
    expect(growthExponent([{ n: 10, ms: 1 }])).toBeNaN()
    expect(
      growthExponent([
        { n: 10, ms: 1 },
        { n: 10, ms: 2 },
      ]),
    ).toBeNaN()
  })

  const cases = new Map([
    [1000, [outcome('hurtbox', 0.05), outcome('kdbush', 0.5), outcome('rapier2d', 0.8), outcome('matter-js', 0.9, 40)]],
    [
      10_000,
      [
        outcome('hurtbox', 0.5),
        outcome('kdbush', 7),
        outcome('rapier2d', 6),
        { ...outcome('matter-js', 1), status: 'skipped' as const },
      ],
    ],
  ])
  const lines = linesOf('pairs', cases, { machine: 'a machine', date: '2026-11-15' })

  test('[BE15] a JSON line says workload, n, contender, ms and exact; ours also the best peer and the ratio', () => {
    const ours = JSON.parse(JSON.stringify(lines.find(({ contender, n }) => contender === 'hurtbox' && n === 1000)))
    expect(ours).toMatchObject({ workload: 'pairs', n: 1000, contender: 'hurtbox', ms: 0.05, exact: true })
    expect(ours).toMatchObject({ bestPeer: 'kdbush', bestEngine: 'rapier2d', machine: 'a machine' })
    expect(ours.growth).toBeCloseTo(1, 12)
    expect(ours.bestPeerRatio).toBeCloseTo(10, 12)
    expect(ours.bestEngineRatio).toBeCloseTo(16, 12)
    const matter = lines.find(({ contender }) => contender === 'matter-js')
    expect(matter).toMatchObject({ exact: false, verdict: 'wrong', missing: 40, timesOurs: 18 })
    expect(lines.filter(({ contender }) => contender === 'matter-js')).toHaveLength(1)
  })

  test('[BE16] an engine that is faster than every index is the best peer, and a wrong one still counts', () => {
    const ours = lines.find(({ contender, n }) => contender === 'hurtbox' && n === 10_000)
    expect(ours).toMatchObject({ bestPeer: 'rapier2d', bestPeerRatio: 12, bestEngine: 'rapier2d' })
    const wrong = new Map([[1000, [outcome('hurtbox', 1), outcome('matter-js', 3, 40), outcome('kdbush', 4)]]])
    const [first] = linesOf('pairs', wrong, { machine: 'a machine', date: '2026-11-15' })
    expect(first).toMatchObject({ bestPeer: 'matter-js', bestPeerRatio: 3 })
  })

  test('[BE17] tables show times, marks for wrong answers, what was not run, and the ratios', () => {
    const table = workloadTable(workloads[0], cases, lines)
    expect(table).toMatch(/hurtbox +0\.0500 +0\.500 +n\^1\.00/)
    expect(table).toMatch(/matter-js +0\.900 ✗ +not run/)
    expect(table).toContain('✗ wrong: matter-js at 1000: 40 missing, 0 extra of 100')
    const summary = summaryTable(lines, (_, n) => String(n))
    expect(summary).toMatch(/pairs +1000 +0\.500 kdbush +0\.800 rapier2d +0\.0500 +10\.0× +16\.0× +exact/)
  })

  test('[BE18] the plot names every contender once and keeps labels apart', () => {
    const svg = pairsPlot(lines)
    for (const name of ['hurtbox', 'kdbush', 'rapier2d', 'matter-js']) {
      expect(svg.match(new RegExp(`>${name} [0-9.]+ ms at 10?k<`, 'g')), name).toHaveLength(1)
    }
    expect(svg).not.toContain('NaN')
    expect(svg).toContain('prefers-color-scheme: dark')
    const places = spread([100, 101, 102, 440, 441])
    for (let i = 1; i < places.length; i++) expect(places[i] - places[i - 1]).toBeGreaterThanOrEqual(18)
  })

  test('[BE17] times keep three figures', () => {
    expect([1234.5, 123.4, 12.34, 1.234, 0.01234].map(formatMs)).toEqual(['1235', '123', '12.3', '1.23', '0.0123'])
  })
})

function outcome(name: string, ms: number, missing = 0): Outcome {
  const entry = contenders.find((contender) => contender.name === name) as Entry
  const exactness = { expected: 100, missing, extra: 0, worstGapPx: missing > 0 ? 0.8 : 0 }
  return { entry, status: 'ran', ms, processes: 1, facts: {}, exactness }
}

// The type of a line is what other tools read; this fails to compile when a promised field goes.
export const promised: (keyof Line)[] = ['workload', 'n', 'contender', 'ms', 'exact']
