/** Matches of the real games on the real server: what it logs, counts and keeps of them. */

import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Protocol } from '@colyseus/core'
import { replayFolder as writeReplays } from '@hurtbox/colyseus'
import { type GameConnection, joinGame, type PeerConnectionClass } from '@hurtbox/colyseus/client'
import { type Datagrams, startDatagrams } from '@hurtbox/datagrams'
import { helloOf } from '@hurtbox/netcode'
import { loadModule, loadModules } from 'hurtbox/module/node'
import { loadReplay, verifyReplay } from 'hurtbox/replay'
import { botInput } from 'hurtbox/tools'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { freeUdpPort, RTCPeerConnection } from '../../../packages/datagrams/test/channels.ts'
import { createLog } from '../../../packages/server/src/log.ts'
import { createMetrics } from '../../../packages/server/src/metrics.ts'
import { gameRooms } from '../../../packages/server/src/rooms.ts'
import {
  ask,
  metricOf,
  reserve,
  seatPath,
  startTestServer,
  type TestServer,
  TOKEN,
  until,
} from '../../../packages/server/test/support.ts'

type LogLine = Readonly<Record<string, unknown>>

const games = (await loadModules()).modules.filter(({ room }) => room !== undefined)
const replayFolder = mkdtempSync(join(tmpdir(), 'hurtbox-matches-'))
const lines: LogLine[] = []
let server: TestServer
let datagrams: Datagrams | undefined
beforeAll(async () => {
  datagrams = await startDatagrams({ port: await freeUdpPort() })
  const log = createLog('debug', { write: (line) => lines.push(JSON.parse(line)) })
  const metrics = createMetrics()
  server = await startTestServer({
    rooms: gameRooms({
      games,
      datagrams: () => datagrams,
      replays: writeReplays(replayFolder),
      matches: undefined,
      metrics,
      log,
    }),
    metrics,
    log,
    replayFolder,
  })
}, 60_000)
afterAll(async () => {
  await server?.close()
  datagrams?.close()
  rmSync(replayFolder, { recursive: true })
})

/** Two scripted players in a room of their own; they play until `isDone`. */
async function play(id: string, isDone: () => boolean | Promise<boolean>, firstOf?: PeerConnectionClass) {
  const { game, bots } = await loadModule(id)
  const first = await joinGame(server.url, game, { create: true, ...(firstOf && { datagrams: firstOf }) })
  const second = await joinGame(server.url, game, { roomId: first.room.roomId })
  const players: GameConnection[] = [first, second]
  const timer = setInterval(() => {
    for (const player of players) {
      player.update(performance.now(), (_, world) => botInput(bots[0], world, player.seat, player.seat))
    }
  }, 16)
  await Promise.all(players.map((player) => player.whenPlaying()))
  await until(`${id} is done`, isDone, 30_000)
  return {
    players,
    async leave() {
      clearInterval(timer)
      await Promise.all(players.map((player) => player.leave()))
    },
  }
}

test('[SV22] every hit in Jet Raiders is a line of the log at debug, with the four values of the document, and counted', async () => {
  const hits = () => lines.filter(({ msg }) => msg === 'player hit')
  const match = await play('jet-raiders', () => hits().length >= 3)
  await match.leave()
  const counted = () => metricOf(server, 'hurtbox_events_total', 'game="jet-raiders",kind="hit"')
  await until('all are counted', async () => (await counted()) === hits().length)
  for (const line of hits()) {
    expect(line).toMatchObject({
      level: 20,
      game: 'jet-raiders',
      room: match.players[0].room.roomId,
      tick: expect.any(Number),
      victim_id: expect.any(Number),
      shooter_id: expect.any(Number),
      projectile_id: expect.any(Number),
      victim_hp: expect.any(Number),
    })
    expect(line.victim_id).not.toBe(line.shooter_id)
  }
})

