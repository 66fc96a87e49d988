import { test } from 'vitest'
import { expectTablesToHold } from '../../test/readme.ts'
import { declaration } from '../rules/declaration.ts'
import { view } from '../view/index.ts'

test('[NF48] the README has the headings of all games, and lists every key, option and tuning value', () => {
  expectTablesToHold('nightfall', declaration, view)
})
