/**
 * Where players reach this process: host, port and path as they are outside, which may differ from those it listens on.
 *
 * It is told to clients of several processes, makes pages of its host our own, and is where datagrams are tried. One that players cannot reach
 * would only show as players who cannot join, so it is refused before anything starts.
 */

import { isIP, isIPv6 } from 'node:net'
import { HurtboxError } from 'hurtbox'
import { isLoopback } from './addresses.ts'

export type PublicAddress = {
  /** A name or an IP address, IPv6 without brackets. */
  readonly host: string
  readonly port: number | undefined
  /** Below which a proxy has put us: '' or like '/game', without a slash at the end. */
  readonly path: string
}

/** Who is to reach it. */
export type Reach = {
  /** The address that is listened on. */
  readonly host: string
  readonly proxies?: number
  readonly redisUrl?: string
  readonly publicAddress?: string
}

/** Reads `host`, `host:port`, `host:port/path`, or the address of the page: `https://host/path/`. */
export function readPublicAddress(text: string): PublicAddress {
  if (isIP(text) !== 0) return { host: text, port: undefined, path: '' }
  const form = /^(?:(?:https?|wss?):\/\/)?(?:\[([^\]]+)\]|([\w.-]+))(?::(\d{1,5}))?((?:\/[\w.~%-]+)*)\/?$/i
  const [, bracketed, name, port, path = ''] = form.exec(text) ?? []
  const host = requireHost(bracketed, name)
  if (host === undefined || (port !== undefined && !isPort(Number(port)))) {
    throw refusal(
      `The public address is host:port, like 203.0.113.7:2567 or play.example.org:2567, or that of the page, like https://example.org/game/, not "${text}".`,
    )
  }
  return { host, port: port === undefined ? undefined : Number(port), path }
}

/** `host:port` of a UDP port; the number may be left out where it is `ownPort`. */
export function readUdpAddress(text: string, ownPort: number): { readonly host: string; readonly port: number } {
  if (isIP(text) !== 0) return { host: text, port: ownPort }
  const [, bracketed, name, port = ownPort] = /^(?:\[([^\]]+)\]|([\w.-]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  const host = requireHost(bracketed, name)
  if (host !== undefined && isPort(Number(port))) return { host, port: Number(port) }
  throw refusal(`A UDP address is host:port, like 203.0.113.7:2567 or [2001:db8::7]:2567, not "${text}".`)
}

/** As Colyseus tells it to clients: they put `wss://` before it and the room behind. */
export function writePublicAddress({ host, port, path }: PublicAddress): string {
  return `${isIPv6(host) ? `[${host}]` : host}${port === undefined ? '' : `:${port}`}${path}`
}

/** Clients of several processes are sent to where this one says it is. That must be somewhere, and elsewhere than on their own machine. */
export function requireReachable({ host, proxies = 0, redisUrl, publicAddress }: Reach): void {
  const isElsewhere = !isLoopback(host) || proxies > 0
  if (publicAddress !== undefined) {
    requireElsewhere('public address', '--public-address play.example.org:2567', publicAddress, {
      ...readPublicAddress(publicAddress),
      isElsewhere,
    })
  } else if (redisUrl !== undefined && (isEverywhere(host) || (isLoopback(host) && isElsewhere))) {
    throw refusal(
      `With REDIS_URL and ${host}${proxies > 0 ? ' behind a proxy' : ''}, give the address at which clients reach this process: publicAddress, or --public-address (host:port).`,
    )
  }
}

/** `localhost` is taken: who writes it means this machine. Its numbers are what is left over from a file of somebody's own machine. */
export function requireElsewhere(
  what: string,
  cure: string,
  text: string,
  { host, isElsewhere }: { readonly host: string; readonly isElsewhere: boolean },
): void {
  if (isEverywhere(host)) throw refusal(`${text} is no address that one can go to. Give the ${what}: ${cure}.`)
  if (!isElsewhere || host === 'localhost' || !isLoopback(host)) return
  throw refusal(
    `The ${what} ${text} is each player's own machine, not this one. Give the one they reach: ${cure}. To try it on this machine alone write localhost.`,
  )
}

function isEverywhere(host: string): boolean {
  return host === '0.0.0.0' || host === '::'
}

function requireHost(bracketed: string | undefined, name: string | undefined): string | undefined {
  if (bracketed !== undefined) return isIPv6(bracketed) ? bracketed : undefined
  // Digits and dots that are no IPv4 address are a mistake, and no name.
  return name !== undefined && (isIP(name) !== 0 || /[a-z]/i.test(name)) ? name : undefined
}

function isPort(port: number): boolean {
  return Number.isInteger(port) && port >= 1 && port <= 65_535
}

function refusal(message: string): HurtboxError {
  return new HurtboxError('bad-argument', message)
}