describe.for(games.map(({ id }) => id))('%s', (id) => {
  test(`[SV23] [SV24] ${id}: two play, ticks and inputs are counted, the replay is downloaded and verifies`, async () => {
    const label = `game="${id}"`
    const ticks = () => metricOf(server, 'hurtbox_tick_seconds_count', label)
    const inputs = () => metricOf(server, 'hurtbox_inputs_total', label)
    await until('the last match is gone', async () => (await metricOf(server, 'hurtbox_rooms', label)) === 0)
    const [ticksBefore, inputsBefore] = [await ticks(), await inputs()]
    const match = await play(id, async () => (await ticks()) - ticksBefore > 17 && (await inputs()) > inputsBefore)
    expect(await metricOf(server, 'hurtbox_clients', label)).toBe(2)
    expect(await metricOf(server, 'hurtbox_rooms', label)).toBe(1)
    const desyncs = match.players.flatMap(({ desyncs }) => desyncs)
    await match.leave()
    expect(desyncs).toEqual([])

    const { roomId } = match.players[0].room
    let name = ''
    await until('the replay is whole', async () => {
      const { body } = await ask(server, '/monitor/data.json', { headers: { authorization: `Bearer ${TOKEN}` } })
      name = JSON.parse(body).replays.find((replay: { name: string }) => replay.name.includes(roomId))?.name ?? ''
      return name !== ''
    })
    const bytes = new Uint8Array(await (await fetch(`${server.url}/replays/${name}`)).arrayBuffer())
    const { game } = await loadModule(id)
    const replay = loadReplay(game, bytes)
    expect(verifyReplay(game, replay)).toMatchObject({ ok: true })
    expect(replay.ticks).toBeGreaterThan(17)
  })
})

test('[SV31] a lost seat is for the client that has its token, which has 128 bits, serves once, and is in no log', async () => {
  const { game } = await loadModule('sumo')
  // By hand: our own client would take the seat back at once.
  const seat = await reserve(server, 'create', 'sumo', JSON.stringify({ hello: helloOf(game) }))
  const { roomId, sessionId } = JSON.parse(seat.body)
  const first = new WebSocket(`ws://127.0.0.1:${server.port}${seatPath(seat)}`)
  const [joined] = (await once(first, 'message')) as [Buffer]
  const token = joined.toString('latin1', 2, 2 + joined[1])
  first.send(Uint8Array.of(Protocol.JOIN_ROOM))
  await once(first, 'message')
  first.close()
  await once(first, 'close')
  /** 101 when let in, else the code it was closed with. */
  const take = (query: string) =>
    new Promise<number>((resolve) => {
      const address = `ws://127.0.0.1:${server.port}/any/${roomId}?sessionId=${sessionId}${query}`
      const socket = new WebSocket(address)
      socket.on('message', (data: Buffer) => data[0] === Protocol.JOIN_ROOM && resolve(101))
      socket.on('close', resolve)
    })
  const askBack = async (reconnectionToken: string) =>
    (await reserve(server, 'reconnect', roomId, JSON.stringify({ reconnectionToken }))).status
  expect(await take('')).toBe(4002)
  expect(await take('&reconnectionToken=guessed')).toBe(4003)
  // Matchmaking prepares the seat for a token that is right; one that is not must not become right by asking.
  expect(await askBack('guessed')).not.toBe(200)
  expect(await take('&reconnectionToken=guessed')).toBe(4003)
  expect(await askBack(token)).toBe(200)
  expect(await take(`&reconnectionToken=${token}`)).toBe(101)
  expect(await take(`&reconnectionToken=${token}`)).toBe(4003)
  expect(Buffer.from(token, 'base64url').length).toBeGreaterThanOrEqual(16)
  expect(JSON.stringify(lines)).not.toContain(token)
})

test('[SV67] one plays by datagrams and one by the socket: inputs, messages and bytes are counted by path', async () => {
  const names = ['hurtbox_inputs_total', 'hurtbox_messages_total', 'hurtbox_message_bytes_total']
  const counted = async (path: string) => Promise.all(names.map((name) => metricOf(server, name, `path="${path}"`)))
  expect(await counted('datagram')).toEqual([0, 0, 0])
  const before = await counted('socket')
  const isCounted = async () =>
    (await counted('datagram')).every((count) => count >= 50) &&
    (await counted('socket')).every((count, i) => count >= before[i] + 50)
  const match = await play('jet-raiders', isCounted, RTCPeerConnection as unknown as PeerConnectionClass)
  expect(match.players[1].network.path).toBe('stream')
  await match.leave()
})

test('[SV23] [SV25] mirrors report their rollbacks; closing ends their match and finishes its replay', async () => {
  const match = await play('sumo', async () => (await metricOf(server, 'hurtbox_rollbacks_total', 'game="sumo"')) > 0)
  const { roomId } = match.players[0].room
  await server.close()
  await until('every client is notified', () => match.players.every(({ status }) => status === 'ended'))
  expect(match.players.map(({ ending }) => ending?.code)).toEqual([4001, 4001])
  const files = readdirSync(replayFolder)
  expect(files.filter((file) => file.endsWith('.part'))).toEqual([])
  expect(files.some((file) => file.includes(roomId))).toBe(true)
  await match.leave()
})
