/**
 * A rolling deploy: processes of two builds of one game on one Redis, and pages of both.
 *
 * Every client may ask every process. It must end up in a room of its own build, or be told to reload.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type GameConnection, type JoinChoices, joinGame, SPECTATOR } from '@hurtbox/colyseus/client'
import { fingerprint } from 'hurtbox/replay'
import type { AnyGame } from 'hurtbox/tools'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { newDots, oldDots } from './builds.ts'
import { hasRedis, type Redis, RedisClient, startRedis } from './redis-process.ts'
import { ask, metricOf, type Reachable, TOKEN, until } from './support.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

type BuildProcess = Reachable & { readonly child: ChildProcess; readonly processId: string }

async function startBuild(redisUrl: string, isNew: boolean): Promise<BuildProcess> {
  const script = fileURLToPath(new URL('build-process.ts', import.meta.url))
  const child = spawn(process.execPath, [script, JSON.stringify({ isNew, redisUrl, drainSeconds: 0 })], {
    stdio: ['ignore', process.env.BUILDS_LOG ? 'inherit' : 'ignore', 'inherit', 'ipc'],
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
  })
  const url = String((await once(child, 'message'))[0])
  const server = { url, port: Number(new URL(url).port), child }
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
    await until('all rooms are closed', async () => (await client.hlen('roomcaches')) === 0)
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
          message: expect.stringMatching(/another build.*Reload/),
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
    await expect(joinGame(fresh.url, oldDots, { roomId, data: { hat: 'fez' } })).rejects.toThrow(/fez/)
    const others = [{}, { create: true }, { private: true }].map((way) => joinGame(fresh.url, oldDots, way))
    for (const asked of others) await expect(asked).rejects.toMatchObject({ code: 426 })
  })

  test('[SV108] the list of rooms says of which build each is', async () => {
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
})
