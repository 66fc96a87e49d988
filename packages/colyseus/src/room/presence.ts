/**
 * Who is here, and who is away.
 *
 * A page that is hidden or frozen is no attack and no reason to end anything. Its player is away: the room sends it nothing, what is played in
 * its seat says the game, and it is welcomed anew when it speaks. So being away costs a room less than being there. What is bounded is how
 * long a seat is kept like that, and how much may wait for a client that does not read.
 */

import type { Host, Peer } from '@hurtbox/netcode/host'
import { goAway, spentMs, suspendPeer } from '@hurtbox/netcode/host'
import { type RoomCore, refreshRoster } from './core.ts'
import type { Guest } from './guest.ts'
import { secondsBehind, waitingShare } from './outgoing.ts'

/** A client that plays says something at least once a second. */
const SILENT_SECONDS = 2
/** A client that is so far behind, with so much of the bound waiting for it, does not read what it is sent. */
const UNREAD_SHARE = 1 / 4

/** The page of a guest says that it is hidden or frozen, or that it is back. */
export function sayAway(core: RoomCore, guest: Guest, isAway: boolean): void {
  guest.saysAway = isAway
  if (isAway) leaveRoomFor(core, guest)
  else guest.isAway = false
}

/** A message of the match has come. A guest that was silent is here again. */
export function noteHeard({ host }: RoomCore, guest: Guest): void {
  guest.heardAt = host.world.tick
  if (!guest.saysAway) guest.isAway = false
}

/** A guest that takes part in the match and says nothing, or reads nothing, is away. */
export function noteSilence(core: RoomCore, guest: Guest, peer: Peer): void {
  if (isSilent(core.host, guest) || isUnread(core, guest, peer)) leaveRoomFor(core, guest)
}

/** Whether the time is over for which the seat of a guest is kept. */
export function isTimeOver({ seatSeconds }: Pick<RoomCore, 'seatSeconds'>, { absence }: Guest, now: number): boolean {
  return spentMs(absence, now) > seatSeconds * 1_000
}

/** How long its seat is kept for it from now on, seconds. */
export function secondsLeft({ seatSeconds }: Pick<RoomCore, 'seatSeconds'>, { absence }: Guest, now: number): number {
  return seatSeconds - spentMs(absence, now) / 1_000
}

/** One that has said nothing since its welcome may not have got that yet. */
function isSilent({ world, game }: Host, { heardAt }: Guest): boolean {
  return heardAt >= 0 && world.tick - heardAt > SILENT_SECONDS * game.declaration.tickRate
}

/** The same goes for one that has not read it. */
function isUnread({ host, config }: RoomCore, guest: Guest, peer: Peer): boolean {
  return (
    peer.received > 0 && waitingShare(guest, config) > UNREAD_SHARE && secondsBehind(host, guest, peer) > SILENT_SECONDS
  )
}

function leaveRoomFor(core: RoomCore, guest: Guest): void {
  if (guest.isAway) return
  guest.isAway = true
  goAway(guest.absence, core.room.clock.currentTime)
  guest.offer = undefined
  if (guest.peer !== undefined) suspendPeer(core.host, guest.peer)
  refreshRoster(core)
}
