import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  ask,
  metricOf,
  openConnection,
  reserve,
  startTestServer,
  type TestServer,
  TOKEN,
  until,
} from '../test/support.ts'
import { LIMITS } from './limits.ts'
import { createLog } from './log.ts'

const SECRET = 'not for everybody'
const ROOMS = 20
const folder = mkdtempSync(join(tmpdir(), 'hurtbox-server-'))
const pageFolder = join(folder, 'studio')
const replayFolder = join(folder, 'replays')
mkdirSync(join(pageFolder, 'assets'), { recursive: true })
mkdirSync(join(replayFolder, 'folder.hbr'), { recursive: true })
writeFileSync(join(pageFolder, 'index.html'), '<!doctype html><title>studio</title>')
writeFileSync(join(pageFolder, 'assets/main-abc123.js'), `// ${'studio '.repeat(200)}`)
writeFileSync(join(folder, 'secret.hbr'), SECRET)
writeFileSync(join(replayFolder, 'match-1.hbr'), 'a replay')
symlinkSync(join(folder, 'secret.hbr'), join(replayFolder, 'link.hbr'))
symlinkSync(folder, join(replayFolder, 'linked'))

const lines: string[] = []
let server: TestServer
beforeAll(async () => {
  server = await startTestServer({
    pageFolder,
    replayFolder,
    log: createLog('info', { write: (line) => lines.push(line) }),
    origins: ['https://play.example.org'],
    limits: { headersMs: 1_000, rooms: ROOMS, reservationsPerAddress: 1_000 },
  })
}, 60_000)
afterAll(async () => {
  await server?.close()
  rmSync(folder, { recursive: true })
})

const authorization = { authorization: `Bearer ${TOKEN}` }

describe('pages', () => {
  test('[SV66] the files of a page come from memory: what happens to them on the disk is not seen', async () => {
    const script = join(pageFolder, 'assets/main-abc123.js')
    const before = readFileSync(script)
    try {
      rmSync(script)
      writeFileSync(join(pageFolder, 'late.js'), 'late')
      expect(await ask(server, '/assets/main-abc123.js')).toMatchObject({ status: 200, body: before.toString() })
      expect(await ask(server, '/late.js')).toMatchObject({ status: 404 })
    } finally {
      writeFileSync(script, before)
      rmSync(join(pageFolder, 'late.js'))
    }
  })

  test('[SV1] the studio is at /, health at /health, on one port', async () => {
    expect(await ask(server, '/')).toMatchObject({ status: 200, body: '<!doctype html><title>studio</title>' })
    expect(await ask(server, '/health')).toMatchObject({ status: 200, body: '{"status":"ok"}' })
    expect(await ask(server, '/nowhere')).toMatchObject({ status: 404 })
    expect(await ask(server, '/', { method: 'DELETE' })).toMatchObject({ status: 405 })
  })

  test('[SV2] every answer has the headers that bind a browser, and none names the software', async () => {
    const paths = [
      '/',
      '/health',
      '/nowhere',
      '/metrics',
      '/monitor/',
      '/replays/match-1.hbr',
      '/matchmake/create/nothing',
    ]
    for (const path of paths) {
      const { headers } = await ask(server, path)
      expect(headers['content-security-policy'], path).toMatch(
        /^default-src 'none'; script-src 'self'; style-src 'self';/,
      )
      expect(headers['content-security-policy'], path).not.toMatch(/unsafe|\*/)
      expect(headers, path).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
      expect(headers['content-security-policy'], path).toMatch(/frame-ancestors 'none'/)
      expect(Object.keys(headers), path).not.toContain('x-powered-by')
      expect(JSON.stringify(headers), path).not.toMatch(/colyseus|express|node\.?js/i)
    }
  })

  test('[SV3] files are packed, kept by name or by mark, and sent without a body to HEAD', async () => {
    const packed = await ask(server, '/assets/main-abc123.js', { headers: { 'accept-encoding': 'gzip' } })
    expect(packed.headers).toMatchObject({
      'content-encoding': 'gzip',
      'cache-control': expect.stringMatching(/immutable/),
    })
    expect(Number(packed.headers['content-length'])).toBeLessThan(200)
    const { headers } = await ask(server, '/')
    expect(headers['cache-control']).toBe('no-cache')
    expect(await ask(server, '/', { headers: { 'if-none-match': headers.etag! } })).toMatchObject({
      status: 304,
      body: '',
    })
    expect(await ask(server, '/', { method: 'HEAD' })).toMatchObject({ status: 200, body: '' })
  })
})

