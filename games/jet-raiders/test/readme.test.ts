import { expect, test } from 'vitest'
import { expectExamplesToHold, expectTablesToHold } from '../../test/readme.ts'
import { declaration } from '../rules/declaration.ts'

test('[JR38] the commands of the README print what it shows, the hash of a whole match included', () => {
  const printed = expectExamplesToHold('jet-raiders')
  expect(printed.length).toBeGreaterThan(3)
  expect(printed[0]).toMatch(/ticks +37,500, 600\.0 s of play/)
  expect(printed[0]).toMatch(/result +over, seat \d+ wins \(kills \d+, deaths \d+\)/)
  expect(printed[0]).toMatch(/stats .*hits [\d,]+, kills [\d,]+, damage bullet [\d,]+/)
})

test('[JR38] the README lists every option, and every tuning value with its default and unit', () => {
  expectTablesToHold('jet-raiders', declaration)
})
