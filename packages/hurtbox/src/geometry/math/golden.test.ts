import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { exp, log, pow } from './exponential.ts'
import { words } from './fixtures/inputs.ts'
import { angles, exponents, positives, powers, type Ranges, vectors } from './fixtures/ranges.ts'
import { atan, atan2, cos, sin } from './trig.ts'

/**
 * Hashes of 8,000 results per range. A hash that moves means that replays made before no longer play: change one only
 * together with a deliberate change of the function, and say so in the commit.
 */
describe('golden results of the maths', () => {
  test.each<[string, (x: number, y: number) => number, Ranges, string]>([
    ['sin', sin, angles, '4db5a93506815c95'],
    ['cos', cos, angles, '96986185781ac187'],
    ['atan', atan, angles, 'f3ff9aab494f077a'],
    ['atan2', atan2, vectors, '4823df6585adf002'],
    ['exp', exp, exponents, '15dd52e847303971'],
    ['log', log, positives, '616bd4bb5975c5d9'],
    ['pow', pow, powers, 'e3702e4140f5f70c'],
  ])('[MA6] %s gives the committed bits', (_name, subject, ranges, golden) => {
    const results: number[] = []
    const word = words(20_261_115)
    for (const draw of Object.values(ranges)) for (let i = 0; i < 8000; i++) results.push(subject(...draw(word)))
    const bytes = new DataView(new ArrayBuffer(8 * results.length))
    results.forEach((result, i) => {
      bytes.setFloat64(8 * i, result)
    })
    expect(createHash('sha256').update(bytes).digest('hex').slice(0, 16)).toBe(golden)
  })
})
