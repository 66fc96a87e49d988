/** Several processes behind one name, told apart by the path below which each is reached. */

import { joinGame } from '@hurtbox/colyseus/client'
import { defineModule } from 'hurtbox/module'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningServer, serve } from '../src/serve.ts'
import { dots } from './dots.ts'
import { freePort } from './free-port.ts'
import { startPrefixProxy } from './prefix.ts'
import { hasRedis, type Redis, startRedis } from './redis-process.ts'

const isThere = hasRedis()
let redis: Redis
let running: RunningServer | undefined
beforeAll(async () => {
  if (isThere) redis = await startRedis()
})
afterAll(async () => {
  await running?.close()
  redis?.child.kill('SIGKILL')
})

test.runIf(isThere)(
  '[SV200] a client that asks anywhere is sent to the public address of the process, path included',
  async () => {
    const port = await freePort()
    const proxy = await startPrefixProxy(`http://127.0.0.1:${port}`, '/second/')
    const options = { replays: false, matches: false, udp: 'off', logLevel: 'silent', signals: false } as const
    running = await serve({
      ...options,
      games: [defineModule({ game: dots })],
      port,
      redisUrl: redis.url,
      publicAddress: proxy.url,
      say: () => {},
      limits: { load: 10, loopDelayMs: 60_000 },
    })
    const match = await joinGame(running.url, dots)
    await match.whenPlaying()
    const { transport } = match.room.connection as unknown as { transport: { ws: WebSocket } }
    expect(transport.ws.url.replace('ws:', 'http:')).toMatch(new RegExp(`^${proxy.url}`))
    await match.leave()
    proxy.close()
  },
)
