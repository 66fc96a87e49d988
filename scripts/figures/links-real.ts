/**
 * Real sockets through a bad line: a stream against datagrams, with a proxy between client and server that delays, drops and reorders.
 *
 * A proxy cannot lose bytes of a TCP connection, so it does what the system would do: what was lost comes 250 ms later, and everything behind
 * it waits. Real time, so no two runs are alike; the figures say which machine they are from.
 */

import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { type AddressInfo, connect, createServer } from 'node:net'
import { startDatagrams } from '@hurtbox/colyseus'
import { joinGame, type PeerConnectionClass } from '../../packages/colyseus/src/client/index.ts'
import { freeUdpPort, RTCPeerConnection } from '../../packages/colyseus/test/channels.ts'
import { drive, roomOf, startServer, until } from '../../packages/colyseus/test/server.ts'
import { tag, whimsical } from '../../packages/colyseus/test/support.ts'
import type { Figure } from './figure.ts'
import { TICKS_PER_BURST } from './netcode.ts'

export type RealLink = {
  readonly path: string
  readonly inputs: number
  readonly latePercent: number
  /** Late, and not what the player held anyway; results from before that was counted have none. */
  readonly lateInEffectPercent?: number
  readonly leadMs: number
  readonly depthMedian: number
  readonly steppedAgainPerTick: number
  /** Payload to one client, bytes a second. */
  readonly bytesPerSecond: number
  readonly mismatches: number
}

/** A round trip of 200 ms, a jitter of 20, a loss of 5 %, and bursts of 150 ms. */
const LINE = { delayMs: 90, jitterMs: 20, loss: 0.05, burstMs: 150, resendMs: 250 } as const
/**
 * Bursts come by time and as often as on the virtual link. Were each packet to begin one, SCTP's own packets, more than half of all, would begin
 * most of them: 2.2 a minute instead of 0.9.
 */
const BURST_EVERY_MS = (1000 * TICKS_PER_BURST) / tag.declaration.tickRate
/** Bursts are rare: of fewer inputs a share would say little. */
const CLIENTS = 8
const SECONDS = 150
/** Not counted: until the clocks agree. */
const FIRST_SECONDS = 10

export const linksReal: Figure<readonly RealLink[]> = {
  name: 'links-real',
  command: 'npm run measure -- figures --only links-real',
  isLong: true,
  async measure(log) {
    const results: RealLink[] = []
    for (const path of ['a stream', 'datagrams']) {
      log(path)
      results.push(await play(path))
    }
    return results
  },
  // Real time on a real machine: only what must hold is compared.
  differences: (_saved, now) =>
    now.filter(({ mismatches }) => mismatches > 0).map(({ path }) => `links-real: states differed over ${path}.`),
}

async function play(path: string): Promise<RealLink> {
  const port = await freeUdpPort()
  const service = await startDatagrams({ port })
  if (service === undefined) throw new Error(`UDP port ${port} cannot be had.`)
  const server = await startServer({ tag: { game: tag, bots: [whimsical], fill: 4, hashEvery: 1, datagrams: service } })
  const stream = await badStream(Number(new URL(server.url).port))
  const lines: UdpSocket[] = []
  /** Finds the server behind a bad line. */
  class Far extends RTCPeerConnection {
    override async setRemoteDescription(description: { type: 'answer'; sdp: string }): Promise<void> {
      const line = await badLine(port, lines)
      const sdp = description.sdp.replaceAll(/(a=candidate:\S+ 1 UDP \d+) \S+ \d+/g, `$1 127.0.0.1 ${line}`)
      await super.setRemoteDescription({ ...description, sdp })
    }
  }
  const datagrams = path === 'datagrams' ? (Far as unknown as PeerConnectionClass) : false
  const all = [await joinGame(stream.url, tag, { mode: 'mirror', datagrams })]
  for (let i = 1; i < CLIENTS; i++) {
    all.push(await joinGame(stream.url, tag, { mode: 'mirror', datagrams, roomId: all[0].room.roomId }))
  }
  const players = drive(all, [whimsical])
  try {
    const room = roomOf(all[0])
    const peers = () => [...room.host.peers]
    await until(
      'the path',
      () => peers().length === CLIENTS && peers().every(({ link }) => link === (datagrams ? 'datagram' : 'stream')),
    )
    await seconds(FIRST_SECONDS)
    const count = () => ({
      inputs: sum(peers().map(({ counts }) => counts.accepted)),
      late: sum(peers().map(({ counts }) => counts.late)),
      harmless: sum(peers().map(({ counts }) => counts.harmless)),
      again: sum(all.map(({ mirror }) => mirror!.stats.resimulated)),
      bytes: room.traffic.bytesOut + room.traffic.datagrams.bytesOut,
      tick: room.host.world.tick,
      depths: all.map(({ mirror }) => [...mirror!.stats.depths]),
    })
    const before = count()
    const leads: number[] = []
    for (let i = 0; i < 10 * SECONDS; i++) {
      await seconds(0.1)
      for (const { mirror } of all) leads.push(mirror!.clock.lead * mirror!.clock.tickMs)
    }
    const after = count()
    const more = (key: 'inputs' | 'late' | 'harmless') => after[key] - before[key]
    const percent = (inputs: number) => rounded((100 * inputs) / more('inputs'), 100)
    const ticks = after.tick - before.tick
    return {
      path,
      inputs: more('inputs'),
      latePercent: percent(more('late')),
      lateInEffectPercent: percent(more('late') - more('harmless')),
      leadMs: Math.round(leads.sort((a, b) => a - b)[leads.length >> 1]),
      depthMedian: medianDepth(before.depths, after.depths),
      steppedAgainPerTick: rounded((after.again - before.again) / (ticks * CLIENTS), 10),
      bytesPerSecond: Math.round(((after.bytes - before.bytes) * tag.declaration.tickRate) / ticks / CLIENTS),
      mismatches: sum(all.map(({ mirror }) => mirror!.stats.mismatches)),
    }
  } finally {
    await players.stop()
    await stream.close()
    for (const line of lines) line.close()
    await server.close()
    service.close()
  }
}

