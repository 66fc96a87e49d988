/**
 * Completes the lock file with the packages of other platforms: `npm run lock`, after every change of dependencies.
 *
 * npm writes only those optional packages into the lock file whose metadata it could fetch. A registry mirror that lacks,
 * say, the macOS binary of a linter leaves a lock file with which `npm ci` refuses to run anywhere, because the entry is
 * missing. Name, version and platform are all that such an entry needs, and all of it is known. With a path: another lock file.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const file = process.argv[2] ?? fileURLToPath(new URL('../package-lock.json', import.meta.url))
/** @type {{ packages: Record<string, Entry> }} */
const lock = JSON.parse(readFileSync(file, 'utf8'))

/**
 * @typedef {{ version?: string, optional?: boolean, dev?: boolean, license?: string, os?: string[], cpu?: string[],
 *   libc?: string[], optionalDependencies?: Record<string, string>, peerDependencies?: Record<string, string>,
 *   peerDependenciesMeta?: Record<string, { optional?: boolean }> }} Entry
 */

const SYSTEMS = ['darwin', 'linux', 'win32', 'android', 'freebsd', 'openbsd', 'netbsd', 'sunos', 'aix', 'openharmony']
const PROCESSORS = ['arm64', 'x64', 'ia32', 'arm', 'riscv64', 'ppc64', 's390x', 'loong64', 'mips64el', 'wasm32']

let added = 0
for (const [path, entry] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    if (isLocked(path, name)) continue
    const words = name.split('-')
    const os = words.find((word) => SYSTEMS.includes(word))
    const cpu = words.find((word) => PROCESSORS.includes(word))
    if (os === undefined && cpu === undefined) {
      console.error(`complete-lock: ${name} of ${path} names no platform; left out.`)
      continue
    }
    lock.packages[`node_modules/${name}`] = {
      version: version.replace(/^[\^~]/, ''),
      ...(cpu && { cpu: [cpu] }),
      ...(entry.dev && { dev: true }),
      ...(words.includes('musl') ? { libc: ['musl'] } : words.includes('gnu') && { libc: ['glibc'] }),
      ...(entry.license && { license: entry.license }),
      optional: true,
      ...(os && { os: [os] }),
    }
    added++
  }
}
const sorted = Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1))
writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`)
console.log(`complete-lock: ${added} packages of other platforms added.`)

// .npmrc keeps npm from adding peers. Most that are missing here serve a part of a library that we do not use.
for (const [path, { peerDependencies = {}, peerDependenciesMeta = {} }] of Object.entries(lock.packages)) {
  for (const name of Object.keys(peerDependencies)) {
    if (peerDependenciesMeta[name]?.optional || isLocked(path, name)) continue
    console.log(
      `complete-lock: ${path} wants ${name} beside it. If we use that part of it, a manifest must name ${name}.`,
    )
  }
}

/**
 * Whether a package required from `path` is found, looking upwards as Node does.
 * @param {string} path
 * @param {string} name
 */
function isLocked(path, name) {
  for (let base = path; ; base = base.slice(0, Math.max(0, base.lastIndexOf('node_modules/') - 1))) {
    if (lock.packages[`${base && `${base}/`}node_modules/${name}`] !== undefined) return true
    if (base === '') return false
  }
}
