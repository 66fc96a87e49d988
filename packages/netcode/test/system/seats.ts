/** What a room keeps about its seats. */

import { addPeer } from '../../src/host/peers.ts'
import { acceptOffer } from '../../src/host/returning.ts'
import type { Line, OwnedRoom } from './parts.ts'

/** Writes down who holds which seat. */
export function keepSeats({ seats, log }: OwnedRoom, done: (error: Error | undefined) => void): void {
  const records = seats.map(({ sessionId, seat, mode, name, id, data, tokens }) => ({
    sessionId,
    seat,
    mode,
    name,
    id,
    data,
    tokens,
  }))
  log.keepSeats(records, done)
}

/** The client at the other end has its new token: the old one is good no more, and it gets its peer. */
export function settleSeat(line: Line, offer: Uint8Array | undefined): void {
  const { room } = line
  const seat = room.seats.find((each) => each.line === line)
  if (seat === undefined || !room.isOpen) return
  seat.tokens = seat.tokens.slice(0, 1)
  keepSeats(room, () => {})
  seat.peer = addPeer(room.host, seat.seat, seat.mode)
  if (offer !== undefined) acceptOffer(room.host, seat.peer, offer)
}
