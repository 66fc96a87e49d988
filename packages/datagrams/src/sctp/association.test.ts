/** Messages and acknowledgements of a data channel (SCTP) against simple models of what should come out. */

import { expect, test } from 'vitest'
import { createRandom } from '../../../hurtbox/test/random.ts'
import {
  acknowledgementOf,
  CHUNK,
  type Chunk,
  chunksOf,
  cookieIn,
  dataOf,
  initOf,
  openingOf,
  PAYLOAD,
  packetOf,
  uint32,
} from '../../test/client.ts'
import {
  type Association,
  abortAssociation,
  createAssociation,
  keepAssociation,
  sendMessage,
  takePacket,
} from './association.ts'

const TAG = 0x1234567
/** Numbers that run over during a test. */
const LAST = 2 ** 32
const EMPTY = Buffer.alloc(0)
/** An acknowledgement says no more of them. */
const MAX_GAPS = 16
const SEEDS = process.env.HURTBOX_LONG ? 2_000 : 20

type Line = {
  readonly association: Association
  readonly delivered: Buffer[]
  readonly packets: Buffer[]
  closed: number
  take(now: number, ...chunks: readonly Chunk[]): void
  /** The chunks of all packets that it has sent since. */
  heard(): Chunk[]
}

/** An association whose own data begins at `own`, before its first packet. */
function createLine(own = 1): Line {
  const send = (packet: Buffer) => void line.packets.push(Buffer.from(packet))
  const handlers = {
    message: (bytes: Buffer) => void line.delivered.push(Buffer.from(bytes)),
    closed: () => void line.closed++,
  }
  const association = createAssociation(send, handlers)
  association.nextNumber = own >>> 0
  association.acknowledged = association.given = (own - 1) >>> 0
  const line: Line = {
    association,
    delivered: [],
    packets: [],
    closed: 0,
    take: (now, ...chunks) => takePacket(association, packetOf(association.ownTag, ...chunks), now),
    heard: () => line.packets.splice(0).flatMap(chunksOf),
  }
  return line
}

/** One with an open channel; the client's data begins at `theirs` with the question for it. */
function openLine(theirs: number, own = 1, now = 0): Line {
  const line = createLine(own)
  takePacket(line.association, packetOf(0, initOf(TAG, theirs)), now)
  const body = cookieIn(line.heard()[0])
  line.take(now, { kind: CHUNK.cookie, flags: 0, body }, openingOf(theirs))
  line.take(now, acknowledgementOf(own))
  line.packets.length = 0
  return line
}

test('[DG23] each message is handed on once, whatever is lost, repeated, overtaken or given up, also past 2³²; acknowledgements say what came', () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const random = createRandom(seed)
    const first = seed % 2 === 0 ? LAST - 300 : Math.floor(random() * LAST)
    const line = openLine(first)
    // What is sent in which step, by numbers counted from the question for the channel.
    const steps: number[][] = Array.from({ length: 700 }, () => [])
    for (let k = 1; k <= 600; k++) {
      if (random() < 0.2) continue
      for (let copy = random() < 0.15 ? 0 : 1; copy < 2; copy++) steps[k + Math.floor(random() ** 3 * 40)].push(k)
    }
    const came = new Set([0])
    let cumulative = 0
    const expected: number[] = []
    const skip = () => {
      while (came.has(cumulative + 1)) cumulative++
    }
    let givenUp = 0
    steps.forEach((numbers, step) => {
      for (const k of numbers) {
        if (k > cumulative && !came.has(k)) expected.push(k)
        came.add(k)
        skip()
      }
      const now = 100 * step
      const chunks = numbers.map((k) => dataOf((first + k) >>> 0, uint32(k)))
      if (random() < 0.05) {
        givenUp = Math.max(givenUp, step - 30)
        chunks.push({ kind: CHUNK.forward, flags: 0, body: uint32(first + givenUp) })
        cumulative = Math.max(cumulative, givenUp)
        skip()
      }
      if (chunks.length === 0) return
      line.take(now, ...chunks)
      keepAssociation(line.association, now + 99)
      const gaps: [number, number][] = []
      for (const k of [...came].filter((each) => each > cumulative).sort((a, b) => a - b)) {
        if (gaps.length > 0 && gaps.at(-1)![1] === k - cumulative - 1) gaps.at(-1)![1]++
        else gaps.push([k - cumulative, k - cumulative])
      }
      const acknowledgement = acknowledgementOf(first + cumulative, ...gaps.slice(0, MAX_GAPS))
      const heard = line.heard()
      // How much more is taken is said between the two.
      const saidAs = ({ body }: Chunk) => Buffer.concat([body.subarray(0, 4), body.subarray(8)])
      const isRight = heard.length === 1 && heard[0].kind === CHUNK.acknowledge
      if (!isRight || !saidAs(heard[0]).equals(saidAs(acknowledgement)))
        expect(heard, `seed ${seed}, step ${step}`).toEqual([acknowledgement])
    })
    expect(
      line.delivered.map((bytes) => bytes.readUInt32BE()),
      `seed ${seed}`,
    ).toEqual(expected)
    expect(expected.length).toBeGreaterThan(300)
  }
})

