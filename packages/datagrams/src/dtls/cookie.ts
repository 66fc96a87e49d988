/**
 * The cookies of HelloVerifyRequest (RFC 6347, 4.2.1): who sends one back receives what is sent to its address. Nothing is kept for it: a cookie is an HMAC of
 * the address and of the parameters of the ClientHello, by a secret that changes every minute. The one before still counts.
 *
 * In front of it is a checksum of the address, which says of which of a client's it may be: a datagram has room for a dozen forged cookies, and without it each would
 * take an HMAC for every address. It is no secret, and a client can choose addresses that have the same: so one of them is tried, not all.
 */

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { ClientHello } from './messages.ts'

export type Cookies = {
  /** `place` names the address and whose connection it is. */
  create(place: string, hello: ClientHello): Buffer
  /** By the checksum alone. */
  mayBeOf(place: string, hello: ClientHello): boolean
  isValid(place: string, hello: ClientHello): boolean
}

const ROTATE_MS = 60_000
const SECRET_BYTES = 32
const HINT_BYTES = 2
/** DTLS 1.0 ends there, and Firefox takes no longer one (RFC 4347, 4.3.2). */
const COOKIE_BYTES = 32

export function createCookies(): Cookies {
  let [current, previous] = [randomBytes(SECRET_BYTES), randomBytes(SECRET_BYTES)]
  let rotatedAt = performance.now()

  function rotate(): void {
    const age = performance.now() - rotatedAt
    if (age < ROTATE_MS) return
    previous = age < 2 * ROTATE_MS ? current : randomBytes(SECRET_BYTES)
    current = randomBytes(SECRET_BYTES)
    rotatedAt += age
  }

  return {
    create(place, hello) {
      rotate()
      const hint = hintOf(place)
      return Buffer.concat([Buffer.of(hint >>> 8, hint & 0xff), macOf(current, place, hello)])
    },
    mayBeOf,
    isValid(place, hello) {
      rotate()
      if (!mayBeOf(place, hello)) return false
      const mac = hello.cookie.subarray(HINT_BYTES)
      return [current, previous].some((secret) => timingSafeEqual(macOf(secret, place, hello), mac))
    },
  }
}

function mayBeOf(place: string, { cookie }: ClientHello): boolean {
  return cookie.length === COOKIE_BYTES && hintOf(place) === cookie.readUInt16BE(0)
}

/** FNV-1a, folded. Of the string as it is: for each cookie of a datagram it is made for each address. */
export function hintOf(place: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < place.length; i++) hash = Math.imul(hash ^ place.charCodeAt(i), 0x01000193)
  return (hash ^ (hash >>> 16)) & 0xffff
}

function macOf(secret: Buffer, place: string, { parameters }: ClientHello): Buffer {
  return createHmac('sha256', secret)
    .update(`${place}\n`)
    .update(parameters)
    .digest()
    .subarray(0, COOKIE_BYTES - HINT_BYTES)
}
