/** Shots of terminals: the verdict is what the shooter saw, and a liar gains little. */

import { judgeAsSeen, SEEN_AGO } from 'hurtbox/rewind'
import { createByteWriter, takeBytes } from 'hurtbox/wire'
import { expect, test, vi } from 'vitest'
import { createTerminal } from '../src/client/index.ts'
import { addPeer, createHost, receive, stepHost } from '../src/host/index.ts'
import { clearSeatBuffer } from '../src/host/seat-buffer.ts'
import { boundSeenAgo, createSight, noteLag, noteRoundTrip } from '../src/host/sight.ts'
import { MESSAGES, writeMessage } from '../src/index.ts'
import type { SeatInput } from '../src/protocol/input-packets.ts'
import { type Lie, playShots, range } from './shots.ts'

const isLong = process.env.HURTBOX_LONG !== undefined
const SHOTS = isLong ? 1_000_000 : 1_500
if (isLong) vi.setConfig({ testTimeout: 3_600_000 })

test('[JS8] the verdict on a shot is what its shooter saw in 99.9 % at round trips up to 400 ms; beyond the bound it is judged at the bound', () => {
  const roundTrips = isLong ? [0, 50, 100, 150, 200, 250, 300, 400] : [0, 200, 400]
  const far = playShots({ shots: SHOTS, roundTrips, seed: 3, ticks: 48 })
  console.log(`shots: ${far.judged} judged, ${far.judged - far.right} not as seen, ${far.beyond} beyond the bound`)
  // Of so few one may be wrong: the edge of a target is met to a 64th of a tick.
  expect(far.judged - far.right).toBeLessThanOrEqual(Math.max(1, far.judged / 1000))
  expect(far.judged).toBeGreaterThan(0.99 * SHOTS)
  const near = playShots({ shots: isLong ? 10_000 : 300, roundTrips: [400], seed: 4, ticks: 12 })
  expect(near.judged).toBe(0)
  expect(near.lookBackMs.get(400)).toBe(11 * 16)
})

const CLAIM = { seenAgo: 0xffff }

/** As if the frames came a second late. */
const hide: Lie = (packet) =>
  packet.received < 60 ? undefined : { ...packet, ...CLAIM, received: packet.received - 60 }

test('[JS9] whatever a page says it saw, and however old its frames and inputs pretend to be, it gains less than 100 ms; with inputs that are sent early, less than 200', () => {
  const lies: Readonly<Record<string, Lie>> = {
    claimed: (packet) => ({ ...packet, ...CLAIM }),
    hidden: hide,
    'from long ago': (packet) => ({ ...packet, inputs: shifted(packet.inputs, -60) }),
    early: (packet) => ({ ...packet, ...CLAIM, inputs: shifted(packet.inputs, 60) }),
  }
  const setup = { shots: isLong ? 10_000 : 200, roundTrips: [50], seed: 5, ticks: 40 }
  const honest = playShots(setup).lookBackMs.get(50)!
  const gains = Object.entries(lies).map(([name, lie]) => ({
    name,
    ms: playShots({ ...setup, lie }).lookBackMs.get(50)! - honest,
  }))
  const words = gains.map(({ name, ms }) => `${name} ${ms.toFixed(0)}`)
  console.log(`look back: ${honest.toFixed(0)} ms honest; gains of liars, ms: ${words.join(', ')}`)
  expect(gains[0].ms).toBeGreaterThan(0)
  for (const { name, ms } of gains) expect(ms, name).toBeLessThan(name === 'claimed' || name === 'hidden' ? 100 : 200)
})

test('[JS12] a client of its own that delays its pongs too gets what so slow a connection would get, and never more than is kept', () => {
  const setup = { shots: isLong ? 10_000 : 200, roundTrips: [50], seed: 5, lie: hide }
  const lookBack = (ticks: number, pongLateMs: number) => playShots({ ...setup, ticks, pongLateMs }).lookBackMs.get(50)!
  const [feigned, kept] = [lookBack(40, 100), lookBack(16, 2000)]
  console.log(`look back: ${feigned.toFixed(0)} ms with pongs 100 ms late, ${kept.toFixed(0)} at most`)
  // As much as the pongs are late, and no more.
  expect(Math.abs(feigned - lookBack(40, 0) - 100)).toBeLessThan(20)
  expect(kept).toBeGreaterThan(200)
  expect(kept).toBeLessThanOrEqual(15 * 16)
})

test('[JS13] a connection that seems slow only for some seconds counts as fast as it was before', () => {
  const sight = createSight()
  const claim = { seenAgo: 10_000, inputTick: 0, every: 3, tickRate: 60 }
  const believed = (tick: number) => boundSeenAgo(sight, { ...claim, tick, inputTick: tick }) / SEEN_AGO.partsPerTick
  for (let tick = 0; tick < 600; tick += 3) noteLag(sight, tick, tick - 3, 60)
  expect(believed(600)).toBeCloseTo(3 + 2 * 3 + 1 + 2.4, 1)
  for (let tick = 600; tick < 1_500; tick += 3) {
    noteLag(sight, tick, tick - 40, 60)
    expect(believed(tick), `tick ${tick}`).toBeCloseTo(12.4, 1)
  }
  // Honest lines do get slower.
  for (let tick = 1_500; tick < 3_000; tick += 3) noteLag(sight, tick, tick - 40, 60)
  expect(believed(3_000)).toBeCloseTo(49.4, 1)
  noteRoundTrip(sight, 3_000, 100, 60)
  expect(believed(3_000)).toBeCloseTo(15.4, 1)
})

test('[JS14] each input of a packet is believed by its own tick: beside one that is far ahead, and when it comes after its tick', () => {
  const game = judgeAsSeen(range, { ticks: 64, between: [['shot', 'target']] }) as never
  const host = createHost(game, { seed: 1, replay: false })
  const peer = addPeer(host, 0, 'terminal')
  const { sender } = createTerminal(game, peer.outbox[0])
  for (let i = 0; i < 200; i++) stepHost(host)
  const say = (seenAgo: number, ...inputs: readonly SeatInput[]) => {
    const writer = createByteWriter()
    writeMessage(writer, MESSAGES.inputs, { nonce: host.nonce, received: 196, seenAgo, inputs: [...inputs] }, sender)
    receive(host, peer, takeBytes(writer))
  }
  const input = (sequence: number, tick: number) => ({ sequence, tick, codes: sender.idle.slice() })
  const seenAgo = () => host.world.tables.players.seenAgo[0]
  const furthest = 4 + 2 * 3 + 1 + (40 * 62.5) / 1000
  say(0xffff, input(1, 200), input(2, 300))
  stepHost(host)
  expect(seenAgo()).toBeCloseTo(furthest, 1)
  clearSeatBuffer(host.seats[0].buffer)
  say(0, input(1, 150))
  stepHost(host)
  expect(seenAgo()).toBeCloseTo(furthest, 1)
})

function shifted(inputs: readonly SeatInput[], ticks: number): SeatInput[] {
  return inputs.map((input) => ({ ...input, tick: Math.max(input.tick + ticks, 0) }))
}
