/** Bytes from strangers: whatever they are, decoders give an answer and never throw. */

import fc from 'fast-check'
import { HurtboxError, hashWorld } from 'hurtbox'
import {
  createByteReader,
  createByteWriter,
  idleCodes,
  isWholeRead,
  readByte,
  readChanges,
  readFloat,
  readSigned,
  readVarint,
  takeBytes,
  writeByte,
  writeFloat,
  writeSigned,
  writeVarint,
} from 'hurtbox/wire'
import { expect, test } from 'vitest'
import { connect } from '../../colyseus/src/client/index.ts'
import { createMirror, createTerminal, receiveAtMirror, receiveAtTerminal } from '../src/client/index.ts'
import { addPeer, createHost, receive, stepHost } from '../src/host/index.ts'
import { MESSAGES, type Message, readMessage, SPECTATOR, writeMessage } from '../src/index.ts'
import { tag, whimsical } from './support.ts'

const CODING = { layout: tag.input, idle: idleCodes(tag.input) }
const RUNS = process.env.HURTBOX_LONG ? 1_000_000 : 20_000

test('[NC1] numbers arrive as they were sent', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.integer(), fc.nat(), fc.double({ noNaN: true, noDefaultInfinity: true }))),
      (numbers) => {
        const writer = createByteWriter(1)
        for (const number of numbers) {
          writeVarint(writer, number >>> 0)
          writeSigned(writer, number | 0)
          writeFloat(writer, number)
        }
        const reader = createByteReader(takeBytes(writer))
        for (const number of numbers) {
          expect(readVarint(reader)).toBe(number >>> 0)
          expect(readSigned(reader)).toBe(number | 0)
          expect(readFloat(reader)).toBe(number)
        }
        expect(isWholeRead(reader)).toBe(true)
      },
    ),
    { seed: 1 },
  )
})

test('[NC1] a number that is too long, no number, or cut off makes the reader bad, and everything after it 0', () => {
  for (const bytes of [[0xff, 0xff, 0xff, 0xff, 0xff], [0xff, 0xff, 0xff, 0xff, 0x10], [0x81, 0], [0x80], []]) {
    const reader = createByteReader(Uint8Array.from(bytes))
    expect(readVarint(reader)).toBe(0)
    expect([reader.problem === undefined, readByte(reader), readFloat(reader)]).toEqual([false, 0, 0])
  }
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
    const writer = createByteWriter()
    writeFloat(writer, value)
    const reader = createByteReader(takeBytes(writer))
    expect([readFloat(reader), reader.problem === undefined]).toEqual([0, false])
  }
})

test('[NC2] an input packet arrives as it was sent, and no other bytes are taken for one that is out of range', () => {
  const codes = fc.tuple(
    ...tag.input.fields.map(({ largestCode }) => fc.integer({ min: 0, max: Math.min(largestCode, 1000) })),
  )
  const packets = fc.record({
    nonce: fc.nat(0xffffffff),
    received: fc.nat(1e6),
    seenAgo: fc.nat(0xffff),
    first: fc.integer({ min: 1, max: 1e6 }),
    inputs: fc.array(fc.tuple(fc.integer({ min: 1, max: 50 }), codes), { maxLength: 32 }),
  })
  fc.assert(
    fc.property(packets, ({ nonce, received, seenAgo, first, inputs }) => {
      let tick = 100
      const sent = inputs.map(([gap, fields], i) => ({
        sequence: first + i,
        tick: (tick += gap),
        codes: Uint32Array.from(fields),
      }))
      const packet = { nonce, received, seenAgo, inputs: sent }
      const writer = createByteWriter()
      writeMessage(writer, MESSAGES.inputs, packet, CODING)
      const bytes = takeBytes(writer)
      expect(readMessage(bytes, MESSAGES.inputs, CODING)).toEqual(packet)
      // One byte more or less is no packet.
      for (const wrong of [bytes.subarray(0, -1), Uint8Array.from([...bytes, 0])]) {
        expect(readMessage(wrong, MESSAGES.inputs, CODING)).toBeUndefined()
      }
    }),
    { seed: 2, numRuns: 300 },
  )
})

