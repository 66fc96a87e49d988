import { expect, test } from 'vitest'
import { expectExamplesToHold } from '../../test/readme.ts'

test('[SG54] the commands of the README print what it shows, the hash of a whole match included', {
  timeout: 120_000,
}, async () => {
  const printed = await expectExamplesToHold('siege')
  expect(printed.length).toBeGreaterThan(3)
  expect(printed[0]).toMatch(
    /result +over, (blue|red) wins \(blue: kills \d+, last hits \d+, gold \d+, towers \d+; red: /,
  )
  expect(printed[0]).toMatch(/stats +minutes [\d.]+, waves \d+, blue kills \d+/)
})
