/** Rooms on real sockets, with the real SDK. */

import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { matchMaker } from '@colyseus/core'
import { Client } from '@colyseus/sdk'
import { defineGame, each, hashWorld } from 'hurtbox'
import { loadReplay, readTrack, sessionFromReplay, verifyReplay } from 'hurtbox/replay'
import { type AnyWorld, createEncodedInputs, inputsAt } from 'hurtbox/tools'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { connect, joinGame } from '../src/client/index.ts'
import { gameRoom, type RoomConfig, replayFolder } from '../src/index.ts'
import type { TakenMatch } from '../src/match/store.ts'
import { helloOf, PROTOCOL_VERSION, pauseHost, refusalOf, SPECTATOR } from '../src/netcode/index.ts'
import { memoryStore } from './memory-store.ts'
import { drive, joinAll, playOn, roomById, roomOf, slowWay, startServer, type TestServer, until } from './server.ts'
import { declaration, fogTag, tag, whimsical } from './support.ts'

// Real time: on a busy machine everything takes longer.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 })

const folder = mkdtempSync(join(tmpdir(), 'hurtbox-room-'))
const tracks = mkdtempSync(join(tmpdir(), 'hurtbox-tracks-'))
const desyncs: string[] = []
const stores = { freeze: memoryStore(), 'go-on': memoryStore() }
const abandonedStore = memoryStore()
const abandonedTaken = new Map<string, TakenMatch>()
const ended = { freeze: [] as number[], 'go-on': [] as number[] }
const bots = [whimsical]
let server: TestServer

beforeAll(async () => {
  const hooks = {
    onDesync: (_room: unknown, seat: number, difference: string) => desyncs.push(`${seat}: ${difference}`),
  }
  server = await startServer({
    tag: { game: tag, bots, fill: 4, hashEvery: 1, hooks, replays: replayFolder(folder) },
    tracked: { game: tag, bots, fill: 4, hashEvery: 1, track: true, replays: replayFolder(tracks) },
    chance: { game: tag, bots, fill: 4, hashEvery: 1, entropyEvery: 2, replays: replayFolder(folder) },
    impatient: { game: tag, bots, fill: 4, hashEvery: 1, reconnectSeconds: 1 },
    small: { game: tag, spectators: 1 },
    fog: { game: fogTag, bots, fill: 4 },
    short: { game: endingTag(40), bots, afterMatchSeconds: 2, replays: replayFolder(folder) },
    'kept-freeze': keptRoom('freeze'),
    abandoned: { game: tag, reconnectSeconds: 1, matches: { store: abandonedStore, taken: abandonedTaken } },
    'kept-go-on': keptRoom('go-on'),
    once: { game: endingTag(40), bots, afterMatch: 'close', afterMatchSeconds: 0.2 },
  })
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
  rmSync(tracks, { recursive: true })
})

/** A room whose matches are kept, in a store that does not answer from tick 20 on. */
function keptRoom(whenAway: 'freeze' | 'go-on'): RoomConfig {
  const store = stores[whenAway]
  const onTick = ({ world }: { world: AnyWorld }) => {
    if (world.tick === 20) store.isPrompt = false
  }
  const onMatchEnd = ({ match, world }: { match: number; world: AnyWorld }) =>
    void ended[whenAway].push(100 * match + world.tick)
  const matches = { store, taken: new Map(), whenAway }
  return { game: endingTag(40), bots, afterMatchSeconds: 0.2, matches, hooks: { onTick, onMatchEnd } }
}

/** Tag that is over after some ticks. */
function endingTag(ticks: number) {
  return defineGame({ ...declaration, id: 'short-tag' }, {
    ...tag.behaviour,
    result: (world: AnyWorld) => ({ over: world.tick >= ticks, winner: 'seat 0', summary: 'time is up' }),
  } as never)
}

