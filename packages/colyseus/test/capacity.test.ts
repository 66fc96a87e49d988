/** Rooms with space for less than the game declares: the same match, and everybody knows how much there is. */

import { helloOf, MESSAGES, readMessage, writeMessage } from '@hurtbox/netcode'
import { createMirror, createTerminal, receiveAtMirror } from '@hurtbox/netcode/client'
import { addPeer, createHost, finishHost, type Host, stepHost, takeReplay } from '@hurtbox/netcode/host'
import { hashWorld } from 'hurtbox'
import { defineModule, readModule } from 'hurtbox/module'
import { fingerprint, loadReplay, sessionFromReplay, verifyReplay } from 'hurtbox/replay'
import { type Capacity, capacityOf, declaredGame, withCapacity, worldBytes } from 'hurtbox/tools'
import { createByteWriter, takeBytes } from 'hurtbox/wire'
import { expect, test } from 'vitest'
import { RATE, tag, whimsical } from '../../netcode/test/support.ts'
import { roomConfigOf } from '../src/room/config.ts'

const TICKS = 400
const setup = { seed: 21, bots: [whimsical], fill: 6, hashEvery: 1 } as const

function play(host: Host, ticks = TICKS, afterTick: () => void = () => {}): Uint8Array {
  const pieces: Uint8Array[] = []
  for (let i = 0; i < ticks; i++) {
    stepHost(host)
    pieces.push(...takeReplay(host))
    afterTick()
  }
  finishHost(host)
  return Buffer.concat([...pieces, ...takeReplay(host)])
}

test('[RM39] a world with smaller capacities plays the same match, in less memory and under another fingerprint', () => {
  const small = withCapacity(tag, { things: 64, events: 32, tables: { poses: 12 } })
  const [host, declared] = [createHost(small, setup), createHost(tag, setup)]
  for (let i = 0; i < TICKS; i++) {
    for (const each of [host, declared]) stepHost(each)
    expect(hashWorld(host.world), `tick ${i}`).toBe(hashWorld(declared.world))
  }
  expect(host.world.tables.things.count).toBeGreaterThan(6)
  expect(worldBytes(small)).toBeLessThan(worldBytes(tag) / 2)
  expect(fingerprint(small).hash).not.toBe(fingerprint(tag).hash)
  expect(withCapacity(tag, { ...capacityOf(small) })).toBe(small)
  expect(declaredGame(small)).toBe(tag)
  expect(withCapacity(small, {})).toBe(tag)
})

test('[RM39] clients join with the game as declared, are told the capacities, and follow also when a table is full', () => {
  // Six runners and hardly a dart.
  const small = withCapacity(tag, { things: 7 })
  const host = createHost(small, setup)
  expect(helloOf(small)).toEqual(helloOf(tag))
  const peer = addPeer(host, 0, 'mirror')
  const mirror = createMirror(tag, peer.outbox.shift()!, 0)
  expect(mirror.world.tables.things.capacity).toBe(7)
  const watching = addPeer(host, 1, 'terminal')
  expect(createTerminal(tag, watching.outbox.shift()!).after.tables.things.capacity).toBe(7)
  play(host, TICKS, () => {
    for (const bytes of peer.outbox.splice(0)) receiveAtMirror(mirror, bytes, (host.world.tick * 1000) / RATE)
    watching.outbox.length = 0
  })
  expect(host.world.tables.things.refused, 'the table was full').toBeGreaterThan(0)
  expect(mirror.stats.hashChecks).toBeGreaterThan(TICKS / 2)
  expect(mirror.stats).toMatchObject({ mismatches: 0, malformed: 0 })
})

test('[RM39] a welcome with capacities that make no sense is none', () => {
  const nonsense: unknown[] = [
    { things: 0 },
    { things: 257 },
    { things: 1.5 },
    { tables: { nothing: 4 } },
    { more: 1 },
    7,
    null,
  ]
  for (const capacity of nonsense) {
    const writer = createByteWriter()
    const match = { seed: 0, options: {}, tuning: {} }
    const welcome = {
      nonce: 1,
      mode: 'mirror',
      seat: 0,
      game: tag,
      setup: match,
      terminal: {},
      tracked: false,
      seatSeconds: 60,
      state: undefined,
    } as const
    writeMessage(writer, MESSAGES.welcome, welcome, tag)
    const text = Buffer.from(takeBytes(writer)).toString('latin1')
    expect(readMessage(Buffer.from(text, 'latin1'), MESSAGES.welcome, tag)).toBeDefined()
    const json = JSON.stringify(match)
    const changed = JSON.stringify({ ...match, capacity })
    const bytes = text.replace(
      `${String.fromCharCode(json.length)}${json}`,
      `${String.fromCharCode(changed.length)}${changed}`,
    )
    expect(bytes.length).toBeGreaterThan(text.length)
    expect(readMessage(Buffer.from(bytes, 'latin1'), MESSAGES.welcome, tag), changed).toBeUndefined()
  }
})

test('[RM39] a replay carries the capacities: it can be read with the game alone, and plays as recorded', () => {
  const small = withCapacity(tag, { things: 7, events: 2, tables: { poses: 12 } })
  const host = createHost(small, setup)
  const replay = loadReplay(tag, play(host))
  expect(replay).toMatchObject({ complete: true, problems: [], ticks: TICKS, game: small })
  expect(verifyReplay(tag, replay)).toMatchObject({ ok: true, hash: hashWorld(host.world) })
  expect(sessionFromReplay(tag, replay).world.tables.things.capacity).toBe(7)
  expect(host.world.tables.things.refused, 'with more space it would go another way').toBeGreaterThan(0)
  // And that of a room with all of its space is read by a room with less.
  expect(loadReplay(small, play(createHost(tag, setup))).game).toBe(tag)
})

test('[RM39] the module of a game says how much its rooms have; more than declared, or of what, is refused in words', () => {
  const roomOf = (capacity: Capacity) =>
    roomConfigOf(readModule({ default: defineModule({ game: tag, room: { capacity } }) }, 'tag')).game
  expect(roomOf({ things: 32 }).declaration).toMatchObject({ capacity: 32, id: 'tag' })
  expect(roomOf({})).toBe(tag)
  expect(() => roomOf({ things: 300 })).toThrow('the capacity of things must be a whole number from 1 to 256, got 300.')
  expect(() => roomOf({ hits: 8 })).toThrow(/There is no table of tag "hits"/)
  expect(() => roomOf({ events: 0 })).toThrow(/the capacity of events must be a whole number from 1 to 1024, got 0/)
  expect(() => roomOf({ tables: { pose: 8 } })).toThrow(/There is no table of tag "pose". Known: poses, /)
  expect(() => roomOf({ thing: 8 } as Capacity)).toThrow(/thing/)
})
