/** Inputs on their way into the match: whatever the network does to them, they count once, in order, one tick at a time. */

import { declareGame, defineGame, hashWorld, list, point, target } from 'hurtbox'
import { unitAt } from 'hurtbox/math'
import { seatRow } from 'hurtbox/tools'
import { createByteWriter, idleCodes, takeBytes } from 'hurtbox/wire'
import { expect, test } from 'vitest'
import { createInputSender, makePacket, sendLater } from '../src/client/sender.ts'
import { addPeer, createHost, type Host, type Peer, receive, stepHost, suspendPeer } from '../src/host/index.ts'
import { MAX_CLIENT_MESSAGE, MESSAGES, writeMessage } from '../src/index.ts'
import type { SeatInput } from '../src/protocol/input-packets.ts'
import { RATE, tag, whimsical } from './support.ts'

const NONCE = 77
const IDLE = idleCodes(tag.input)
const CODING = { layout: tag.input, idle: IDLE }
/** Fields of the input, in order. */
const FIELD = { moveX: 0, moveY: 1, throwing: 2, zap: 3, seenAgo: 4 }

function packet(inputs: readonly SeatInput[], nonce = NONCE, seenAgo = 0): Uint8Array {
  const writer = createByteWriter()
  writeMessage(writer, MESSAGES.inputs, { nonce, received: 0, seenAgo, inputs: [...inputs] }, CODING)
  return takeBytes(writer)
}

function input(sequence: number, tick: number, fields: Partial<Record<keyof typeof FIELD, number>> = {}): SeatInput {
  const codes = IDLE.slice()
  for (const [name, code] of Object.entries(fields)) codes[FIELD[name as keyof typeof FIELD]] = code
  return { sequence, tick, codes }
}

/** A match of one player and three bots. The player sits from tick 0 on. */
function start(): { host: Host; peer: Peer } {
  const host = createHost(tag, { seed: 5, nonce: NONCE, bots: [whimsical], fill: 4 })
  return { host, peer: addPeer(host, 0, 'terminal') }
}

const TICKS = 120
/** What an honest player sends: one input per tick, ten ticks ahead. */
const honest = Array.from({ length: TICKS }, (_, i) => {
  const whim = (n: number) => unitAt(11, Math.floor(i / 7), n, 0, 0)
  const fields = { moveX: Math.floor(whim(1) * 254), moveY: Math.floor(whim(2) * 254), throwing: whim(3) < 0.5 ? 1 : 0 }
  return input(i + 1, i + 10, { ...fields, zap: i % 9 === 0 ? 1 : 0 })
})

/** Plays with packets that arrive before given ticks; the hash at the end, and all hashes on the way. */
function play(arrivals: ReadonlyMap<number, readonly Uint8Array[]>): { hashes: string[]; peer: Peer } {
  const { host, peer } = start()
  const hashes: string[] = []
  for (let tick = 0; tick < TICKS + 20; tick++) {
    for (const message of arrivals.get(tick) ?? []) receive(host, peer, message)
    stepHost(host)
    hashes.push(hashWorld(host.world))
  }
  expect(host.status).toBe('running')
  return { hashes, peer }
}

const clean = play(new Map(honest.map((each, i) => [i, [packet([each])]])))

