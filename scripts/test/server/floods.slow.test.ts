/**
 * Small floods of every kind. What is checked is what the server does for the attacker, by its budgets: ticks would depend on the machine.
 * `npm run measure -- floods` is the comparison by ticks, with 95 % as its limit.
 */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { LIMITS } from '../../../packages/server/src/limits.ts'
import { FLOODS } from '../../floods/kinds.ts'
import { type Floods, type FloodWork, holds, main, startFloods } from '../../floods/main.ts'

const SECONDS = 0.5
/** Node reads a socket in pieces of so many bytes. What stands in the piece of a refused request is parsed with it. */
const PIECE_BYTES = 65_536
const SHORTEST_REQUEST_BYTES = 'GET /health HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n'.length
/** How many connections an attacker has at a time, where it floods them with requests. */
const ASKING = 8

let floods: Floods
beforeAll(async () => {
  floods = await startFloods()
}, 60_000)
afterAll(() => floods?.stop())

test.for(FLOODS)(
  '[SV62] $kind from one address: the server does what its budget allows and no more, the match goes on with its players',
  { timeout: 120_000 },
  async ({ kind }) => {
    const done = await floods.work(kind, SECONDS)
    expect(done.connections, 'the attacker has attacked').toBeGreaterThan(0)
    expect(done.ticks, 'the match goes on').toBeGreaterThan(0)
    expectWithinBudgets(done)
    // On a machine without time for them players miss a ping, and come back.
    await expect.poll(() => floods.lost(), { timeout: 30_000 }).toBe(0)
  },
)

/** Every flood has to keep every budget. */
function expectWithinBudgets({ work, sockets }: FloodWork): void {
  const { seconds } = work
  expect(work.mostOpen, 'connections at a time').toBeLessThanOrEqual(LIMITS.connectionsPerAddress)
  const { burst, perSecond } = LIMITS.requestsPerAddress
  const inPiece = Math.ceil(PIECE_BYTES / SHORTEST_REQUEST_BYTES)
  // An address that has asked too often is not served for a while, on whatever connection.
  const times = 1 + Math.floor((seconds * 1000) / LIMITS.requestPauseMs)
  expect(work.mostBehindRefused, 'requests behind a refused one').toBeLessThanOrEqual(inPiece)
  expect(work.requests, 'requests').toBeLessThanOrEqual(burst + perSecond * seconds + times * ASKING * inPiece)
  expect(work.seats, 'seats').toBeLessThanOrEqual(
    LIMITS.seatsPerAddress.burst + LIMITS.seatsPerAddress.perSecond * seconds,
  )
  expect(work.mostDownloads, 'downloads at a time').toBeLessThanOrEqual(LIMITS.downloadsPerAddress)
  for (const { frames, seconds } of sockets) {
    const allowed = LIMITS.messages.burst + LIMITS.messages.perSecond * seconds + 1
    expect(frames, `frames of a socket in ${seconds} s`).toBeLessThanOrEqual(allowed)
  }
}

test('[SV62] requests from one address: the first that is refused closes all its connections, and none is read for a second', async () => {
  const { work, connections } = await floods.work('requests', SECONDS)
  const times = 1 + Math.floor((work.seconds * 1000) / LIMITS.requestPauseMs)
  expect(connections).toBeGreaterThan(work.asking)
  expect(work.refused, `connections that were refused in ${work.seconds} s`).toBeLessThanOrEqual(times)
  expect(work.asking, `connections that were read in ${work.seconds} s`).toBeLessThanOrEqual(ASKING * times)
})

test('[SV62] records from one seat: its channel is closed', { timeout: 60_000 }, async () => {
  const before = (await floods.work('requests', 0)).abused
  const abused = async () => (await floods.work('records', SECONDS)).abused
  await expect.poll(abused, { timeout: 30_000 }).toBeGreaterThan(before)
})

test('[SV62] reservations from one address: no more seats than may be reserved and not taken', async () => {
  const { work } = await floods.work('reservations', SECONDS)
  expect(work.seats).toBeGreaterThan(0)
  // A seat that nobody took is free again after 8 s, which a busy machine may need.
  const times = 1 + Math.floor(work.seconds / 8)
  expect(work.seats).toBeLessThanOrEqual(LIMITS.reservationsPerAddress * times)
})

test('[SV62] the whole comparison wants 95 % and every player, and says what it takes', async () => {
  const figures = { kind: 'pings', flooded: 0.96, beside: 1, kept: 0.96, connections: 1, sentMB: 1, lost: 0 } as const
  expect([holds(figures), holds({ ...figures, kept: 0.94 }), holds({ ...figures, lost: 1 })]).toEqual([
    true,
    false,
    false,
  ])
  const said: string[] = []
  expect(await main(['--only', 'nothing'], (line) => said.push(line))).toBe(2)
  expect(said.join('\n')).toMatch(/npm run measure -- floods/)
})
