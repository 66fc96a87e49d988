/**
 * Hashes of the state, for files and peers.
 *
 * Raw bits in block order, live rows only, so that even two swapped values show. NaN and infinities must never enter
 * the state (their bits differ between engines and they spread), and the pass that hashes a number is the cheapest
 * place to notice: the hash throws and names the value.
 */

import { HurtboxError } from '../base/errors.ts'
import { finish } from '../geometry/math/mix.ts'
import { columnType } from './columns.ts'
import { liveRows, NO_TABLE, type Region, regionName } from './layout.ts'
import type { StateWorld } from './memory.ts'

/**
 * The hash of the whole state: 16 hexadecimal digits. Throws when a number in the state is not finite.
 *
 * @example
 * ```ts
 * import { createWorld, declareGame, defineGame, hashWorld, spawn } from 'hurtbox'
 *
 * const arena = declareGame({ id: 'arena', tickRate: 60, layers: { slime: [] } })
 * const game = defineGame(arena, { setup: (world) => void spawn(world, 'slime', { x: 3 }), phases: {} })
 * console.log(hashWorld(createWorld(game)) === hashWorld(createWorld(game))) // true
 * ```
 */
export function hashWorld(world: StateWorld): string {
  startHash()
  hashHeader(world)
  for (let i = 0; i < world.memory.layout.regions.length; i++) hashRegion(world, i)
  return finishHash()
}

/** A hash per table, and one for all arrays: shows which part of two worlds differs. */
export function hashTables(world: StateWorld): Readonly<Record<string, string>> {
  const { layout } = world.memory
  const hashes: Record<string, string> = {}
  startHash()
  hashHeader(world)
  hashes.header = finishHash()
  for (let table = NO_TABLE; table < layout.tableNames.length; table++) {
    startHash()
    for (let i = 0; i < layout.regions.length; i++) if (layout.regions[i].table === table) hashRegion(world, i)
    hashes[table === NO_TABLE ? 'arrays' : layout.tableNames[table]] = finishHash()
  }
  return hashes
}

/** The hash of any bytes, same function as the state's. For contents of files. */
export function hashBytes(bytes: Uint8Array): string {
  mixBytes(bytes, bytes.length)
  return finishHash()
}

/** Writes the hash of the first `length` bytes behind them, the digits of `hashBytes` two to a byte. */
export function appendHash(bytes: Uint8Array, length: number): void {
  mixBytes(bytes, length)
  const a = finishFirst()
  const b = finishSecond(a)
  for (let i = 0; i < 4; i++) {
    bytes[length + i] = a >>> (24 - 8 * i)
    bytes[length + 4 + i] = b >>> (24 - 8 * i)
  }
}

// Two 32-bit lanes of murmur3's mixing, started differently. Module scratch: set by startHash before each use. Loops keep them
// in locals, because storing a number of 32 bits in a module's variable takes memory every time.
let laneA = 0
let laneB = 0

function startHash(): void {
  laneA = 0x9747b28c
  laneB = 0x3c6ef372
}

/** Mixes in the numbers from place `from` up to `to`, each as a word of 32 bits. */
function mixWords(words: ArrayLike<number>, from: number, to: number): void {
  let a = laneA
  let b = laneB
  for (let i = from; i < to; i++) {
    const word = words[i]
    let k = Math.imul(word, 0xcc9e2d51)
    k = (k << 15) | (k >>> 17)
    a ^= Math.imul(k, 0x1b873593)
    a = (Math.imul((a << 13) | (a >>> 19), 5) + 0xe6546b64) | 0
    k = Math.imul(word, 0x239b961b)
    k = (k << 16) | (k >>> 16)
    b ^= Math.imul(k, 0xab0e9789)
    b = (Math.imul((b << 17) | (b >>> 15), 5) + 0x38b34ae5) | 0
  }
  laneA = a
  laneB = b
}

/** Scratch: bytes as words of 32 bits, a piece at a time. */
const piece = new Uint32Array(64)

function mixBytes(bytes: Uint8Array, length: number): void {
  startHash()
  let count = 0
  const whole = length - (length % 4)
  for (let i = 0; i < whole; i += 4) {
    piece[count++] = bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24)
    if (count < piece.length) continue
    mixWords(piece, 0, count)
    count = 0
  }
  mixWords(piece, 0, count)
  mixWords(bytes, whole, length)
  piece[0] = length
  mixWords(piece, 0, 1)
}

function finishHash(): string {
  const a = finishFirst()
  return hex(a) + hex(finishSecond(a))
}

function finishFirst(): number {
  return finish(laneA ^ laneB)
}

function finishSecond(first: number): number {
  return finish(laneB + Math.imul(first, 0x9e3779b1))
}

function hex(word: number): string {
  return word.toString(16).padStart(8, '0')
}

function hashHeader({ memory: { header } }: StateWorld): void {
  mixWords(header, 0, header.length)
}

function hashRegion(world: StateWorld, index: number): void {
  const { layout, header, columns, block } = world.memory
  const region = layout.regions[index]
  const { array, width } = columns[index]
  const values = liveRows(layout, header, region) * width
  if (columnType(region.spec) !== 'f64') {
    mixWords(array, 0, values)
    return
  }
  const words = block.u32
  const from = region.byteOffset / 4
  for (let i = 0; i < values; i++) {
    // All exponent bits set: NaN or infinite. (The high word is the second one; big-endian machines run no browsers.)
    if ((words[from + 2 * i + 1] & 0x7ff00000) === 0x7ff00000) throw notFinite(world, region, i, array[i])
  }
  mixWords(words, from, from + 2 * values)
}

function notFinite(world: StateWorld, region: Region, index: number, value: number): HurtboxError {
  const { layout } = world.memory
  const row = Math.floor(index / world.memory.columns[layout.regions.indexOf(region)].width)
  const id = region.table === NO_TABLE ? undefined : world.memory.tables[region.table].id[row]
  const where = regionName(layout, region)
  return new HurtboxError(
    'not-finite',
    `${where} of row ${row}${id === undefined ? '' : ` (id ${id})`} is ${value} at tick ${world.tick}. ` +
      'Look for a division by 0 or a number that grew without bound.',
    { tick: world.tick, where, row, id, value },
  )
}
