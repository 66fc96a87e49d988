/**
 * Real processes, real clients: killed, stopped, restarted. A small version of `npm run measure -- chaos`; the rest of it.
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
import { describe, expect, test, vi } from 'vitest'
import { tag } from '../../../packages/netcode/test/support.ts'
import { hasRedis, RedisClient, startRedis } from '../../../packages/server/test/redis-process.ts'
import { whenAllPlay } from '../../chaos/cluster.ts'
import { ownerOf, restarts, stops } from '../../chaos/rounds.ts'
import {
  expectWhole,
  killOwner,
  SEED,
  sleep,
  start,
  started,
  startTwo,
  stopRedis,
  whenEnded,
  whenLogged,
  whenToldMuch,
} from './clusters.ts'

describe.skipIf(!hasRedis())('two processes on one Redis', () => {
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
    started.redis = await startRedis(started.redis!.port)
    await whenLogged(running, 'match is kept again')
    await killOwner(running)
    // Its beginning was lost with Redis. The process that had all of it is dead.
    expect(running.lines).toContainEqual(expect.objectContaining({ problem: 'the beginning of the replay is lost' }))
    const { problems } = await running.end()
    expect(problems).toEqual([`room ${running.players[0].roomId} has no replay`])
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

  test.each(['go-on', 'freeze'] as const)(
    '[ML5] [ML14] Redis is restarted in the middle of a match (%s), and nothing is lost',
    async (whenStoreFails) => {
      const files = mkdtempSync(join(tmpdir(), 'hurtbox-redis-'))
      const kept = ['--appendonly', 'yes', '--appendfsync', 'always', '--dir', files]
      started.redis = await startRedis(undefined, kept)
      const running = await start({ processes: 2, redisUrl: started.redis.url, rooms: 1, whenStoreFails })
      await whenAllPlay(running, performance.now())
      await stopRedis(running)
      if (whenStoreFails === 'go-on') await whenAllPlay(running, performance.now())
      else {
        // What was on its way when the match stopped.
        await sleep(300)
        const before = running.players.map(({ lastTick }) => lastTick)
        await sleep(1_200)
        expect(running.players.map(({ lastTick }) => lastTick)).toEqual(before)
      }
      started.redis = await startRedis(started.redis.port, kept)
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
    const client = new RedisClient(started.redis!.url)
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
    started.redis!.child.kill('SIGKILL')
    await once(started.redis!.child, 'exit')
    const exits = running.processes.map(({ child }) => once(child, 'exit'))
    for (const { child } of running.processes) child.kill('SIGTERM')
    expect((await Promise.all(exits)).map(([code]) => code)).toEqual([0, 0])
    await whenEnded(running)
    await expectWhole(running)
  })
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
