/** User messages and SACKs of an association against simple models of what should come out. */

import { expect, test } from 'vitest'
import { createRandom } from '../../../hurtbox/test/random.ts'
import {
  CHUNK,
  type Chunk,
  chunksOf,
  cookieIn,
  dataChannelOpenOf,
  dataOf,
  initOf,
  PPID,
  packetOf,
  sackOf,
  uint32,
} from '../../test/client.ts'
import { abortAssociation, receivePacket, runAssociationTimers } from './association.ts'
import { sendUserMessage } from './channel.ts'
import { type Association, createAssociation } from './tcb.ts'

const TAG = 0x1234567
/** TSNs that wrap around during a test. */
const LAST = 2 ** 32
const EMPTY = Buffer.alloc(0)
/** A SACK has no more of them. */
const MAX_GAP_ACK_BLOCKS = 16
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

/** An association whose own TSNs begin at `own`, before its first packet. */
function createLine(own = 1): Line {
  const send = (packet: Buffer) => void line.packets.push(Buffer.from(packet))
  const handlers = {
    message: (bytes: Buffer) => void line.delivered.push(Buffer.from(bytes)),
    heartbeatAck() {},
    closed: () => void line.closed++,
  }
  const association = createAssociation(send, handlers)
  association.nextTsn = own >>> 0
  association.cumulativeTsnAckPoint = association.advancedPeerAckPoint = (own - 1) >>> 0
  const line: Line = {
    association,
    delivered: [],
    packets: [],
    closed: 0,
    take: (now, ...chunks) => receivePacket(association, packetOf(association.myVerificationTag, ...chunks), now),
    heard: () => line.packets.splice(0).flatMap(chunksOf),
  }
  return line
}

/** One with an open channel; the client's TSNs begin at `theirs` with DATA_CHANNEL_OPEN. */
function openLine(theirs: number, own = 1, now = 0): Line {
  const line = createLine(own)
  receivePacket(line.association, packetOf(0, initOf(TAG, theirs)), now)
  const body = cookieIn(line.heard()[0])
  line.take(now, { type: CHUNK.cookieEcho, flags: 0, body }, dataChannelOpenOf(theirs))
  line.take(now, sackOf(own))
  line.packets.length = 0
  return line
}

test('[DG23] each message is handed on once, whatever is lost, repeated, overtaken or given up, also past 2³²; SACKs say what came', () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const random = createRandom(seed)
    const first = seed % 2 === 0 ? LAST - 300 : Math.floor(random() * LAST)
    const line = openLine(first)
    // What is sent in which step, by TSNs counted from DATA_CHANNEL_OPEN.
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
        chunks.push({ type: CHUNK.forwardTsn, flags: 0, body: uint32(first + givenUp) })
        cumulative = Math.max(cumulative, givenUp)
        skip()
      }
      if (chunks.length === 0) return
      line.take(now, ...chunks)
      runAssociationTimers(line.association, now + 99)
      const gaps: [number, number][] = []
      for (const k of [...came].filter((each) => each > cumulative).sort((a, b) => a - b)) {
        if (gaps.length > 0 && gaps.at(-1)![1] === k - cumulative - 1) gaps.at(-1)![1]++
        else gaps.push([k - cumulative, k - cumulative])
      }
      const sack = sackOf(first + cumulative, ...gaps.slice(0, MAX_GAP_ACK_BLOCKS))
      const heard = line.heard()
      // a_rwnd stands between the two.
      const saidAs = ({ body }: Chunk) => Buffer.concat([body.subarray(0, 4), body.subarray(8)])
      const isRight = heard.length === 1 && heard[0].type === CHUNK.sack
      if (!isRight || !saidAs(heard[0]).equals(saidAs(sack)))
        expect(heard, `seed ${seed}, step ${step}`).toEqual([sack])
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
  line.take(0, { type: CHUNK.forwardTsn, flags: 0, body: uint32(5_000) })
  for (const number of [5_001, 5_003, 500 + 1_023, 5_001, 5_000]) sendAt(number)
  expect(line.delivered.slice(1)).toEqual([uint32(5_001), uint32(5_003)])
  // One that is older than what is known changes nothing.
  line.take(0, { type: CHUNK.forwardTsn, flags: 0, body: uint32(4_000) })
  line.heard()
  runAssociationTimers(line.association, 1_000)
  expect(line.heard()[0].body.readUInt32BE(0)).toBe(5_001)
})