test('[NC2] every other message arrives as it was sent, has a number of its own, and cut off it is none', () => {
  const kinds = Object.values(MESSAGES).map(({ kind }) => kind)
  expect(new Set(kinds).size).toBe(kinds.length)
  const full = {
    held: Uint32Array.from({ length: 8 * CODING.idle.length }, (_, i) => i % 2),
    snapshot: Uint8Array.of(1, 2, 3),
  }
  const setup = { seed: 5, options: {}, tuning: {} }
  const arrives = <Content, Needs extends readonly unknown[]>(
    message: Message<Content, Needs>,
    content: Content,
    ...needs: Needs
  ) => {
    const writer = createByteWriter()
    writeMessage(writer, message, content, ...needs)
    const bytes = takeBytes(writer)
    expect(bytes[0]).toBe(message.kind)
    expect(readMessage(bytes, message, ...needs)).toEqual(content)
    for (let length = 0; length < bytes.length; length++) {
      expect(readMessage(bytes.subarray(0, length), message, ...needs), `${length} bytes`).toBeUndefined()
    }
    expect(readMessage(Uint8Array.of(99, ...bytes.subarray(1)), message, ...needs)).toBeUndefined()
  }
  arrives(MESSAGES.desync, { from: 0, hashes: [] })
  arrives(MESSAGES.desync, { from: 1234, hashes: [0, 1, 0xffffffff] })
  arrives(MESSAGES.blamed, { tick: 1234, phase: 'drift', snapshot: Uint8Array.of(1, 2, 3) })
  arrives(MESSAGES.difference, 'things id 3 x: 1 → 2')
  const about = { nonce: 7, mode: 'mirror', seat: 2, game: tag, setup, terminal: {}, state: full } as const
  for (const tracked of [true, false]) arrives(MESSAGES.welcome, { ...about, tracked, seatSeconds: 90 }, tag)
  const frame = { atMs: 16.5, received: 300, before: 311, after: 312, shown: 312.25, inputsUpTo: 313 }
  arrives(MESSAGES.screens, { first: 12, frames: [frame, { ...frame, atMs: 33.25, received: 302 }], hash: 0xffffffff })
  arrives(MESSAGES.ticks, { from: 300, count: 20, acknowledged: 12, slack: -3 })
  arrives(MESSAGES.state, { tick: 300, full }, tag)
  arrives(MESSAGES.frame, { tick: 300, clock: 250, paused: true, distance: 6, acknowledged: 12, slack: 4 })
})

test('[NC2] a bit for a field that the game does not have is no input', () => {
  const spare = tag.input.fields.length
  for (const mask of [0, 1 << spare, 1 << 7]) {
    const reader = createByteReader(Uint8Array.of(mask))
    readChanges(reader, tag.input, new Uint32Array(spare), 0)
    expect(reader.problem === undefined, `mask ${mask}`).toBe(mask === 0)
  }
})

/** Random bytes, and good messages with some bytes changed: those get further. */
function* garbage(good: readonly Uint8Array[], runs: number, seed: number): Generator<Uint8Array> {
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state >>> 8
  }
  for (let run = 0; run < runs; run++) {
    if (run % 3 === 0) {
      yield Uint8Array.from({ length: next() % 64 }, () => next() & 255)
      continue
    }
    const message = good[next() % good.length].slice()
    for (let change = next() % 4; change >= 0; change--) message[next() % message.length] = next() & 255
    yield run % 3 === 1 ? message : message.subarray(0, next() % (message.length + 1))
  }
}

