import { describe, expect, test } from 'vitest'
import { exp, log, pow } from './exponential.ts'
import { words } from './fixtures/inputs.ts'
import { angles, type Ranges, vectors } from './fixtures/ranges.ts'
import { atan, atan2, cos, direction, sin } from './trig.ts'

const { NaN: NAN, MAX_VALUE, MIN_VALUE } = Number
const HALF_PI = Math.PI / 2
const LARGEST_ODD = Number.MAX_SAFE_INTEGER

describe('special values of the maths', () => {
  test.each([
    [0, 0],
    [-0, -0],
    [MIN_VALUE, MIN_VALUE],
    [-MIN_VALUE, -MIN_VALUE],
    [1e-300, 1e-300],
    [HALF_PI, 1],
    [-HALF_PI, -1],
    // What π lacks to be π, to the last bit.
    [Math.PI, 1.2246467991473532e-16],
    [-Math.PI, -1.2246467991473532e-16],
    [Infinity, NAN],
    [-Infinity, NAN],
    [NAN, NAN],
  ])('[MA2] sin(%d) is %d', (angle, expected) => {
    expect(sin(angle)).toBe(expected)
  })

  test.each([
    [0, 1],
    [-0, 1],
    [MIN_VALUE, 1],
    [HALF_PI, 6.123233995736766e-17],
    [Math.PI, -1],
    [Infinity, NAN],
    [-Infinity, NAN],
    [NAN, NAN],
  ])('[MA2] cos(%d) is %d', (angle, expected) => {
    expect(cos(angle)).toBe(expected)
  })

  test.each([
    [0, 0],
    [-0, -0],
    [MIN_VALUE, MIN_VALUE],
    [1, Math.PI / 4],
    [-1, -Math.PI / 4],
    [Infinity, HALF_PI],
    [-Infinity, -HALF_PI],
    [NAN, NAN],
  ])('[MA2] atan(%d) is %d', (slope, expected) => {
    expect(atan(slope)).toBe(expected)
  })

  const QUARTER = Math.PI / 4
  const HALF = Math.PI / 2
  const PI = Math.PI
  test.each([
    // y, then the results for x = -Infinity, -1, -0, 0, 1, Infinity
    [Infinity, [3 * QUARTER, HALF, HALF, HALF, HALF, QUARTER]],
    [1, [PI, 3 * QUARTER, HALF, HALF, QUARTER, 0]],
    [0, [PI, PI, PI, 0, 0, 0]],
    [-0, [-PI, -PI, -PI, -0, -0, -0]],
    [-1, [-PI, -3 * QUARTER, -HALF, -HALF, -QUARTER, -0]],
    [-Infinity, [-3 * QUARTER, -HALF, -HALF, -HALF, -HALF, -QUARTER]],
  ])('[MA2] atan2(%d, x) around the circle', (y, expected) => {
    expect([-Infinity, -1, -0, 0, 1, Infinity].map((x) => atan2(y, x))).toEqual(expected)
  })

  test('[MA2] atan2 where the quotient underflows, overflows or is denormal', () => {
    expect(atan2(MIN_VALUE, MAX_VALUE)).toBe(0)
    expect(atan2(-MIN_VALUE, MAX_VALUE)).toBe(-0)
    expect(atan2(MIN_VALUE, -MAX_VALUE)).toBe(Math.PI)
    expect(atan2(-MIN_VALUE, -3)).toBe(-Math.PI)
    expect(atan2(MAX_VALUE, MIN_VALUE)).toBe(HALF_PI)
    expect(atan2(MIN_VALUE, MIN_VALUE)).toBe(QUARTER)
    expect(atan2(MAX_VALUE, -MAX_VALUE)).toBe(3 * QUARTER)
    expect(atan2(3 * MIN_VALUE, 1)).toBe(3 * MIN_VALUE)
    expect(atan2(3e-310, 3)).toBe(1e-310)
  })

  test('[MA2] atan2 of NaN is NaN', () => {
    for (const other of [0, 1, -1, Infinity, NAN]) expect([atan2(NAN, other), atan2(other, NAN)]).toEqual([NAN, NAN])
  })

  test.each([
    [0, 1],
    [-0, 1],
    [MIN_VALUE, 1],
    [1, Math.E],
    [709.782712893384, 1.7976931348622732e308],
    [709.7827128933841, Infinity],
    [1e300, Infinity],
    [-708.3964185322641, 2.2250738585072626e-308],
    [-745.1332191019411, MIN_VALUE],
    [-745.1332191019412, 0],
    [-1e300, 0],
    [Infinity, Infinity],
    [-Infinity, 0],
    [NAN, NAN],
  ])('[MA2] exp(%d) is %d', (x, expected) => {
    expect(exp(x)).toBe(expected)
  })

  test.each([
    [1, 0],
    [0, -Infinity],
    [-0, -Infinity],
    [MIN_VALUE, -744.4400719213812],
    [MAX_VALUE, 709.782712893384],
    [2, Math.LN2],
    [10, Math.LN10],
    [Math.E, 1],
    [-1, NAN],
    [-Infinity, NAN],
    [Infinity, Infinity],
    [NAN, NAN],
  ])('[MA2] log(%d) is %d', (x, expected) => {
    expect(log(x)).toBe(expected)
  })

  test('[MA2] pow has the special results of Math.pow, which the language defines exactly', () => {
    const values = [
      ...[0, MIN_VALUE, 1e-300, 0.5, 1, 2, 2.5, 3, 1e300, MAX_VALUE, Infinity],
      ...[LARGEST_ODD, LARGEST_ODD + 1, LARGEST_ODD + 3],
    ].flatMap((x) => [x, -x])
    const special = [NAN, 0, -0, 1, -1, Infinity, -Infinity]
    let compared = 0
    for (const x of [...values, NAN]) {
      for (const y of [...values, NAN]) {
        const expected = Math.pow(x, y)
        if (!special.some((value) => Object.is(value, expected))) continue
        compared++
        expect(pow(x, y), `pow(${x}, ${y})`).toBe(expected)
      }
    }
    expect(compared).toBe(707)
  })

  test('[MA2] pow over- and underflows gradually', () => {
    expect(pow(2, 1023.9999999999999)).toBe(1.7976931348621742e308)
    expect(pow(MAX_VALUE, 1.0000000000000002)).toBe(Infinity)
    expect(pow(2, -1074.4)).toBe(MIN_VALUE)
    expect(pow(2, -1075.1)).toBe(0)
    expect(pow(-2, -1075)).toBe(-0)
    expect(pow(0.9999999999999999, 1e19)).toBe(0)
    expect(pow(1.0000000000000002, 1e300)).toBe(Infinity)
    expect(pow(1.0000000000000002, -1e300)).toBe(0)
  })
})

