/**
 * Which pages may talk to the server.
 *
 * A browser lets any page open a WebSocket to any server and only names the page (`Origin`); a server that does not check
 * plays for strangers. Allowed are: our own page, and the origins the operator lists. "Our own page" is one whose origin
 * is the host of the request, but only for hosts that nobody can point at us from outside (addresses and `localhost`):
 * `http://evil.example` may resolve to this machine, and its pages would then be "our own". Names are listed.
 *
 * Programs that are no browsers send no `Origin`. They could send any, so they are let through.
 */

import { isIP } from 'node:net'
import { HurtboxError } from 'hurtbox'
import { isLoopback } from './addresses.ts'

export type Origins = {
  isAllowed(origin: string | undefined, host: string | undefined): boolean
  /** The listed origins, as sources for the `connect-src` of a content security policy. */
  readonly sources: readonly string[]
}

/** With `local`, pages of other ports of the player's own machine may talk, too: for a server that only this machine reaches. */
export function createOrigins(listed: readonly string[], local = false): Origins {
  const allowed = new Set(listed.map(requireOrigin))
  return {
    isAllowed(origin, host) {
      if (origin === undefined || allowed.has(origin)) return true
      if (local && isLoopback(URL.parse(origin)?.hostname ?? '')) return true
      return host !== undefined && isOwnHost(host) && (origin === `http://${host}` || origin === `https://${host}`)
    },
    sources: [...allowed].flatMap((origin) => [origin, origin.replace(/^http/, 'ws')]),
  }
}

function isOwnHost(host: string): boolean {
  const name = host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1')
  return name === 'localhost' || isIP(name) !== 0
}

function requireOrigin(text: string): string {
  const url = URL.parse(text)
  if (url !== null && /^https?:$/.test(url.protocol) && url.origin === text.replace(/\/$/, '')) return url.origin
  throw new HurtboxError('bad-argument', `An origin is like https://play.example.org, got ${text}.`, { origin: text })
}
