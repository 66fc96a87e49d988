/**
 * Deliberate mistakes in a created project: what is typed, which command finds it, what it says.
 *
 * Every answer names the file and the line, and holds the words of the row, which are the cure.
 */

import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { repositoryRoot } from '../../engines/install-npm.ts'

type Edit = { readonly file: string; readonly find: string; readonly replace: string }

export type Mistake = {
  readonly name: string
  /** What was typed before it, rightly, in any file: what the template does not have. */
  readonly given?: readonly Edit[]
  readonly file: string
  /** What stands in the template, and what is typed in its place. */
  readonly find: string
  readonly replace: string
  /** What is typed elsewhere in the file. */
  readonly also?: readonly (readonly [find: string, replace: string])[]
  /** `released`: the game is released before the mistake, and checked after it. `test`: all that `npm test` runs. */
  readonly command: 'tsc' | 'check' | 'released' | 'run' | 'test'
  /** All of it is said. */
  readonly says: readonly RegExp[]
  /** Words of the line that is named, where it is not the first line that was changed; in `file`, or after "file: " in another one. */
  readonly at?: string
  /** The command says it and passes. */
  readonly isWarning?: boolean
}

const HURTBOX = 'node_modules/@hurtbox/cli/bin/hurtbox.js'
const COMMANDS: Readonly<Record<Mistake['command'], readonly string[]>> = {
  tsc: [join(repositoryRoot, 'node_modules/typescript/bin/tsc')],
  check: [HURTBOX, 'check', '--ticks', '120', '--no-runtimes', '--no-lock'],
  released: [HURTBOX, 'check', '--ticks', '120', '--no-runtimes'],
  run: [HURTBOX, 'run', '--ticks', '300'],
  test: ['--test', 'test/*.test.ts'],
}

/** Makes the mistake in the project, runs the command, and takes the mistake back. */
export function expectFound(project: string, mistake: Mistake): void {
  const { given: [first, ...others] = [] } = mistake
  if (first !== undefined) {
    const path = join(project, first.file)
    const before = readFileSync(path, 'utf8')
    expect(before, `${first.file} of the template has what is replaced`).toContain(first.find)
    writeFileSync(
      path,
      before.replace(first.find, () => first.replace),
    )
    try {
      expectFound(project, { ...mistake, given: others })
    } finally {
      writeFileSync(path, before)
    }
    return
  }
  const { file, find, replace, also = [], command, says, at, isWarning = false } = mistake
  const path = join(project, file)
  const before = readFileSync(path, 'utf8')
  let after = before
  for (const [from, to] of [[find, replace], ...also]) {
    expect(after, `${file} of the template has what is replaced`).toContain(from)
    after = after.replace(from, () => to)
  }
  if (command === 'released') {
    const released = run(project, [HURTBOX, 'release', '--ticks', '120', '--no-runtimes'])
    expect(released.status, released.stdout).toBe(0)
  }
  writeFileSync(path, after)
  const { status, stdout, stderr } = run(project, COMMANDS[command])
  writeFileSync(path, before)
  rmSync(join(project, 'hurtbox.lock.json'), { force: true })
  const said = stdout + stderr
  expect(status === 0, said).toBe(isWarning)
  const [named, words] = at === undefined ? [file, undefined] : splitPlace(at, file)
  const text = named === file ? after : readFileSync(join(project, named), 'utf8')
  const line = words === undefined ? firstChange(before, after) : text.split(words)[0].split('\n').length
  expect(said).toMatch(new RegExp(`${named.replaceAll('.', '\\.')}[(:]${line}\\b`))
  for (const words of says) expect(said).toMatch(words)
}

function run(project: string, args: readonly string[]) {
  // The check among the tests finds no other runtimes: they are slow, and asked elsewhere.
  const env = { PATH: '', HURTBOX_CHROMIUM: 'none', NO_COLOR: '1' }
  return spawnSync(process.execPath, args, { cwd: project, encoding: 'utf8', env })
}

function splitPlace(at: string, file: string): [file: string, words: string] {
  const [, other, words] = /^([\w/.-]+\.tsx?): (.*)$/.exec(at) ?? [undefined, file, at]
  return [other, words]
}

function firstChange(before: string, after: string): number {
  const [old, now] = [before.split('\n'), after.split('\n')]
  return now.findIndex((line, i) => line !== old[i]) + 1
}
