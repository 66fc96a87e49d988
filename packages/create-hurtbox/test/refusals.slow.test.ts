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
  [['game', '--name', 'typescript'], /"typescript" is the name of a package that the game needs/],
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

/** Runs as if this were another version of Node. */
const createOn = (version: string, ...args: string[]) => {
  const fake = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`
  return spawnSync(process.execPath, ['--import', `data:text/javascript,${encodeURIComponent(fake)}`, bin, ...args], {
    cwd: scratch,
    encoding: 'utf8',
    timeout: 20_000,
  })
}

test.each(['18.20.8', '20.19.0', '22.17.1'])('[CR10] on Node %s it says which one the game needs', (version) => {
  const { status, stdout, stderr } = createOn(version, 'too-early')
  expect([status, stdout]).toEqual([1, ''])
  expect(stderr).toBe(
    `create-hurtbox: the game would not run on this Node ${version}: it needs Node 22.18 or newer, which loads ` +
      'TypeScript by itself. Install one from https://nodejs.org, then run this again.\n',
  )
  expect(existsSync(join(scratch, 'too-early'))).toBe(false)
  expect(createOn(version, '--help')).toMatchObject({ status: 0, stderr: '' })
})

test.each(['22.18.0', '23.0.0', '100.1.0'])('[CR10] on Node %s it makes the game', (version) => {
  expect(createOn(version, `game-${version.replaceAll('.', '-')}`)).toMatchObject({ status: 0, stderr: '' })
})
