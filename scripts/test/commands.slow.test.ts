/** The commands of the repository: few, each does its own set-up, and every one that a page or a comment names is there. */

import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { measurements } from '../measure.ts'
import { oldestNode } from './oldest-node.ts'

// Rules [IS7] to [IS9] are in docs/spec.md, section "Installing".

const root = fileURLToPath(new URL('../..', import.meta.url))
const scriptsOf = (manifest: string) =>
  JSON.parse(readFileSync(root + manifest, 'utf8')).scripts as Readonly<Record<string, string>>
const scripts = scriptsOf('package.json')

test('[IS7] there are at most 15 scripts, and each installs what it needs', () => {
  expect(Object.keys(scripts).length).toBeLessThanOrEqual(15)
  const { lock, ...others } = scripts
  expect(lock, 'needs npm alone').toMatch(/^npm install --package-lock-only && node scripts\/complete-lock\.mjs$/)
  for (const [name, command] of Object.entries(others)) {
    expect(command, name).toMatch(/^node scripts\/(setup|run)\.mjs |^npm run check && /)
    // A shell that has found the machine's Node does not look for the pinned one again.
    expect(command, name).not.toMatch(/&& node \S+\.ts/)
  }
})

describe.skipIf(process.platform === 'win32')('scripts/run.mjs', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'hurtbox-run-'))
  afterAll(() => rmSync(scratch, { recursive: true }))
  const files = ['scripts/run.mjs', 'scripts/setup.mjs', 'packages/cli/bin/runtime.js']
  const PROGRAM = `const said: string[] = [process.execPath, process.env.HURTBOX_LONG!, ...process.argv.slice(2)]
console.log(JSON.stringify(said))
process.exit(7)`

  /** Runs it in a fresh clone, with an npm that installs no more than the pinned Node, or fails. */
  function run(name: string, npm: string) {
    const folder = join(scratch, name)
    for (const file of files) cpSync(root + file, join(folder, file))
    mkdirSync(join(folder, 'bin'))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(
      join(folder, 'package-lock.json'),
      '{ "packages": { "node_modules/vitest": { "version": "5.0.0", "dev": true } } }',
    )
    writeFileSync(join(folder, 'program.ts'), PROGRAM)
    writeFileSync(join(folder, 'bin/npm'), `#!/bin/sh\n${npm}\n`)
    chmodSync(join(folder, 'bin/npm'), 0o755)
    const { HURTBOX_LONG: _, ...env } = process.env
    const args = ['scripts/run.mjs', 'HURTBOX_LONG=1', 'program.ts', '--only', 'a b']
    return spawnSync(oldestNode(), args, {
      cwd: folder,
      env: { ...env, PATH: [join(folder, 'bin'), dirname(process.execPath), env.PATH].join(delimiter) },
      encoding: 'utf8',
    })
  }

  const INSTALL = `mkdir -p node_modules/node/bin && cp "${process.execPath}" node_modules/node/bin/node`

  test('[IS8] installs, then runs a program in the pinned Node: its arguments, variables and exit code', () => {
    const { status, stdout } = run('whole', INSTALL)
    const pinned = join(scratch, 'whole/node_modules/node/bin/node')
    expect([JSON.parse(stdout), status]).toEqual([[pinned, '1', '--only', 'a b'], 7])
  })

  test('[IS8] runs nothing when not everything could be installed', () => {
    expect(run('half', `${INSTALL}; exit 1`)).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringContaining('could not be installed; npm says why above'),
    })
  })
})

describe('what is named', () => {
  /** What speaks of a generated project, which has scripts of its own. */
  const OF_TEMPLATES =
    /^(packages\/(create-hurtbox|cli\/src\/deploy)\/|docs\/(guide\/(own-game|online)|spec)\.md|scripts\/test\/)/
  const template = scriptsOf('packages/create-hurtbox/shared/package.json')
  const names = globSync(
    ['*.md', '.npmrc', '{.github,bench,docs,games,packages,scripts}/**/*.{md,ts,tsx,js,mjs,json,yml}'],
    {
      cwd: root,
      exclude: ['**/{node_modules,.cache,dist,cache}/**', 'docs/api/**'],
    },
  )
  // Lines are joined, also those of comments, because a command may be broken anywhere.
  const texts = names.map(
    (name) => [name, readFileSync(root + name, 'utf8').replaceAll(/\n\s*(\*|#|\/\/)?\s*/g, ' ')] as const,
  )

  const unknown = (command: RegExp, isKnown: (name: string, file: string) => boolean) =>
    texts.flatMap(([file, text]) =>
      [...text.matchAll(command)].filter(([, name]) => !isKnown(name, file)).map(([found]) => `${file}: ${found}`),
    )

  test('[IS9] every command that is named exists', () => {
    expect(texts.length).toBeGreaterThan(1000)
    const isScript = (name: string, file: string) => name in scripts || (OF_TEMPLATES.test(file) && name in template)
    expect(unknown(/npm run (?:--silent )?([a-z][\w:-]*)/g, isScript)).toEqual([])
    expect(unknown(/npm run measure -- ([a-z][\w-]*)/g, (name) => Object.hasOwn(measurements, name))).toEqual([])
    expect(
      unknown(/\bnode ((?:bench|games|packages|scripts)\/[\w./-]+\.[jmt]+s)/g, (name) => existsSync(root + name)),
    ).toEqual([])
  })

  test('[IS9] every measurement has its program', () => {
    const programs = Object.values(measurements).map(({ program }) => program)
    expect(programs.filter((program) => !existsSync(root + program))).toEqual([])
  })
})
