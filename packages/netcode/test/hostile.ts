/**
 * Hostile messages by a seed, for the fuzzers.
 *
 * Random bytes stop at the first check. So most messages here are valid ones of a client or host that follows the match, and
 * then one thing about them is wrong: a byte, the length, the order, a number at its limit. The rest of the decoder is
 * reached that way, and whatever stands behind it.
 */

import type { AnyGame } from 'hurtbox/tools'
import { createByteWriter, idleCodes, takeBytes, writeByte, writeVarint } from 'hurtbox/wire'
import type { Host, Peer } from '../src/host/index.ts'
import { MESSAGES, writeMessage } from '../src/index.ts'

/** Whole numbers from 0 to below `limit`, by a seed. */
export type Chance = (limit: number) => number

export function createChance(seed: number): Chance {
  let state = seed >>> 0
  return (limit) => {
    // Mulberry32: small, and its low bits are as good as its high ones.
    state = (state + 0x6d2b79f5) >>> 0
    let word = Math.imul(state ^ (state >>> 15), state | 1)
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61)
    return ((word ^ (word >>> 14)) >>> 0) % limit
  }
}

const pick = <T>(chance: Chance, list: readonly T[]): T => list[chance(list.length)]

/** Bytes that often decide something: ends of ranges, and those with which a number goes on. */
const BYTES = [0, 1, 2, 3, 0x0f, 0x7f, 0x80, 0x81, 0xff]

export function randomBytes(chance: Chance, longest: number): Uint8Array {
  return Uint8Array.from({ length: chance(longest) }, () => chance(256))
}

/** A message with one to four things wrong. `others` are messages of which parts can be put into it. */
export function mutate(chance: Chance, message: Uint8Array, others: readonly Uint8Array[]): Uint8Array {
  let bytes: Uint8Array = message.slice()
  for (let change = chance(4); change >= 0; change--) {
    const at = chance(Math.max(bytes.length, 1))
    switch (chance(7)) {
      case 0:
        bytes[at] ^= 1 << chance(8)
        break
      case 1:
        bytes[at] = pick(chance, BYTES)
        break
      case 2:
        bytes[at] = chance(256)
        break
      case 3:
        bytes = bytes.slice(0, at)
        break
      case 4:
        bytes = Uint8Array.of(...bytes.subarray(0, at), pick(chance, BYTES), ...bytes.subarray(at))
        break
      case 5:
        bytes = Uint8Array.of(...bytes.subarray(0, at), ...bytes.subarray(at + 1 + chance(4)))
        break
      default: {
        const other = others.length > 0 ? pick(chance, others) : bytes
        bytes = Uint8Array.of(...bytes.subarray(0, at), ...other.subarray(chance(Math.max(other.length, 1))))
      }
    }
  }
  return bytes
}

/** A client that speaks the protocol and means harm. */
export type HostileClient = {
  readonly game: AnyGame
  readonly host: Host
  readonly peer: Peer
  readonly chance: Chance
  readonly idle: Uint32Array
  sequence: number
  tick: number
  /** Its last packets, to send again. */
  readonly sent: Uint8Array[]
}

export function createHostileClient(game: AnyGame, host: Host, peer: Peer, seed: number): HostileClient {
  const idle = idleCodes(game.input)
  return { game, host, peer, chance: createChance(seed), idle, sequence: 0, tick: 0, sent: [] }
}

export const ATTACKS = ['valid', 'mutated', 'hostile values', 'again', 'requests', 'random bytes'] as const

/** The next message, and what sort of attack it is. */
export function nextAttack(client: HostileClient): {
  readonly attack: (typeof ATTACKS)[number]
  readonly message: Uint8Array
} {
  const { chance, sent } = client
  const roll = chance(100)
  if (roll < 40) return { attack: 'valid', message: validPacket(client) }
  if (roll < 65) return { attack: 'mutated', message: mutate(chance, validPacket(client), sent) }
  if (roll < 82) return { attack: 'hostile values', message: hostilePacket(client) }
  if (roll < 88 && sent.length > 0) return { attack: 'again', message: pick(chance, sent) }
  if (roll < 94) return { attack: 'requests', message: request(chance) }
  return { attack: 'random bytes', message: randomBytes(chance, pick(chance, [4, 64, 5000])) }
}

