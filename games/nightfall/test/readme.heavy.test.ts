import { expect, test } from 'vitest'
import { expectExamplesToHold } from '../../test/readme.ts'

test('[NF48] the commands of the README print what it shows, the hash of a whole night included', {
  timeout: 120_000,
}, async () => {
  const [night, ...others] = await expectExamplesToHold('nightfall')
  expect(others.length).toBeGreaterThan(1)
  expect(night).toMatch(/result +over, (night|dawn) wins \(\d+:\d\d survived, [\d,]+ kills\)/)
  expect(night).toMatch(/stats .*hits [\d,]+, kills [\d,]+, damage physical [\d,]+, damage magic [\d,]+, damage fire/)
})
