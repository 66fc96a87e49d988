import { expect, test } from 'vitest'
import { collide } from '../../src/index.ts'
import { bite, start } from './cases.ts'

test('[CO25] a rule that can never work is refused when the world is made', () => {
  const make = (change: object) => () => {
    const wrong = { name: 'wrong', attacker: 'bullet', victim: 'enemy', decide: () => 'hit', ...change }
    start(collide([wrong as never]))
  }
  expect(make({ attacker: 'bulet' })).toThrow(/no layer "bulet". Known: bullet/)
  expect(make({ victim: 'rock' })).toThrow(/never meet/)
  expect(make({ gates: ['alive'] })).toThrow(/no gate of rule "wrong" "alive"/)
  expect(make({ gates: [7] })).toThrow(/no gate of rule "wrong" "7"/)
  expect(make({ attacker: 1 })).toThrow(/no layer "1"/)
  expect(make({ attacker: undefined })).toThrow(/no layer "undefined"/)
  expect(make({ mutual: true })).toThrow(/mutual between the layers/)
  expect(make({ decide: undefined })).toThrow(/needs a function decide/)
  expect(() => start(collide(bite as never))).toThrow(/list of rules/)
})