describe('exact results of the maths', () => {
  test('[MA3] pow is exact for every power of two', () => {
    for (let exponent = -1074, power = MIN_VALUE; exponent < 1024; exponent++, power *= 2) {
      expect(pow(2, exponent), `2^${exponent}`).toBe(power)
    }
  })

  test('[MA3] pow is exact for whole numbers as long as the result fits', () => {
    for (let base = -1000; base <= 1000; base++) {
      if (Math.abs(base) < 2) continue
      for (let exponent = 1, power = base; Math.abs(power) <= LARGEST_ODD; exponent++, power *= base) {
        expect(pow(base, exponent), `${base}^${exponent}`).toBe(power)
      }
    }
  })

  test('[MA3] the first and second power and the root of a square are exact for any number', () => {
    const word = words(3)
    for (let i = 0; i < 10_000; i++) {
      const [x] = angles['a turn'](word)
      expect(pow(x, 1)).toBe(x)
      expect(pow(x, 2)).toBe(x * x)
      const whole = word() >>> 6
      expect(pow(whole * whole, 0.5)).toBe(whole)
    }
  })

  test('[MA4] signs and quadrants are mirrored bit for bit', () => {
    forAll(angles, (x) => {
      expect(sin(-x)).toBe(-sin(x))
      expect(cos(-x)).toBe(cos(x))
      expect(atan(-x)).toBe(-atan(x))
      expect(atan(x)).toBe(atan2(x, 1))
    })
    forAll(vectors, (x, y) => expect(atan2(-y, x)).toBe(-atan2(y, x)))
  })

  test('[MA4] a negative base changes the sign of odd powers only', () => {
    for (let exponent = -40; exponent <= 40; exponent++) {
      const power = pow(1.7, exponent)
      expect(pow(-1.7, exponent)).toBe(exponent % 2 === 0 ? power : -power)
    }
    expect(pow(-1.7, 2.5)).toBe(NAN)
  })

  test('[MA5] direction writes cosine and sine, bit for bit', () => {
    const out = { x: 0, y: 0 }
    forAll(angles, (angle) => {
      direction(angle, out)
      expect(out).toEqual({ x: cos(angle), y: sin(angle) })
    })
    for (const angle of [0, -0, Math.PI / 4, -Math.PI / 4, Infinity, NAN]) {
      direction(angle, out)
      expect(out).toEqual({ x: cos(angle), y: sin(angle) })
    }
  })
})

function forAll(ranges: Ranges, check: (x: number, y: number) => void): void {
  const word = words(2)
  for (const draw of Object.values(ranges)) for (let i = 0; i < 500; i++) check(...draw(word))
}
