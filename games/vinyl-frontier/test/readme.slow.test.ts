import { expect, test } from 'vitest'
import { expectExamplesToHold, expectTablesToHold } from '../../test/readme.ts'
import { declaration } from '../rules/declaration.ts'
import { view } from '../view/index.ts'

test('[VF45] the commands of the README print what it shows, the hash of a whole match included', async () => {
  const printed = await expectExamplesToHold('vinyl-frontier')
  expect(printed.length).toBeGreaterThan(4)
  expect(printed[0]).toMatch(/ticks +1,500, 300\.0 s of play/)
})

test('[VF45] the README has the headings of all games, and lists every key, option and tuning value', () => {
  expectTablesToHold('vinyl-frontier', declaration, view)
})
