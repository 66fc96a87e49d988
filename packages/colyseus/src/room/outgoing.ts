/**
 * What a room sends: each tick it takes what the host has for each client, and sends it when it may be told.
 *
 * A page that is hidden or frozen says nothing, and that is no reason to cut it before its seat's time is over. But what waits for it is
 * bounded: a silent client that does not read is sent nothing more, and gets the match anew when it has read what waits. One for whom too
 * much waits all the same loses its connection, not its seat. A client that sends nonsense, or is silent for longer, is cut.
 */

import { NETCODE, SEAT_SECONDS } from '@hurtbox/netcode'
import type { Host, Peer } from '@hurtbox/netcode/host'
import type { RoomConfig, Traffic } from './config.ts'
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
/** A client that is so far behind, with so much of the bound waiting for it, does not read what it is sent. */
const SILENT_SECONDS = 2
const SILENT_SHARE = 1 / 4
/** It has read what waited when so much of the bound is left. */
const READ_SHARE = 1 / 32
const MALFORMED = 100

/** The peer of a guest that takes part in the match now. */
export function activePeer(host: Host, { peer, isCut }: Guest): Peer | undefined {
  return isCut || peer === undefined || !host.peers.has(peer) ? undefined : peer
}

/** How long a seat is kept without a word of its player, seconds. */
export function seatSeconds({ reconnectSeconds = SEAT_SECONDS }: RoomConfig): number {
  return reconnectSeconds
}

/** Why a guest must go, if it must: its seat is not kept for it. */
export function reasonToCut(host: Host, guest: Guest, peer: Peer, config: RoomConfig): CutReason | undefined {
  const { limits = {} } = config
  if (secondsBehind(host, guest, peer) > (limits.behindSeconds ?? seatSeconds(config))) return 'slow'
  return peer.counts.malformed > (limits.malformed ?? MALFORMED) ? 'malformed' : undefined
}

/** Whether more waits for a guest than may: its connection ends, its seat is kept. */
export function isQueueFull(guest: Guest, config: RoomConfig): boolean {
  return waitingShare(guest, config) > 1
}

/**
 * Whether a guest does not read what it is sent: from now on until it has read what waits. One that has not said anything since its welcome may
 * still be reading that.
 */
export function isHeldBack(host: Host, guest: Guest, peer: Peer, config: RoomConfig): boolean {
  const share = waitingShare(guest, config)
  if (guest.isHeldBack) return share > READ_SHARE
  return share > SILENT_SHARE && peer.received > 0 && secondsBehind(host, guest, peer) > SILENT_SECONDS
}

/** A guest that has not sent anything yet counts as behind since its welcome. */
function secondsBehind({ world, game }: Host, { welcomedAt }: Guest, { received }: Peer): number {
  return (world.tick - Math.max(received, welcomedAt)) / game.declaration.tickRate
}

/** What waits for a guest, as a part of what may. */
function waitingShare({ queue }: Guest, { limits = {} }: RoomConfig): number {
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
