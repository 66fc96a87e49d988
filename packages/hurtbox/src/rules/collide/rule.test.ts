import { expect, test } from 'vitest'
import { expectRefusal } from '../../../test/support.ts'
import { collide, step } from '../../index.ts'
import { addBalls, bite, declaration, start } from './fixtures/cases.ts'

test('[CO25] a rule that can never work is refused when the world is made', () => {
  const make = (change: object) => () => {
    const wrong = { between: ['bullet', 'enemy'], decide: () => {}, ...change }
    start(collide(declaration, { wrong: wrong as never }))
  }
  expect(make({ between: ['bulet', 'enemy'] })).toThrow(/no layer "bulet". Known: bullet/)
  expect(make({ between: ['bullet', 'rock'] })).toThrow(/never meet/)
  expect(make({ gates: ['alive'] })).toThrow(/no gate of rule "wrong" "alive"/)
  expect(make({ gates: [7] })).toThrow(/a gate of rule "wrong" must be a name or/)
  expect(make({ between: [1, 'enemy'] })).toThrow(/no layer "1"/)
  expect(make({ between: [undefined, 'enemy'] })).toThrow(/no layer "undefined"/)
  expect(make({ between: ['bullet'] })).toThrow(/rule "wrong" must be \{ between: \[layer, layer\]/)
  expect(make({ between: undefined })).toThrow(/rule "wrong" must be/)
  expect(make({ mutual: true })).toThrow(/is mutual, but .* are two layers/)
  expect(make({ decide: undefined })).toThrow(/rule "wrong" must be/)
  expect(make({ gate: ['dead'] })).toThrow(/no field of rule "wrong" "gate". Known: gates/)
  expect(() => start(collide(declaration, undefined as never))).toThrow(/rules by name/)
  expect(() => start(collide(declaration, [bite] as never))).toThrow(/rules by name/)
})

test('[CO25] a rule that returns something else than a word is an error, not a verdict', () => {
  for (const said of [59, true, {}, null]) {
    const world = start(collide(declaration, { odd: { between: ['ball', 'ball'], decide: () => said as never } }))
    addBalls(world, 2)
    expectRefusal(() => step(world), /rule "odd" returned .*\. A rule returns nothing, or a word when it refuses/)
  }
})
