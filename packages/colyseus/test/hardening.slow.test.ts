/** Clients that mean harm, on real sockets: what they cost is bounded, and others do not notice. */

import { helloOf, MESSAGES } from '@hurtbox/netcode'
import { hashWorld } from 'hurtbox'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { RATE, tag, whimsical } from '../../netcode/test/support.ts'
import { CLOSE, type CutReason } from '../src/index.ts'
import { drive, joinAll, roomById, roomOf, startServer, type TestServer, until } from './server.ts'

// Real time: on a busy machine everything takes longer.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 })

const bots = [whimsical]
const cuts: CutReason[] = []
let server: TestServer
beforeAll(async () => {
  const hooks = { onCut: (_room: unknown, reason: CutReason) => cuts.push(reason) }
  server = await startServer({
    tag: { game: tag, bots, fill: 4, hashEvery: 1, seatSeconds: 20, hooks },
    impatient: { game: tag, bots, fill: 4, limits: { behindSeconds: 1.5 }, hooks },
    narrow: { game: tag, bots, fill: 4, limits: { behindSeconds: 1_000, queueBytes: 20_000 }, hooks },
  })
})
afterAll(() => server.close())

/** Colyseus' own words on the wire. */
const PROTOCOL = { join: 10, data: 13, bytes: 17, ping: 18 }

type RawClient = { readonly socket: WebSocket; readonly closed: Promise<number>; readonly received: Buffer[] }

