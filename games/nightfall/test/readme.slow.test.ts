import { expect, test } from 'vitest'
import { expectExamplesToHold, expectTablesToHold } from '../../test/readme.ts'
import { declaration } from '../rules/declaration.ts'
import { view } from '../view/index.ts'

test('[NF48] the commands of the README print what it shows, the hash of a whole night included', {
  timeout: 120_000,
}, async () => {
  const [night, ...others] = await expectExamplesToHold('nightfall')
  expect(others.length).toBeGreaterThan(1)
  expect(night).toMatch(/result +over, (night|dawn) wins \(\d+:\d\d survived, [\d,]+ kills\)/)
  expect(night).toMatch(/stats .*hits [\d,]+, kills [\d,]+, damage physical [\d,]+, damage magic [\d,]+, damage fire/)
})

test('[NF48] the README has the headings of all games, and lists every key, option and tuning value', () => {
  expectTablesToHold('nightfall', declaration, view)
})
