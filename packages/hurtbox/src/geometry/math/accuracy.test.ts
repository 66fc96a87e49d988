import { describe, expect, test } from 'vitest'
import { exp, log, pow } from './exponential.ts'
import {
  type Exact,
  errorInUlps,
  exactAtan2,
  exactCos,
  exactExp,
  exactLog,
  exactPow,
  exactSin,
} from './fixtures/exact.ts'
import { words } from './fixtures/inputs.ts'
import { angles, exponents, positives, powers, type Ranges, vectors } from './fixtures/ranges.ts'
import { atan, atan2, cos, sin } from './trig.ts'

const COUNT = process.env.HURTBOX_LONG ? 1_000_000 : 20_000
const TIMEOUT_MS = process.env.HURTBOX_LONG ? 600_000 : 60_000

type Subject = {
  readonly name: string
  readonly ours: (x: number, y: number) => number
  readonly truth: (x: number, y: number) => Exact
  readonly ranges: Ranges
}

const subjects: readonly Subject[] = [
  { name: 'sin', ours: sin, truth: exactSin, ranges: angles },
  { name: 'cos', ours: cos, truth: exactCos, ranges: angles },
  { name: 'atan', ours: atan, truth: (x) => exactAtan2(x, 1), ranges: angles },
  { name: 'atan2', ours: atan2, truth: exactAtan2, ranges: vectors },
  { name: 'exp', ours: exp, truth: exactExp, ranges: exponents },
  { name: 'log', ours: log, truth: exactLog, ranges: positives },
  { name: 'pow', ours: pow, truth: exactPow, ranges: powers },
]

describe('accuracy of the maths', () => {
  for (const { name, ours, truth, ranges } of subjects) {
    test.each(Object.entries(ranges))(
      `[MA1] ${name} is less than one unit in the last place from the truth: %s`,
      (_range, draw) => {
        const seed = 1
        const word = words(seed)
        const count = Math.ceil(COUNT / Object.keys(ranges).length)
        for (let i = 0; i < count; i++) {
          const [x, y] = draw(word)
          const result = ours(x, y)
          const error = errorInUlps(result, truth(x, y))
          if (!(error < 1))
            expect.fail(`${name}(${x}, ${y}) = ${result} is off by ${error} (seed ${seed}, number ${i})`)
        }
      },
      TIMEOUT_MS,
    )
  }

  // The double that comes nearest to a multiple of π/2: 6381956970095103 · 2^797. All but 60 of 1,100 bits cancel.
  const hardest = 5.319372648326541e255

  test('[MA1] the hardest reduction there is', () => {
    expect(errorInUlps(cos(hardest), exactCos(hardest))).toBeLessThan(1)
    expect(errorInUlps(sin(hardest), exactSin(hardest))).toBeLessThan(1)
    expect(cos(hardest)).toBe(-4.687165924254628e-19)
  })

  test('[MA1] the oracle agrees with digits from elsewhere', () => {
    expect(errorInUlps(-0.8522008497671888, exactSin(1e22))).toBeLessThan(0.5)
    expect(errorInUlps(Math.LN10, exactLog(10))).toBeLessThan(0.5)
    expect(errorInUlps(Math.E, exactExp(1))).toBeLessThan(0.5)
    expect(errorInUlps(Math.PI / 4, exactAtan2(1, 1))).toBeLessThan(0.5)
    expect(errorInUlps(Math.SQRT2, exactPow(2, 0.5))).toBeLessThan(0.5)
    expect(errorInUlps(3 * 2 ** -1074, { m: 5n, e: -1075 })).toBe(0.5)
  })
})
