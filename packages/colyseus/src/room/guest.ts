/**
 * A guest: somebody who has a place in a room, as a player or a spectator, connected or about to come back.
 *
 * What every tick asks of every client stands here: rooms and clients of Colyseus are slow to ask, because it deletes and redefines
 * properties of theirs, which makes V8 keep them as hash tables.
 */

import type { Client } from '@colyseus/core'
import { createBucket, type Rate } from '@hurtbox/datagrams'
import type { Mode } from '@hurtbox/netcode'
import { type Absence, createAbsence, type Peer, type SeatRecord } from '@hurtbox/netcode/host'
import { createLane, type Lane } from '../datagrams/lanes.ts'
import type { RoomConfig } from './config.ts'
import type { Queue } from './guard.ts'
import type { Identity } from './identity.ts'
import type { Pings } from './pings.ts'
import type { MatchState } from './state.ts'

export type Guest = {
  readonly sessionId: string
  readonly seat: number
  readonly mode: Mode
  readonly name: string
  /** By `auth`; empty for guests without an account. */
  readonly id: string
  readonly data: Identity['data']
  isConnected: boolean
  /** Its connection, the last one if it has none now; undefined for one that has not come yet. */
  client: GameClient | undefined
  /** What waits to be sent on that connection. */
  queue: Queue | undefined
  peer: Peer | undefined
  /** Asked for every message. */
  mayDeliver: () => boolean
  isCut: boolean
  /** Why it will not come back, once that is so: for its player. */
  farewell: string
  /** It says nothing, does not read, or says that nobody looks at its page: it is sent nothing until it speaks, and then welcomed anew. */
  isAway: boolean
  /** Its page said so; then only its page takes it back. */
  saysAway: boolean
  /** What is used up of its seat's time. */
  readonly absence: Absence
  /** When it was let in, in ms of the room's clock: it has some seconds to finish the handshake. */
  since: number
  /** The tick of its welcome, and of its last message since then; −1 for none. */
  welcomedAt: number
  heardAt: number
  /** When it was last welcomed on this connection, in ms of the room's clock; 0 before. */
  greetedAt: number
  /** Hashes of the tokens with which it may come back: the newest, and the one before until the newest has arrived. */
  tokens: readonly string[]
  /** A token is on its way to it, so it may come back. */
  hasToken: boolean
  /** What it may come back with once: made by itself with each question for its seat. */
  tickets: readonly string[]
  /** The token it came back with, until it has the newest. */
  cameWith: string | undefined
  /** It returns, and may offer what it has of the match before it is welcomed; waited for until then, in ms of the room's clock. */
  offerUntil: number
  offer: Uint8Array | undefined
  /** Its datagrams, where the room has any: a new lane with every connection. */
  lane: Lane
  /** Asked for every offer of a channel, on whichever connection: each may lead to a handshake, which costs more than a millisecond. */
  readonly mayOffer: () => boolean
  /** When its last message came as a datagram, in ms. */
  datagramAt: number
  /** When its channel was last closed because it sent too much, in ms. */
  abusedAt: number
  /** How fast its connection is, measured where that matters. */
  pings: Pings | undefined
  /** Its match was taken over, and it has not come back yet. */
  isAwaited: boolean
  /** As its client measures it. */
  pingMs: number
  wantsRematch: boolean
}

export type RoomTypes = { state: MatchState; client: Client<{ userData: Guest }> }
export type GameClient = RoomTypes['client']

/** Of one client: a packet for every frame of a fast screen, and probes. */
const CLIENT_DATAGRAMS_PER_SECOND = 300
/** One for each connection, and for each time the port was opened again. */
const OFFERS: Rate = { burst: 4, perSecond: 0.2 }

export function createGuest(record: SeatRecord, config: RoomConfig): Guest {
  const { sessionId, seat, mode, name, id, data, tokens } = record
  return {
    sessionId,
    seat,
    mode,
    name,
    id,
    data,
    isConnected: true,
    client: undefined,
    queue: undefined,
    peer: undefined,
    mayDeliver: messageBucket(config),
    isCut: false,
    farewell: '',
    isAway: false,
    saysAway: false,
    absence: createAbsence(),
    since: 0,
    welcomedAt: 0,
    heardAt: -1,
    greetedAt: 0,
    tokens,
    hasToken: tokens.length > 0,
    tickets: [],
    cameWith: undefined,
    offerUntil: 0,
    offer: undefined,
    lane: newLane(),
    mayOffer: createBucket(OFFERS),
    datagramAt: Number.NEGATIVE_INFINITY,
    abusedAt: Number.NEGATIVE_INFINITY,
    pings: undefined,
    isAwaited: false,
    pingMs: 0,
    wantsRematch: false,
  }
}

export function newLane(): Lane {
  return createLane(CLIENT_DATAGRAMS_PER_SECOND)
}

/** How many messages a guest may send: each connection begins with a full bucket. */
export function messageBucket({ limits = {}, game }: RoomConfig): () => boolean {
  const { tickRate } = game.declaration
  const { messageBurst: burst = 4 * tickRate + 40, messagesPerSecond: perSecond = 1.5 * tickRate + 10 } = limits
  return createBucket({ burst, perSecond })
}
