/** Clients that say nothing: a hidden or frozen page keeps its seat, and what waits for it is bounded. */

import { addPeer, createHost, type Peer } from '@hurtbox/netcode/host'
import { hashWorld } from 'hurtbox'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { RATE, tag, whimsical } from '../../netcode/test/support.ts'
import type { GameConnection } from '../src/client/index.ts'
import { CLOSE, type CutReason, type RoomConfig } from '../src/index.ts'
import type { RoomCore } from '../src/room/core.ts'
import { createGuest, type Guest } from '../src/room/guest.ts'
import { hasRead, isQueueFull, reasonToCut } from '../src/room/outgoing.ts'
import { noteSilence } from '../src/room/presence.ts'
import { drive, heldWay, joinAll, playOn, roomOf, startServer, type TestServer, until } from './server.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

const SEAT_SECONDS = 4
const bots = [whimsical]
const cuts: CutReason[] = []
let server: TestServer
beforeAll(async () => {
  const hooks = { onCut: (_room: unknown, reason: CutReason) => cuts.push(reason) }
  const config = { game: tag, bots, fill: 4, hashEvery: 1, hooks }
  server = await startServer({
    brief: { ...config, seatSeconds: SEAT_SECONDS },
    long: { ...config, seatSeconds: 60 },
  })
})
afterAll(() => server.close())

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** A player in a match that goes on, with another who keeps it going. */
async function joinTwo(room: string, mode: 'mirror' | 'terminal') {
  const [other, player] = await joinAll(server.url, tag, [{ room, create: true }, { mode }])
  const others = drive([other], bots)
  return { player, others, room: roomOf(other), guest: guestOf(player) }
}

function guestOf(player: GameConnection): Guest {
  return roomOf(player).clients.find(({ userData }) => userData?.seat === player.seat)!.userData!
}

/** It follows the match again, and has what the host has. */
async function expectFollowing(player: GameConnection): Promise<void> {
  const { host } = roomOf(player)
  await playOn([player], 10)
  expect(player.status).toBe('playing')
  const { mirror } = player
  if (mirror === undefined) return
  expect(mirror.stats.mismatches).toBe(0)
  await until('a state of the same tick', () => mirror.confirmed.tick === host.world.tick)
  expect(hashWorld(mirror.confirmed)).toBe(hashWorld(host.world))
}

/** As the room sees a player who has had nothing of the match, and said nothing, for so long, with so much waiting. */
function behindBy(seconds: number, bufferedAmount = 0) {
  const host = createHost(tag, { replay: false })
  const peer = addPeer(host, 0, 'mirror')
  const welcomedAt = 100 * RATE
  peer.received = welcomedAt + RATE
  const config: RoomConfig = { game: tag }
  const seat = { sessionId: 's', seat: 0, mode: 'mirror', name: '', id: '', data: undefined, tokens: [] } as const
  const guest: Guest = { ...createGuest(seat, config), welcomedAt, heardAt: peer.received, queue: { bufferedAmount } }
  const then = { ...host, world: { tick: peer.received + seconds * RATE } }
  const room = { clock: { currentTime: 0 } }
  // A room that is moved shows no roster.
  const core = { host: then, config, room, seatSeconds: 60, isMoved: true } as unknown as RoomCore
  return { core, peer, guest }
}

test('[RM23] a client that speaks and is behind is cut when its seat would no more be kept, or sooner where a limit says so', () => {
  const reason = (seconds: number, seatSeconds = 60, limits: RoomConfig['limits'] = {}) => {
    const { core, peer, guest } = behindBy(seconds)
    return reasonToCut({ ...core, seatSeconds, config: { game: tag, limits } }, guest, peer)
  }
  expect([reason(11), reason(59), reason(61)]).toEqual([undefined, undefined, 'slow'])
  expect([reason(119, 120), reason(121, 120)]).toEqual([undefined, 'slow'])
  expect(reason(6, 60, { behindSeconds: 5 })).toBe('slow')
})

test('[RM52] a client is away when nothing was heard of it, or when it has not read for so long a quarter of what may wait; it is welcomed when it has read', () => {
  const bound = 512 * 1024
  const isAway = (seconds: number, bytes: number, change: (guest: Guest, peer: Peer) => void = () => {}) => {
    const { core, peer, guest } = behindBy(seconds, bytes)
    change(guest, peer)
    noteSilence(core, guest, peer)
    return guest.isAway
  }
  const speaks = (guest: Guest) => void (guest.heardAt = Number.POSITIVE_INFINITY)
  expect(isAway(3, 0)).toBe(true)
  expect(isAway(1.9, 0), 'it was heard').toBe(false)
  expect(isAway(3, bound / 4 + 1, speaks), 'it speaks and does not read').toBe(true)
  expect(isAway(3, bound / 4 - 1, speaks), 'what waits is little').toBe(false)
  expect(isAway(1, bound / 4 + 1, speaks), 'it is hardly behind').toBe(false)
  const isReading = (guest: Guest, peer: Peer) => {
    speaks(guest)
    peer.received = 0
  }
  expect(isAway(3, bound / 4 + 1, isReading), 'it may still read its welcome').toBe(false)
  const { guest, core } = behindBy(0, bound + 1)
  const waiting = (bufferedAmount: number) => ({ ...guest, queue: { bufferedAmount } })
  expect([isQueueFull(guest, core.config), isQueueFull(waiting(bound), core.config)]).toEqual([true, false])
  expect([hasRead(waiting(bound / 31), core.config), hasRead(waiting(bound / 33), core.config)]).toEqual([false, true])
})

