/** A Colyseus server on a free port, and players who play by themselves. */

import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { defineRoom, defineServer, matchMaker } from '@colyseus/core'
import { WebSocketTransport } from '@colyseus/ws-transport'
import { type AnyBot, type AnyGame, botInput } from 'hurtbox/tools'
import { expect } from 'vitest'
import { type GameConnection, type JoinChoices, joinGame } from '../src/client/index.ts'
import { type GameRoom, gameRoom, type RoomConfig } from '../src/index.ts'

export type TestServer = { readonly url: string; close(): Promise<void> }

/** Rooms by name. */
export async function startServer(rooms: Readonly<Record<string, RoomConfig>>): Promise<TestServer> {
  const server = defineServer({
    rooms: Object.fromEntries(Object.entries(rooms).map(([name, config]) => [name, defineRoom(gameRoom(config))])),
    transport: new WebSocketTransport(),
    greet: false,
  })
  await server.listen(0, '127.0.0.1')
  const { port } = server.transport.server!.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => server.gracefullyShutdown(false) }
}

/** The room behind a connection: it lives in this very process. */
export function roomOf(connection: GameConnection): GameRoom {
  return roomById(connection.room.roomId)
}

export function roomById(roomId: string): GameRoom {
  return matchMaker.getLocalRoomById(roomId) as GameRoom
}

/** Players with bots at the controls. */
export type Players = {
  readonly all: GameConnection[]
  /** As a hidden page: no frames are made, messages still come. */
  pause(): void
  stop(): Promise<void>
}

export function drive(all: GameConnection[], bots: readonly AnyBot[]): Players {
  const timer = setInterval(() => {
    for (const each of all) {
      each.update(performance.now(), (_tick, world) => botInput(bots[each.seat % bots.length], world, each.seat, 1))
    }
  }, 8)
  return {
    all,
    pause: () => clearInterval(timer),
    async stop() {
      clearInterval(timer)
      await Promise.all(all.map((each) => each.leave()))
    },
  }
}

export async function joinAll(url: string, game: AnyGame, choices: readonly JoinChoices[]): Promise<GameConnection[]> {
  const all: GameConnection[] = []
  for (const each of choices) {
    const roomId = all[0]?.room.roomId
    all.push(await joinGame(url, game, roomId === undefined || each.create ? each : { ...each, roomId }))
  }
  await Promise.all(all.map((each) => each.whenPlaying()))
  return all
}

/** Plays until every mirror has checked some hashes and every terminal has got some frames. */
export async function playOn(players: readonly GameConnection[], ticks: number): Promise<void> {
  const targets = players.map(
    ({ mirror, terminal }) => (mirror ? mirror.stats.hashChecks : terminal!.stats.frames) + ticks,
  )
  await until(`${ticks} more ticks`, () =>
    players.every(
      ({ mirror, terminal }, i) => (mirror ? mirror.stats.hashChecks : terminal!.stats.frames) >= targets[i],
    ),
  )
}

/** Two clients play a game in a room, one as a mirror where the game allows, one as a terminal; nothing differs, nothing is lost. */
export async function playTogether(
  { url }: TestServer,
  game: AnyGame,
  bots: readonly AnyBot[],
  room: string,
): Promise<void> {
  const hasFog = game.behaviour.visible !== undefined
  const all = await joinAll(url, game, [
    { room, create: true, mode: 'mirror', name: 'Ada' },
    { room, mode: 'terminal', name: 'Bob' },
  ])
  expect(all.map(({ mirror }) => mirror === undefined)).toEqual([hasFog, true])
  const players = drive(all, bots)
  await playOn(all, Math.min(24, 2 * game.declaration.tickRate))
  await until('round trips are known', () => all.every(({ rttMs = 0 }) => rttMs > 0))
  const { host } = roomOf(all[0])
  expect(host.status).toBe('running')
  for (const { desyncs, mirror, terminal } of all) {
    expect(desyncs).toEqual([])
    expect(mirror?.stats.mismatches ?? 0).toBe(0)
    expect((mirror ?? terminal)!.stats.malformed).toBe(0)
  }
  const names = [...all[0].room.state.roster.values()].map(({ name }) => name)
  expect(names).toContain('Ada')
  expect(names).toContain('Bob')
  for (const peer of host.peers) expect(peer.counts).toMatchObject({ malformed: 0, future: 0 })
  expect([...host.peers].every(({ counts }) => counts.accepted > 5)).toBe(true)
  await players.stop()
}

export async function until(what: string, isTrue: () => boolean, withinMs = 60_000): Promise<void> {
  const end = performance.now() + withinMs
  while (!isTrue()) {
    if (performance.now() > end) throw new Error(`not within ${withinMs} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** A way to the server on which everything takes `delayMs` longer, in both directions. */
export async function slowWay(url: string, delayMs: number): Promise<TestServer> {
  const sockets = new Set<Socket>()
  const proxy = createServer((client) => {
    const server = connect(Number(new URL(url).port), '127.0.0.1')
    for (const [from, to] of [
      [client, server],
      [server, client],
    ]) {
      sockets.add(from)
      from.setNoDelay(true)
      from.on('data', (data) => setTimeout(() => to.write(data), delayMs))
      from.on('close', () => setTimeout(() => to.destroy(), delayMs))
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

/** A way to the server on which what clients send waits, if it is to. */
export type HeldWay = TestServer & {
  /** Asked for everything that a client sends: a request begins with its method, what follows on a socket is binary. */
  mayPass: (sent: string) => boolean
  /** Each lets through what waits on one connection, oldest first. */
  readonly held: (() => void)[]
  /** Nothing passes any more on the connections that there are, as after a change of the address. Returns a function that ends them. */
  deaden(): () => void
  /** What the server says on the connections that there are waits until the function that is returned is called. */
  hush(): () => void
}

export async function heldWay(url: string): Promise<HeldWay> {
  const sockets = new Set<Socket>()
  const lines = new Set<{ isDead: boolean; unheard: Buffer[] | undefined; client: Socket }>()
  const proxy = createServer((client) => {
    const server = connect(Number(new URL(url).port), '127.0.0.1')
    const waiting: Buffer[] = []
    const line = { isDead: false, unheard: undefined as Buffer[] | undefined, client }
    lines.add(line)
    client.on('close', () => lines.delete(line))
    for (const [from, to] of [
      [client, server],
      [server, client],
    ]) {
      sockets.add(from)
      from.setNoDelay(true)
      from.on('close', () => to.destroy())
      from.on('error', () => to.destroy())
    }
    server.on('data', (data) => {
      if (line.unheard !== undefined) line.unheard.push(data)
      else if (!line.isDead) client.write(data)
    })
    client.on('data', (data) => {
      if (line.isDead) return
      if (waiting.length === 0 && way.mayPass(data.toString('latin1'))) server.write(data)
      else if (waiting.push(data) === 1) way.held.push(() => waiting.splice(0).map((each) => server.write(each)))
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const way: HeldWay = {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    mayPass: () => true,
    held: [],
    deaden() {
      const dead = [...lines]
      for (const each of dead) each.isDead = true
      return () => {
        for (const { client } of dead) client.destroy()
      }
    },
    hush() {
      const hushed = [...lines]
      for (const each of hushed) each.unheard = []
      return () => {
        for (const each of hushed) {
          for (const data of each.unheard ?? []) each.client.write(data)
          each.unheard = undefined
        }
      }
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
  return way
}