test('[NC5] reordered, repeated and bundled inputs that come before their tick play the clean match', () => {
  for (let seed = 0; seed < 20; seed++) {
    const arrivals = new Map<number, Uint8Array[]>()
    const arrive = (tick: number, message: Uint8Array) => arrivals.set(tick, [...(arrivals.get(tick) ?? []), message])
    const chance = (i: number, n: number) => unitAt(seed, i, n, 0, 1)
    honest.forEach((each, i) => {
      // Anywhere from when it was sent until just before its tick, up to three times, with others before it.
      for (let copy = 0; copy < 1 + Math.floor(chance(i, 0) * 3); copy++) {
        const at = i + Math.floor(chance(i, copy + 1) * 10)
        const from = Math.max(0, i - Math.floor(chance(i, copy + 9) * 8))
        arrive(at, packet(honest.slice(from, i + 1)))
      }
      // Long after, once more: it has been played.
      if (chance(i, 20) < 0.3) arrive(Math.min(i + 30, TICKS + 10), packet([each]))
    })
    for (const [tick, messages] of arrivals) {
      arrivals.set(
        tick,
        messages
          .map((message, i) => ({ message, key: chance(tick, 30 + i) }))
          .sort((a, b) => a.key - b.key)
          .map(({ message }) => message),
      )
    }
    const { hashes, peer } = play(arrivals)
    expect([seed, hashes]).toEqual([seed, clean.hashes])
    expect(peer.counts.duplicate).toBeGreaterThan(TICKS)
    expect(peer.counts.accepted).toBe(TICKS)
    expect(peer.counts.late).toBe(0)
  }
})

test('[NC6] what has piled up during a stall is folded into one input: newest levels, presses added up, none lost', () => {
  const { host, peer } = start()
  for (let tick = 0; tick < 40; tick++) stepHost(host)
  // Ticks 10 to 39 arrive at once: 30 inputs, every third with a press.
  const stalled = Array.from({ length: 30 }, (_, i) => input(i + 1, i + 10, { moveX: i * 4, zap: i % 3 === 0 ? 1 : 0 }))
  receive(host, peer, packet(stalled))
  const row = seatRow(host.world, 0)
  const { players } = host.world.tables
  stepHost(host)
  expect(players.presses[row]).toBe(10)
  expect(players.moveX[row]).toBe((29 * 4 - 127) / 127)
  expect([peer.counts.late, peer.counts.folded]).toEqual([30, 29])
  stepHost(host)
  expect(players.presses[row]).toBe(10)
})

test('[NC6] a stall of ten seconds is folded as it comes: no press is lost, and not everything waits', () => {
  const { host, peer } = start()
  for (let tick = 0; tick < 1010; tick++) stepHost(host)
  const stalled = Array.from({ length: 1000 }, (_, i) =>
    input(i + 1, i + 10, { moveX: i % 255, zap: i % 10 === 0 ? 1 : 0 }),
  )
  for (let i = 0; i < 1000; i += 32) receive(host, peer, packet(stalled.slice(i, i + 32)))
  expect(host.seats[0].buffer.waiting.length).toBeLessThanOrEqual(256)
  stepHost(host)
  const row = seatRow(host.world, 0)
  const { players } = host.world.tables
  expect(players.presses[row]).toBe(100)
  expect(players.moveX[row]).toBe(((999 % 255) - 127) / 127)
  expect(peer.counts).toMatchObject({ accepted: 1000, late: 1000, folded: 999 })
})

test('[LE8] a late input that says what its seat held anyway is counted as harmless; a changed one and a press are not', () => {
  const { host } = start()
  const peer = addPeer(host, 1, 'mirror')
  const held = { moveX: 200, throwing: 1 }
  for (let tick = 0; tick < 10; tick++) stepHost(host)
  receive(host, peer, packet([input(1, 10, { ...held, zap: 1 })]))
  for (let tick = 10; tick < 20; tick++) stepHost(host)
  const late = [held, held, { ...held, zap: 1 }, { moveX: 200 }]
  receive(host, peer, packet(late.map((fields, i) => input(2 + i, 11 + i, fields))))
  expect(peer.counts).toMatchObject({ accepted: 5, late: 4, harmless: 2 })
})

test('[NC7] an input too far ahead is refused; its place can be taken by one that is not', () => {
  const { host, peer } = start()
  receive(host, peer, packet([input(1, 128, { zap: 1 })]))
  receive(host, peer, packet([input(1, 1_000_000, { zap: 1 })]))
  expect([peer.counts.future, peer.counts.accepted]).toEqual([2, 0])
  receive(host, peer, packet([input(1, 127, { zap: 1 })]))
  expect(peer.counts.accepted).toBe(1)
})

