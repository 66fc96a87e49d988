/**
 * Hostile bytes at every stage of a data channel: noise, packets of real sessions that were changed, and garbage encrypted with the right keys. Nothing
 * throws, nothing is delivered that was not sent, nothing piles up, and the client beside does not notice.
 *
 * 200,000 packets, and with `HURTBOX_LONG=1 npx vitest run packages/datagrams/test/hostile.slow.test.ts` ten million, whose totals are printed.
 */

import { afterAll, expect, test, vi } from 'vitest'
import { createRandom, type Random } from '../../hurtbox/test/random.ts'
import { runTimers, sendOnChannel } from '../src/connection.ts'
import { crc32c } from '../src/crc.ts'
import { SUITES } from '../src/dtls/ciphers/suites.ts'
import { CONTENT_TYPE, writeRecord } from '../src/dtls/records.ts'
import {
  bindingRequestOf,
  CHUNK,
  connectDirectly,
  createDirect,
  type Direct,
  dataChannelOpenOf,
  dataOf,
  fragmentOf,
  HANDSHAKE,
  initOf,
  liftBudget,
  packetOf,
  sackOf,
  uint32,
} from './client.ts'
import { createVisitor, openTestPort } from './ports.ts'

const isLong = process.env.HURTBOX_LONG !== undefined
const PACKETS = isLong ? 2_500_000 : 50_000
const HANDSHAKES = isLong ? 20_000 : 300
vi.setConfig({ testTimeout: isLong ? 7_200_000 : 120_000 })

const pick = <T>(random: Random, all: readonly T[]): T => all[Math.floor(random() * all.length)]
const noise = (random: Random, length: number) => Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)))

/** A packet with something wrong: bits, lengths, bytes, its end, a part of another. */
function spoil(random: Random, packet: Buffer, others: readonly Buffer[]): Buffer {
  let bytes = Buffer.from(packet)
  for (let times = 1 + Math.floor(random() * 3); times > 0; times--) {
    const at = Math.floor(random() * bytes.length)
    const type = Math.floor(random() * 7)
    if (bytes.length === 0 || type === 0) bytes = Buffer.concat([bytes, noise(random, Math.floor(random() * 40))])
    else if (type === 1) bytes[at] ^= 1 << Math.floor(random() * 8)
    else if (type === 2) bytes[at] = pick(random, [0, 1, 0x7f, 0x80, 0xff])
    else if (type === 3 && at + 2 <= bytes.length)
      bytes.writeUInt16BE(pick(random, [0, 1, 3, 4, bytes.length, 0x7fff, 0xffff]), at)
    else if (type === 4) bytes = bytes.subarray(0, at)
    else if (type === 5) bytes = Buffer.concat([bytes.subarray(0, at), pick(random, others).subarray(at)])
    else bytes = Buffer.concat([bytes, pick(random, others)])
  }
  return bytes.subarray(0, 1_500)
}

/** All packets of a session, by a client that says each message of its handshake alone. */
function record(): Buffer[] {
  const packets: Buffer[] = []
  const direct: Direct = createDirect({
    onPacket: (packet) => void packets.push(packet),
    sendFlight(client, messages) {
      for (const message of messages) {
        const packet = client.pack([message])
        packets.push(packet)
        direct.toServer(packet)
      }
    },
  })
  direct.client.start()
  direct.pump()
  for (let i = 0; i < 10; i++) direct.client.sendMessage(Buffer.alloc(40 * i, i))
  return packets
}

/** What was sent, by the test, and what became of it. */
const totals: Record<string, number> = {}
const note = (what: string, amount = 1) => void (totals[what] = (totals[what] ?? 0) + amount)
afterAll(() => {
  if (isLong) console.log(totals)
})

/** Cheaper than `expect`, for what is checked with every packet. */
function check(isRight: boolean, what: string): void {
  if (!isRight) expect.unreachable(what)
}

/** A failure names the packet. */
function attempt(what: string, run: () => void): void {
  note('packets')
  try {
    run()
  } catch (error) {
    throw new Error(`${what}: ${(error as Error).message}`, { cause: error })
  }
}

