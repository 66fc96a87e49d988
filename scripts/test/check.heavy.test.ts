/** `hurtbox check` on every game of the repository and on a project of every template: nothing is found where nothing is wrong. */

import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { COMMAND, hurtbox, jsonLines } from '../../packages/cli/test/command.ts'
import { repositoryRoot as root } from '../engines/install-npm.ts'
import { effectlessIn, examples, filesIn } from './check-sources.ts'

// Rules [CK11] and [CK23] are in docs/spec.md, section "Check".

const GAMES = globSync('games/*/index.ts', { cwd: root }).map((file) => dirname(file).slice('games/'.length))
const TEMPLATES = ['slime-pit', 'canvas', 'pixi', 'phaser', 'three']

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hurtbox-check-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A project of its own, with our packages as they are here. */
function create(template: string): string {
  const bin = join(root, 'packages/create-hurtbox/bin/create-hurtbox.js')
  execFileSync(process.execPath, [bin, template, '--template', template], { cwd: folder, stdio: 'pipe' })
  const modules = join(folder, template, 'node_modules')
  mkdirSync(join(modules, '@hurtbox'), { recursive: true })
  for (const name of readdirSync(join(root, 'packages'))) {
    symlinkSync(join(root, 'packages', name), join(modules, name === 'hurtbox' ? name : `@hurtbox/${name}`), 'junction')
  }
  return join(folder, template)
}

function check(cwd: string, ...args: readonly string[]): string {
  return execFileSync(process.execPath, [COMMAND, 'check', ...args, '--no-lock', '--no-runtimes', '--json'], {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  })
}

function expectNothing(printed: string): void {
  const lines = printed.trimEnd().split('\n')
  expect(lines.slice(0, -1)).toEqual([])
  expect(JSON.parse(lines.at(-1)!)).toMatchObject({ line: 'summary', ok: true, findings: 0, warnings: 0 })
}

test.each(['jet-raiders', 'sumo'])('[CK11] %s is fit to be played everywhere', { timeout: 60_000 }, async (id) => {
  const outcome = await hurtbox(['check', id, '--no-lock', '--ticks', '120', '--json'])
  expect([outcome.code, outcome.stderr]).toEqual([0, ''])
  const [summary, ...more] = jsonLines(outcome)
  expect(more).toEqual([])
  expect(summary).toMatchObject({ line: 'summary', game: id, ok: true, findings: 0, warnings: 0 })
  expect(summary.files).toContain(`games/${id}/rules/index.ts`)
  expect((summary.scenes as string[]).length).toBeGreaterThan(3)
})

test('[CK23] there are five games', () => expect(GAMES).toHaveLength(5))

test.each(GAMES)('[CK23] nothing is found in %s', { timeout: 300_000 }, (id) => {
  expectNothing(check(root, id, '--ticks', '300'))
})

test.each(TEMPLATES)('[CK23] nothing is found in a project of the template %s', { timeout: 60_000 }, (template) => {
  expectNothing(check(create(template)))
})

test('[CK23] nothing is found in the sources of scenes, fixtures and examples', { timeout: 120_000 }, () => {
  const scenes = [
    ...filesIn('docs/scenes', /\.ts$/),
    ...filesIn('packages', /^(?:cli\/test\/fixtures\/duel|hurtbox\/scenes\/index)\.ts$/),
  ]
  expect(scenes.length).toBeGreaterThan(8)
  for (const file of scenes) expect(effectlessIn(file), file).toEqual([])
  expect(examples().length).toBeGreaterThan(50)
  // An example leaves out things that a rule is about.
  for (const file of examples()) expect(effectlessIn(file, true), file).toEqual([])
})
