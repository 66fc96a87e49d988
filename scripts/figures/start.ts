/** What the two commands of the README cost: the first start on a machine that has nothing, and the tests. */

import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { apart, type Figure } from './figure.ts'
import { run } from './run.ts'
import { root } from './saved.ts'

export type SetupResult = { readonly fetchedMB: number; readonly diskMB: number }
export type TestsResult = { readonly minutes: number }

/** The unit in which file systems report sizes. */
const BLOCK_BYTES = 512

/** A fresh clone with an empty cache of npm, so that what is fetched can be weighed. */
export const setup: Figure<SetupResult> = {
  name: 'setup',
  command: 'npm run figures -- --only setup',
  isLong: true,
  async measure(log) {
    const folder = mkdtempSync(join(tmpdir(), 'hurtbox-setup-'))
    try {
      await run(`git clone --quiet --depth 1 "file://${root}" clone`, log, folder)
      await run(`npm_config_cache="${folder}/cache" node scripts/setup.mjs`, log, `${folder}/clone`)
      return { fetchedMB: megabytes(`${folder}/cache`), diskMB: megabytes(`${folder}/clone`) }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
  differences: (saved, now) => [
    ...apart('MB fetched', saved.fetchedMB, now.fetchedMB, 1.1),
    ...apart('MB on disk', saved.diskMB, now.diskMB, 1.1),
  ],
}

export const tests: Figure<TestsResult> = {
  name: 'tests',
  command: 'npm test',
  isLong: true,
  async measure(log) {
    const started = performance.now()
    await run('npm test', log)
    const minutes = (performance.now() - started) / 60_000
    // In halves: more than it is steady to.
    return { minutes: Math.round(minutes * 2) / 2 }
  },
  differences: (saved, now) => apart('minutes of npm test', saved.minutes, now.minutes),
}

/** What the files of a folder take up, in tens of 10^6 bytes. A file that stands there under two names takes up its room once. */
function megabytes(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const sizes = new Map(
    files.map((entry) => {
      const { ino, blocks } = statSync(join(entry.parentPath, entry.name))
      return [ino, blocks * BLOCK_BYTES]
    }),
  )
  const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0)
  return Math.round(bytes / 1e7) * 10
}
