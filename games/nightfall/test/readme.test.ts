import { expect, test } from 'vitest'
import { expectExamplesToHold, expectTablesToHold } from '../../test/readme.ts'
import { declaration } from '../rules/declaration.ts'
import { view } from '../view/index.ts'

const isWholeNight = (command: string) => command.includes('--bots')

test('[NF48] the commands of the README print what it shows', async () => {
  expect((await expectExamplesToHold('nightfall', (command) => !isWholeNight(command))).length).toBeGreaterThan(2)
})

test.runIf(process.env.HURTBOX_LONG)('[NF48] so does a whole night, its hash included', async () => {
  const [printed] = await expectExamplesToHold('nightfall', isWholeNight)
  expect(printed).toMatch(/result +over, (night|dawn) wins \(\d+:\d\d survived, [\d,]+ kills\)/)
  expect(printed).toMatch(/stats .*hits [\d,]+, kills [\d,]+, damage physical [\d,]+, damage magic [\d,]+, damage fire/)
})

test('[NF48] the README has the headings of all games, and lists every key, option and tuning value', () => {
  expectTablesToHold('nightfall', declaration, view)
})
