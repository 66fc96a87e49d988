import { createWorld } from 'hurtbox'
import type { TuningSpec } from 'hurtbox/tools'
import { expect, test } from 'vitest'
import { game } from '../../../../create-hurtbox/template/game/index.ts'
import { currentValue, missingOption, rangeOf } from './data.ts'

const specs = game.declaration.tuning as unknown as Readonly<Record<string, TuningSpec>>

test('[LB1] a knob shows the number of the match in its declared unit, and a slider around the default', () => {
  const plain = createWorld(game, { seed: 1 })
  expect(currentValue(plain as never, 'swingTime', specs.swingTime)).toBe(0.2)
  const tuned = createWorld(game, { seed: 1, tuning: { swingTime: 60, slimeSpeed: 3 } as never })
  expect(currentValue(tuned as never, 'slimeSpeed', specs.slimeSpeed)).toBe(3)
  expect(currentValue(tuned as never, 'swingTime', specs.swingTime)).not.toBe(0.2)
  expect(rangeOf({ ...specs.slimeSpeed, value: 1.2, min: 0, max: 10 })).toMatchObject({ low: 0, high: 4.8 })
  expect(rangeOf({ ...specs.slimeSpeed, value: 5, min: 1, max: 10 })).toMatchObject({ low: 1, high: 10 })
})

test('[LB1] a number that an option turns off says which', () => {
  const world = (options: object) => ({ options }) as never
  expect(missingOption({ ramming: 'walls' }, world({ walls: false }), 'ramming')).toBe('walls')
  expect(missingOption({ ramming: 'walls' }, world({ walls: true }), 'ramming')).toBe('')
  expect(missingOption(undefined, world({}), 'ramming')).toBe('')
})
