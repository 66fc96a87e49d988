/** What one client may make the UDP port do: how many records and bytes, when it is closed, and that no honest client notices. By a clock of the test. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createRandom } from '../../hurtbox/test/random.ts'
import { createDatagramCounts } from '../src/datagrams/lanes.ts'
import type { ChannelHandlers } from '../src/datagrams/service.ts'
import { SUITES } from '../src/datagrams/webrtc/ciphers.ts'
import { admits, sendToPeer, takeFromPeer } from '../src/datagrams/webrtc/peer.ts'
import { createPortCounts } from '../src/datagrams/webrtc/port.ts'
import { acceptChannel } from '../src/room/datagrams.ts'
import { createGuest, type GameClient } from '../src/room/guest.ts'
import { tag } from './support.ts'
import {
  acknowledgementOf,
  CHUNK,
  type Chunk,
  connectDirectly,
  createDirect,
  type Direct,
  dataOf,
  MESSAGE,
  packetOf,
  pieceOf,
  questionOf,
} from './webrtc-client.ts'

const FROM = { address: '192.0.2.1', port: 4_000 }
const DATA = 23
const suites = SUITES.map(({ id }, i) => [['ChaCha', 'GCM'][i], id] as const)

let now = 1_000
beforeEach(() => void vi.spyOn(performance, 'now').mockImplementation(() => now))
afterEach(() => void vi.restoreAllMocks())

/** As the port does it. */
function hand({ peer }: Direct, packet: Buffer): void {
  if (!peer.isClosed && admits(peer, packet)) takeFromPeer(peer, Buffer.from(packet), FROM, now)
}

/** How often something was opened, whether it was true or not. */
function countOpened({ peer }: Direct): () => number {
  const theirs = peer.layer.theirs!
  let opened = 0
  const unseal: typeof theirs.unseal = (header, body) => {
    opened++
    return theirs.unseal(header, body)
  }
  peer.layer.theirs = { ...theirs, unseal }
  return () => opened
}

let forgedNumber = 2 ** 40
function forged(_direct?: Direct, bytes = 24): Buffer {
  const record = Buffer.alloc(13 + bytes, 0x5a)
  record.set([DATA, 0xfe, 0xfd, 0, 1])
  record.writeUIntBE(forgedNumber++, 5, 6)
  record.writeUInt16BE(bytes, 11)
  return record
}

function heartbeat({ client }: Direct): Buffer {
  return client.sealed(DATA, packetOf(client.serverTag, { kind: CHUNK.heartbeat, flags: 0, body: Buffer.alloc(0) }))
}

const times = (count: number, make: () => Buffer) => Array.from({ length: count }, () => make())

test.each(suites)(
  '[DG50] %s: four sealed records of a packet are opened, the others are counted and cost nothing',
  (_, id) => {
    for (const record of [forged, heartbeat]) {
      const direct = connectDirectly({ suites: [id] })
      const opened = countOpened(direct)
      direct.sent.length = 0
      hand(direct, Buffer.concat(times(28, () => record(direct))))
      expect([opened(), direct.refused.crowded]).toEqual([4, 24])
      expect(direct.sent.length).toBeLessThanOrEqual(4)
      hand(direct, Buffer.concat(times(4, () => record(direct))))
      expect([opened(), direct.refused.crowded, direct.isClosed]).toEqual([8, 24, false])
    }
  },
)

test('[DG51] 1,600 records are opened at once and 800 a second, in packets of one or of four', () => {
  for (const together of [1, 4]) {
    const direct = connectDirectly()
    now += 10_000
    const opened = countOpened(direct)
    const send = (records: number) => {
      for (let i = 0; i < records; i += together) hand(direct, Buffer.concat(times(together, forged)))
    }
    send(2_000)
    expect([opened(), direct.refused.beyondBudget > 0]).toEqual([1_600, true])
    for (let second = 1; second <= 5; second++) {
      now += 1_000
      send(840)
      expect(opened()).toBe(1_600 + 800 * second)
    }
    expect(direct.isClosed).toBe(false)
  }
})

