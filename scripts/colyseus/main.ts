/**
 * `npm run measure -- colyseus`: whether rooms and servers work with the newest Colyseus 0.18, which users may have installed.
 *
 * Installs the newest releases, with `ws` and Express, into a folder of its own, and runs the tests of private members, of rooms and of what is written to
 * sockets against them. Nothing of this repository changes.
 */

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const PACKAGES = ['core', 'ws-transport', 'redis-driver', 'redis-presence', 'sdk'].map((name) => `@colyseus/${name}`)
const TESTS = [
  'packages/colyseus/test/room-private-members.test.ts',
  'packages/server/test/private-members.test.ts',
  'packages/colyseus/test/delivery.test.ts',
  'packages/colyseus/test/hardening.test.ts',
  'packages/colyseus/test/room.test.ts',
  'packages/colyseus/test/room-matches.test.ts',
]

const folder = mkdtempSync(join(tmpdir(), 'hurtbox-colyseus-'))
try {
  const wanted = [...PACKAGES.map((name) => `${name}@~0.18.0`), 'ws@8', 'express@5']
  const install = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error', ...wanted]
  run('npm', install, folder, {})
  for (const name of [...PACKAGES, '@colyseus/schema', 'ws']) {
    console.log(`${name} ${versionIn(folder, name)} (here: ${versionIn(root, name)})`)
  }
  const redirect = `--import ${new URL('redirect.ts', import.meta.url).href}`
  run(process.execPath, [`${root}node_modules/vitest/vitest.mjs`, 'run', ...TESTS], root, {
    HURTBOX_COLYSEUS: folder,
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} ${redirect}`,
  })
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function run(command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): void {
  const shell = process.platform === 'win32' && command === 'npm'
  const { status, error } = spawnSync(command, args, { cwd, shell, stdio: 'inherit', env: { ...process.env, ...env } })
  if (error !== undefined) throw error
  process.exitCode ||= status ?? 1
}

function versionIn(folder: string, name: string): string {
  return JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')).version
}
