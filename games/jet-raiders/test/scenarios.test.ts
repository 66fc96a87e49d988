import { modesOf, roomConfigOf } from '@hurtbox/colyseus'
import { readModule } from 'hurtbox/module'
import { expect, test } from 'vitest'
import exported from '../index.ts'
import { jetRaiders } from '../rules/index.ts'
import { scenarios } from '../scenarios.ts'
import { playMelee } from './oracle-run.ts'

test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))('[JR42] scenario %s', (_, scenario) => {
  expect(scenario.play(jetRaiders)).toBe(scenario.expected)
})

test('[JR1] a short melee goes as in the loop of the seed', () => {
  for (const seed of [101, 102]) {
    const { difference, hits, kills } = playMelee(seed, 1500)
    expect(difference, `seed ${seed}`).toBe('')
    expect([hits > 20, kills > 3], `seed ${seed}`).toEqual([true, true])
  }
})

test('[JR43] clients are terminals unless they ask to predict', () => {
  expect(modesOf(roomConfigOf(readModule({ default: exported }, 'jet-raiders')))).toEqual(['terminal', 'mirror'])
})