describe('permissions', () => {
  const origin = (value: string, host?: string) => ({ origin: value, ...(host && { host }) })

  test('[SV4] a foreign page gets 403 and no leave to read it', async () => {
    const foreign = ['http://evil.example', 'null', 'http://127.0.0.1:1', 'https://play.example.org.evil.example']
    for (const value of foreign) {
      const reply = await reserve(server, 'joinOrCreate', 'echo', '{}', origin(value))
      expect(reply.status, value).toBe(403)
      expect(reply.headers['access-control-allow-origin'], value).toBeUndefined()
      const preflight = await ask(server, '/matchmake/create/echo', { method: 'OPTIONS', headers: origin(value) })
      expect(preflight.headers['access-control-allow-origin'], value).toBeUndefined()
    }
  })

  test('[SV4] our own page and the listed ones may', async () => {
    const own = `http://127.0.0.1:${server.port}`
    for (const value of [own, 'https://play.example.org']) {
      const reply = await ask(server, '/health', { headers: origin(value) })
      expect(reply.status, value).toBe(200)
      expect(reply.headers['access-control-allow-origin'], value).toBe(value)
    }
  })

  test('[SV4] a foreign name that resolves to us does not make a page our own', async () => {
    const reply = await ask(server, '/health', { headers: origin('http://evil.example', 'evil.example') })
    expect(reply.status).toBe(403)
  })

  test('[SV87] files are never refused by origin, and no other page can read them', async () => {
    for (const value of ['http://evil.example', 'null', 'http://play.wild.test:2567']) {
      for (const [path, status] of [
        ['/', 200],
        ['/assets/main-abc123.js', 200],
        ['/nowhere', 404],
        ['/monitor/monitor.js', 401],
      ] as const) {
        for (const method of ['GET', 'HEAD']) {
          const { status: got, headers } = await ask(server, path, { method, headers: origin(value) })
          expect([got, headers['access-control-allow-origin']], `${method} ${path}`).toEqual([status, undefined])
          expect(headers['cross-origin-resource-policy'], path).toBe('same-origin')
        }
      }
      const token = { ...authorization, ...origin(value) }
      expect((await ask(server, '/monitor/monitor.js', { headers: token })).status).toBe(200)
    }
  })

  test('[SV87] what is no file is refused, whatever it is asked with', async () => {
    const headers = { ...authorization, ...origin('http://evil.example') }
    for (const path of ['/health', '/rooms.json', '/metrics', '/monitor/data.json', '/replays/match-1.hbr'])
      expect((await ask(server, path, { headers })).status, path).toBe(403)
    for (const method of ['POST', 'OPTIONS', 'DELETE'])
      expect((await ask(server, '/', { method, headers })).status, method).toBe(403)
  })

  test('[SV86] the answer to a page that is refused says what cures it, the log says it once, and it is counted', async () => {
    const before = await metricOf(server, 'hurtbox_refused_total', 'reason="origin"')
    const value = 'https://told.example'
    for (let i = 0; i < 2; i++) {
      const { status, body } = await ask(server, '/rooms.json', { headers: origin(value) })
      expect([status, JSON.parse(body).error]).toEqual([403, expect.stringContaining(`--origin ${value} (ORIGINS=`)])
    }
    const warnings = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg.includes(value))
    expect(warnings).toMatchObject([{ level: 40, msg: expect.stringContaining(`a page at ${value} was refused`) }])
    expect(await metricOf(server, 'hurtbox_refused_total', 'reason="origin"')).toBe(before + 2)
  })

  test('[SV88] the opener policy is sent to addresses that browsers trust, which are those they say so to', async () => {
    const policy = async (headers: Record<string, string>) =>
      (await ask(server, '/', { headers })).headers['cross-origin-opener-policy']
    expect(await policy({ 'sec-fetch-site': 'none' })).toBe('same-origin')
    expect(await policy({})).toBeUndefined()
  })

  test('[SV89] /monitor leads to /monitor/ by a relative way, so that it keeps the path a proxy puts us below', async () => {
    const { status, headers } = await ask(server, '/monitor', { headers: authorization })
    expect(status).toBe(308)
    const from = 'https://play.example.org/game/monitor'
    expect(new URL(headers.location!, from).href).toBe(`${from}/`)
  })

  test('[SV5] monitor and metrics want the token, as password or as bearer', async () => {
    for (const path of ['/metrics', '/monitor', '/monitor/', '/monitor/data.json', '/monitor/monitor.js']) {
      const reply = await ask(server, path)
      expect(reply.status, path).toBe(401)
      expect(reply.headers['www-authenticate'], path).toMatch(/^Basic /)
    }
    const basic = { authorization: `Basic ${Buffer.from(`me:${TOKEN}`).toString('base64')}` }
    expect(await ask(server, '/monitor/', { headers: basic })).toMatchObject({ status: 200 })
    expect(await ask(server, '/monitor/data.json', { headers: authorization })).toMatchObject({ status: 200 })
    expect((await ask(server, '/metrics', { headers: authorization })).body).toMatch(
      /^hurtbox_rooms\{game="echo"\} \d/m,
    )
  })

  test('[SV5] tokens cannot be guessed by trying: ten, then 429', async () => {
    const statuses: number[] = []
    for (let i = 0; i < 30; i++) {
      statuses.push((await ask(server, '/metrics', { headers: { authorization: `Bearer guess-${i}` } })).status)
    }
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(11)
    expect(statuses.at(-1)).toBe(429)
    expect(await ask(server, '/metrics', { headers: authorization })).toMatchObject({ status: 200 })
  })

  test('[SV6] the monitor is a page without inline script that shows names as text', async () => {
    const page = await ask(server, '/monitor/', { headers: authorization })
    expect(page.body).toMatch(/<script type="module" src="monitor\.js"><\/script>/)
    expect(page.body).not.toMatch(/<script>|<style|style=|\bon[a-z]+=/)
    const script = await ask(server, '/monitor/monitor.js', { headers: authorization })
    expect(script.body).not.toMatch(/innerHTML|insertAdjacentHTML|document\.write|eval/)
  })
})

