import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { buildAttached, buildEntries, buildParts, FIRST_HIT } from '../sizes/entries.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

test('[PK9] every way into the engine, and every part of a page, stays within its size', async () => {
  const waysInto = (name: string) =>
    Object.keys(JSON.parse(readFileSync(`${root}packages/${name}/package.json`, 'utf8')).exports)
  const parts = waysInto('view').filter((way) => !/\/(phaser|pixi|three)$/.test(way))
  const limits = JSON.parse(readFileSync(`${root}.size-limit.json`, 'utf8')) as { name: string }[]
  // All of `exports` but package.json, what a first hit needs, without and with rollback, and the attached studio.
  expect(limits.length).toBe(waysInto('hurtbox').length + 3 + parts.length - 1)
  await buildEntries()
  await buildParts()
  await buildAttached()
  const [, imported] = /import \{ ([^}]*) \} from 'hurtbox'/.exec(readFileSync(`${root}README.md`, 'utf8'))!
  expect(imported, 'the example of the README is the first hit').toBe(FIRST_HIT)
  const sizes = JSON.parse(execFileSync('size-limit', ['--json'], { cwd: root, encoding: 'utf8' })) as {
    name: string
    passed: boolean
    size: number
  }[]
  expect(sizes.length).toBe(limits.length)
  for (const { name, passed, size } of sizes) expect(passed, `${name}: ${size} bytes`).toBe(true)
})
