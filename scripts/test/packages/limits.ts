/**
 * Every row of the table of limits in docs/server.md, tried on a server that is only known by its address.
 *
 * One probe a row, by the words of its first column. Each comes from an address of its own, so that they can run side by side, and
 * is given the numbers of its row: what the installed package thinks of its limits is not asked.
 */

import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { existsSync, renameSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { WebSocket } from 'ws'
import { ask, openConnection, type Reachable, type Reply, until } from '../../../packages/server/test/support.ts'

export type Target = Reachable & {
  /** The folder of the project, and the game that is served. */
  readonly folder: string
  readonly game: string
  readonly hello: object
  readonly token: string
  /** Of the server's process. */
  readonly pid: number
}

/** `budget`: the numbers of the row's second column, in their order. */
type Probe = (server: Target, from: string, budget: readonly number[]) => Promise<void>

/** A busy machine makes a busy server, which opens no rooms for a while: that is no failure here. */
const PATIENCE_MS = 90_000
const JOIN_ROOM = 10
const ROOM_DATA = 13
const ROOM_DATA_BYTES = 17
/** The message `pause` with the content true, as the SDK sends it. */
const PAUSE = Buffer.concat([Buffer.from([ROOM_DATA, 0xa5]), Buffer.from('pause'), Buffer.from([0xc3])])
/** The message `away`: that one is, and that one is not. */
const AWAY = [0xc3, 0xc2].map((content) =>
  Buffer.concat([Buffer.from([ROOM_DATA, 0xa4]), Buffer.from('away'), Buffer.from([content])]),
)
/** The kind of the netcode's welcome. */
const WELCOME = 16
const BIG_BYTES = 48 << 20

/** The first record of a handshake by which a data channel is secured. */
const HELLO = Buffer.from(`16fefd${'00'.repeat(8)}0010${'01'.repeat(16)}`, 'hex')

export const PROBES: Readonly<Record<string, Probe>> = {
  'connections, half-open ones included': async (server, from, [ofAddress]) => {
    const half = await Promise.all(
      Array.from({ length: 120 }, () => openConnection(server, 'GET / HTTP/1.1\r\nx-slow: ', from)),
    )
    for (const socket of half) socket.on('error', () => {}).resume()
    // Counted as refused: after some seconds half-open ones are closed anyway.
    const refused = async () =>
      Number(/hurtbox_refused_total\{reason="connections"\} (\d+)/.exec(await metrics(server))?.[1])
    const tooMany = half.length - ofAddress
    await until('those beyond the limit are refused', async () => (await refused()) >= tooMany, PATIENCE_MS)
    for (const socket of half) socket.destroy()
  },
  'headers and bodies that never end': async (server, from) => {
    const [headers, body] = await Promise.all([
      openConnection(server, 'GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nx-slow: ', from),
      openConnection(
        server,
        `POST /matchmake/create/${server.game} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{`,
        from,
      ),
    ])
    await Promise.all([headers, body].map(closed))
  },
  'size of headers, body': async (server, from, [headersKb, bodyKb]) => {
    const long = { 'x-long': 'x'.repeat(1024 * headersKb) }
    expect((await ask(server, '/health', { from, headers: long })).status).toBe(431)
    const body = JSON.stringify({ name: 'x'.repeat(1024 * bodyKb) })
    expect((await post(server, from, 'create', server.game, body)).status).toBe(413)
  },
  'HTTP requests, pipelined or not, and upgrades': async (server, from, [burst]) => {
    const socket = await openConnection(
      server,
      'GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n'.repeat(3 * burst),
      from,
    )
    let text = ''
    socket.on('data', (data) => (text += data)).on('error', () => {})
    await closed(socket)
    const answers = text.split('HTTP/1.1 200').length - 1
    expect(answers).toBeGreaterThan(0)
    expect(answers).toBeLessThan(2 * burst)
  },
  'answers that are not read': async (server, from, [stallSeconds]) => {
    const name = bigReplay(server)
    const socket = await openConnection(server, `GET /replays/${name} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`, from)
    // From the first byte on: a slow server answers late. Listening like this reads no more than a buffer.
    await once(socket, 'readable')
    // Node looks after each period whether anything has moved since the last look.
    await sleep(2000 * stallSeconds + 8_000)
    // What was on its way is still read; the rest never comes.
    let bytes = 0
    socket.on('data', (data) => (bytes += data.length))
    await closed(socket)
    expect(bytes).toBeLessThan(BIG_BYTES)
  },
  'replay downloads': async (server, from, [count]) => {
    const request = `GET /replays/${bigReplay(server)} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`
    const stalled = await Promise.all(Array.from({ length: count }, () => openConnection(server, request, from)))
    for (const socket of stalled) {
      socket.on('error', () => {})
      await once(socket, 'readable')
    }
    expect((await ask(server, `/replays/${bigReplay(server)}`, { from })).status).toBe(429)
    for (const socket of stalled) socket.destroy()
  },
  'guessing the name of a replay': async (server, from) => {
    const name = bigReplay(server).replace(/[\w-]{22}\.hbr$/, `${'A'.repeat(22)}.hbr`)
    expect((await ask(server, `/replays/${name}`, { from })).status).toBe(404)
    expect((await ask(server, '/replays/..%2f..%2fpackage.json', { from })).status).toBe(404)
  },
  'the files of the page': async (server, from) => {
    const file = join(server.folder, 'dist/index.html')
    renameSync(file, `${file}.away`)
    try {
      expect(await ask(server, '/', { from })).toMatchObject({
        status: 200,
        body: expect.stringContaining(server.game),
      })
    } finally {
      renameSync(`${file}.away`, file)
    }
  },
  'pages of other origins': async (server, from) => {
    const headers = { origin: 'https://evil.example' }
    expect((await ask(server, '/rooms.json', { from, headers })).status).toBe(403)
    const path = seatPath(await seat(server, from, 'create', server.game))
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}${path}`, { localAddress: from, headers })
    const [error] = await once(socket, 'error')
    expect(error.message).toContain('403')
  },
  'wrong tokens for monitor and metrics': async (server, from, [burst, , everySeconds]) => {
    const startedAt = performance.now()
    const replies = await Promise.all(
      Array.from({ length: 3 * burst }, (_, i) =>
        ask(server, '/metrics', { from, headers: { authorization: `Bearer wrong-${i}` } }),
      ),
    )
    const more = Math.ceil((performance.now() - startedAt) / 1000 / everySeconds)
    const wrong = replies.filter(({ status }) => status === 401).length
    expect(wrong).toBeGreaterThanOrEqual(burst)
    expect(wrong).toBeLessThanOrEqual(burst + more)
    expect(replies.filter(({ status }) => status === 429).length).toBe(replies.length - wrong)
  },
  'monitor, health, list of rooms': async (server, from) => {
    for (const path of ['/health', '/rooms.json']) expect((await ask(server, path, { from })).status, path).toBe(200)
    expect((await ask(server, '/monitor/', { from })).status).toBe(401)
    const headers = { authorization: `Bearer ${server.token}` }
    expect((await ask(server, '/monitor/', { from, headers })).status).toBe(200)
  },
  'matchmaking: rooms': async (server, from, [burst, , everySeconds]) => {
    const sockets: WebSocket[] = []
    let refusal: Reply | undefined
    const startedAt = performance.now()
    while (refusal === undefined && sockets.length < 3 * burst) {
      const reply = await seat(server, from, 'create', server.game)
      if (reply.status === 200) sockets.push(await joined(server, from, reply))
      else refusal = reply
    }
    expect(refusal).toMatchObject({ status: 429, body: expect.stringContaining('too many rooms opened') })
    expect(sockets.length).toBeLessThanOrEqual(burst + Math.ceil((performance.now() - startedAt) / 1000 / everySeconds))
    for (const socket of sockets) socket.close()
  },
  'matchmaking: all rooms of a process': async (server, _from, [, , mostRooms]) => {
    await busyServerOpensNoRoom(server)
    await fullServerOpensNoRoom(server, mostRooms)
  },
  'matchmaking: seats': async (server, from, [burst]) => {
    const replies = await Promise.all(
      Array.from({ length: burst + 20 }, () => post(server, from, 'joinById', 'no-room', '{}')),
    )
    const refused = replies.filter(({ status, body }) => status === 429 && body.includes('too many seats'))
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.length).toBeLessThanOrEqual(20)
  },
  'asking for a seat that one had': async (server, from, [burst]) => {
    // Many more flow in while a busy machine asks, in groups that fit in the connections of one address.
    const replies: Reply[] = []
    while (replies.length < 2 * burst) {
      const asked = Array.from({ length: 60 }, () =>
        post(server, from, 'reconnect', 'no-room', '{"reconnectionToken":"x"}'),
      )
      replies.push(...(await Promise.all(asked)))
    }
    const refused = replies.filter(({ status, body }) => status === 429 && body.includes('too many seats'))
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.length).toBeLessThanOrEqual(burst)
  },
  'reservations that are not taken': async (server, from, [count]) => {
    // On a slow machine the first have run out before the last are asked for; then once more.
    const isRefused = async () => {
      const { roomId } = JSON.parse((await seat(server, `${from}1`, 'create', server.game)).body)
      const replies = await Promise.all(Array.from({ length: count + 4 }, () => hail(server, from, 'joinById', roomId)))
      expect(replies.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(count)
      return replies.some(({ status, body }) => status === 429 && body.includes('take the seats'))
    }
    await until('the ninth is refused', isRefused, PATIENCE_MS)
  },
  'a seat by guessing': async (server, from) => {
    const path = seatPath(await seat(server, from, 'create', server.game))
    const guessed = path.replace(/sessionId=.*/, 'sessionId=guessed12')
    expect(await closeCode(new WebSocket(`ws://127.0.0.1:${server.port}${guessed}`, { localAddress: from }))).toBe(4002)
  },
  'sockets without a seat': async (server, from) => {
    const { processId, roomId } = JSON.parse((await seat(server, from, 'create', server.game)).body)
    const head = [
      `GET /${processId}/${roomId}?sessionId=nobody HTTP/1.1`,
      'Host: 127.0.0.1',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ]
    const socket = await openConnection(server, `${head.join('\r\n')}\r\n\r\n`, from)
    // It answers nothing, the frame that closes it neither: the WebSocket library alone would wait for half a minute.
    const bytes: Buffer[] = []
    socket.on('error', () => {}).on('data', (piece) => bytes.push(piece))
    const startedAt = performance.now()
    await once(socket, 'end')
    expect(performance.now() - startedAt).toBeLessThan(15_000)
    expect(Buffer.concat(bytes).includes(Buffer.from([0x0f, 0xa2]))).toBe(true)
    socket.destroy()
  },
  'seats of players who are away': async (server, from) => {
    const reply = await seat(server, from, 'create', server.game)
    const socket = await joined(server, from, reply)
    const { roomId } = JSON.parse(reply.body)
    socket.terminate()
    const path = `/any/${roomId}?sessionId=${JSON.parse(reply.body).sessionId}&reconnectionToken=guessed`
    await until('it takes a token to come back', async () => {
      const again = new WebSocket(`ws://127.0.0.1:${server.port}${path}`, { localAddress: from })
      return (await closeCode(again)) === 4003
    })
  },
  'sockets that never finish the handshake': async (server, from) => {
    const path = seatPath(await seat(server, from, 'create', server.game))
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}${path}`, { localAddress: from })
    expect(await closeCode(socket)).toBe(4009)
  },
  'size of a message': async (server, from, [bytes]) => {
    const socket = await player(server, from)
    socket.send(Buffer.alloc(bytes + 1))
    expect(await closeCode(socket)).toBe(1009)
  },
  'messages, pings and pongs': async (server, from, [burst]) => {
    for (const flood of [
      (each: WebSocket) => each.ping(),
      (each: WebSocket) => each.send(Buffer.from([ROOM_DATA_BYTES, 0])),
    ]) {
      const socket = await player(server, from)
      for (let i = 0; i < 2 * burst; i++) flood(socket)
      expect([1006, 1008, 4008]).toContain(await closeCode(socket))
    }
  },
  'invalid messages': async (server, from) => {
    const socket = await player(server, from)
    // A message of the netcode (type 0) with a kind that there is not, slowly enough to be no flood.
    const timer = setInterval(() => socket.send(Buffer.from([ROOM_DATA_BYTES, 0, 250])), 15)
    const code = await closeCode(socket)
    clearInterval(timer)
    expect(code).toBe(4007)
  },
  compression: async (server, from) => {
    const path = seatPath(await seat(server, from, 'create', server.game))
    const options = { localAddress: from, perMessageDeflate: true }
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}${path}`, options)
    const [response] = await once(socket, 'upgrade')
    expect(response.headers['sec-websocket-extensions']).toBeUndefined()
    socket.terminate()
  },
  'not reading': async (server, from) => {
    const socket = await player(server, from)
    socket.pause()
    const metric = async () => /hurtbox_refused_total\{reason="silent"\} (\d+)/.exec(await metrics(server))?.[1]
    const before = await metric()
    await until('a reader that stands still is cut', async () => (await metric()) !== before, PATIENCE_MS)
    socket.terminate()
  },
  silent: async (server, from) => {
    const socket = await player(server, from)
    // One word after the welcome, and no more.
    await sleep(500)
    socket.send(Buffer.from([ROOM_DATA_BYTES, 0, 250]))
    expect(await closeCode(socket)).toBe(4010)
  },
  'not following, or never sending': async (server, from) => {
    expect(await closeCode(await player(server, from))).toBe(4009)
  },
  'going and coming back on one connection': async (server, from) => {
    const socket = await player(server, from)
    let welcomes = 0
    socket.on('message', (data: Buffer) => {
      if (data[0] === ROOM_DATA_BYTES && data[1] === 0 && data[2] === WELCOME) welcomes++
    })
    const startedAt = performance.now()
    for (let i = 0; i < 60; i++) {
      socket.send(AWAY[i % 2])
      await sleep(50)
    }
    expect(welcomes).toBeGreaterThan(0)
    expect(welcomes).toBeLessThanOrEqual(2 + (performance.now() - startedAt) / 1000)
    socket.terminate()
  },
  pausing: async (server, from) => {
    const reply = await seat(server, from, 'create', server.game)
    const first = await joined(server, from, reply)
    let text = ''
    let messages = 0
    first.on('message', (data: Buffer) => {
      text += data.toString('latin1')
      messages++
    })
    const pause = () => first.send(PAUSE)
    pause()
    await until('who is alone may pause', () => text.includes('paused'), PATIENCE_MS)
    const second = await joined(server, from, await seat(server, from, 'joinById', JSON.parse(reply.body).roomId))
    await until('the pause ends when a second player comes', () => text.includes('playing'), PATIENCE_MS)
    text = ''
    pause()
    const before = messages
    await until('the match goes on', () => messages > before + 20, PATIENCE_MS)
    expect(text).not.toContain('paused')
    for (const socket of [first, second]) socket.close()
  },
  names: async (server, from) => {
    const body = JSON.stringify({ hello: server.hello, name: 'N'.repeat(60) })
    const reply = await seat(server, from, 'create', server.game, body)
    const path = seatPath(reply)
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}${path}`, { localAddress: from })
    let text = ''
    socket.on('message', (data: Buffer) => {
      text += data.toString('latin1')
      if (data[0] === JOIN_ROOM) socket.send(Buffer.from([JOIN_ROOM]))
    })
    await until('the roster has come', () => /N{24}/.test(text), PATIENCE_MS)
    expect(text).not.toMatch(/N{25}/)
    socket.close()
  },
  'files of replays': async (server, from, [mostFiles]) => {
    const folder = join(server.folder, '.cache/replays')
    const plant = (name: string, bytes: number, daysAgo: number) => {
      const file = join(folder, `${name}-${'c'.repeat(22)}.hbr`)
      writeFileSync(file, '')
      // Without anything in it: such a file takes no place on the disk.
      truncateSync(file, bytes)
      const time = Date.now() / 1000 - daysAgo * 86_400
      utimesSync(file, time, time)
      return file
    }
    /** Files are looked after when a match begins and when one ends. */
    const gone = async (file: string) => {
      const socket = await player(server, from)
      await until(`${file} is removed`, () => !existsSync(file), PATIENCE_MS)
      socket.close()
    }
    const [kept, tooMuch] = [plant('kept', 700 << 20, 1), plant('too-much', 700 << 20, 2)]
    await gone(tooMuch)
    expect(existsSync(kept)).toBe(true)
    rmSync(kept)
    const crashed = plant('crashed', 10, 401)
    renameSync(crashed, `${crashed}.part`)
    const old = Array.from({ length: mostFiles + 20 }, (_, i) => plant(`old-${i}`, 10, 100 + i))
    await gone(`${crashed}.part`)
    expect(old.filter((file) => existsSync(file)).length).toBeLessThanOrEqual(mostFiles)
    expect(existsSync(old[0])).toBe(true)
    for (const file of old) rmSync(file, { force: true })
  },
  'packets to the UDP port': async (server, from, [longest]) => {
    const stranger = createSocket('udp4').bind(0, from)
    await once(stranger, 'listening')
    const answers: Buffer[] = []
    stranger.on('message', (packet) => void answers.push(packet))
    // Noise, a question that nobody signed, and the beginning of a handshake.
    const packets = [Buffer.alloc(64, 200), Buffer.from(`000100002112a442${'00'.repeat(12)}`, 'hex'), HELLO]
    for (const packet of [...packets, Buffer.alloc(longest + 1)]) stranger.send(packet, server.port, '127.0.0.1')
    const refused = async (reason: string) =>
      Number(
        new RegExp(`hurtbox_packets_refused_total\\{reason="${reason}"\\} (\\d+)`).exec(await metrics(server))?.[1],
      )
    await until('all are dropped', async () => (await refused('strange')) >= packets.length, PATIENCE_MS)
    await until('and the long one', async () => (await refused('tooLong')) >= 1, PATIENCE_MS)
    expect(answers).toEqual([])
    stranger.close()
  },
  'what a proxy forwards': async (server, from) => {
    // Without proxies of the operator, what a client writes there counts for nothing: these are of one address.
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_, i) => {
        const headers = { authorization: 'Bearer wrong', 'x-forwarded-for': `10.0.0.${i}` }
        return ask(server, '/metrics', { from, headers })
      }),
    )
    expect(replies.some(({ status }) => status === 429)).toBe(true)
  },
}

/** These last as long as a seat is kept. RM51 holds the same of rooms that keep seats for a shorter time. */
export const MINUTES: readonly string[] = ['silent', 'not following, or never sending']

/** Rows of what this server has not: data channels and functions of one's own are held by the tests that the rows name. */
export const ELSEWHERE = /datagram|data channel|your own `fetch`/

/** Rows that need the whole server: they come after all others. */
export const ALONE: readonly string[] = ['matchmaking: all rooms of a process']

/** The rows of the table: the way in, and the numbers of its budget. Words for one count as one. */
export function rowsOf(page: string): { readonly way: string; readonly budget: readonly number[] }[] {
  const table = /\| way in \|.*\n\|[-|]+\n([\s\S]*?)\n\n/.exec(page)![1]
  return table.split('\n').map((row) => {
    const [, way, budget] = row.split('|').map((cell) => cell.trim())
    const numbers = budget.replace(/\bone\b/g, '1').matchAll(/\d[\d,]*/g)
    return { way, budget: Array.from(numbers, ([digits]) => Number(digits.replaceAll(',', ''))) }
  })
}

/** Stops the process again and again, as a machine does that has too much to do: its timers are late. Then asks for rooms. */
async function busyServerOpensNoRoom(server: Target): Promise<void> {
  let isOver = false
  const hinder = async () => {
    while (!isOver) {
      process.kill(server.pid, 'SIGSTOP')
      await sleep(150)
      process.kill(server.pid, 'SIGCONT')
      await sleep(10)
    }
  }
  let room = 0
  const isRefused = async () => {
    const { status, body } = await hail(server, `127.0.5.${1 + (room++ % 200)}`, 'create', server.game)
    return status === 503 && body.includes('busy')
  }
  const hindered = hinder()
  await until('a busy server opens no room', isRefused, PATIENCE_MS).finally(() => {
    isOver = true
  })
  await hindered
}

/**
 * Opens rooms that cost next to nothing until the server opens no more: a match waits for the first player, and a place is kept for seconds
 * for one that does not come, and for seconds again for one that does not finish the handshake.
 */
async function fullServerOpensNoRoom(server: Target, mostRooms: number): Promise<void> {
  const sockets: WebSocket[] = []
  let isOver = false
  const keep = async (from: string, reply: Reply) => {
    await sleep(6_000)
    if (isOver) return
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}${seatPath(reply)}`, { localAddress: from })
    sockets.push(socket.on('error', () => {}))
  }
  const open = async (i: number) => {
    const from = `127.0.6.${1 + (i % 250)}`
    const reply = await hail(server, from, 'create', server.game)
    if (reply.status === 200) keep(from, reply)
    return reply
  }
  let [asked, mostSeen] = [0, 0]
  const countRooms = async () => {
    const [, rooms] = /^hurtbox_rooms\S* (\d+)$/m.exec(await metrics(server))!
    mostSeen = Math.max(mostSeen, Number(rooms))
  }
  const isFull = async () => {
    let isAnswered = false
    const asking = Promise.all(Array.from({ length: 20 }, () => open(asked++))).finally(() => {
      isAnswered = true
    })
    // The last room may be there for a moment only: the first ones are given up meanwhile.
    while (!isAnswered) await countRooms()
    const replies = await asking
    // New rooms count as much as others cost until they are measured, so they come a few at a time. One that is being opened counts already.
    for (const waitMs of [0, 300]) {
      await sleep(waitMs)
      await countRooms()
    }
    return replies.some(({ status, body }) => status === 503 && body.includes('full'))
  }
  await until('the server is full', isFull, PATIENCE_MS).finally(() => {
    isOver = true
    for (const socket of sockets) socket.terminate()
  })
  expect(mostSeen).toBe(mostRooms)
}

