/** Rooms and routes of the user in `serve`, and what bad ones can do to a match. */

import { LobbyRoom, QueueRoom } from '@colyseus/core'
import { Client, type Room } from '@colyseus/sdk'
import { joinGame } from '@hurtbox/colyseus/client'
import { helloOf } from '@hurtbox/netcode'
import { defineModule } from 'hurtbox/module'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type RunningServer, serve } from '../src/serve.ts'
import { dots } from './dots.ts'
import { ask, metricOf, TOKEN, until } from './support.ts'

vi.setConfig({ testTimeout: 60_000 })

class RankedQueue extends QueueRoom {
  override onCreate(): void {
    super.onCreate({ matchRoomName: 'dots', maxPlayers: 2 })
  }
  override cycleTickInterval = 50
}

const never = new Promise<never>(() => {})
const scores = new Map([['Ada', 12]])
let pulled = 0

/** Bodies without an end: at once, in pieces of nothing, and with a wait between. */
function endless(kind: string | null): ReadableStream {
  return new ReadableStream({
    async pull(controller) {
      pulled++
      if (kind === 'slow') await new Promise((resolve) => setTimeout(resolve, 5))
      controller.enqueue(new Uint8Array(kind === 'empty' ? 0 : kind === 'slow' ? 1 : 65_536))
    },
  })
}

const answers: Readonly<Record<string, (request: Request, url: URL) => unknown>> = {
  '/api/scores': async (request) => {
    if (request.method === 'POST') scores.set('Bob', ((await request.json()) as { score: number }).score)
    return Response.json(Object.fromEntries(scores), { headers: { 'cache-control': 'max-age=5' } })
  },
  '/api/throws': () => {
    throw new Error('secret of the operator')
  },
  '/api/rejects': () => Promise.reject(new Error('secret of the operator')),
  '/api/never': () => never,
  '/api/endless': (_, url) => new Response(endless(url.searchParams.get('kind'))),
  '/api/breaks': () =>
    new Response(new ReadableStream({ start: (controller) => controller.error(new Error('secret of the operator')) })),
  '/api/texts': () => new Response(new ReadableStream({ start: (controller) => controller.enqueue('no bytes') })),
  '/api/odd': (_, url) => ({ null: null, number: 7, text: 'text', object: { status: 200 } })[url.search.slice(1)],
  '/api/headers': () =>
    new Response('own', {
      headers: [
        ['content-security-policy', 'default-src *'],
        ['access-control-allow-origin', '*'],
        ['content-length', '999'],
        ['transfer-encoding', 'chunked'],
        ['connection', 'close'],
        ['set-cookie', 'a=1'],
        ['set-cookie', 'b=2'],
        ['x-own', 'kept'],
      ],
    }),
  '/api/large-header': () => new Response('', { headers: { 'x-large': 'x'.repeat(9_000) } }),
  '/api/nothing': () => undefined,
  '/api/about': (request, url) =>
    Response.json({ url: url.href, method: request.method, host: request.headers.get('host') }),
}