test('[DG23] what is too far ahead is not taken; after a silence in which more was given up than is kept, messages come again', () => {
  const line = openLine(500)
  const sendAt = (number: number) => line.take(0, dataOf(number, uint32(number)))
  sendAt(500 + 1_023)
  sendAt(500 + 1_024)
  sendAt(500 + 2 ** 31)
  expect(line.delivered).toEqual([uint32(500 + 1_023)])
  line.take(0, { kind: CHUNK.forward, flags: 0, body: uint32(5_000) })
  for (const number of [5_001, 5_003, 500 + 1_023, 5_001, 5_000]) sendAt(number)
  expect(line.delivered.slice(1)).toEqual([uint32(5_001), uint32(5_003)])
  // One that is older than what is known changes nothing.
  line.take(0, { kind: CHUNK.forward, flags: 0, body: uint32(4_000) })
  line.heard()
  keepAssociation(line.association, 1_000)
  expect(line.heard()[0].body.readUInt32BE(0)).toBe(5_001)
})

test('[DG23] what was not acknowledged for 500 ms is given up aloud, and nothing that is recent', () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const random = createRandom(seed)
    const own = seed % 2 === 0 ? LAST - 100 : Math.floor(random() * LAST)
    const line = openLine(1, own)
    // By numbers counted from the answer that has opened the channel, which is acknowledged.
    const sentAt = [0]
    const came = new Set([0])
    let [now, acknowledged, theirs] = [0, 0, 0]
    const isQuiet = (at: number) => Math.floor(at / 3_000) % 3 === 1
    for (let i = 0; i < 400; i++) {
      now += Math.floor(random() * 60)
      sendMessage(line.association, uint32(i), now)
      sentAt.push(now)
      const chunks = line.heard()
      const given = chunks.find(({ kind }) => kind === CHUNK.forward)
      const data = chunks.filter(({ kind }) => kind === CHUNK.data)
      expect(
        data.map(({ body }) => (body.readUInt32BE(0) - own) | 0),
        `seed ${seed}`,
      ).toEqual([i + 1])
      let oldest = acknowledged + 1
      while (now - sentAt[oldest] >= 500) oldest++
      const expected = oldest - 1 > acknowledged ? oldest - 1 : undefined
      expect(given && (given.body.readUInt32BE(0) - own) | 0, `seed ${seed}, message ${i}`).toBe(expected)
      // The client: much is lost, and for seconds it is not heard.
      if (random() < 0.7) {
        came.add(i + 1)
        if (given !== undefined) theirs = Math.max(theirs, expected!)
      }
      while (came.has(theirs + 1)) theirs++
      if (isQuiet(now) || random() < 0.5) continue
      acknowledged = theirs
      line.take(now, acknowledgementOf(own + theirs))
      // An old one and one for what was never sent say nothing.
      if (random() < 0.2) line.take(now, acknowledgementOf(own), acknowledgementOf(own + i + 2))
    }
  }
})

test('[DG24] the answer that opens the channel is said again until it is acknowledged, and messages pass meanwhile', () => {
  for (const isByGap of [false, true]) {
    const own = LAST - 3
    const line = createLine(own)
    takePacket(line.association, packetOf(0, initOf(TAG, 7)), 0)
    const body = cookieIn(line.heard()[0])
    line.take(0, { kind: CHUNK.cookie, flags: 0, body })
    expect(sendMessage(line.association, EMPTY, 0)).toBe(false)
    expect(line.heard().map(({ kind }) => kind)).toEqual([CHUNK.cookieAnswer])
    line.take(0, openingOf(7, 4))
    const isAnswer = ({ kind, body: data }: Chunk) => kind === CHUNK.data && data.readUInt32BE(8) === PAYLOAD.channel
    const answers = () => line.heard().filter(isAnswer)
    expect(answers().map(({ body: data }) => [data.readUInt32BE(0), data.readUInt16BE(4)])).toEqual([[own, 4]])
    // Again and again, also among messages, and it is not given up with them.
    let told = 0
    for (let now = 20; now <= 4_000; now += 20) {
      if (now % 40 === 0) sendMessage(line.association, uint32(now), now)
      else keepAssociation(line.association, now)
      const chunks = line.heard()
      told += chunks.filter(isAnswer).length
      expect(chunks.filter(isAnswer).every(({ body: data }) => data.readUInt32BE(0) === own)).toBe(true)
      expect(chunks.some(({ kind }) => kind === CHUNK.forward)).toBe(false)
      if (now % 100 === 0) line.take(now, dataOf(7 + now / 100, uint32(now), { stream: 4 }))
    }
    expect(told).toBe(20)
    expect(line.delivered.length).toBe(40)
    line.take(4_000, isByGap ? acknowledgementOf(own - 1, [1, 1]) : acknowledgementOf(own))
    sendMessage(line.association, EMPTY, 5_000)
    keepAssociation(line.association, 9_000)
    expect(answers()).toEqual([])
  }
})

