/**
 * Real processes, real clients: killed, stopped, restarted. A small version of `npm run measure -- chaos`.
 *
 * No times are asserted: how long it takes depends on the machine. What must hold is that every player is back in its seat, and
 * that everything a player was ever told is in the final replay.
 */

import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@colyseus/sdk'
import { connect } from '@hurtbox/colyseus/client'
import { helloOf } from '@hurtbox/netcode'
import { replayOfLog } from 'hurtbox/replay'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { tag } from '../../../packages/netcode/test/support.ts'
import { hasRedis, type Redis, RedisClient, startRedis } from '../../../packages/server/test/redis-process.ts'
import { type Cluster, type ClusterOptions, startCluster, whenAllPlay } from '../../chaos/cluster.ts'
import { kills, ownerOf, restarts, stops } from '../../chaos/rounds.ts'

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
async function expectWhole(running: Cluster): Promise<void> {
  const { end, players } = running
  await whenToldMuch(running)
  const jumps = players.filter(({ connection }) => connection.mirror !== undefined).map((player) => player.jumps)
  const { problems, hashes } = await end()
  expect(problems).toEqual([])
  expect(hashes).toBeGreaterThan(players.length)
  expect(jumps.every((count) => count === 0)).toBe(true)
}

/** Waits until there is enough to compare, or the matches are over: when that is too soon depends on the machine. */
async function whenToldMuch({ players }: Cluster): Promise<void> {
  const told = () => players.reduce((sum, { seen }) => sum + seen.size, 0)
  const isOver = () => players.every(({ connection }) => connection.status === 'ended')
  await vi.waitUntil(() => told() > 4 * players.length || isOver(), 60_000)
}

async function whenEnded({ players }: Cluster): Promise<void> {
  await vi.waitUntil(() => players.every(({ connection }) => connection.status === 'ended'), 60_000)
}

async function stopRedis(running: Cluster): Promise<void> {
  redis!.child.kill('SIGKILL')
  await once(redis!.child, 'exit')
  await whenLogged(running, 'match is not kept: it would not survive this process')
}

async function whenLogged({ lines }: Cluster, msg: string): Promise<void> {
  await vi.waitUntil(() => lines.some((line) => line.msg === msg), { timeout: 60_000, interval: 20 })
}