test('[DG51] 800 kB are taken at once and 400 kB a second', () => {
  const direct = connectDirectly()
  now += 10_000
  const opened = countOpened(direct)
  const [atOnce, aSecond] = [Math.floor(800_000 / 1_413), Math.floor(400_000 / 1_413)]
  for (let i = 0; i < 1_000; i++) hand(direct, forged(undefined, 1_400))
  expect(opened()).toBe(atOnce)
  now += 1_000
  for (let i = 0; i < 500; i++) hand(direct, forged(undefined, 1_400))
  expect(opened() - atOnce - aSecond).toBeLessThanOrEqual(1)
  expect([opened() >= atOnce + aSecond, direct.isClosed]).toEqual([true, false])
})

test('[DG51] a question for a way counts as a record', () => {
  const direct = connectDirectly()
  now += 10_000
  const question = questionOf(direct.peer.name, direct.peer.password)
  for (let i = 0; i < 1_600; i++) expect(admits(direct.peer, question)).toBe(true)
  expect(admits(direct.peer, question)).toBe(false)
})

test('[DG52] 64 kB of a handshake in the open are read, then the client is closed', () => {
  const direct = createDirect()
  const piece = pieceOf({ kind: MESSAGE.hello, number: 0, body: Buffer.alloc(8_000) }, 0, 1_000)
  const packet = Buffer.concat([Buffer.from([22, 0xfe, 0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), piece])
  packet.writeUInt16BE(piece.length, 11)
  const fits = Math.floor(65_536 / packet.length)
  for (let i = 0; i < fits; i++) hand(direct, packet)
  expect([direct.refused.beyondBudget, direct.peer.handshake.pieces.size]).toEqual([0, 1])
  hand(direct, packet)
  expect([direct.refused.beyondBudget, direct.isClosed, direct.abuse]).toEqual([1, true, 'handshake'])
})

test('[DG52] after the handshake what is in the open is passed over, and nobody is closed for it', () => {
  const direct = connectDirectly()
  now += 10_000
  const flight = Buffer.concat(times(20, () => Buffer.from([22, 0xfe, 0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])))
  for (let i = 0; i < 1_500; i++) hand(direct, flight)
  const { beyondBudget, crowded } = direct.refused
  expect([beyondBudget, crowded, direct.isClosed]).toEqual([0, 0, false])
})

test.each([
  ['crowded', 30, 40, 1_000],
  ['records', 6_000, 1, 2_000],
  ['bytes', 4_000, 1, 1_000],
] as const)('[DG53] who stays above is closed: %s', (abuse, packets, records, perSecond) => {
  const direct = connectDirectly()
  now += 10_000
  const bytes = abuse === 'bytes' ? 1_400 : 24
  let handed = 0
  for (; handed < packets && !direct.isClosed; handed++) {
    now += 1_000 / perSecond
    hand(direct, Buffer.concat(times(records, () => forged(undefined, bytes))))
  }
  expect([direct.isClosed, direct.abuse]).toEqual([true, abuse])
  // Not for one packet.
  expect(handed).toBeGreaterThan(20)
  direct.pump()
  expect(direct.client.alerts).toEqual([Buffer.of(1, 0)])
})

test('[DG53] who is above for a moment, or only just above, is not closed', () => {
  const burst = connectDirectly()
  now += 10_000
  for (let i = 0; i < 2_300; i++) hand(burst, forged())
  expect([burst.refused.beyondBudget, burst.isClosed]).toEqual([700, false])
  const near = connectDirectly()
  for (let i = 0; i < 1_600; i++) hand(near, forged())
  for (let i = 0; i < 860 * 20; i++) {
    now += 1_000 / 860
    hand(near, forged())
  }
  expect([near.refused.beyondBudget > 1_000, near.isClosed]).toEqual([true, false])
})

test('[DG53] a seat is reported once, and gets another channel after a minute', () => {
  const opened: ChannelHandlers[] = []
  const service = {
    generation: 1,
    isReady: true,
    iceServers: [],
    ...createPortCounts(),
    open(_offer: string, handlers: ChannelHandlers) {
      opened.push(handlers)
      return { answer: 'an answer', send() {}, close() {} }
    },
    close() {},
  }
  const guest = createGuest({ seat: 3, tokens: [] } as never, { game: tag } as never)
  const client = { userData: guest, send() {} } as unknown as GameClient
  const reported: string[] = []
  const offer = () => {
    const room = { host: { nonce: 1, peers: new Set() } as never, traffic: { datagrams: createDatagramCounts() } }
    acceptChannel(room, client, service, 'an offer', (seat, abuse) => reported.push(`${seat} ${abuse}`))
    return opened.length
  }
  expect(offer()).toBe(1)
  opened[0].onClosed()
  expect([offer(), reported]).toEqual([2, []])
  opened[1].onClosed('records')
  expect([offer(), guest.lane.channel, reported]).toEqual([2, undefined, ['3 records']])
  now += 59_999
  expect(offer()).toBe(2)
  now += 1
  expect(offer()).toBe(3)
  opened[2].onClosed('bytes')
  expect([offer(), reported]).toEqual([3, ['3 records']])
})

/**
 * Six seconds of a client that plays: an input for each frame, an acknowledgement of each message of the server, which sends as often, a probe and a
 * heartbeat a second, a question for the way every 2.5 seconds (fifty a second while nothing comes, as Chromium does), what is lost given up, some
 * packets twice. Once everything is held up for two seconds and comes at once.
 */
test.each([
  ['60 Hz', 60, 80, [1, 2, 3]],
  ['60 Hz, long inputs', 60, 1_100, [4]],
  ['144 Hz', 144, 200, [5]],
  ['240 Hz, the longest inputs', 240, 1_100, [6]],
] as const)('[DG54] an honest client never meets a limit: %s', (_, rate, bytes, seeds) => {
  for (const seed of seeds) {
    const random = createRandom(seed)
    const direct = connectDirectly({ suites: [SUITES[seed % 2].id] })
    const { client, peer } = direct
    const stalledAt = 500 + random() * 2_000
    const line: Buffer[] = []
    let inputs = 0
    const send = (...chunks: readonly Chunk[]) => {
      const packet = client.sealed(DATA, packetOf(client.serverTag, ...chunks))
      line.push(packet)
      if (random() < 0.02) line.push(packet)
    }
    const start = now
    for (let frame = 0; frame < 6 * rate; frame++) {
      now = start + (frame * 1_000) / rate
      const isEvery = (ms: number) => Math.floor((now - start) / ms) !== Math.floor((now - start - 1_000 / rate) / ms)
      const isStalled = now - start > stalledAt && now - start < stalledAt + 2_000
      send(dataOf(client.next++, Buffer.alloc(bytes)))
      inputs++
      if (!isStalled) {
        sendToPeer(peer, Buffer.alloc(100), now)
        send(acknowledgementOf(1), { kind: CHUNK.forward, flags: 0, body: Buffer.alloc(4) })
      }
      if (isEvery(1_000)) send({ kind: CHUNK.heartbeat, flags: 0, body: Buffer.alloc(8) })
      if (isEvery(isStalled ? 20 : 2_500)) line.push(questionOf(peer.name, peer.password))
      if (isStalled) continue
      for (const packet of line.splice(0)) {
        if (packet[0] >= 4) hand(direct, packet)
        else expect(admits(peer, packet)).toBe(true)
      }
    }
    const { beyondBudget, crowded, forged } = direct.refused
    expect([beyondBudget, crowded, forged, direct.isClosed]).toEqual([0, 0, 0, false])
    expect(direct.delivered.length).toBe(inputs)
  }
})
