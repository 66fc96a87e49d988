import { playScene, startScene } from 'hurtbox/tools'
import { describe, expect, test } from 'vitest'
import { nightfall } from '../rules/index.ts'
import { scenarios } from '../scenarios.ts'
import { shortScenes } from '../scenes/index.ts'

describe('the scenarios of the seed document', () => {
  test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
    '[NF5] %s comes out as expected',
    (_, scenario) => {
      expect(scenario.play(nightfall)).toBe(scenario.expected)
    },
  )

  test('[NF5] all three are there, with a set-up that does what the document says and with its own', () => {
    const names = [1, 2, 3].flatMap((number) => [`scenario-${number}`, `scenario-${number}-original`])
    expect(scenarios.map(({ name }) => name)).toEqual(names)
  })

  test('[NF5] the same every time, to the last bit', () => {
    for (const scene of shortScenes.filter(({ name }) => name.startsWith('scenario'))) {
      const [one, two] = [startScene(scene), startScene(scene)]
      for (const session of [one, two]) playScene(scene, session, scene.ticks)
      expect(one.world.tables.things.x, scene.name).toEqual(two.world.tables.things.x)
    }
  })
})
