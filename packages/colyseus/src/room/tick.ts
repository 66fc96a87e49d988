/**
 * What a tick of a room does: it greets new guests, steps the match, and sends what the host has for each client.
 *
 * The metronome first steps all rooms that are due and then lets all of them send. A room whose tick fails ends; others go on.
 */

import {
  goAway,
  hasUnsaid,
  keepTick,
  mayClaimPast,
  maySay,
  mayStep,
  type Peer,
  stepHost,
  suspendPeer,
  tendKeeper,
  waitOf,
} from '@hurtbox/netcode/host'
import { cutGuest, greet } from './arrivals.ts'
import { type RoomCore, refreshRoster, say, viewOf } from './core.ts'
import { checkPath, invite } from './datagrams.ts'
import { drop } from './guard.ts'
import type { Guest } from './guest.ts'
import { type LateTicks, noteCall } from './lateness.ts'
import { afterMatch, endMatch } from './match.ts'
import { type LateWatch, startBeat } from './metronome.ts'
import { type Addressed, activePeer, isQueueFull, reasonToCut, sendAll, sendOutbox, takeOutbox } from './outgoing.ts'
import { keepPinging } from './pings.ts'
import { isTimeOver, noteSilence } from './presence.ts'
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
  const watch: LateWatch = {
    name: core.room.roomId,
    isOn: () => isPlayed(core),
    onLate: (late) => tellLate(core, late),
  }
  const stop = startBeat(core.config.game.declaration.tickRate, guarded(runTick), guarded(sendTick), watch)
  return stop
}

/** One tick. */
function runTick(core: RoomCore): void {
  const { clock } = core.room
  clock.tick()
  if (core.isMoved) return
  const now = clock.currentTime
  // A match is over when everything about it is said.
  if (now >= core.endsAt && !(core.keeper && hasUnsaid(core.keeper))) afterMatch(core)
  for (const guest of core.seating.guests) if (guest.isConnected) attend(core, guest, now)
  const { keeper } = core
  if (keeper !== undefined) tendKeeper(keeper)
  if (!isPlayed(core)) return
  if (keeper === undefined || mayStep(keeper)) step(core, now)
  else tellLate(core, { ticks: 1, skipped: 1, lateMs: 0, cause: 'log', by: '' })
}

/** The match waits while no client is connected. */
function isPlayed({ isMoved, host }: RoomCore): boolean {
  return !isMoved && host.status === 'running' && host.peers.size > 0
}

function tellLate(core: RoomCore, late: LateTicks): void {
  if (core.isMoved) return
  core.config.hooks?.onLate?.(viewOf(core), late)
}

/** Greets a guest that has come, or ends the wait for one that is away for too long. */
function attend(core: RoomCore, guest: Guest, now: number): void {
  if (isQueueFull(guest, core.config)) {
    if (!guest.isCut) dropConnection(core, guest)
    return
  }
  greet(core, guest, now)
  if (guest.absence.since !== undefined && !guest.isCut && isTimeOver(core, guest, now))
    cutGuest(core, guest.client!, 'away')
}

function step(core: RoomCore, now: number): void {
  const { host, keeper, config } = core
  const startedAt = performance.now()
  stepHost(host)
  const steppedAt = performance.now()
  if (host.status !== 'failed' && keeper !== undefined) keepTick(keeper)
  if (config.hooks?.onTick !== undefined) {
    const from = performance.now()
    config.hooks.onTick(viewOf(core), steppedAt - startedAt)
    noteCall('onTick', from, performance.now())
  }
  writeRecording(core.recording, host)
  if (host.status !== 'running') endMatch(core, now)
}

/** Sends what there is for everybody, when all rooms that were due have run their tick. */
function sendTick(core: RoomCore): void {
  if (core.isMoved || core.host.peers.size === 0) return
  noteWait(core)
  sendUpdates(core)
  if (core.room.clock.currentTime - core.rosterAt >= ROSTER_EVERY_MS) refreshRoster(core)
}

/**
 * What two ticks ago had to say and still waits is late. Not one: after a stall of the thread its turn comes before the answer of the
 * log, which has long been there.
 */
function noteWait(core: RoomCore): void {
  const { keeper, log, config } = core
  if (keeper === undefined) return
  const { given, needs } = waitOf(keeper)
  log.waited = needs !== undefined && needs <= log.before ? log.waited + 1 : 0
  log.before = log.given
  log.given = given
  if (log.waited === 0) return
  const lateMs = ((log.waited + 1) * 1000) / config.game.declaration.tickRate
  tellLate(core, { ticks: 1, skipped: 0, lateMs, cause: 'log', by: '' })
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
  const reason = reasonToCut(core, guest, peer)
  if (reason !== undefined) {
    cutGuest(core, guest.client!, reason)
    return undefined
  }
  noteSilence(core, guest, peer)
  if (guest.isAway) return undefined
  invite(core, guest, config.datagrams)
  checkPath(core, guest, peer)
  if (guest.pings && mayClaimPast(host, peer)) keepPinging(guest.client!, guest.pings, performance.now())
  if (peer.differences.length > 0) reportDifferences(core, peer)
  return peer
}

/** Ends the connection of a guest. Its seat is kept, as it is for any lost connection. */
function dropConnection(core: RoomCore, guest: Guest): void {
  guest.isConnected = false
  goAway(guest.absence, core.room.clock.currentTime)
  if (guest.peer !== undefined) suspendPeer(core.host, guest.peer)
  drop(guest.client!)
  core.config.hooks?.onCut?.(viewOf(core), 'slow')
}

function reportDifferences(core: RoomCore, { seat, differences }: Peer): void {
  for (const difference of differences.splice(0)) core.config.hooks?.onDesync?.(viewOf(core), seat, difference)
}
