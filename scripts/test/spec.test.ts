/** The spec and the tests hold each other: every rule has a test that carries its id, every id in a test is a rule. */

import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (pattern: string) =>
  globSync(pattern, { cwd: root }).map((file) => [file, readFileSync(root + file, 'utf8')] as const)

const spec = readFileSync(`${root}docs/spec.md`, 'utf8')
const listed = [...spec.matchAll(/\*\*([A-Z]{2,4}\d+)\*\*/g)].map((match) => match[1])
const rules = new Set(listed)
const tests = read('{packages,games,examples,bench,scripts,docs}/**/*.test.ts').filter(
  ([file]) => !file.includes('node_modules'),
)
const named = new Map(
  tests.flatMap(([file, text]) => [...text.matchAll(/\[([A-Z]{2,4}\d+)\]/g)].map((match) => [match[1], file] as const)),
)

test('every rule of docs/spec.md is proven by a test that carries its id', () => {
  expect(rules.size).toBeGreaterThan(50)
  expect([...rules].filter((id) => !named.has(id))).toEqual([])
})

test('no two rules have one id', () => {
  expect(listed.filter((id, i) => listed.indexOf(id) !== i)).toEqual([])
})

test('every id that a test carries is a rule of docs/spec.md', () => {
  expect([...named].filter(([id]) => !rules.has(id)).map(([id, file]) => `${id} in ${file}`)).toEqual([])
})
