/**
 * Runs a program of the repository in the pinned Node, after installing what is missing:
 * `node scripts/run.mjs [NAME=value …] <program> [arguments]`.
 *
 * The scripts of package.json use it, so that none of them needs a hook that installs. In a fresh clone it is the machine's Node that
 * starts this, and a shell remembers where it found `node`: the pinned one has to be started by its path. Variables stand in front
 * of the program because `NAME=value command` is no command on Windows.
 *
 * Runs on any Node from 20.19 on and uses nothing but Node itself.
 */

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { findRuntime, handOver } from '../packages/cli/bin/runtime.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const args = process.argv.slice(2)
while (/^[A-Z_]+=/.test(args[0] ?? '')) {
  const [name, value] = /** @type {string} */ (args.shift()).split('=', 2)
  process.env[name] = value
}

const setup = spawnSync(process.execPath, [`${root}scripts/setup.mjs`, '--all'], { stdio: 'inherit' })
const runtime = setup.status === 0 ? findRuntime(root) : undefined
if (runtime !== undefined) {
  await handOver(runtime.command, [...runtime.flags, ...args])
} else {
  if (setup.status === 0)
    console.error('hurtbox: npm did not install the package "node". Run `npm ci`, or use Node 24.')
  process.exitCode = setup.status || 1
}