/** A file that takes longer to read than anything is buffered. */
function bigReplay({ folder }: Target): string {
  const name = `big-2026-01-01T00-00-00-room-1-${'b'.repeat(22)}.hbr`
  const file = join(folder, '.cache/replays', name)
  if (!existsSync(file)) writeFileSync(file, Buffer.alloc(BIG_BYTES))
  return name
}

function post(server: Target, from: string, method: string, room: string, body: string): Promise<Reply> {
  const headers = { 'content-type': 'application/json' }
  return ask(server, `/matchmake/${method}/${room}`, { method: 'POST', headers, body, from })
}

function hail(server: Target, from: string, method: string, room: string): Promise<Reply> {
  return post(server, from, method, room, JSON.stringify({ hello: server.hello }))
}

/** A seat; waits while the server is too busy to open a room. */
async function seat(
  server: Target,
  from: string,
  method: string,
  room: string,
  body: string = JSON.stringify({ hello: server.hello }),
): Promise<Reply> {
  let reply: Reply | undefined
  await until(
    'the server opens rooms',
    async () => {
      reply = await post(server, from, method, room, body)
      // Every request for a room counts, also a refused one: one more is free every five seconds.
      if (reply.status === 503) await sleep(5_000)
      return reply.status !== 503
    },
    PATIENCE_MS,
  )
  return reply!
}

function seatPath({ status, body }: Reply): string {
  expect(status, body).toBe(200)
  const { processId, roomId, sessionId } = JSON.parse(body)
  return `/${processId}/${roomId}?sessionId=${sessionId}`
}

/** A socket that has finished the handshake and does nothing else. */
async function joined(server: Target, from: string, reply: Reply): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}${seatPath(reply)}`, { localAddress: from })
  const [data] = await once(socket, 'message')
  expect(data[0]).toBe(JOIN_ROOM)
  socket.send(Buffer.from([JOIN_ROOM]))
  return socket
}

async function player(server: Target, from: string): Promise<WebSocket> {
  return joined(server, from, await seat(server, from, 'create', server.game))
}

async function closeCode(socket: WebSocket): Promise<number> {
  socket.on('error', () => {})
  const [code] = await once(socket, 'close')
  return code
}

async function closed(socket: Awaited<ReturnType<typeof openConnection>>): Promise<void> {
  socket.on('error', () => {}).resume()
  if (!socket.closed) await once(socket, 'close')
}

async function metrics(server: Target): Promise<string> {
  const headers = { authorization: `Bearer ${server.token}` }
  return (await ask(server, '/metrics', { headers })).body
}
