/** Datagrams on a real wire: data channels of Node clients to rooms in this process, on loopback. */

import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { subscribe } from 'node:diagnostics_channel'
import {
  type Channel,
  type ChannelHandlers,
  createPortCounts,
  type Datagrams,
  startDatagrams,
} from '@hurtbox/datagrams'
import { addPeer, createHost, stepHost } from '@hurtbox/netcode/host'
import { defineGame } from 'hurtbox'
import type { AnyWorld } from 'hurtbox/tools'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { freeUdpPort, RTCPeerConnection } from '../../datagrams/test/channels.ts'
import { createClient, packetOf } from '../../datagrams/test/client.ts'
import { peerConnectionOf } from '../../datagrams/test/ports.ts'
import { declaration, tag, whimsical } from '../../netcode/test/support.ts'
import { type GameConnection, joinGame, type PeerConnectionClass } from '../src/client/index.ts'
import {
  createLossMeter,
  DATAGRAM,
  lossOf,
  MAX_BODY_BYTES,
  noteNumber,
  readDatagram,
  writeDatagram,
} from '../src/datagrams/format.ts'
import { createDatagramCounts, createLane, isHeard, openLane, sendOnLane } from '../src/datagrams/lanes.ts'
import { drive, roomOf, startServer, type TestServer, until } from './server.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

const datagrams = RTCPeerConnection as unknown as PeerConnectionClass
const states: string[] = []
const abused: string[] = []
/** Node hands out every UDP socket of the process here. */
const sockets: Socket[] = []
subscribe('udp.socket', (message) => void sockets.push((message as { socket: Socket }).socket))
let udpPort: number
let service: Datagrams
let server: TestServer

/** Over after ten seconds. */
const LAST_TICK = 300
const shortTag = defineGame({ ...declaration, id: 'short-tag' }, {
  ...tag.behaviour,
  result: (world: AnyWorld) => ({ over: world.tick >= LAST_TICK, winner: 'seat 0', summary: 'time is up' }),
} as never)

beforeAll(async () => {
  const onState = (isReady: boolean, problem = '') => void states.push(`${isReady} ${problem}`)
  udpPort = await freeUdpPort()
  service = (await startDatagrams({ port: udpPort, onState }))!
  const bots = [whimsical]
  const hooks = { onAbuse: (_room: unknown, seat: number, abuse: string) => void abused.push(`${seat} ${abuse}`) }
  const shared = { bots, fill: 4, hashEvery: 1, datagrams: service, hooks }
  server = await startServer({
    tag: { game: tag, ...shared },
    short: { game: shortTag, ...shared, afterMatchSeconds: 300 },
  })
})
afterAll(async () => {
  await server.close()
  service.close()
})

const linkOf = (connection: GameConnection) =>
  [...roomOf(connection).host.peers].find(({ seat }) => seat === connection.seat)?.path

/** Plays on until a client has checked, or got, so many more of what it follows the match by. */
async function playOn(connection: GameConnection, count: number): Promise<void> {
  const done = () => connection.mirror?.stats.hashChecks ?? connection.terminal?.stats.frames ?? 0
  const from = done()
  await until(`${count} more of a ${connection.mirror ? 'mirror' : 'terminal'}`, () => done() >= from + count)
}

function socketsOf(port: number): readonly Socket[] {
  return sockets.filter((socket) => {
    try {
      return socket.address().port === port
    } catch {
      // It is closed.
      return false
    }
  })
}

/** As Node reports that the system has failed a socket. */
function failPort(port: number): void {
  const open = socketsOf(port)
  expect(open.length).toBe(1)
  open[0].emit('error', new Error('the network is gone'))
}

/** Channels on which nothing passes while they are cut. */
function cuttable() {
  const line = { isCut: false, Connection: undefined as unknown as PeerConnectionClass }
  class Cuttable extends RTCPeerConnection {
    override createDataChannel(label: string, options?: object) {
      const channel = super.createDataChannel(label, options)
      const send = channel.send.bind(channel)
      channel.send = (data: never) => void (line.isCut || send(data))
      return new Proxy(channel, {
        get: (target, name) => {
          const value = Reflect.get(target, name)
          return typeof value === 'function' ? value.bind(target) : value
        },
        set: (target, name, value) => {
          const isHandler = name === 'onmessage'
          return Reflect.set(target, name, isHandler ? (event: Event) => void (line.isCut || value(event)) : value)
        },
      })
    }
  }
  line.Connection = Cuttable as unknown as PeerConnectionClass
  return line
}

