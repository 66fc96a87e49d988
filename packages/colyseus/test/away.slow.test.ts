/** Players who are away and come back, over real sockets: a page that says so, a page that is loaded anew, two tabs, and what is in addresses. */

import { CloseCode } from '@colyseus/core'
import { MESSAGES, NETCODE } from '@hurtbox/netcode'
import { hashWorld } from 'hurtbox'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { tag, whimsical } from '../../netcode/test/support.ts'
import { type GameConnection, joinGame } from '../src/client/index.ts'
import { ROOM_MESSAGES, sendToRoom } from '../src/room-messages.ts'
import { drive, heldWay, joinAll, playOn, roomOf, startServer, type TestServer, until } from './server.ts'

/** The events of a browser. Who listens asks once whether there are any, when it is loaded. */
const browser = vi.hoisted(() => {
  const target = new EventTarget()
  const [addEventListener, removeEventListener] = [target.addEventListener, target.removeEventListener]
  Object.assign(globalThis, {
    addEventListener: addEventListener.bind(target),
    removeEventListener: removeEventListener.bind(target),
  })
  return target
})
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

const bots = [whimsical]
const TOKEN = 'secret-token-of-the-account'
let server: TestServer
beforeAll(async () => {
  const config = { game: tag, bots, fill: 4, hashEvery: 1 }
  const auth = async (token: string) => (token === TOKEN ? { id: 'ada', name: 'Ada' } : undefined)
  server = await startServer({ tag: config, brief: { ...config, seatSeconds: 1.5 }, accounts: { ...config, auth } })
})
afterAll(() => server.close())
afterEach(() => vi.unstubAllGlobals())

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const isAway = (by: GameConnection, seat: number) => by.room.state.roster.get(String(seat))?.isAway

test.each(['mirror', 'terminal'] as const)(
  '[AW1] a %s whose page says that nobody looks is sent nothing, others see it away, and it is welcomed back on its connection at once',
  async (mode) => {
    const [other, player] = await joinAll(server.url, tag, [{ create: true }, { mode }])
    const players = drive([other, player], bots)
    await playOn([other, player], 20)
    const { room: connection, seat } = player
    const { host } = roomOf(player)
    player.setAway(true)
    expect(player.status).toBe('away')
    await until('the other sees it', () => isAway(other, seat) === true)
    const { messagesIn } = player.traffic
    await sleep(1_500)
    expect(player.traffic.messagesIn - messagesIn).toBe(0)
    const { statesSent } = host.totals
    const told: number[] = []
    for (const kind of ['thrown', 'hit'] as const) player.on(kind, ({ tick }) => void told.push(tick))
    const backAt = host.world.tick
    player.setAway(false)
    await until('it plays again', () => player.status === 'playing')
    await playOn([player, other], 10)
    expect([player.room === connection, player.seat, isAway(other, seat)]).toEqual([true, seat, false])
    // A mirror has got the ticks it missed, and nothing of them is shown.
    expect(host.totals.statesSent).toBe(statesSent)
    expect(told.filter((tick) => tick < backAt - 3)).toEqual([])
    if (player.mirror !== undefined) {
      expect(player.mirror.stats.mismatches).toBe(0)
      const { mirror } = player
      await until('a state of the same tick', () => mirror.confirmed.tick === host.world.tick)
      expect(hashWorld(mirror.confirmed)).toBe(hashWorld(host.world))
    }
    await players.stop()
  },
)

test('[AW1] a match whose only player is away stands still and goes on when it is back', async () => {
  const [player] = await joinAll(server.url, tag, [{ create: true }])
  const players = drive([player], bots)
  await playOn([player], 10)
  const { host } = roomOf(player)
  player.setAway(true)
  await until('it is noticed', () => host.peers.size === 0)
  const { tick } = host.world
  await sleep(500)
  expect(host.world.tick).toBe(tick)
  player.setAway(false)
  await playOn([player], 10)
  await players.stop()
})

test('[AW1] who goes and comes all the time is welcomed once a second', async () => {
  const [other, player] = await joinAll(server.url, tag, [{ create: true }, {}])
  const players = drive([other], bots)
  await playOn([other], 10)
  const from = performance.now()
  let welcomes = 0
  player.room.onMessage(NETCODE, ([kind]: Uint8Array) => void (kind === MESSAGES.welcome.kind && welcomes++))
  let times = 0
  while (performance.now() - from < 3_000) {
    for (const away of [true, false]) sendToRoom(player.room, ROOM_MESSAGES.away, away)
    times++
    await sleep(40)
  }
  const guest = roomOf(other).clients.find(({ userData }) => userData?.seat === player.seat)!.userData!
  expect(times).toBeGreaterThan(20)
  expect(guest.isCut).toBe(false)
  expect(welcomes).toBeGreaterThan(0)
  expect(welcomes).toBeLessThanOrEqual(1 + (performance.now() - from) / 1_000)
  await players.stop()
  await player.leave()
})

