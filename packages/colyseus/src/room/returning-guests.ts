/**
 * How Colyseus is told that a guest may come back.
 *
 * Colyseus knows one token of each lost seat, in the process where it was lost, and wants it in the address of the socket. Ours are longer,
 * known before they are sent, and also valid in the process that took the match over; and what comes in the address is a ticket, good
 * once. Only the socket takes a seat from a connection that stands: a client that doubts its connection may ask first.
 */

import { randomBytes } from 'node:crypto'
import { CloseCode, type Room } from '@colyseus/core'
import { maySay } from '@hurtbox/netcode/host'
import type { RoomCore } from './core.ts'
import type { GameClient, Guest, RoomTypes } from './guest.ts'
import { countJoin, lostSeatsOf, skipHandshake, socketOf } from './private-members.ts'
import { hashToken, readClaim, seatOfToken } from './tokens.ts'

/** Answers to a client that asks for its seat: there is no way back, or not for this page. */
const GONE = 410
const CONFLICT = 409
const LATER = 503
/** Questions of one client that may be answered and not used. */
const MAX_TICKETS = 8

/** The seat is there, or why it is not. Plain data: it may be asked from another process. */
export type ClaimAnswer = { readonly sessionId: string } | { readonly code: number; readonly message: string }

/** A client asks for its seat. Nothing happens to any connection yet: it may ask several times, and not come. */
export function answerClaim(core: RoomCore, text: unknown): ClaimAnswer {
  const { room, seating, seatSeconds } = core
  const { token, ticket, isNewPage } = readClaim(text)
  const guest = seatOfToken(seating.guests, token)
  if (guest === undefined) {
    return { code: GONE, message: seating.farewells.get(hashToken(token)) ?? 'the match does not know your seat' }
  }
  if (guest.isCut) return { code: GONE, message: guest.farewell }
  // A tab that was duplicated has the token of the first one, which plays on.
  if (isNewPage && guest.isConnected) return { code: CONFLICT, message: 'your seat is played in another tab' }
  // It doubts its connection because nothing comes; but nothing may be said.
  const { keeper } = core
  if (guest.isConnected && keeper !== undefined && !maySay(keeper))
    return { code: LATER, message: 'nothing can be said now' }
  if (guest.isAwaited) awaitGuest(room, guest, seatSeconds)
  guest.cameWith = token
  guest.tickets = [...guest.tickets, ticket].slice(-MAX_TICKETS)
  return { sessionId: guest.sessionId }
}

/** A client comes with a ticket: whoever still stands on the seat makes room. Colyseus then finds the seat under the ticket. */
export function useTicket({ room, seating }: RoomCore, sessionId: string, ticket: unknown): void {
  const guest = [...seating.guests].find((each) => each.sessionId === sessionId)
  if (guest === undefined || typeof ticket !== 'string' || !guest.tickets.includes(ticket)) return
  guest.tickets = []
  const standing = room.clients.find(({ userData }) => userData === guest)
  if (standing !== undefined) {
    room.kickClient(sessionId, CloseCode.WITH_ERROR)
    // Colyseus closes it later, and not at all when the seat has its new connection by then.
    socketOf(standing).close(CloseCode.WITH_ERROR, 'your seat has a new connection')
  }
  const lost = lostSeatsOf(room)
  const known = Object.keys(lost).find((each) => lost[each][0] === sessionId)
  if (known !== undefined) lost[ticket] = lost[known]
}

/** A seat of a match that was taken over: as if its connection had been lost here. */
function awaitGuest(room: Room<RoomTypes>, guest: Guest, seconds: number): void {
  // Colyseus remembers a seat by this; asked again, it does nothing.
  const before = { sessionId: guest.sessionId, reconnectionToken: `awaited ${guest.sessionId}`, userData: guest }
  room.allowReconnection(before as unknown as GameClient, seconds).catch(() => {})
}

/** A guest is back. */
export function welcomeBack(room: Room<RoomTypes>, client: GameClient): void {
  const guest = client.userData!
  // Colyseus counts those that come and go. It has not seen this one come.
  if (guest.isAwaited) countJoin(room, client)
  guest.isAwaited = false
  forgetLost(room, guest)
}

/** Colyseus removes a lost seat under one of the names it has. */
export function forgetLost(room: Room<RoomTypes>, { sessionId }: Guest): void {
  const lost = lostSeatsOf(room)
  for (const name of Object.keys(lost)) if (lost[name][0] === sessionId) delete lost[name]
}

/** Lets a guest whose connection is lost come back. Not awaited: the room is told by `onReconnect` or `onLeave`. */
export function letReturn(room: Room<RoomTypes>, client: GameClient, seconds: number): void {
  // Colyseus would give up the seat of a client that has not finished the handshake. But it may have its token.
  skipHandshake(client)
  room.allowReconnection(client, seconds).catch(() => {})
}

/** 128 bits, and new ones with every connection; Colyseus' own have 54. */
export function renewToken(client: GameClient): void {
  const guest = client.userData!
  client.reconnectionToken = randomBytes(16).toString('base64url')
  guest.tokens = [client.reconnectionToken, guest.cameWith].flatMap((token) => (token ? [hashToken(token)] : []))
}

/** The client has its new token, so the one before is good no more. Returns whether there was one. */
export function settleToken(guest: Guest): boolean {
  if (guest.tokens.length < 2) return false
  guest.cameWith = undefined
  guest.tokens = guest.tokens.slice(0, 1)
  return true
}