test('[DG23] what was not acknowledged for 500 ms is abandoned by FORWARD TSN, and nothing recent', () => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const random = createRandom(seed)
    const own = seed % 2 === 0 ? LAST - 100 : Math.floor(random() * LAST)
    const line = openLine(1, own)
    // By TSNs counted from DATA_CHANNEL_ACK, which is acknowledged.
    const sentAt = [0]
    const came = new Set([0])
    let [now, acknowledged, theirs] = [0, 0, 0]
    const isQuiet = (at: number) => Math.floor(at / 3_000) % 3 === 1
    for (let i = 0; i < 400; i++) {
      now += Math.floor(random() * 60)
      sendUserMessage(line.association, uint32(i), now)
      sentAt.push(now)
      const chunks = line.heard()
      const given = chunks.find(({ type }) => type === CHUNK.forwardTsn)
      const data = chunks.filter(({ type }) => type === CHUNK.data)
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
      line.take(now, sackOf(own + theirs))
      // An old one and one for what was never sent say nothing.
      if (random() < 0.2) line.take(now, sackOf(own), sackOf(own + i + 2))
    }
  }
})

test('[DG24] DATA_CHANNEL_ACK is retransmitted until it is acknowledged, and messages pass meanwhile', () => {
  for (const isByGap of [false, true]) {
    const own = LAST - 3
    const line = createLine(own)
    receivePacket(line.association, packetOf(0, initOf(TAG, 7)), 0)
    const body = cookieIn(line.heard()[0])
    line.take(0, { type: CHUNK.cookieEcho, flags: 0, body })
    expect(sendUserMessage(line.association, EMPTY, 0)).toBe(false)
    expect(line.heard().map(({ type }) => type)).toEqual([CHUNK.cookieAck])
    line.take(0, dataChannelOpenOf(7, 4))
    const isAnswer = ({ type, body: data }: Chunk) => type === CHUNK.data && data.readUInt32BE(8) === PPID.dcep
    const answers = () => line.heard().filter(isAnswer)
    expect(answers().map(({ body: data }) => [data.readUInt32BE(0), data.readUInt16BE(4)])).toEqual([[own, 4]])
    // Again and again, also among messages, and it is not given up with them.
    let told = 0
    for (let now = 20; now <= 4_000; now += 20) {
      if (now % 40 === 0) sendUserMessage(line.association, uint32(now), now)
      else runAssociationTimers(line.association, now)
      const chunks = line.heard()
      told += chunks.filter(isAnswer).length
      expect(chunks.filter(isAnswer).every(({ body: data }) => data.readUInt32BE(0) === own)).toBe(true)
      expect(chunks.some(({ type }) => type === CHUNK.forwardTsn)).toBe(false)
      if (now % 100 === 0) line.take(now, dataOf(7 + now / 100, uint32(now), { stream: 4 }))
    }
    expect(told).toBe(20)
    expect(line.delivered.length).toBe(40)
    line.take(4_000, isByGap ? sackOf(own - 1, [1, 1]) : sackOf(own))
    sendUserMessage(line.association, EMPTY, 5_000)
    runAssociationTimers(line.association, 9_000)
    expect(answers()).toEqual([])
  }
})

test('[DG24] a packet gets one reply at most: 300 HEARTBEATs are worth one', () => {
  const line = openLine(1)
  const heartbeats = Array.from(
    { length: 300 },
    (_, i): Chunk => ({ type: CHUNK.heartbeat, flags: 0, body: uint32(i) }),
  )
  line.take(0, ...heartbeats)
  expect(line.packets.length).toBe(1)
  expect(line.heard()).toEqual([{ type: CHUNK.heartbeatAck, flags: 0, body: uint32(0) }])
  line.take(0, heartbeats[5])
  expect(line.heard()).toEqual([{ type: CHUNK.heartbeatAck, flags: 0, body: uint32(5) }])
})