describe('how much may be asked', () => {
  test('[SV7] a body of 20 MB gets 413, announced or not', async () => {
    const body = `{"a":"${'x'.repeat(20_000_000)}"}`
    expect(await reserve(server, 'create', 'echo', body)).toMatchObject({ status: 413 })
    const chunked = { 'transfer-encoding': 'chunked' }
    expect(await reserve(server, 'create', 'echo', body, chunked)).toMatchObject({ status: 413 })
  })

  test('[SV7] headers beyond 8 kB get 431', async () => {
    const reply = await ask(server, '/health', { headers: { 'x-long': 'x'.repeat(LIMITS.headerBytes) } })
    expect(reply.status).toBe(431)
  })

  test.for([
    ['no JSON', '{"a":', 400],
    ['no object', '[1]', 400],
    ['null', 'null', 400],
    ['a key that reaches prototypes', '{"__proto__":{"polluted":1}}', 400],
    ['such a key deeper down', '{"a":[{"constructor":{"prototype":{"polluted":1}}}]}', 400],
    ['a thousand levels', `{"a":${'['.repeat(1000)}${']'.repeat(1000)}}`, 200],
  ] as const)('[SV8] a body with %s', async ([, body, status]) => {
    expect(await reserve(server, 'joinOrCreate', 'echo', body)).toMatchObject({ status })
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })

  test('[SV8] a body that is not sent as JSON gets 415, so that no plain form of another page comes through', async () => {
    const reply = await reserve(server, 'joinOrCreate', 'echo', '{}', { 'content-type': 'text/plain' })
    expect(reply.status).toBe(415)
  })

  test('[SV8] unknown games, methods and rooms are refused with a message', async () => {
    expect(await reserve(server, 'joinOrCreate', 'chess')).toMatchObject({
      status: 520,
      body: expect.stringMatching(/chess/),
    })
    expect(await reserve(server, 'joinById', 'nobody')).toMatchObject({
      status: 522,
      body: expect.stringMatching(/nobody/),
    })
    expect(await reserve(server, 'destroy', 'echo')).toMatchObject({ status: 404 })
    expect(await ask(server, '/matchmake/create/echo')).toMatchObject({ status: 405 })
  })

  test('[SV33] internal errors are in the log and not in the answer', async () => {
    const reply = await reserve(server, 'create', 'broken')
    expect(reply.status).toBe(500)
    expect(reply.body).toBe('{"code":500,"error":"the server failed; its log says more"}')
    expect(lines.join()).toContain('the secret of the house')
  })

  test('[SV33] a client that goes away in the middle of its request is no failure', async () => {
    const before = lines.length
    const head = 'POST /matchmake/joinOrCreate/echo HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n'
    const sockets = await Promise.all(
      Array.from({ length: 5 }, () => openConnection(server, `${head}content-length: 100\r\n\r\n{"half":`)),
    )
    await new Promise((resolve) => setTimeout(resolve, 100))
    for (const socket of sockets) socket.on('error', () => {}).resetAndDestroy()
    // A failure of ours afterwards is in the log, so what came before has been written.
    await reserve(server, 'create', 'broken')
    await until('the failure is logged', () => lines.slice(before).join().includes('the secret of the house'))
    expect(lines.slice(before).join()).not.toContain('aborted')
  })

  test('[SV9] 500 half-open requests: the address keeps its share, others are served, and all are cut in time', async () => {
    const half = 'GET / HTTP/1.1\r\nhost: 127.0.0.1\r\nx-slow: '
    const open = await Promise.all(Array.from({ length: 500 }, () => openConnection(server, half)))
    for (const socket of open) socket.on('error', () => {}).resume()
    await until('the share is kept', () => open.filter(({ closed }) => !closed).length <= LIMITS.connectionsPerAddress)
    expect(await ask(server, '/health', { from: '127.0.0.2' })).toMatchObject({ status: 200 })
    const ms = await until('all are cut', () => open.every((socket) => socket.closed))
    expect(ms).toBeLessThan(5_000)
    const refused = await metricOf(server, 'hurtbox_refused_total', 'connections')
    expect(refused).toBeGreaterThanOrEqual(500 - LIMITS.connectionsPerAddress)
  })
})