/** What an honest client could send: the input of the next tick, or what it sent before if it is far ahead of the host. */
function validPacket(client: HostileClient): Uint8Array {
  const { chance, host, sent } = client
  if (client.tick > host.world.tick + 20 && sent.length > 0) return sent[sent.length - 1]
  const count = 1 + (chance(4) === 0 ? chance(3) : 0)
  const first = Math.max(client.tick + 1, host.world.tick - 2 + chance(4))
  const inputs = Array.from({ length: count }, (_, i) => ({
    sequence: client.sequence + 1 + i,
    tick: first + i,
    codes: randomCodes(client),
  }))
  client.sequence += count
  client.tick = first + count - 1
  const received = Math.max(0, host.world.tick - chance(20))
  return packet(client, { nonce: host.nonce, received, seenAgo: chance(400), inputs })
}

/** Well-formed, with numbers that no honest client has. */
function hostilePacket(client: HostileClient): Uint8Array {
  const { chance, host } = client
  const far = [0, 1, 2, host.world.tick, host.world.tick + 127, host.world.tick + 128, 0x7fffffff, 0xffffffe0]
  const count = pick(chance, [0, 1, 2, 31, 32])
  const sequence = pick(chance, [
    1,
    client.sequence,
    client.sequence + 1,
    client.sequence + 1000,
    0x7fffffff,
    0xffffffc0,
  ])
  const tick = pick(chance, far)
  const step = pick(chance, [1, 1, 2, 50])
  const inputs = Array.from({ length: count }, (_, i) => ({
    sequence: sequence + i,
    tick: tick + i * step,
    codes: randomCodes(client),
  }))
  const nonce = chance(8) === 0 ? chance(2 ** 32) : host.nonce
  return packet(client, { nonce, received: pick(chance, far), seenAgo: pick(chance, [0, 1, 0xffff]), inputs })
}

function packet(client: HostileClient, content: Parameters<typeof MESSAGES.inputs.write>[1]): Uint8Array {
  const writer = createByteWriter()
  writeMessage(writer, MESSAGES.inputs, content, { layout: client.game.input, idle: client.idle })
  const bytes = takeBytes(writer)
  if (client.sent.push(bytes) > 16) client.sent.shift()
  return bytes
}

/** Codes in their range, often at its ends. */
function randomCodes({ chance, game }: HostileClient): Uint32Array {
  return Uint32Array.from(game.input.fields, ({ largestCode }: { largestCode: number }) =>
    Math.min(pick(chance, [0, 1, largestCode >>> 1, largestCode, chance(largestCode + 1)]), largestCode),
  )
}

/** A way of any length, from any tick: what a host must not step through for everybody who asks. */
function hostileWay(chance: Chance): Uint8Array {
  const writer = createByteWriter()
  writeByte(writer, MESSAGES.desync.kind)
  writeVarint(writer, pick(chance, [0, chance(300), chance(30_000), 0xffffffff]))
  const count = pick(chance, [0, 1, chance(64), 700, 701])
  writeVarint(writer, count)
  for (let i = 0; i < Math.min(count, 700); i++) writeVarint(writer, chance(0x7fffffff))
  return takeBytes(writer)
}

/** Requests for the state, and reports of differences, with any text. */
function request(chance: Chance): Uint8Array {
  if (chance(3) === 0) return hostileWay(chance)
  const writer = createByteWriter()
  const text = randomBytes(chance, pick(chance, [8, 300, 600]))
  writeByte(writer, MESSAGES.difference.kind)
  writeVarint(writer, text.length)
  for (const byte of text) writeByte(writer, byte)
  return takeBytes(writer)
}
