/** A server process of the match benchmark: `node server.ts <kind> <frames as JSON> <clients of a room>`. Tells its address, then answers readings. */

import { subscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineRoom, defineServer } from '@colyseus/core'
import { WebSocketTransport } from '@colyseus/ws-transport'
import { loadModule } from 'hurtbox/module/node'
import { type WebSocket, WebSocketServer } from 'ws'
import { parseMetrics } from '../../packages/server/src/load/prometheus.ts'
import { serve } from '../../packages/server/src/serve.ts'
import { type Frames, type Kind, matchGame, type ServerReading, TICK_MS } from './kinds.ts'
import { PlainRoomA, PlainRoomB, ticked } from './plain-room.ts'

const [kind, framesText, ofRoom] = process.argv.slice(2) as [Kind, string, string]
const sockets = new Set<Socket>()
const closed = { bytesIn: 0, bytesOut: 0 }
// Every connection of this process, no matter which code made the server.
subscribe('net.server.socket', (message) => {
  const { socket } = message as { readonly socket: Socket }
  sockets.add(socket)
  socket.once('close', () => {
    sockets.delete(socket)
    closed.bytesIn += socket.bytesRead
    closed.bytesOut += socket.bytesWritten
  })
})

const folder = mkdtempSync(join(tmpdir(), 'hurtbox-match-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
process.on('disconnect', () => process.exit())

const { url, roomTicks } = await start()
process.on('message', async () => process.send!(await read()))
process.send!({ url })

async function start(): Promise<{ readonly url: string; readonly roomTicks: () => number | Promise<number> }> {
  if (kind === 'terminals' || kind === 'mirrors') return startHurtbox()
  return kind === 'plain-a' || kind === 'plain-b' ? startPlain() : startFloor(JSON.parse(framesText))
}

/** Everything on, as `hurtbox serve` has it: match log, replays, metrics, guards. Only the limits of one address are lifted. */
async function startHurtbox() {
  const jetRaiders = await loadModule('jet-raiders')
  const game = matchGame(Number(ofRoom))
  const isCrowd = Number(ofRoom) > jetRaiders.game.declaration.seats.max
  const room = { ...jetRaiders.room!, fill: 0, ...(isCrowd && { capacity: {}, spectators: Number(ofRoom) }) }
  const { url, metrics } = await serve({
    games: [{ ...jetRaiders, game, room }],
    port: 0,
    host: '127.0.0.1',
    replays: join(folder, 'replays'),
    matches: process.env.HURTBOX_BENCH_MATCHES === 'none' ? false : join(folder, 'matches'),
    logLevel: 'info',
    loadTest: true,
    signals: false,
    say: () => {},
  })
  const roomTicks = async () => {
    const values = parseMetrics(await metrics.registry.metrics())
    let sum = 0
    for (const [series, value] of values) if (series.startsWith('hurtbox_tick_seconds_count')) sum += value
    return sum
  }
  return { url, roomTicks }
}

async function startPlain() {
  const transport = new WebSocketTransport()
  const room = defineRoom(kind === 'plain-a' ? PlainRoomA : PlainRoomB)
  const server = defineServer({ rooms: { match: room }, transport, greet: false })
  await server.listen(0, '127.0.0.1')
  const { port } = transport.server!.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, roomTicks: () => ticked.count }
}

/** Sends frames of a size at a rate to everybody, a timer for each room of eight, and counts what comes. */
async function startFloor({ downBytes, downPerSecond }: Frames) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
  await once(server, 'listening')
  const frame = new Uint8Array(Math.round(downBytes))
  let ticks = 0
  let room: WebSocket[] = []
  server.on('connection', (socket) => {
    socket.on('message', () => {})
    if (room.length === 8) room = []
    room.push(socket)
    if (room.length === 1) runRoom(room)
  })
  function runRoom(sockets: readonly WebSocket[]): void {
    const startedAt = performance.now()
    let [tick, due] = [0, 0]
    setInterval(() => {
      for (; tick < (performance.now() - startedAt) / TICK_MS; tick++) {
        ticks++
        due += (downPerSecond * TICK_MS) / 1000
        for (; due >= 1; due--) for (const socket of sockets) socket.send(frame)
      }
    }, TICK_MS)
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, roomTicks: () => ticks }
}

async function read(): Promise<ServerReading> {
  // Before the collection, which is not the match's.
  const { user, system } = process.cpuUsage()
  const ticks = await roomTicks()
  let { bytesIn, bytesOut } = closed
  for (const socket of sockets) {
    bytesIn += socket.bytesRead
    bytesOut += socket.bytesWritten
  }
  const { rss } = process.memoryUsage()
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return {
    cpuMs: (user + system) / 1000,
    roomTicks: ticks,
    bytesIn,
    bytesOut,
    rssBytes: rss,
    liveBytes: heapUsed + external,
  }
}
