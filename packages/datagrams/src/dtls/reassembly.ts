/**
 * Handshake messages that come in fragments, repeated, overlapping and out of order (RFC 6347, 4.2.2, 4.2.3).
 *
 * Anybody can forge a fragment of epoch 0. So the newest one counts: where it contradicts what came before, in type, length or bytes, the message is begun
 * anew or overwritten. A forged fragment then costs the client a retransmission, and does not block its message.
 */

import { HANDSHAKE_HEADER_BYTES } from './messages.ts'

/** A message, whole when nothing is missing. */
type Partial = { readonly type: number; readonly body: Buffer; readonly received: Uint8Array; missing: number }
/** By message_seq. */
export type Reassembly = Map<number, Partial>

export type Fragment = {
  readonly type: number
  readonly messageSeq: number
  /** Of the message. */
  readonly length: number
  readonly offset: number
  readonly bytes: Buffer
}

/** Larger than any message of a browser: a ClientHello with a post-quantum key share has 1,700 bytes. */
const MAX_MESSAGE_BYTES = 8_192

/** Hands out the fragments of a record, until one is malformed. */
export function eachFragment(record: Buffer, take: (fragment: Fragment) => void): void {
  for (let at = 0; at + HANDSHAKE_HEADER_BYTES <= record.length; ) {
    const type = record[at]
    const length = record.readUIntBE(at + 1, 3)
    const messageSeq = record.readUInt16BE(at + 4)
    const offset = record.readUIntBE(at + 6, 3)
    const fragmentLength = record.readUIntBE(at + 9, 3)
    const bytes = record.subarray(at + HANDSHAKE_HEADER_BYTES, at + HANDSHAKE_HEADER_BYTES + fragmentLength)
    if (length > MAX_MESSAGE_BYTES || offset + bytes.length > length || bytes.length < fragmentLength) return
    take({ type, messageSeq, length, offset, bytes })
    at += HANDSHAKE_HEADER_BYTES + bytes.length
  }
}

export function addFragment(reassembly: Reassembly, { type, messageSeq, length, offset, bytes }: Fragment): void {
  let message = reassembly.get(messageSeq)
  if (message === undefined || message.type !== type || message.body.length !== length) {
    message = { type, body: Buffer.alloc(length), received: new Uint8Array(length), missing: length }
    reassembly.set(messageSeq, message)
  }
  message.body.set(bytes, offset)
  for (let i = offset; i < offset + bytes.length; i++) {
    message.missing -= message.received[i] ^ 1
    message.received[i] = 1
  }
}

/** The body of a message that is whole. */
export function wholeBody(reassembly: Reassembly, messageSeq: number): Buffer | undefined {
  const message = reassembly.get(messageSeq)
  return message?.missing === 0 ? message.body : undefined
}