test('[SV29] rooms are listed for players who look for one', async () => {
  // A room of one's own: one that others reserved seats in before may close at any moment.
  const { roomId } = JSON.parse((await reserve(server, 'create', 'echo')).body)
  await until('it is listed', async () => {
    const rooms: { room: string; clients: number }[] = JSON.parse((await ask(server, '/rooms.json')).body)
    return rooms.some(({ room, clients }) => room === roomId && clients > 0)
  })
  const rooms: { room: string }[] = JSON.parse((await ask(server, '/rooms.json')).body)
  expect(rooms.find(({ room }) => room === roomId)).toEqual({ game: 'echo', room: roomId, clients: 1, seats: 16 })
})

describe('seats and rooms', () => {
  const reserveFrom = (from: string, method: string) =>
    ask(server, `/matchmake/${method}/echo`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
      from,
    })

  test('[SV27] 100 seats asked for at once: the address gets its share, the rest 429, and others are served', async () => {
    const statuses: number[] = []
    for (let i = 0; i < 100; i++) statuses.push((await reserveFrom('127.0.0.3', 'joinOrCreate')).status)
    const given = statuses.filter((status) => status === 200).length
    expect(given).toBeGreaterThanOrEqual(LIMITS.seatsPerAddress.burst)
    expect(given).toBeLessThan(LIMITS.seatsPerAddress.burst + 20)
    expect(statuses.at(-1)).toBe(429)
    expect((await reserveFrom('127.0.0.4', 'joinOrCreate')).status).toBe(200)
  })

  test(`[SV27] a server that has ${ROOMS} rooms opens no more for any client`, async () => {
    const replies = []
    for (let i = 0; i < 2 * ROOMS; i++) replies.push(await reserveFrom(`127.0.1.${i}`, 'create'))
    const refused = replies.filter(({ status }) => status === 503)
    expect(refused.length).toBeGreaterThanOrEqual(ROOMS)
    expect(refused[0].body).toMatch(/the server is full/)
    expect(await metricOf(server, 'hurtbox_rooms')).toBe(ROOMS)
  })
})

