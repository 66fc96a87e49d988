/** What the two commands of the README cost: the first start on a machine that has nothing, and the tests. */

import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../packages/server/test/free-port.ts'
import { apart, type Figure } from './figure.ts'
import { run } from './run.ts'
import { root } from './saved.ts'

/** What a command costs in a fresh clone with an empty cache of npm. */
type Cost = { readonly fetchedMB: number; readonly diskMB: number; readonly seconds: number }
/** `start`: until `npm start` answers with a page. `test`: until `npm test` has installed what it needs. */
export type SetupResult = { readonly start: Cost; readonly test: Cost }
export type TestsResult = { readonly minutes: number }

/** The unit in which file systems report sizes. */
const BLOCK_BYTES = 512
/** A machine that downloads slowly still gets there; one that hangs does not. */
const START_MS = 600_000

export const setup: Figure<SetupResult> = {
  name: 'setup',
  command: 'npm run measure -- figures --only setup',
  isLong: true,
  async measure(say) {
    const start = await costOf(say, startAndStop)
    const test = await costOf(say, (clone, cache) =>
      run(`PATH="${machinePath()}" npm_config_cache="${cache}" node scripts/setup.mjs --all`, say, clone),
    )
    return { start, test }
  },
  differences: (saved, now) =>
    (['start', 'test'] as const).flatMap((command) => [
      ...apart(`MB fetched by npm ${command}`, saved[command].fetchedMB, now[command].fetchedMB, 1.1),
      ...apart(`MB on disk after npm ${command}`, saved[command].diskMB, now[command].diskMB, 1.1),
      ...apart(`seconds of npm ${command}`, saved[command].seconds, now[command].seconds, 4),
    ]),
}

/** Does something in a fresh clone, with an empty cache of npm, so that what is fetched can be weighed. */
async function costOf(
  say: (progress: string) => void,
  act: (clone: string, cache: string) => Promise<unknown>,
): Promise<Cost> {
  const folder = mkdtempSync(join(tmpdir(), 'hurtbox-setup-'))
  try {
    await run(`git clone --quiet --depth 1 "file://${root}" clone`, say, folder)
    mkdirSync(`${folder}/cache`)
    const started = performance.now()
    await act(`${folder}/clone`, `${folder}/cache`)
    // In fives: more than a network is steady to.
    const seconds = Math.ceil((performance.now() - started) / 5000) * 5
    return { fetchedMB: megabytes(`${folder}/cache`), diskMB: megabytes(`${folder}/clone`), seconds }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }
}

/** Runs `npm start` until its page is there. */
async function startAndStop(clone: string, cache: string): Promise<void> {
  const port = await freePort()
  const server = spawn('npm', ['start', '--', '--port', String(port)], {
    cwd: clone,
    env: { ...process.env, PATH: machinePath(), npm_config_cache: cache },
    stdio: 'ignore',
    // A group of its own, so that what npm started ends with it.
    detached: true,
  })
  try {
    const end = performance.now() + START_MS
    while (performance.now() < end && server.exitCode === null) {
      const page = await fetch(`http://127.0.0.1:${port}/`).then(
        (answer) => answer.text(),
        () => '',
      )
      if (page.includes('<title>Hurtbox')) return
      await sleep(250)
    }
    throw new Error(`npm start showed no page: it ended with ${server.exitCode}`)
  } finally {
    process.kill(-server.pid!, 'SIGTERM')
    await sleep(1000)
  }
}

/** Where programs are found without what npm adds: a fresh machine has its own Node only. */
function machinePath(): string {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.filter((folder) => !/[\\/]node_modules[\\/]|node-gyp-bin/.test(folder)).join(delimiter)
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
