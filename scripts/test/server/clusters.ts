/** Clusters of real processes for the tests of chaos: what is started is ended, and what must hold of every player. */

import { once } from 'node:events'
import { afterEach, expect, vi } from 'vitest'
import { type Redis, startRedis } from '../../../packages/server/test/redis-process.ts'
import { type Cluster, type ClusterOptions, startCluster, whenAllPlay } from '../../chaos/cluster.ts'
import { ownerOf } from '../../chaos/rounds.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 60_000 })

export const SEED = 11

/** pino's number of a warning. */
const WARN = 40

/** What the test that runs has started. */
export const started: { cluster?: Cluster; redis?: Redis } = {}

afterEach(() => {
  for (const { child } of started.cluster?.processes ?? []) child.kill('SIGKILL')
  started.redis?.child.kill()
})

export async function start(options: Partial<ClusterOptions>): Promise<Cluster> {
  started.cluster = await startCluster({ processes: 1, rooms: 2, clients: 2, ...options })
  return started.cluster
}

export async function startTwo(options: Partial<ClusterOptions> = {}): Promise<Cluster> {
  started.redis = await startRedis()
  return start({ processes: 2, redisUrl: started.redis.url, ...options })
}

/** Nothing that a player was told is lost, no state differs, and mirrors have gone on where they were. */
export async function expectWhole(running: Cluster): Promise<void> {
  const { end, players } = running
  await whenToldMuch(running)
  const jumps = players.filter(({ connection }) => connection.mirror !== undefined).map((player) => player.jumps)
  const { problems, hashes } = await end()
  // With what the servers had to say: a store that did not answer, a match that was taken over with a loss.
  const warnings = running.lines.filter(({ level }) => Number(level) >= WARN).map((line) => JSON.stringify(line))
  expect(problems.length > 0 ? [...problems, ...warnings] : []).toEqual([])
  expect(hashes).toBeGreaterThan(players.length)
  expect(jumps.every((count) => count === 0)).toBe(true)
}

/** Waits until there is enough to compare, or the matches are over: when that is too soon depends on the machine. */
export async function whenToldMuch({ players }: Cluster): Promise<void> {
  const told = () => players.reduce((sum, { seen }) => sum + seen.size, 0)
  const isOver = () => players.every(({ connection }) => connection.status === 'ended')
  await vi.waitUntil(() => told() > 4 * players.length || isOver(), 60_000)
}

export async function whenEnded({ players }: Cluster): Promise<void> {
  await vi.waitUntil(() => players.every(({ connection }) => connection.status === 'ended'), 60_000)
}

export async function stopRedis(running: Cluster): Promise<void> {
  started.redis!.child.kill('SIGKILL')
  await once(started.redis!.child, 'exit')
  await whenLogged(running, 'match is not kept: it would not survive this process')
}

export async function whenLogged({ lines }: Cluster, msg: string): Promise<void> {
  await vi.waitUntil(() => lines.some((line) => line.msg === msg), { timeout: 60_000, interval: 20 })
}

/** kill -9 of the process that runs the match of the first player; returns when everybody plays on. */
export async function killOwner(running: Cluster): Promise<void> {
  const victim = ownerOf(running, 0)
  victim.child.kill('SIGKILL')
  await once(victim.child, 'exit')
  await whenAllPlay(running, performance.now() + 250)
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
