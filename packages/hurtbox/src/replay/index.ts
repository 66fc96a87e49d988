// biome-ignore-all assist/source/organizeImports: in the order one meets things
/**
 * Replays: a match as a file, to be watched, verified and cut.
 *
 * `saveReplay` and `loadReplay` are the way out and in; `verifyReplay` proves that a file plays as recorded; a session made
 * from one can seek to any tick. The fingerprint says which builds of a game may share a match. The bytes that files are
 * made of are here as well: what entered a tick is told in the same way to those who step the match elsewhere.
 *
 * @module hurtbox/replay
 */

// Writing.
export { createReplayWriter, drainReplay, finishReplay, saveReplay } from './writer.ts'
export type { ReplayOptions, ReplayWriter } from './writer.ts'

// Reading, and what can be done with a replay that was read.
export { loadReplay } from './load.ts'
export type { Keyframe, Replay } from './load.ts'
export { readReplayHeader } from './header.ts'
export type { ReplayHeader } from './header.ts'
export { describeReplay } from './describe.ts'
export { verifyReplay } from './verify.ts'
export type { Mismatch, Verification } from './verify.ts'
export type { Link } from './link.ts'
export { sessionFromReplay } from './session.ts'
export { cutReplay, dropKeyframes } from './cut.ts'

// Which builds fit together.
export { compareFingerprints, ENGINE_VERSION, fingerprint } from './fingerprint.ts'
export type { Fingerprint, LayoutDescription } from './fingerprint.ts'

// What files are made of, and what is told to those who step the match elsewhere: codes, ticks, bytes.
export { encodeInput, idleCodes } from '../input-codes.ts'
export { createHeldInputs, readChanges, readTick, writeChanges, writeTick } from './ticks.ts'
export type { HeldInputs } from './ticks.ts'
export {
  createByteReader,
  createByteWriter,
  isWholeRead,
  readByte,
  readCount,
  readFloat,
  readHex,
  readVarint,
  spoil,
  takeBytes,
  writeByte,
  writeBytes,
  writeFloat,
  writeHex,
  writeVarint,
} from './bytes.ts'
export type { ByteReader, ByteWriter } from './bytes.ts'