test('[DG1] clients of Node play a room over datagrams, as mirror and as terminal; without a channel, by the socket beside them', async () => {
  const all = [
    await joinGame(server.url, tag, { mode: 'mirror', datagrams }),
    await joinGame(server.url, tag, { mode: 'terminal', datagrams }),
    await joinGame(server.url, tag, { mode: 'mirror', datagrams: false }),
  ]
  const players = drive(all, [whimsical])
  try {
    await until('two datagram paths', () => all.slice(0, 2).every((each) => linkOf(each) === 'datagram'))
    const { traffic } = roomOf(all[0])
    const [messages, out] = [traffic.messagesOut, traffic.datagrams.out]
    for (const each of all) await playOn(each, 60)
    // On a busy machine a client doubts its path now and then.
    await until('datagrams', () => traffic.datagrams.out - out > 60 && traffic.datagrams.in > 60)
    await until('the same paths', () => all.map(linkOf).join() === 'datagram,datagram,stream')
    // The socket of the third player, and little else.
    expect(traffic.messagesOut - messages).toBeGreaterThan(50)
    expect(all[0].datagrams.state).toBe('open')
    expect(all[0].datagrams.rttMs).toBeGreaterThan(0)
    for (const { mirror } of all) expect(mirror?.stats.mismatches ?? 0).toBe(0)
    expect(traffic.datagrams).toMatchObject({ malformed: 0, unbound: 0, beyondBudget: 0 })
  } finally {
    await players.stop()
  }
})

test('[DG2] where nothing gets through from the start the socket carries everything', async () => {
  // Packets to a port that nobody answers at, as behind a firewall.
  class Blocked extends RTCPeerConnection {
    override async setRemoteDescription(description: { type: 'answer'; sdp: string }): Promise<void> {
      const sdp = description.sdp.replaceAll(/(a=candidate:\S+ 1 UDP \d+ \S+) \d+/g, '$1 9')
      await super.setRemoteDescription({ ...description, sdp })
    }
  }
  const connection = await joinGame(server.url, tag, { mode: 'mirror', datagrams: Blocked as never })
  const players = drive([connection], [whimsical])
  try {
    await playOn(connection, 90)
    expect(linkOf(connection)).toBe('stream')
    expect(connection.datagrams.state).not.toBe('open')
    expect(connection.mirror!.stats.mismatches).toBe(0)
  } finally {
    await players.stop()
  }
})

test('[DG3] cut in mid-match and open again: both ends change over both ways, the seat is kept and no state differs', async () => {
  for (const mode of ['mirror', 'terminal'] as const) {
    const line = cuttable()
    const connection = await joinGame(server.url, tag, { mode, datagrams: line.Connection })
    const players = drive([connection], [whimsical])
    try {
      await connection.whenPlaying()
      const { seat } = connection
      await until('a datagram path', () => linkOf(connection) === 'datagram')
      await playOn(connection, 30)
      const cutAt = performance.now()
      line.isCut = true
      await until('the socket', () => linkOf(connection) === 'stream' && connection.datagrams.state === 'silent')
      await playOn(connection, 5)
      console.log(`${mode}: frames again ${Math.round(performance.now() - cutAt)} ms after the path was cut`)
      await playOn(connection, 30)
      line.isCut = false
      await until('the path again', () => linkOf(connection) === 'datagram')
      await playOn(connection, 30)
      expect(connection.status).toBe('playing')
      expect(connection.seat).toBe(seat)
      expect(connection.mirror?.stats.mismatches ?? 0).toBe(0)
      expect(connection.mirror?.desyncs ?? []).toEqual([])
    } finally {
      await players.stop()
    }
  }
})

