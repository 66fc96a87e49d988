/** What keeps a tag from being published. */

import { expect, test } from 'vitest'
import { releaseProblems } from '../release.ts'

const engine = { name: 'hurtbox', version: '1.2.3', files: [] }
const room = { name: '@hurtbox/colyseus', version: '1.2.3', files: [], dependencies: { hurtbox: '1.2.3', ws: '8.0.0' } }
const CHANGELOG = '# Changelog\n\n## 1.2.3\n\n- more\n'

test('[PK13] versions, dependencies on each other and changelog agree with the tag', () => {
  expect(releaseProblems('v1.2.3', [engine, room], CHANGELOG)).toEqual([])
})

test.each<[string, string[], Parameters<typeof releaseProblems>]>([
  ['a tag', ['"1.2.3" is not a tag of a release, such as v1.2.3.'], ['1.2.3', [engine], CHANGELOG]],
  [
    'a version',
    ['hurtbox has version 1.2.2, the tag is v1.2.3.'],
    ['v1.2.3', [{ ...engine, version: '1.2.2' }], CHANGELOG],
  ],
  [
    'a dependency',
    ['@hurtbox/colyseus depends on hurtbox ^1.2.2, the tag is v1.2.3.'],
    ['v1.2.3', [engine, { ...room, dependencies: { hurtbox: '^1.2.2' } }], CHANGELOG],
  ],
  ['no changelog', ['CHANGELOG.md has no section "## 1.2.3".'], ['v1.2.3', [engine], '# Changelog\n']],
  [
    'an unfinished changelog',
    ['CHANGELOG.md calls 1.2.3 unreleased.'],
    ['v1.2.3', [engine], CHANGELOG.replace('1.2.3', '1.2.3 (unreleased)')],
  ],
])('[PK13] %s that does not fit is named', (_, problems, args) => {
  expect(releaseProblems(...args)).toEqual(problems)
})
