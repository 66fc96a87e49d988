/**
 * Many players on one port for long: every hash is right, and nothing piles up.
 *
 * `HURTBOX_LONG=1 npx vitest run packages/colyseus/test/datagrams-long.slow.test.ts` plays with sixteen players for ten minutes and until a million
 * hashes were compared; without it a few players compare some thousands. Real time: it needs a core.
 */

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { startDatagrams } from '@hurtbox/datagrams'
import { defineGame } from 'hurtbox'
import { expect, test, vi } from 'vitest'
import { freeUdpPort, RTCPeerConnection } from '../../datagrams/test/channels.ts'
import { declaration, tag, whimsical } from '../../netcode/test/support.ts'
import { type GameConnection, joinGame, type PeerConnectionClass } from '../src/client/index.ts'
import { drive, joinAll, roomOf, startServer, until } from './server.ts'

const isLong = process.env.HURTBOX_LONG !== undefined
const PLAYERS = isLong ? 16 : 4
const PER_ROOM = 4
const CHECKS = isLong ? 1_000_000 : 2_000
const MINUTES = isLong ? 10 : 0
const TICK_RATE = 125
vi.setConfig({ testTimeout: isLong ? 7_200_000 : 180_000 })

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** What would grow if something piled up in this process: heap, memory outside of it such as that of packets, and handles. */
function sizes() {
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return {
    heapMB: Math.round(heapUsed / 1e6),
    buffersMB: Math.round(arrayBuffers / 1e6),
    handles: process.getActiveResourcesInfo().length,
  }
}

test('[DG14] many players share one port for long: every hash is right, and the process does not grow', async () => {
  const fast = defineGame({ ...declaration, id: 'fast-tag', tickRate: TICK_RATE }, tag.behaviour as never)
  const service = (await startDatagrams({ port: await freeUdpPort() }))!
  const config = { game: fast, bots: [whimsical], fill: PER_ROOM, hashEvery: 1, datagrams: service }
  const server = await startServer({ 'fast-tag': config as never })
  const datagrams = RTCPeerConnection as unknown as PeerConnectionClass
  const all: GameConnection[] = []
  for (let i = 0; i < PLAYERS; i += PER_ROOM) {
    all.push(...(await joinAll(server.url, fast as never, [{ mode: 'mirror', datagrams, create: true }])))
    const { roomId } = all[i].room
    for (let n = 1; n < PER_ROOM; n++)
      all.push(await joinGame(server.url, fast as never, { mode: 'mirror', datagrams, roomId }))
  }
  const players = drive(all, [whimsical])
  try {
    await until('all paths', () => all.every(({ network }) => network.path === 'datagram'))
    const sum = (figure: 'hashChecks' | 'mismatches') =>
      all.reduce((total, { mirror }) => total + (mirror?.stats[figure] ?? 0), 0)
    const startedAt = performance.now()
    const early: ReturnType<typeof sizes>[] = []
    const isDone = () => sum('hashChecks') >= CHECKS && performance.now() - startedAt >= 60_000 * MINUTES
    for (let minute = 0; !isDone(); minute++) {
      const end = performance.now() + 60_000
      await until('a minute', () => isDone() || performance.now() > end, 3_600_000)
      const now = sizes()
      // In the first minutes code is compiled and buffers find their size.
      if (minute <= 2) early.push(now)
      const onDatagrams = all.filter(({ network }) => network.path === 'datagram').length
      console.log(`${sum('hashChecks')} hashes, ${onDatagrams} players on datagrams, ${JSON.stringify(now)}`)
    }
    expect(sum('mismatches')).toBe(0)
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 'playing'))
    expect(new Set(all.map((each) => roomOf(each).roomId)).size).toBe(PLAYERS / PER_ROOM)
    const [first, last] = [early.at(-1)!, sizes()]
    expect(last.heapMB).toBeLessThanOrEqual(1.1 * first.heapMB + 5)
    expect(last.buffersMB).toBeLessThanOrEqual(1.1 * first.buffersMB + 5)
    expect(last.handles).toBeLessThanOrEqual(first.handles + 5)
  } finally {
    await players.stop()
    await server.close()
    service.close()
  }
})
