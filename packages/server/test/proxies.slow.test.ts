/** Behind a proxy of the operator's: connections are the proxy's, and everything else counts for the address that it saw. */

import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { ask, seatPath, startTestServer, type TestServer } from './support.ts'

const SOCKETS = 3
let server: TestServer
beforeAll(async () => {
  server = await startTestServer({
    proxies: 1,
    limits: {
      connectionsPerAddress: SOCKETS,
      reservationsPerAddress: 100,
      requestsPerAddress: { burst: 40, perSecond: 0 },
      requestPauseMs: 60_000,
    },
  })
}, 60_000)
afterAll(() => server?.close())

/** What a client may have written itself stands before what the proxy saw. */
let written = 0
const seenAs = (address: string) => ({ 'x-forwarded-for': `198.51.100.${++written}, ${address}` })

/** Takes a seat; returns its socket, or the status it is refused with. */
async function open(address: string): Promise<WebSocket | number> {
  const headers = { 'content-type': 'application/json', ...seenAs(address) }
  const seat = await ask(server, '/matchmake/joinOrCreate/echo', { method: 'POST', headers, body: '{}' })
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}${seatPath(seat)}`, { headers: seenAs(address) })
  const refused = once(socket, 'unexpected-response').then(([, response]) => response.statusCode as number)
  socket.on('error', () => {})
  return Promise.race([once(socket, 'open').then(() => socket), refused])
}

test('[SV17] [SV9] sockets are counted by the address that the proxy saw', async () => {
  const first: (WebSocket | number)[] = []
  for (let i = 0; i < SOCKETS + 1; i++) first.push(await open('203.0.113.1'))
  expect(first.map((each) => (typeof each === 'number' ? each : 101))).toEqual([101, 101, 101, 429])
  const other = await open('203.0.113.2')
  expect(other).toBeInstanceOf(WebSocket)
  for (const each of [...first, other]) if (typeof each !== 'number') each.terminate()
})

test('[SV17] [SV35] requests too: one address that asks too often is refused, on the connection that others use', async () => {
  const statusFor = async (address: string) => (await ask(server, '/health', { headers: seenAs(address) })).status
  const statuses: number[] = []
  for (let i = 0; i < 45; i++) statuses.push(await statusFor('203.0.113.3'))
  expect(statuses.slice(0, 40)).not.toContain(429)
  expect(new Set(statuses.slice(40))).toEqual(new Set([429]))
  expect(await statusFor('203.0.113.4')).toBe(200)
})
