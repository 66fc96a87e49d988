/**
 * Snapshots: the live part of the block, packed.
 *
 * Only rows in use are copied, so generous capacity costs nothing. Padding is always zero: two equal states are equal byte for byte,
 * which is stronger and ten times cheaper than comparing hashes.
 */

import { HurtboxError } from '../base/errors.ts'
import { alignTo8, ENTROPY, type Layout, liveRows, TICK } from './layout.ts'
import type { StateMemory } from './memory.ts'
import { COUNTERS } from './table.ts'

export type Snapshot = {
  readonly layout: Layout
  /** The options of the match it was taken of, as text; '' when it came as bytes and they are unknown. */
  readonly optionsKey: string
  /** The packed state is `bytes[0 … byteLength)`; the buffer may be longer, because it is reused. */
  bytes: Uint8Array
  byteLength: number
}

/** Packs the state into `target`, whose buffer grows when it must: with some air, unless it is a new one. */
export function packState({ layout, bytes: block, header }: StateMemory, target: Snapshot): void {
  const byteLength = packedLength(layout, header)
  const { length } = target.bytes
  if (length < byteLength) target.bytes = new Uint8Array(length === 0 ? byteLength : Math.ceil(byteLength * 1.25))
  target.byteLength = byteLength

  const { bytes } = target
  const headerBytes = layout.headerWords * 4
  bytes.set(block.subarray(0, headerBytes), 0)
  let at = zeroPadding(bytes, headerBytes)
  for (let i = 0; i < layout.regions.length; i++) {
    const region = layout.regions[i]
    const live = liveRows(layout, header, region) * region.bytesPerRow
    if (live === 0) continue
    bytes.set(block.subarray(region.byteOffset, region.byteOffset + live), at)
    at = zeroPadding(bytes, at + live)
  }
}

/** Writes a snapshot of the same layout, which `requireWhole` has accepted, into the block. */
export function unpackState({ layout, bytes: block, header }: StateMemory, { bytes }: Snapshot): void {
  const headerBytes = layout.headerWords * 4
  block.set(bytes.subarray(0, headerBytes), 0)
  let at = alignTo8(headerBytes)
  for (let i = 0; i < layout.regions.length; i++) {
    const region = layout.regions[i]
    const live = liveRows(layout, header, region) * region.bytesPerRow
    if (live === 0) continue
    block.set(bytes.subarray(at, at + live), region.byteOffset)
    at = alignTo8(at + live)
  }
}

/** A snapshot from bytes that were stored or sent. The shape of the bytes is checked, not their values. */
export function snapshotFromBytes(layout: Layout, bytes: Uint8Array): Snapshot {
  // A copy, because bytes from a file may start anywhere and words need to be aligned.
  const from = { layout, optionsKey: '', bytes: new Uint8Array(bytes), byteLength: bytes.length }
  requireWhole(from)
  return from
}

/** Whether two snapshots hold the same state, byte for byte. */
export function sameSnapshot(a: Snapshot, b: Snapshot): boolean {
  return sameWords(a, b, 0, a.byteLength >>> 2)
}

/** The same, whatever entropy was drawn: what it changed shows in the rest of the state. */
export function sameButEntropy(a: Snapshot, b: Snapshot): boolean {
  return sameWords(a, b, 0, ENTROPY) && sameWords(a, b, ENTROPY + 1, a.byteLength >>> 2)
}

function sameWords(a: Snapshot, b: Snapshot, from: number, to: number): boolean {
  if (a.byteLength !== b.byteLength) return false
  const wordsA = new Uint32Array(a.bytes.buffer, a.bytes.byteOffset, to)
  const wordsB = new Uint32Array(b.bytes.buffer, b.bytes.byteOffset, to)
  for (let i = from; i < to; i++) if (wordsA[i] !== wordsB[i]) return false
  return true
}

/** The tick a snapshot was taken at. */
export function snapshotTick(from: Snapshot): number {
  return headerOf(from)[TICK]
}

function headerOf(from: Snapshot): Uint32Array {
  return new Uint32Array(from.bytes.buffer, from.bytes.byteOffset, from.layout.headerWords)
}

function packedLength(layout: Layout, header: Uint32Array): number {
  let byteLength = alignTo8(layout.headerWords * 4)
  for (let i = 0; i < layout.regions.length; i++) {
    const region = layout.regions[i]
    byteLength += alignTo8(liveRows(layout, header, region) * region.bytesPerRow)
  }
  return byteLength
}

/** Zeroes the bytes from `from` up to the next multiple of 8 and returns that place. */
function zeroPadding(bytes: Uint8Array, from: number): number {
  const to = alignTo8(from)
  for (let i = from; i < to; i++) bytes[i] = 0
  return to
}

/** Refuses a snapshot whose counts do not fit its length or the tables, before anything is written. */
export function requireWhole(from: Snapshot): void {
  const { layout } = from
  if (from.byteLength >= layout.headerWords * 4 && from.byteLength <= from.bytes.length) {
    const header = headerOf(from)
    const countsFit = layout.capacities.every((capacity, t) => header[layout.countersAt + t * COUNTERS] <= capacity)
    if (countsFit && packedLength(layout, header) === from.byteLength) return
  }
  throw new HurtboxError(
    'bad-snapshot',
    `the snapshot is damaged: its ${from.byteLength} bytes do not fit its row counts.`,
  )
}
