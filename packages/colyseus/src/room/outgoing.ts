/**
 * What a room sends: each tick it takes what the host has for each client, and sends it when it may be told.
 *
 * A client that does not keep up, or sends nonsense, gets nothing more: the reason is found here, and the room cuts it.
 */

import { NETCODE } from '@hurtbox/netcode'
import type { Host, Peer } from '@hurtbox/netcode/host'
import type { RoomConfig, Traffic } from '../config.ts'
import { sendMessage } from '../delivery.ts'
import type { CutReason } from '../guard.ts'
import { sendDatagram } from './datagrams.ts'
import type { GameClient, Guest } from './guest.ts'

export type Addressed = {
  readonly guest: Guest
  readonly client: GameClient
  readonly peer: Peer
  readonly bytes: Uint8Array
}

const QUEUE_BYTES = 1 << 19
const BEHIND_SECONDS = 10
const MALFORMED = 100

/** The peer of a guest that takes part in the match now. */
export function activePeer(host: Host, { peer, isCut }: Guest): Peer | undefined {
  return isCut || peer === undefined || !host.peers.has(peer) ? undefined : peer
}

/** Why a guest must go, if it must. */
export function reasonToCut(host: Host, guest: Guest, peer: Peer, config: RoomConfig): CutReason | undefined {
  const { limits = {}, game } = config
  // A guest that has not sent anything yet counts as behind since its welcome.
  const behind = host.world.tick - Math.max(peer.received, guest.welcomedAt)
  const isBehind = behind > (limits.behindSeconds ?? BEHIND_SECONDS) * game.declaration.tickRate
  if (isBehind || (guest.queue?.bufferedAmount ?? 0) > (limits.queueBytes ?? QUEUE_BYTES)) return 'slow'
  return peer.counts.malformed > (limits.malformed ?? MALFORMED) ? 'malformed' : undefined
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
  if (sendDatagram(room, client, peer, bytes)) return
  sendMessage(client, NETCODE, bytes)
  room.traffic.bytesOut += bytes.length
  room.traffic.messagesOut++
}