test('[DG24] a packet gets one answer at most: 300 questions for life are worth one', () => {
  const line = openLine(1)
  const questions = Array.from({ length: 300 }, (_, i): Chunk => ({ kind: CHUNK.heartbeat, flags: 0, body: uint32(i) }))
  line.take(0, ...questions)
  expect(line.packets.length).toBe(1)
  expect(line.heard()).toEqual([{ kind: CHUNK.heartbeatAnswer, flags: 0, body: uint32(0) }])
  line.take(0, questions[5])
  expect(line.heard()).toEqual([{ kind: CHUNK.heartbeatAnswer, flags: 0, body: uint32(5) }])
})

test('[DG24] an end, however it is said, is heard once; with a wrong tag or sum it is not', () => {
  const streams = Buffer.concat([uint32((13 << 16) | 16), uint32(77), uint32(0), uint32(0)])
  const ends: [Chunk, Chunk | undefined][] = [
    [{ kind: CHUNK.abort, flags: 0, body: EMPTY }, undefined],
    [
      { kind: CHUNK.shutdown, flags: 0, body: uint32(1) },
      { kind: CHUNK.shutdownAnswer, flags: 0, body: EMPTY },
    ],
    [
      { kind: CHUNK.reconfigure, flags: 0, body: streams },
      { kind: CHUNK.reconfigure, flags: 0, body: Buffer.concat([uint32((16 << 16) | 12), uint32(77), uint32(1)]) },
    ],
  ]
  for (const [end, answer] of ends) {
    const line = openLine(1)
    const { association } = line
    takePacket(association, packetOf(association.ownTag ^ 2, end), 0)
    const damaged = packetOf(association.ownTag, end)
    damaged[8] ^= 1
    takePacket(association, damaged, 0)
    expect([line.closed, line.packets.length]).toEqual([0, 0])
    line.take(0, end, end, dataOf(2, uint32(1)))
    expect([line.closed, line.heard(), line.delivered]).toEqual([1, answer === undefined ? [] : [answer], []])
    line.take(0, dataOf(2, uint32(1)), end)
    expect(sendMessage(association, EMPTY, 0)).toBe(false)
    keepAssociation(association, 9_999)
    abortAssociation(association)
    expect([line.closed, line.packets.length, line.delivered.length]).toEqual([1, 0, 0])
  }
})

test('[DG24] there is one channel: a second is not answered, and its messages are not handed on', () => {
  const line = openLine(1)
  line.take(0, openingOf(2, 6), dataOf(3, uint32(1), { stream: 6 }), dataOf(4, uint32(2)))
  expect(line.heard()).toEqual([])
  expect(line.delivered).toEqual([uint32(2)])
})

test('[DG24] texts and what comes in pieces are handed on as nothing, once each', () => {
  const line = openLine(1)
  const flags = { begin: 6, middle: 4, end: 5 }
  line.take(
    0,
    dataOf(2, uint32(9), { flags: flags.begin }),
    dataOf(3, uint32(9), { flags: flags.middle }),
    dataOf(4, uint32(9), { flags: flags.end }),
    dataOf(5, uint32(9), { payload: PAYLOAD.text }),
    dataOf(6, uint32(8)),
  )
  expect(line.delivered).toEqual([EMPTY, EMPTY, uint32(8)])
})

test('[DG24] nothing is taken before the cookie came back, and a first packet changes nothing after it', () => {
  const line = createLine()
  const data = dataOf(7, uint32(1))
  takePacket(line.association, packetOf(0, initOf(TAG, 7)), 0)
  const [{ body }] = line
    .heard()
    .map(cookieIn)
    .map((cookie) => ({ body: cookie }))
  const wrong = Buffer.from(body)
  wrong[31] ^= 1
  for (const cookie of [wrong, EMPTY, body.subarray(1)])
    line.take(0, { kind: CHUNK.cookie, flags: 0, body: cookie }, openingOf(7), data)
  expect([line.packets.length, line.delivered.length]).toEqual([0, 0])
  // The answer may be lost: the cookie comes again.
  for (let i = 0; i < 2; i++) {
    line.take(0, { kind: CHUNK.cookie, flags: 0, body })
    expect(line.heard().map(({ kind }) => kind)).toEqual([CHUNK.cookieAnswer])
  }
  takePacket(line.association, packetOf(0, initOf(99, 1_000_000)), 0)
  expect(line.packets).toEqual([])
  line.take(0, openingOf(7), dataOf(8, uint32(1)))
  expect(line.packets[0].readUInt32BE(4)).toBe(TAG)
  expect(line.delivered).toEqual([uint32(1)])
})
