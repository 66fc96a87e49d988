/**
 * Installs what is missing: `npm start` needs what playing needs, `npm test` and the other tools (`--all`) the rest.
 *
 * Both call it first, so that each works on a machine that has only Node and npm. The difference is a matter of the
 * manifests: what playing needs is in `dependencies`, here and in the workspaces, everything else in `devDependencies`.
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
if (wanted === undefined) {
  console.error('hurtbox: package-lock.json is missing or damaged. `git checkout package-lock.json` brings it back.')
  process.exit(1)
}
if (!isInstalled(isAll)) {
  console.error(`hurtbox: installing ${isAll ? 'everything the tests and tools need' : 'what playing needs'} (once) …`)
  // Said in full, because NODE_ENV=production would leave out what tests need.
  const kinds = isAll ? '--include=dev' : '--omit=dev'
  // `npm ci` starts from nothing. Adding the rest to what plays must not delete the Node that runs this.
  const canAdd = isAll && isInstalled(false)
  const isDone = (!canAdd && npm('ci', kinds)) || npm('install', '--no-save', kinds)
  if (!isDone) {
    console.error('hurtbox: the dependencies could not be installed; npm says why above. Is the registry reachable?')
    process.exit(1)
  }
}

/**
 * Whether npm has installed each package in the version of the lock file. Optional packages are not looked at: which
 * ones are installed depends on the platform.
 * @param {boolean} withDev
 */
function isInstalled(withDev) {
  // npm lists there what it has installed.
  const installed = readLock('node_modules/.package-lock.json')
  return Object.entries(wanted ?? {}).every(([path, { version, resolved, dev, optional, devOptional }]) => {
    if (path === '' || optional || devOptional || (dev && !withDev)) return true
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
