/** What is said when a game cannot be made: one sentence, exit code 2, and nothing is written. */

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'

const bin = fileURLToPath(new URL('../bin/create-hurtbox.js', import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), 'hurtbox-refusals-'))
afterAll(() => rmSync(scratch, { recursive: true }))

const create = (...args: string[]) =>
  spawnSync(process.execPath, [bin, ...args], { cwd: scratch, encoding: 'utf8', timeout: 20_000 })

writeFileSync(join(scratch, 'file'), '')

test.each<[string[], RegExp]>([
  [[], /give one folder\.\n\nUsage/],
  [['a', 'b'], /give one folder/],
  [['game', '--nam', 'x'], /Unknown option '--nam'/],
  [['My-Game'], /"My-Game" cannot be a name: small letters.*Use --name/],
  [['3d-game'], /cannot be a name/],
  [['game', '--name', ''], /cannot be a name/],
  [['game', '--name', 'express'], /"express" is the name of a package that the game needs/],
  [['hurtbox'], /"hurtbox" is the name of a package/],
  [['file'], /file cannot be written: ENOTDIR/],
  [['file/game'], /file\/game cannot be written: ENOTDIR/],
])('[CR7] create-hurtbox %j is refused in words', (args, message) => {
  const { status, stdout, stderr } = create(...args)
  expect([status, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(message)
  expect(stderr).not.toMatch(/\n +at /)
  for (const folder of ['game', 'My-Game', '3d-game', 'hurtbox']) expect(existsSync(join(scratch, folder))).toBe(false)
})

test('[CR8] a repository without files is as good as an empty folder, and a space in its path does no harm', () => {
  mkdirSync(join(scratch, 'my games/pit/.git'), { recursive: true })
  const { status, stdout } = create('my games/pit')
  expect([status, stdout]).toEqual([0, expect.stringContaining('cd "my games/pit"')])
  expect(existsSync(join(scratch, 'my games/pit/game/rules.ts'))).toBe(true)
})
