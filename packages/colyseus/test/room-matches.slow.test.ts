/** Matches of rooms on real sockets: how they end, what is kept of them while they run, and what is written of them. */

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { matchMaker } from '@colyseus/core'
import { Client } from '@colyseus/sdk'
import { helloOf, SPECTATOR } from '@hurtbox/netcode'
import type { MatchLog, MatchStore, TakenMatch } from '@hurtbox/netcode/host'
import { defineGame } from 'hurtbox'
import { loadReplay, readTrack, sessionFromReplay, verifyReplay } from 'hurtbox/replay'
import { type AnyWorld, createEncodedInputs, inputsAt } from 'hurtbox/tools'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { memoryStore } from '../../netcode/test/memory-store.ts'
import { declaration, tag, whimsical } from '../../netcode/test/support.ts'
import { connect } from '../src/client/index.ts'
import { type RoomConfig, replayFolder } from '../src/index.ts'
import { drive, joinAll, playOn, roomById, roomOf, startServer, type TestServer, until } from './server.ts'

// Real time: on a busy machine everything takes longer.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 })

const folder = mkdtempSync(join(tmpdir(), 'hurtbox-room-matches-'))
const tracks = mkdtempSync(join(tmpdir(), 'hurtbox-tracks-'))
const stores = { freeze: memoryStore(), 'go-on': memoryStore(), stopped: memoryStore() }
const abandonedStore = memoryStore()
const slowStore = memoryStore()
const slowSeats = {
  isHeld: false,
  held: [] as (() => void)[],
  release() {
    this.isHeld = false
    for (const answer of this.held.splice(0)) answer()
  },
}
const abandonedTaken = new Map<string, TakenMatch>()
const ended = { freeze: [] as number[], 'go-on': [] as number[], stopped: [] as number[] }
const bots = [whimsical]
let server: TestServer

beforeAll(async () => {
  server = await startServer({
    tag: { game: tag, bots, fill: 4, replays: replayFolder(folder) },
    tracked: { game: tag, bots, fill: 4, hashEvery: 1, track: true, replays: replayFolder(tracks) },
    short: { game: endingTag(40), bots, afterMatchSeconds: 2, replays: replayFolder(folder) },
    'kept-freeze': keptRoom('freeze', 'freeze'),
    abandoned: { game: tag, seatSeconds: 1, matches: { store: abandonedStore, taken: abandonedTaken } },
    'kept-go-on': keptRoom('go-on', 'go-on'),
    'kept-stopped': keptRoom('stopped', 'freeze'),
    slow: { game: tag, matches: { store: holdSeats(slowStore, slowSeats), taken: new Map() } },
    once: { game: endingTag(40), bots, afterMatch: 'close', afterMatchSeconds: 0.2 },
  })
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
  rmSync(tracks, { recursive: true })
})

/** A room whose matches are kept, in a store that does not answer from tick 20 on. */
function keptRoom(name: keyof typeof stores, whenStoreFails: 'freeze' | 'go-on'): RoomConfig {
  const store = stores[name]
  const onTick = ({ world }: { world: AnyWorld }) => {
    if (world.tick === 20) store.isPrompt = false
  }
  const onMatchEnd = ({ match, world }: { match: number; world: AnyWorld }) =>
    void ended[name].push(100 * match + world.tick)
  const matches = { store, taken: new Map(), whenStoreFails }
  return { game: endingTag(40), bots, afterMatchSeconds: 0.2, matches, hooks: { onTick, onMatchEnd } }
}

/** Tag that is over after some ticks. */
function endingTag(ticks: number) {
  return defineGame({ ...declaration, id: 'short-tag' }, {
    ...tag.behaviour,
    result: (world: AnyWorld) => ({ over: world.tick >= ticks, winner: 'seat 0', summary: 'time is up' }),
  } as never)
}

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

test('[ML45] a server that stops when a match has just ended lets the match say its result first', async () => {
  const all = await joinAll(server.url, endingTag(40), [{ room: 'kept-stopped', create: true }])
  const players = drive(all, bots)
  const room = roomOf(all[0])
  await until('the match is over', () => room.host.status === 'over')
  const ending = room.endMatch()
  expect(await Promise.race([ending, new Promise((resolve) => setTimeout(resolve, 100, 'waits'))])).toBe('waits')
  expect(ended.stopped).toEqual([])
  stores.stopped.isPrompt = true
  stores.stopped.answerAll()
  await ending
  expect(ended.stopped).toEqual([140])
  await players.stop()
})

test('[RM46] a player who asks twice while the store has not answered for the seat keeps it', async () => {
  const all = await joinAll(server.url, tag, [{ room: 'slow', create: true }])
  const players = drive(all, bots)
  const room = roomOf(all[0])
  const bob = await new Client(server.url).joinById(room.roomId, { hello: helloOf(tag) })
  const { seat } = room.clients.getById(bob.sessionId)!.userData!
  bob.reconnection.enabled = false
  ;(bob.connection.transport as unknown as { ws: { close(): void } }).ws.close()
  await until('the drop is noticed', () => room.clients.length === 1)
  slowSeats.isHeld = true
  const first = new Client(server.url).reconnect(bob.reconnectionToken).catch(() => 'replaced')
  await until('the first is there', () => room.clients.length === 2)
  const standing = room.clients.getById(bob.sessionId)
  const ask = () => room.checkReconnectionToken(bob.reconnectionToken.split(':')[1])
  // What a second question asks of the room. It changes nothing until its connection comes, or when nothing may be said.
  slowStore.isPrompt = false
  await until('a tick is not kept', () => slowStore.waiting.length > 0)
  expect(ask).toThrow('nothing can be said now')
  slowStore.isPrompt = true
  slowStore.answerAll()
  await until('all ticks are kept', () => !/said now/.test(String(tried(ask))))
  expect([ask(), room.clients.length, room.clients.getById(bob.sessionId) === standing]).toEqual([
    bob.sessionId,
    2,
    true,
  ])
  const second = new Client(server.url).reconnect(bob.reconnectionToken)
  expect(await first).toBe('replaced')
  slowSeats.release()
  const back = connect(tag, await second)
  await back.whenPlaying()
  expect(back.seat).toBe(seat)
  await back.leave()
  await players.stop()
})

/** What it gives, or what it throws. */
function tried(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}

/** The same store, with one who may hold back what it answers for seats. */
function holdSeats(store: MatchStore, gate: { isHeld: boolean; readonly held: (() => void)[] }): MatchStore {
  const create: MatchStore['create'] = (record, done) =>
    store.create(record, (error, log) => {
      const keepSeats: MatchLog['keepSeats'] = (seats, kept) => {
        if (gate.isHeld) gate.held.push(() => log!.keepSeats(seats, kept))
        else log!.keepSeats(seats, kept)
      }
      done(error, log && { ...log, keepSeats })
    })
  return { ...store, create }
}

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

test('[RM15] the next match begins in time when the clock of the machine is set back after the last', async () => {
  const { now } = Date
  let setByMs = 0
  // From before the room is made: a clock may hold on to the function.
  const spy = vi.spyOn(Date, 'now').mockImplementation(() => now() + setByMs)
  onTestFinished(() => spy.mockRestore())
  const all = await joinAll(server.url, endingTag(40), [{ room: 'short', create: true }])
  const players = drive(all, bots)
  const room = roomOf(all[0])
  await until('the match is over', () => room.host.status === 'over')
  setByMs = -2 * 3600 * 1000
  // Two seconds after the end of the first, by the clock of the room.
  await until('the next match', () => room.state.match === 2, 30_000)
  await players.stop()
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
