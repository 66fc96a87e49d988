/**
 * What the host puts into the outboxes of its peers after a tick: confirmed inputs to mirrors, frames to terminals, and the whole state to peers that asked
 * for it.
 */

import { hashWorld, snapshot } from 'hurtbox'
import { takeBytes, writeBytes, writeTick } from 'hurtbox/wire'
import { NO_TRAIL } from '../protocol/blame.ts'
import { MESSAGES, writeMessage } from '../protocol/messages.ts'
import { MAX_MESSAGE_TICKS, NO_SLACK, SEAT_SECONDS, SPECTATOR } from '../protocol/protocol.ts'
import type { FullState } from '../protocol/welcome.ts'
import { findBlamed, mayBlame } from './blame.ts'
import { acknowledged as acknowledgedIn } from './seat-buffer.ts'
import type { Host, Peer } from './state.ts'
import { acknowledgeNewest, endFrame, frameFor } from './viewers.ts'

const HASH_EVERY = 16
/** Ticks between two whole states for one peer. */
const STATE_EVERY = 60
/**
 * About as many datagrams a second go to a mirror. Each has the ticks that the one before it had, so one for every tick of a
 * fast game would say little more than one for every second tick, at twice the cost.
 */
const MIRROR_DATAGRAMS_PER_SECOND = 30

/** Encodes the tick that has just run, once for all mirrors. */
export function confirm(host: Host): void {
  const { inside, session, world, options } = host
  const { recent, held, bytes, hashes } = inside
  const isHashed = world.tick % (options.hashEvery ?? HASH_EVERY) === 0 && hasMirror(host)
  const hash = isHashed ? hashWorld(world) : undefined
  if (hash !== undefined) {
    host.totals.hashes++
    hashes.push({ tick: world.tick, hash })
  }
  writeTick(bytes, held, session.changes, hash)
  recent.push(takeBytes(bytes))
  if (recent.length > MAX_MESSAGE_TICKS) {
    recent.shift()
    inside.recentFrom++
    if (hashes[0]?.tick < inside.recentFrom) hashes.shift()
  }
}

/** Only mirrors compare hashes, and a hash costs as much as a step of a small game. */
function hasMirror({ peers }: Host): boolean {
  for (const { mode } of peers) if (mode === 'mirror') return true
  return false
}

export function queueUpdates(host: Host): void {
  const { world, terminal, game } = host
  // What is last said about a match has all of it.
  const isLast = host.status !== 'running'
  const isFrame = isLast || world.tick % terminal.scheme.every === 0
  const every = Math.max(1, Math.floor(game.declaration.tickRate / MIRROR_DATAGRAMS_PER_SECOND))
  for (const peer of host.peers) {
    if (peer.mode === 'mirror') {
      if (isLast || peer.path === 'stream' || world.tick % every === 0) updateMirror(host, peer)
    } else if (isFrame) updateTerminal(host, peer)
  }
  if (isFrame) endFrame(terminal)
}

/** Tells a peer its seat and the match. `state` is left out for terminals, and for a mirror that gets the ticks it missed. */
export function queueWelcome(host: Host, peer: Peer, tracked: boolean, state: FullState | undefined): void {
  const { nonce, game, session, options, terminal, inside } = host
  const welcome = {
    nonce,
    mode: peer.mode,
    seat: peer.seat,
    game,
    setup: session.setup,
    terminal: { ...options.terminal, every: terminal.scheme.every },
    tracked,
    seatSeconds: options.seatSeconds ?? SEAT_SECONDS,
    state,
  }
  writeMessage(inside.bytes, MESSAGES.welcome, welcome, game)
  peer.outbox.push(takeBytes(inside.bytes))
}

/** A peer that comes, or comes back, when nothing is stepped any more gets at once what there is to see. */
export function queueLast(host: Host, peer: Peer): void {
  if (host.status === 'running') return
  if (peer.mode === 'terminal') updateTerminal(host, peer)
  else if (peer.nextTick < host.world.tick) updateMirror(host, peer)
}

function updateMirror(host: Host, peer: Peer): void {
  const { world, inside } = host
  const { bytes, recent, recentFrom } = inside
  const isTooOld = peer.nextTick < recentFrom
  if (!isTooOld) {
    const { nextTick: from } = peer
    const acknowledged = acknowledgedBy(host, peer)
    writeMessage(bytes, MESSAGES.ticks, { from, count: world.tick - from, acknowledged, slack: takeSlack(peer) })
    for (let tick = from; tick < world.tick; tick++) writeBytes(bytes, recent[tick - recentFrom])
    peer.outbox.push(takeBytes(bytes))
    if (peer.path === 'stream') peer.nextTick = world.tick
  }
  if (!isTooOld && !peer.wantsState) return
  if (world.tick - peer.stateSentAt < STATE_EVERY) return
  peer.owesDifference = peer.wantsState
  peer.wantsState = false
  peer.stateSentAt = world.tick
  host.totals.statesSent++
  queueBlamed(host, peer)
  writeMessage(bytes, MESSAGES.state, { tick: world.tick, full: fullState(host) }, host.game)
  peer.outbox.push(takeBytes(bytes))
}

/** Shows a mirror that sent its trail where ours parted from it. */
function queueBlamed(host: Host, peer: Peer): void {
  const { trail } = peer
  peer.trail = NO_TRAIL
  if (trail.hashes.length === 0 || !mayBlame(host)) return
  const blamed = findBlamed(host, trail)
  if (blamed === undefined) return
  writeMessage(host.inside.bytes, MESSAGES.blamed, blamed)
  peer.outbox.push(takeBytes(host.inside.bytes))
}

function updateTerminal(host: Host, peer: Peer): void {
  const { terminal, world } = host
  if (peer.wantsState && world.tick - peer.stateSentAt >= STATE_EVERY) {
    peer.viewer.base = terminal.empty
    peer.wantsState = false
    peer.stateSentAt = world.tick
    host.totals.statesSent++
  }
  const message = frameFor(terminal, peer.viewer, world, peer.seat, acknowledgedBy(host, peer), takeSlack(peer))
  peer.outbox.push(message)
  if (peer.path === 'stream') acknowledgeNewest(terminal, peer.viewer)
}

/** The whole state now; made once per tick, however many peers need it. */
export function fullState(host: Host): FullState {
  const { inside, world } = host
  if (inside.full?.tick !== world.tick) {
    const { bytes, byteLength } = snapshot(world)
    inside.full = {
      tick: world.tick,
      state: { held: inside.held.codes.slice(), snapshot: bytes.subarray(0, byteLength) },
    }
  }
  return inside.full.state
}

function acknowledgedBy(host: Host, peer: Peer): number {
  return peer.seat === SPECTATOR ? 0 : acknowledgedIn(host.seats[peer.seat].buffer)
}

/** How early inputs came at worst since the last message; `NO_SLACK` if none came. */
function takeSlack(peer: Peer): number {
  const { slack } = peer
  peer.slack = NO_SLACK
  return slack
}
