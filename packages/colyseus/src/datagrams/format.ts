/**
 * What one datagram holds: a kind, a number, the match it belongs to, and a message or a key.
 *
 *   kind (1 byte), number (2), match (2: the low half of its nonce), body
 *
 * Numbers ascend by one, so a receiver knows what part is lost. The match keeps what was under way when a match ended out of the next
 * one. Data channels are encrypted and know no replays; duplicates, old and invented messages are refused by the netcode, as on the socket.
 */

/** A probe says that the path works, in both directions: its sender hears it again. A client's carries its key. */
export const DATAGRAM = { probe: 1, message: 2 } as const

const HEADER_BYTES = 5
export const KEY_BYTES = 16
/** What fits into one packet on nearly every way through the internet, with the headers of IP, UDP, DTLS and SCTP. Longer messages take the socket. */
export const MAX_BODY_BYTES = 1_100

export type Datagram = {
  readonly kind: number
  readonly number: number
  readonly match: number
  readonly body: Uint8Array
}

export function writeDatagram(kind: number, number: number, match: number, body: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES + body.length)
  bytes[0] = kind
  bytes[1] = number & 0xff
  bytes[2] = (number >>> 8) & 0xff
  bytes[3] = match & 0xff
  bytes[4] = (match >>> 8) & 0xff
  bytes.set(body, HEADER_BYTES)
  return bytes
}

/** Undefined for what is none. */
export function readDatagram(bytes: Uint8Array): Datagram | undefined {
  const [kind] = bytes
  if (bytes.length < HEADER_BYTES || bytes.length > HEADER_BYTES + MAX_BODY_BYTES) return undefined
  if (kind !== DATAGRAM.probe && kind !== DATAGRAM.message) return undefined
  const number = bytes[1] | (bytes[2] << 8)
  return { kind, number, match: bytes[3] | (bytes[4] << 8), body: bytes.subarray(HEADER_BYTES) }
}

/** How many of the numbers came. */
export type LossMeter = { last: number; expected: number; got: number }

export function createLossMeter(): LossMeter {
  return { last: -1, expected: 0, got: 0 }
}

export function noteNumber(meter: LossMeter, number: number): void {
  meter.got++
  const ahead = meter.last < 0 ? 1 : (number - meter.last) & 0xffff
  // More than half of all numbers ahead is behind: it was overtaken, and counted when it was missed.
  if (ahead === 0 || ahead >= 0x8000) return
  meter.expected += ahead
  meter.last = number
}

/** The loss of a direction as its receiver tells it: 65,535 is everything. */
export function writeLoss(meter: LossMeter): Uint8Array {
  const part = Math.round(lossOf(meter) * 0xffff)
  return Uint8Array.of(part & 0xff, part >>> 8)
}

export function readLoss(body: Uint8Array): number {
  return body.length < 2 ? 0 : (body[0] | (body[1] << 8)) / 0xffff
}

/** The part that did not come, 0 to 1. */
export function lossOf({ expected, got }: LossMeter): number {
  return expected === 0 ? 0 : Math.max(0, 1 - got / expected)
}
