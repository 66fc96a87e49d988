import stdlibAtan2 from '@stdlib/math-base-special-atan2'
import stdlibCos from '@stdlib/math-base-special-cos'
import stdlibExp from '@stdlib/math-base-special-exp'
import stdlibLog from '@stdlib/math-base-special-ln'
import stdlibPow from '@stdlib/math-base-special-pow'
import stdlibSin from '@stdlib/math-base-special-sin'
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
import { atan2, cos, sin } from './trig.ts'

const COUNT = process.env.HURTBOX_LONG ? 1_000_000 : 20_000

type Binary = (x: number, y: number) => number

/**
 * A second opinion that shares no line with us or with our oracle. Its sin, cos, exp and ln are always within one unit of
 * ours. Its atan2 and pow are off by up to 1.7 units now and then, and atan2 loses a sign where the quotient underflows;
 * where we differ by more than one unit, the truth must be on our side.
 */
describe('the maths against @stdlib', () => {
  test.each<[string, Binary, Binary, (x: number, y: number) => Exact, Ranges, boolean]>([
    ['sin', sin, stdlibSin, exactSin, angles, false],
    ['cos', cos, stdlibCos, exactCos, angles, false],
    ['exp', exp, stdlibExp, exactExp, exponents, false],
    ['log', log, stdlibLog, exactLog, positives, false],
    ['atan2', atan2, stdlibAtan2, exactAtan2, vectors, true],
    ['pow', pow, stdlibPow, exactPow, powers, true],
  ])(
    '[MA11] %s is at most one unit in the last place away, or they are wrong',
    (name, ours, theirs, truth, ranges, mayBeWrong) => {
      const seed = 4
      const word = words(seed)
      const draws = Object.values(ranges)
      for (let i = 0; i < COUNT; i++) {
        const [x, y] = draws[i % draws.length](word)
        const [our, their] = [ours(x, y), theirs(x, y)]
        if (isWithinOneUnit(our, their)) continue
        const theyAreWrong = mayBeWrong && errorInUlps(our, truth(x, y)) < 1 && errorInUlps(their, truth(x, y)) > 1
        if (!theyAreWrong) expect.fail(`${name}(${x}, ${y}) is ${our} here, ${their} there (seed ${seed}, number ${i})`)
      }
    },
    600_000,
  )
})

const bits = new DataView(new ArrayBuffer(8))

function isWithinOneUnit(a: number, b: number): boolean {
  const distance = placeOnLine(a) - placeOnLine(b)
  return distance >= -1n && distance <= 1n
}

/** Doubles in ascending order get ascending numbers without gaps; both zeros get 0, Infinity follows the largest. */
function placeOnLine(x: number): bigint {
  bits.setFloat64(0, Math.abs(x))
  return x < 0 ? -bits.getBigInt64(0) : bits.getBigInt64(0)
}