for (const { id, game } of [
  { id: 'tag', game: tag },
  { id: 'fog', game: fogTag },
]) {
  test(`[RM1] two clients play ${id}, one a mirror where the game allows, one a terminal`, async () => {
    const hasFog = game.behaviour.visible !== undefined
    const all = await joinAll(server.url, game, [
      { room: id, create: true, mode: 'mirror', name: 'Ada' },
      { room: id, mode: 'terminal', name: 'Bob' },
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
  })
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

/** Comes back to a lost seat and says nothing, so the room does not know whether the new token has arrived. */
async function returnSilently(token: string): Promise<{ socket: WebSocket; token: string }> {
  const [roomId, secret] = token.split(':')
  const answer = await fetch(`${server.url}/matchmake/reconnect/${roomId}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ reconnectionToken: secret }),
  })
  const { sessionId, processId, error } = (await answer.json()) as Record<string, string>
  if (sessionId === undefined) throw new Error(error)
  const address = `${server.url.replace('http', 'ws')}/${processId}/${roomId}`
  const socket = new WebSocket(`${address}?sessionId=${sessionId}&reconnectionToken=${secret}`)
  socket.binaryType = 'arraybuffer'
  const [{ data }] = await once(socket, 'message')
  const bytes = Buffer.from(data)
  return { socket, token: `${roomId}:${bytes.subarray(2, 2 + bytes[1])}` }
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

test('[RM9] a match ends with its result, its replay verifies, and the next one starts with the same seats', async () => {
  const game = endingTag(40)
  const all = await joinAll(server.url, game, [{ room: 'short', create: true, name: 'Ada' }, { name: 'Bob' }])
  const players = drive(all, bots)
  const { state } = all[0].room
  const seats = all.map(({ seat }) => seat)
  await until('the match is over', () => state.phase === 'over')
  expect([state.winner, state.summary, state.match]).toEqual(['seat 0', 'time is up', 1])
  await until('the next match', () => state.match === 2 && state.phase === 'playing')
  await until('all play it', () => all.every(({ mirror }) => mirror!.confirmed.tick > 5 && mirror!.confirmed.tick < 45))
  expect(all.map(({ seat }) => seat)).toEqual(seats)
  const { roomId } = all[0].room
  await players.stop()
  const replays = () => readdirSync(folder).filter((name) => name.includes(roomId) && name.endsWith('.hbr'))
  await until('both replays are written', () => replays().length === 2)
  for (const name of replays()) {
    const replay = loadReplay(game, new Uint8Array(readFileSync(join(folder, name))))
    expect(verifyReplay(game, replay).mismatch).toBeUndefined()
    if (/-1-[\w-]{22}\.hbr$/.test(name)) expect(replay.log.length).toBe(40)
  }
})

test('[ML3] neither winner nor result of a match is told before the log has its last tick', async () => {
  const all = await joinAll(server.url, endingTag(40), [{ room: 'kept-freeze', create: true }])
  const players = drive(all, bots)
  const { host } = roomOf(all[0])
  await until('the match is over', () => host.status === 'over')
  // Patches are due every quarter of a second, the next match after a fifth of one, and patience ends after a second.
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  const { state } = all[0].room
  expect([ended.freeze, state.winner, state.phase, state.match]).toEqual([[], '', 'playing', 1])
  stores.freeze.isPrompt = true
  stores.freeze.answerAll()
  // By then the client may have taken the room for dead, and be back on another connection.
  await until('the next match runs', () => all[0].room.state?.match === 2)
  expect(ended.freeze).toEqual([140])
  await players.stop()
})

test('[ML24] a match that was taken over and that nobody returns to ends, and nothing of it is left in the store', async () => {
  const all = await joinAll(server.url, tag, [{ room: 'abandoned', create: true }])
  const players = drive(all, bots)
  await playOn(all, 10)
  const { roomId } = all[0].room
  const take = (): TakenMatch | undefined => {
    let found: TakenMatch | undefined
    abandonedStore.take(roomId, (_error, taken) => {
      found = taken
    })
    return found
  }
  abandonedTaken.set(roomId, take()!)
  await players.stop()
  await until('the owner before is gone', () => matchMaker.getLocalRoomById(roomId) === undefined)
  await matchMaker.handleCreateRoom('abandoned', {}, undefined, roomId)
  expect(roomById(roomId).host.seats[all[0].seat].player).not.toBe('nobody')
  await until('the room is closed', () => matchMaker.getLocalRoomById(roomId) === undefined)
  expect(take()).toBeUndefined()
})

test('[ML5] a store that does not answer at the end of a match does not keep its result back for ever', async () => {
  const all = await joinAll(server.url, endingTag(40), [{ room: 'kept-go-on', create: true }])
  const players = drive(all, bots)
  await until('the result is told', () => ended['go-on'].length > 0)
  expect(ended['go-on'][0]).toBe(140)
  await until('the next match runs', () => all[0].room.state?.match === 2)
  await players.stop()
})

test('[RM9] a room for one match closes when it is over', async () => {
  const all = await joinAll(server.url, endingTag(40), [{ room: 'once', create: true }])
  const players = drive(all, bots)
  await until('it closes', () => all[0].status === 'ended')
  expect(all[0].ending!.code).toBe(4000)
  await players.stop()
})

test('[RM10] replays on disk are bounded in number and size, and what is too large is cut, not lost', async () => {
  const place = mkdtempSync(join(tmpdir(), 'hurtbox-replays-'))
  writeFileSync(join(place, 'notes.txt'), 'not ours')
  const sink = replayFolder(place, { maxFiles: 3, maxFileBytes: 1000 })
  for (let match = 1; match <= 6; match++) {
    const file = sink({ game: 'tag', roomId: '../../x/y', match, startedAt: new Date(1e12 + match * 1000) })
    for (let i = 0; i < 4; i++) file.write(new Uint8Array(300))
    await file.end()
  }
  const names = readdirSync(place).sort()
  expect(names.map((name) => name.replace(/-[\w-]{22}\.hbr$/, ''))).toEqual([
    'notes.txt',
    'tag-2001-09-09T01-46-44-xy-4',
    'tag-2001-09-09T01-46-45-xy-5',
    'tag-2001-09-09T01-46-46-xy-6',
  ])
  for (const name of names.slice(1)) expect(readFileSync(join(place, name))).toHaveLength(900)
  const errors: unknown[] = []
  const lost = replayFolder(join(place, 'gone'), { onError: (error) => errors.push(error) })
  rmSync(join(place, 'gone'), { recursive: true })
  const file = lost({ game: 'tag', roomId: 'x', match: 1, startedAt: new Date() })
  file.write(new Uint8Array(5))
  await file.end()
  expect(errors.length).toBeGreaterThan(0)
  rmSync(place, { recursive: true })
})

test('[ML20] with a track, what players sent and when it came stands beside the replay', async () => {
  const all = await joinAll(server.url, tag, [
    { room: 'tracked', create: true, mode: 'mirror' },
    { mode: 'terminal' },
    { spectate: true },
  ])
  const players = drive(all, bots)
  await playOn(all, 80)
  const room = roomOf(all[0])
  await players.stop()
  await room.disconnect()
  await until('the files are whole', () => readdirSync(tracks).filter((name) => !name.endsWith('.part')).length === 2)
  const [replayName, trackName] = readdirSync(tracks).sort()
  expect(trackName).toBe(replayName.replace(/hbr$/, 'hbt'))
  const replay = loadReplay(tag, new Uint8Array(readFileSync(join(tracks, replayName))))
  const { packets, problem } = readTrack(tag, new Uint8Array(readFileSync(join(tracks, trackName))))
  expect([replay.complete, problem]).toEqual([true, undefined])
  const seenField = tag.input.fields.findIndex(({ label }) => label === 'seenAgo')
  const played = createEncodedInputs(sessionFromReplay(tag, replay).world)
  let compared = 0
  for (const [seat, mode] of [
    [all[0].seat, 'mirror'],
    [all[1].seat, 'terminal'],
  ] as const) {
    const own = packets.filter((packet) => packet.seat === seat)
    expect(own.every((packet) => packet.mode === mode)).toBe(true)
    for (const [i, packet] of own.entries()) {
      if (i > 0) expect(packet.atMs).toBeGreaterThanOrEqual(own[i - 1].atMs)
      if (i > 0) expect(packet.received).toBeGreaterThanOrEqual(own[i - 1].received)
      expect(packet.received).toBeLessThanOrEqual(packet.tick)
    }
    const inputs = own.flatMap((packet) => packet.inputs.map((input) => ({ ...input, cameAt: packet.tick })))
    expect(inputs.map(({ sequence }) => sequence)).toEqual(inputs.map((_, i) => i + 1))
    // What came in time and alone was played as it was sent.
    for (const input of inputs) {
      if (input.cameAt > input.tick || inputs.some(({ cameAt, tick }) => cameAt === input.tick && tick < cameAt))
        continue
      inputsAt(replay.log, input.tick, played)
      const at = played.seats.subarray(0, played.count).indexOf(seat)
      if (at < 0 || input.tick >= replay.ticks) continue
      const codes = played.codes.slice(at * input.codes.length, (at + 1) * input.codes.length)
      codes[seenField] = input.codes[seenField]
      expect(codes, `seat ${seat}, tick ${input.tick}`).toEqual(input.codes)
      compared++
    }
  }
  expect(compared).toBeGreaterThan(20)
  expect(packets.some(({ seat }) => seat === SPECTATOR)).toBe(false)
  // Not asked for: none.
  const [plain] = await joinAll(server.url, tag, [{ room: 'tag', create: true }])
  const others = drive([plain], bots)
  await playOn([plain], 5)
  const untracked = roomOf(plain)
  await others.stop()
  await untracked.disconnect()
  const ofPlain = () => readdirSync(folder).filter((name) => name.includes(untracked.roomId))
  await until('its replay is whole', () => ofPlain().some((name) => name.endsWith('.hbr')))
  expect(readdirSync(folder).some((name) => name.includes('.hbt'))).toBe(false)
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
    expect(roundTrip(near)).toBeGreaterThan(0)
    expect(roundTrip(far)).toBeGreaterThanOrEqual(119)
    // It shows the present, so nothing has to be measured.
    expect(roundTrip(mirror)).toBe(Number.POSITIVE_INFINITY)
  } finally {
    await players.stop()
    await way.close()
  }
})