/** What a connection keeps, whatever it was sent. */
function checkBounded({ connection, sent }: Direct, packets: number, what: string): void {
  const { reassembly, messages } = connection.handshake
  const kept = [...reassembly.values()].reduce((sum, { body }) => sum + body.length, 0)
  check(reassembly.size <= 8 && kept <= 8 * 8_192 && messages.length <= 12, `${what}: too much is kept`)
  // An answer and the opening of the channel are the most that a packet gets, and what is due.
  check(sent.length <= 3 * packets + 30, `${what}: too much is answered`)
}

test('[DG26] noise and changed packets of a handshake, at each of its stages: nothing throws, nothing opens', () => {
  const recorded = record()
  const beside = connectDirectly()
  // Its own messages up to a stage, then everything else.
  const at = (stage: number): Direct => {
    const direct: Direct = createDirect({
      sendFlight(client, messages) {
        if (messages.length === 1) direct.toServer(client.pack(messages))
        else for (const message of messages.slice(0, stage - 2)) direct.toServer(client.pack([message]))
      },
    })
    if (stage > 0) direct.client.start()
    // HelloVerifyRequest, then the flight of the server.
    if (stage > 1) direct.client.take(direct.sent[0])
    if (stage > 2) direct.client.take(direct.sent[1])
    return direct
  }
  let unfit = 0
  for (let stage = 0; stage <= 5; stage++) {
    const random = createRandom(stage + 1)
    let direct = at(stage)
    let packets = 0
    for (let i = 0; i < PACKETS / 6; i++) {
      const what = `stage ${stage}, packet ${i}`
      const packet =
        random() < 0.1 ? noise(random, Math.floor(random() * 300)) : spoil(random, pick(random, recorded), recorded)
      attempt(what, () => direct.toServer(packet))
      checkBounded(direct, ++packets, what)
      check(direct.delivered.length === 0 && direct.connection.handshake.state !== 'connected', `${what} opens it`)
      if (!direct.isClosed && packets < 200) continue
      unfit += direct.refused.unfit
      note('handshakes')
      ;[direct, packets] = [at(stage), 0]
    }
  }
  expect(unfit).toBeGreaterThan(20)
  beside.client.sendMessage(Buffer.from('still here'))
  beside.pump()
  expect(beside.delivered.map(String)).toEqual(['still here'])
})

test('[DG26] changed packets of an open channel deliver nothing that was not sent, and do not end it', () => {
  const random = createRandom(11)
  const waiting: Buffer[] = []
  const direct = connectDirectly({ onPacket: (packet) => void waiting.push(packet) })
  liftBudget(direct)
  const recorded = record()
  const sent = new Set<string>()
  for (let i = 0; i < PACKETS; i++) {
    const what = `packet ${i}`
    if (i % 10 === 0) {
      waiting.length = 0
      const message = Buffer.concat([uint32(i), noise(random, Math.floor(random() * 60))])
      sent.add(message.toString('hex'))
      direct.client.sendMessage(message)
    }
    const packet = spoil(random, random() < 0.7 ? waiting[0] : pick(random, recorded), recorded)
    attempt(what, () => direct.toServer(packet))
    if (i % 10 === 9) direct.pump()
  }
  expect(direct.isClosed).toBe(false)
  const delivered = direct.delivered.map((bytes) => bytes.toString('hex'))
  expect(new Set(delivered).size).toBe(delivered.length)
  // All that were whole somewhere in what was sent came; none of any other.
  expect(delivered.length).toBe(sent.size)
  for (const text of delivered) expect(sent.has(text)).toBe(true)
  expect(direct.refused.forged).toBeGreaterThan(PACKETS / 10)
  note('delivered, of what was sent', delivered.length)
  note('forged', direct.refused.forged)
})

