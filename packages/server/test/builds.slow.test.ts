/**
 * A rolling deploy: processes of two builds of one game on one Redis, and pages of both.
 *
 * Every client may ask every process. It must end up in a room of its own build, or be told to reload.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type GameConnection, type JoinChoices, joinGame, SPECTATOR } from '@hurtbox/colyseus/client'
import { fingerprint } from 'hurtbox/replay'
import type { AnyGame } from 'hurtbox/tools'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { newDots, oldDots } from './builds.ts'
import { hasRedis, type Redis, RedisClient, startRedis } from './redis-process.ts'
import { ask, metricOf, type Reachable, reserve, TOKEN, until } from './support.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

type BuildProcess = Reachable & {
  readonly child: ChildProcess
  readonly processId: string
  /** What it has logged. */
  readonly lines: readonly LogLine[]
}
type LogLine = { readonly msg: string; readonly err?: string; readonly match?: string; readonly room?: string }

async function startBuild(redisUrl: string, isNew: boolean): Promise<BuildProcess> {
  const script = fileURLToPath(new URL('build-process.ts', import.meta.url))
  const child = spawn(process.execPath, [script, JSON.stringify({ isNew, redisUrl, drainSeconds: 0 })], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
  })
  const lines: LogLine[] = []
  createInterface(child.stdout!).on('line', (line) => lines.push(JSON.parse(line)))
  const url = String((await once(child, 'message'))[0])
  const server = { url, port: Number(new URL(url).port), child, lines }
  const { body } = await ask(server, '/monitor/data.json', { headers: { authorization: `Bearer ${TOKEN}` } })
  return { ...server, processId: JSON.parse(body).processId }
}

