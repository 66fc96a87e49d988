/** Ways into the server that no other test takes: upgrades in a row, bodies that never end, reconnecting again and again. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { ask, openConnection, startTestServer, type TestServer, until } from './support.ts'

const REQUESTS = 40
let server: TestServer
beforeAll(async () => {
  server = await startTestServer({
    limits: {
      requestsPerAddress: { burst: REQUESTS, perSecond: 0 },
      seatsPerAddress: { burst: 2, perSecond: 0 },
      returnsPerAddress: { burst: 5, perSecond: 0 },
      requestPauseMs: 60_000,
      headersMs: 1_000,
      requestMs: 1_000,
    },
  })
}, 60_000)
afterAll(() => server?.close())

/** What comes of an upgrade: the status of the answer, or `refused` when there is none. */
function upgrade(from: string, path = '/nobody/nowhere?sessionId=none'): Promise<number | 'refused'> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}${path}`, { localAddress: from })
    socket.on('open', () => {
      resolve(101)
      socket.terminate()
    })
    socket.on('unexpected-response', (_, response) => resolve(response.statusCode!))
    socket.on('error', () => resolve('refused'))
  })
}

test('[SV41] upgrades are counted as requests, whether they succeed or not', async () => {
  const answers: (number | 'refused')[] = []
  for (let i = 0; i < REQUESTS + 10; i++) answers.push(await upgrade('127.0.5.1', i % 2 === 0 ? undefined : '/'))
  expect(new Set(answers.slice(0, REQUESTS))).toEqual(new Set([101, 404]))
  expect(new Set(answers.slice(REQUESTS))).toEqual(new Set(['refused']))
  expect(await upgrade('127.0.5.2')).toBe(101)
})

test('[SV41] what never ends is cut: headers of an upgrade, and a body', async () => {
  const host = 'host: 127.0.0.1\r\n'
  const heads = [
    `GET /a/b?sessionId=x HTTP/1.1\r\n${host}upgrade: websocket\r\nconnection: upgrade\r\n`,
    `POST /matchmake/create/echo HTTP/1.1\r\n${host}content-type: application/json\r\ncontent-length: 100\r\n\r\n{"a":`,
    `POST /matchmake/create/echo HTTP/1.1\r\n${host}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n5\r\n`,
  ]
  for (const head of heads) {
    const socket = await openConnection(server, head, '127.0.5.3')
    socket.on('error', () => {}).resume()
    await until('it is cut', () => socket.closed, 8_000)
  }
})

test('[SV41] asking to reconnect has a budget of its own, and takes none of that for new seats', async () => {
  const statusOf = async (way: string) => {
    const asked = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"reconnectionToken":"guess"}',
      from: '127.0.5.4',
    }
    return (await ask(server, `/matchmake/${way}`, asked)).status
  }
  const statuses: number[] = []
  for (let i = 0; i < 8; i++) statuses.push(await statusOf('reconnect/nowhere'))
  expect(statuses).toEqual([410, 410, 410, 410, 410, 429, 429, 429])
  const others: number[] = []
  for (let i = 0; i < 4; i++) others.push(await statusOf('joinById/nowhere'))
  expect(others.slice(2)).toEqual([429, 429])
  expect(others.slice(0, 2)).not.toContain(429)
})

test('[SV41] requests that no page and no client makes count as well', async () => {
  const methods = ['OPTIONS', 'DELETE', 'PUT', 'TRACE', 'HEAD']
  const statuses: (number | undefined)[] = []
  for (let i = 0; i < REQUESTS + 5; i++) {
    const asked = { method: methods[i % methods.length], from: '127.0.5.5' }
    statuses.push((await ask(server, '/nothing', asked).catch(() => undefined))?.status)
  }
  expect(statuses.slice(0, REQUESTS)).not.toContain(429)
  // The first gets an answer, then the connection is ignored.
  expect(statuses.slice(REQUESTS)).toEqual([429, undefined, undefined, undefined, undefined])
})