test('[AW3] who wakes up again and again only for a moment loses the seat, and is told so in a sentence', async () => {
  const [other, player] = await joinAll(server.url, tag, [{ room: 'brief', create: true }, {}])
  const players = drive([other, player], bots)
  await playOn([other], 10)
  let times = 0
  while (player.ending === undefined && times++ < 20) {
    player.setAway(true)
    await sleep(1_100)
    player.setAway(false)
    await sleep(100)
  }
  expect(times).toBeLessThan(8)
  expect(player.ending?.reason).toBe('your seat was given away after 1.5 s')
  await players.stop()
})

/** A tab, as far as its storage goes; `copy` is what a duplicate of it has. */
function openTab(copy: ReadonlyMap<string, string> = new Map()): Map<string, string> {
  const items = new Map(copy)
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  })
  return items
}

/** The page is gone: its connection ends without a word, and nobody looks for the room again. */
function crash(player: GameConnection): void {
  player.room.reconnection.enabled = false
  player.room.removeAllListeners()
  ;(player.room.connection.transport as unknown as { ws: { close(): void } }).ws.close()
}

test('[AW8] a page that is loaded anew gets the seat of its tab back, with name, thing and score; another tab is another player', async () => {
  const [other] = await joinAll(server.url, tag, [{ create: true }])
  const { roomId } = other.room
  const tab = openTab()
  const before = await joinGame(server.url, tag, { roomId, name: 'Ada' })
  await before.whenPlaying()
  const players = drive([other, before], bots)
  await playOn([before], 10)
  const { host } = roomOf(other)
  const thing = host.world.tables.players.thing[before.seat]
  players.all.splice(players.all.indexOf(before), 1)
  crash(before)
  const after = await joinGame(server.url, tag, {})
  await after.whenPlaying()
  expect([after.seat, after.room.roomId, host.world.tables.players.thing[after.seat]]).toEqual([
    before.seat,
    roomId,
    thing,
  ])
  expect(other.room.state.roster.get(String(after.seat)).name).toBe('Ada')
  players.all.push(after)
  await playOn([after], 10)
  // Duplicated while the first plays.
  openTab(tab)
  const twin = await joinGame(server.url, tag, { roomId })
  await twin.whenPlaying()
  players.all.push(twin)
  await playOn([twin, after], 10)
  expect(twin.seat).not.toBe(after.seat)
  expect([after.status, twin.status]).toEqual(['playing', 'playing'])
  // Who leaves has no seat to come back to.
  await twin.leave()
  expect(tab.size).toBe(1)
  await players.stop()
})

test('[AW8] a page that is loaded anew asks again while its match is between two processes', async () => {
  openTab()
  const before = await joinGame(server.url, tag, {})
  await before.whenPlaying()
  crash(before)
  const { fetch } = globalThis
  let refused = 0
  vi.stubGlobal('fetch', (url: string, options: RequestInit) => {
    const isMoving = url.includes('/matchmake/reconnect/') && refused < 4
    return isMoving && ++refused ? new Response('{}', { status: 503 }) : fetch(url, options)
  })
  const after = await joinGame(server.url, tag, {})
  await after.whenPlaying()
  expect([refused, after.seat, after.room.roomId]).toEqual([4, before.seat, before.room.roomId])
  await after.leave()
})

test('[AW8] of a player with an account the tab keeps the room alone, and the account opens the seat', async () => {
  const tab = openTab()
  const before = await joinGame(server.url, tag, { room: 'accounts', create: true, token: TOKEN })
  await before.whenPlaying()
  expect(JSON.parse([...tab.values()][0])).toEqual({ roomId: before.room.roomId, token: '' })
  const { host } = roomOf(before)
  crash(before)
  await until('it is noticed', () => host.peers.size === 0)
  const after = await joinGame(server.url, tag, { room: 'accounts', token: TOKEN })
  await after.whenPlaying()
  expect([after.room.roomId, after.seat]).toEqual([before.room.roomId, before.seat])
  await after.leave()
  expect(tab.size).toBe(0)
})

