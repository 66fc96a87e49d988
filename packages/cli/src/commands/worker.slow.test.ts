/** `hurtbox balance --queue` with real worker processes over a real Redis. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Queue } from 'bullmq'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasRedis, type Redis, startRedis } from '../../../server/test/redis-process.ts'
import { COMMAND, DUEL, hurtbox, REPOSITORY } from '../../test/command.ts'
import duel from '../../test/fixtures/duel.ts'
import { queueNameOf } from '../balance/queue.ts'

const isThere = hasRedis()
const scratch = mkdtempSync(join(tmpdir(), 'hurtbox-worker-'))
const started: ChildProcess[] = []
let redis: Redis
beforeAll(async () => {
  if (isThere) redis = await startRedis()
})
afterAll(() => {
  for (const child of [...started, redis?.child]) child?.kill('SIGKILL')
  rmSync(scratch, { recursive: true })
})

let folders = 0
const folder = () => join(scratch, String(folders++))
const balance = (matches: number, out: string, ...args: string[]) =>
  hurtbox(['balance', DUEL, '--matches', String(matches), '--vary', 'speed=0.5..2/3', '--out', out, '--json', ...args])
const reportOf = (out: string) => readFileSync(join(out, 'report.html'), 'utf8')
const linesOf = (out: string) => {
  const file = join(out, 'matches.jsonl')
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 2 : 0
}

type WorkerProcess = { readonly child: ChildProcess; stop(): Promise<{ matches: number; failed: number }> }

/** A worker in a folder of its own, with a copy of the game: all that it shares with the others is Redis. */
async function startWorker(silentSeconds = 20): Promise<WorkerProcess> {
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

const until = async (isSo: () => boolean | Promise<boolean>) => {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20))
}

describe.runIf(isThere)('hurtbox worker', () => {
  test('[WK1] two workers in folders of their own share a run, and its report is that of a run in threads', async () => {
    const [local, shared] = [folder(), folder()]
    const alone = await balance(90, local)
    const workers = await Promise.all([startWorker(), startWorker()])
    const together = await balance(90, shared, '--queue', redis.url)
    const played = await Promise.all(workers.map((worker) => worker.stop()))
    expect(together.code).toBe(0)
    expect(together.stdout).toBe(alone.stdout)
    expect(reportOf(shared)).toBe(reportOf(local))
    expect(played.map(({ matches }) => matches > 0)).toEqual([true, true])
    expect(played.reduce((sum, { matches }) => sum + matches, 0)).toBe(90)
  })

  test('[WK2] matches of a killed worker are played by another one, and the report is the same', async () => {
    const [local, shared] = [folder(), folder()]
    const alone = await balance(300, local)
    const killed = await startWorker(1)
    const running = balance(300, shared, '--queue', redis.url)
    const queue = new Queue(queueNameOf(duel.game), { connection: { url: redis.url } })
    await until(() => linesOf(shared) >= 10)
    // Stopped in the middle of a match, then killed: nothing tells Redis about it.
    await until(async () => {
      killed.child.kill('SIGSTOP')
      if ((await queue.getActiveCount()) > 0) return true
      killed.child.kill('SIGCONT')
      return false
    })
    killed.child.kill('SIGKILL')
    expect(linesOf(shared)).toBeLessThan(300)
    const other = await startWorker(1)
    const outcome = await running
    expect([outcome.code, outcome.stdout]).toEqual([0, alone.stdout])
    expect(reportOf(shared)).toBe(reportOf(local))
    expect((await other.stop()).matches).toBeGreaterThan(0)
    // Nothing of the run is left behind.
    const counts = await queue.getJobCounts('wait', 'active', 'completed', 'failed', 'delayed')
    expect(Object.values(counts).every((count) => count === 0)).toBe(true)
    await queue.close()
  })

  test('[WK3] a run that was stopped goes on with the results that came in meanwhile', async () => {
    const [local, shared] = [folder(), folder()]
    const alone = await balance(60, local)
    const queue = new Queue(queueNameOf(duel.game), { connection: { url: redis.url } })
    const args = ['balance', DUEL, '--matches', '60', '--vary', 'speed=0.5..2/3', '--out', shared, '--queue', redis.url]
    const first = spawn(process.execPath, [COMMAND, ...args, '--json'], { cwd: REPOSITORY, stdio: 'ignore' })
    started.push(first)
    await until(async () => (await queue.getWaitingCount()) === 60)
    first.kill('SIGKILL')
    await once(first, 'exit')
    // Without the one that asked for them, the matches are played all the same.
    const worker = await startWorker()
    await until(async () => (await queue.getCompletedCount()) === 60)
    const { matches } = await worker.stop()
    expect(matches).toBe(60)
    // Now there is no worker. What is in Redis is enough.
    const resumed = await balance(60, shared, '--queue', redis.url)
    expect([resumed.code, resumed.stdout]).toEqual([0, alone.stdout])
    expect(reportOf(shared)).toBe(reportOf(local))
    await queue.close()
  })

  test('[WK4] matches that fail are told as in a run in threads, and are not tried again', async () => {
    const faulty = ['--option', 'fault=throw', '--bots', '2']
    const alone = await balance(6, folder(), ...faulty)
    const worker = await startWorker()
    const shared = await balance(6, folder(), ...faulty, '--queue', redis.url)
    expect([shared.code, shared.stdout]).toEqual([1, alone.stdout])
    expect(shared.stdout).toContain('the blade broke')
    expect(await worker.stop()).toEqual({ matches: 6, failed: 6 })
  })
})

test('[WK5] an address that is none, and a Redis that is not there, are told', async () => {
  const bad = await hurtbox(['balance', DUEL, '--out', folder(), '--queue', 'localhost'])
  expect([bad.code, bad.stderr]).toEqual([2, expect.stringMatching(/redis:\/\//)])
  const url = 'redis://secret:password@127.0.0.1:1'
  for (const command of [['balance', '--out', folder()], ['worker']]) {
    const away = await hurtbox([command[0], DUEL, ...command.slice(1), '--queue', url])
    expect([away.code, away.stderr]).toEqual([2, expect.stringMatching(/no Redis at 127.0.0.1:1/)])
    expect(away.stderr).not.toContain('password')
  }
})
