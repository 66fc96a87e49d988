/**
 * Seats that were reserved and not taken yet, by address.
 *
 * A reservation keeps a place in a room until its socket comes, or for some seconds. An address that reserves and never
 * comes would keep others out of a room, so it may have a few at a time. Seats that another process gives away are
 * counted here until they expire: the socket is not ours to see.
 */

import { createHoldings } from './rates.ts'

export type Reservations = {
  /** Takes one of the places of the address; false when it has none left. */
  hold(address: string): boolean
  /** Gives it back: there was no seat after all. */
  release(address: string): void
  /** It became this seat, which counts until it is taken or has expired. `origin` is that of the page that asked. */
  keep(address: string, sessionId: string, origin?: string): void
  /** The page that has reserved the seat. Nobody else knows its session id, so a socket that names it is that page's. */
  originOf(sessionId: string): string | undefined
  /** The seat's socket has come. */
  taken(sessionId: string): void
}

type Waiting = { readonly address: string; readonly origin: string | undefined; readonly timer: NodeJS.Timeout }

export function createReservations(limit: number, expireMs: number): Reservations {
  const holdings = createHoldings(limit)
  const waiting = new Map<string, Waiting>()
  const taken = (sessionId: string) => {
    const seat = waiting.get(sessionId)
    if (seat === undefined) return
    waiting.delete(sessionId)
    clearTimeout(seat.timer)
    holdings.release(seat.address)
  }
  return {
    hold: holdings.hold,
    release: holdings.release,
    keep(address, sessionId, origin) {
      const timer = setTimeout(() => taken(sessionId), expireMs).unref()
      waiting.set(sessionId, { address, origin, timer })
    },
    originOf: (sessionId) => waiting.get(sessionId)?.origin,
    taken,
  }
}
