/**
 * Limits of one address before anything is answered: open connections, and requests a second.
 *
 * A connection that pipelines brings thousands of requests in one read, and Node parses all of them whatever we answer. So an
 * address that asks too often loses its HTTP connections at once and is not served for a moment: it costs one read per
 * pause, however many connections it opens. Its WebSockets stay; they have limits of their own.
 */

import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { addressKey, addressOf } from './addresses.ts'
import type { Limits } from './limits.ts'
import { createHoldings, createRateLimit } from './rates.ts'

export type Connections = {
  /** Call for every new connection. Destroys those that are too many. */
  admit(socket: Socket): void
  /** Counts a request. When it is one too many, it and what follows on its connection is not to be served. */
  mayAsk(request: IncomingMessage): boolean
  /** A connection that became a WebSocket: it still counts as open, but is no longer closed with the others. */
  keep(socket: Socket): void
}

/** Time for the answer 429 to leave before the connection is closed. */
const CLOSE_MS = 200

type ConnectionLimits = Pick<Limits, 'connectionsPerAddress' | 'requestsPerAddress' | 'requestPauseMs'>

/** With `proxies` in front connections are theirs: requests are counted by address, connections are not. */
export function createConnections(
  limits: ConnectionLimits,
  proxies: number,
  onRefused: (reason: string) => void,
  clock: () => number = () => performance.now(),
): Connections {
  const holdings = createHoldings(limits.connectionsPerAddress)
  const mayAsk = createRateLimit(limits.requestsPerAddress, clock)
  /** HTTP connections by address; only of those that are open. */
  const open = new Map<string, Set<Socket>>()
  /** Addresses that are not served, and until when. Entries are few: each cost its sender a full bucket. */
  const pausedUntil = new Map<string, number>()

  return {
    admit(socket) {
      if (proxies > 0) return
      const address = addressKey(socket.remoteAddress ?? '')
      const isPaused = isAddressPaused(address)
      if (isPaused || !holdings.hold(address)) {
        onRefused(isPaused ? 'requests' : 'connections')
        socket.destroy()
        return
      }
      const sockets = open.get(address) ?? new Set()
      open.set(address, sockets.add(socket))
      socket.once('close', () => {
        holdings.release(address)
        forget(address, socket)
      })
    },
    mayAsk(request) {
      const address = addressOf(request, proxies)
      if (!isAddressPaused(address) && mayAsk(address)) return true
      onRefused('requests')
      if (proxies === 0) pause(address, request.socket)
      return false
    },
    keep(socket) {
      if (proxies === 0) forget(addressKey(socket.remoteAddress ?? ''), socket)
    },
  }

  function isAddressPaused(address: string): boolean {
    const until = pausedUntil.get(address)
    if (until === undefined) return false
    if (clock() < until) return true
    pausedUntil.delete(address)
    return false
  }

  function pause(address: string, asking: Socket): void {
    if (isAddressPaused(address)) return
    for (const [paused, until] of pausedUntil) if (until <= clock()) pausedUntil.delete(paused)
    pausedUntil.set(address, clock() + limits.requestPauseMs)
    for (const socket of open.get(address) ?? []) {
      if (socket === asking) setTimeout(() => socket.destroy(), CLOSE_MS).unref()
      else socket.destroy()
    }
  }

  function forget(address: string, socket: Socket): void {
    const sockets = open.get(address)
    if (sockets?.delete(socket) && sockets.size === 0) open.delete(address)
  }
}
