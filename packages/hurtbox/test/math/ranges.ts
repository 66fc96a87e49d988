/**
 * Where the maths functions are tested: what games use, and the places where such functions usually go wrong. Shared by
 * the accuracy test and the golden hashes.
 */

import { log } from '../../src/geometry/math/exponential.ts'
import { anyDouble, anyWithExponent, fraction, neighbour, type Source, within } from './inputs.ts'

export type Arguments = readonly [x: number, y: number]
export type Ranges = Readonly<Record<string, (word: Source) => Arguments>>

/** Ranges for a function of one argument. */
function unary(ranges: Readonly<Record<string, (word: Source) => number>>): Ranges {
  return Object.fromEntries(Object.entries(ranges).map(([name, draw]) => [name, (word) => [draw(word), 0]]))
}

export const angles = unary({
  'an eighth of a turn': (word) => within(word, Math.PI / 4),
  'a turn': (word) => within(word, 2 * Math.PI),
  thousands: (word) => within(word, 10_000),
  'up to the switch of methods': (word) => within(word, 2_000_000),
  'next to multiples of π/2': (word) => neighbour((1 + (word() % 1_000_000)) * (Math.PI / 2), (word() % 9) - 4),
  huge: (word) => anyWithExponent(word, 20, 1023),
  tiny: (word) => anyWithExponent(word, -1074, -20),
  'any bits': anyDouble,
})

export const vectors: Ranges = {
  'a square': (word) => [within(word, 10), within(word, 10)],
  'near the diagonals': (word) => [signed(word, 1 + within(word, 0.4)), signed(word, 1)],
  'near the axes': (word) => [anyWithExponent(word, -60, 2), signed(word, 1 + fraction(word))],
  'near the y axis': (word) => [signed(word, 1 + fraction(word)), anyWithExponent(word, -60, 2)],
  // There the angle is just below that power and has finer units than the quotient.
  'quotient just above a power of two': (word) => {
    const x = 1 + fraction(word)
    return [x * (0.25 + 0.005 * fraction(word)), x]
  },
  denormal: (word) => [anyWithExponent(word, -1074, -1010), anyWithExponent(word, -1074, -1010)],
  huge: (word) => [anyWithExponent(word, 1000, 1023), anyWithExponent(word, 1000, 1023)],
  'any bits': (word) => [anyDouble(word), anyDouble(word)],
}

export const exponents = unary({
  'around zero': (word) => within(word, 1),
  'all that has a result': (word) => within(word, 745),
  'overflowing or not': (word) => 709.7 + fraction(word) * 0.1,
  'denormal results': (word) => -708 - fraction(word) * 38,
  tiny: (word) => anyWithExponent(word, -1074, -10),
  'any bits': anyDouble,
})

export const positives = unary({
  'from 0 to 1': (word) => 1 - fraction(word),
  'around 1': (word) => 1 + within(word, 0.3),
  'next to 1': (word) => neighbour(1, (word() % 2001) - 1000),
  hundreds: (word) => 1000 * (1 - fraction(word)),
  'any exponent': (word) => Math.abs(anyWithExponent(word, -1022, 1023)),
  denormal: (word) => Math.abs(anyWithExponent(word, -1074, -1023)),
})

/** Positive bases only; the rule for negative ones is a matter of signs. */
export const powers: Ranges = {
  'what games use': (word) => [10 * (1 - fraction(word)), within(word, 10)],
  'whole exponents': (word) => [50 * (1 - fraction(word)), (word() % 41) - 20],
  'small exponents': (word) => [100 * (1 - fraction(word)), anyWithExponent(word, -70, -1)],
  'any result, any base': (word) => withResult(word, Math.abs(anyWithExponent(word, -1074, 1023))),
  'any result, base around 1': (word) => withResult(word, 1 + within(word, 0.02)),
  'any result, base next to 1': (word) => withResult(word, neighbour(1, 1 + (word() % 1000))),
  'denormal results': (word) => {
    const base = Math.abs(anyWithExponent(word, -300, 300))
    return [base, -(708 + fraction(word) * 38) / log(base)]
  },
  'any bits': (word) => [Math.abs(anyDouble(word)) || 1, anyDouble(word)],
}

/** An exponent that brings the power somewhere between 0 and Infinity. */
function withResult(word: Source, base: number): Arguments {
  return [base, within(word, 750) / log(base)]
}

function signed(word: Source, x: number): number {
  return (word() & 1) === 0 ? x : -x
}
