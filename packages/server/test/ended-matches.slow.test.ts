/** Matches that end while the connection to Redis breaks: what has ended is over. */

import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { matchMaker } from '@colyseus/core'
import { joinGame } from '@hurtbox/colyseus/client'
import { defineModule } from 'hurtbox/module'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type RunningServer, serve } from '../src/serve.ts'
import { dots } from './dots.ts'
import { hasRedis, type Redis, RedisClient, startRedis } from './redis-process.ts'
import { until } from './support.ts'

vi.setConfig({ testTimeout: 60_000 })

const LATE_MS = 60

describe.skipIf(!hasRedis())('matches that have ended', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hurtbox-ended-'))
  let redis: Redis
  let client: RedisClient
  let server: RunningServer
  /** Keys of results. */
  let results: string[]
  const sockets = new Set<Socket>()
  const line = createServer((one) => {
    const other = connect(redis.port, '127.0.0.1')
    for (const [from, into] of [
      [one, other],
      [other, one],
    ]) {
      sockets.add(from)
      from.on('data', (bytes) => setTimeout(() => into.write(bytes), LATE_MS))
      from.on('close', () => setTimeout(() => into.destroy(), LATE_MS))
      from.on('error', () => into.destroy())
    }
  })

  beforeEach(async () => {
    redis = await startRedis()
    client = new RedisClient(redis.url)
    results = []
    line.listen(0, '127.0.0.1')
    await once(line, 'listening')
    server = await serve({
      games: [defineModule({ game: dots })],
      port: 0,
      redisUrl: `redis://127.0.0.1:${(line.address() as AddressInfo).port}`,
      replays: false,
      udp: 'off',
      signals: false,
      logLevel: 'silent',
      say: () => {},
      dataDir: folder,
      results: { take: ({ key }) => void results.push(key) },
      limits: { load: 10, loopDelayMs: 60_000 },
    })
  })
  afterEach(async () => {
    await server.close()
    line.close()
    client.disconnect()
    redis.child.kill('SIGKILL')
  })

  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** Plays a moment alone, and leaves. */
  async function playAndLeave(): Promise<void> {
    const player = await joinGame(server.url, dots, { create: true })
    const timer = setInterval(() => player.update(performance.now(), () => ({ moveX: 1 })), 16)
    await player.whenPlaying()
    await sleep(200)
    await player.leave()
    clearInterval(timer)
  }

  const kept = () => client.hlen('hurtbox:matches')
  const rooms = () => matchMaker.stats.local.roomCount

  test('[ML46] are removed when Redis is back, and gone on with by nobody, if the connection to it broke meanwhile', async () => {
    await playAndLeave()
    // By then the removal is under way, and takes two answers.
    await until('its result is told', () => results.length === 1)
    expect(await kept()).toBe(1)
    for (const socket of sockets) socket.destroy()
    await until('it is removed', async () => (await kept()) === 0)
    await sleep(10 * LATE_MS)
    expect([results.length, rooms(), await kept()]).toEqual([1, 0, 0])
  })
})
