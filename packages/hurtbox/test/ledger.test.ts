import { describe, expect, test } from 'vitest'
import { addTriple, clearTriples, createTriples, findTriple } from '../src/collide/triples.ts'
import { collide, createWorld, declareGame, defineGame, rule, spawn, step } from '../src/index.ts'
import { int, seedStream } from '../src/math/index.ts'

describe('the hit ledger', () => {
  test('[CO29] a hit remembered twice is one entry, and the longer time counts', () => {
    const declaration = declareGame({
      id: 'ledger',
      rulesVersion: 1,
      tickRate: 60,
      seats: { min: 0, max: 1 },
      layers: { blade: ['body'], body: [] },
      tables: { things: { capacity: 4 }, hits: { capacity: 4 } },
    })
    const cut = rule(declaration, {
      name: 'cut',
      attacker: 'blade',
      victim: 'body',
      gates: ['already-hit'],
      decide(view, _contact, outcome) {
        outcome.remember(view.clock + 5)
        outcome.remember(view.clock + 3)
        return 'hit'
      },
    })
    const world = createWorld(defineGame(declaration, { phases: () => ({ hits: collide([cut]) }) }))
    spawn(world.tables.things, { layer: 0, radius: 1 })
    spawn(world.tables.things, { layer: 1, radius: 1 })
    const untils: number[][] = []
    for (let tick = 0; tick < 6; tick++) {
      step(world)
      untils.push([...world.tables.hits.until.subarray(0, world.tables.hits.count)])
    }
    expect(untils).toEqual([[5], [5], [5], [5], [], [10]])
  })

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
})
