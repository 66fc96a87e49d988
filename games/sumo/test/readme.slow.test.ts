import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { expectExamplesToHold, expectTablesToHold } from '../../test/readme.ts'
import { frameTable, README, withFrameTable } from '../frame-table.ts'
import { declaration } from '../rules/declaration.ts'
import { view } from '../view/index.ts'

test('[SU33] the frame data in the README is that of the content', () => {
  const readme = readFileSync(README, 'utf8')
  expect(withFrameTable(readme), 'run: node games/sumo/frame-table.ts').toBe(readme)
  expect(frameTable().split('\n').slice(2, 6)).toEqual([
    '| punch 1   |       4 |      3 |        6 |       16 |     +6 |      4 |        2 |',
    '| punch 2   |       4 |      3 |        6 |       16 |     +6 |      4 |        2 |',
    '| punch 3   |       4 |      3 |        6 |       16 |    +18 |      8 |        2 |',
    '| fireball  |       6 |      2 |        8 |       42 |     +4 |      6 |    61.44 |',
  ])
})

test('[SU36] the commands of the README print what it shows, a match of four bots to a winner among them', async () => {
  const printed = await expectExamplesToHold('sumo')
  expect(printed.length).toBeGreaterThan(4)
  expect(printed[0]).toMatch(/result +over, seat \d wins/)
})

test('[SU36] the README has the headings of all games, and lists every key, option and tuning value', () => {
  expectTablesToHold('sumo', declaration, view)
})
