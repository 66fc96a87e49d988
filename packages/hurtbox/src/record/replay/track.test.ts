import { expect, test } from 'vitest'
import { purposeOf, randomAt } from '../../geometry/math/index.ts'
import { createArena } from './fixtures/arena.ts'
import {
  createTrackWriter,
  drainTrack,
  loadReplay,
  readTrack,
  type TrackedClient,
  type TrackedPacket,
  trackClient,
  trackPacket,
} from './index.ts'

const game = createArena()
const setup = { seed: 3, options: {}, tuning: {} }
const PURPOSE = purposeOf('track')
const SETTINGS = { every: 2, hide: ['things.hp'] }

/** Packets with everything that can be in one, from a seed. */
function makePackets(seed: number, count: number): TrackedPacket[] {
  let draws = 0
  const below = (limit: number) => randomAt(seed, draws++, 0, 0, PURPOSE) % limit
  const { fields } = game.input
  let [atMs, tick] = [0, 0]
  return Array.from({ length: count }, () => {
    atMs += below(40)
    tick += below(3)
    const first = 1 + below(5000)
    let meantFor = tick + below(10)
    return {
      seat: below(game.declaration.seats.max),
      mode: below(2) === 0 ? 'mirror' : 'terminal',
      atMs,
      tick,
      received: below(tick + 1),
      seenAgo: below(1 << 16),
      inputs: Array.from({ length: below(4) }, (_, i) => {
        meantFor += 1 + below(3)
        const codes = Uint32Array.from(fields, ({ largestCode }) => below(Math.min(largestCode, 2 ** 31) + 1))
        return { sequence: first + i, tick: meantFor, codes }
      }),
    } satisfies TrackedPacket
  })
}

/** Clients that come, report and go, from a seed. */
function makeClients(seed: number, count: number): TrackedClient[] {
  let draws = 0
  const below = (limit: number) => randomAt(seed, draws++, 1, 0, PURPOSE) % limit
  return Array.from({ length: count }, () => {
    const [seat, tick] = [below(2) === 0 ? 255 : below(4), below(9000)]
    if (below(3) > 0) return { seat, tick, what: (['went', 'mirror came', 'terminal came'] as const)[below(3)] }
    const frames = Array.from({ length: below(6) }, (_, i) => {
      const before = below(9000)
      const after = before + below(4)
      const shown = after + (below(4096) - 2048) / 1024
      const atMs = i * 1000 + below(64_000) / 64
      return { atMs, received: below(9000), before, after, shown: Math.max(shown, 0), inputsUpTo: after + below(9) }
    })
    return {
      seat,
      tick,
      what: 'screens',
      screens: { first: below(1e6), frames, hash: randomAt(seed, draws++, 2, 0, PURPOSE) },
    }
  })
}

/** The track of these packets, drained now and then, and how many packets each length of it has. */
function write(
  packets: readonly TrackedPacket[],
  clients: readonly TrackedClient[] = [],
): { bytes: Uint8Array; ends: { length: number; count: number }[] } {
  const writer = createTrackWriter({ game, setup }, SETTINGS)
  const pieces = [drainTrack(writer)]
  const ends = [{ length: pieces[0].length, count: 0 }]
  packets.forEach((packet, i) => {
    trackPacket(writer, packet)
    if (clients[i] !== undefined) trackClient(writer, clients[i])
    if (i % 7 !== 6) return
    pieces.push(drainTrack(writer))
    ends.push({ length: ends.at(-1)!.length + pieces.at(-1)!.length, count: i + 1 })
  })
  pieces.push(drainTrack(writer), drainTrack(writer))
  return { bytes: new Uint8Array(Buffer.concat(pieces)), ends }
}

test('[ML20] a track gives back what was sent, when it came and what its sender had', () => {
  for (let seed = 1; seed <= 40; seed++) {
    const packets = makePackets(seed, seed)
    const clients = makeClients(seed, seed - 1)
    const track = readTrack(game, write(packets, clients).bytes)
    expect(track, `seed ${seed}`).toEqual({ packets, clients, terminal: SETTINGS, problem: undefined })
  }
})

test('[ML20] of a track that was cut off or damaged the packets before are read, and the rest is named', () => {
  const packets = makePackets(5, 30)
  const { bytes, ends } = write(packets)
  const [{ length: headLength }] = ends
  for (let length = headLength; length < bytes.length; length += 2) {
    const { count } = ends.findLast((end) => end.length <= length)!
    const track = readTrack(game, bytes.subarray(0, length))
    expect(track.packets, `${length} bytes`).toEqual(packets.slice(0, count))
    expect(track.problem === undefined).toBe(ends.some((end) => end.length === length))
    const damaged = bytes.slice()
    damaged[length] ^= 1
    const { packets: good, problem } = readTrack(game, damaged)
    expect([good, problem], `byte ${length} flipped`).toEqual([
      packets.slice(0, count),
      expect.stringMatching(/track|chunk/),
    ])
  }
})

test('[ML20] a track of another game, and one that is given for a replay, are refused with a reason', () => {
  const { bytes } = write(makePackets(1, 10))
  const other = createArena({ speed: 9 })
  expect(() => readTrack(other, bytes)).toThrow(/another build/)
  expect(() => loadReplay(game, bytes)).toThrow(/nothing of the match can be read/)
  expect(() => readTrack(game, bytes.subarray(1))).toThrow(/not a Hurtbox replay/)
})