test('[DG40] a client that comes back after a lost connection plays on datagrams again', async () => {
  for (const mode of ['mirror', 'terminal'] as const) {
    const connection = await joinGame(server.url, tag, { mode, datagrams })
    const players = drive([connection], [whimsical])
    try {
      await until('a datagram path', () => linkOf(connection) === 'datagram')
      const { seat } = connection
      for (let times = 0; times < 2; times++) {
        const { room } = connection
        ;(room.connection.transport as unknown as { ws: { close(): void } }).ws.close()
        await until('it is back', () => connection.room !== room && connection.status === 'playing')
        await until('the path again', () => linkOf(connection) === 'datagram', 20_000)
      }
      expect(connection.datagrams.isOffered).toBe(true)
      expect(connection.seat).toBe(seat)
      await playOn(connection, 20)
      expect(connection.mirror?.stats.mismatches ?? 0).toBe(0)
      // A page that has switched it off finds it switched off.
      connection.datagrams.isWanted = false
      const { room } = connection
      ;(room.connection.transport as unknown as { ws: { close(): void } }).ws.close()
      await until('it is back', () => connection.room !== room && connection.status === 'playing')
      expect(connection.datagrams.isWanted).toBe(false)
    } finally {
      await players.stop()
    }
  }
})

test('[DG4] the port fails in mid-match: the match goes on by the socket, and on datagrams once the port is open again', async () => {
  const connection = await joinGame(server.url, tag, { mode: 'mirror', datagrams })
  const players = drive([connection], [whimsical])
  try {
    await until('a datagram path', () => linkOf(connection) === 'datagram')
    const { generation } = service
    const { seat } = connection
    failPort(udpPort)
    expect(service.isReady).toBe(false)
    await until('the socket', () => linkOf(connection) === 'stream')
    await playOn(connection, 30)
    await until('the port again', () => service.isReady && service.generation > generation)
    await until('the path again', () => linkOf(connection) === 'datagram')
    await playOn(connection, 30)
    expect(connection.status).toBe('playing')
    expect(connection.seat).toBe(seat)
    expect(connection.mirror!.stats.mismatches).toBe(0)
    expect(states).toEqual(['true ', 'false the network is gone', 'true '])
  } finally {
    await players.stop()
  }
})

test('[DG4] a port that has failed is not opened again once its service is closed', async () => {
  const port = await freeUdpPort()
  const doomed = (await startDatagrams({ port }))!
  failPort(port)
  expect(doomed.isReady).toBe(false)
  expect(() => doomed.close()).not.toThrow()
  // The first try would come after a second.
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(socketsOf(port)).toEqual([])
  expect([doomed.isReady, doomed.generation]).toEqual([false, 1])
})

/** A service whose channels are lists. */
function fakeService(): Datagrams & { sent: Uint8Array[]; last: ChannelHandlers | undefined; opened: number } {
  const fake = {
    generation: 1,
    isReady: true,
    iceServers: () => [],
    stack: 'own' as const,
    ...createPortCounts(),
    sent: [] as Uint8Array[],
    last: undefined as ChannelHandlers | undefined,
    opened: 0,
    open(_offer: string, handlers: ChannelHandlers): Channel {
      fake.last = handlers
      fake.opened++
      return { answer: 'an answer', send: (bytes) => void fake.sent.push(bytes), close() {} }
    },
    close() {},
  }
  return fake
}

function startLane(perSecond = 300) {
  const fake = fakeService()
  const lane = createLane(perSecond)
  const messages: Uint8Array[] = []
  const handlers = {
    counts: createDatagramCounts(),
    match: () => 0x12345678,
    matchBefore: () => 0x12345677,
    answer() {},
    message: (bytes: Uint8Array) => void messages.push(bytes),
    abused() {},
  }
  openLane(lane, fake, 'an offer', handlers)
  return { fake, lane, messages, handlers, take: (bytes: Uint8Array) => fake.last!.onMessage(bytes) }
}

