import { describe, expect, test } from 'vitest'
import { createMetrics } from '../metrics.ts'
import { increase, parseMetrics, quantile } from './prometheus.ts'

const NAME = 'hurtbox_tick_seconds'

describe('[SV30] what hurtbox load reads from the metrics', () => {
  test('is what was observed between two readings, of the game that is asked about', async () => {
    const metrics = createMetrics()
    const observe = (game: string, ms: number) => metrics.tickSeconds.observerOf(game)(ms / 1000)
    for (let i = 0; i < 500; i++) observe('ball', 9)
    const before = parseMetrics(await metrics.registry.metrics())
    for (let i = 0; i < 989; i++) observe('ball', 0.2)
    for (let i = 0; i < 11; i++) observe('ball', 4)
    observe('tower', 30)
    const after = parseMetrics(await metrics.registry.metrics())
    const game = 'game="ball"'
    expect(increase(before, after, `${NAME}_count`, game)).toBe(1_000)
    expect(increase(before, after, `${NAME}_sum`, game)).toBeCloseTo(0.989 * 0.2 + 0.011 * 4, 9)
    // Buckets are a third wide: a quantile is off by no more than that.
    expect(quantile(before, after, NAME, 0.5, game) * 1000).toBeGreaterThan(0.2 * 0.75)
    expect(quantile(before, after, NAME, 0.5, game) * 1000).toBeLessThan(0.2 * 1.34)
    expect(quantile(before, after, NAME, 0.99, game) * 1000).toBeGreaterThan(4 * 0.75)
    expect(quantile(before, after, NAME, 0.99, game) * 1000).toBeLessThan(4 * 1.34)
  })

  test('has no quantile where nothing was observed, and no more than the last bound beyond it', async () => {
    const metrics = createMetrics()
    const before = parseMetrics(await metrics.registry.metrics())
    expect(quantile(before, before, NAME, 0.5)).toBeNaN()
    metrics.tickSeconds.observerOf('ball')(60)
    const after = parseMetrics(await metrics.registry.metrics())
    expect(quantile(before, after, NAME, 0.5)).toBeCloseTo(0.0374, 3)
  })
})
