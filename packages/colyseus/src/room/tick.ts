/**
 * What a tick of a room does: it greets new guests, steps the match, and sends what the host has for each client.
 *
 * The metronome first steps all rooms that are due and then lets all of them send. A room whose tick fails ends; others go on.
 */

import {
  hasUnsaid,
  keepTick,
  mayClaimPast,
  maySay,
  mayStep,
  type Peer,
  stepHost,
  suspendPeer,
  tendKeeper,
} from '@hurtbox/netcode/host'
import { cutGuest, greet } from './arrivals.ts'
import { type RoomCore, refreshRoster, say, viewOf } from './core.ts'
import { checkPath, invite } from './datagrams.ts'
import { drop } from './guard.ts'
import type { Guest } from './guest.ts'
import { afterMatch, endMatch } from './match.ts'
import { startBeat } from './metronome.ts'
import {
  type Addressed,
  activePeer,
  isHeldBack,
  isQueueFull,
  reasonToCut,
  sendAll,
  sendOutbox,
  takeOutbox,
} from './outgoing.ts'
import { keepPinging } from './pings.ts'
import { writeRecording } from './recording.ts'

export const ROSTER_EVERY_MS = 250

/** Runs the ticks of a room until the returned function is called, or until one throws, which `onFailure` is told. */
export function startTicks(core: RoomCore, onFailure: (error: Error) => void): () => void {
  const guarded = (part: (core: RoomCore) => void) => () => {
    try {
      part(core)
    } catch (error) {
      stop()
      onFailure(error as Error)
    }
  }
  const stop = startBeat(core.config.game.declaration.tickRate, guarded(runTick), guarded(sendTick))
  return stop
}

/** One tick. The match waits while no client is connected. */
function runTick(core: RoomCore): void {
  const { clock } = core.room
  clock.tick()
  if (core.isMoved) return
  const now = clock.currentTime
  // A match is over when everything about it is said.
  if (now >= core.endsAt && !(core.keeper && hasUnsaid(core.keeper))) afterMatch(core)
  for (const guest of core.seating.guests) if (guest.isConnected) greet(core, guest, now)
  const { keeper, host } = core
  if (keeper !== undefined) tendKeeper(keeper)
  const isRunning = host.status === 'running' && host.peers.size > 0
  if (isRunning && (keeper === undefined || mayStep(keeper))) step(core, now)
}

function step(core: RoomCore, now: number): void {
  const { host, keeper, config } = core
  const startedAt = performance.now()
  stepHost(host)
  if (host.status !== 'failed' && keeper !== undefined) keepTick(keeper)
  config.hooks?.onTick?.(viewOf(core), performance.now() - startedAt)
  writeRecording(core.recording, host)
  if (host.status !== 'running') endMatch(core, now)
}

/** Sends what there is for everybody, when all rooms that were due have run their tick. */
function sendTick(core: RoomCore): void {
  if (core.isMoved || core.host.peers.size === 0) return
  sendUpdates(core)
  if (core.room.clock.currentTime - core.rosterAt >= ROSTER_EVERY_MS) refreshRoster(core)
}

/** Sends what the host has for everybody: now, or when the log has it. */
function sendUpdates(core: RoomCore): void {
  const isNow = core.keeper === undefined || maySay(core.keeper)
  const later: Addressed[] = []
  for (const guest of core.seating.guests) {
    const peer = tend(core, guest)
    if (peer === undefined || peer.outbox.length === 0) continue
    if (isNow) sendOutbox(core, guest, peer)
    else takeOutbox(guest, peer, later)
  }
  if (later.length > 0) say(core, () => sendAll(core, later))
}

/** Returns the peer of a guest that takes part in the match and reads what it is sent; cuts or drops others. */
function tend(core: RoomCore, guest: Guest): Peer | undefined {
  const { host, config } = core
  const peer = activePeer(host, guest)
  if (peer === undefined) return undefined
  const reason = reasonToCut(host, guest, peer, config)
  if (reason !== undefined) {
    cutGuest(core, guest.client!, reason)
    return undefined
  }
  if (isQueueFull(guest, config)) {
    dropConnection(core, guest, peer)
    return undefined
  }
  if (!isReading(core, guest, peer)) return undefined
  invite(core, guest, config.datagrams)
  checkPath(core, guest, peer)
  if (guest.pings && mayClaimPast(host, peer)) keepPinging(guest.client!, guest.pings, performance.now())
  if (peer.differences.length > 0) reportDifferences(core, peer)
  return peer
}

/** Sends nothing to a guest that does not read. When it has read what waited, it is greeted again, with the match as it is then. */
function isReading({ host, config }: RoomCore, guest: Guest, peer: Peer): boolean {
  const wasHeldBack = guest.isHeldBack
  guest.isHeldBack = isHeldBack(host, guest, peer, config)
  if (guest.isHeldBack) peer.outbox.length = 0
  else if (wasHeldBack) suspendPeer(host, peer)
  return !guest.isHeldBack && !wasHeldBack
}

/** Ends the connection of a guest. Its seat is kept, as it is for any lost connection. */
function dropConnection(core: RoomCore, guest: Guest, peer: Peer): void {
  guest.isConnected = false
  suspendPeer(core.host, peer)
  drop(guest.client!)
  core.config.hooks?.onCut?.(viewOf(core), 'slow')
}

function reportDifferences(core: RoomCore, { seat, differences }: Peer): void {
  for (const difference of differences.splice(0)) core.config.hooks?.onDesync?.(viewOf(core), seat, difference)
}
