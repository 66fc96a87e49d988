/**
 * The datagrams of a room: who has a channel, and what comes and goes on it.
 *
 * The client chooses the path, because it knows whether it hears us; the host answers on the path on which it last heard the client.
 * A channel is bound to its seat twice: its description came over the seat's own socket, and it says a key that was given there. Until
 * then nothing is answered.
 */

import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Abuse, Bucket, Channel, Datagrams, Rate } from '@hurtbox/datagrams'
import { createBucket } from '@hurtbox/datagrams'
import {
  createLossMeter,
  DATAGRAM,
  KEY_BYTES,
  type LossMeter,
  MAX_BODY_BYTES,
  noteNumber,
  readDatagram,
  writeDatagram,
  writeLoss,
} from './format.ts'

/** What a connection has beside its socket. The next connection of the same seat gets a new one, and so is invited again. */
export type Lane = {
  /** What it was invited to: the generation of the service. */
  invited: number
  invitedAt: number
  /** When it first offered a channel, in ms. */
  offeredAt: number
  /** The furthest that it has got: each client is counted once for each, whatever it tries again. */
  reached: 'nothing' | 'offered' | 'unheard' | 'opened'
  channel: Channel | undefined
  readonly key: Uint8Array
  isBound: boolean
  /** When the last datagram came, in ms. */
  heardAt: number
  sent: number
  readonly loss: LossMeter
  readonly mayDeliver: Bucket
  readonly maySend: Bucket
}

/** Datagrams by what became of them. */
export type DatagramCounts = {
  in: number
  out: number
  bytesIn: number
  bytesOut: number
  /** No datagram of ours, too long, or of another match. */
  malformed: number
  /** Came before the right key. */
  unbound: number
  /** More than a client may send. */
  beyondBudget: number
  /** Connections of clients, by how far they got: told of the port, with an offer, with a channel on which something came. */
  invited: number
  offered: number
  opened: number
  /** Nothing came for half a minute after the offer. */
  unheard: number
  /** How often a client that was heard went back to its socket alone. */
  lost: number
}

/**
 * Nothing here sends less where packets are lost, as TCP does. So this little is the most that goes to a client, and what is more takes the socket (decision 014). By
 * default a mirror gets 30 to 59 a second, a terminal 20.
 */
const SEND_RATE: Rate = { burst: 32, perSecond: 64 }
/** A client that is not heard for so long gets everything by its socket. */
const LANE_SILENT_MS = 600
/** A client whose channel has opened is heard within seconds, on any line. */
const UNHEARD_MS = 30_000
/** Well before what is told of TURN servers counts no more. */
const INVITATION_MS = 3_600_000

export function createDatagramCounts(): DatagramCounts {
  const bytes = { bytesIn: 0, bytesOut: 0 }
  const clients = { invited: 0, offered: 0, opened: 0, unheard: 0, lost: 0 }
  return { in: 0, out: 0, ...bytes, malformed: 0, unbound: 0, beyondBudget: 0, ...clients }
}

/** The lane of a new connection. `perSecond`: datagrams of a client that count; those beyond are dropped, and cost nothing else. */
export function createLane(perSecond: number): Lane {
  return {
    invited: 0,
    invitedAt: 0,
    offeredAt: 0,
    reached: 'nothing',
    channel: undefined,
    key: randomBytes(KEY_BYTES),
    isBound: false,
    heardAt: Number.NEGATIVE_INFINITY,
    sent: 0,
    loss: createLossMeter(),
    mayDeliver: createBucket({ burst: 2 * perSecond, perSecond }),
    maySend: createBucket(SEND_RATE),
  }
}

/** What a client needs to offer a channel; undefined when there is nothing to invite it to, or it was invited within the hour. */
export function inviteTo(lane: Lane, service: Datagrams | undefined): Invitation | undefined {
  if (service === undefined || !service.isReady) return undefined
  const now = performance.now()
  const isInvited = lane.invited === service.generation
  // Its credentials for TURN servers expire. Who is on the path needs no others.
  const isStale = now - lane.invitedAt > INVITATION_MS && now - lane.heardAt > UNHEARD_MS
  if (isInvited && !isStale) return undefined
  lane.invited = service.generation
  lane.invitedAt = now
  return { iceServers: service.iceServers(), key: Buffer.from(lane.key).toString('base64url') }
}

