/**
 * The cookies of HelloVerifyRequest (RFC 6347, 4.2.1): who sends one back receives what is sent to its address. Nothing is kept for it: a cookie is an HMAC of
 * the address and of the parameters of the ClientHello, by a secret that changes every minute. The one before still counts.
 */

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { ClientHello } from './messages.ts'

export type Cookies = {
  /** `place` names the address and whose connection it is. */
  create(place: string, hello: ClientHello): Buffer
  isValid(place: string, hello: ClientHello): boolean
}

const ROTATE_MS = 60_000
const SECRET_BYTES = 32

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
      return cookieOf(current, place, hello)
    },
    isValid(place, hello) {
      rotate()
      return [current, previous].some((secret) => isEqual(cookieOf(secret, place, hello), hello.cookie))
    },
  }
}

function cookieOf(secret: Buffer, place: string, { parameters }: ClientHello): Buffer {
  return createHmac('sha256', secret).update(`${place}\n`).update(parameters).digest()
}

function isEqual(expected: Buffer, cookie: Buffer): boolean {
  return cookie.length === expected.length && timingSafeEqual(cookie, expected)
}
