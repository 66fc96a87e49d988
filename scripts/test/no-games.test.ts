/** What is published knows no game: the games of the repository are loaded like those of anybody else. */

import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { loadModules } from 'hurtbox/module/node'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { modules } = await loadModules(root)
const games = modules.filter(({ file }) => file.startsWith(`${root}games`))
/** Sources and manifests of the packages. */
const files = globSync(['packages/*/src/**/*.{ts,tsx}', 'packages/*/package.json'], { cwd: root }).filter(
  (file) => !file.includes('node_modules'),
)

/** Ids and titles as words of their own: `sumOfRadii` is no name of a game. */
const names = games.flatMap(({ id, title }) => [id, title])
const named = new RegExp(`\\b(${names.join('|')})\\b`, 'i')

/** `hurtbox load` has an option of the same name. */
const OF_LOAD = '--mode'

test('[MD6] no source of a package names a game of the repository, or an option of its own', async () => {
  expect(games.length).toBeGreaterThan(4)
  expect(files.length).toBeGreaterThan(100)
  const commands = await Promise.all(games.map(async (game) => (await game.commands?.())?.default))
  const flags = commands
    .flatMap((each) => each?.run?.options ?? [])
    .map((option) => option.flags.split(' ')[0])
    .filter((flag) => flag !== OF_LOAD)
  expect(flags.length).toBeGreaterThan(10)
  const found = files.flatMap((file) => {
    const lines = readFileSync(root + file, 'utf8').split('\n')
    return lines.flatMap((line, i) =>
      named.test(line) || flags.some((flag) => line.includes(`${flag} `) || line.includes(`${flag}'`))
        ? [`${file}:${i + 1}: ${line.trim()}`]
        : [],
    )
  })
  expect(found).toEqual([])
})

/** Whole matches of netcode and studio are played with the games of the repository, as with any others. */
const PLAYED = ['packages/netcode/test/**', 'packages/studio/test/**']

test('[MD6] no source and no test of a package imports from games/, and no test names a game or loads all of the repository', () => {
  const patterns = ['packages/*/test/**/*.{ts,tsx}', 'packages/*/src/**/*.test.ts']
  const tests = globSync(patterns, { cwd: root, exclude: ['**/node_modules/**', ...PLAYED] })
  expect(tests.length).toBeGreaterThan(50)
  const playing = tests.filter((file) => {
    const text = readFileSync(root + file, 'utf8')
    return named.test(text) || /\bloadModules\(\)/.test(text)
  })
  expect(playing).toEqual([])
  const found = [...files, ...tests].filter((file) => {
    const text = readFileSync(root + file, 'utf8')
    return /(from|import\(?|new URL\()\s*['"][^'"]*(\.\.|@hurtbox)\/games\/[^'"]*['"]/.test(text)
  })
  expect(found).toEqual([])
})
