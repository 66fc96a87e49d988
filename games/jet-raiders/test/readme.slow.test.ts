import { expect, test } from 'vitest'
import { expectExamplesToHold, expectTablesToHold } from '../../test/readme.ts'
import { declaration } from '../rules/declaration.ts'
import { view } from '../view/index.ts'

test('[JR38] the commands of the README print what it shows, the hash of a whole match included', async () => {
  const printed = await expectExamplesToHold('jet-raiders')
  expect(printed.length).toBeGreaterThan(3)
  expect(printed[0]).toMatch(/ticks +37,500, 600\.0 s of play/)
  expect(printed[0]).toMatch(/result +over, seat \d+ wins \(kills \d+, deaths \d+\)/)
  expect(printed[0]).toMatch(/stats .*hits [\d,]+, kills [\d,]+, early deaths [\d,]+, damage bullet [\d,]+/)
})

test('[JR38] the README has the headings of all games, and lists every key, option and tuning value', () => {
  expectTablesToHold('jet-raiders', declaration, view)
})