test('[DG26] garbage that is encrypted with the right keys throws nothing, and what is kept of it is bounded', () => {
  const random = createRandom(21)
  let direct = connectDirectly()
  let [packets, sessions] = [0, 1]
  const beside = connectDirectly()
  let now = 0
  for (let i = 0; i < PACKETS; i++) {
    const what = `packet ${i}`
    const { client, connection } = direct
    const tag = random() < 0.95 ? client.serverTag : 0
    const near = () => client.nextTsn + Math.floor(random() * 50) - 10
    const own = () => connection.association.nextTsn + Math.floor(random() * 20) - 15
    const whole = packetOf(
      tag,
      ...Array.from({ length: 1 + Math.floor(random() * 4) }, () =>
        pick(random, [
          () => dataOf(near(), noise(random, Math.floor(random() * 30))),
          () =>
            dataOf(near(), noise(random, 3), { flags: Math.floor(random() * 16), stream: Math.floor(random() * 3) }),
          () => dataChannelOpenOf(near(), Math.floor(random() * 3)),
          () => sackOf(own(), [1, 3], [5, 0xffff]),
          () => ({ type: CHUNK.forwardTsn, flags: 0, body: uint32(near()) }),
          () => ({ type: CHUNK.heartbeat, flags: 0, body: noise(random, Math.floor(random() * 300)) }),
          () => initOf(Math.floor(random() * 2 ** 32), near()),
          () => ({ type: Math.floor(random() * 256), flags: Math.floor(random() * 256), body: noise(random, 20) }),
        ])(),
      ),
    )
    client.nextTsn += 2
    const spoiled = random() < 0.3 ? whole : spoil(random, whole, [whole])
    // Most with the right sum, or nobody would look inside.
    if (spoiled.length >= 12 && random() < 0.9) {
      spoiled.writeUInt32LE(0, 8)
      spoiled.writeUInt32LE(crc32c(spoiled), 8)
    }
    const type = random() < 0.97 ? CONTENT_TYPE.applicationData : Math.floor(random() * 256)
    const already = direct.delivered.length
    now += 5
    connection.path.answeredAt = now
    attempt(what, () => {
      direct.toServer(client.protect(type, spoiled))
      runTimers(connection, now)
      sendOnChannel(connection, uint32(i), now)
    })
    for (const bytes of direct.delivered.slice(already)) check(spoiled.includes(bytes), `${what} becomes another`)
    checkBounded(direct, ++packets * 2, what)
    check(
      direct.sent.slice(-4).every(({ length }) => length <= 1_500),
      `${what} is answered at length`,
    )
    if (direct.isClosed || packets > 2_000) {
      ;[direct, packets] = [connectDirectly(), 0]
      sessions++
      note('channels')
    }
  }
  expect(sessions).toBeGreaterThan(5)
  beside.client.sendMessage(Buffer.from('still here'))
  beside.pump()
  expect(beside.delivered.map(String)).toEqual(['still here'])
})

test('[DG161] a client that changes a message of its handshake and signs what it has sent: nothing throws, and what opens has its keys', () => {
  const types = Object.values(HANDSHAKE)
  const counts = { open: 0, closed: 0, waiting: 0 }
  for (let seed = 1; seed <= HANDSHAKES; seed++) {
    const random = createRandom(seed)
    const changed = pick(random, types)
    let isChanged = false
    const direct = createDirect({
      suites: [pick(random, SUITES).id],
      change(type, body) {
        if (type !== changed || isChanged) return body
        isChanged = true
        return spoil(random, body, [body])
      },
    })
    attempt(`seed ${seed}`, () => {
      direct.client.start()
      direct.pump()
    })
    checkBounded(direct, 10, `seed ${seed}`)
    const { client } = direct
    if (client.isOpen) {
      client.sendMessage(Buffer.from('mine'))
      direct.pump()
      check(String(direct.delivered) === 'mine', `seed ${seed} is open, and not heard`)
    }
    counts[client.isOpen ? 'open' : direct.isClosed ? 'closed' : 'waiting']++
  }
  for (const [what, amount] of Object.entries(counts)) note(`signed handshakes, ${what}`, amount)
  // Some changes mean nothing, as another session_id or extension.
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(0)
})

