/**
 * The attacker: one process that floods a server or a sink from one address as fast as it can, until it is told to stop.
 *
 * It speaks no more of HTTP and WebSocket than it must, keeps no limits, and opens a connection again as soon as one is closed.
 */

import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Attack, AttackReport, FloodKind, Target } from './kinds.ts'
import { floodPackets } from './packets.ts'

const report = { connections: 0, sentMB: 0, seats: 0 }
let isOver = true
/** What ends the connections that are open. */
const stoppers = new Set<() => void>()
let running: Promise<unknown> = Promise.resolve()
process.on('disconnect', () => process.exit())
process.on('message', async (attack: Attack | 'stop') => {
  if (attack !== 'stop') {
    isOver = false
    Object.assign(report, { connections: 0, sentMB: 0, seats: 0 })
    running = Promise.all(loopsOf(attack))
    process.send!('flooding')
    return
  }
  isOver = true
  for (const stop of stoppers) stop()
  await running
  process.send!({ ...report } satisfies AttackReport)
})
process.send!('ready')

const MASK = [0, 0, 0, 0]
const PING = Buffer.from([0x89, 0x80, ...MASK])
/** A message of bytes to a room, as inputs are, that means nothing. */
const MESSAGE = Buffer.from([0x82, 0x80 | 12, ...MASK, 17, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
/** The SDK sends this when it has read the handshake. */
const JOINED = Buffer.from([0x82, 0x81, ...MASK, 10])
const PIECE = 64 * 1024
const HOST = 'host: 127.0.0.1\r\n'
const HALF = `GET / HTTP/1.1\r\n${HOST}x-slow: `

/** Connections at a time. */
const LOOPS: Readonly<Record<FloodKind, number>> = {
  messages: 8,
  pings: 8,
  requests: 8,
  'half-open': 500,
  ipv6: 500,
  reservations: 8,
  downloads: 90,
  'gcm-forged': 1,
  'gcm-true': 1,
  'chacha-forged': 1,
  'chacha-true': 1,
  'comes-again': 1,
  'checks-of-seat': 1,
  hellos: 1,
  handshakes: 4,
  'checks-known': 1,
  'strange-checks': 1,
  'strange-records': 1,
  'in-their-names': 1,
}

function loopsOf(attack: Attack): readonly Promise<void>[] {
  return Array.from({ length: LOOPS[attack.kind] }, async (_, i) => {
    while (!isOver) await attackOnce(attack, i)
  })
}

async function attackOnce({ kind, from, target }: Attack, loop: number): Promise<void> {
  switch (kind) {
    case 'messages':
    case 'pings':
      return floodSeat(target, from, kind === 'pings' ? PING : MESSAGE)
    case 'requests':
      return flood(await open(target, from), repeated(Buffer.from(`GET /health HTTP/1.1\r\n${HOST}\r\n`)))
    case 'half-open':
      return holdOpen(await open(target, from, HALF))
    case 'ipv6': {
      const addresses = loopbackAddresses()
      return holdOpen(await open(target, addresses[loop % addresses.length], HALF))
    }
    case 'reservations':
      return flood(await open(target, from), repeated(Buffer.from(seatRequest(target))))
    case 'downloads': {
      const asking = `GET /replays/${target.replay ?? 'none'} HTTP/1.1\r\n${HOST}\r\n`
      const socket = await open(target, from, asking)
      // Half of them read nothing, half as fast as they can, and ask again at once.
      if (loop % 2 === 0) socket?.pause()
      else socket?.on('data', (data) => data.length < 2000 && !isOver && socket.write(asking))
      return holdOpen(socket)
    }
    default: {
      report.connections++
      report.sentMB += (await floodPackets({ kind, target, from }, () => isOver)) / 1e6
    }
  }
}

/** All of one /64 where the loopback has more than `::1`. */
function loopbackAddresses(): readonly string[] {
  const all = (networkInterfaces().lo ?? []).filter(({ family }) => family === 'IPv6').map(({ address }) => address)
  return all.length === 0 ? ['::1'] : all
}

function seatRequest({ roomId = 'none', seat = '{}' }: Target): string {
  const head = `POST /matchmake/joinById/${roomId} HTTP/1.1\r\n${HOST}content-type: application/json\r\n`
  return `${head}content-length: ${Buffer.byteLength(seat)}\r\n\r\n${seat}`
}

/** Takes a seat in the room and writes frames until the socket is cut. A sink has no seats, and gets the frames at once. */
async function floodSeat(target: Target, from: string, frame: Buffer): Promise<void> {
  const path = target.roomId === undefined ? '/none/none?sessionId=none' : await takeSeat(target, from)
  if (path === undefined) return delay(20)
  const upgrade = 'upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\n'
  const key = 'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n'
  const socket = await open(target, from, `GET ${path} HTTP/1.1\r\n${HOST}${upgrade}${key}\r\n`)
  if (socket !== undefined && target.roomId !== undefined) {
    await new Promise((resolve) => socket.once('data', resolve).once('close', resolve))
    socket.write(JOINED)
  }
  return flood(socket, repeated(frame))
}

/** The path of a reserved seat; undefined when there is none to be had. */
function takeSeat({ port, roomId, seat = '{}' }: Target, from: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const to = { host: hostFor(from), port, localAddress: from, agent: false }
    const headers = { 'content-type': 'application/json' }
    const asked = request({ ...to, path: `/matchmake/joinById/${roomId}`, method: 'POST', headers }, (response) => {
      let body = ''
      response.on('data', (chunk) => (body += chunk))
      response.on('end', () => {
        asked.destroy()
        if (response.statusCode !== 200) return resolve(undefined)
        report.seats++
        const { processId, sessionId } = JSON.parse(body)
        resolve(`/${processId}/${roomId}?sessionId=${sessionId}`)
      })
    })
    asked.on('error', () => resolve(undefined))
    asked.end(seat)
  })
}

function open({ port }: Target, from: string, head = ''): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: hostFor(from), localAddress: from }, () => {
      report.connections++
      socket.write(head)
      resolve(socket)
    })
    // What comes back is thrown away unread: the attacker needs its time for sending.
    socket.on('error', () => resolve(undefined)).resume()
    socket.on('close', () => resolve(undefined))
  })
}

function hostFor(from: string): string {
  return from.includes(':') ? from : '127.0.0.1'
}

async function flood(socket: Socket | undefined, bytes: Buffer): Promise<void> {
  if (socket === undefined) return delay(1)
  await new Promise<void>((resolve) => {
    const write = () => {
      if (isOver || socket.destroyed) {
        stoppers.delete(end)
        socket.destroy()
        resolve()
        return
      }
      report.sentMB += bytes.length / 1e6
      if (socket.write(bytes)) setImmediate(write)
    }
    const end = () => {
      socket.destroy()
      write()
    }
    stoppers.add(end)
    socket.on('drain', write).on('close', write)
    write()
  })
}

/** Keeps a connection until it is closed for it. */
async function holdOpen(socket: Socket | undefined): Promise<void> {
  if (socket === undefined) return delay(1)
  await new Promise<void>((resolve) => {
    const end = () => socket.destroy()
    stoppers.add(end)
    socket.once('close', () => {
      stoppers.delete(end)
      resolve()
    })
    if (isOver) end()
  })
}

function repeated(bytes: Buffer): Buffer {
  return Buffer.concat(Array.from({ length: Math.ceil(PIECE / bytes.length) }, () => bytes))
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
