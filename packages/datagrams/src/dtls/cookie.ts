/**
 * The cookies of HelloVerifyRequest (RFC 6347, 4.2.1): who sends one back receives what is sent to its address. Nothing is kept for it: a cookie is an HMAC of
 * the address and of the parameters of the ClientHello, by a secret that changes every minute. The one before still counts.
 *
 * In front of it is a checksum of the address, which says of which of a client's it may be: a datagram has room for a dozen forged cookies, and without it each would
 * take an HMAC for every address.
 */

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { crc32 } from '../crc.ts'
import type { ClientHello } from './messages.ts'

export type Cookies = {
  /** `place` names the address and whose connection it is. */
  create(place: string, hello: ClientHello): Buffer
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
    isValid(place, hello) {
      rotate()
      const { cookie } = hello
      if (cookie.length !== COOKIE_BYTES || hintOf(place) !== cookie.readUInt16BE(0)) return false
      const mac = cookie.subarray(HINT_BYTES)
      return [current, previous].some((secret) => timingSafeEqual(macOf(secret, place, hello), mac))
    },
  }
}

function hintOf(place: string): number {
  return crc32(Buffer.from(place)) & 0xffff
}

function macOf(secret: Buffer, place: string, { parameters }: ClientHello): Buffer {
  return createHmac('sha256', secret)
    .update(`${place}\n`)
    .update(parameters)
    .digest()
    .subarray(0, COOKIE_BYTES - HINT_BYTES)
}
