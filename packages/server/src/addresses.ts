/**
 * The key under which a client's requests are counted.
 *
 * The peer of the connection, unless the operator says that there are proxies in front. `X-Forwarded-For` is otherwise
 * just something a client wrote. An IPv6 host has a whole /64 to choose addresses from, so that is what is counted.
 */

import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'

/** The address to count a request under; `proxies` is how many of our own stand in front of the server. */
export function addressOf(request: IncomingMessage, proxies: number): string {
  const peer = request.socket.remoteAddress ?? ''
  if (proxies === 0) return addressKey(peer)
  // Each proxy appends the peer it saw. The client is what the outermost of ours saw; before it anything may stand.
  return addressKey(forwardedFor(request).at(-proxies) || peer)
}

/** What proxies, and perhaps the client, have written into `X-Forwarded-For`. */
export function forwardedFor({ headers }: IncomingMessage): string[] {
  const text = [headers['x-forwarded-for']].flat().join(',')
  return text === '' ? [] : text.split(',').map((address) => address.trim())
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(host)
}

/** The key of an address: IPv4 as it is, IPv6 by its /64. */
export function addressKey(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  if (mapped) return mapped[1]
  if (!isIPv6(address)) return address
  const [head, tail = ''] = address.split('::')
  const groups = head.split(':').filter(Boolean)
  if (address.includes('::')) {
    const after = tail.split(':').filter(Boolean)
    while (groups.length + after.length < 8) groups.push('0')
    groups.push(...after)
  }
  return `${groups.slice(0, 4).join(':')}::/64`
}