test('[DG26] a whole port under hostile bytes, from strangers and in the name of a client: that client goes on, and nothing is kept', async () => {
  const port = await openTestPort()
  const honest = await createVisitor(port)
  const idle = await createVisitor(port)
  try {
    honest.check()
    await vi.waitUntil(() => honest.client.isOpen, { timeout: 60_000 })
    const place = { address: '127.0.0.1', port: honest.socket.address().port }
    const random = createRandom(31)
    const recorded = [...record(), bindingRequestOf(idle.ufrag, idle.pwd), bindingRequestOf(honest.ufrag, honest.pwd)]
    const sent = vi.spyOn(port.socket, 'send')
    for (let i = 0; i < PACKETS; i++) {
      const isInItsName = random() < 0.2
      const from = isInItsName
        ? place
        : { address: `192.0.2.${Math.floor(random() * 256)}`, port: 1 + Math.floor(random() * 65_535) }
      const packet =
        random() < 0.2 ? noise(random, Math.floor(random() * 200)) : spoil(random, pick(random, recorded), recorded)
      attempt(`packet ${i}`, () => port.take(packet, from))
    }
    // A request whose integrity still holds is one: its end was cut to what it was.
    expect(sent.mock.calls.length).toBeLessThan(PACKETS / 100)
    expect([honest.isClosed, honest.delivered]).toEqual([false, []])
    // What was forged just now, near to its numbers, may have used up what is decrypted in this moment: it says so again, as games do.
    await vi.waitUntil(
      () => {
        honest.client.sendMessage(Buffer.from('still here'))
        return honest.delivered.length > 0
      },
      { timeout: 10_000, interval: 100 },
    )
    expect(new Set(honest.delivered.map(String))).toEqual(new Set(['still here']))
    // Where its last packet came from is where it hears, though its own check was repeated elsewhere.
    honest.channel.send(Buffer.from('so are we'))
    await vi.waitUntil(() => honest.client.messages.length > 0, { timeout: 60_000 })
  } finally {
    honest.close()
    idle.close()
    port.close()
  }
})

test.each(SUITES)(
  '[DG26] packets, records, chunks and binding requests of every length that is too short throw nothing: cipher $id',
  async ({ id }) => {
    const open = () => {
      const direct = connectDirectly({ suites: [id] })
      // SACKs are read to their end while DATA_CHANNEL_ACK is not acknowledged.
      direct.connection.association.channelAckTsn = direct.connection.association.nextTsn
      return direct
    }
    let direct = open()
    const whole = direct.client.protect(CONTENT_TYPE.applicationData, Buffer.alloc(30))
    for (let length = 0; length <= whole.length; length++) {
      const cut = Buffer.from(whole.subarray(0, length))
      attempt(`${length} bytes`, () => direct.toServer(cut))
      if (length < 13) continue
      cut.writeUInt16BE(length - 13, 11)
      attempt(`a record of ${length} bytes`, () => direct.toServer(cut))
    }
    for (const type of [...Object.values(CHUNK), 99]) {
      for (let length = 0; length <= 24; length++) {
        if (direct.isClosed) direct = open()
        const chunk = { type, flags: 3, body: Buffer.alloc(length, 0xff) }
        const packet = packetOf(direct.client.serverTag, chunk)
        attempt(`chunk ${type} of ${length} bytes`, () =>
          direct.toServer(direct.client.protect(CONTENT_TYPE.applicationData, packet)),
        )
        // One that says that it is longer than the packet.
        if (direct.isClosed) direct = open()
        const already = direct.delivered.length
        const lying = packetOf(direct.client.serverTag, chunk)
        lying.writeUInt16BE(4 + length + 9, 14)
        lying.writeUInt32LE(0, 8)
        lying.writeUInt32LE(crc32c(lying), 8)
        attempt(`chunk ${type} of ${length} bytes that lies`, () => {
          direct.toServer(direct.client.protect(CONTENT_TYPE.applicationData, lying))
        })
        check(
          !direct.isClosed && direct.delivered.length === already,
          `chunk ${type} of ${length} bytes that lies is taken`,
        )
      }
    }
    const fresh = createDirect()
    for (let messageSeq = 0; messageSeq < 100; messageSeq++) {
      const fragment = fragmentOf({ type: HANDSHAKE.certificate, messageSeq, body: Buffer.alloc(8_192) }, 0, 100)
      fresh.toServer(writeRecord(fresh.client.layer, CONTENT_TYPE.handshake, 0, fragment))
      checkBounded(fresh, messageSeq, `message ${messageSeq}`)
    }
    const port = await openTestPort()
    const idle = await createVisitor(port)
    const request = bindingRequestOf(idle.ufrag, idle.pwd)
    const from = { address: '192.0.2.1', port: 1 }
    for (let length = 0; length < request.length; length++) {
      const cut = Buffer.from(request.subarray(0, length))
      if (length >= 20) cut.writeUInt16BE(length - 20, 2)
      attempt(`a binding request of ${length} bytes`, () => port.take(cut, from))
    }
    expect(port.refused.strange).toBe(request.length)
    idle.close()
    port.close()
  },
)
