/**
 * What one client, and those who forge its address, may make the UDP port do: how many records and bytes, who is closed, and that no honest client
 * notices. By a clock of the test.
 */

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createRandom } from '../../hurtbox/test/random.ts'
import {
  bindingRequestOf,
  CHUNK,
  type Chunk,
  connectDirectly,
  createDirect,
  type Direct,
  dataOf,
  fragmentOf,
  HANDSHAKE,
  packetOf,
  sackOf,
} from '../test/client.ts'
import { admitsCheck } from './budget.ts'
import { sendOnChannel } from './connection.ts'
import { SUITES } from './dtls/ciphers/suites.ts'

const DATA = 23
const suites = SUITES.map(({ id }, i) => [['ChaCha', 'GCM'][i], id] as const)

let now = 1_000
beforeEach(() => void vi.spyOn(performance, 'now').mockImplementation(() => now))
afterEach(() => void vi.restoreAllMocks())

/** As the port does it. */
function hand({ connection, toServer }: Direct, packet: Buffer): void {
  if (!connection.isClosed) toServer(packet)
}

/** How often something was opened, whether it was true or not. */
function countDecrypted({ connection }: Direct): () => number {
  const theirs = connection.layer.read!
  let opened = 0
  const decrypt: typeof theirs.decrypt = (header, body) => {
    opened++
    return theirs.decrypt(header, body)
  }
  connection.layer.read = { ...theirs, decrypt }
  return () => opened
}

let farNumber = 2 ** 40
function forgedRecord(sequenceNumber: number, bytes = 24): Buffer {
  const record = Buffer.alloc(13 + bytes, 0x5a)
  record.set([DATA, 0xfe, 0xfd, 0, 1])
  record.writeUIntBE(sequenceNumber, 5, 6)
  record.writeUInt16BE(bytes, 11)
  return record
}
/** By somebody who does not know the client's sequence number, and who does. */
const forgedFar = (_direct?: Direct, bytes = 24) => forgedRecord(farNumber++, bytes)
const forgedNear = ({ connection }: Direct, bytes = 24) =>
  forgedRecord(connection.layer.replayWindow.rightEdge + 1, bytes)

/** What the client itself sends: a HEARTBEAT, with as many bytes. */
function trueRecord({ client }: Direct, bytes = 0): Buffer {
  const heartbeat = { type: CHUNK.heartbeat, flags: 0, body: Buffer.alloc(bytes) }
  return client.protect(DATA, packetOf(client.serverTag, heartbeat))
}

const times = (count: number, make: () => Buffer) => Array.from({ length: count }, () => make())

test.each(suites)(
  '[DG50] %s: four protected records of a datagram are decrypted, the others are counted and cost nothing',
  (_, id) => {
    for (const record of [forgedFar, forgedNear, trueRecord]) {
      const direct = connectDirectly({ suites: [id] })
      const opened = countDecrypted(direct)
      direct.sent.length = 0
      hand(direct, Buffer.concat(times(28, () => record(direct))))
      expect([opened(), direct.refused.crowded]).toEqual([4, 24])
      expect(direct.sent.length).toBeLessThanOrEqual(4)
      hand(direct, Buffer.concat(times(4, () => record(direct))))
      expect([opened(), direct.refused.crowded, direct.isClosed]).toEqual([8, 24, false])
    }
  },
)

test('[DG50] when the budget of forged records is used up, four of a datagram are looked at, the others are passed over', () => {
  const direct = connectDirectly()
  const opened = countDecrypted(direct)
  for (let i = 0; i < 1_000; i++) hand(direct, forgedFar())
  const [before, { beyondBudget, crowded }] = [opened(), { ...direct.refused }]
  hand(direct, Buffer.concat(times(40, () => forgedFar())))
  const { refused } = direct
  expect([opened() - before, refused.beyondBudget - beyondBudget, refused.crowded - crowded]).toEqual([0, 4, 36])
})

