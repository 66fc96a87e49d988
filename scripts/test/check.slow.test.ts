/** Nothing that people copy has something in it that has no effect. */

import { expect, test } from 'vitest'
import { effectlessIn, filesIn, pages } from './check-sources.ts'

// Rule [CK23] is in docs/spec.md, section "Check".

test('[CK23] nothing is found in the sources of templates and pages', { timeout: 60_000 }, () => {
  const templates = filesIn('packages/create-hurtbox', /^[\w-]+\/game\/index\.ts$/)
  expect(templates).toHaveLength(2)
  expect(pages().length).toBeGreaterThan(5)
  for (const file of [...templates, ...pages()]) expect(effectlessIn(file), file).toEqual([])
})