export type Invitation = { readonly iceServers: readonly string[]; readonly key: string }

export type LaneHandlers = Sending & {
  /** That of the match before in the same room, if there was one. */
  matchBefore(): number | undefined
  answer(answer: string): void
  /** A message of the netcode. */
  message(bytes: Uint8Array): void
  /** The channel was closed for what the client sent. */
  abused(abuse: Abuse): void
}

type Sending = {
  readonly counts: DatagramCounts
  /** The number of the match that is played. */
  match(): number
}

/** Opens the channel that a client has offered, in the place of the one it had. */
export function openLane(lane: Lane, service: Datagrams, offer: string, handlers: LaneHandlers): void {
  if (!service.isReady) return
  closeLane(lane)
  const channel = service.open(offer, {
    onMessage: (bytes) => take(lane, bytes, handlers),
    onClosed: (abuse) => {
      if (abuse !== undefined) handlers.abused(abuse)
      if (lane.channel === channel) closeLane(lane)
    },
  })
  lane.channel = channel
  if (channel === undefined) return
  if (lane.reached === 'nothing') {
    lane.reached = 'offered'
    lane.offeredAt = performance.now()
    handlers.counts.offered++
  }
  handlers.answer(channel.answer)
}

/** Counts a client that has offered a channel and was not heard on it. */
export function noteUnheard(lane: Lane, counts: DatagramCounts, now: number): void {
  if (lane.reached !== 'offered' || now - lane.offeredAt < UNHEARD_MS) return
  lane.reached = 'unheard'
  counts.unheard++
}

export function closeLane(lane: Lane): void {
  const { channel } = lane
  lane.channel = undefined
  lane.isBound = false
  lane.heardAt = Number.NEGATIVE_INFINITY
  channel?.close()
}

function take(lane: Lane, bytes: Uint8Array, handlers: LaneHandlers): void {
  const { counts } = handlers
  counts.in++
  counts.bytesIn += bytes.length
  if (!lane.mayDeliver()) {
    counts.beyondBudget++
    return
  }
  const datagram = readDatagram(bytes)
  if (datagram === undefined) {
    counts.malformed++
    return
  }
  const { kind, number, match, body } = datagram
  if (kind === DATAGRAM.probe) {
    const isKey = body.length === KEY_BYTES && timingSafeEqual(body, lane.key)
    if (!isKey) {
      counts.unbound++
      return
    }
    lane.isBound = true
    if (lane.reached !== 'opened') {
      lane.reached = 'opened'
      counts.opened++
    }
    noteHeard(lane, number)
    // What of the client's came, in less bytes than its key: nothing is amplified.
    write(lane, DATAGRAM.probe, number, writeLoss(lane.loss), handlers)
    return
  }
  if (!lane.isBound) {
    counts.unbound++
    return
  }
  if (match !== (handlers.match() & 0xffff)) {
    const before = handlers.matchBefore()
    // The last ones of the match before are still on their way.
    if (before === undefined || match !== (before & 0xffff)) counts.malformed++
    return
  }
  noteHeard(lane, number)
  handlers.message(body)
}

function noteHeard(lane: Lane, number: number): void {
  lane.heardAt = performance.now()
  noteNumber(lane.loss, number)
}

/** Sends a message as a datagram, or returns false: there is no path, it is too long, or too many were sent. */
export function sendOnLane(lane: Lane, bytes: Uint8Array, sending: Sending): boolean {
  if (!isHeard(lane, performance.now()) || bytes.length > MAX_BODY_BYTES || !lane.maySend()) return false
  write(lane, DATAGRAM.message, lane.sent++, bytes, sending)
  return true
}

/** Whether the client was heard a moment ago. */
export function isHeard({ isBound, heardAt, channel }: Lane, now: number): boolean {
  return isBound && channel !== undefined && now - heardAt < LANE_SILENT_MS
}

function write(lane: Lane, kind: number, number: number, body: Uint8Array, { counts, match }: Sending): void {
  const bytes = writeDatagram(kind, number, match(), body)
  counts.out++
  counts.bytesOut += bytes.length
  lane.channel?.send(bytes)
}
