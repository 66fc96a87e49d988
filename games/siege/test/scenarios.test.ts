import { why } from 'hurtbox'
import { playScene, startScene } from 'hurtbox/tools'
import { describe, expect, test } from 'vitest'
import { siege } from '../rules/index.ts'
import { scenarios } from '../scenarios.ts'
import { checks } from '../scenes/checks.ts'

describe("the seed's examples, special cases and visual checks", () => {
  test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
    '[SG56] %s comes out as expected',
    (_, scenario) => {
      expect(scenario.play(siege)).toBe(scenario.expected)
    },
  )

  test('[SG56] the four visual checks are scenes, and `why` tells the pushes in them', () => {
    expect(checks.map(({ name }) => name)).toEqual(['check-1', 'check-2', 'check-3', 'check-4'])
    const [, heap] = checks
    const session = startScene(heap)
    playScene(heap, session, 2)
    // The first two of the thirty, a melee minion each, on one spot.
    const [a, b] = [...session.world.tables.things.id.subarray(0, session.world.tables.things.count)].slice(-30)
    expect(why(session, 0, a, b).map(({ text }) => text)).toEqual(['pushed apart: overlap 40, 50 % / 50 %'])
  })
})
