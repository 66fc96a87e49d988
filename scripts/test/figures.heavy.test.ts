/** The examples of guides and pages print what they show; the other figures are held by figures.slow.test.ts. */

import { expect, test } from 'vitest'
import { pagesWithExamples, rerunExamples, staleExamples } from '../figures/examples.ts'

/** The pages of the games are run by the tests of the games. */
const pages = pagesWithExamples().filter((page) => !page.startsWith('games/'))

test.each(pages)('[FG3] the examples of %s print what it shows', { timeout: 240_000 }, async (page) => {
  expect(
    staleExamples(page, await rerunExamples(page)),
    'npm run measure -- figures --only examples writes it',
  ).toEqual([])
})