test('[DG53] a player whose channel is closed for what it sends plays on by the socket, is reported once, and no other is closed; [DG69] what others forge closes nobody', async () => {
  const socket = createSocket('udp4')
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  const send = (packet: Buffer) => socket.send(packet, udpPort, '127.0.0.1')
  const greedy = createClient(send)
  const own = peerConnectionOf(greedy, socket, send) as unknown as PeerConnectionClass
  const honest = await joinGame(server.url, tag, { mode: 'mirror', datagrams })
  const players = drive([honest], [whimsical])
  const [ofServer] = socketsOf(udpPort)
  const places = new Map<number, RemoteInfo>()
  const note = (_packet: Buffer, from: RemoteInfo) => void places.set(from.port, from)
  ofServer.on('message', note)
  try {
    await until('a datagram path', () => linkOf(honest) === 'datagram' && places.size === 1)
    ofServer.off('message', note)
    const [place] = places.values()
    // Forty forged records, in the name of the other.
    const forged = Buffer.from([23, 0xfe, 0xfd, 0, 1, 1, 0, 0, 0, 0, 0, 0, 16, ...Buffer.alloc(16)])
    const crowd = Buffer.concat(Array.from({ length: 40 }, () => forged))
    for (let i = 0; i < 1_000; i++) ofServer.emit('message', Buffer.from(crowd), place)
    expect(service.abusers).toEqual({ records: 0, crowded: 0, bytes: 0 })
    const abuser = await joinGame(server.url, tag, { mode: 'mirror', datagrams: own })
    await until('a channel of its own', () => greedy.isOpen)
    const heartbeat = packetOf(greedy.serverTag, { type: 4, flags: 0, body: Buffer.alloc(0) })
    for (let i = 0; i < 100; i++) send(Buffer.concat(Array.from({ length: 28 }, () => greedy.protect(23, heartbeat))))
    await until('its end', () => abused.length > 0)
    expect([service.abusers, abused]).toEqual([{ records: 0, crowded: 1, bytes: 0 }, [`${abuser.seat} crowded`]])
    await playOn(abuser, 30)
    await playOn(honest, 60)
    expect([abuser.status, linkOf(abuser), linkOf(honest)]).toEqual(['playing', 'stream', 'datagram'])
    for (const { mirror } of [honest, abuser]) expect(mirror?.stats.mismatches ?? 0).toBe(0)
    await abuser.leave()
  } finally {
    socket.close()
    ofServer.off('message', note)
    await players.stop()
  }
})

test('[DG5] until the key of the seat is said nothing is taken and nothing is answered', () => {
  const { fake, lane, messages, handlers, take } = startLane()
  take(writeDatagram(DATAGRAM.message, 1, 0x5678, new Uint8Array(9)))
  take(writeDatagram(DATAGRAM.probe, 2, 0, new Uint8Array(16)))
  take(writeDatagram(DATAGRAM.probe, 3, 0, lane.key.subarray(0, 15)))
  expect(sendOnLane(lane, new Uint8Array(9), handlers)).toBe(false)
  expect([messages.length, fake.sent.length, handlers.counts.unbound]).toEqual([0, 0, 3])
  take(writeDatagram(DATAGRAM.probe, 4, 0, lane.key))
  // The answer is shorter than the question.
  expect(fake.sent.map(({ length }) => length)).toEqual([7])
  take(writeDatagram(DATAGRAM.message, 5, 0x5678, Uint8Array.of(1, 2, 3)))
  expect(messages).toEqual([Uint8Array.of(1, 2, 3)])
  expect(isHeard(lane, performance.now())).toBe(true)
  expect(sendOnLane(lane, new Uint8Array(9), handlers)).toBe(true)
})

test('[DG6] what is too long, too short, of another kind or of another match is counted and dropped', () => {
  const { lane, messages, handlers, take } = startLane()
  take(writeDatagram(DATAGRAM.probe, 1, 0, lane.key))
  for (const bytes of [
    new Uint8Array(0),
    Uint8Array.of(2, 0, 0, 0x78),
    writeDatagram(7, 1, 0x5678, new Uint8Array(4)),
    writeDatagram(DATAGRAM.message, 1, 0x5679, new Uint8Array(4)),
    writeDatagram(DATAGRAM.message, 1, 0x5678, new Uint8Array(MAX_BODY_BYTES + 1)),
  ]) {
    take(bytes)
  }
  // [AW14] What comes late from the match before a rematch is dropped, too, and is nobody's fault.
  take(writeDatagram(DATAGRAM.message, 2, 0x5677, new Uint8Array(4)))
  expect([messages.length, handlers.counts.malformed]).toEqual([0, 5])
  expect(sendOnLane(lane, new Uint8Array(MAX_BODY_BYTES + 1), handlers)).toBe(false)
})