test(`[NC3] ${RUNS} messages of nonsense reach the host: none throws, and the match goes on as without them`, () => {
  const clean = createHost(tag, { seed: 3, bots: [whimsical], fill: 4, nonce: 9 })
  const dirty = createHost(tag, { seed: 3, bots: [whimsical], fill: 4, nonce: 9 })
  // One watches and one plays; what the player's nonsense could mean is not known, so it has another nonce.
  const watcher = addPeer(dirty, SPECTATOR, 'terminal')
  const writer = createByteWriter()
  const input = { sequence: 1, tick: 5, codes: idleCodes(tag.input) }
  writeMessage(writer, MESSAGES.inputs, { nonce: 8, received: 0, seenAgo: 0, inputs: [input] }, CODING)
  const good = [
    takeBytes(writer),
    Uint8Array.of(MESSAGES.desync.kind, 0, 0),
    Uint8Array.of(MESSAGES.difference.kind, 2, 65, 66),
  ]
  let run = 0
  for (const message of garbage(good, RUNS, 4)) {
    receive(dirty, watcher, message)
    if (++run % 100 !== 0) continue
    stepHost(clean)
    stepHost(dirty)
    watcher.outbox.length = 0
  }
  expect(dirty.status).toBe('running')
  expect(watcher.counts.malformed).toBeGreaterThan(RUNS / 4)
  expect(hashWorld(dirty.world)).toBe(hashWorld(clean.world))
})

test(`[NC3] nonsense with the right nonce moves a seat at most as its inputs can: every number stays finite`, () => {
  const host = createHost(tag, { seed: 3, bots: [whimsical], fill: 4, nonce: 9 })
  const peer = addPeer(host, 0, 'terminal')
  const writer = createByteWriter()
  const good: Uint8Array[] = []
  for (let i = 1; i < 40; i++) {
    const inputs = [{ sequence: i, tick: 2 * i, codes: Uint32Array.of(i, 2 * i, i & 1, i & 3, i) }]
    writeMessage(writer, MESSAGES.inputs, { nonce: 9, received: i, seenAgo: i, inputs }, CODING)
    good.push(takeBytes(writer))
  }
  let run = 0
  for (const message of garbage(good, RUNS / 2, 5)) {
    receive(host, peer, message)
    if (++run % 100 !== 0) continue
    stepHost(host)
    peer.outbox.length = 0
    hashWorld(host.world)
  }
  expect(host.status).toBe('running')
  expect(peer.counts.accepted).toBeGreaterThan(10)
})

test('[NC4] nonsense does not hurt clients: they count it and go on', () => {
  const host = createHost(tag, { seed: 6, bots: [whimsical], fill: 8, hashEvery: 4 })
  const [first, second] = [addPeer(host, 0, 'mirror'), addPeer(host, 1, 'terminal')]
  const mirror = createMirror(tag, first.outbox.shift()!, 0)
  const terminal = createTerminal(tag, second.outbox.shift()!)
  const seen: Uint8Array[] = [Uint8Array.of(MESSAGES.state.kind, 1, 2, 3)]
  for (let tick = 0; tick < 200; tick++) {
    stepHost(host)
    const [ticks, frames] = [first.outbox.splice(0), second.outbox.splice(0)]
    for (const message of ticks) receiveAtMirror(mirror, message, tick * 20)
    for (const message of frames) receiveAtTerminal(terminal, message, tick * 20)
    seen.push(...ticks, ...frames)
    // Only what cannot be taken for a message of the host: cut off, so that it never ends well.
    for (const message of garbage(seen.slice(-4), 6, tick)) {
      const cut = message.subarray(0, Math.min(message.length, 4))
      receiveAtMirror(mirror, cut, tick * 20)
      receiveAtTerminal(terminal, cut, tick * 20)
    }
  }
  expect(mirror.stats.malformed).toBeGreaterThan(100)
  expect(terminal.stats.malformed).toBeGreaterThan(100)
  expect(mirror.stats.mismatches).toBe(0)
  expect(hashWorld(mirror.confirmed)).toBe(hashWorld(host.world))
  expect(terminal.frames.at(-1)!.tick).toBe(200 - (200 % terminal.scheme.every))
})

