import { describe, expect, test } from 'vitest'
import { HurtboxError } from '../../base/errors.ts'
import { correlation, mean, ROUNDING, uniformity } from './fixtures/statistics.ts'
import { chance, int, nextU32, pick, range, seedStream, shuffle, unit, unitVector } from './index.ts'

const LARGEST_SEED = Number.MAX_SAFE_INTEGER
const DRAWS = process.env.HURTBOX_LONG ? 2_000_000 : 100_000

describe('random streams', () => {
  test('[RN1] a seed and a name give these numbers, for ever', () => {
    expect(take(stream(1, 'loot'), 4, nextU32)).toEqual([1272387540, 2616896801, 3442064908, 3155225860])
    expect(take(stream(1, 'waves'), 4, nextU32)).toEqual([430203923, 735384705, 1433900422, 1206054974])
    expect(take(stream(2, 'loot'), 4, nextU32)).toEqual([1152737967, 4273006293, 1569126772, 2540156763])
    expect(take(stream(LARGEST_SEED, ''), 4, nextU32)).toEqual([1528059010, 399815393, 3559056258, 3297581927])
  })

  test('[RN1] the shapes of chance give these values, for ever', () => {
    const state = stream(1, 'shapes')
    const out = { x: 0, y: 0 }
    unitVector(state, out)
    expect(out).toEqual({ x: -0.9891998436599331, y: 0.1465730851935778 })
    const items = [1, 2, 3, 4, 5, 6]
    shuffle(state, items)
    expect(items).toEqual([5, 3, 4, 2, 1, 6])
    expect(unit(state)).toBe(0.6749786362917135)
    expect(int(state, -3, 1000)).toBe(750)
    expect(range(state, -2, 5)).toBe(1.5998875516249824)
    expect(chance(state, 0.5)).toBe(false)
    expect(pick(state, 'abc')).toBe('c')
  })

  test('[RN1] nextU32 is sfc32: the generator as its author wrote it', () => {
    // Words as they follow from the definition, in BigInt, so that no shift or sign of ours can hide.
    const mask = 0xffffffffn
    let [a, b, c, counter] = [0x12345678n, 0x9abcdef0n, 0xfedcba98n, 0xfffffffen]
    const state = Uint32Array.from([a, b, c, counter], Number)
    for (let i = 0; i < 1000; i++) {
      const result = (a + b + counter) & mask
      counter = (counter + 1n) & mask
      a = b ^ (b >> 9n)
      b = (c + (c << 3n)) & mask
      c = ((((c << 21n) | (c >> 11n)) & mask) + result) & mask
      expect(nextU32(state), `draw ${i}`).toBe(Number(result))
    }
  })

  test('[RN2] all of a stream is in its four words: put them back and the future repeats', () => {
    const block = new Uint32Array(12)
    const state = block.subarray(4, 8)
    seedStream(state, 5, 'loot')
    take(state, 10, unit)
    const saved = block.slice()
    const future = take(state, 20, unit)
    block.set(saved)
    expect(take(state, 20, unit)).toEqual(future)
    expect([...block.subarray(0, 4), ...block.subarray(8)]).toEqual(Array(8).fill(0))
  })

  test('[RN3] neighbouring names and seeds give unrelated streams', () => {
    const streams = [
      ...['', 'a', 'b', 'ab', 'ba', 'a\0', 'loot', 'loot1', 'loot2', 'Loot'].map((name) => stream(1, name)),
      ...[0, 2, 3, 2 ** 31, 2 ** 32, 2 ** 32 + 1, 2 ** 33, LARGEST_SEED - 1, LARGEST_SEED].map((s) =>
        stream(s, 'loot'),
      ),
    ].map((state) => take(state, 4000, unit))
    for (let i = 0; i < streams.length; i++) {
      for (let j = 0; j < i; j++) {
        expect(Math.abs(correlation(streams[i], streams[j])), `streams ${i} and ${j}`).toBeLessThan(4)
        // A stream that lags another one is as bad.
        expect(streams[i].slice(0, 50).some((value) => streams[j].includes(value))).toBe(false)
      }
    }
  })

  test('[RN4] no state is bad: even four zeros start to move', () => {
    const state = new Uint32Array(4)
    const bits = take(state, 1000, nextU32).slice(20)
    expect(new Set(bits).size).toBe(980)
    expect(Math.abs(mean(bits) / 2 ** 32 - 0.5)).toBeLessThan(0.04)
  })

  test('[RN5] unit is even, and independent of the draw before', () => {
    const values = take(stream(1, 'unit'), DRAWS, unit)
    expect(Math.min(...values.slice(0, 100_000))).toBeGreaterThanOrEqual(0)
    expect(Math.max(...values.slice(0, 100_000))).toBeLessThan(1)
    expect(Math.abs(uniformity(histogram(values, 1000)))).toBeLessThan(4)
    expect(Math.abs(mean(values) - 0.5) * Math.sqrt(12 * DRAWS)).toBeLessThan(4)
    expect(Math.abs(correlation(values.slice(1), values.slice(0, -1)))).toBeLessThan(4)
  })

  test('[RN5] unit uses all 53 bits and stays below 1', () => {
    expect(unitOf(0xffffffff, 0xffffffff)).toBe(1 - 2 ** -53)
    expect(unitOf(0, 0)).toBe(0)
    expect(unitOf(0, 0x40)).toBe(2 ** -53)
    expect(unitOf(0x20, 0)).toBe(2 ** -27)
  })

  test.each([
    [0, 1],
    [1, 6],
    [-3, 3],
    [0, 9],
    [0, 16],
    [1, 32],
    [-5, 94],
  ])('[RN6] int from %d to %d: every number, equally often', (min, max) => {
    const counts = new Uint32Array(max - min + 1)
    const state = stream(1, 'int')
    for (let i = 0; i < DRAWS; i++) counts[int(state, min, max) - min]++
    expect(counts.reduce((sum, count) => sum + count)).toBe(DRAWS)
    expect(Math.abs(uniformity(counts))).toBeLessThan(4)
  })

  test('[RN6] a span that is no power of two is not favoured at its start', () => {
    // Three quarters of 2^32: a remainder would give the first third twice as often as the others.
    const max = 3 * 2 ** 30 - 1
    const thirds = new Uint32Array(3)
    const state = stream(1, 'thirds')
    for (let i = 0; i < DRAWS; i++) thirds[Math.floor(int(state, 0, max) / 2 ** 30)]++
    expect(Math.abs(uniformity(thirds))).toBeLessThan(4)
  })

  test('[RN6] int spans up to 2^32 numbers, anywhere', () => {
    const values = take(stream(1, 'wide'), 20_000, (state) => int(state, -(2 ** 31), 2 ** 31 - 1))
    expect(Math.min(...values)).toBeLessThan(-(2 ** 31) * 0.999)
    expect(Math.max(...values)).toBeGreaterThan(2 ** 31 * 0.999)
    expect(int(stream(1, 'one'), LARGEST_SEED, LARGEST_SEED)).toBe(LARGEST_SEED)
    expect(int(stream(1, 'one'), -LARGEST_SEED, -LARGEST_SEED)).toBe(-LARGEST_SEED)
  })

  test('[RN6] a choice of one is one draw', () => {
    const [chosen, drawn] = [stream(1, 'one'), stream(1, 'one')]
    int(chosen, 5, 5)
    nextU32(drawn)
    expect([...chosen]).toEqual([...drawn])
  })

  test('[RN7] range starts at min and never reaches max, not even by rounding', () => {
    const state = stream(1, 'range')
    const seen = new Set(take(state, 1000, () => range(state, 1, 1 + 2 ** -52)))
    expect([...seen]).toEqual([1])
    const values = take(state, DRAWS, () => range(state, -2, 6))
    expect(values.every((value) => value >= -2 && value < 6)).toBe(true)
    expect(Math.abs(mean(values) - 2)).toBeLessThan(0.05)
    expect(range(state, 4, 4)).toBe(4)
  })

  test('[RN8] chance 0 never, chance 1 always, between them as often as it says', () => {
    const state = stream(1, 'chance')
    expect(take(state, 1000, () => chance(state, 0))).not.toContain(true)
    expect(chance(stateGiving(0, 0), 0)).toBe(false)
    expect(take(state, 1000, () => chance(state, 1))).not.toContain(false)
    const hits = take(state, DRAWS, () => chance(state, 0.3)).filter(Boolean).length
    expect(Math.abs(hits - 0.3 * DRAWS) / Math.sqrt(0.21 * DRAWS)).toBeLessThan(4)
  })

  test('[RN8] a draw of chance moves the stream by the same, whatever the probability', () => {
    const states = [0, 0.4, 1].map((probability) => {
      const state = stream(1, 'chance')
      chance(state, probability)
      return [...state]
    })
    expect(states[1]).toEqual(states[0])
    expect(states[2]).toEqual(states[0])
  })

  test('[RN9] unitVector has length 1 and no favourite direction', () => {
    const state = stream(1, 'vector')
    const sectors = new Uint32Array(64)
    const out = { x: 0, y: 0 }
    let worst = 0
    for (let i = 0; i < DRAWS; i++) {
      unitVector(state, out)
      worst = Math.max(worst, Math.abs(out.x * out.x + out.y * out.y - 1))
      sectors[Math.floor((Math.atan2(out.y, out.x) / (2 * Math.PI) + 0.5) * 64) % 64]++
    }
    expect(worst).toBeLessThan(ROUNDING)
    expect(Math.abs(uniformity(sectors))).toBeLessThan(4)
  })

  test('[RN10] pick takes every item, and shuffle makes every order, equally often', () => {
    const state = stream(1, 'order')
    const picked = new Map<string, number>()
    const orders = new Map<string, number>()
    for (let i = 0; i < DRAWS; i++) {
      count(picked, pick(state, ['sword', 'bow', 'axe']))
      const items = Uint8Array.of(1, 2, 3, 4)
      shuffle(state, items)
      count(orders, items.join())
    }
    expect([picked.size, orders.size]).toEqual([3, 24])
    expect(Math.abs(uniformity([...picked.values()]))).toBeLessThan(4)
    expect(Math.abs(uniformity([...orders.values()]))).toBeLessThan(4)
  })

  test.each<[string, string, (state: Uint32Array) => unknown]>([
    ['int with min above max', 'min must not be greater than max, got 2 and 1.', (state) => int(state, 2, 1)],
    ['int with a fraction', 'min must be a whole number', (state) => int(state, 0.5, 2)],
    ['int with NaN', 'max must be a finite number, got NaN.', (state) => int(state, 0, Number.NaN)],
    ['int over more than 2^32', 'max - min must be below 2^32, got 4294967296.', (state) => int(state, 0, 2 ** 32)],
    ['range with min above max', 'min must not be greater than max, got 2 and 1.', (state) => range(state, 2, 1)],
    ['range with NaN', 'min must be a finite number, got NaN.', (state) => range(state, Number.NaN, 1)],
    ['range that overflows', 'max - min must be a finite number', (state) => range(state, -1.7e308, 1.7e308)],
    ['chance above 1', 'probability must lie within 0 and 1, got 1.5.', (state) => chance(state, 1.5)],
    ['chance of NaN', 'probability must lie within 0 and 1, got NaN.', (state) => chance(state, Number.NaN)],
    ['pick from nothing', 'items must not be empty', (state) => pick(state, [])],
    ['a seed below zero', 'seed must be a whole number', (state) => seedStream(state, -1, 'loot')],
    ['a seed with a fraction', 'seed must be a whole number', (state) => seedStream(state, 1.5, 'loot')],
    ['a seed above 2^53', 'seed must be a whole number', (state) => seedStream(state, 2 ** 53, 'loot')],
  ])('[RN11] %s is refused by name and draws nothing', (_case, message, call) => {
    const state = stream(1, 'errors')
    const before = [...state]
    expect(() => call(state)).toThrow(HurtboxError)
    expect(() => call(state)).toThrow(message)
    expect([...state]).toEqual(before)
  })

  test('[RN11] a view of the wrong length is refused', () => {
    expect(() => seedStream(new Uint32Array(3), 1, 'loot')).toThrow('state must be a view of 4 words, got 3.')
  })
})

function stream(seed: number, name: string): Uint32Array {
  const state = new Uint32Array(4)
  seedStream(state, seed, name)
  return state
}

function take<T>(state: Uint32Array, count: number, draw: (state: Uint32Array) => T): T[] {
  return Array.from({ length: count }, () => draw(state))
}

/** What `unit` makes of two draws. */
function unitOf(first: number, second: number): number {
  return unit(stateGiving(first, second))
}

function stateGiving(first: number, second: number): Uint32Array {
  // The first result is a + b + counter; the second is (b ^ b >>> 9) + 9c + counter + 1. With b = 0 both are free.
  const inverseOf9 = 0x38e38e39
  return Uint32Array.of(first, 0, Math.imul(second - 1, inverseOf9), 0)
}

function histogram(values: readonly number[], cells: number): Uint32Array {
  const counts = new Uint32Array(cells)
  for (const value of values) counts[Math.floor(value * cells)]++
  return counts
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
