/**
 * Bytes of messages: the few shapes of number that they are made of.
 *
 * Messages come from strangers, so the reader never throws: whatever does not fit makes it bad, and every further read
 * gives 0. A decoder reads to the end and asks once whether all was well, so that no path through it can be forgotten.
 */

export type Writer = { bytes: Uint8Array; length: number }

export type Reader = {
  readonly bytes: Uint8Array
  at: number
  /** False as soon as anything did not fit. */
  ok: boolean
}

export function createWriter(capacity = 256): Writer {
  return { bytes: new Uint8Array(capacity), length: 0 }
}

/** What was written, as a copy of its own; the writer can be used again. */
export function takeBytes(writer: Writer): Uint8Array {
  const bytes = writer.bytes.slice(0, writer.length)
  writer.length = 0
  return bytes
}

export function writeByte(writer: Writer, byte: number): void {
  reserve(writer, 1)
  writer.bytes[writer.length++] = byte
}

/** A whole number from 0 to 2^32 − 1, in one to five bytes. */
export function writeVarint(writer: Writer, value: number): void {
  reserve(writer, 5)
  let rest = value >>> 0
  while (rest > 0x7f) {
    writer.bytes[writer.length++] = (rest & 0x7f) | 0x80
    rest >>>= 7
  }
  writer.bytes[writer.length++] = rest
}

/** A whole number with sign, 32 bits: small ones of either sign are short. */
export function writeSigned(writer: Writer, value: number): void {
  const word = value | 0
  writeVarint(writer, (word << 1) ^ (word >> 31))
}

export function writeFloat(writer: Writer, value: number): void {
  reserve(writer, 8)
  new DataView(writer.bytes.buffer).setFloat64(writer.length, value, true)
  writer.length += 8
}

export function writeBytes(writer: Writer, bytes: Uint8Array): void {
  reserve(writer, bytes.length)
  writer.bytes.set(bytes, writer.length)
  writer.length += bytes.length
}

/** Bytes with their number in front. */
export function writeBlock(writer: Writer, bytes: Uint8Array): void {
  writeVarint(writer, bytes.length)
  writeBytes(writer, bytes)
}

export function writeText(writer: Writer, text: string): void {
  writeBlock(writer, new TextEncoder().encode(text))
}

/** The 16 digits of a state's hash, two to a byte. */
export function writeHash(writer: Writer, hash: string): void {
  for (let i = 0; i < 16; i += 2) writeByte(writer, Number.parseInt(hash.slice(i, i + 2), 16))
}

export function createReader(bytes: Uint8Array): Reader {
  return { bytes, at: 0, ok: true }
}

/** Whether all that was read was there, and nothing is left over. */
export function isWholeRead(reader: Reader): boolean {
  return reader.ok && reader.at === reader.bytes.length
}

export function readByte(reader: Reader): number {
  if (!reader.ok || reader.at >= reader.bytes.length) return spoil(reader)
  return reader.bytes[reader.at++]
}

export function readVarint(reader: Reader): number {
  let value = 0
  let scale = 1
  for (let i = 0; i < 5; i++) {
    const byte = readByte(reader)
    value += (byte & 0x7f) * scale
    if (byte < 0x80) return value <= 0xffffffff ? value : spoil(reader)
    scale *= 0x80
  }
  return spoil(reader)
}

export function readSigned(reader: Reader): number {
  const word = readVarint(reader)
  return (word >>> 1) ^ -(word & 1)
}

/** A varint of at most `max`. */
export function readCount(reader: Reader, max: number): number {
  const value = readVarint(reader)
  return value <= max ? value : spoil(reader)
}

/** A number that must be finite. */
export function readFloat(reader: Reader): number {
  if (!reader.ok || reader.bytes.length - reader.at < 8) return spoil(reader)
  const { buffer, byteOffset } = reader.bytes
  const value = new DataView(buffer, byteOffset).getFloat64(reader.at, true)
  reader.at += 8
  return Number.isFinite(value) ? value : spoil(reader)
}

/** A block as a view of the message; empty when it does not fit. */
export function readBlock(reader: Reader): Uint8Array {
  const length = readVarint(reader)
  if (!reader.ok || length > reader.bytes.length - reader.at) {
    spoil(reader)
    return reader.bytes.subarray(0, 0)
  }
  reader.at += length
  return reader.bytes.subarray(reader.at - length, reader.at)
}

export function readText(reader: Reader, maxBytes: number): string {
  const bytes = readBlock(reader)
  if (bytes.length > maxBytes) spoil(reader)
  return reader.ok ? new TextDecoder().decode(bytes) : ''
}

export function readHash(reader: Reader): string {
  let hash = ''
  for (let i = 0; i < 8; i++) hash += readByte(reader).toString(16).padStart(2, '0')
  return hash
}

/** Marks what is read as bad; gives the 0 that stands for it. */
export function spoil(reader: Reader): 0 {
  reader.ok = false
  return 0
}

function reserve(writer: Writer, count: number): void {
  const needed = writer.length + count
  if (needed <= writer.bytes.length) return
  const grown = new Uint8Array(Math.max(needed, writer.bytes.length * 2))
  grown.set(writer.bytes)
  writer.bytes = grown
}