/** A client by hand: it takes a seat as the SDK does and then speaks as it likes. */
async function connectRaw(room: string, roomId?: string): Promise<RawClient> {
  const method = roomId === undefined ? `joinOrCreate/${room}` : `joinById/${roomId}`
  const answer = await fetch(`${server.url}/matchmake/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ hello: helloOf(tag) }),
  })
  const seat = await answer.json()
  const { processId, roomId: id } = seat.room ?? seat
  const url = `${server.url.replace('http', 'ws')}/${processId}/${id}?sessionId=${seat.sessionId}`
  const socket = new WebSocket(url)
  const received: Buffer[] = []
  const closed = new Promise<number>((resolve) => socket.on('close', resolve))
  socket.on('error', () => {})
  await new Promise<void>((resolve) => {
    socket.on('message', (data: Buffer) => {
      received.push(data)
      if (data[0] === PROTOCOL.join) {
        socket.send(Uint8Array.of(PROTOCOL.join))
        resolve()
      }
    })
  })
  return { socket, closed, received }
}

/** As messages spell a number. */
function varint(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  return [...bytes, rest]
}

/** An honest player to measure by; returns what attackers share the room with. */
async function withHonestPlayer(room: string, attack: (roomId: string) => Promise<void>): Promise<void> {
  const all = await joinAll(server.url, tag, [{ room, create: true, mode: 'mirror' }])
  const players = drive(all, bots)
  const { host } = roomOf(all[0])
  const before = host.world.tick
  await attack(all[0].room.roomId)
  await until('the match goes on', () => host.world.tick > before + 30)
  expect(host.status).toBe('running')
  expect(all[0].mirror!.stats.mismatches).toBe(0)
  expect(all[0].status).toBe('playing')
  hashWorld(host.world)
  await players.stop()
}

test('[RM20] a flood closes the socket when its burst is used up, though its player could reconnect; the seat is not kept for it', async () => {
  await withHonestPlayer('tag', async (roomId) => {
    const { socket, closed } = await connectRaw('tag', roomId)
    cuts.length = 0
    const { traffic } = roomById(roomId)
    const [before, started] = [traffic.messagesIn, performance.now()]
    const flood = setInterval(() => {
      for (let i = 0; i < 2000 && socket.readyState === WebSocket.OPEN; i++)
        socket.send(Uint8Array.of(PROTOCOL.bytes, 0, MESSAGES.inputs.kind))
    }, 1)
    await until('it is cut', () => cuts.length > 0)
    const seconds = (performance.now() - started) / 1000
    // How long that takes is a matter of the machine; how many it takes is not: the burst, and what flows in meanwhile. The
    // honest player sends some of them.
    const allowed = 4 * RATE + 40 + (1.5 * RATE + 10) * seconds
    expect(traffic.messagesIn - before).toBeLessThanOrEqual(allowed + 2 * RATE * seconds + 10)
    expect([CLOSE.flood, 1006]).toContain(await closed)
    clearInterval(flood)
    expect(cuts).toEqual(['flood'])
  })
})

test('[RM20] other frames than ours count as well: pings, unknown messages, requests', async () => {
  for (const frame of [[PROTOCOL.ping], [PROTOCOL.data, 0xa1, 0x78], [21, 1, 2]]) {
    const { socket, closed } = await connectRaw('tag')
    for (let i = 0; i < 5000; i++) socket.send(Uint8Array.from(frame))
    // An unknown message is reason enough for Colyseus itself (4002), at least in development.
    expect([CLOSE.flood, 1006, 4002]).toContain(await closed)
  }
})

test('[RM20] pings and pongs of the WebSocket count as well', async () => {
  for (const kind of ['ping', 'pong'] as const) {
    const { socket, closed } = await connectRaw('tag')
    for (let i = 0; i < 5000; i++) socket[kind]()
    const code = await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 5_000, 'still open'))])
    socket.terminate()
    expect([CLOSE.flood, 1006], kind).toContain(code)
  }
})

test('[RM21] an oversize frame closes the connection at once, others go on', async () => {
  await withHonestPlayer('tag', async (roomId) => {
    const { socket, closed } = await connectRaw('tag', roomId)
    socket.send(new Uint8Array(4097).fill(PROTOCOL.bytes))
    expect(await closed).toBe(1009)
  })
})

test('[RM22] a client that sends nonsense is cut after a hundred messages', async () => {
  await withHonestPlayer('tag', async (roomId) => {
    const { socket, closed } = await connectRaw('tag', roomId)
    cuts.length = 0
    const talk = setInterval(() => socket.send(Uint8Array.of(PROTOCOL.bytes, 0, MESSAGES.inputs.kind, 1, 2, 3)), 15)
    expect([CLOSE.malformed, 1006]).toContain(await closed)
    clearInterval(talk)
    expect(cuts).toEqual(['malformed'])
  })
})

test('[RM23] a player that falls seconds behind is cut, even if its connection answers pings', async () => {
  await withHonestPlayer('impatient', async (roomId) => {
    const { socket, closed } = await connectRaw('impatient', roomId)
    cuts.length = 0
    await new Promise((resolve) => setTimeout(resolve, 300))
    // Says that it has followed up to tick 1, and never any further.
    const { nonce } = roomById(roomId).host
    const talk = setInterval(
      () => socket.send(Uint8Array.from([PROTOCOL.bytes, 0, MESSAGES.inputs.kind, ...varint(nonce), 1, 0, 0, 0, 0])),
      50,
    )
    expect([CLOSE.slow, 1006]).toContain(await closed)
    clearInterval(talk)
    expect(cuts).toEqual(['slow'])
  })
})

test('[RM27] a seat that never sends anything is not kept, though its connection lives', async () => {
  await withHonestPlayer('impatient', async (roomId) => {
    cuts.length = 0
    const { socket, closed } = await connectRaw('impatient', roomId)
    const late = new Promise((resolve) => setTimeout(resolve, 8_000, 'kept'))
    expect([CLOSE.slow, 1006]).toContain(await Promise.race([closed, late]))
    expect(cuts).toEqual(['slow'])
    socket.terminate()
    const { host } = roomById(roomId)
    await until('a bot has the seat', () => host.seats.filter(({ player }) => typeof player !== 'string').length === 1)
  })
})

test('[RM27] players, spectators and guests of a resting match are not cut', async () => {
  const all = await joinAll(server.url, tag, [{ room: 'impatient', create: true, mode: 'mirror' }, { spectate: true }])
  const players = drive(all, bots)
  const { host } = roomOf(all[0])
  cuts.length = 0
  all[0].pause(true)
  await until('the match rests', () => host.world.paused)
  const { tick } = host.world
  await until('longer than anybody may be behind', () => host.world.tick > tick + 4 * RATE)
  expect(cuts).toEqual([])
  await players.stop()
})

test('[RM24] a stalled reader is cut at a limit, even if it sends pongs', async () => {
  await withHonestPlayer('narrow', async (roomId) => {
    const { socket, closed } = await connectRaw('narrow', roomId)
    cuts.length = 0
    const room = roomById(roomId)
    ;(socket as unknown as { _socket: { pause(): void } })._socket.pause()
    const pongs = setInterval(() => socket.readyState === WebSocket.OPEN && socket.pong(), 100)
    // Our own messages are small; fill the pipe with some that are not.
    const victim = room.clients.find(({ ref }) => ref !== room.clients[0].ref)!
    for (let i = 0; i < 200; i++) victim.sendBytes(1, new Uint8Array(100_000))
    await until('it is cut', () => cuts.includes('slow'), 30_000)
    ;(socket as unknown as { _socket: { resume(): void } })._socket.resume()
    await closed
    clearInterval(pongs)
  })
})

test('[RM25] nothing is queued for a client that never finishes the handshake, and it is cut', async () => {
  const answer = await fetch(`${server.url}/matchmake/joinOrCreate/tag`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ hello: helloOf(tag) }),
  })
  const seat = await answer.json()
  const { processId, roomId } = seat.room ?? seat
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/${processId}/${roomId}?sessionId=${seat.sessionId}`)
  await new Promise((resolve) => socket.on('message', resolve))
  const all = await joinAll(server.url, tag, [{ roomId }])
  const players = drive(all, bots)
  await until('the match runs', () => roomById(roomId).host.world.tick > 30)
  const silent = roomById(roomId).clients.find(({ sessionId }) => sessionId === seat.sessionId)!
  expect((silent as unknown as { _enqueuedMessages: unknown[] })._enqueuedMessages).toHaveLength(0)
  // Nor is the place kept for long: ten seconds, by the clock of the room.
  cuts.length = 0
  Object.assign(roomById(roomId).clock, { now: () => performance.now() + 10_000 })
  await until('it is cut', () => cuts.length > 0)
  expect(cuts).toEqual(['slow'])
  socket.terminate()
  await players.stop()
})
