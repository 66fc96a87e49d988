/**
 * State Cookies (RFC 9260, 5.1.3): what an INIT has said, and when, signed. So nothing is kept for an INIT, and an association begins with what the
 * cookie says that comes back.
 */

import { createHmac, timingSafeEqual } from 'node:crypto'

export type PeerOfCookie = { readonly verificationTag: number; readonly rwnd: number; readonly initialTsn: number }

const SIGNED_BYTES = 20
const COOKIE_BYTES = SIGNED_BYTES + 32

export function createStateCookie(secret: Uint8Array, peer: PeerOfCookie, now: number): Buffer {
  const signed = Buffer.alloc(SIGNED_BYTES)
  signed.writeUInt32BE(peer.verificationTag, 0)
  signed.writeUInt32BE(peer.rwnd, 4)
  signed.writeUInt32BE(peer.initialTsn, 8)
  signed.writeDoubleBE(now, 12)
  return Buffer.concat([signed, signatureOf(secret, signed)])
}

/** Undefined: it is none of ours. */
export function readStateCookie(
  secret: Uint8Array,
  cookie: Buffer,
): { readonly peer: PeerOfCookie; readonly createdAt: number } | undefined {
  if (cookie.length !== COOKIE_BYTES) return undefined
  const signed = cookie.subarray(0, SIGNED_BYTES)
  if (!timingSafeEqual(signatureOf(secret, signed), cookie.subarray(SIGNED_BYTES))) return undefined
  return {
    peer: {
      verificationTag: signed.readUInt32BE(0),
      rwnd: signed.readUInt32BE(4),
      initialTsn: signed.readUInt32BE(8),
    },
    createdAt: signed.readDoubleBE(12),
  }
}

function signatureOf(secret: Uint8Array, signed: Uint8Array): Buffer {
  return createHmac('sha256', secret).update(signed).digest()
}
