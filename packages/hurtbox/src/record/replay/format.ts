/**
 * The frame of a replay file: a preamble, then chunks, each sealed.
 *
 *   file      preamble, header, ticks (keyframe)?, ticks (keyframe)?, …, end
 *   preamble  seven magic bytes, format version
 *   chunk     type (1 byte), length (varint), payload, seal (8 bytes)
 *
 * A seal is the hash of the seal before it, then type, length and payload. So it vouches for everything up to here: a
 * flipped bit, a chunk that was moved, left out or brought from another file all break it, and what stands before the
 * break is known to be good. Keyframes hang on this chain without being links of it: they can be dropped, and nothing
 * else notices. A file can be written chunk by chunk while the match runs, and read up to where the power went out.
 *
 * Seals find accidents. A forger can compute them; `verifyReplay` finds forgeries.
 */

import { HurtboxError } from '../../base/errors.ts'
import { appendHash } from '../../state/hash.ts'
import {
  createByteReader,
  createByteWriter,
  HASH_BYTES,
  readByte,
  readVarint,
  writeByte,
  writeBytes,
  writeVarint,
} from '../wire/bytes.ts'

export const FORMAT_VERSION = 2

/** As in PNG: a byte that is no text, a name, and line ends that a transfer as text would change. */
const MAGIC: readonly number[] = [0x89, 0x48, 0x42, 0x52, 0x0d, 0x0a, 0x1a]
const PREAMBLE_BYTES = MAGIC.length + 1

/** Letters, to be seen in a dump of the file. `checkpoint` and `tick` are of logs (log.ts), `track`, `clients` and `settings` are of tracks (track.ts). */
export const CHUNK = {
  header: 0x48,
  ticks: 0x54,
  keyframe: 0x4b,
  end: 0x45,
  checkpoint: 0x43,
  tick: 0x74,
  track: 0x6e,
  clients: 0x63,
  settings: 0x73,
} as const

const CHUNK_NAMES: Readonly<Record<number, string>> = {
  [CHUNK.header]: 'header',
  [CHUNK.ticks]: 'ticks',
  [CHUNK.keyframe]: 'keyframe',
  [CHUNK.end]: 'end',
  [CHUNK.checkpoint]: 'checkpoint',
  [CHUNK.tick]: 'tick',
  [CHUNK.track]: 'track',
  [CHUNK.clients]: 'clients',
  [CHUNK.settings]: 'settings',
}

/** The seal that the next chunk stands on. */
export type Chain = { seal: Uint8Array }

export type Chunk = {
  readonly type: number
  /** Where it begins in the file, and where the next one does. */
  readonly at: number
  readonly end: number
  readonly payload: Uint8Array
  /** 'good', or what is wrong: the file ends inside it, or its seal does not fit. */
  readonly state: 'good' | 'cut' | 'damaged'
}

/** The first bytes of a file, and the chain that starts from them. */
export function startFile(): { readonly preamble: Uint8Array; readonly chain: Chain } {
  const preamble = Uint8Array.from([...MAGIC, FORMAT_VERSION])
  return { preamble, chain: { seal: preamble } }
}

/** Scratch of `sealChunk`. */
const sealing = createByteWriter(1024)

/** Frames and seals a payload. The next chunk will stand on it, unless it is a keyframe. */
export function sealChunk(chain: Chain, type: number, payload: Uint8Array): Uint8Array {
  // The seal before stands in front while hashing, and is not part of the chunk.
  sealing.length = 0
  writeBytes(sealing, chain.seal)
  writeByte(sealing, type)
  writeVarint(sealing, payload.length)
  writeBytes(sealing, payload)
  const { length } = sealing
  writeBytes(sealing, ROOM_FOR_SEAL)
  appendHash(sealing.bytes, length)
  const chunk = sealing.bytes.slice(HASH_BYTES, sealing.length)
  if (type !== CHUNK.keyframe) chain.seal = chunk.slice(-HASH_BYTES)
  return chunk
}

const ROOM_FOR_SEAL = new Uint8Array(HASH_BYTES)

/** The file as a Uint8Array proper: Node's Buffer is one, too, but its `slice` does not copy. */
export function plainBytes(bytes: Uint8Array): Uint8Array {
  if (!(bytes instanceof Uint8Array)) throw new HurtboxError('bad-argument', 'a replay is read from a Uint8Array.')
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Checks the preamble. Throws when these bytes are no replay, or one of another format. */
export function openFile(bytes: Uint8Array): { readonly at: number; readonly chain: Chain } {
  if (bytes.length < PREAMBLE_BYTES || MAGIC.some((byte, i) => bytes[i] !== byte)) {
    throw new HurtboxError(
      'bad-replay',
      'this is not a Hurtbox replay: its first bytes are others. Is it the right file?',
    )
  }
  const version = bytes[MAGIC.length]
  if (version !== FORMAT_VERSION) {
    throw new HurtboxError(
      'bad-replay',
      `the replay has format version ${version}; this build reads version ${FORMAT_VERSION}. Use the build it came from.`,
      { version },
    )
  }
  return { at: PREAMBLE_BYTES, chain: { seal: bytes.slice(0, PREAMBLE_BYTES) } }
}

/** The chunk at `at`. A good one becomes the next link of `chain`, unless it is a keyframe. */
export function readChunk(bytes: Uint8Array, at: number, chain: Chain): Chunk {
  const reader = createByteReader(bytes, at)
  const type = readByte(reader)
  const length = readVarint(reader)
  if (reader.problem) {
    const state = reader.at < bytes.length ? 'damaged' : 'cut'
    return { type, at, end: bytes.length, payload: bytes.subarray(at, at), state }
  }
  const payloadEnd = reader.at + length
  const end = payloadEnd + HASH_BYTES
  if (end > bytes.length) return { type, at, end: bytes.length, payload: bytes.subarray(at, at), state: 'cut' }

  const payload = bytes.subarray(reader.at, payloadEnd)
  const sealed = sealChunk({ seal: chain.seal }, type, payload)
  for (let i = 0; i < HASH_BYTES; i++) {
    if (bytes[payloadEnd + i] !== sealed[sealed.length - HASH_BYTES + i]) {
      return { type, at, end, payload, state: 'damaged' }
    }
  }
  if (type !== CHUNK.keyframe) chain.seal = bytes.slice(payloadEnd, end)
  return { type, at, end, payload, state: 'good' }
}

/** For what is wrong inside a chunk. The chunk reader adds where it is and what to do. */
export function badBytes(what: string): HurtboxError {
  return new HurtboxError('bad-replay', what)
}

/** `the ticks chunk at byte 1234`, for messages. */
export function nameChunk({ type, at }: Chunk): string {
  return `the ${CHUNK_NAMES[type] ?? 'unknown'} chunk at byte ${at}`
}
