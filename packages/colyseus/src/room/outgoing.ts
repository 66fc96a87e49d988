/**
 * What a room sends: each tick it takes what the host has for each client, and sends it when it may be told.
 *
 * What waits for a client is bounded. One that says nothing is away and is sent nothing more (`presence.ts`). One for whom too much waits
 * all the same loses its connection, not its seat. A client that sends nonsense, or speaks and is behind for long, is cut.
 */

import { NETCODE, SEAT_SECONDS } from '@hurtbox/netcode'
import type { Host, Peer } from '@hurtbox/netcode/host'
import type { RoomConfig, Traffic } from './config.ts'
import type { RoomCore } from './core.ts'
import { sendDatagram } from './datagrams.ts'
import { sendMessage } from './delivery.ts'
import type { CutReason } from './guard.ts'
import type { GameClient, Guest } from './guest.ts'

export type Addressed = {
  readonly guest: Guest
  readonly client: GameClient
  readonly peer: Peer
  readonly bytes: Uint8Array
}

const QUEUE_BYTES = 1 << 19
/** A client has read what waited for it when so much of the bound is left. */
const READ_SHARE = 1 / 32
const MALFORMED = 100

/** The peer of a guest that takes part in the match now. */
export function activePeer(host: Host, { peer, isCut }: Guest): Peer | undefined {
  return isCut || peer === undefined || !host.peers.has(peer) ? undefined : peer
}

/** How long a seat is kept while its player is away, seconds. Where nobody else waits for the seat, longer. */
export function seatSecondsOf({ seatSeconds, game }: RoomConfig, isPrivate: boolean): number {
  const isForFriends = isPrivate || game.declaration.seats.max === 1
  return seatSeconds ?? (isForFriends ? 2 * SEAT_SECONDS : SEAT_SECONDS)
}

/** Why a guest must go, if it must: its seat is not kept for it. */
export function reasonToCut(
  { host, config, seatSeconds }: Pick<RoomCore, 'host' | 'config' | 'seatSeconds'>,
  guest: Guest,
  peer: Peer,
): CutReason | undefined {
  const { limits = {} } = config
  if (secondsBehind(host, guest, peer) > (limits.behindSeconds ?? seatSeconds)) return 'slow'
  return peer.counts.malformed > (limits.malformed ?? MALFORMED) ? 'malformed' : undefined
}

/** Whether more waits for a guest than may: its connection ends, its seat is kept. */
export function isQueueFull(guest: Guest, config: RoomConfig): boolean {
  return waitingShare(guest, config) > 1
}

/** Whether a guest has read what it was sent. Until then it is not welcomed again. */
export function hasRead(guest: Guest, config: RoomConfig): boolean {
  return waitingShare(guest, config) <= READ_SHARE
}

/** A guest that has not sent anything yet counts as behind since its welcome. */
export function secondsBehind({ world, game }: Host, { welcomedAt }: Guest, { received }: Peer): number {
  return (world.tick - Math.max(received, welcomedAt)) / game.declaration.tickRate
}

/** What waits for a guest, as a part of what may. */
export function waitingShare({ queue }: Guest, { limits = {} }: RoomConfig): number {
  return (queue?.bufferedAmount ?? 0) / (limits.queueBytes ?? QUEUE_BYTES)
}

type SendingRoom = { readonly host: Host; readonly traffic: Traffic }

/** Sends what the host has for a guest. */
export function sendOutbox(room: SendingRoom, guest: Guest, peer: Peer): void {
  const { outbox } = peer
  for (let i = 0; i < outbox.length; i++) send(room, guest.client!, peer, outbox[i])
  // Setting its length calls into the runtime, and this is done for every client in every tick.
  while (outbox.length > 0) outbox.pop()
}

/** Takes what the host has for a guest, to be sent later. */
export function takeOutbox(guest: Guest, peer: Peer, messages: Addressed[]): void {
  for (const bytes of peer.outbox) messages.push({ guest, client: guest.client!, peer, bytes })
  peer.outbox.length = 0
}

export function sendAll(room: SendingRoom, messages: readonly Addressed[]): void {
  for (const { guest, client, peer, bytes } of messages) {
    // It may have left while this was waiting for the log.
    if (activePeer(room.host, guest) === peer) send(room, client, peer, bytes)
  }
}

function send(room: SendingRoom, client: GameClient, peer: Peer, bytes: Uint8Array): void {
  if (peer.path === 'datagram' && sendDatagram(room, client, bytes)) return
  sendMessage(client, NETCODE, bytes)
  room.traffic.bytesOut += bytes.length
  room.traffic.messagesOut++
}