describe('rooms and routes of the user', () => {
  let server: RunningServer
  let at: { url: string; port: number }
  beforeAll(async () => {
    server = await serve({
      games: [defineModule({ game: dots })],
      rooms: { lobby: LobbyRoom, ranked: RankedQueue },
      fetch: (request) => {
        const url = new URL(request.url)
        return answers[url.pathname]?.(request, url) as Response | undefined
      },
      port: 0,
      host: '127.0.0.1',
      udp: 'off',
      matches: false,
      replays: false,
      token: TOKEN,
      signals: false,
      logLevel: 'silent',
      say: () => {},
      limits: {
        routeMs: 1_000,
        roomsPerAddress: { burst: 100, perSecond: 10 },
        load: 10,
        loopDelayMs: 60_000,
        requestsPerAddress: { burst: 10_000, perSecond: 1_000 },
      },
    })
    at = { url: server.url, port: Number(new URL(server.url).port) }
  })
  afterAll(() => server.close())

  test('[SV250] a queue of Colyseus puts two players of its ranking into one match', async () => {
    const client = new Client(at.url)
    const queued = await Promise.all(
      [10, 12].map((rank) => client.joinOrCreate('ranked', { rank, hello: helloOf(dots) }) as Promise<Room>),
    )
    const seats = await Promise.all(
      queued.map((room) => {
        room.onMessage('clients', () => {})
        return new Promise<never>((resolve) => room.onMessage('seat', resolve))
      }),
    )
    const matches = await Promise.all(seats.map((seat) => joinGame(at.url, dots, { seat })))
    for (const room of queued) room.send('confirm')
    const timer = setInterval(() => {
      for (const match of matches) match.update(performance.now(), () => ({ moveX: 1 }))
    }, 16)
    await Promise.all(matches.map((match) => match.whenPlaying()))
    expect(new Set(matches.map((match) => match.room.roomId)).size).toBe(1)
    expect(matches.map((match) => match.seat).sort()).toEqual([0, 1])
    clearInterval(timer)
    for (const match of matches) await match.leave()
  })

  test('[SV250] [SV46] a lobby is told of rooms that come and go, private ones left out; it is in no list itself', async () => {
    const client = new Client(at.url)
    const lobby = await client.joinOrCreate('lobby')
    const known = new Set<string>()
    lobby.onMessage('rooms', (rooms: { roomId: string }[]) => {
      for (const { roomId } of rooms) known.add(roomId)
    })
    lobby.onMessage('+', ([roomId]: [string]) => void known.add(roomId))
    lobby.onMessage('-', (roomId: string) => void known.delete(roomId))
    const hidden = await joinGame(at.url, dots, { private: true })
    const match = await joinGame(at.url, dots, { create: true })
    await until('the lobby knows the room', () => known.has(match.room.roomId))
    const { body } = await ask(at, '/rooms.json')
    expect(JSON.parse(body).map(({ game }: { game: string }) => game)).not.toContain('lobby')
    expect([known.has(hidden.room.roomId), known.has(lobby.roomId)]).toEqual([false, false])
    await match.leave()
    await until('the lobby has heard of its end', () => !known.has(match.room.roomId))
    await hidden.leave()
    await lobby.leave()
  })

  test.each([
    ['dots', 'A game is called "dots" already.'],
    ['a room', 'A room cannot be called "a room".'],
  ])('[SV250] a room that cannot be called %s is refused in words', async (name, words) => {
    const wrong = serve({
      games: [defineModule({ game: dots })],
      rooms: { [name]: LobbyRoom },
      port: 0,
      matches: false,
      replays: false,
      say: () => {},
    })
    await expect(wrong).rejects.toThrow(words)
  })

  test('[SV251] fetch answers what the server does not, with status, headers and body; what it leaves is 404', async () => {
    const post = await ask(at, '/api/scores', { method: 'POST', body: '{"score":7}' })
    expect([post.status, JSON.parse(post.body)]).toEqual([200, { Ada: 12, Bob: 7 }])
    const read = await ask(at, '/api/scores')
    expect(read.headers).toMatchObject({ 'cache-control': 'max-age=5', 'content-type': 'application/json' })
    const about = await ask(at, '/api/about?a=1', { method: 'DELETE', headers: { host: 'play.test:80' } })
    expect(JSON.parse(about.body)).toEqual({
      url: 'http://play.test/api/about?a=1',
      method: 'DELETE',
      host: 'play.test:80',
    })
    expect((await ask(at, '/api/nothing')).status).toBe(404)
    expect((await ask(at, '//elsewhere.test/api/scores')).status).toBe(400)
    // What the server has is its own.
    expect((await ask(at, '/metrics')).status).toBe(401)
    expect((await ask(at, '/health', { method: 'DELETE' })).status).toBe(405)
    expect((await ask(at, '/api/scores', { method: 'POST', headers: { origin: 'https://evil.test' } })).status).toBe(
      403,
    )
  })

  test('[SV252] headers of the user do not undo ours', async () => {
    const { status, headers, body } = await ask(at, '/api/headers')
    expect([status, body]).toEqual([200, 'own'])
    expect(headers).toMatchObject({ 'x-own': 'kept', 'set-cookie': ['a=1', 'b=2'], 'content-length': '3' })
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(headers['access-control-allow-origin']).toBeUndefined()
  })

  test.each<[string, number]>([
    ['throws', 500],
    ['rejects', 500],
    ['breaks', 500],
    ['texts', 500],
    ['odd?null', 500],
    ['odd?number', 500],
    ['odd?text', 500],
    ['odd?object', 500],
    ['large-header', 500],
    ['never', 504],
    ['endless?kind=fast', 500],
    ['endless?kind=slow', 504],
    ['endless?kind=empty', 504],
  ])('[SV252] %s: %d without the reason, and the match beside it goes on', async (path, wanted) => {
    const match = await joinGame(at.url, dots, {})
    const timer = setInterval(() => match.update(performance.now(), () => ({})), 16)
    await match.whenPlaying()
    const { status, body } = await ask(at, `/api/${path}`)
    expect(status).toBe(wanted)
    expect(body).not.toContain('secret')
    const ticks = () => metricOf(at, 'hurtbox_tick_seconds_count')
    const before = await ticks()
    await until('the match goes on', async () => (await ticks()) > before + 3)
    clearInterval(timer)
    await match.leave()
    const made = pulled
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(pulled, 'what nobody reads is not made').toBe(made)
  })

  test('[SV252] a body that is too large is refused unread, and one address gets so many answers at once', async () => {
    expect((await ask(at, '/api/scores', { method: 'POST', body: 'x'.repeat(70_000) })).status).toBe(413)
    const statuses = await Promise.all(Array.from({ length: 12 }, async () => (await ask(at, '/api/never')).status))
    expect(statuses.sort()).toEqual([...new Array(4).fill(429), ...new Array(8).fill(504)].sort())
    expect((await ask(at, '/api/scores')).status).toBe(200)
  })
})
