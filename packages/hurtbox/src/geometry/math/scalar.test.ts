import { describe, expect, test } from 'vitest'
import { anyDouble, fraction, neighbour, within, words } from './fixtures/inputs.ts'
import { clamp, length, lerp, PI, TAU, wrapAngle } from './index.ts'

describe('scalar helpers', () => {
  test('[MA7] angles from -π to π come back unchanged', () => {
    const word = words(1)
    for (const angle of [PI, -PI, 0, -0, neighbour(PI, -1)]) expect(wrapAngle(angle)).toBe(angle)
    for (let i = 0; i < 1000; i++) {
      const angle = within(word, PI)
      expect(wrapAngle(angle)).toBe(angle)
    }
  })

  test('[MA7] beyond π the angle goes on at -π, and the other way round', () => {
    expect(wrapAngle(PI + 0.5)).toBe(0.5 - PI)
    expect(wrapAngle(-PI - 0.5)).toBe(PI - 0.5)
    expect(wrapAngle(TAU)).toBe(0)
    expect(wrapAngle(neighbour(PI, 1))).toBe(neighbour(PI, 1) - TAU)
    expect(wrapAngle(1.5 + 6 * TAU)).toBeCloseTo(1.5, 12)
    expect(wrapAngle(-1.5 - 6 * TAU)).toBeCloseTo(-1.5, 12)
  })

  test('[MA7] no angle, however large, leaves the range', () => {
    const word = words(2)
    for (let i = 0; i < 5000; i++) {
      const angle = anyDouble(word)
      expect(Math.abs(wrapAngle(angle)), `wrapAngle(${angle})`).toBeLessThanOrEqual(PI)
    }
    expect(wrapAngle(Infinity)).toBe(Number.NaN)
  })

  test('[MA8] clamp keeps a value between its limits', () => {
    expect([-3, 0, 1, 2, 9].map((value) => clamp(value, 0, 2))).toEqual([0, 0, 1, 2, 2])
    expect(clamp(Number.NaN, 0, 2)).toBe(Number.NaN)
  })

  test('[MA9] lerp meets both ends exactly, and stays put between equal ends', () => {
    const word = words(3)
    for (let i = 0; i < 2000; i++) {
      const from = within(word, 1000)
      const to = within(word, 1e-3)
      const t = fraction(word)
      expect(lerp(from, to, 0)).toBe(from)
      expect(lerp(from, to, 1)).toBe(to)
      expect(lerp(from, from, t)).toBe(from)
    }
    expect([-1, 0.25, 2].map((t) => lerp(10, 20, t))).toEqual([0, 12.5, 30])
  })

  test('[MA10] length is the root of the sum of squares', () => {
    expect(length(3, -4)).toBe(5)
    expect(length(0.1, 0.2)).toBe(Math.sqrt(0.1 * 0.1 + 0.2 * 0.2))
  })
})
