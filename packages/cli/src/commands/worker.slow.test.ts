/** `hurtbox balance --queue` with real worker processes over a real Redis. */

import { describe, expect, test } from 'vitest'
import { DUEL, hurtbox } from '../../test/command.ts'
import { balance, folder, isThere, redis, reportOf, startWorker } from '../../test/workers.ts'

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

  test('[WK4] matches that fail are told as in a run in threads, and are not tried again', async () => {
    const faulty = ['--option', 'fault=throw', '--bots', '2']
    const alone = await balance(6, folder(), ...faulty)
    const worker = await startWorker()
    const shared = await balance(6, folder(), ...faulty, '--queue', redis.url)
    // Each names the file from its own folder.
    const told = (stdout: string) => stdout.replace(/\([^ ]*duel\.ts/, '(duel.ts')
    expect([shared.code, told(shared.stdout)]).toEqual([1, told(alone.stdout)])
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