test('[NC8] an input older than the last one played is dropped', () => {
  const { host, peer } = start()
  const row = () => seatRow(host.world, 0)
  receive(host, peer, packet([input(5, 3, { moveX: 254 })]))
  for (let tick = 0; tick < 5; tick++) stepHost(host)
  receive(host, peer, packet([input(4, 2, { moveX: 0, zap: 3 })]))
  receive(host, peer, packet([input(3, 9, { moveX: 0, zap: 3 })]))
  for (let tick = 0; tick < 10; tick++) stepHost(host)
  const { players } = host.world.tables
  expect([players.moveX[row()], players.presses[row()]]).toEqual([1, 0])
  expect([peer.counts.accepted, peer.counts.duplicate, peer.counts.stale]).toEqual([1, 1, 1])
})

test('[NC9] sending more does not move faster: of many inputs for few ticks each tick takes one', () => {
  const distance = (perTick: number) => {
    const { host, peer } = start()
    stepHost(host)
    const { things, players } = host.world.tables
    const at = () => things.x[things.id.indexOf(players.thing[seatRow(host.world, 0)])]
    things.x[0] = -150
    let sequence = 0
    for (let tick = 1; tick <= 50; tick++) {
      for (let i = 0; i < perTick; i++) {
        sequence++
        receive(host, peer, packet([input(sequence, Math.max(sequence, tick), { moveX: 254 })]))
      }
      stepHost(host)
    }
    return at() + 150
  }
  // 50 ticks at 40 units a second.
  const honestly = (50 * 40) / RATE
  expect(distance(1)).toBeCloseTo(honestly, 6)
  for (const perTick of [2, 5, 20]) expect(distance(perTick)).toBeCloseTo(honestly, 6)
})

test('[NC9] two inputs for one tick, or ticks that go backwards, are refused as a whole', () => {
  const { host, peer } = start()
  const writer = createByteWriter()
  const inputs = [input(1, 5), input(2, 5)]
  writeMessage(writer, MESSAGES.inputs, { nonce: NONCE, received: 0, seenAgo: 0, inputs }, CODING)
  receive(host, peer, takeBytes(writer))
  receive(host, peer, packet([input(10, 8)]))
  receive(host, peer, packet([input(11, 8)]))
  receive(host, peer, packet([input(11, 7)]))
  expect([peer.counts.accepted, peer.counts.malformed]).toEqual([1, 3])
})

test('[NC10] inputs captured in one match are ignored in another', () => {
  const { host, peer } = start()
  for (const each of honest) receive(host, peer, packet([each], NONCE + 1))
  expect([peer.counts.accepted, peer.counts.malformed]).toEqual([0, honest.length])
})

test('[NC11] a code out of range rejects its packet; a value out of range is brought into it, and no number is refused', () => {
  const { host, peer } = start()
  for (const [name, largest] of [
    ['moveX', 254],
    ['throwing', 1],
    ['zap', 255],
    ['seenAgo', 31 * 32],
  ] as const) {
    receive(host, peer, packet([input(1, 5, { [name]: largest + 1 })]))
  }
  expect([peer.counts.accepted, peer.counts.malformed]).toEqual([0, 4])

  const sender = createInputSender(tag, NONCE, 'stream')
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, '1', {}, [], true, 5n]) {
    expect(() => sendLater(sender, 5, { moveX: value }, 0), String(value)).toThrow(/moveX/)
  }
  expect(() => sendLater(sender, 5, { movex: 1 }, 0)).toThrow(/movex.*moveX/)
  for (const value of [1e308, -1e308, 5e-324, -0, 2, -2]) {
    sendLater(sender, sender.nextSequence + 5, { moveX: value }, 0)
    receive(host, peer, makePacket(sender, 0, 0))
  }
  expect(peer.counts.accepted).toBe(6)
  for (let tick = 0; tick < 30; tick++) {
    stepHost(host)
    hashWorld(host.world)
  }
})

