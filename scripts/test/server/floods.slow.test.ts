/**
 * Small floods of every kind. What is checked is what the server does for the attacker, by its budgets: ticks would depend on the machine.
 * `npm run measure -- floods` is the comparison by ticks, with 95 % as its limit.
 */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { FAR_RATE, NEAR_RATE, RECORD_RATE } from '../../../packages/datagrams/src/budget.ts'
import { LIMITS } from '../../../packages/server/src/limits.ts'
import { FLOODS } from '../../floods/kinds.ts'
import { type FloodFigures, type Floods, type FloodWork, holds, main, PLAYERS, startFloods } from '../../floods/main.ts'
import { OFFERS } from '../../floods/packets.ts'

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

/** Those that can be had without a network namespace. */
const kinds = FLOODS.filter(({ isMasked }) => !isMasked)

test.for(kinds)(
  '[SV62] [DG105] $kind from one address: the server does what its budget allows and no more, the match goes on with its players',
  { timeout: 120_000 },
  async ({ kind, isSeat }) => {
    const done = await floods.work(kind, SECONDS)
    expect(done.connections, 'the attacker has attacked').toBeGreaterThan(0)
    expect(done.ticks, 'the match goes on').toBeGreaterThan(0)
    expectWithinBudgets(done)
    expectFewPackets(
      done,
      { 'checks-known': 1, 'comes-again': 1, handshakes: OFFERS }[kind as string] ?? (isSeat ? 1 : 0),
    )
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

/** What packets may make the port do for the channels of attackers, and for the players. How many seats there are is bounded by other limits. */
function expectFewPackets({ packets, seconds, connections }: FloodWork, channelsOfEach: number): void {
  const channels = connections * channelsOfEach
  const rateOf = (...rates: readonly { readonly burst: number; readonly perSecond: number }[]) =>
    rates.reduce((sum, { burst, perSecond }) => sum + burst + perSecond * seconds, 0)
  // Inputs at 60 Hz, SACKs, heartbeats and probes; a check now and then.
  const ofPlayers = { opened: PLAYERS * (50 + 240 * seconds), hmacs: PLAYERS * (20 + 100 * seconds) }
  // Checks are verified and answered, a handshake has some forty, and hellos in the open are 64 kB and 4 kB a second.
  const checks = 2 * rateOf({ burst: 200, perSecond: 100 }, { burst: 50, perSecond: 25 })
  const hellos = rateOf({ burst: 65_536 / 100, perSecond: 4_096 / 100 })
  expect(packets.opened, 'records that were decrypted').toBeLessThanOrEqual(
    ofPlayers.opened + channels * rateOf(RECORD_RATE, NEAR_RATE, FAR_RATE),
  )
  expect(packets.hmacs, 'HMACs').toBeLessThanOrEqual(ofPlayers.hmacs + channels * (checks + hellos + 60))
  expect(packets.signatures, 'signatures').toBeLessThanOrEqual(channels)
  expect(packets.sent, 'packets that were sent').toBeLessThanOrEqual(
    ofPlayers.opened + ofPlayers.hmacs + channels * rateOf(RECORD_RATE, { burst: 1_000, perSecond: 200 }),
  )
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
  const abused = async () => (await floods.work('comes-again', SECONDS)).abused
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
  const shares = { flooded: 0.96, beside: 1, kept: 0.96, datagramsKept: 0.96 }
  const figures: FloodFigures = { kind: 'pings', ...shares, cpu: 40, connections: 1, sentMB: 1, lost: 0 }
  expect(holds(figures)).toBe(true)
  for (const worse of [{ kept: 0.94 }, { datagramsKept: 0.94 }, { lost: 1 }]) {
    expect(holds({ ...figures, ...worse })).toBe(false)
  }
  // What one seat takes of a core.
  expect([4.9, 5.1].map((cpu) => holds({ ...figures, kind: 'gcm-true', cpu }))).toEqual([true, false])
  const said: string[] = []
  expect(await main(['--only', 'nothing'], (line) => said.push(line))).toBe(2)
  expect(said.join('\n')).toMatch(/npm run measure -- floods/)
})
