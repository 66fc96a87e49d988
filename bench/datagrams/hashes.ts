/**
 * Hashes over real datagrams while connections come and go: `npm run measure -- datagrams --hashes 1000000`.
 *
 * Mirrors of a fast game in rooms of four, each behind a proxy of its own on loopback. Every ten seconds each loses its socket, and every minute its address
 * changes, as behind a NAT that has forgotten; not all at once. Wanted: so many hashes of players on datagrams, no mismatch, and all on datagrams again at the end. On a
 * machine that is busy, players are by their sockets for longer: those hashes are counted, too, and not asked for.
 */

import { startDatagrams } from '@hurtbox/datagrams'
import { defineGame } from 'hurtbox'
import { type GameConnection, joinGame, type PeerConnectionClass } from '../../packages/colyseus/src/client/index.ts'
import { drive, startServer, until } from '../../packages/colyseus/test/server.ts'
import { freeUdpPort, RTCPeerConnection } from '../../packages/datagrams/test/channels.ts'
import { startProxy } from '../../packages/datagrams/test/ports.ts'
import { declaration, tag, whimsical } from '../../packages/netcode/test/support.ts'

const PLAYERS = 16
const PER_ROOM = 4
const TICK_RATE = 125
const RECONNECT_MS = 10_000
const MOVE_MS = 60_000
const REPORT_MS = 30_000
const SETTLE_MS = 40_000
/** A machine that stands still for a minute loses nobody's seat. */
const SEAT_SECONDS = 3_600

/** Returns the exit code. */
export async function compareHashes(wanted: number, minutes: number): Promise<number> {
  const fast = defineGame({ ...declaration, id: 'fast-tag', tickRate: TICK_RATE }, tag.behaviour as never) as never
  const port = await freeUdpPort()
  const service = (await startDatagrams({ port }))!
  const room = {
    game: fast,
    bots: [whimsical],
    fill: PER_ROOM,
    hashEvery: 1,
    datagrams: service,
    seatSeconds: SEAT_SECONDS,
  }
  const server = await startServer({ 'fast-tag': room as never })
  const proxies: Awaited<ReturnType<typeof startProxy>>[] = []
  const all: GameConnection[] = []
  for (let i = 0; i < PLAYERS; i++) {
    const proxy = await startProxy(
      port,
      (packet, pass) => pass(packet),
      (packet, pass) => pass(packet),
    )
    proxies.push(proxy)
    const where = i % PER_ROOM === 0 ? { create: true } : { roomId: all[i - (i % PER_ROOM)].room.roomId }
    const datagrams = through(proxy, port) as unknown as PeerConnectionClass
    all.push(await joinGame(server.url, fast, { mode: 'mirror', datagrams, ...where }))
  }
  const players = drive(all, [whimsical])
  const isOnDatagrams = ({ network }: GameConnection) => network.path === 'datagram'
  await until('all paths', () => all.every(isOnDatagrams))

  const done = { hashes: 0, byDatagrams: 0, mismatches: 0, desyncs: 0, reconnects: 0, moves: 0 }
  // A connection that comes back may begin with another mirror.
  const last = all.map(({ mirror }) => ({ mirror, hashes: 0, mismatches: 0 }))
  const count = () => {
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
  const startedAt = performance.now()
  const due = (at: number[], everyMs: number, run: (i: number) => unknown) => {
    for (const [i, ms] of at.entries()) {
      if (performance.now() < ms) continue
      at[i] += everyMs
      run(i)
    }
  }
  const spread = (everyMs: number) => all.map((_, i) => startedAt + everyMs * (1 + i / PLAYERS))
  const [reconnectAt, moveAt] = [spread(RECONNECT_MS), spread(MOVE_MS)]
  const report = () => {
    const share = all.filter(isOnDatagrams).length
    const seconds = Math.round((performance.now() - startedAt) / 1_000)
    console.log(`${seconds} s: ${JSON.stringify(done)}, ${share} of ${PLAYERS} on datagrams`)
  }
  for (let reportAt = startedAt; performance.now() < startedAt + 60_000 * minutes - SETTLE_MS; ) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    count()
    if (done.byDatagrams >= wanted) break
    due(reconnectAt, RECONNECT_MS, (i) => {
      if (all[i].status !== 'playing') return
      done.reconnects++
      cut(all[i])
    })
    due(moveAt, MOVE_MS, (i) => {
      done.moves++
      return proxies[i].move()
    })
    if (performance.now() < reportAt) continue
    reportAt += REPORT_MS
    report()
  }
  const isBack = await until('all back', () => all.every(isOnDatagrams), SETTLE_MS).then(
    () => true,
    () => false,
  )
  count()
  report()
  console.log(isBack ? 'all are back on datagrams' : 'not all are back on datagrams')
  const isEnough = done.byDatagrams >= wanted
  if (!isEnough) console.log(`fewer than ${wanted} in ${minutes} minutes`)
  await players.stop()
  await server.close()
  service.close()
  for (const proxy of proxies) proxy.close()
  return isEnough && isBack && done.mismatches === 0 && done.desyncs === 0 ? 0 : 1
}

/** Finds the port where its proxy is. */
function through(proxy: { readonly number: number }, port: number) {
  return class extends RTCPeerConnection {
    override setRemoteDescription(description: { type: 'answer'; sdp: string }) {
      const sdp = description.sdp.replaceAll(` ${port} typ`, ` ${proxy.number} typ`)
      return super.setRemoteDescription({ ...description, sdp })
    }
  }
}

function cut({ room }: GameConnection): void {
  ;(room.connection.transport as unknown as { ws: { close(): void } }).ws.close()
}
