/**
 * What a room sends: each tick it takes what the host has for each client, and sends it when it may be told.
 *
 * A client that does not keep up, or sends nonsense, gets nothing more: the reason is found here, and the room cuts it.
 */

import type { RoomConfig, Traffic } from '../config.ts'
import { sendMessage } from '../delivery.ts'
import { type CutReason, queuedBytes } from '../guard.ts'
import type { Host, Peer } from '../netcode/host.ts'
import { NETCODE } from '../netcode/protocol.ts'
import { sendDatagram } from './datagrams.ts'
import type { GameClient } from './guest.ts'

export type Addressed = { readonly client: GameClient; readonly peer: Peer; readonly bytes: Uint8Array }

const QUEUE_BYTES = 1 << 19
const BEHIND_SECONDS = 10
const MALFORMED = 100

/** The peer of a client that takes part in the match now. */
export function activePeer(host: Host, { userData: guest }: GameClient): Peer | undefined {
  const peer = guest?.peer
  return guest === undefined || guest.isCut || peer === undefined || !host.peers.has(peer) ? undefined : peer
}

/** Why a client must go, if it must. */
export function reasonToCut(host: Host, client: GameClient, peer: Peer, config: RoomConfig): CutReason | undefined {
  const { limits = {}, game } = config
  // A guest that has not sent anything yet counts as behind since its welcome.
  const behind = host.world.tick - Math.max(peer.received, client.userData!.welcomedAt)
  const isBehind = behind > (limits.behindSeconds ?? BEHIND_SECONDS) * game.declaration.tickRate
  if (isBehind || queuedBytes(client) > (limits.queueBytes ?? QUEUE_BYTES)) return 'slow'
  return peer.counts.malformed > (limits.malformed ?? MALFORMED) ? 'malformed' : undefined
}

/** Takes what the host has for a client. */
export function takeOutbox(client: GameClient, peer: Peer, messages: Addressed[]): void {
  for (const bytes of peer.outbox) messages.push({ client, peer, bytes })
  peer.outbox.length = 0
}

export function sendAll(
  room: { readonly host: Host; readonly traffic: Traffic },
  messages: readonly Addressed[],
): void {
  const { host, traffic } = room
  for (const { client, peer, bytes } of messages) {
    // It may have left while this was waiting for the log.
    if (activePeer(host, client) !== peer || sendDatagram(room, client, peer, bytes)) continue
    sendMessage(client, NETCODE, bytes)
    traffic.bytesOut += bytes.length
    traffic.messagesOut++
  }
}