/** kill -9 of the process that runs the match of the first player; returns when everybody plays on. */
async function killOwner(running: Cluster): Promise<void> {
  const victim = ownerOf(running, 0)
  victim.child.kill('SIGKILL')
  await once(victim.child, 'exit')
  await whenAllPlay(running, performance.now() + 250)
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

describe.skipIf(!hasRedis())('two processes on one Redis', () => {
  test('[ML15] [FB1] kill -9, twice: every player is back in its seat, and no confirmed tick is lost', async () => {
    const running = await startTwo()
    const ms = await kills(running, 2, SEED, console.log)
    expect(ms.length, 'players were hit').toBeGreaterThan(0)
    await expectWhole(running)
  })

  test('[ML16] [FB2] a process that was stopped and thought dead wakes up, and confirms nothing more', async () => {
    const running = await startTwo({ rooms: 1 })
    const [{ roomId }] = running.players
    // One that stays with the process that it knows, and hears everything that it says.
    const room = await new Client(ownerOf(running, 0).url).joinById(roomId, { hello: helloOf(tag) })
    const loyal = connect(tag, room)
    const timer = setInterval(() => loyal.update(performance.now(), () => ({})), 16)
    await loyal.whenPlaying()
    await vi.waitUntil(() => loyal.mirror!.confirmed.tick > 20, 60_000)
    let heard = 0
    await stops(running, 1, SEED, {
      ms: 6_000,
      beforeWaking: () => {
        heard = loyal.mirror!.confirmed.tick
      },
    })
    await vi.waitUntil(() => loyal.status !== 'playing', 60_000)
    clearInterval(timer)
    expect(heard).toBeGreaterThan(20)
    expect(loyal.mirror!.confirmed.tick).toBe(heard)
    await expectWhole(running)
  })

  test('[ML17] [FB3] a rolling restart ends no match, whatever it was doing', async () => {
    const running = await startTwo()
    await restarts(running, 2)
    await expectWhole(running)
  })

  test('[ML14] Redis comes back empty: matches go on, are kept again, and survive the next kill', async () => {
    const running = await startTwo({ rooms: 1 })
    await whenAllPlay(running, performance.now())
    await stopRedis(running)
    await whenAllPlay(running, performance.now())
    redis = await startRedis(redis!.port)
    await whenLogged(running, 'match is kept again')
    await killOwner(running)
    // Its beginning was lost with Redis. The process that had all of it is dead.
    expect(running.lines).toContainEqual(expect.objectContaining({ problem: 'the beginning of the replay is lost' }))
    const { problems } = await running.end()
    expect(problems).toEqual([`room ${running.players[0].roomId} has no replay`])
  })

  test.each(['go-on', 'freeze'] as const)(
    '[ML5] [ML14] Redis is restarted in the middle of a match (%s), and nothing is lost',
    async (whenAway) => {
      const files = mkdtempSync(join(tmpdir(), 'hurtbox-redis-'))
      const kept = ['--appendonly', 'yes', '--appendfsync', 'always', '--dir', files]
      redis = await startRedis(undefined, kept)
      const running = await start({ processes: 2, redisUrl: redis.url, rooms: 1, whenAway })
      await whenAllPlay(running, performance.now())
      await stopRedis(running)
      if (whenAway === 'go-on') await whenAllPlay(running, performance.now())
      else {
        // What was on its way when the match stopped.
        await sleep(300)
        const before = running.players.map(({ lastTick }) => lastTick)
        await sleep(1_200)
        expect(running.players.map(({ lastTick }) => lastTick)).toEqual(before)
      }
      redis = await startRedis(redis.port, kept)
      await whenLogged(running, 'match is kept again')
      await killOwner(running)
      await expectWhole(running)
      rmSync(files, { recursive: true, force: true })
    },
  )

  test('[ML22] ticks are missing after a failover: the last good one is named, and the match goes on from there', async () => {
    const running = await startTwo({ rooms: 1 })
    const [{ roomId }] = running.players
    const [only, other] = running.processes
    const client = new RedisClient(redis!.url)
    const key = `hurtbox:m:${roomId}`
    /** The last checkpoint and the ticks after it: id and bytes of each. */
    const readLog = async () => {
      const all = (await client.xrangeBuffer(key, '-', '+')).map(([id, [name, bytes, more]]) => ({
        id,
        name,
        bytes,
        more,
      }))
      const entries = all.filter(({ name }) => String(name) === 'b')
      return entries.slice(entries.findLastIndex(({ more }) => more !== undefined))
    }
    // Not right after a checkpoint.
    await vi.waitUntil(async () => (await readLog()).length > 40, { timeout: 60_000, interval: 20 })
    for (const { child } of running.processes) child.kill('SIGKILL')
    await Promise.all(running.processes.map(({ child }) => once(child, 'exit')))
    const entries = await readLog()
    const lost = entries.length - 10
    await client.xdel(key, String(entries[lost].id))
    const missing = replayOfLog([new Uint8Array(entries[0].bytes)])!.ticks + lost - 1
    client.disconnect()
    await running.restart(only)
    await running.restart(other)
    await whenAllPlay(running, performance.now())
    expect(running.lines).toContainEqual(
      expect.objectContaining({
        msg: 'match taken over with a loss',
        room: roomId,
        problem: `tick ${missing} is missing or damaged`,
      }),
    )
    expect(running.players.map(({ connection }) => connection.seat)).toEqual(running.players.map(({ seat }) => seat))
    await running.end()
  })

  test('[ML23] SIGTERM while the others have other rules: the match ends with its replay whole', async () => {
    const running = await startTwo({ rooms: 1, drainSeconds: 1 })
    const owner = ownerOf(running, 0)
    const other = running.processes.find((each) => each !== owner)!
    other.child.kill('SIGTERM')
    await running.restart(other, 2)
    await whenAllPlay(running, performance.now())
    await whenToldMuch(running)
    owner.child.kill('SIGTERM')
    await once(owner.child, 'exit')
    await whenEnded(running)
    expect(running.lines.map(({ msg }) => msg)).not.toContain('match taken over')
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
    await whenEnded(running)
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

test('[ML23] with a folder: a build of other rules ends the match, and its replay is whole', async () => {
  const running = await start({ rooms: 1 })
  const [only] = running.processes
  await whenAllPlay(running, performance.now())
  await whenToldMuch(running)
  only.child.kill('SIGTERM')
  await running.restart(only, 2)
  await whenLogged(running, 'match of another build ended')
  await whenEnded(running)
  await expectWhole(running)
})