test('[DG24] ABORT, SHUTDOWN and a stream reset end it once; with a wrong verification tag or checksum they do not', () => {
  const streams = Buffer.concat([uint32((13 << 16) | 16), uint32(77), uint32(0), uint32(0)])
  const ends: [Chunk, Chunk | undefined][] = [
    [{ type: CHUNK.abort, flags: 0, body: EMPTY }, undefined],
    [
      { type: CHUNK.shutdown, flags: 0, body: uint32(1) },
      { type: CHUNK.shutdownAck, flags: 0, body: EMPTY },
    ],
    [
      { type: CHUNK.reConfig, flags: 0, body: streams },
      { type: CHUNK.reConfig, flags: 0, body: Buffer.concat([uint32((16 << 16) | 12), uint32(77), uint32(1)]) },
    ],
  ]
  for (const [end, answer] of ends) {
    const line = openLine(1)
    const { association } = line
    receivePacket(association, packetOf(association.myVerificationTag ^ 2, end), 0)
    const damaged = packetOf(association.myVerificationTag, end)
    damaged[8] ^= 1
    receivePacket(association, damaged, 0)
    expect([line.closed, line.packets.length]).toEqual([0, 0])
    line.take(0, end, end, dataOf(2, uint32(1)))
    expect([line.closed, line.heard(), line.delivered]).toEqual([1, answer === undefined ? [] : [answer], []])
    line.take(0, dataOf(2, uint32(1)), end)
    expect(sendUserMessage(association, EMPTY, 0)).toBe(false)
    runAssociationTimers(association, 9_999)
    abortAssociation(association)
    expect([line.closed, line.packets.length, line.delivered.length]).toEqual([1, 0, 0])
  }
})

test('[DG24] there is one channel: a second is not answered, and its messages are not handed on', () => {
  const line = openLine(1)
  line.take(0, dataChannelOpenOf(2, 6), dataOf(3, uint32(1), { stream: 6 }), dataOf(4, uint32(2)))
  expect(line.heard()).toEqual([])
  expect(line.delivered).toEqual([uint32(2)])
})

test('[DG24] strings and fragmented messages are handed on as nothing, once each', () => {
  const line = openLine(1)
  const flags = { begin: 6, middle: 4, end: 5 }
  line.take(
    0,
    dataOf(2, uint32(9), { flags: flags.begin }),
    dataOf(3, uint32(9), { flags: flags.middle }),
    dataOf(4, uint32(9), { flags: flags.end }),
    dataOf(5, uint32(9), { ppid: PPID.string }),
    dataOf(6, uint32(8)),
  )
  expect(line.delivered).toEqual([EMPTY, EMPTY, uint32(8)])
})

test('[DG24] nothing is taken before COOKIE ECHO, and an INIT changes nothing after it', () => {
  const line = createLine()
  const data = dataOf(7, uint32(1))
  receivePacket(line.association, packetOf(0, initOf(TAG, 7)), 0)
  const [{ body }] = line
    .heard()
    .map(cookieIn)
    .map((cookie) => ({ body: cookie }))
  const wrong = Buffer.from(body)
  wrong[31] ^= 1
  for (const cookie of [wrong, EMPTY, body.subarray(1)])
    line.take(0, { type: CHUNK.cookieEcho, flags: 0, body: cookie }, dataChannelOpenOf(7), data)
  expect([line.packets.length, line.delivered.length]).toEqual([0, 0])
  // COOKIE ACK may be lost: COOKIE ECHO comes again.
  for (let i = 0; i < 2; i++) {
    line.take(0, { type: CHUNK.cookieEcho, flags: 0, body })
    expect(line.heard().map(({ type }) => type)).toEqual([CHUNK.cookieAck])
  }
  receivePacket(line.association, packetOf(0, initOf(99, 1_000_000)), 0)
  expect(line.packets).toEqual([])
  line.take(0, dataChannelOpenOf(7), dataOf(8, uint32(1)))
  expect(line.packets[0].readUInt32BE(4)).toBe(TAG)
  expect(line.delivered).toEqual([uint32(1)])
})

