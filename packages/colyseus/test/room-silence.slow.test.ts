/** Clients that say nothing: a hidden or frozen page keeps its seat, and what waits for it is bounded. */

import { addPeer, createHost } from '@hurtbox/netcode/host'
import { hashWorld } from 'hurtbox'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { RATE, tag, whimsical } from '../../netcode/test/support.ts'
import type { GameConnection } from '../src/client/index.ts'
import { CLOSE, type CutReason } from '../src/index.ts'
import { createGuest, type Guest } from '../src/room/guest.ts'
import { isHeldBack, isQueueFull, reasonToCut } from '../src/room/outgoing.ts'
import { drive, heldWay, joinAll, playOn, roomOf, startServer, type TestServer, until } from './server.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

const SEAT_SECONDS = 2.5
const bots = [whimsical]
const cuts: CutReason[] = []
let server: TestServer
beforeAll(async () => {
  const hooks = { onCut: (_room: unknown, reason: CutReason) => cuts.push(reason) }
  const config = { game: tag, bots, fill: 4, hashEvery: 1, hooks }
  server = await startServer({
    brief: { ...config, reconnectSeconds: SEAT_SECONDS },
    long: { ...config, reconnectSeconds: 60 },
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

/** As the room sees a player of whom nothing was heard for so long, with so much waiting. */
function silentFor(seconds: number, bufferedAmount = 0) {
  const host = createHost(tag, { replay: false })
  const peer = addPeer(host, 0, 'mirror')
  const welcomedAt = 100 * RATE
  peer.received = welcomedAt + RATE
  const config = { game: tag }
  const seat = { sessionId: 's', seat: 0, mode: 'mirror', name: '', id: '', data: undefined, tokens: [] } as const
  const guest: Guest = { ...createGuest(seat, config), welcomedAt, queue: { bufferedAmount } }
  const then = { ...host, world: { tick: peer.received + seconds * RATE } } as typeof host
  return { host: then, peer, guest, config }
}

test('[RM51] silence is no reason to cut a client before the time has passed for which its seat would be kept: 60 s', () => {
  const reason = (seconds: number, options: object = {}) => {
    const { host, peer, guest, config } = silentFor(seconds)
    return reasonToCut(host, guest, peer, { ...config, ...options })
  }
  expect([reason(11), reason(59), reason(61)]).toEqual([undefined, undefined, 'slow'])
  expect([reason(119, { reconnectSeconds: 120 }), reason(121, { reconnectSeconds: 120 })]).toEqual([undefined, 'slow'])
  expect(reason(6, { limits: { behindSeconds: 5 } })).toBe('slow')
})

test('[RM52] a client that says nothing, does not read, and has a quarter of the bound waiting is sent nothing until it has read that', () => {
  const bound = 512 * 1024
  const held = (
    seconds: number,
    bytes: number,
    change: (guest: Guest, peer: { received: number }) => void = () => {},
  ) => {
    const { host, peer, guest, config } = silentFor(seconds, bytes)
    change(guest, peer)
    return isHeldBack(host, guest, peer, config)
  }
  expect(held(3, bound / 4 + 1)).toBe(true)
  expect(held(3, bound / 4 - 1), 'what waits is little').toBe(false)
  expect(held(1, bound / 4 + 1), 'it was heard').toBe(false)
  expect(
    held(3, bound / 4 + 1, (_, peer) => void (peer.received = 0)),
    'it may still read its welcome',
  ).toBe(false)
  // Once held back, until little waits.
  expect(held(3, bound / 8, (guest) => void (guest.isHeldBack = true))).toBe(true)
  expect(held(3, bound / 64, (guest) => void (guest.isHeldBack = true))).toBe(false)
  const { guest, config } = silentFor(0, bound + 1)
  expect([isQueueFull(guest, config), isQueueFull({ ...guest, queue: { bufferedAmount: bound } }, config)]).toEqual([
    true,
    false,
  ])
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
    expect(cuts).toEqual(['slow'])
    await until('it is told', () => player.status === 'ended')
    expect([CLOSE.slow, 4003]).toContain(player.ending?.code)
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
    await until('it is held back', () => guest.isHeldBack)
    const [peer, { messagesIn }] = [guest.peer!, player.traffic]
    const { tick } = room.host.world
    await until('some seconds', () => room.host.world.tick > tick + 2 * RATE)
    expect(peer.outbox.length).toBeLessThanOrEqual(1)
    expect(player.traffic.messagesIn - messagesIn).toBeLessThan(5)
    guest.queue = { bufferedAmount: 0 }
    players = drive([player], bots)
    await expectFollowing(player)
    expect([player.seat, player.room === connection, guest.isHeldBack]).toEqual([seat, true, false])
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
  expect(player.ending).toEqual({ code: 4003, reason: 'the seat was given up' })
  // Ten seconds before; on a busy machine a question takes its time.
  expect(performance.now() - from).toBeLessThan(5_000)
  await players.stop()
  await way.close()
})
