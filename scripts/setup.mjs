/**
 * Installs the dependencies when they are missing or older than the lock file.
 *
 * `npm start` and `npm test` call it first, so that each works on a machine that has only Node and npm. It runs on
 * whatever Node the machine has (20.19 and up) and uses nothing but Node itself.
 */

import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const installed = `${root}node_modules/.package-lock.json`
const wanted = `${root}package-lock.json`

if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(wanted).mtimeMs) {
  console.error('hurtbox: installing dependencies (once) …')
  const npm = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (npm.status !== 0) {
    console.error('hurtbox: `npm ci` failed; its message is above. The registry must be reachable for the first run.')
    process.exit(1)
  }
}