describe('replays', () => {
  test('[DI9] a track is served as its replay is; the files of a match that runs only to the operator', async () => {
    for (const file of ['match-1.hbt', 'match-2.hbr.part', 'match-2.hbt.part']) {
      writeFileSync(join(replayFolder, file), `of ${file}`)
    }
    expect(await ask(server, '/replays/match-1.hbt')).toMatchObject({ status: 200, body: 'of match-1.hbt' })
    for (const file of ['match-2.hbr.part', 'match-2.hbt.part']) {
      // From an address of its own: wrong tokens are counted.
      const refused = await ask(server, `/replays/${file}`, { from: '127.0.0.77' })
      expect(refused).toMatchObject({ status: 401, body: 'token needed' })
      const given = await ask(server, `/replays/${file}`, { headers: authorization })
      expect(given).toMatchObject({ status: 200, body: `of ${file}` })
    }
    expect((await ask(server, '/replays/match-1.hbr.par', { headers: authorization })).status).toBe(404)
  })

  test('[SV11] a replay is downloaded by its name', async () => {
    const reply = await ask(server, '/replays/match-1.hbr')
    expect(reply).toMatchObject({ status: 200, body: 'a replay' })
    expect(reply.headers).toMatchObject({
      'content-disposition': 'attachment; filename="match-1.hbr"',
      'content-type': 'application/octet-stream',
    })
  })

  const ups = ['..', '%2e%2e', '%2E%2E', '..%2f', '..%5c', '%252e%252e', '..;', '.%2e', '....//', '..\\']
  const escapes = [
    ...ups.flatMap((up) => [`/replays/${up}/secret.hbr`, `/replays/x/${up}/${up}/secret.hbr`, `/${up}/secret.hbr`]),
    '/replays/link.hbr',
    '/replays/linked/secret.hbr',
    '/replays/folder.hbr',
    '/replays/%00secret.hbr',
    '/replays/match-1.hbr%00.txt',
    '/replays//secret.hbr',
    '/replays/./../secret.hbr',
    `/replays/${encodeURIComponent(join(folder, 'secret.hbr'))}`,
    `/replays${folder}/secret.hbr`,
    '/replays/secret',
    '/replays/.hbr',
    '/replays/-.hbr',
    `/replays/${'a'.repeat(5_000)}.hbr`,
    '/assets/../../secret.hbr',
    '/monitor/../../secret.hbr',
  ]
  test(`[SV12] ${escapes.length} paths lead out of no folder`, async () => {
    expect(escapes.length).toBeGreaterThanOrEqual(40)
    for (const path of escapes) {
      const reply = await ask(server, path, { headers: authorization })
      expect(reply.status, path).toBe(404)
      expect(reply.body, path).not.toContain(SECRET)
    }
  })
})
