/**
 * Datagrams for `serve`.
 *
 * Settings are checked before anything starts: with a wrong address no player would get a path, and nothing would say why.
 */

import { isIP } from 'node:net'
import { type Datagrams, type Stack, startDatagrams } from '@hurtbox/datagrams'
import { HurtboxError } from 'hurtbox'
import { isLoopback } from './addresses.ts'
import type { Logger } from './log.ts'

/** Whose WebRTC carries datagrams, or that there are none. */
export type Udp = Stack | 'off'
const UDP: readonly Udp[] = ['own', 'native', 'off']

export type DatagramSettings = {
  readonly udp?: Udp
  readonly udpPort?: number
  readonly publicAddress?: string
  readonly ice?: readonly string[]
  readonly proxies?: number
}

/**
 * Whether a UDP port is to be opened. Beyond loopback only when it is asked for, because one port is shared by all players and strangers
 * reach it. Behind proxies the addresses of this machine are of no use to clients.
 */
export function hasDatagrams(settings: DatagramSettings, host: string): boolean {
  const { udp, proxies = 0 } = settings
  return udp !== 'off' && (isAskedFor(settings) || (isLoopback(host) && proxies === 0))
}

/** What is asked for must be had. */
export function isAskedFor({ udp, udpPort }: DatagramSettings): boolean {
  return udp !== 'off' && (udp !== undefined || udpPort !== undefined)
}

/** An error says what is wrong with them. */
export function requireDatagramSettings(settings: DatagramSettings, host: string): void {
  const { udp, udpPort, publicAddress, ice = [] } = settings
  if (udp !== undefined && !UDP.includes(udp)) throw refusal(`udp is one of ${UDP.join(', ')}, not ${udp}.`)
  if (publicAddress !== undefined) ipOf(publicAddress)
  for (const server of ice) requireIceServer(server)
  if (udpPort !== undefined && !(Number.isInteger(udpPort) && udpPort >= 1 && udpPort <= 65_535)) {
    throw refusal(`A UDP port is a whole number from 1 to 65535, not ${udpPort}.`)
  }
  if (ice.length > 0 && !hasDatagrams(settings, host)) {
    throw refusal('ICE servers are for datagrams, which are switched off. Name a UDP port: udpPort, or --udp-port.')
  }
}

/** A path beside the sockets, or the reason why there is none. */
export async function openDatagrams(
  { udp, publicAddress, ice = [] }: DatagramSettings,
  { port, host }: { readonly port: number; readonly host: string },
  log: Logger,
): Promise<Datagrams | string> {
  const publicIp = publicAddress === undefined ? undefined : ipOf(publicAddress)
  let reason = ''
  const opened = await startDatagrams({
    ...(udp !== undefined && udp !== 'off' && { stack: udp }),
    port,
    host,
    iceServers: ice,
    ...(publicIp !== undefined && { publicAddress: publicIp }),
    onState(isReady, problem = '') {
      reason = problem
      if (isReady) log.info({ udpPort: port }, 'datagrams are up')
      else log.warn({ udpPort: port, problem }, 'no datagrams: sockets carry everything')
    },
    onError: (error) => log.error({ err: error, udpPort: port }, 'an error has closed a channel of datagrams'),
  })
  return opened ?? reason
}

export function requireOpen(opened: Datagrams | string): Datagrams {
  if (typeof opened !== 'string') return opened
  throw refusal(`Datagrams cannot be had: ${opened}. Take another UDP port, or none: udp: 'off', or --udp off.`)
}

/** The IP address in `host:port` or `host`; undefined where the host is a name. */
function ipOf(publicAddress: string): string | undefined {
  if (isIP(publicAddress) !== 0) return publicAddress
  const [, bracketed, name, port = '1'] = /^(?:\[([^\]]+)\]|([\w.-]+))(?::(\d+))?$/.exec(publicAddress) ?? []
  const host = bracketed ?? name ?? ''
  const isIp = isIP(host) !== 0
  const isName = bracketed === undefined && /[a-z]/i.test(host)
  if ((!isIp && !isName) || Number(port) < 1 || Number(port) > 65_535) {
    throw refusal(
      `The public address is host:port, like 203.0.113.7:2567 or play.example.org:2567, not "${publicAddress}".`,
    )
  }
  return isIp ? host : undefined
}

/** As browsers take them: they refuse a connection for a server that they cannot read, and a TURN server without name and password. */
function requireIceServer(server: string): void {
  const place =
    /^(?:stuns?:|turns?:[^:@\s]+:[^@\s]+@)(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?(?:\?transport=(?:udp|tcp))?$/i
  if (place.test(server)) return
  // It may have a password in it.
  const shown = server.replace(/^(\w+:).*@/, '$1…@')
  throw refusal(
    `An ICE server is stun:host:port or turn:user:password@host:port, not "${shown}". In user and password write : and @ as %3A and %40.`,
  )
}

function refusal(message: string): HurtboxError {
  return new HurtboxError('bad-argument', message)
}
