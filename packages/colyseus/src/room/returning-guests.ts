/**
 * How Colyseus is told that a guest may come back.
 *
 * Colyseus knows one token of each lost seat, in the process where it was lost. Ours are longer, known before they are sent, and also
 * valid in the process that took the match over.
 */

import { randomBytes } from 'node:crypto'
import type { Room } from '@colyseus/core'
import type { GameClient, Guest, RoomTypes } from './guest.ts'
import { countJoin, lostSeatsOf, skipHandshake } from './private-members.ts'
import { hashToken } from './tokens.ts'

/** Colyseus knows one token of each seat. The client may have the one before, if it lost the connection on which it got the newest. */
export function expectToken(room: Room<RoomTypes>, guest: Guest, token: string): void {
  const lost = lostSeatsOf(room)
  const known = Object.keys(lost).find((each) => lost[each][0] === guest.sessionId)
  if (known !== undefined && known !== token) {
    lost[token] = lost[known]
    delete lost[known]
  }
  const standing = room.clients.find(({ userData }) => userData === guest)
  if (standing !== undefined) standing.reconnectionToken = token
  guest.cameWith = token
}

/** A seat of a match that was taken over: as if its connection had been lost here. */
export function awaitGuest(room: Room<RoomTypes>, guest: Guest, token: string, seconds: number): void {
  const before = { sessionId: guest.sessionId, reconnectionToken: token, userData: guest }
  room.allowReconnection(before as unknown as GameClient, seconds).catch(() => {})
}

/** A guest is back. */
export function welcomeBack(room: Room<RoomTypes>, client: GameClient): void {
  const guest = client.userData!
  // Colyseus counts those that come and go. It has not seen this one come.
  if (guest.isAwaited) countJoin(room, client)
  guest.isAwaited = false
  delete lostSeatsOf(room)[guest.cameWith ?? '']
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
