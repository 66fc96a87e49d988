import { once } from 'node:events'
import { Client } from '@colyseus/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasRedis, type Redis, startRedis } from '../test/redis-process.ts'
import { ask, reserve, type ServerProcess, startServerProcess, TOKEN, until } from '../test/support.ts'

/** Rooms are opened however busy the machine is with other tests. */
const limits = { load: 10, loopDelayMs: 60_000 }

type MonitorData = {
  readonly processId: string
  readonly rooms: readonly { readonly process: string }[]
  readonly processes: readonly object[]
}

describe.skipIf(!hasRedis())('two processes on one Redis', () => {
  let redis: Redis
  let first: ServerProcess
  let second: ServerProcess
  beforeAll(async () => {
    redis = await startRedis()
    ;[first, second] = await Promise.all([
      startServerProcess({ redisUrl: redis.url, limits }),
      startServerProcess({ redisUrl: redis.url, limits }),
    ])
  }, 60_000)
  afterAll(async () => {
    await second?.stop()
    await first?.stop()
    redis?.child.kill()
  })

  test('[SV19] clients that ask either land in the same room and exchange messages', async () => {
    const a = await new Client(first.url).joinOrCreate('echo')
    const b = await new Client(second.url).joinOrCreate('echo')
    expect(b.roomId).toBe(a.roomId)
    const answers = await Promise.all(
      [a, b].map((room, i) => {
        const answer = new Promise((resolve) => room.onMessage('who', resolve))
        room.send('who', i)
        return answer
      }),
    )
    expect(answers).toEqual([0, 1])
    await Promise.all([a.leave(), b.leave()])
  })

  test('[SV19] [SV20] kill -9: the janitor leaves no stale room, and the survivor serves on', {
    timeout: 40_000,
  }, async () => {
    const survivor = (await monitorOf(second)).processId
    const players: Awaited<ReturnType<Client['create']>>[] = []
    // Processes publish their number of rooms once a second; a new one goes where there are fewest.
    await until('both have rooms', async () => {
      players.push(await new Client(second.url).create('echo'))
      await new Promise((resolve) => setTimeout(resolve, 600))
      const owners = (await monitorOf(second)).rooms.map(({ process }) => process)
      return owners.includes(survivor) && owners.some((owner) => owner !== survivor)
    })
    expect((await monitorOf(second)).processes).toHaveLength(2)

    first.child.kill('SIGKILL')
    await once(first.child, 'exit')
    const ms = await until('no room of the dead process is listed', async () => {
      const now = await monitorOf(second)
      return now.processes.length === 1 && now.rooms.every(({ process }) => process === survivor)
    })
    console.log(`after kill -9 the rooms of the dead were gone in ${ms.toFixed(0)} ms`)
    expect(ms).toBeLessThan(8_000)

    const start = performance.now()
    const late = await new Client(second.url).joinOrCreate('echo')
    expect(performance.now() - start, 'no request waits for the dead process').toBeLessThan(1_500)
    expect((await reserve(second, 'create', 'echo')).status).toBe(200)
    const answer = new Promise((resolve) => late.onMessage('x', resolve))
    late.send('x', 7)
    expect(await answer).toBe(7)
    for (const player of players) player.connection.close()
    await late.leave()
  })

  test('[SV38] a Redis that is stopped: health and the list of rooms refuse in time, the monitor shows this process, matches go on', {
    timeout: 60_000,
  }, async () => {
    const player = await new Client(second.url).create('echo')
    let answers = 0
    player.onMessage('x', () => answers++)
    const authorization = { authorization: `Bearer ${TOKEN}` }
    // It takes commands and never answers, as a machine does that swaps.
    redis.child.kill('SIGSTOP')
    try {
      // An answer from a moment ago may still be good.
      await until('health refuses', async () => (await ask(second, '/health')).status === 503, 20_000)
      expect(JSON.parse((await ask(second, '/health')).body)).toEqual({ status: 'no answer from Redis' })
      await until('the list refuses', async () => (await ask(second, '/rooms.json')).status === 503, 20_000)
      const monitor = await ask(second, '/monitor/data.json', { headers: authorization })
      expect(monitor.status).toBe(200)
      const { processId, processes, problem } = JSON.parse(monitor.body)
      expect(processes).toMatchObject([{ process: processId }])
      expect(problem).toMatch(/no answer from Redis/)
      player.send('x', 1)
      await until('the match goes on', () => answers === 1)
    } finally {
      redis.child.kill('SIGCONT')
    }
    await until('health is well', async () => (await ask(second, '/health')).status === 200, 20_000)
    await until('rooms are listed', async () => (await ask(second, '/rooms.json')).status === 200, 20_000)
    await player.leave()
  })

  test('[SV21] Redis dies and returns empty: matches go on, no process crashes, rooms are found again', {
    timeout: 40_000,
  }, async () => {
    const player = await new Client(second.url).create('echo')
    redis.child.kill('SIGKILL')
    await once(redis.child, 'exit')
    let answers = 0
    player.onMessage('x', () => answers++)
    for (let i = 0; i < 20; i++) {
      player.send('x', i)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    await until('the match goes on', () => answers === 20)
    const asked = reserve(second, 'joinById', player.roomId)
    redis = await startRedis(redis.port)
    expect([200, 503, 522], 'while it was away').toContain((await asked).status)
    const ms = await until('the room is found again', async () => {
      const { status } = await reserve(second, 'joinById', player.roomId)
      return status === 200
    })
    console.log(`the room was found again ${ms.toFixed(0)} ms after Redis was back`)
    expect(second.child.exitCode).toBeNull()
    await player.leave()
  })
})

async function monitorOf(server: ServerProcess): Promise<MonitorData> {
  const { body } = await ask(server, '/monitor/data.json', { headers: { authorization: `Bearer ${TOKEN}` } })
  return JSON.parse(body)
}
