/**
 * Who is asking: the key under which requests are counted.
 *
 * The peer of the connection, unless the operator says that there are proxies in front. `X-Forwarded-For` is otherwise
 * just something a client wrote. An IPv6 host has a whole /64 to choose addresses from, so that is what is counted.
 */

import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'
import type { Rate } from './limits.ts'

/** The address to count a request under; `proxies` is how many of our own stand in front of the server. */
export function addressOf(request: IncomingMessage, proxies: number): string {
  const peer = request.socket.remoteAddress ?? ''
  if (proxies === 0) return keyOf(peer)
  // Each proxy appends the peer it saw. The client is what the outermost of ours saw; before it anything may stand.
  const forwarded = [request.headers['x-forwarded-for']].flat().join(',').split(',')
  return keyOf(forwarded.at(-proxies)?.trim() || peer)
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(host)
}

function keyOf(address: string): string {
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

/** Milliseconds that only go forward. */
export type Clock = () => number

const now: Clock = () => performance.now()

/** A token bucket: each call asks for one more and says whether it is granted. */
export function createBucket({ burst, perSecond }: Rate, clock: Clock = now): () => boolean {
  let tokens = burst
  let filledAt = clock()
  return () => {
    const at = clock()
    tokens = Math.min(burst, tokens + ((at - filledAt) / 1000) * perSecond)
    filledAt = at
    if (tokens < 1) return false
    tokens--
    return true
  }
}

/** More addresses than this are not remembered one by one: the one that was quiet longest starts afresh. */
const MAX_KEYS = 10_000

/** A bucket for each key: whether `key` may do it once more. */
export function createRateLimit(rate: Rate, clock: Clock = now): (key: string) => boolean {
  const buckets = new Map<string, () => boolean>()
  return (key) => {
    const bucket = buckets.get(key) ?? createBucket(rate, clock)
    // Entered again, so that the map stays in order of use.
    buckets.delete(key)
    if (buckets.size >= MAX_KEYS) buckets.delete(buckets.keys().next().value!)
    buckets.set(key, bucket)
    return bucket()
  }
}

/** How many of something each key holds at the moment. */
export type Holdings = {
  /** Takes one; false when the key has as many as it may. */
  hold(key: string): boolean
  release(key: string): void
}

export function createHoldings(limit: number): Holdings {
  const held = new Map<string, number>()
  return {
    hold(key) {
      const count = held.get(key) ?? 0
      if (count >= limit) return false
      held.set(key, count + 1)
      return true
    },
    release(key) {
      const count = (held.get(key) ?? 0) - 1
      if (count > 0) held.set(key, count)
      else held.delete(key)
    },
  }
}
