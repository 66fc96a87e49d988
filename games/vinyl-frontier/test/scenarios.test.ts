import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parseScript } from '../bots/script.ts'
import { vinylFrontier } from '../rules/index.ts'
import { scenarios } from '../scenarios.ts'
import { ORDER_TEXTS } from '../scenes/order-texts.ts'

describe('what the document says will happen', () => {
  test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
    '[VF46] %s comes out as expected',
    (_, scenario) => {
      expect(scenario.play(vinylFrontier)).toBe(scenario.expected)
    },
  )

  test('[VF46] its tests play the orders of the files', () => {
    expect(Object.keys(ORDER_TEXTS).length).toBe(5)
    for (const [name, text] of Object.entries(ORDER_TEXTS)) {
      const file = readFileSync(new URL(`../scenes/orders/${name}.txt`, import.meta.url), 'utf8')
      expect(parseScript(text), name).toEqual(parseScript(file))
      expect(parseScript(text).orders.length, name).toBeGreaterThan(3)
    }
  })
})
