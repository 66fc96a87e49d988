/**
 * Bytes in and out: the few shapes of number that replay files are made of.
 *
 * Whole numbers are varints (seven bits a byte, lowest first), because nearly all of them are small; everything else is
 * little-endian. The reader trusts nothing: each read is checked against the end of its stretch, and none allocates by a
 * length that the file claims. A number has one spelling only, so equal contents are equal bytes.
 */

import { HurtboxError } from '../errors.ts'

export type ByteWriter = { bytes: Uint8Array; length: number }

/** A stretch of bytes that is read from `at` up to `end`. */
export type ByteReader = { readonly bytes: Uint8Array; at: number; readonly end: number }

/** Bytes of a 64-bit hash, and the digits it has as text. */
export const HASH_BYTES = 8
const HASH_DIGITS = 2 * HASH_BYTES

export function createByteWriter(capacity = 256): ByteWriter {
  return { bytes: new Uint8Array(capacity), length: 0 }
}

/** What was written, as a copy of its own. */
export function writtenBytes(writer: ByteWriter): Uint8Array {
  return writer.bytes.slice(0, writer.length)
}

export function writeByte(writer: ByteWriter, byte: number): void {
  reserve(writer, 1)
  writer.bytes[writer.length++] = byte
}

/** A whole number from 0 to 2³² − 1, in one to five bytes. */
export function writeVarint(writer: ByteWriter, value: number): void {
  reserve(writer, 5)
  let rest = value
  while (rest > 0x7f) {
    writer.bytes[writer.length++] = (rest & 0x7f) | 0x80
    rest >>>= 7
  }
  writer.bytes[writer.length++] = rest
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
  for (let i = 0; i < digits.length; i += 2) writeByte(writer, Number.parseInt(digits.slice(i, i + 2), 16))
}

export function createByteReader(bytes: Uint8Array, at = 0, end: number = bytes.length): ByteReader {
  return { bytes, at, end }
}

export function bytesLeft(reader: ByteReader): number {
  return reader.end - reader.at
}

export function readByte(reader: ByteReader): number {
  requireBytes(reader, 1)
  return reader.bytes[reader.at++]
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
  throw badBytes('a number is not spelled as this format spells it')
}

/** A varint that must not exceed `max`; `what` names it in the error. */
export function readCount(reader: ByteReader, max: number, what: string): number {
  const value = readVarint(reader)
  if (value > max) throw badBytes(`${what} is ${value}, but can be ${max} at most`)
  return value
}

export function readFloat(reader: ByteReader): number {
  requireBytes(reader, 8)
  const value = viewOf(reader.bytes).getFloat64(reader.at, true)
  reader.at += 8
  return value
}

export function readHex(reader: ByteReader, digits: number = HASH_DIGITS): string {
  let text = ''
  while (text.length < digits) text += readByte(reader).toString(16).padStart(2, '0')
  return text
}

/** For what is wrong inside a chunk. Whoever reads chunks adds where it is and what to do. */
export function badBytes(what: string): HurtboxError {
  return new HurtboxError('bad-replay', what)
}

function requireBytes(reader: ByteReader, count: number): void {
  if (bytesLeft(reader) < count) throw badBytes('it ends in the middle of a value')
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