test('[DG7] datagrams beyond the budget of a client are dropped', () => {
  const { lane, messages, handlers, take } = startLane(50)
  take(writeDatagram(DATAGRAM.probe, 1, 0, lane.key))
  for (let i = 0; i < 1000; i++) take(writeDatagram(DATAGRAM.message, i, 0x5678, new Uint8Array(4)))
  expect(messages.length).toBeLessThan(200)
  expect(handlers.counts.beyondBudget).toBe(1001 - 1 - messages.length)
})

test('[DG111] of 32 messages at once and 64 a second each is a datagram, and what is more is not', () => {
  let now = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  const { fake, lane, handlers, take } = startLane()
  const key = () => take(writeDatagram(DATAGRAM.probe, 1, 0, lane.key))
  const taken = (count: number) => Array.from({ length: count }, () => sendOnLane(lane, new Uint8Array(9), handlers))
  key()
  fake.sent.length = 0
  expect(taken(200).filter(Boolean).length).toBe(32)
  let sent = 0
  for (let ms = 0; ms < 10_000; ms += 8) {
    now += 8
    key()
    sent += taken(1).filter(Boolean).length
  }
  expect(sent).toBe(640)
  vi.restoreAllMocks()
})

test('[DG8] what part is lost is known from the numbers, whatever their order, also past 65,535', () => {
  const meter = createLossMeter()
  for (let i = 65_000; i < 66_000; i++) {
    if (i % 10 !== 0) noteNumber(meter, (i % 2 === 0 ? i + 1 : i - 1) & 0xffff)
  }
  expect(lossOf(meter)).toBeCloseTo(0.1, 2)
  const bytes = writeDatagram(DATAGRAM.message, 0xfffe, 0xabcd, Uint8Array.of(5))
  expect(readDatagram(bytes)).toEqual({ kind: DATAGRAM.message, number: 0xfffe, match: 0xabcd, body: Uint8Array.of(5) })
})

test('[DG9] a port that is taken leaves a server without datagrams, and says why', async () => {
  const taken = createSocket('udp4')
  await new Promise<void>((resolve) => taken.bind(0, '127.0.0.1', resolve))
  const problems: (string | undefined)[] = []
  const onState = (_isReady: boolean, problem?: string) => void problems.push(problem)
  const none = await startDatagrams({ port: taken.address().port, onState })
  taken.close()
  none?.close()
  expect(none).toBeUndefined()
  expect(problems).toEqual([expect.stringContaining('EADDRINUSE')])
})

test('[DG12] a mirror of a fast game gets about 30 datagrams a second with every tick in them, and the last tick at once', () => {
  const ends = { result: (world: AnyWorld) => ({ over: world.tick >= 61 }) }
  const game = defineGame({ ...declaration, tickRate: 60 }, { ...tag.behaviour, ...ends } as never) as never
  const host = createHost(game, { seed: 1 })
  const all = (['stream', 'datagram'] as const).map((link, seat) => addPeer(host, seat, 'mirror', link))
  for (const { outbox } of all) outbox.length = 0
  for (let tick = 0; tick < 60; tick++) stepHost(host)
  expect(all.map(({ outbox }) => outbox.length)).toEqual([60, 30])
  stepHost(host)
  expect(host.status).toBe('over')
  expect(all.map(({ outbox }) => outbox.length)).toEqual([61, 31])
})

test('[DG13] the last tick of a match arrives, though the datagrams of its last moment are lost', async () => {
  const line = cuttable()
  const connection = await joinGame(server.url, shortTag, { room: 'short', mode: 'mirror', datagrams: line.Connection })
  const players = drive([connection], [whimsical])
  try {
    await until('a datagram path', () => linkOf(connection) === 'datagram')
    const { host } = roomOf(connection)
    const { room } = connection
    await until('nearly the end', () => host.world.tick >= LAST_TICK - 6)
    line.isCut = true
    await until('the end', () => host.status === 'over')
    await until('the last tick', () => connection.mirror!.confirmed.tick === LAST_TICK)
    // And not because it had to come back.
    expect(connection.room).toBe(room)
    expect(connection.mirror!.stats.mismatches).toBe(0)
  } finally {
    await players.stop()
  }
})
