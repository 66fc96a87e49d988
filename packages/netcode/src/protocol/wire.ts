/** Coding that only messages need: blocks and texts. The rest is in `hurtbox/wire`. */

import { type ByteReader, type ByteWriter, readVarint, reject, writeBytes, writeVarint } from 'hurtbox/wire'

/** Bytes with their number in front. */
export function writeBlock(writer: ByteWriter, bytes: Uint8Array): void {
  writeVarint(writer, bytes.length)
  writeBytes(writer, bytes)
}

/** A block as a view of the message; empty when it does not fit. */
export function readBlock(reader: ByteReader): Uint8Array {
  const length = readVarint(reader)
  const left = reader.bytes.length - reader.at
  if (length > left) reject(reader, `a block has ${length} bytes, but ${left} are left`)
  const from = reader.at
  if (!reader.problem) reader.at += length
  return reader.bytes.subarray(from, reader.at)
}

export function writeText(writer: ByteWriter, text: string): void {
  writeBlock(writer, new TextEncoder().encode(text))
}

export function readText(reader: ByteReader, maxBytes: number): string {
  const bytes = readBlock(reader)
  if (bytes.length > maxBytes) reject(reader, `a text has ${bytes.length} bytes, but can have ${maxBytes} at most`)
  return reader.problem ? '' : new TextDecoder().decode(bytes)
}
