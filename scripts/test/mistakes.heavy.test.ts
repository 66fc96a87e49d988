/** The table of deliberate mistakes, in a created project from the packed packages: each is named with file, line and cure. */

import { afterAll, expect, test } from 'vitest'
import { expectFound } from './mistakes/commit.ts'
import { mistakes } from './mistakes/table.ts'
import { generateProject } from './packages/generated.ts'

const { project, remove } = await generateProject('goblin-hunt')
afterAll(remove, 60_000)

test('[MK1] the table has 40 mistakes, each under a name of its own', () => {
  expect(new Set(mistakes.map(({ name }) => name)).size).toBe(mistakes.length)
  expect(mistakes.length).toBeGreaterThanOrEqual(40)
})

test.each(mistakes)('[MK1] $name: found by $command', { timeout: 60_000 }, (mistake) => expectFound(project, mistake))