/** A terminal, and the first frame it is sent but for its end: the number of blocks of events, which is 0. */
function frameWithoutEvents(events: readonly string[] | undefined) {
  const host = createHost(tag, { seed: 6, terminal: { every: 1, ...(events && { events }) } })
  const peer = addPeer(host, 0, 'terminal')
  const terminal = createTerminal(tag, peer.outbox.shift()!)
  stepHost(host)
  const frame = peer.outbox.shift()!
  expect(frame.at(-1)).toBe(0)
  /** The same frame with one block of events: `count` times these bytes. */
  const withEvents = (event: readonly number[], count: number) => {
    const writer = createByteWriter()
    for (const byte of frame.subarray(0, -1)) writeByte(writer, byte)
    writeVarint(writer, 1)
    writeVarint(writer, 0)
    writeVarint(writer, event.length * count)
    for (let i = 0; i < count; i++) for (const byte of event) writeByte(writer, byte)
    return takeBytes(writer)
  }
  return { terminal, withEvents }
}

test('[NC53] an event in a game that has none is nonsense like any other', () => {
  const { terminal, withEvents } = frameWithoutEvents([])
  receiveAtTerminal(terminal, withEvents([0, 0], 1), 0)
  expect([terminal.stats.malformed, terminal.frames.length]).toEqual([1, 0])
  receiveAtTerminal(terminal, withEvents([0, 0], 0), 0)
  expect(terminal.frames).toHaveLength(1)
})

test('[NC53] 300,000 events in one frame: the newest are kept', () => {
  const { terminal, withEvents } = frameWithoutEvents(undefined)
  receiveAtTerminal(terminal, withEvents([0, 0, 2, 4], 300_000), 0)
  expect(terminal.frames).toHaveLength(1)
  expect(terminal.inside.events).toHaveLength(4096)
  expect(terminal.inside.events.at(-1)).toMatchObject({ kind: 'thrown', n: 299_999, thrower: 1, dart: 2 })
})

test('[NC53] a welcome with settings that make no sense is refused with an error of ours', () => {
  const nonsense: unknown[] = [
    ...['hide', 'show', 'arrays', 'derive', 'events'].flatMap((name) =>
      [5, {}, 'x', null, [5], [null], [['x']]].map((value) => ({ [name]: value })),
    ),
    ...[0, -1, 1.5, '2', 1e300, {}, null].map((every) => ({ every })),
    ...[5, [], null, { 'things.x': 0 }, { 'things.x': -1 }, { 'things.x': 'x' }, { 'things.x': null }].map((steps) => ({
      steps,
    })),
    { events: ['nothing'] },
    { arrays: ['nothing'] },
    5,
    [],
    null,
  ]
  for (const terminal of nonsense) {
    const writer = createByteWriter()
    const setup = { seed: 0, options: {}, tuning: {} }
    const welcome = {
      nonce: 1,
      mode: 'terminal',
      seat: 0,
      game: tag,
      setup,
      terminal: terminal as never,
      tracked: false,
      seatSeconds: 60,
      state: undefined,
    } as const
    writeMessage(writer, MESSAGES.welcome, welcome, tag)
    expect(() => createTerminal(tag, takeBytes(writer)), JSON.stringify(terminal)).toThrow(HurtboxError)
  }
})

test('[NC53] a client that gets such a welcome rejects the promise of the match, and throws nothing', async () => {
  let receive: (bytes: Uint8Array) => void = () => {}
  const room = {
    reconnection: {},
    onMessage: (_type: number, listener: typeof receive) => {
      receive = listener
    },
    onDrop: () => {},
    onLeave: () => {},
    onStateChange: () => {},
  }
  const connection = connect(tag, room as never)
  const writer = createByteWriter()
  const setup = { seed: 0, options: {}, tuning: { nothing: 5 } }
  const welcome = {
    nonce: 1,
    mode: 'terminal',
    seat: 0,
    game: tag,
    setup,
    terminal: {},
    tracked: false,
    seatSeconds: 60,
    state: undefined,
  } as const
  writeMessage(writer, MESSAGES.welcome, welcome, tag)
  expect(() => receive(takeBytes(writer))).not.toThrow()
  await expect(connection.whenPlaying()).rejects.toThrow(HurtboxError)
  expect([connection.status, connection.terminal]).toEqual(['joining', undefined])
})
