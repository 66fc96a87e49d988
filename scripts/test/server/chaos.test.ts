/**
 * Real processes, real clients: killed, stopped, restarted. A small version of `npm run chaos`.
 *
 * No times are asserted: how long it takes depends on the machine. What must hold is that every player is back in its seat, and
 * that everything a player was ever told is in the final replay.
 */

import { once } from 'node:events'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { hasRedis, type Redis, startRedis } from '../../../packages/server/test/redis-process.ts'
import { type Cluster, type ClusterOptions, startCluster, whenAllPlay } from '../../chaos/cluster.ts'
import { kills, restarts, stops } from '../../chaos/rounds.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 60_000 })

const SEED = 11
let cluster: Cluster | undefined
let redis: Redis | undefined
afterEach(() => {
  for (const { child } of cluster?.processes ?? []) child.kill('SIGKILL')
  redis?.child.kill()
})

async function start(options: Partial<ClusterOptions>): Promise<Cluster> {
  cluster = await startCluster({ processes: 1, rooms: 2, clients: 2, ...options })
  return cluster
}

async function startTwo(options: Partial<ClusterOptions> = {}): Promise<Cluster> {
  redis = await startRedis()
  return start({ processes: 2, redisUrl: redis.url, ...options })
}

/** Nothing that a player was told is lost, no state differs, and mirrors have gone on where they were. */
async function expectWhole({ end, players }: Cluster): Promise<void> {
  // A fast machine is here before players were told much.
  const told = () => players.reduce((sum, { seen }) => sum + seen.size, 0)
  const isOver = () => players.every(({ connection }) => connection.status === 'ended')
  await vi.waitUntil(() => told() > 4 * players.length || isOver(), 60_000)
  const jumps = players.filter(({ connection }) => connection.mirror !== undefined).map((player) => player.jumps)
  const { problems, hashes } = await end()
  expect(problems).toEqual([])
  expect(hashes).toBeGreaterThan(players.length)
  expect(jumps.every((count) => count === 0)).toBe(true)
}

describe.skipIf(!hasRedis())('two processes on one Redis', () => {
  test('[ML15] [FB1] kill -9, five times: every player is back in its seat, and no confirmed tick is lost', async () => {
    const running = await startTwo()
    const ms = await kills(running, 5, SEED, console.log)
    expect(ms.length, 'players were hit').toBeGreaterThan(0)
    await expectWhole(running)
  })

  test('[ML16] [FB2] a process that was stopped and thought dead wakes up, and confirms nothing more', async () => {
    const running = await startTwo()
    await stops(running, 1, SEED, 6_000)
    await expectWhole(running)
  })

  test('[ML17] [FB3] a rolling restart ends no match, whatever it was doing', async () => {
    const running = await startTwo()
    await restarts(running, 2)
    await expectWhole(running)
  })

  test('[ML14] Redis is restarted in the middle: matches go on, and are kept again afterwards', async () => {
    const running = await startTwo({ rooms: 1 })
    await whenAllPlay(running, performance.now())
    redis!.child.kill('SIGKILL')
    await once(redis!.child, 'exit')
    await whenAllPlay(running, performance.now())
    redis = await startRedis(redis!.port)
    // Long enough for the next checkpoint.
    await new Promise((resolve) => setTimeout(resolve, 8_000))
    await whenAllPlay(running, performance.now())
    await expectWhole(running)
  })

  test('[ML18] SIGTERM while Redis is dead: matches end properly, with their replays, and the process ends with 0', async () => {
    const running = await startTwo({ rooms: 1, drainSeconds: 1 })
    await vi.waitUntil(() => running.players.some(({ seen }) => seen.size > 10), 60_000)
    redis!.child.kill('SIGKILL')
    await once(redis!.child, 'exit')
    const exits = running.processes.map(({ child }) => once(child, 'exit'))
    for (const { child } of running.processes) child.kill('SIGTERM')
    expect((await Promise.all(exits)).map(([code]) => code)).toEqual([0, 0])
    await vi.waitUntil(() => running.players.every(({ connection }) => connection.status === 'ended'), 60_000)
    await expectWhole(running)
  })
})

test('[ML19] [FB1] the only process is killed and started again on the same folder: same rooms, same seats, nothing lost', async () => {
  const running = await start({})
  const [only] = running.processes
  await whenAllPlay(running, performance.now())
  only.child.kill('SIGKILL')
  await running.restart(only)
  await whenAllPlay(running, performance.now())
  await expectWhole(running)
})

test('[ML19] [FB3] SIGTERM with a folder: the process that is started next goes on', async () => {
  const running = await start({})
  const [only] = running.processes
  await whenAllPlay(running, performance.now())
  only.child.kill('SIGTERM')
  await running.restart(only)
  await whenAllPlay(running, performance.now())
  await expectWhole(running)
})
