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
  // `npm ci` is exact but wants every package of every platform in the lock file; `npm install` takes what it finds.
  const isInstalled = npm('ci') || npm('install', '--no-save')
  if (!isInstalled) {
    console.error('hurtbox: the dependencies could not be installed; npm says why above. Is the registry reachable?')
    process.exit(1)
  }
}

/** @param {string[]} args */
function npm(...args) {
  const { status } = spawnSync('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  return status === 0
}
