/**
 * Datagrams in a room: which messages take the path beside the socket, and which path a guest is heard on.
 *
 * What must arrive takes the socket. The rest takes the path on which the guest was heard last.
 */

import type { Abuse, Datagrams } from '@hurtbox/datagrams'
import { MESSAGES, PATH_DOUBT_MS } from '@hurtbox/netcode'
import { changePath, type Host, type Peer, receive } from '@hurtbox/netcode/host'
import type { DatagramCounts, LaneHandlers } from '../datagrams/lanes.ts'
import { inviteTo, isHeard, noteUnheard, openLane, sendOnLane } from '../datagrams/lanes.ts'
import { ANSWER, INVITATION } from '../datagrams/names.ts'
import type { GameClient, Guest } from './guest.ts'

/** What is needed of the room: its host changes from match to match. */
export type DatagramRoom = { readonly host: Host; readonly traffic: { readonly datagrams: DatagramCounts } }

/** How long a seat whose client sent too much gets no other channel. Not for its whole life: somebody else may have sent it, with a forged address. */
const BARRED_MS = 60_000

/** Offers a path beside the socket to a client that has none. */
export function invite({ traffic }: DatagramRoom, { client, lane }: Guest, service: Datagrams | undefined): void {
  const isFirst = lane.invited === 0
  const invitation = inviteTo(lane, service)
  if (invitation === undefined) return
  if (isFirst) traffic.datagrams.invited++
  client?.send(INVITATION, invitation)
}

/** A client has offered a channel. `onAbuse` is called when the first of its channels is closed because it sent too much. */
export function acceptChannel(
  room: DatagramRoom,
  client: GameClient,
  service: Datagrams | undefined,
  offer: string,
  onAbuse: (seat: number, abuse: Abuse) => void,
): void {
  const guest = client.userData
  if (service === undefined || guest === undefined || guest.isCut || !guest.isConnected) return
  if (performance.now() - guest.abusedAt < BARRED_MS || !guest.mayOffer()) return
  openLane(guest.lane, service, offer, handlersOf(room, client, onAbuse))
}

/**
 * A message came on the socket, and no datagram for a moment: the client does not trust the path. Its probes may still arrive, because
 * it may be our datagrams that get lost. A message that was already on the socket when the client changed to datagrams arrives
 * before that moment is over.
 */
export function heardOnSocket(room: DatagramRoom, { datagramAt }: Guest, peer: Peer): void {
  if (performance.now() - datagramAt >= PATH_DOUBT_MS) leavePath(room, peer)
}

/** A guest whose datagrams have stopped gets everything by its socket. */
export function checkPath(room: DatagramRoom, { lane }: Guest, peer: Peer): void {
  const now = performance.now()
  noteUnheard(lane, room.traffic.datagrams, now)
  if (!isHeard(lane, now)) leavePath(room, peer)
}

function leavePath({ host, traffic }: DatagramRoom, peer: Peer): void {
  if (peer.path !== 'datagram') return
  traffic.datagrams.lost++
  changePath(host, peer, 'stream')
}

/** Sends a message to a client on the path beside its socket, or returns false: then it takes the socket. */
export function sendDatagram(room: DatagramRoom, client: GameClient, bytes: Uint8Array): boolean {
  const isRepeated = bytes[0] === MESSAGES.ticks.kind || bytes[0] === MESSAGES.frame.kind
  // After the last tick nothing is said again.
  if (!isRepeated || room.host.status !== 'running') return false
  return sendOnLane(client.userData!.lane, bytes, { counts: room.traffic.datagrams, match: () => room.host.nonce })
}

function handlersOf(
  room: DatagramRoom,
  client: GameClient,
  onAbuse: (seat: number, abuse: Abuse) => void,
): LaneHandlers {
  return {
    counts: room.traffic.datagrams,
    match: () => room.host.nonce,
    matchBefore: () => room.host.options.nonceBefore,
    answer: (answer) => client.send(ANSWER, answer),
    abused(abuse) {
      const guest = client.userData!
      const isFirst = guest.abusedAt === Number.NEGATIVE_INFINITY
      guest.abusedAt = performance.now()
      if (isFirst) onAbuse(guest.seat, abuse)
    },
    message: (bytes) => {
      const guest = client.userData
      if (guest?.peer === undefined || guest.isCut || !room.host.peers.has(guest.peer)) return
      guest.datagramAt = performance.now()
      guest.heardAt = room.host.world.tick
      receive(room.host, guest.peer, bytes)
      changePath(room.host, guest.peer, 'datagram')
    },
  }
}
