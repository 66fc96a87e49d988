/** `hurtbox serve --processes`: one entry address, rooms in all processes, over a real Redis. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type GameConnection, joinGame } from '@hurtbox/colyseus/client'
import { helloOf } from '@hurtbox/netcode'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { jetRaiders } from '../../games/jet-raiders/rules/index.ts'
import { argsOf, processCount, requirePorts } from '../../packages/cli/src/processes.ts'
import { COMMAND, hurtbox, REPOSITORY } from '../../packages/cli/test/command.ts'
import { hasRedis, type Redis, startRedis } from '../../packages/server/test/redis-process.ts'

const isThere = hasRedis()
const replays = mkdtempSync(join(tmpdir(), 'hurtbox-processes-'))
let redis: Redis
let server: ChildProcess | undefined
beforeAll(async () => {
  if (isThere) redis = await startRedis()
})
afterAll(() => {
  server?.kill('SIGKILL')
  redis?.child.kill('SIGKILL')
  rmSync(replays, { recursive: true, force: true })
})

test('[SV63] without Redis it says what it needs', async () => {
  const { code, stderr } = await hurtbox(['serve', '--processes', '2', '--no-studio', '--port', '0'])
  expect([code, stderr]).toEqual([2, expect.stringMatching(/--processes needs a Redis .* REDIS_URL/)])
})

test('[SV206] several processes need the port of the first one’s addresses, which the others count on from', async () => {
  for (const address of ['2001:db8::7', 'play.example.org', '[2001:db8::7]/game']) {
    const needs = `--processes needs the port in ${address}:`
    expect(() => requirePorts({ publicAddress: address })).toThrow(needs)
    expect(() => requirePorts({ udpAddresses: [address] })).toThrow(needs)
  }
  const env = { REDIS_URL: 'redis://127.0.0.1:1', PUBLIC_ADDRESS: 'https://example.org/game/' }
  const { code, stderr } = await hurtbox(['serve', '--processes', '2', '--no-studio', '--port', '0'], { env })
  expect([code, stderr]).toEqual([2, expect.stringContaining('needs the port in https://example.org/game/:')])
})

test('[SV63] auto is a process per core; the others get the next ports and let the page of the first in', () => {
  expect(processCount('auto')).toBeGreaterThanOrEqual(1)
  for (const text of ['0', '65', 'many', '1.5', '']) expect(() => processCount(text), text).toThrow(/auto/)
  const say = () => {}
  const fleet = { processes: 3, token: 'x', args: ['--no-studio'], url: 'http://0.0.0.0:2567', say }
  const args = argsOf({ ...fleet, publicAddress: 'play.example.org:443' }, 2, 1).join(' ')
  expect(args).toContain('--host 0.0.0.0 --port 2569 --public-address play.example.org:445')
  expect(argsOf(fleet, 1, 1).join(' ')).toContain('--port 2571')
  const udpAddresses = ['[2001:db8::7]:45181', 'play.example.org:45181']
  const mapped = { publicAddress: 'https://[2001:db8::7]:2567/game/', udpAddresses, udpPort: 3000 }
  expect(argsOf({ ...fleet, ...mapped }, 1, 0).join(' ')).toContain(
    '--udp-port 3001 --udp-address [2001:db8::7]:45182 --udp-address play.example.org:45182 --public-address https://[2001:db8::7]:2568/game/',
  )
  expect(argsOf(fleet, 1, 0).join(' ')).toContain('--port 2568 --origin http://0.0.0.0:2567')
})

describe.runIf(isThere)('with Redis', () => {
  test('[SV63] rooms are opened in both processes, and a client that asks the first plays in the other', async () => {
    const args = ['serve', '--processes', '2', '--port', '0', '--no-studio', '--load-test', '--log-level', 'silent']
    args.push('--replays', replays)
    server = spawn(process.execPath, [COMMAND, ...args], {
      cwd: REPOSITORY,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, REDIS_URL: redis.url },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    server.stderr!.on('data', (text) => (said += text))
    const urls = () => [...said.matchAll(/Hurtbox is at (\S+)/g)].map(([, url]) => url)
    while (urls().length < 2) await new Promise((resolve) => setTimeout(resolve, 50))
    const [entry, second] = urls()
    expect(said).toContain('2 processes')
    // Rooms go where there is least to do; each of them makes its process a little busier.
    const connections: GameConnection[] = []
    const processes = new Set<string>()
    while (processes.size < 2 && connections.length < 20) {
      const connection = await joinGame(entry, jetRaiders, { create: true, mode: 'terminal' })
      await connection.whenPlaying()
      connections.push(connection)
      const { roomId } = connection.room
      const answer = await fetch(`${entry}/matchmake/joinById/${roomId}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ hello: helloOf(jetRaiders), spectate: true }),
      })
      processes.add(((await answer.json()) as { processId: string }).processId)
    }
    expect(processes.size).toBe(2)
    for (const connection of connections) expect(connection.status).toBe('playing')
    await Promise.all(connections.map((connection) => connection.leave()))
    // They end together.
    server.kill('SIGTERM')
    await once(server, 'exit')
    for (;;) {
      const isUp = await fetch(`${second}/health`).then(
        () => true,
        () => false,
      )
      if (!isUp) break
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }, 240_000)
})