test('[AW9] no address has a token of an account or of a seat; the ticket that it has opens the seat once', async () => {
  const way = await heldWay(server.url)
  const asked: string[] = []
  way.mayPass = (sent) => {
    const [line] = sent.split('\r\n')
    if (/^(GET|POST) /.test(line)) asked.push(line)
    return true
  }
  const player = await joinGame(way.url, tag, { room: 'accounts', create: true, token: TOKEN })
  await player.whenPlaying()
  const { reconnectionToken } = player.room
  const seatToken = reconnectionToken.split(':')[1]
  const players = drive([player], bots)
  ;(player.room.connection.transport as unknown as { ws: { close(): void } }).ws.close()
  await until('it is noticed', () => player.status !== 'playing')
  await until('it is back', () => player.status === 'playing')
  const addresses = asked.join('\n')
  expect(asked.filter((line) => line.startsWith('GET')).length).toBe(2)
  expect(addresses).not.toContain(TOKEN)
  expect(addresses).not.toContain(seatToken)
  const ticket = /reconnectionToken=([0-9a-f]{32}) /.exec(addresses)![1]
  const { sessionId } = player.room
  expect(roomOf(player).hasReservedSeat(sessionId, ticket)).toBe(false)
  expect(roomOf(player).clients.length).toBe(1)
  await players.stop()
  await way.close()
})

test('[AW10] a client whose line is silent asks for its room, and leaves it only when that is answered and nothing was heard', async () => {
  const way = await heldWay(server.url)
  const [other] = await joinAll(server.url, tag, [{ create: true }])
  const player = await joinGame(way.url, tag, { roomId: other.room.roomId })
  await player.whenPlaying()
  const players = drive([other, player], bots)
  await playOn([player], 10)
  const { seat, room: connection } = player
  const { host } = roomOf(other)
  // The server says nothing until the client asks, and is heard before the answer: nobody has gone anywhere.
  const guest = roomOf(other).clients.find(({ userData }) => userData?.seat === seat)!.userData!
  way.mayPass = (sent) => !sent.startsWith('POST')
  const speak = way.hush()
  await until('it asks', () => way.held.length > 0)
  const { messagesIn } = player.traffic
  speak()
  await until('it is heard', () => player.traffic.messagesIn > messagesIn)
  way.mayPass = () => true
  for (const release of way.held.splice(0)) release()
  await until('the room answers', () => guest.tickets.length > 0)
  await playOn([player], 30)
  expect([player.room === connection, player.status, host.seats[seat].player === guest.peer]).toEqual([
    true,
    'playing',
    true,
  ])
  // The old flow is dead, a new one is not: as after a change of the address.
  const dead = way.deaden()
  const from = performance.now()
  await until('it is on another connection', () => player.room !== connection && player.status === 'playing', 20_000)
  expect(performance.now() - from, 'before the silence counts as death').toBeLessThan(3_000)
  expect([player.seat, host.seats[seat].player === guest.peer]).toEqual([seat, true])
  dead()
  await players.stop()
  await way.close()
})

const signIn = () => new Response('<h1>Sign in</h1>', { headers: { 'content-type': 'text/html' } })
test.each([
  ['nothing', undefined, ['omit']],
  ['a proxy that refuses it', () => new Response('{}', { status: 401 }), ['omit', 'include']],
  ['a proxy that leads to its page', signIn, ['omit', 'include']],
] as const)(
  '[AW17] a client asks for its seat without the connections and cookies of its page, unless something on the way wants to know who it is: %s',
  async (_, guard, expected) => {
    const asked: (string | undefined)[] = []
    const { fetch } = globalThis
    vi.stubGlobal('fetch', (url: string, options: RequestInit) => {
      if (!url.includes('/matchmake/reconnect/')) return fetch(url, options)
      asked.push(options.credentials)
      return guard !== undefined && options.credentials === 'omit' ? guard() : fetch(url, options)
    })
    const player = await joinGame(server.url, tag, { create: true })
    await player.whenPlaying()
    const { seat, room } = player
    const players = drive([player], bots)
    ;(room.connection.transport as unknown as { ws: { close(): void } }).ws.close()
    await until('it is back', () => player.status === 'playing' && player.room !== room)
    expect([player.seat, player.room.roomId]).toEqual([seat, room.roomId])
    // A busy machine answers late, and is asked again.
    expect(asked.filter((each, i) => each !== asked[i - 1])).toEqual(expected)
    await players.stop()
    await player.leave()
  },
)

test('[AW16] a match is said to move only when the server itself has closed the connection, not when the browser was offline for a moment', async () => {
  const player = await joinGame(server.url, tag, { create: true })
  await player.whenPlaying()
  const players = drive([player], bots)
  const lost = async (how: () => unknown) => {
    await playOn([player], 10)
    how()
    await until('it is noticed', () => player.status !== 'playing')
    return player.status
  }
  const { seat } = player
  // The SDK closes the connection at once, with the code that servers use.
  const offline = () => {
    vi.stubGlobal('navigator', { onLine: false })
    browser.dispatchEvent(new Event('offline'))
    vi.unstubAllGlobals()
  }
  expect(await lost(offline)).toBe('reconnecting')
  await until('it is back', () => player.status === 'playing')
  expect(player.seat).toBe(seat)
  expect(await lost(() => roomOf(player).disconnect(CloseCode.MAY_TRY_RECONNECT))).toBe('moved')
  await players.stop()
})
