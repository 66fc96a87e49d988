/** The players of one room in the count of hashes: `node hash-clients.ts <url> <udp port> <room>`. Says on each message what has come of them so far. */

import { type GameConnection, joinGame, type PeerConnectionClass } from '../../packages/colyseus/src/client/index.ts'
import { drive, until } from '../../packages/colyseus/test/server.ts'
import { RTCPeerConnection } from '../../packages/datagrams/test/channels.ts'
import { startProxy } from '../../packages/datagrams/test/ports.ts'
import { whimsical } from '../../packages/netcode/test/support.ts'
import { fast, type HashReading, PER_ROOM, ROOMS } from './hashes.ts'

const RECONNECT_MS = 10_000
const MOVE_MS = 60_000
const SETTLE_MS = 60_000

const url = process.argv[2]
const [port, room] = process.argv.slice(3).map(Number)
const proxies: Awaited<ReturnType<typeof startProxy>>[] = []
const all: GameConnection[] = []
for (let i = 0; i < PER_ROOM; i++) {
  const proxy = await startProxy(
    port,
    (packet, pass) => pass(packet),
    (packet, pass) => pass(packet),
  )
  proxies.push(proxy)
  const where = i === 0 ? { create: true } : { roomId: all[0].room.roomId }
  const datagrams = through(proxy) as unknown as PeerConnectionClass
  all.push(await joinGame(url, fast, { mode: 'mirror', datagrams, ...where }))
}
drive(all, [whimsical])
const isOnDatagrams = ({ network }: GameConnection) => network.path === 'datagram'
await until('all paths', () => all.every(isOnDatagrams), SETTLE_MS)

const done = { hashes: 0, byDatagrams: 0, mismatches: 0, desyncs: 0, reconnects: 0, moves: 0 }
// A connection that comes back may begin with another mirror.
const last = all.map(({ mirror }) => ({ mirror, hashes: 0, mismatches: 0 }))
function count(): void {
  done.desyncs = all.reduce((sum, { desyncs }) => sum + desyncs.length, 0)
  for (const [i, { mirror }] of all.entries()) {
    if (mirror === undefined) continue
    if (last[i].mirror !== mirror) last[i] = { mirror, hashes: 0, mismatches: 0 }
    const hashes = mirror.stats.hashChecks - last[i].hashes
    done.hashes += hashes
    if (isOnDatagrams(all[i])) done.byDatagrams += hashes
    done.mismatches += mirror.stats.mismatches - last[i].mismatches
    last[i].hashes = mirror.stats.hashChecks
    last[i].mismatches = mirror.stats.mismatches
  }
}

/** Not all at once: each has its own moment. */
const first = (everyMs: number, i: number) =>
  performance.now() + everyMs * (1 + (room * PER_ROOM + i) / (ROOMS * PER_ROOM))
const [reconnectAt, moveAt] = [RECONNECT_MS, MOVE_MS].map((everyMs) => all.map((_, i) => first(everyMs, i)))
const timer = setInterval(() => {
  count()
  const now = performance.now()
  for (const i of all.keys()) {
    if (now >= reconnectAt[i] && all[i].status === 'playing') {
      reconnectAt[i] = now + RECONNECT_MS
      done.reconnects++
      ;(all[i].room.connection.transport as unknown as { ws: { close(): void } }).ws.close()
    }
    if (now >= moveAt[i]) {
      moveAt[i] = now + MOVE_MS
      done.moves++
      void proxies[i].move()
    }
  }
}, 20)
process.on('disconnect', () => process.exit())
process.on('message', async (asked: 'read' | 'end') => {
  if (asked === 'end') {
    clearInterval(timer)
    await until('all back', () => all.every(isOnDatagrams), SETTLE_MS).catch(() => {})
  }
  count()
  process.send!({ ...done, onDatagrams: all.filter(isOnDatagrams).length } satisfies HashReading)
})
process.send!('playing')

/** Finds the port where its proxy is. */
function through(proxy: { readonly number: number }) {
  return class extends RTCPeerConnection {
    override setRemoteDescription(description: { type: 'answer'; sdp: string }) {
      const sdp = description.sdp.replaceAll(` ${port} typ`, ` ${proxy.number} typ`)
      return super.setRemoteDescription({ ...description, sdp })
    }
  }
}
