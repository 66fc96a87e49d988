/** Real worker processes over a real Redis, for the tests of `hurtbox worker`: each file of tests has its own. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect } from 'vitest'
import { hasRedis, type Redis, startRedis } from '../../server/test/redis-process.ts'
import { COMMAND, DUEL, hurtbox, REPOSITORY } from './command.ts'

export const isThere = hasRedis()
const scratch = mkdtempSync(join(tmpdir(), 'hurtbox-worker-'))
export const started: ChildProcess[] = []
export let redis: Redis
beforeAll(async () => {
  if (isThere) redis = await startRedis()
})
afterAll(() => {
  for (const child of [...started, redis?.child]) child?.kill('SIGKILL')
  rmSync(scratch, { recursive: true })
})

let folders = 0
export const folder = () => join(scratch, String(folders++))
export const balance = (matches: number, out: string, ...args: string[]) =>
  hurtbox(['balance', DUEL, '--matches', String(matches), '--vary', 'speed=0.5..2/3', '--out', out, '--json', ...args])
export const reportOf = (out: string) => readFileSync(join(out, 'report.html'), 'utf8')
export const linesOf = (out: string) => {
  const file = join(out, 'matches.jsonl')
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 2 : 0
}

export type WorkerProcess = { readonly child: ChildProcess; stop(): Promise<{ matches: number; failed: number }> }

/** A worker in a folder of its own, with a copy of the game: all that it shares with the others is Redis. */
export async function startWorker(silentSeconds = 20): Promise<WorkerProcess> {
  const own = folder()
  mkdirSync(own)
  copyFileSync(join(REPOSITORY, DUEL), join(own, 'duel.ts'))
  symlinkSync(join(REPOSITORY, 'node_modules'), join(own, 'node_modules'))
  const settings = ['--queue', redis.url, '--threads', '1', '--silent-seconds', String(silentSeconds), '--json']
  const child = spawn(process.execPath, [COMMAND, 'worker', './duel.ts', ...settings], {
    cwd: own,
    env: { PATH: process.env.PATH, HOME: process.env.HOME },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  started.push(child)
  const lines = createInterface(child.stdout!)[Symbol.asyncIterator]()
  const next = async () => JSON.parse((await lines.next()).value ?? '{}')
  expect(await next()).toEqual({ line: 'worker', games: ['duel'], threads: 1 })
  return {
    child,
    async stop() {
      child.kill('SIGTERM')
      const { matches, failed } = await next()
      await once(child, 'exit')
      return { matches, failed }
    },
  }
}

export const until = async (isSo: () => boolean | Promise<boolean>) => {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20))
}
