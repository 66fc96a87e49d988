// biome-ignore-all assist/source/organizeImports: in the order one meets things
/**
 * What entered a tick, as bytes: for replay files, and for other machines that step the same match.
 *
 * Files and messages encode a tick in the same way, here for both: the codes of an input, a tick of them, and
 * the few shapes of number that both are made of.
 *
 * @module hurtbox/wire
 */

export { encodeInput, idleCodes } from '../../world/input-codes.ts'
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
  readSigned,
  readVarint,
  reject,
  takeBytes,
  writeByte,
  writeBytes,
  writeFloat,
  writeHex,
  writeSigned,
  writeVarint,
} from './bytes.ts'
export type { ByteReader, ByteWriter } from './bytes.ts'