test('[DG51] 1,600 true records are taken at once and 800 a second, in packets of one or of four', () => {
  for (const together of [1, 4]) {
    const direct = connectDirectly()
    now += 10_000
    const opened = countDecrypted(direct)
    const send = (records: number) => {
      for (let i = 0; i < records; i += together) hand(direct, Buffer.concat(times(together, () => trueRecord(direct))))
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
  const opened = countDecrypted(direct)
  const { length } = trueRecord(direct, 1_340)
  const [atOnce, aSecond] = [Math.floor(800_000 / length), Math.floor(400_000 / length)]
  for (let i = 0; i < 1_000; i++) hand(direct, trueRecord(direct, 1_340))
  expect(opened()).toBe(atOnce)
  now += 1_000
  for (let i = 0; i < 500; i++) hand(direct, trueRecord(direct, 1_340))
  expect(opened() - atOnce - aSecond).toBeLessThanOrEqual(1)
  expect([opened() >= atOnce + aSecond, direct.isClosed]).toEqual([true, false])
})

test('[DG52] 64 kB of epoch 0 are read at once and 4 kB a second, and nobody is closed for what anybody can forge', () => {
  const direct = createDirect()
  const fragment = fragmentOf({ type: HANDSHAKE.clientHello, messageSeq: 0, body: Buffer.alloc(8_000) }, 0, 1_000)
  const packet = Buffer.concat([Buffer.from([22, 0xfe, 0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), fragment])
  packet.writeUInt16BE(fragment.length, 11)
  const fits = Math.floor(65_536 / packet.length)
  for (let i = 0; i < fits; i++) hand(direct, packet)
  expect([direct.refused.beyondBudget, direct.connection.handshake.reassembly.size]).toEqual([0, 1])
  for (let i = 0; i < 2_000; i++) hand(direct, packet)
  expect([direct.refused.beyondBudget, direct.isClosed]).toEqual([2_000, false])
  now += 1_000
  direct.client.start()
  direct.pump()
  expect(direct.client.isOpen).toBe(true)
})

test('[DG52] after the handshake epoch 0 is passed over, and nobody is closed for it', () => {
  const direct = connectDirectly()
  now += 10_000
  const flight = Buffer.concat(times(20, () => Buffer.from([22, 0xfe, 0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])))
  for (let i = 0; i < 1_500; i++) hand(direct, flight)
  const { beyondBudget, crowded } = direct.refused
  expect([beyondBudget, crowded, direct.isClosed]).toEqual([0, 0, false])
})

test.each([
  ['crowded', 40, 28, 1_000, 0],
  ['records', 6_000, 1, 2_000, 0],
  ['bytes', 4_000, 1, 1_000, 1_340],
] as const)('[DG53] a client that stays above is closed: %s', (abuse, packets, records, perSecond, bytes) => {
  const direct = connectDirectly()
  now += 10_000
  let handed = 0
  for (; handed < packets && !direct.isClosed; handed++) {
    now += 1_000 / perSecond
    hand(direct, Buffer.concat(times(records, () => trueRecord(direct, bytes))))
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
  for (let i = 0; i < 2_300; i++) hand(burst, trueRecord(burst))
  expect([burst.refused.beyondBudget, burst.isClosed]).toEqual([700, false])
  const near = connectDirectly()
  for (let i = 0; i < 1_600; i++) hand(near, trueRecord(near))
  for (let i = 0; i < 860 * 20; i++) {
    now += 1_000 / 860
    hand(near, trueRecord(near))
  }
  expect([near.refused.beyondBudget > 1_000, near.isClosed]).toEqual([true, false])
})

/** Two seconds of a client that sends 60 messages a second, with more packets in its name. In the middle it loses some of its own. */
test.each([
  ['single', 5, 1, 24, 1_000, 1],
  ['single, and very many of its own are lost', 5, 1, 24, 100_000, 0.6],
  ['long', 5, 1, 1_400, 1_000, 1],
  ['forty in a packet', 1, 40, 24, 1_000, 1],
] as const)(
  '[DG69] what others forge in the name of a client uses up nothing of what it may send: %s',
  (_, perMs, records, bytes, lost, part) => {
    const random = createRandom(1)
    const direct = connectDirectly()
    const decrypted = countDecrypted(direct)
    const { client } = direct
    let sent = 0
    for (let ms = 0; ms < 2_000; ms++) {
      now++
      if (ms === 1_008) client.layer.nextSequenceNumber[1] += lost
      const own = ms % 16 === 0 ? Math.floor(random() * perMs) : -1
      for (let i = 0; i < perMs; i++) {
        if (i === own) {
          client.sendMessage(Buffer.alloc(80))
          direct.pump()
          sent++
        }
        hand(direct, Buffer.concat(times(records, () => forgedFar(direct, bytes))))
      }
    }
    expect([direct.isClosed, direct.abuse]).toEqual([false, undefined])
    expect(direct.delivered.length).toBeGreaterThanOrEqual(part * sent)
    // A second's worth of work at once, then what is allowed in each.
    expect(decrypted() - sent).toBeLessThanOrEqual(500 + 2 * 500 + 10)
  },
)

test('[DG69] who knows the sequence number of a client makes the port decrypt 1,000 records a second more, and closes nobody', () => {
  const direct = connectDirectly()
  const opened = countDecrypted(direct)
  for (let ms = 0; ms < 2_000; ms++) {
    now++
    for (let i = 0; i < 10; i++) hand(direct, forgedNear(direct))
  }
  expect(opened()).toBeLessThanOrEqual(1_000 + 2 * 1_000)
  expect([direct.isClosed, direct.refused.beyondBudget > 10_000]).toEqual([false, true])
  // And when he stops, the client is heard.
  now += 100
  direct.client.sendMessage(Buffer.from('here'))
  direct.pump()
  expect(direct.delivered.map(String)).toEqual(['here'])
})

test('[DG69] after ten seconds of forged records with any sequence number a client may send as much at once as before', () => {
  const direct = connectDirectly()
  for (let ms = 0; ms < 10_000; ms++) {
    now++
    for (let i = 0; i < 3; i++) hand(direct, i === 0 ? forgedFar() : forgedNear(direct))
  }
  now += 100
  const { beyondBudget, forged } = direct.refused
  for (let i = 0; i < 1_500; i++) hand(direct, trueRecord(direct))
  expect([direct.refused.beyondBudget, direct.refused.forged, direct.isClosed]).toEqual([beyondBudget, forged, false])
})

test('[DG70] connectivity checks have budgets of their own: 100 a second from where a client is known, 25 from elsewhere', () => {
  const { connection } = connectDirectly()
  now += 10_000
  const admitted = (isKnown: boolean) =>
    times(1_000, () => Buffer.of(+admitsCheck(connection.budget, isKnown))).filter(([is]) => is).length
  expect([admitted(false), admitted(true)]).toEqual([50, 200])
  now += 1_000
  expect([admitted(false), admitted(true)]).toEqual([25, 100])
  expect(connection.isClosed).toBe(false)
})

/**
 * Six seconds of a client that plays: an input for each frame, a SACK for each message of the server, which sends as often, a probe and a
 * heartbeat a second, a connectivity check every 2.5 seconds (fifty a second while nothing comes, as Chromium does), what is lost given up, some
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
    const { client, connection } = direct
    const stalledAt = 500 + random() * 2_000
    const line: Buffer[] = []
    let inputs = 0
    const send = (...chunks: readonly Chunk[]) => {
      const packet = client.protect(DATA, packetOf(client.serverTag, ...chunks))
      line.push(packet)
      if (random() < 0.02) line.push(packet)
    }
    const start = now
    for (let frame = 0; frame < 6 * rate; frame++) {
      now = start + (frame * 1_000) / rate
      const isEvery = (ms: number) => Math.floor((now - start) / ms) !== Math.floor((now - start - 1_000 / rate) / ms)
      const isStalled = now - start > stalledAt && now - start < stalledAt + 2_000
      send(dataOf(client.nextTsn++, Buffer.alloc(bytes)))
      inputs++
      if (!isStalled) {
        sendOnChannel(connection, Buffer.alloc(100), now)
        send(sackOf(1), { type: CHUNK.forwardTsn, flags: 0, body: Buffer.alloc(4) })
      }
      if (isEvery(1_000)) send({ type: CHUNK.heartbeat, flags: 0, body: Buffer.alloc(8) })
      if (isEvery(isStalled ? 20 : 2_500)) line.push(bindingRequestOf(connection.ufrag, connection.pwd))
      if (isStalled) continue
      for (const packet of line.splice(0)) {
        if (packet[0] >= 4) hand(direct, packet)
        else expect(admitsCheck(connection.budget, true)).toBe(true)
      }
    }
    const { beyondBudget, crowded, forged } = direct.refused
    expect([beyondBudget, crowded, forged, direct.isClosed]).toEqual([0, 0, 0, false])
    expect(direct.delivered.length).toBe(inputs)
  }
})
