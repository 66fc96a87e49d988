/** Rooms on real sockets, with the real SDK. */

import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { matchMaker } from '@colyseus/core'
import { Client } from '@colyseus/sdk'
import { helloOf, PROTOCOL_VERSION, refusalOf, SPECTATOR } from '@hurtbox/netcode'
import { pauseHost } from '@hurtbox/netcode/host'
import { defineGame, each, hashWorld } from 'hurtbox'
import { loadReplay, verifyReplay } from 'hurtbox/replay'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { declaration, fogTag, tag, whimsical } from '../../../netcode/test/support.ts'
import {
  drive,
  heldWay,
  joinAll,
  playOn,
  playTogether,
  roomOf,
  slowWay,
  startServer,
  type TestServer,
  until,
} from '../../test/server.ts'
import { connect, joinGame } from '../client/index.ts'
import { gameRoom, replayFolder } from '../index.ts'

// Real time: on a busy machine everything takes longer.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 })

const folder = mkdtempSync(join(tmpdir(), 'hurtbox-room-'))
const desyncs: string[] = []
const bots = [whimsical]
let server: TestServer

beforeAll(async () => {
  const hooks = {
    onDesync: (_room: unknown, seat: number, difference: string) => desyncs.push(`${seat}: ${difference}`),
  }
  server = await startServer({
    tag: { game: tag, bots, fill: 4, hashEvery: 1, hooks, replays: replayFolder(folder) },
    chance: { game: tag, bots, fill: 4, hashEvery: 1, entropyEvery: 2, replays: replayFolder(folder) },
    impatient: { game: tag, bots, fill: 4, hashEvery: 1, seatSeconds: 1 },
    small: { game: tag, spectators: 1 },
    fog: { game: fogTag, bots, fill: 4 },
  })
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

for (const [room, game] of Object.entries({ tag, fog: fogTag })) {
  test(`[RM1] two clients play ${room}, one a mirror where the game allows, one a terminal`, () =>
    playTogether(server, game, bots, room))
}

test('[RM2] a late player sees what the others see; bots play the empty seats', async () => {
  const all = await joinAll(server.url, tag, [{ create: true, room: 'tag' }])
  const players = drive(all, bots)
  const room = roomOf(all[0])
  expect(room.host.world.tables.players.count).toBeLessThanOrEqual(4)
  await playOn(all, 60)
  expect(room.host.world.tables.players.count).toBe(4)
  const late = await joinGame(server.url, tag, { roomId: all[0].room.roomId })
  await late.whenPlaying()
  all.push(late)
  await playOn(all, 30)
  expect(late.seat).toBe(1)
  expect(late.mirror!.stats.mismatches).toBe(0)
  expect(late.corrections.count).toBe(late.mirror!.stats.rollbacks)
  expect(late.corrections.largest).toBeGreaterThanOrEqual(late.corrections.last)
  expect(hashWorld(late.mirror!.confirmed)).toHaveLength(16)
  // The bot's seat was taken over, not added.
  expect(room.host.world.tables.players.count).toBe(4)
  const { roster } = room.state
  expect([...roster.values()].map(({ isBot }) => isBot)).toEqual([false, false, true, true])
  // And goes back to a bot.
  await late.leave()
  all.pop()
  await until('a bot sits down', () => room.host.seats[1].player === 'bot')
  await playOn(all, 10)
  expect([...all[0].room.state.roster.values()].filter(({ isBot }) => isBot)).toHaveLength(3)
  await players.stop()
})

test('[RM3] a lost connection comes back to the same seat and the same thing, with a new token', async () => {
  const all = await joinAll(server.url, tag, [{ room: 'tag', create: true, name: 'Ada' }, { name: 'Bob' }])
  const players = drive(all, bots)
  await playOn(all, 20)
  const [ada, bob] = all
  const { host } = roomOf(ada)
  const thing = host.world.tables.players.thing[bob.seat]
  const { seat } = bob
  const token = bob.room.reconnectionToken
  // As when the cable is pulled: no closing words.
  ;(bob.room.connection.transport as unknown as { ws: { terminate?(): void; close(): void } }).ws.close()
  await until('the drop is noticed', () => bob.status === 'reconnecting')
  await until('Bob is back', () => bob.status === 'playing' && [...host.peers].length === 2)
  await playOn(all, 20)
  expect(bob.seat).toBe(seat)
  expect(host.world.tables.players.thing[seat]).toBe(thing)
  expect(bob.mirror!.stats.mismatches).toBe(0)
  const again = bob.room.reconnectionToken
  expect(again).not.toBe(token)
  // 128 bits, and worth nothing a second time.
  expect(again.split(':')[1]).toMatch(/^[\w-]{22}$/)
  await expect(new Client(server.url).reconnect(token)).rejects.toThrow()
  await players.stop()
})

/** Takes a seat and says nothing, so the room does not know whether the token has arrived. */
async function comeSilently(how: string, roomId: string, options: object, secret?: string) {
  const answer = await fetch(`${server.url}/matchmake/${how}/${roomId}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(options),
  })
  const { sessionId, processId, error } = (await answer.json()) as Record<string, string>
  if (sessionId === undefined) throw new Error(error)
  const address = `${server.url.replace('http', 'ws')}/${processId}/${roomId}`
  const socket = new WebSocket(
    `${address}?sessionId=${sessionId}${secret === undefined ? '' : `&reconnectionToken=${secret}`}`,
  )
  socket.binaryType = 'arraybuffer'
  const [{ data }] = await once(socket, 'message')
  const bytes = Buffer.from(data)
  return { socket, token: `${roomId}:${bytes.subarray(2, 2 + bytes[1])}` }
}

function returnSilently(token: string): Promise<{ socket: WebSocket; token: string }> {
  const [roomId, secret] = token.split(':')
  return comeSilently('reconnect', roomId, { reconnectionToken: secret }, secret)
}

test.each([
  ['the old token, and the connection still stands', 'old', false],
  ['the old token', 'old', true],
  ['the new token', 'new', true],
] as const)(
  '[FB6] a connection that breaks while the new token is on its way costs no seat: %s',
  async (_, which, isNoticed) => {
    const all = await joinAll(server.url, tag, [{ room: 'tag', create: true }])
    const players = drive(all, bots)
    const options = { hello: helloOf(tag) }
    const room = await new Client(server.url).joinById(all[0].room.roomId, options)
    const bob = connect(tag, room)
    await bob.whenPlaying()
    const { host } = roomOf(all[0])
    const before = bob.room.reconnectionToken
    bob.room.reconnection.enabled = false
    ;(bob.room.connection.transport as unknown as { ws: { close(): void } }).ws.close()
    await until('the drop is noticed', () => host.peers.size === 1)
    // Twice: what was true once must not stand in the way later.
    let { socket, token } = await returnSilently(before)
    expect(token).not.toBe(before)
    if (isNoticed) {
      socket.close()
      await until('the second drop is noticed', () => roomOf(all[0]).clients.length === 1)
    }
    ;({ socket, token } = await returnSilently(which === 'old' ? before : token))
    socket.close()
    await until('the third drop is noticed', () => roomOf(all[0]).clients.length === 1)
    const back = await new Client(server.url).reconnect(token)
    const again = connect(tag, back)
    await again.whenPlaying()
    expect(again.seat).toBe(bob.seat)
    // And now that it has a token, the ones before are worth nothing.
    for (const old of [before, token]) await expect(new Client(server.url).reconnect(old)).rejects.toThrow()
    await again.leave()
    await players.stop()
  },
)

test('[RM42] a room that answers two questions for a seat ends the connection of one of them, and not the match', async () => {
  const way = await heldWay(server.url)
  const all = await joinAll(server.url, tag, [{ room: 'tag', create: true }])
  const bob = await joinGame(way.url, tag, { roomId: all[0].room.roomId })
  const players = drive([...all, bob], bots)
  await bob.whenPlaying()
  const { room: before, seat } = bob
  // As at a server that was stopped, the second question arrives when the first has its seat, and its client has not said that it came.
  way.mayPass = (sent) => !sent.startsWith('POST')
  ;(before.connection.transport as unknown as { ws: { close(): void } }).ws.close()
  await until('two questions are asked', () => way.held.length === 2)
  const [ask, askAgain] = way.held
  way.mayPass = (sent) => sent.startsWith('GET')
  ask()
  await until('the first is answered', () => bob.room !== before)
  const { room: first } = bob
  way.mayPass = () => true
  askAgain()
  await until('its connection ends', () => !first.connection.isOpen)
  await until('Bob is back', () => bob.status === 'playing' || bob.status === 'ended')
  expect([bob.status, bob.ending, bob.seat]).toEqual(['playing', undefined, seat])
  await playOn([bob], 10)
  await players.stop()
  await way.close()
})

test('[RM43] a client that was itself stopped does not take its server for dead', async () => {
  const all = await joinAll(server.url, tag, [{ room: 'tag', create: true }])
  const players = drive(all, bots)
  await playOn(all, 10)
  const { room } = all[0]
  const clock = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => clock() + 5_000)
  try {
    all[0].update(performance.now(), () => ({}))
    await playOn(all, 10)
    expect([all[0].status, all[0].room === room]).toEqual(['playing', true])
  } finally {
    await players.stop()
    vi.restoreAllMocks()
  }
})

test('[RM44] a seat that was given up while the server did not answer is asked for again', async () => {
  const way = await heldWay(server.url)
  const all = await joinAll(server.url, tag, [{ room: 'tag', create: true }])
  const players = drive(all, bots)
  const room = roomOf(all[0])
  const { seatReservationTimeout } = room
  room.seatReservationTimeout = 0.05
  way.mayPass = (sent) => !sent.startsWith('GET')
  const joining = joinGame(way.url, tag, { roomId: room.roomId })
  await until('the seat is to be taken', () => way.held.length === 1)
  await until('and given up', () => Object.keys(Reflect.get(room, '_reservedSeats')).length === 0)
  room.seatReservationTimeout = seatReservationTimeout
  way.mayPass = () => true
  way.held[0]()
  const late = await joining
  await late.whenPlaying()
  expect(late.seat).toBe(1)
  await late.leave()
  await players.stop()
  await way.close()
})

test('[RM45] a connection that breaks before its player has said that it has come costs no seat', async () => {
  const all = await joinAll(server.url, tag, [{ room: 'tag', create: true }])
  const players = drive(all, bots)
  const room = roomOf(all[0])
  const { socket, token } = await comeSilently('joinById', room.roomId, { hello: helloOf(tag) })
  const [, guest] = room.clients
  const { seat } = guest.userData!
  socket.close()
  await until('the drop is noticed', () => room.clients.length === 1)
  const back = connect(tag, await new Client(server.url).reconnect(token))
  await back.whenPlaying()
  expect(back.seat).toBe(seat)
  await back.leave()
  await players.stop()
})

test('[RM4] a player who does not come back in time loses the seat to a bot', async () => {
  const all = await joinAll(server.url, tag, [{ room: 'impatient', create: true }])
  const players = drive(all, bots)
  const room = await new Client(server.url).joinById(all[0].room.roomId, { hello: helloOf(tag) })
  const bob = connect(tag, room)
  await bob.whenPlaying()
  await playOn(all, 10)
  const { host } = roomOf(all[0])
  bob.room.reconnection.enabled = false
  ;(bob.room.connection.transport as unknown as { ws: { close(): void } }).ws.close()
  await until('the seat is idle', () => host.peers.size === 1)
  expect(host.seats[bob.seat].player).not.toBe('bot')
  await until('a bot takes over', () => host.seats[bob.seat].player === 'bot', 10_000)
  await players.stop()
})

test('[RM5] a spectator sees the match as a terminal and touches nothing', async () => {
  const all = await joinAll(server.url, tag, [
    { room: 'tag', create: true },
    { spectate: true, mode: 'mirror', name: 'Eve' },
  ])
  const players = drive(all, bots)
  await playOn(all, 30)
  const [, eve] = all
  expect([eve.seat, eve.mirror]).toEqual([SPECTATOR, undefined])
  expect(eve.terminal!.after.tables.things.count).toBeGreaterThan(0)
  expect(all[0].room.state.spectators).toBe(1)
  expect([...all[0].room.state.roster.values()].map(({ name }) => name)).not.toContain('Eve')
  await players.stop()
})

test('[RM6] a full room says so, others go on to the next, and can still watch', async () => {
  const first = await joinAll(
    server.url,
    tag,
    Array.from({ length: 8 }, () => ({ room: 'small' })),
  )
  const { roomId } = first[0].room
  await expect(joinGame(server.url, tag, { roomId })).rejects.toThrow(/Every seat is taken/)
  const ninth = await joinGame(server.url, tag, { room: 'small' })
  expect(ninth.room.roomId).not.toBe(roomId)
  const watcher = await joinGame(server.url, tag, { roomId, spectate: true })
  await watcher.whenPlaying()
  await expect(joinGame(server.url, tag, { roomId, spectate: true })).rejects.toThrow(/spectator|locked/)
  await Promise.all([...first, ninth, watcher].map((each) => each.leave()))
})

test('[RM7] a client of another build or protocol is refused, with the reason', async () => {
  const other = defineGame({ ...declaration, rulesVersion: 2 }, tag.behaviour as never)
  await expect(joinGame(server.url, other, { room: 'tag' })).rejects.toThrow(/another build of tag.*Reload/)
  const client = new Client(server.url)
  const hello = { ...helloOf(tag), protocol: 99 }
  await expect(client.joinOrCreate('tag', { hello })).rejects.toThrow(
    `speaks protocol ${PROTOCOL_VERSION}, your game 99`,
  )
  await expect(client.joinOrCreate('tag')).rejects.toThrow(/your game none/)
  for (const nonsense of [
    null,
    5,
    'x',
    { protocol: {}, fingerprint: [] },
    { protocol: PROTOCOL_VERSION, fingerprint: { length: 1e9 } },
  ]) {
    expect(refusalOf(tag, nonsense)).toMatch(/^This server/)
  }
})

test('[RM70] a seat that was given without a look at the build is refused by the room, and disturbs nobody', async () => {
  const all = await joinAll(server.url, tag, [{ room: 'tag', create: true }])
  const players = drive(all, bots)
  const { roomId } = all[0].room
  const other = defineGame({ ...declaration, rulesVersion: 2 }, tag.behaviour as never)
  // As a process of another build gives it.
  const seat = await matchMaker.joinById(roomId, { hello: helloOf(other) })
  const asked = new Client(server.url).consumeSeatReservation(seat)
  await expect(asked).rejects.toMatchObject({
    code: 426,
    message: expect.stringMatching(/another build of tag.*Reload/),
  })
  await playOn(all, 2)
  expect(roomOf(all[0]).host.peers.size).toBe(1)
  await players.stop()
})

test('[RM8] a player who is alone may pause the match; with several players it goes on', async () => {
  const all = await joinAll(server.url, tag, [{ room: 'tag', create: true }])
  const players = drive(all, bots)
  const { host } = roomOf(all[0])
  await playOn(all, 10)
  all[0].pause(true)
  await until('the match rests', () => host.world.paused)
  const { clock } = host.world
  await playOn(all, 10)
  expect(host.world.clock).toBe(clock)
  all[0].pause(false)
  await until('the match goes on', () => host.world.clock > clock)
  const second = await joinGame(server.url, tag, { roomId: all[0].room.roomId })
  await second.whenPlaying()
  all.push(second)
  all[0].pause(true)
  await playOn(all, 20)
  expect(host.world.paused).toBe(false)
  await players.stop()
})

test('[RM14] a pause ends when a second player comes', async () => {
  const all = await joinAll(server.url, tag, [{ room: 'tag', create: true }])
  const players = drive(all, bots)
  const { host } = roomOf(all[0])
  await playOn(all, 10)
  all[0].pause(true)
  await until('the match rests', () => host.world.paused)
  const watcher = await joinGame(server.url, tag, { roomId: all[0].room.roomId, spectate: true })
  await watcher.whenPlaying()
  watcher.pause(false)
  const { tick } = host.world
  await until('some ticks', () => host.world.tick > tick + 10)
  expect(host.world.paused, 'a spectator is no player').toBe(true)
  const second = await joinGame(server.url, tag, { roomId: all[0].room.roomId })
  await second.whenPlaying()
  all.push(second)
  await until('the match goes on', () => !host.world.paused, 5_000)
  await watcher.leave()
  await players.stop()
})

test('[RM14] no player can pause while the other reconnects, and every player may end a pause', async () => {
  const all = await joinAll(server.url, tag, [{ room: 'tag', create: true }, {}])
  const players = drive(all, bots)
  await playOn(all, 10)
  const [ada, bob] = all
  const { host } = roomOf(ada)
  ;(bob.room.connection.transport as unknown as { ws: { close(): void } }).ws.close()
  await until('Bob is away', () => host.peers.size === 1)
  let wasPaused = false
  const spam = setInterval(() => {
    ada.pause(true)
    wasPaused ||= host.world.paused
  }, 5)
  await until('Bob is back', () => bob.status === 'playing' && host.peers.size === 2)
  clearInterval(spam)
  const { tick } = host.world
  await until('some ticks', () => host.world.tick > tick + 10)
  expect([wasPaused, host.world.paused]).toEqual([false, false])
  // However it came to rest.
  pauseHost(host, true)
  await until('the match rests', () => host.world.paused)
  bob.pause(false)
  await until('the match goes on', () => !host.world.paused, 5_000)
  await players.stop()
})

test('[RM15] a room keeps its ticks when the clock of the machine is set back', async () => {
  const { now } = Date
  let setByMs = 0
  // From before the room is made: a clock may hold on to the function.
  const spy = vi.spyOn(Date, 'now').mockImplementation(() => now() + setByMs)
  const all = await joinAll(server.url, tag, [{ room: 'tag', create: true }])
  const players = drive(all, bots)
  const { host } = roomOf(all[0])
  await playOn(all, 10)
  /** Ticks of the match in half a second by the clock that cannot be set. */
  const ticks = async () => {
    const before = host.world.tick
    await new Promise((resolve) => setTimeout(resolve, 500))
    return host.world.tick - before
  }
  const control = await ticks()
  setByMs = -2 * 3600 * 1000
  const back = await ticks()
  setByMs = 3600 * 1000
  const ahead = await ticks()
  spy.mockRestore()
  expect(control).toBeGreaterThan(0)
  expect(back).toBeGreaterThan(control / 2)
  expect(ahead).toBeGreaterThan(control / 2)
  expect(all[0].status).toBe('playing')
  await players.stop()
})

test('[NC30] a room draws entropy where its config asks for it; mirrors agree and the replay verifies', async () => {
  const all = await joinAll(server.url, tag, [{ room: 'chance', create: true, mode: 'mirror' }, { mode: 'mirror' }])
  const players = drive(all, bots)
  const { host } = roomOf(all[0])
  const drawn = new Set<number>()
  for (let i = 0; i < 5; i++) {
    await playOn(all, 4)
    drawn.add(host.world.entropy)
    expect(all.map(({ mirror }) => mirror!.stats.mismatches)).toEqual([0, 0])
  }
  expect(drawn.size).toBe(5)
  const { roomId } = all[0].room
  await players.stop()
  const replays = () => readdirSync(folder).filter((name) => name.includes(roomId) && name.endsWith('.hbr'))
  await until('the replay is written', () => replays().length === 1)
  const replay = loadReplay(tag, new Uint8Array(readFileSync(join(folder, replays()[0]))))
  expect(verifyReplay(tag, replay)).toMatchObject({ ok: true })
  for (const entropyEvery of [0, -1, 1.5, Number.NaN]) {
    expect(() => gameRoom({ game: tag, entropyEvery })).toThrow(/entropyEvery/)
  }
})

test('[RM11] a desync is repaired over the socket, and the server gets what differed', async () => {
  const all = await joinAll(server.url, tag, [{ room: 'tag', create: true, mode: 'mirror' }])
  const players = drive(all, bots)
  await playOn(all, 65)
  const { mirror } = all[0]
  mirror!.confirmed.tables.things.hp[1] += 1
  await until('it is repaired', () => all[0].desyncs.length === 1)
  const [{ differences }] = all[0].desyncs
  expect(differences.some(({ table, column }) => table === 'things' && column === 'hp')).toBe(true)
  await until('the server knows', () => desyncs.length === 1)
  expect(desyncs[0]).toMatch(/^0: tick \d+: things row 1 .* hp is .* here and .* there$/)
  await playOn(all, 20)
  expect(mirror!.stats.mismatches).toBe(1)
  await players.stop()
})

test('[RM12] fog on the wire: a client is a terminal whatever it asks for, and never gets what its team does not see', async () => {
  const all = await joinAll(server.url, fogTag, [{ room: 'fog', create: true, mode: 'mirror' }])
  const players = drive(all, bots)
  const room = roomOf(all[0])
  const everSeen = new Set<number>()
  const everShown = new Set<number>()
  const step = room.host.terminal
  expect(all[0].mirror).toBeUndefined()
  for (let i = 0; i < 40; i++) {
    const team = room.host.world.tables.players.team[0]
    for (const thing of each(room.host.world)) {
      if (!fogTag.behaviour.visible!(room.host.world as never, team, thing)) continue
      everSeen.add(step.histories.get(String(team))?.ids.byThing.get(thing.id) ?? 0)
    }
    for (const frame of step.histories.get(String(team))?.frames ?? []) {
      for (const { id } of frame.tables[0]) everSeen.add(id)
    }
    for (const frame of all[0].terminal!.frames) for (const { id } of frame.tables[0]) everShown.add(id)
    await playOn(all, 1)
  }
  expect(everShown.size).toBeGreaterThan(0)
  expect([...everShown].filter((id) => !everSeen.has(id))).toEqual([])
  await players.stop()
})

test('[RM13] over a real connection with 100 ms each way mirrors agree and run ahead by the round trip, terminals see all', async () => {
  const way = await slowWay(server.url, 100)
  const choices = [{ room: 'tag', create: true, mode: 'mirror' }, { mode: 'mirror' }, { mode: 'terminal' }] as const
  const all = await joinAll(way.url, tag, choices)
  const players = drive(all, bots)
  await playOn(all, 60)
  for (const { mirror, terminal, rttMs } of all) {
    expect(rttMs).toBeGreaterThan(200)
    expect(mirror?.stats.mismatches ?? 0).toBe(0)
    expect(terminal?.stats.malformed ?? 0).toBe(0)
    // Six ticks are on the way.
    if (mirror) expect(mirror.world.tick - mirror.confirmed.tick).toBeGreaterThanOrEqual(6)
    if (mirror) expect(mirror.stats.rollbacks).toBeGreaterThan(5)
  }
  const late = [...roomOf(all[0]).host.peers].map(({ counts }) => counts.late / counts.accepted)
  console.log(
    `RTT 200 ms on real sockets: late inputs ${late.map((part) => `${(100 * part).toFixed(0)} %`).join(', ')}, the first second included`,
  )
  await players.stop()
  await way.close()
})

test('[JS15] a room measures how fast the connection of a terminal is by pings that its page does not answer', async () => {
  const way = await slowWay(server.url, 60)
  const [near, far, mirror] = [
    await joinGame(server.url, tag, { room: 'tag', create: true, mode: 'terminal' }),
    await joinGame(way.url, tag, { room: 'tag', create: true, mode: 'terminal' }),
    await joinGame(server.url, tag, { room: 'tag', create: true, mode: 'mirror' }),
  ]
  const players = drive([near, far, mirror], bots)
  try {
    const roundTrip = (each: typeof near) => {
      const peer = [...roomOf(each).host.peers].find(({ seat }) => seat === each.seat)
      return ((peer?.sight.roundTrip.least ?? Number.POSITIVE_INFINITY) * 1000) / declaration.tickRate
    }
    await until('pings', () => [near, far].every((each) => Number.isFinite(roundTrip(each))))
    await until('the near one is faster', () => roundTrip(near) > 0 && roundTrip(near) < roundTrip(far))
    expect(roundTrip(far)).toBeGreaterThanOrEqual(119)
    // It shows the present, so nothing has to be measured.
    expect(roundTrip(mirror)).toBe(Number.POSITIVE_INFINITY)
  } finally {
    await players.stop()
    await way.close()
  }
})
