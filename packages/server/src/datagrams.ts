/**
 * Datagrams for `serve`, where they were asked for.
 *
 * Settings are checked before anything starts: with a wrong address no player would get a path, and nothing would say why. The package for
 * them is optional, so a server without it says so and goes on with sockets; a port that is taken is refused like that of the server.
 */

import { isIP } from 'node:net'
import { type Datagrams, startDatagrams } from '@hurtbox/colyseus'
import { HurtboxError } from 'hurtbox'

export type DatagramSettings = {
  readonly udpPort?: number
  readonly publicAddress?: string
  readonly ice?: readonly string[]
}

/** `onState` is told when datagrams come or go, with the reason. Resolves to undefined where there are none. */
export async function datagramsOf(
  { udpPort, publicAddress, ice = [] }: DatagramSettings,
  host: string,
  onState: (isReady: boolean, problem?: string) => void,
): Promise<Datagrams | undefined> {
  const publicIp = publicAddress === undefined ? undefined : ipOf(publicAddress)
  for (const server of ice) requireIceServer(server)
  if (udpPort === undefined) {
    if (ice.length > 0) throw refusal('ICE servers are for datagrams. Give their port too: udpPort, or --udp-port.')
    return undefined
  }
  let reason = ''
  const started = await startDatagrams({
    port: udpPort,
    host,
    iceServers: ice,
    ...(publicIp !== undefined && { publicAddress: publicIp }),
    onState: (isReady, problem) => {
      reason = problem ?? ''
      onState(isReady, isMissing(reason) ? 'node-datachannel is not installed: npm install node-datachannel' : problem)
    },
  })
  if (started !== undefined || isMissing(reason)) return started
  throw refusal(`There are no datagrams on UDP port ${udpPort}: ${reason}. Take another port, or leave udpPort out.`)
}

/** The package, or its native part for this machine. */
function isMissing(reason: string): boolean {
  return /^Cannot find (package|module)/.test(reason)
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