test('[NC11] a packet of large inputs is as long as the host takes, and holds the newest', () => {
  const order = list(64, { at: point({ min: -1e6, max: 1e6, step: 0.001 }), whom: target() })
  const game = defineGame(
    declareGame({
      id: 'orders',
      tickRate: 10,
      seats: { min: 1, max: 1 },
      capacity: 1,
      input: { orders: order },
    }),
    { phases: {} },
  )
  const host = createHost(game, { nonce: NONCE })
  const peer = addPeer(host, 0, 'terminal')
  const sender = createInputSender(game, NONCE, 'datagram')
  for (let tick = 1; tick <= 20; tick++) {
    const at = { x: 1000 * tick, y: -1000 * tick }
    sendLater(sender, tick, { orders: Array.from({ length: 64 }, (_, i) => ({ at, whom: 1e6 + i + tick })) }, 0)
  }
  const bytes = makePacket(sender, 0, 0)
  expect(bytes.length).toBeLessThanOrEqual(MAX_CLIENT_MESSAGE)
  receive(host, peer, bytes)
  expect(peer.counts).toMatchObject({ malformed: 0 })
  expect(host.seats[0].buffer.waiting.at(-1)!.sequence).toBe(20)
})

test('[NC12] a player who loses the connection stops: levels do not hold without a player', () => {
  const { host, peer } = start()
  receive(host, peer, packet([input(1, 3, { moveX: 254, throwing: 1 })]))
  for (let tick = 0; tick < 10; tick++) stepHost(host)
  const { players } = host.world.tables
  const row = seatRow(host.world, 0)
  expect([players.moveX[row], players.throwing[row]]).toEqual([1, 1])
  suspendPeer(host, peer)
  stepHost(host)
  expect([players.moveX[row], players.throwing[row]]).toEqual([0, 0])
  // And comes back to the same seat, counting from 1 again.
  const again = addPeer(host, 0, 'terminal')
  receive(host, again, packet([input(1, host.world.tick, { moveX: 0 })]))
  stepHost(host)
  expect(players.moveX[seatRow(host.world, 0)]).toBe(-1)
})

test('[NC13] how long ago a player saw the others is counted to the tick in which the input is played', () => {
  const { host, peer } = start()
  const { players } = host.world.tables
  for (let tick = 0; tick < 10; tick++) stepHost(host)
  receive(host, peer, packet([input(1, 12, { zap: 1 })], NONCE, 80))
  for (let tick = 10; tick <= 12; tick++) stepHost(host)
  const row = seatRow(host.world, 0)
  expect(players.seenAgo[row]).toBe(80 / 32)
  // Meant for tick 14, played in tick 17: three ticks longer ago.
  for (let tick = 13; tick < 17; tick++) stepHost(host)
  receive(host, peer, packet([input(2, 14, { zap: 1 })], NONCE, 80))
  stepHost(host)
  expect(players.seenAgo[row]).toBe(80 / 32 + 3)
  // A claim of four seconds gets as much as the way to the player took: the first packet came ten ticks after what it had.
  receive(host, peer, packet([input(3, host.world.tick, { zap: 1 })], NONCE, 4000))
  stepHost(host)
  expect(players.seenAgo[row]).toBeCloseTo(10 + 2 * host.terminal.scheme.every + 1 + 0.04 * RATE, 1)
  // A mirror shows the present: what it claims counts for nothing.
  const mirror = addPeer(host, 1, 'mirror')
  receive(host, mirror, packet([input(1, host.world.tick, { zap: 1 })], NONCE, 80))
  stepHost(host)
  expect(players.seenAgo[seatRow(host.world, 1)]).toBe(0)
})
