/** Workers that die and runs that are stopped: `hurtbox balance --queue` goes on. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Queue } from 'bullmq'
import { describe, expect, test } from 'vitest'
import { COMMAND, DUEL, REPOSITORY } from '../../test/command.ts'
import duel from '../../test/fixtures/duel.ts'
import { balance, folder, isThere, linesOf, redis, reportOf, started, startWorker, until } from '../../test/workers.ts'
import { queueNameOf } from '../balance/queue.ts'

describe.runIf(isThere)('hurtbox worker', () => {
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
})
