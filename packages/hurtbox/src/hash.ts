/**
 * Hashes of the state, for files and peers.
 *
 * Raw bits in block order, live rows only, so that even two swapped values show. NaN and infinities must never enter
 * the state (their bits differ between engines and they spread), and the pass that hashes a number is the cheapest
 * place to notice: the hash throws and names the value.
 */

import { columnType } from './columns.ts'
import { HurtboxError } from './errors.ts'
import { liveRows, NO_TABLE, type Region, regionName } from './layout.ts'
import { finish } from './math/mix.ts'
import type { AnyWorld } from './world.ts'

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
export function hashWorld(world: AnyWorld): string {
  startHash()
  hashHeader(world)
  for (let i = 0; i < world.memory.layout.regions.length; i++) hashRegion(world, i)
  return finishHash()
}

/** A hash per table, and one for all arrays: shows which part of two worlds differs. */
export function hashTables(world: AnyWorld): Readonly<Record<string, string>> {
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
  startHash()
  const whole = bytes.length >>> 2
  for (let i = 0; i < whole; i++) {
    mix(bytes[4 * i] | (bytes[4 * i + 1] << 8) | (bytes[4 * i + 2] << 16) | (bytes[4 * i + 3] << 24))
  }
  for (let i = 4 * whole; i < bytes.length; i++) mix(bytes[i])
  mix(bytes.length)
  return finishHash()
}

// Two 32-bit lanes of murmur3's mixing, started differently. Module scratch: set by startHash before each use.
let laneA = 0
let laneB = 0

function startHash(): void {
  laneA = 0x9747b28c
  laneB = 0x3c6ef372
}

function mix(word: number): void {
  let k = Math.imul(word, 0xcc9e2d51)
  k = (k << 15) | (k >>> 17)
  laneA ^= Math.imul(k, 0x1b873593)
  laneA = Math.imul((laneA << 13) | (laneA >>> 19), 5) + 0xe6546b64
  k = Math.imul(word, 0x239b961b)
  k = (k << 16) | (k >>> 16)
  laneB ^= Math.imul(k, 0xab0e9789)
  laneB = Math.imul((laneB << 17) | (laneB >>> 15), 5) + 0x38b34ae5
}

function finishHash(): string {
  const a = finish(laneA ^ laneB)
  const b = finish(laneB + Math.imul(a, 0x9e3779b1))
  return hex(a) + hex(b)
}

function hex(word: number): string {
  return word.toString(16).padStart(8, '0')
}

function hashHeader(world: AnyWorld): void {
  const { header } = world.memory
  for (let i = 0; i < header.length; i++) mix(header[i])
}

function hashRegion(world: AnyWorld, index: number): void {
  const { layout, header, columns, bytes } = world.memory
  const region = layout.regions[index]
  const live = liveRows(layout, header, region)
  const { array, width } = columns[index]
  if (columnType(region.spec) !== 'f64') {
    for (let i = 0; i < live * width; i++) mix(array[i])
    return
  }
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset + region.byteOffset, 2 * live * width)
  for (let i = 0; i < words.length; i += 2) {
    // All exponent bits set: NaN or infinite. (The high word is the second one; big-endian machines run no browsers.)
    if ((words[i + 1] & 0x7ff00000) === 0x7ff00000) throw notFinite(world, region, i >>> 1, array[i >>> 1])
    mix(words[i])
    mix(words[i + 1])
  }
}

function notFinite(world: AnyWorld, region: Region, index: number, value: number): HurtboxError {
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
