import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { Client } from '@colyseus/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasRedis, startRedis } from './redis-process.ts'
import { ask, reserve, type ServerProcess, startServerProcess, TOKEN, until } from './support.ts'

type MonitorData = {
  readonly processId: string
  readonly rooms: readonly { readonly process: string }[]
  readonly processes: readonly object[]
}

describe.skipIf(!hasRedis())('two processes on one Redis', () => {
  let redis: { url: string; child: ChildProcess }
  let first: ServerProcess
  let second: ServerProcess
  beforeAll(async () => {
    redis = await startRedis()
    ;[first, second] = await Promise.all([
      startServerProcess({ redisUrl: redis.url }),
      startServerProcess({ redisUrl: redis.url }),
    ])
  })
  afterAll(async () => {
    await second?.stop()
    await first?.stop()
    redis?.child.kill()
  })

  test('[SV19] clients that ask either land in the same room, and hear each other', async () => {
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
    // Processes tell each other how many rooms they have once a second; a new one goes where there are fewest.
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
    expect(performance.now() - start, 'nobody waits for the dead').toBeLessThan(1_500)
    expect((await reserve(second, 'create', 'echo')).status).toBe(200)
    const answer = new Promise((resolve) => late.onMessage('x', resolve))
    late.send('x', 7)
    expect(await answer).toBe(7)
    for (const player of players) player.connection.close()
    await late.leave()
  })
})

async function monitorOf(server: ServerProcess): Promise<MonitorData> {
  const { body } = await ask(server, '/monitor/data.json', { headers: { authorization: `Bearer ${TOKEN}` } })
  return JSON.parse(body)
}
