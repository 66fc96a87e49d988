import { expect, test } from 'vitest'
import { int, seedStream } from '../../geometry/math/index.ts'
import { addTriple, clearTriples, createTriples, findTriple } from './triples.ts'

test('[CO29] thousands of triples are found again in the order they came, and no others', () => {
  const random = new Uint32Array(4)
  const wrong: string[] = []
  for (let seed = 0; seed < 20; seed++) {
    seedStream(random, seed, 'triples')
    const set = createTriples()
    // Ids above 2^31 are as good as others; few different ones, so that many triples come several times.
    const word = () => (int(random, 0, 1) === 1 ? 0xfffffff0 : 0) + int(random, 0, 12)
    for (let round = 0; round < 2; round++) {
      clearTriples(set)
      const known = new Map<string, number[]>()
      const count = int(random, 0, 3000)
      for (let i = 0; i < count; i++) {
        const [a, b, c] = [word(), word(), word()]
        const numbers = known.get(`${a} ${b} ${c}`) ?? []
        numbers.push(addTriple(set, a, b, c))
        known.set(`${a} ${b} ${c}`, numbers)
      }
      const strangers = Array.from({ length: 200 }, () => `${word()} ${word()} ${word()}`)
      for (const asked of [...known.keys(), ...strangers]) {
        const [a, b, c] = asked.split(' ').map(Number)
        const found: number[] = []
        let next = findTriple(set, a, b, c)
        while (next >= 0) {
          found.push(next)
          next = findTriple(set, a, b, c, next)
        }
        if (found.join() !== (known.get(asked) ?? []).join()) wrong.push(`seed ${seed} round ${round}: ${asked}`)
      }
    }
  }
  expect(wrong).toEqual([])
})