test.each(['mirror', 'terminal'] as const)(
  '[RM51] a %s whose page stands still for a while goes on in its seat, and loses it after the time',
  async (mode) => {
    const { player, others, room } = await joinTwo('brief', mode)
    const { seat } = player
    let players = drive([player], bots)
    await playOn([player], 10)
    const { room: connection } = player
    players.pause()
    cuts.length = 0
    await sleep(SEAT_SECONDS * 500)
    players = drive([player], bots)
    await expectFollowing(player)
    expect([player.seat, player.room === connection, cuts]).toEqual([seat, true, []])
    players.pause()
    await until('the seat is given up', () => room.host.seats[seat].player === 'bot', 20_000)
    expect(cuts).toEqual(['away'])
    await until('it is told', () => player.status === 'ended')
    // A connection that goes with its last words unread is asked for again, and the answer says the same.
    expect([CLOSE.away, 4003]).toContain(player.ending?.code)
    expect(player.ending?.reason).toBe(`your seat was given away after ${SEAT_SECONDS} s`)
    await others.stop()
  },
)

test.each(['mirror', 'terminal'] as const)(
  '[RM52] a %s that reads again is welcomed anew, in its seat and on its connection',
  async (mode) => {
    const { player, others, guest, room } = await joinTwo('long', mode)
    const { seat } = player
    const thing = room.host.world.tables.players.thing[seat]
    let players = drive([player], bots)
    await playOn([player], 10)
    const { room: connection } = player
    players.pause()
    guest.queue = { bufferedAmount: 200_000 }
    await until('it is held back', () => guest.isAway)
    const [peer, { messagesIn }] = [guest.peer!, player.traffic]
    const { tick } = room.host.world
    await until('some seconds', () => room.host.world.tick > tick + 2 * RATE)
    expect(peer.outbox.length).toBeLessThanOrEqual(1)
    expect(player.traffic.messagesIn - messagesIn).toBeLessThan(5)
    guest.queue = { bufferedAmount: 0 }
    players = drive([player], bots)
    await expectFollowing(player)
    expect([player.seat, player.room === connection, guest.isAway]).toEqual([seat, true, false])
    expect(room.host.world.tables.players.thing[seat]).toBe(thing)
    await players.stop()
    await others.stop()
  },
)

test.each(['mirror', 'terminal'] as const)(
  '[RM53] a %s for whom too much waits loses its connection and not its seat',
  async (mode) => {
    const { player, others, guest, room } = await joinTwo('long', mode)
    const { seat } = player
    const players = drive([player], bots)
    await playOn([player], 10)
    const { room: connection } = player
    cuts.length = 0
    guest.queue = { bufferedAmount: 600_000 }
    await until('its connection ends', () => player.status === 'reconnecting')
    await until('it is back', () => player.status === 'playing')
    await expectFollowing(player)
    expect(cuts).toEqual(['slow'])
    expect([player.seat, player.room === connection, room.host.seats[seat].player]).toEqual([seat, false, guest.peer])
    await players.stop()
    await others.stop()
  },
)

test('[RM50] a client that comes back too late is told so at once', async () => {
  const way = await heldWay(server.url)
  const [other] = await joinAll(server.url, tag, [{ room: 'brief', create: true }])
  const [player] = await joinAll(way.url, tag, [{ roomId: other.room.roomId }])
  const players = drive([other, player], bots)
  const { host } = roomOf(other)
  const { seat } = player
  // Its questions do not arrive until the seat is gone.
  way.mayPass = (sent) => !sent.startsWith('POST')
  ;(player.room.connection.transport as unknown as { ws: { close(): void } }).ws.close()
  await until('the seat is given up', () => host.seats[seat].player === 'bot', 20_000)
  expect(player.status).toBe('reconnecting')
  way.mayPass = () => true
  const from = performance.now()
  for (const pass of way.held) pass()
  await until('it is told', () => player.status === 'ended')
  expect(player.ending).toEqual({ code: 4003, reason: `your seat was given away after ${SEAT_SECONDS} s` })
  // Ten seconds before; on a busy machine a question takes its time.
  expect(performance.now() - from).toBeLessThan(5_000)
  await players.stop()
  await way.close()
})
