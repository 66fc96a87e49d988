/**
 * Bytes in and out: the few shapes of number that replay files and messages are made of.
 *
 * Whole numbers are varints (seven bits a byte, lowest first), because nearly all of them are small; everything else is
 * little-endian. A number has one spelling only, so equal contents are equal bytes.
 *
 * The bytes come from strangers, so the reader trusts nothing and never throws. The first thing that does not fit becomes
 * its `problem`, and every further read returns 0. A decoder reads to the end and checks once, so no path through it can
 * forget the check. A file then reports the problem; a bad message is only counted.
 */

/** Bytes that are being written; they grow as needed. */
export type ByteWriter = { bytes: Uint8Array; length: number }

/** Bytes that are read from `at` on. */
export type ByteReader = {
  readonly bytes: Uint8Array
  at: number
  /** The first thing that did not fit, as text; undefined if there is none. */
  problem: string | undefined
}

/** Bytes of a 64-bit hash. */
export const HASH_BYTES = 8

export function createByteWriter(capacity = 256): ByteWriter {
  return { bytes: new Uint8Array(capacity), length: 0 }
}

/** Returns a copy of what was written; the writer can be used again. */
export function takeBytes(writer: ByteWriter): Uint8Array {
  const bytes = writer.bytes.slice(0, writer.length)
  writer.length = 0
  return bytes
}

export function writeByte(writer: ByteWriter, byte: number): void {
  reserve(writer, 1)
  writer.bytes[writer.length++] = byte
}

/** A whole number from 0 to 2³² − 1, in one to five bytes. */
export function writeVarint(writer: ByteWriter, value: number): void {
  reserve(writer, 5)
  let rest = value >>> 0
  while (rest > 0x7f) {
    writer.bytes[writer.length++] = (rest & 0x7f) | 0x80
    rest >>>= 7
  }
  writer.bytes[writer.length++] = rest
}

/** A whole number with sign, 32 bits: small ones of either sign are short. */
export function writeSigned(writer: ByteWriter, value: number): void {
  const word = value | 0
  writeVarint(writer, (word << 1) ^ (word >> 31))
}

export function writeFloat(writer: ByteWriter, value: number): void {
  reserve(writer, 8)
  viewOf(writer.bytes).setFloat64(writer.length, value, true)
  writer.length += 8
}

export function writeBytes(writer: ByteWriter, bytes: Uint8Array): void {
  reserve(writer, bytes.length)
  writer.bytes.set(bytes, writer.length)
  writer.length += bytes.length
}

/** Hexadecimal digits, two to a byte. */
export function writeHex(writer: ByteWriter, digits: string): void {
  for (let i = 0; i < digits.length; i += 2) writeByte(writer, 16 * digitAt(digits, i) + digitAt(digits, i + 1))
}

/** Without making a text of each digit: a match writes some hundred of them a second. */
function digitAt(digits: string, index: number): number {
  const code = digits.charCodeAt(index)
  return code <= NINE ? code - ZERO : (code | LOWER_CASE) - TEN
}

const ZERO = 48
const NINE = 57
const LOWER_CASE = 32
/** What is taken from the code of a to get 10. */
const TEN = 87

export function createByteReader(bytes: Uint8Array, at = 0): ByteReader {
  return { bytes, at, problem: undefined }
}

/** Whether every read succeeded and no bytes are left over. */
export function isWholeRead(reader: ByteReader): boolean {
  const left = reader.bytes.length - reader.at
  if (left > 0) reject(reader, `${left} bytes are left over`)
  return !reader.problem
}

export function readByte(reader: ByteReader): number {
  return hasBytes(reader, 1) ? reader.bytes[reader.at++] : 0
}

export function readVarint(reader: ByteReader): number {
  let value = 0
  let scale = 1
  for (let i = 0; i < 5; i++) {
    const byte = readByte(reader)
    value += (byte & 0x7f) * scale
    scale *= 0x80
    if (byte >= 0x80) continue
    if (value > 0xffffffff || (byte === 0 && i > 0)) break
    return value
  }
  return reject(reader, 'a number is not spelled as this format spells it')
}

export function readSigned(reader: ByteReader): number {
  const word = readVarint(reader)
  return (word >>> 1) ^ -(word & 1)
}

/** A varint of at most `max`; `what` names it in the problem. */
export function readCount(reader: ByteReader, max: number, what = 'a number'): number {
  const value = readVarint(reader)
  return value <= max ? value : reject(reader, `${what} is ${value}, but can be ${max} at most`)
}

/** A number that must be finite. */
export function readFloat(reader: ByteReader): number {
  if (!hasBytes(reader, 8)) return 0
  const value = viewOf(reader.bytes).getFloat64(reader.at, true)
  reader.at += 8
  return Number.isFinite(value) ? value : reject(reader, `a number is ${value}`)
}

/** Hexadecimal digits; as many as a hash has by default. */
export function readHex(reader: ByteReader, digits: number = 2 * HASH_BYTES): string {
  let text = ''
  while (text.length < digits) text += readByte(reader).toString(16).padStart(2, '0')
  return text
}

/** Marks the bytes as damaged. The first problem is kept. Returns 0, the value of everything that cannot be read. */
export function reject(reader: ByteReader, problem = 'it makes no sense'): 0 {
  reader.problem ??= problem
  return 0
}

function hasBytes(reader: ByteReader, count: number): boolean {
  if (reader.bytes.length - reader.at < count) reject(reader, 'it ends in the middle of a value')
  return !reader.problem
}

function reserve(writer: ByteWriter, count: number): void {
  const needed = writer.length + count
  if (needed <= writer.bytes.length) return
  const grown = new Uint8Array(Math.max(needed, writer.bytes.length * 2))
  grown.set(writer.bytes)
  writer.bytes = grown
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
