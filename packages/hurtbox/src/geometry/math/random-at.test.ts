import { describe, expect, test } from 'vitest'
import { words } from './fixtures/inputs.ts'
import { correlation, mean, ROUNDING, uniformity } from './fixtures/statistics.ts'
import { purposeOf, randomAt, unitAt, unitVectorAt } from './index.ts'

const CRITICAL = purposeOf('critical hit')
const SAMPLES = process.env.HURTBOX_LONG ? 200_000 : 10_000

type Arguments = [seed: number, tick: number, idA: number, idB: number, purpose: number]

describe('randomAt', () => {
  test('[RN12] gives these numbers, for ever', () => {
    expect(randomAt(1, 2, 3, 4, CRITICAL)).toBe(1418176188)
    expect(randomAt(0, 0, 0, 0, 0)).toBe(4004168355)
    expect(randomAt(Number.MAX_SAFE_INTEGER, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff)).toBe(384836890)
    expect(unitAt(1, 2, 3, 4, CRITICAL)).toBe(randomAt(1, 2, 3, 4, CRITICAL) / 2 ** 32)
    expect(vectorAt(1, 2, 3, 4, CRITICAL)).toEqual({ x: 0.4629297556299592, y: 0.8863949691601292 })
  })

  test('[RN12] purposes have these numbers, for ever', () => {
    expect(['', 'a', 'critical hit', 'critical hits'].map(purposeOf)).toEqual([
      4279838538, 4097653550, 2174802997, 2287590779,
    ])
  })

  test('[RN12] every argument matters, the upper half of the seed and the order of the ids too', () => {
    const variants: Arguments[] = [
      [1, 2, 3, 4, 5],
      [1 + 2 ** 32, 2, 3, 4, 5],
      [2, 2, 3, 4, 5],
      [1, 3, 3, 4, 5],
      [1, 2, 4, 4, 5],
      [1, 2, 4, 3, 5],
      [1, 2, 3, 5, 5],
      [1, 2, 3, 4, 6],
    ]
    expect(new Set(variants.map((variant) => randomAt(...variant))).size).toBe(variants.length)
  })

  test('[RN13] flipping any bit of any argument flips every bit of the result half of the time', () => {
    const word = words(1)
    let worst = 0
    for (let argument = 0; argument < 5; argument++) {
      for (let bit = 0; bit < (argument === 0 ? 53 : 32); bit++) {
        const flips = new Uint32Array(32)
        for (let i = 0; i < SAMPLES / 10; i++) {
          const args: Arguments = [(word() >>> 11) * 2 ** 32 + word(), word(), word(), word(), word()]
          const before = randomAt(...args)
          args[argument] = flipBit(args[argument], bit)
          const changed = before ^ randomAt(...args)
          for (let out = 0; out < 32; out++) flips[out] += (changed >>> out) & 1
        }
        for (const count of flips) {
          const deviations = Math.abs(count - SAMPLES / 20) / Math.sqrt(SAMPLES / 40)
          worst = Math.max(worst, deviations)
        }
      }
    }
    // The largest of 5,792 counts lies around 3.8 standard deviations from one half by chance alone.
    expect(worst).toBeLessThan(5)
  })

  test.each<[string, (i: number) => Arguments, (i: number) => Arguments]>([
    ['ticks', (i) => [7, i, 3, 4, 5], (i) => [7, i + 1, 3, 4, 5]],
    ['first ids', (i) => [7, 9, i, 4, 5], (i) => [7, 9, i + 1, 4, 5]],
    ['second ids', (i) => [7, 9, 3, i, 5], (i) => [7, 9, 3, i + 1, 5]],
    ['swapped ids', (i) => [7, 9, i, i + 1, 5], (i) => [7, 9, i + 1, i, 5]],
    ['seeds', (i) => [i, 9, 3, 4, 5], (i) => [i + 1, 9, 3, 4, 5]],
    ['purposes', (i) => [7, i, 3, 4, 5], (i) => [7, i, 3, 4, 6]],
    ['pairs in a row', (i) => [7, 9, i, i + 1, 5], (i) => [7, 9, i + 1, i + 2, 5]],
  ])('[RN14] neighbouring %s are unrelated, and even', (_what, one, other) => {
    const a = Array.from({ length: SAMPLES }, (_, i) => unitAt(...one(i)))
    const b = Array.from({ length: SAMPLES }, (_, i) => unitAt(...other(i)))
    expect(Math.abs(correlation(a, b))).toBeLessThan(4)
    const counts = new Uint32Array(100)
    for (const value of a) counts[Math.floor(value * 100)]++
    expect(Math.abs(uniformity(counts))).toBeLessThan(4)
    expect(Math.abs(mean(a) - 0.5) * Math.sqrt(12 * SAMPLES)).toBeLessThan(4)
  })

  test('[RN15] unitVectorAt has length 1 and no favourite direction', () => {
    const sectors = new Uint32Array(64)
    let worst = 0
    for (let i = 0; i < SAMPLES; i++) {
      const { x, y } = vectorAt(7, i, 3, 4, CRITICAL)
      worst = Math.max(worst, Math.abs(x * x + y * y - 1))
      sectors[Math.floor((Math.atan2(y, x) / (2 * Math.PI) + 0.5) * 64) % 64]++
    }
    expect(worst).toBeLessThan(ROUNDING)
    expect(Math.abs(uniformity(sectors))).toBeLessThan(4)
  })
})

function vectorAt(...args: Arguments): { x: number; y: number } {
  const out = { x: 0, y: 0 }
  unitVectorAt(...args, out)
  return out
}

function flipBit(x: number, bit: number): number {
  const weight = 2 ** bit
  return Math.floor(x / weight) % 2 === 0 ? x + weight : x - weight
}
