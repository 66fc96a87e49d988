/**
 * Datagrams for `serve`.
 *
 * Settings are checked before anything starts: with a wrong address no player would get a path, and nothing would say why.
 */

import { isIPv6 } from 'node:net'
import { type Datagrams, type Stack, startDatagrams } from '@hurtbox/datagrams'
import { HurtboxError } from 'hurtbox'
import { isLoopback } from './addresses.ts'
import type { Logger } from './log.ts'
import { readPublicAddress, readUdpAddress, requireElsewhere } from './public-address.ts'
import { createUdpAddresses } from './udp-addresses.ts'

/** Whose WebRTC carries datagrams, or that there are none. */
export type Udp = Stack | 'off'
const UDP: readonly Udp[] = ['own', 'native', 'off']

export type DatagramSettings = {
  readonly udp?: Udp
  readonly udpPort?: number
  readonly udpHost?: string
  readonly udpAddresses?: readonly string[]
  readonly publicAddress?: string
  readonly ice?: readonly string[]
  readonly iceSecret?: string
  readonly proxies?: number
}

/** The port with what people are told about it. */
export type OpenDatagrams = { readonly port: Datagrams; readonly shown: string; close(): void }

/** Whether a UDP port is to be opened. Behind proxies only when it is asked for, because the addresses of this machine are of no use to clients there. */
export function hasDatagrams(settings: DatagramSettings): boolean {
  const { udp, proxies = 0 } = settings
  return udp !== 'off' && (isAskedFor(settings) || proxies === 0)
}

/** What is asked for must be had. */
export function isAskedFor({ udp, udpPort, udpHost, udpAddresses = [] }: DatagramSettings): boolean {
  const isNamed = udpPort !== undefined || udpHost !== undefined || udpAddresses.length > 0
  return udp !== 'off' && (udp !== undefined || isNamed)
}

/** Where UDP is listened on. Proxies take TCP only: behind one, players come to this machine itself, whatever TCP listens on. */
export function udpHostOf({ udpHost, proxies = 0 }: DatagramSettings, host: string): string {
  if (udpHost !== undefined) return udpHost
  return proxies > 0 && isLoopback(host) ? everywhere(host) : host
}

/** An error says what is wrong with them. */
export function requireDatagramSettings(settings: DatagramSettings, host: string): void {
  const { udp, udpPort, udpHost, udpAddresses = [], publicAddress, ice = [], iceSecret, proxies = 0 } = settings
  const isElsewhere = !isLoopback(host) || proxies > 0
  if (udp !== undefined && !UDP.includes(udp)) throw refusal(`udp is one of ${UDP.join(', ')}, not ${udp}.`)
  if (udpPort !== undefined && !(Number.isInteger(udpPort) && udpPort >= 1 && udpPort <= 65_535)) {
    throw refusal(`A UDP port is a whole number from 1 to 65535, not ${udpPort}.`)
  }
  for (const text of udpAddresses) {
    const place = { ...readUdpAddress(text, 1), isElsewhere }
    requireElsewhere('UDP address', '--udp-address 203.0.113.7:2567', text, place)
  }
  if (udpHost !== undefined && isLoopback(udpHost) && isElsewhere && udpAddresses.length === 0) {
    throw refusal(
      `UDP on ${udpHost} is for this machine only, and players are elsewhere: --udp-host ${everywhere(udpHost)}, or an address of this machine.`,
    )
  }
  for (const server of ice) requireIceServer(server, iceSecret)
  if (ice.length > 0 && !hasDatagrams(settings)) {
    throw refusal(
      'ICE servers are for datagrams, which are switched off, or off behind proxies. Name a UDP port: udpPort, or --udp-port.',
    )
  }
  if (publicAddress !== undefined) readPublicAddress(publicAddress)
}

/** A path beside the sockets, or the reason why there is none. */
export async function openDatagrams(
  settings: DatagramSettings,
  { port, host }: { readonly port: number; readonly host: string },
  log: Logger,
): Promise<OpenDatagrams | string> {
  const { udp, ice = [], iceSecret, proxies = 0 } = settings
  const addresses = await createUdpAddresses({
    ...toldBy(settings, port),
    isElsewhere: !isLoopback(host) || proxies > 0,
    log,
  })
  let reason = ''
  const opened = await startDatagrams({
    ...(udp !== undefined && udp !== 'off' && { stack: udp }),
    port,
    host: udpHostOf(settings, host),
    iceServers: ice,
    ...(iceSecret !== undefined && { iceSecret }),
    addresses: addresses.tell,
    onState(isReady, problem = '') {
      reason = problem
      if (isReady) log.info({ udpPort: port }, 'datagrams are up')
      else log.warn({ udpPort: port, problem }, 'no datagrams: sockets carry everything')
    },
    onError: (error) => log.error({ err: error, udpPort: port }, 'an error has closed a channel of datagrams'),
  })
  if (opened === undefined) {
    addresses.stop()
    return reason
  }
  const close = () => {
    addresses.stop()
    opened.close()
  }
  return { port: opened, shown: addresses.shown, close }
}

export function requireOpen(opened: OpenDatagrams | string): OpenDatagrams {
  if (typeof opened !== 'string') return opened
  throw refusal(`Datagrams cannot be had: ${opened}. Take another UDP port, or none: udp: 'off', or --udp off.`)
}

function toldBy({ udpAddresses = [], publicAddress }: DatagramSettings, port: number) {
  if (udpAddresses.length > 0) return { given: udpAddresses.map((text) => readUdpAddress(text, port)), tellsOwn: false }
  const given = publicAddress === undefined ? [] : [{ host: readPublicAddress(publicAddress).host, port }]
  return { given, tellsOwn: true }
}

function everywhere(host: string): string {
  return isIPv6(host.replace(/^\[|\]$/g, '')) ? '::' : '0.0.0.0'
}

/** As browsers take them: they refuse a connection for a server that they cannot read, and a TURN server without name and password. */
function requireIceServer(server: string, secret: string | undefined): void {
  if (/^turns?:/i.test(server) && !server.includes('@') && secret === undefined) {
    throw refusal(
      `Set ICE_SECRET, the secret that you share with ${server}, so that each client gets a password of its own; or name user and password: turn:user:password@host:port.`,
    )
  }
  const place =
    /^(?:stuns?:|turns?:(?:[^:@\s]+:[^@\s]+@)?)(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?(?:\?transport=(?:udp|tcp))?$/i
  if (place.test(server)) return
  // It may have a password in it.
  const shown = server.replace(/^(\w+:).*@/, '$1…@')
  throw refusal(
    `An ICE server is stun:host:port, turn:host:port or turn:user:password@host:port, not "${shown}". In user and password write : and @ as %3A and %40.`,
  )
}

function refusal(message: string): HurtboxError {
  return new HurtboxError('bad-argument', message)
}
