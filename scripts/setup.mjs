/**
 * Installs what is missing: `npm start` needs what playing needs, `npm test` and the other tools (`--all`) the rest.
 *
 * Every script of package.json runs it first, by itself or in run.mjs, so that each works on a machine that has only Node and npm.
 * The difference is a matter of the manifests: what playing needs is in `dependencies`, here and in the workspaces, everything else
 * in `devDependencies`.
 *
 * Runs on any Node from 20.19 on and uses nothing but Node itself.
 */

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** @typedef {{ version?: string, resolved?: string, dev?: boolean, optional?: boolean, devOptional?: boolean }} Entry */

const root = fileURLToPath(new URL('..', import.meta.url))
const isAll = process.argv.includes('--all')

const wanted = readLock('package-lock.json')
// npm lists there what it has installed.
const installed = readLock('node_modules/.package-lock.json')
if (wanted === undefined) {
  console.error('hurtbox: package-lock.json is missing or damaged. `git checkout package-lock.json` brings it back.')
  process.exit(1)
}
if (!isInstalled()) {
  console.error(`hurtbox: installing ${isAll ? 'everything the tests and tools need' : 'what playing needs'} (once) …`)
  // Who has the rest keeps it. Said in full, because NODE_ENV=production would leave it out.
  const hasRest = Object.values(installed ?? {}).some(({ dev }) => dev)
  const kinds = isAll || hasRest ? '--include=dev' : '--omit=dev'
  // `npm ci` is exact and starts by deleting: not where something is installed, perhaps the Node that runs this. It wants every
  // package of every platform in the lock file; `npm install` takes what it finds.
  const clean = () => npm('ci', kinds)
  const add = () => npm('install', '--no-save', kinds)
  const isDone = installed === undefined ? clean() || add() : add() || clean()
  if (!isDone) {
    console.error('hurtbox: the dependencies could not be installed; npm says why above. Is the registry reachable?')
    process.exit(1)
  }
}

/**
 * Whether npm has installed each package in the version of the lock file. Optional packages are not looked at: which
 * ones are installed depends on the platform.
 */
function isInstalled() {
  return Object.entries(wanted ?? {}).every(([path, { version, resolved, dev, optional, devOptional }]) => {
    if (path === '' || optional || devOptional || (dev && !isAll)) return true
    const found = installed?.[path]
    // A workspace is a link, which has no version but the folder it points to.
    return found !== undefined && found.version === version && (version !== undefined || found.resolved === resolved)
  })
}

/**
 * The packages of a lock file by path; undefined if it cannot be read.
 * @param {string} file
 * @returns {Record<string, Entry> | undefined}
 */
function readLock(file) {
  try {
    return JSON.parse(readFileSync(root + file, 'utf8')).packages
  } catch {
    return undefined
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