test('[DG100] an INIT leaves nothing behind, and each of its State Cookies counts for a minute, with what that INIT said', () => {
  const inits = [initOf(TAG, 7), initOf(TAG + 1, 500_000)]
  const cookiesAt = (line: Line, now: number) =>
    inits.map((init) => {
      receivePacket(line.association, packetOf(0, init), now)
      return cookieIn(line.heard()[0])
    })
  const echo = (line: Line, body: Buffer, now: number) => line.take(now, { type: CHUNK.cookieEcho, flags: 0, body })
  const stateOf = ({ association }: Line) => {
    const { isEstablished, peerVerificationTag, peerRwnd, lastReceivedTsn } = association
    return { isEstablished, peerVerificationTag, peerRwnd, lastReceivedTsn }
  }
  for (const [which, first] of [7, 500_000].entries()) {
    for (const age of [0, 60_000, 60_001]) {
      const line = createLine()
      const untouched = stateOf(line)
      const cookies = cookiesAt(line, 1_000)
      expect(stateOf(line)).toEqual(untouched)
      for (let bit = 0; bit < 8 * cookies[which].length; bit++) {
        const wrong = Buffer.from(cookies[which])
        wrong[bit >> 3] ^= 1 << (bit & 7)
        echo(line, wrong, 1_000)
      }
      echo(line, cookiesAt(createLine(), 1_000)[which], 1_000)
      expect([stateOf(line), line.heard()]).toEqual([untouched, []])
      echo(line, cookies[which], 1_000 + age)
      if (age > 60_000) expect([stateOf(line), line.heard()]).toEqual([untouched, []])
      else {
        expect(stateOf(line)).toMatchObject({
          isEstablished: true,
          peerVerificationTag: TAG + which,
          peerRwnd: 1 << 17,
        })
        expect(line.packets.map((packet) => packet.readUInt32BE(4))).toEqual([TAG + which])
        // The cookie of the other INIT counts no more, and that of this one, however old, is answered again and changes nothing.
        line.take(1_000, dataOf(first, uint32(1)))
        const established = stateOf(line)
        line.packets.length = 0
        echo(line, cookies[1 - which], 1_000)
        expect(line.heard()).toEqual([])
        echo(line, cookies[which], 1_000_000)
        expect(line.heard().map(({ type }) => type)).toEqual([CHUNK.cookieAck])
        expect(stateOf(line)).toEqual(established)
      }
    }
  }
})

test('[DG75] an INIT that is not alone, or has a tag, streams or a window of 0, is passed over', () => {
  const init = initOf(TAG, 1_000)
  const changed = (at: number, bytes: number) => ({ ...init, body: Buffer.from(init.body).fill(0, at, at + bytes) })
  const padding = { type: 99, flags: 0, body: Buffer.alloc(0) }
  for (const chunks of [
    [init, padding],
    [padding, init],
    [init, init],
    [changed(0, 4)],
    [changed(4, 4)],
    [changed(8, 2)],
    [changed(10, 2)],
  ]) {
    const line = createLine()
    receivePacket(line.association, packetOf(0, ...chunks), 0)
    expect([line.packets, line.association.peerVerificationTag]).toEqual([[], 0])
  }
  const line = createLine()
  receivePacket(line.association, packetOf(0, init), 0)
  expect(line.heard().map(({ type }) => type)).toEqual([CHUNK.initAck])
})

test('[DG76] as many streams are advertised as may be the channel', () => {
  const line = createLine()
  receivePacket(line.association, packetOf(0, initOf(TAG, 1_000)), 0)
  const [{ body }] = line.heard()
  const [outbound, inbound] = [body.readUInt16BE(8), body.readUInt16BE(10)]
  expect([outbound, inbound]).toEqual([16, 16])
})

test('[DG77] no message is sent that the peer has no room for, but one, and again when it has', () => {
  const line = openLine(1_000)
  const sack = (cumulative: number, window: number) => {
    const chunk = sackOf(cumulative)
    chunk.body.writeUInt32BE(window, 4)
    return chunk
  }
  const send = (bytes: number, now: number) => sendUserMessage(line.association, Buffer.alloc(bytes), now)
  expect(send(500, 0)).toBe(true)
  const sent = (line.association.nextTsn - 1) >>> 0
  line.take(1, sack(sent, 100))
  expect([send(101, 2), send(100, 3)]).toEqual([true, true])
  // The first was the one that may be under way.
  expect([send(101, 4), send(101, 400)]).toEqual([false, false])
  // It was abandoned.
  expect([send(101, 600), send(101, 601)]).toEqual([true, false])
  line.take(602, sack((line.association.nextTsn - 1) >>> 0, 1 << 17))
  expect([send(1_100, 603), send(1_100, 604)]).toEqual([true, true])
  // An older SACK does not close it again.
  line.take(605, sack(sent, 0))
  expect(send(1_100, 606)).toBe(true)
})
