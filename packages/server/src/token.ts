/**
 * The operator's token: for the monitor, the metrics and the list of replays.
 *
 * As the password of HTTP Basic, which browsers and Prometheus ask for on their own, or as a bearer token. It never travels
 * in an address, where it would end up in logs and histories.
 */

import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { createRateLimit } from './rates.ts'
import { type Answer, Refusal, text } from './responses.ts'

/** Wrong tokens of one address: enough for typing errors, too few for guessing. */
const WRONG_TOKENS = { burst: 10, perSecond: 0.1 }

/** Says what to answer instead, if the request may not pass. */
export type TokenCheck = (request: IncomingMessage, address: string) => Answer | undefined

export function createTokenCheck(token: string): TokenCheck {
  const expected = digest(token)
  const mayFail = createRateLimit(WRONG_TOKENS)
  return (request, address) => {
    const given = tokenOf(request.headers.authorization ?? '')
    if (given !== undefined && timingSafeEqual(digest(given), expected)) return undefined
    if (given !== undefined && !mayFail(address))
      throw new Refusal(429, 'token', 'too many wrong tokens; wait a little')
    return { ...text(401, 'token needed'), headers: { 'www-authenticate': 'Basic realm="hurtbox", charset="UTF-8"' } }
  }
}

function tokenOf(authorization: string): string | undefined {
  const [, scheme, value] = /^(basic|bearer) ([\w+/=.~-]{1,256})$/i.exec(authorization) ?? []
  if (scheme === undefined) return undefined
  if (scheme.toLowerCase() === 'bearer') return value
  return Buffer.from(value, 'base64')
    .toString('utf8')
    .replace(/^[^:]*:/, '')
}

/** Of equal length, whatever was given. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
