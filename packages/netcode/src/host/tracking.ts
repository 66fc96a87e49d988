/**
 * The track of a match: every packet of a player as it came, with the time and the tick, and what clients had on their screens.
 *
 * For looking into disputes, not for going on with a match: it is written beside the replay, promises nothing after a crash but
 * what the disk has, and is off unless it is asked for.
 */

import type { Session } from 'hurtbox'
import { createTrackWriter, type ScreenReport, type TrackWriter, trackClient, trackPacket } from 'hurtbox/replay'
import type { InputPacket } from '../protocol/input-packets.ts'
import type { TerminalOptions } from '../protocol/scheme.ts'
import type { Peer } from './state.ts'

export type Tracker = {
  readonly session: Session
  readonly writer: TrackWriter
  /** The clock of the process, ms. */
  readonly now: () => number
  readonly startedAt: number
  /** The newest input of each client that is in the track. Packets repeat inputs until they are acknowledged. */
  readonly newest: WeakMap<Peer, number>
}

/** Ticks between two writes to the file. */
export const TRACK_EVERY = 64

/** After a match clients report its last frames for so long. */
export const TRACK_TAIL_MS = 1500

/** `now`: a clock in ms that never goes back; `terminal`: what the room sends to terminals. */
export function createTracker(session: Session, now: () => number, terminal: TerminalOptions = {}): Tracker {
  const writer = createTrackWriter(session, terminal)
  return { session, writer, now, startedAt: now(), newest: new WeakMap() }
}

export function notePeer({ session, writer }: Tracker, { seat, mode }: Peer, isHere: boolean): void {
  trackClient(writer, { seat, tick: session.world.tick, what: isHere ? `${mode} came` : 'went' })
}

export function noteScreens({ session, writer }: Tracker, { seat }: Peer, screens: ScreenReport): void {
  trackClient(writer, { seat, tick: session.world.tick, what: 'screens', screens })
}

export function notePacket(
  { session, writer, now, startedAt, newest }: Tracker,
  peer: Peer,
  packet: InputPacket,
): void {
  const { received, seenAgo } = packet
  const known = newest.get(peer) ?? 0
  const inputs = packet.inputs.filter(({ sequence }) => sequence > known)
  newest.set(peer, inputs.at(-1)?.sequence ?? known)
  const atMs = now() - startedAt
  const { seat, mode } = peer
  trackPacket(writer, { seat, mode, atMs, tick: session.world.tick, received, seenAgo, inputs })
}
