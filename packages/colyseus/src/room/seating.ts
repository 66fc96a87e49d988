/**
 * Who sits where: the guests of a room, and who has played in the match.
 *
 * A seat outlives its connection. A guest whose connection is lost keeps its place here and its peer at the host, suspended, until it
 * comes back or gives up.
 */

import { ServerError } from '@colyseus/core'
import { SPECTATOR } from '@hurtbox/netcode'
import type { SeatRecord } from '@hurtbox/netcode/host'
import { addPeer, bringAlong, type Host, removePeer, suspendPeer } from '@hurtbox/netcode/host'
import { closeLane } from '../datagrams/lanes.ts'
import type { MatchPlayer } from './config.ts'
import type { Guest } from './guest.ts'

export type Seating = {
  /** All that have a place here, also those whose connection is lost. */
  readonly guests: Set<Guest>
  /** Who has played in this match. */
  players: MatchPlayer[]
  /** What those are told who come back to a seat that is not theirs any more, by hashes of their tokens: the last ones. */
  readonly farewells: Map<string, string>
}

const MAX_FAREWELLS = 512

export function createSeating(): Seating {
  return { guests: new Set(), players: [], farewells: new Map() }
}

/** Takes a seat for a guest, but sends nothing yet: Colyseus queues without bound until the handshake is finished. */
export function keepSeat(seating: Seating, host: Host, guest: Guest): void {
  guest.peer = undefined
  if (guest.seat === SPECTATOR) return
  goOnWith(seating, host, guest)
  if (guest.data !== undefined) bringAlong(host, guest.seat, guest.data)
}

/** A player who has joined this match already, in the process before. */
export function goOnWith({ players }: Seating, host: Host, guest: Guest): void {
  takeBack(host, guest)
  players.push({ seat: guest.seat, id: guest.id, name: guest.name, leftAt: undefined })
}

/** The seat was kept: nothing of the match changes. */
export function takeBack(host: Host, guest: Guest): void {
  guest.peer = addPeer(host, guest.seat, guest.mode)
  suspendPeer(host, guest.peer)
}

/**
 * The seat that a player has lost and not given up yet, by its account: it comes back from a page that was loaded anew. Who
 * still plays here cannot play twice.
 */
export function lostSeatOf({ guests }: Seating, id: string): number | undefined {
  const before = id === '' ? undefined : [...guests].find((guest) => guest.id === id && guest.seat !== SPECTATOR)
  if (before === undefined) return undefined
  if (before.isConnected) throw new ServerError(409, 'You are in this match already.')
  guests.delete(before)
  return before.seat
}

/** A guest leaves and will not come back. Returns whether it had a place. */
export function dismiss({ guests, players, farewells }: Seating, host: Host, guest: Guest): boolean {
  if (!guests.delete(guest)) return false
  for (const token of guest.tokens) farewells.set(token, guest.farewell)
  for (const token of farewells.keys()) if (farewells.size > MAX_FAREWELLS) farewells.delete(token)
  closeLane(guest.lane)
  if (guest.peer !== undefined) removePeer(host, guest.peer)
  const player = players.find(({ seat, leftAt }) => seat === guest.seat && leftAt === undefined)
  if (player !== undefined) player.leftAt = host.world.tick
  return true
}

/** Players with a seat, also those whose connection is lost and may come back. */
export function playerCount({ guests }: Seating): number {
  let count = 0
  for (const { seat } of guests) if (seat !== SPECTATOR) count++
  return count
}

/** Whether all players who are here want another match. */
export function wantRematch({ guests }: Seating): boolean {
  const here = [...guests].filter(({ seat, isConnected, isAway }) => seat !== SPECTATOR && isConnected && !isAway)
  return here.every(({ wantsRematch }) => wantsRematch)
}

/** Who holds which seat, for the store. */
export function seatRecords({ guests }: Seating): SeatRecord[] {
  return [...guests].flatMap(({ sessionId, seat, mode, name, id, data, tokens }): SeatRecord[] =>
    seat === SPECTATOR ? [] : [{ sessionId, seat, mode, name, id, data, tokens }],
  )
}
