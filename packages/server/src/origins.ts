/**
 * Which pages may talk to the server.
 *
 * A browser lets any page send requests and open sockets to any server, and only names the page (`Origin`). Without a check, a
 * stranger's page could make its visitors' browsers take seats, open rooms, spend the budget of their address, and reach a server
 * that only their machine reaches. So seats, sockets, lists and figures are for our own page, for listed ones, and for programs, which
 * send no `Origin` (they could send any). Files are for everybody: they hold nothing secret, and another page cannot read them.
 *
 * Our own page is one that came from where it sends its requests. That is so when
 * - the host of its origin is the `Host` of the request (or what a trusted proxy forwards as such), or
 * - it has https, and the browser says `Sec-Fetch-Site: same-origin`, which no page can forge. This works behind proxies that do not pass
 *   `Host` on. Chromium sends no such header with a socket; there the seat must have been reserved by the same page, or
 * - it comes from the host of our public address.
 *
 * A stranger can let a name of his own point at us (DNS rebinding): then his page has our address, and the first rule is no
 * protection. Where everybody reaches us, it gives him nothing that he could not have by asking himself: no cookie or other
 * permission comes with a request, and browsers keep the password of the monitor for the name it was typed under. A server that listens on
 * a loopback address is different: only its own machine reaches it, and a stranger's page in a browser of that machine. Such a server takes names
 * only when they are listed, or when a trusted proxy stands in front. The second rule stands there too: nobody has a certificate
 * for a name that is not his.
 */

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { isIP, isIPv6 } from 'node:net'
import { HurtboxError } from 'hurtbox'
import { isLoopback } from './addresses.ts'
import { readPublicAddress } from './public-address.ts'

export type OriginSettings = {
  /** Origins that the operator lists. */
  readonly listed: readonly string[]
  /** Where clients reach us, as `readPublicAddress` takes it. Pages of that host are our own, whatever their port: processes side by side differ in it. */
  readonly publicAddress?: string | undefined
  /** How many proxies of the operator stand in front. */
  readonly proxies: number
  /** Whether pages of other ports of the player's own machine may talk, too: for a server that only this machine reaches. */
  readonly localPages: boolean
  /** Whether other machines reach the address that the server listens on. */
  isExposed(): boolean
  /** Gets a sentence about each page that was refused, once. */
  warn(sentence: string): void
}

export type Origins = {
  /** `reservedBy` is the origin of the page that reserved the seat for which a socket comes. */
  isAllowed(request: IncomingMessage, reservedBy?: string): boolean
  /** Why a page is refused and what cures it, for the answer; the log gets it once for each page. */
  refuse(request: IncomingMessage): string
  /** For the `connect-src` of a content security policy: where our own page may connect to besides here. */
  readonly sources: readonly string[]
}

/** So many pages are told of in the log; anybody can make up more. */
const MAX_TOLD = 64
const MAX_SHOWN = 200

export function createOrigins(settings: OriginSettings): Origins {
  const { proxies, localPages } = settings
  const listed = new Set(settings.listed.map(requireOrigin))
  const publicName = nameOf(settings.publicAddress)
  const told = new Set<string>()
  return {
    isAllowed({ headers }, reservedBy) {
      const { origin } = headers
      if (origin === undefined || listed.has(origin) || origin === reservedBy) return true
      const page = readOrigin(origin)
      if (page === undefined) return false
      if (page.hostname === publicName || (localPages && isLoopback(page.hostname))) return true
      if (page.protocol === 'https:' && headers['sec-fetch-site'] === 'same-origin') return true
      const takesNames = settings.isExposed() || proxies > 0
      if (!takesNames && !isFixed(page.hostname)) return false
      return hostsOf(headers, proxies).some((host) => isAt(page, host, proxies))
    },
    refuse({ headers }) {
      const sentence = refusalOf(headers, proxies)
      if (told.size < MAX_TOLD && !told.has(sentence)) {
        told.add(sentence)
        settings.warn(sentence)
      }
      return sentence
    },
    sources: [
      ...[...listed].flatMap((origin) => [origin, origin.replace(/^http/, 'ws')]),
      // A policy knows no IPv6 addresses.
      ...(publicName === undefined || publicName.startsWith('[') ? [] : [`${publicName}:*`]),
    ],
  }
}

/** Hosts by which the client may have reached us. */
function hostsOf(headers: IncomingHttpHeaders, proxies: number): string[] {
  const forwarded = proxies === 0 ? '' : [headers['x-forwarded-host']].flat().join()
  return [headers.host ?? '', ...forwarded.split(',')].map((host) => host.trim()).filter((host) => host !== '')
}

/** Whether the page is of this host. Proxies leave the port out (`$host` in nginx): then it does not count. */
function isAt(page: URL, host: string, proxies: number): boolean {
  const here = URL.parse(`${page.protocol}//${host}`)
  if (here === null) return false
  return here.host === page.host || (proxies > 0 && !/:\d+$/.test(host) && here.hostname === page.hostname)
}

/** Whether nobody can point the name at us: an address, or one that browsers keep for this machine. */
function isFixed(hostname: string): boolean {
  return isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 || /(^|\.)localhost$/.test(hostname)
}

function refusalOf(headers: IncomingHttpHeaders, proxies: number): string {
  const origin = headers.origin ?? ''
  const page = readOrigin(origin)?.origin
  if (page === undefined || page.length > MAX_SHOWN) {
    return 'a page that has no address of its own was refused (a file, or a frame in a sandbox); open it from a server'
  }
  const isForwarded = 'x-forwarded-for' in headers || 'x-forwarded-host' in headers || 'via' in headers
  const proxy = proxies === 0 && isForwarded ? ', or --proxies 1 (PROXIES=1) if a proxy of yours passes it on' : ''
  return `a page at ${page} was refused; if it is yours: --origin ${page} (ORIGINS=${page})${proxy}`
}

function readOrigin(text: string): URL | undefined {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) ? url : undefined
}

/** The host of the public address, as in an origin. */
function nameOf(address: string | undefined): string | undefined {
  if (address === undefined) return undefined
  const { host } = readPublicAddress(address)
  return URL.parse(`http://${isIPv6(host) ? `[${host}]` : host}`)?.hostname
}

function requireOrigin(text: string): string {
  const url = readOrigin(text)
  if (url !== undefined && url.origin === text.replace(/\/$/, '')) return url.origin
  throw new HurtboxError('bad-argument', `An origin is like https://play.example.org, got ${text}.`, { origin: text })
}