describe.skipIf(!hasRedis())('two builds on one Redis', () => {
  let redis: Redis
  let client: RedisClient
  let old: BuildProcess
  let fresh: BuildProcess
  const all: GameConnection[] = []
  const timer = setInterval(() => {
    for (const [i, each] of all.entries()) each.update(performance.now(), () => ({ moveX: i % 2 === 0 ? 1 : -1 }))
  }, 16)
  beforeAll(async () => {
    redis = await startRedis()
    client = new RedisClient(redis.url)
    ;[old, fresh] = await Promise.all([startBuild(redis.url, false), startBuild(redis.url, true)])
  })
  afterEach(async () => {
    await Promise.all(all.splice(0).map((each) => each.leave()))
  })
  afterAll(() => {
    clearInterval(timer)
    client?.disconnect()
    for (const each of [old, fresh]) each?.child.kill('SIGKILL')
    redis?.child.kill()
  })

  async function join(server: Reachable, game: AnyGame, choices: JoinChoices = {}): Promise<GameConnection> {
    const match = await joinGame(server.url, game, { datagrams: false, ...choices })
    all.push(match)
    await match.whenPlaying()
    return match
  }

  /** The process of each room. */
  async function owners(matches: readonly GameConnection[]): Promise<string[]> {
    const listed = await client.hmget('roomcaches', ...matches.map(({ room }) => room.roomId))
    return listed.map((text) => JSON.parse(text!).processId)
  }

  test('[SV105] every client plays in rooms of its build, in a process of its build, without a desync', async () => {
    const olds = [await join(old, oldDots), await join(old, oldDots), await join(old, oldDots, { create: true })]
    const news: GameConnection[] = []
    for (const create of [false, false, true, true]) news.push(await join(fresh, newDots, { create }))
    await until('all have compared states', () => all.every(({ mirror }) => mirror!.stats.hashChecks > 2), 20_000)
    expect(new Set(await owners(olds))).toEqual(new Set([old.processId]))
    expect(new Set(await owners(news))).toEqual(new Set([fresh.processId]))
    expect(olds[1].room.roomId).toBe(olds[0].room.roomId)
    expect(news[1].room.roomId).toBe(news[0].room.roomId)
    for (const { desyncs, mirror } of all) expect([desyncs, mirror!.stats.mismatches]).toEqual([[], 0])
    for (const server of [old, fresh]) expect(await metricOf(server, 'hurtbox_desyncs_total')).toBe(0)
  })

  test('[SV106] a room of another build, asked for by id, code or to watch: the page is told to reload', async () => {
    const open = await join(old, oldDots)
    const hidden = await join(old, oldDots, { private: true })
    const ways: JoinChoices[] = [{ roomId: open.room.roomId }, { code: hidden.code }]
    for (const server of [fresh, old]) {
      for (const way of [...ways, { ...ways[0], spectate: true }]) {
        const asked = joinGame(server.url, newDots, way)
        await expect(asked).rejects.toMatchObject({
          code: 426,
          message: expect.stringMatching(/^This room plays another build.*Reload/),
        })
      }
    }
    expect([open, hidden].map(({ room }) => room.state.roster.size)).toEqual([1, 1])
  })

  test('[SV107] a page of the old build that asks a new process: rooms of its build by id, code or to watch, else it is told to reload', async () => {
    const hats = ({ world }: NonNullable<GameConnection['mirror']>) => [...world.tables.players.hat].slice(0, 2)
    const open = await join(old, oldDots)
    const { code } = await join(old, oldDots, { private: true })
    const { roomId } = open.room
    const friend = await join(fresh, oldDots, { roomId, data: { hat: 'crown' } })
    const guest = await join(fresh, oldDots, { code })
    const watcher = await join(fresh, oldDots, { roomId, spectate: true })
    expect([friend.room.roomId, guest.code, watcher.seat]).toEqual([roomId, code, SPECTATOR])
    // What it brings along is read by the rules of the room.
    await until('the hat is there', () => hats(open.mirror!)[1] === 1)
    await expect(joinGame(fresh.url, oldDots as AnyGame, { roomId, data: { hat: 'fez' } })).rejects.toThrow(/fez/)
    for (const way of [{}, { create: true }, { private: true }]) {
      await expect(joinGame(fresh.url, oldDots, way)).rejects.toMatchObject({ code: 426 })
    }
  })

  test('[SV108] the list of rooms says of which build each is', async () => {
    await until('rooms of before are closed', async () => (await client.hlen('roomcaches')) === 0)
    const rooms = [await join(old, oldDots), await join(fresh, newDots)].map(({ room }) => room.roomId)
    const listOf = async (server: Reachable) => JSON.parse((await ask(server, '/rooms.json')).body)
    const expected = [oldDots, newDots].map((game, i) => ({
      game: 'dots',
      room: rooms[i],
      clients: 1,
      seats: 8,
      fingerprint: fingerprint(game).hash,
    }))
    for (const server of [old, fresh]) {
      await until('both are listed', async () => (await listOf(server)).length === 2)
      expect(await listOf(server)).toEqual(expect.arrayContaining(expected))
    }
  })

  /** A player of the old build in a new room, the process that has the room, and another. */
  async function playOld(servers: readonly BuildProcess[]) {
    const urls = [...servers, fresh].map(({ url }) => url)
    const player = await joinGame(urls, oldDots, { datagrams: false, create: true })
    all.push(player)
    await player.whenPlaying()
    const [id] = await owners([player])
    const owner = servers.find(({ processId }) => processId === id)!
    return { player, owner, other: servers.find((each) => each !== owner)! }
  }

  test('[ML25] [ML27] foreign, damaged and large values in Redis: matches of a dead process are taken all the same, and each value is said once', async () => {
    const spare = await startBuild(redis.url, false)
    const { player, owner, other } = await playOld([old, spare])
    const listing = { room: 'dots', fingerprint: fingerprint(oldDots).hash, owner: '' }
    const large = 'x'.repeat(20_000_000)
    const broken = JSON.stringify(listing)
    await client.set('hurtbox:m:broken:record', 'not json')
    await client.hset('hurtbox:matches', { 'other-app': 'not json', large, broken })
    await client.hset('roomcaches', { 'other-app': 'not json', list: '[1]', large })
    const tried = (each: BuildProcess) => each.lines.filter(({ match }) => match === 'broken')
    await until('it is tried', () => tried(other).length > 0, 30_000)
    const killedAt = performance.now()
    owner.child.kill('SIGKILL')
    const isBack = async () => player.status === 'playing' && (await owners([player]))[0] === other.processId
    await until('the player is back', isBack, 30_000)
    const tick = player.mirror!.confirmed.tick
    await until('the match goes on', () => player.mirror!.confirmed.tick > tick + 5)
    expect((await ask(other, '/health')).status).toBe(200)
    await join(other, oldDots, { create: true })
    await until('it could have been said often', () => performance.now() - killedAt > 1_500)
    expect(tried(other)).toHaveLength(1)
    const skipped = () => other.lines.flatMap(({ err }) => (err?.includes('is skipped') ? [err] : []))
    await until('the list of rooms is read', () => skipped().some((err) => err.startsWith('roomcaches')))
    expect((await ask(other, '/rooms.json')).status).toBe(200)
    expect(skipped().sort()).toEqual([
      'hurtbox:matches large is skipped: it has 20000000 bytes, at most 16384 are read.',
      'hurtbox:matches other-app is skipped: it is no match of ours.',
      'roomcaches large is skipped: it has 20000000 bytes, at most 16384 are read.',
      'roomcaches list is skipped: it is no room.',
      'roomcaches other-app is skipped: it is no room.',
    ])
    expect(await client.hlen('hurtbox:matches')).toBeGreaterThanOrEqual(4)
    await client.hdel('hurtbox:matches', 'other-app', 'large', 'broken')
    await client.hdel('roomcaches', 'other-app', 'list', 'large')
    old = other
  })

  test('[SV109] the last process of a build is stopped: its players and its log are told why the match ends', async () => {
    const { player, owner } = await playOld([old])
    owner.child.kill('SIGTERM')
    await until('the match has ended', () => player.status === 'ended', 30_000)
    expect(player.ending).toEqual({ code: 4001, reason: expect.stringMatching(/new build of the game.*Reload/) })
    const said = { room: player.room.roomId, msg: 'match ends: the other processes have another build' }
    expect(owner.lines).toContainEqual(expect.objectContaining(said))
  })

  test('[SV109] the last process of a build is killed: the others do not take its match, and say so to those who come back', async () => {
    old.child.kill('SIGKILL')
    const last = await startBuild(redis.url, false)
    const { player } = await playOld([last])
    const [roomId, reconnectionToken] = player.room.reconnectionToken.split(':')
    last.child.kill('SIGKILL')
    const asked = () => reserve(fresh, 'reconnect', roomId, JSON.stringify({ reconnectionToken }))
    await until('it is said', async () => (await asked()).status === 426, 30_000)
    expect(JSON.parse((await asked()).body)).toEqual({ code: 426, error: expect.stringMatching(/new build.*Reload/) })
    expect(fresh.lines.map(({ msg }) => msg)).not.toContain('match taken over')
    await until('the player gives up', () => player.status === 'ended', 40_000)
    expect(player.ending?.reason).toMatch(/new build.*Reload/)
  })
})
