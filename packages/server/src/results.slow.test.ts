/** Results of matches: at least once, signed, the same key for the same match. */

import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { joinGame } from '@hurtbox/colyseus/client'
import { axis, declareGame, defineGame, players, spawn } from 'hurtbox'
import { defineModule, readModule } from 'hurtbox/module'
import { afterAll, afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { ask, until } from '../test/support.ts'
import { createLog } from './log.ts'
import { createResults, isSignedResult, type MatchResult, type ResultsOptions, signResult } from './results.ts'
import { type RunningServer, serve } from './serve.ts'

const declaration = declareGame({
  id: 'race',
  tickRate: 60,
  seats: { min: 1, max: 4 },
  layers: { runner: [] },
  players: { steps: 'u32' },
  input: { moveX: axis() },
})
const race = defineGame(declaration, {
  onJoin: (world, player) => void (player.thing = spawn(world, 'runner', { radius: 1 })),
  phases: {
    run(world) {
      for (const player of players(world)) if (player.moveX > 0) player.steps++
    },
  },
  result: (world) => {
    const [winner] = [...players(world)].filter(({ steps }) => steps >= 10)
    return winner === undefined ? { over: false } : { over: true, winner: winner.seat, summary: 'ten steps' }
  },
})
const module = defineModule({ game: race, room: {}, meaning: { score: ({ steps }) => steps } })
const log = createLog('silent')
const SECRET = 'a secret of sixteen'
const scratch = mkdtempSync(join(tmpdir(), 'hurtbox-results-'))
afterAll(() => rmSync(scratch, { recursive: true }))
const newFolder = () => mkdtempSync(join(scratch, 'waiting-'))

/** What a room tells at the end of a match. */
const ended = {
  roomId: 'room1',
  game: 'race',
  match: 3,
  startedAt: new Date(0),
  players: [{ seat: 0, id: 'account-1', name: 'Ada', leftAt: 7 }],
  host: { status: 'over', result: { over: true, winner: 0 } },
  world: { tick: 10 },
} as never
const loaded = readModule({ default: module }, 'race')

/** A receiver that answers as it is told, and keeps what came. */
async function receiver(answers: number[]) {
  const came: { body: string; headers: IncomingMessage['headers'] }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      came.push({ body, headers: request.headers })
      response.writeHead(answers.shift() ?? 200).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { came, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/results` }
}

function results(options: ResultsOptions) {
  const started = createResults(options, log, 5)
  onTestFinished(() => started.stop())
  return started
}

describe('results of matches', () => {
  test('[SV44] are sent until they are taken, signed, each time with the same key and body', async () => {
    const folder = newFolder()
    const { came, url } = await receiver([503, 500])
    results({ url, secret: SECRET, folder }).ended(loaded, ended)
    await until('the third delivery was taken', () => came.length === 3 && readdirSync(folder).length === 0)
    const [{ body, headers }] = came
    expect(JSON.parse(body)).toMatchObject({
      game: 'race',
      room: 'room1',
      match: 3,
      ticks: 10,
      end: 'over',
      winner: 0,
      players: [{ seat: 0, id: 'account-1', name: 'Ada', leftAt: 7 }],
    })
    expect(headers['idempotency-key']).toBe(JSON.parse(body).key)
    for (const each of came) {
      expect([each.body, each.headers['idempotency-key']]).toEqual([body, headers['idempotency-key']])
      expect(isSignedResult(each.body, String(each.headers['hurtbox-signature']), SECRET)).toBe(true)
    }
  })

  test('[SV44] that were not taken are delivered after a restart', async () => {
    const folder = newFolder()
    const taken: MatchResult[] = []
    const failing = createResults({ folder, take: () => Promise.reject(new Error('away')) }, log, 60_000)
    failing.ended(loaded, ended)
    failing.ended(loaded, ended)
    await failing.stop()
    expect(readdirSync(folder)).toHaveLength(2)
    results({ folder, take: (result) => void taken.push(result) })
    await until('both were taken', () => taken.length === 2 && readdirSync(folder).length === 0)
    expect(new Set(taken.map(({ key }) => key)).size).toBe(2)
  })

  test('[SV45] a signature fits one body, one secret, and only for some minutes', () => {
    const now = Math.floor(Date.now() / 1000)
    const signature = signResult('{"a":1}', SECRET)
    expect(isSignedResult('{"a":1}', signature, SECRET)).toBe(true)
    expect(isSignedResult('{"a":2}', signature, SECRET)).toBe(false)
    expect(isSignedResult('{"a":1}', signature, 'another secret of 16')).toBe(false)
    expect(isSignedResult('{"a":1}', signResult('{"a":1}', SECRET, now - 301), SECRET)).toBe(false)
    // The time is part of what is signed.
    expect(isSignedResult('{"a":1}', signature.replace(/t=\d+/, `t=${now + 1}`), SECRET)).toBe(false)
    for (const wrong of [undefined, '', 't=1,v1=', 'v1=abc']) expect(isSignedResult('{}', wrong, SECRET)).toBe(false)
  })

  test.each<[ResultsOptions, string]>([
    [{}, 'results need a function that takes them, or an address'],
    [{ url: 'example.org', secret: SECRET }, 'an address like https://example.org/results'],
    [{ url: 'https://example.org', secret: 'short' }, 'set HURTBOX_RESULTS_SECRET to 16 characters or more'],
  ])('[SV32] results %j: refused in words', (options, message) => {
    expect(() => createResults({ ...options, folder: newFolder() }, log)).toThrow(message)
  })
})

describe('on a server', () => {
  let running: RunningServer | undefined
  afterEach(() => running?.close())
  const start = async (options: object) => {
    running = await serve({
      games: [module],
      port: 0,
      replays: false,
      matches: join(scratch, 'matches'),
      logLevel: 'silent',
      signals: false,
      say: () => {},
      limits: { load: 10, loopDelayMs: 60_000 },
      ...options,
    })
    return { url: running.url, port: Number(new URL(running.url).port) }
  }

  test('[SV43] [SV44] a player signs in, plays, and the result has account and score', async () => {
    const taken: MatchResult[] = []
    const server = await start({
      auth: (token: string) => (token === 'ada-s-token' ? { id: 'account-1', name: 'Ada' } : undefined),
      results: { folder: newFolder(), take: (result: MatchResult) => void taken.push(result) },
    })
    await expect(joinGame(server.url, race, {})).rejects.toThrow('Sign in first')
    await expect(joinGame(server.url, race, { token: 'wrong' })).rejects.toThrow('Sign in first')
    const match = await joinGame(server.url, race, { token: 'ada-s-token', name: 'Mallory' })
    const timer = setInterval(() => match.update(performance.now(), () => ({ moveX: 1 })), 8)
    onTestFinished(() => clearInterval(timer))
    await until('the result has come', () => taken.length === 1, 30_000)
    expect(taken[0]).toMatchObject({
      game: 'race',
      end: 'over',
      winner: 0,
      summary: 'ten steps',
      players: [{ seat: 0, id: 'account-1', name: 'Ada', score: 10 }],
    })
    await match.leave()
  })

  test('[SV46] no list shows a private room, and its code leads there', async () => {
    const server = await start({})
    const hidden = await joinGame(server.url, race, { private: true })
    const shown = await joinGame(server.url, race, { create: true })
    await hidden.whenPlaying()
    const rooms = async () => JSON.parse((await ask(server, '/rooms.json')).body)
    await until('the other room is listed', async () => (await rooms()).length > 0)
    expect((await rooms()).map(({ room }: { room: string }) => room)).toEqual([shown.room.roomId])
    const friend = await joinGame(server.url, race, { code: hidden.room.roomId.toLowerCase() })
    expect(friend.room.roomId).toBe(hidden.room.roomId)
    for (const each of [hidden, shown, friend]) await each.leave()
  })
})