/** Losses and delays of one direction. */
function createFate() {
  const nextAfter = (now: number) => now - Math.log(1 - Math.random()) * BURST_EVERY_MS
  let burstAt = nextAfter(performance.now())
  let burstUntil = 0
  return () => {
    const now = performance.now()
    for (; now >= burstAt; burstAt = nextAfter(burstAt)) burstUntil = burstAt + LINE.burstMs
    const isLost = now < burstUntil || Math.random() < LINE.loss
    return { isLost, delayMs: LINE.delayMs + Math.random() * LINE.jitterMs, burstMs: Math.max(0, burstUntil - now) }
  }
}

/** A port that leads to a UDP port over a bad line, for one client. */
async function badLine(port: number, lines: UdpSocket[]): Promise<number> {
  const [near, far] = [createSocket('udp4'), createSocket('udp4')]
  lines.push(near, far)
  let client: AddressInfo | undefined
  const [up, down] = [createFate(), createFate()]
  near.on('message', (bytes, from) => {
    client = from as unknown as AddressInfo
    const { isLost, delayMs } = up()
    if (!isLost) setTimeout(() => send(far, bytes, port, '127.0.0.1'), delayMs)
  })
  far.on('message', (bytes) => {
    const { isLost, delayMs } = down()
    if (!isLost && client) setTimeout(() => send(near, bytes, client!.port, client!.address), delayMs)
  })
  await Promise.all([near, far].map((socket) => new Promise<void>((done) => socket.bind(0, '127.0.0.1', done))))
  return near.address().port
}

function send(socket: UdpSocket, bytes: Uint8Array, port: number, address: string): void {
  try {
    socket.send(bytes, port, address)
  } catch {
    // The match is over, and the line closed.
  }
}

/** A TCP port that leads to another one over a bad line: a loss is a stall of everything behind it. */
async function badStream(port: number): Promise<{ url: string; close(): Promise<void> }> {
  const sockets = new Set<{ destroy(): void }>()
  const proxy = createServer((client) => {
    const server = connect(port, '127.0.0.1')
    for (const [from, to] of [
      [client, server],
      [server, client],
    ]) {
      sockets.add(from)
      from.setNoDelay(true)
      const fate = createFate()
      let freeAt = 0
      // Timers of the same moment may fire in any order; bytes must not.
      const waiting: Buffer[] = []
      from.on('data', (data) => {
        const { isLost, delayMs, burstMs } = fate()
        const now = performance.now()
        freeAt = Math.max(freeAt, now + delayMs + (isLost ? Math.max(LINE.resendMs, burstMs) : 0))
        waiting.push(data)
        setTimeout(() => to.write(waiting.shift()!), freeAt - now)
      })
      from.on('close', () => to.destroy())
      from.on('error', () => to.destroy())
    }
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}

function medianDepth(before: readonly number[][], after: readonly number[][]): number {
  const times: number[] = []
  after.forEach((depths, client) => {
    depths.forEach((count, depth) => {
      times[depth] = (times[depth] ?? 0) + (count ?? 0) - (before[client][depth] ?? 0)
    })
  })
  const counts = Array.from(times, (count) => count ?? 0)
  let left = sum(counts) / 2
  for (let depth = 0; depth < counts.length; depth++) {
    left -= counts[depth]
    if (left <= 0) return depth
  }
  return 0
}

const seconds = (count: number) => new Promise((resolve) => setTimeout(resolve, 1000 * count))
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
const rounded = (value: number, parts: number) => Math.round(value * parts) / parts
