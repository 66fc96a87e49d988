/** `hurtbox check` on games of the repository, as on anybody's. */

import { expect, test } from 'vitest'
import { hurtbox, jsonLines } from '../../packages/cli/test/command.ts'

// Rule [CK11] is in docs/spec.md, section "Check".

test.each(['jet-raiders', 'sumo'])('[CK11] %s is fit to be played everywhere', { timeout: 60_000 }, async (id) => {
  const outcome = await hurtbox(['check', id, '--no-lock', '--ticks', '120', '--json'])
  expect([outcome.code, outcome.stderr]).toEqual([0, ''])
  const [summary, ...more] = jsonLines(outcome)
  expect(more).toEqual([])
  expect(summary).toMatchObject({ line: 'summary', game: id, ok: true, findings: 0 })
  expect(summary.files).toContain(`games/${id}/rules/index.ts`)
  expect((summary.scenes as string[]).length).toBeGreaterThan(3)
})
