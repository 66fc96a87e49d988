/** Who takes part in a match: peers that come, change their path, are lost and leave, and the bots in their seats. */

import type { AnyJoinData } from 'hurtbox/tools'
import { NO_TRAIL } from '../protocol/blame.ts'
import { type Mode, NO_SLACK, type Path, SPECTATOR } from '../protocol/protocol.ts'
import { clearSeatBuffer, createInputCounts } from './seat-buffer.ts'
import { createSight } from './sight.ts'
import type { Host, Join, Peer, Seat } from './state.ts'
import { fullState, queueWelcome } from './updates.ts'
import { acknowledgeFrame, createViewer, keepFrames } from './viewers.ts'

/** A glance into another tab is no reason to leave a match. */
const LEAVES_AFTER_SECONDS = 5

/** Returns a seat for a new player: prefers a bot's seat, then an empty one; −1 if all are taken. */
export function freeSeat(host: Host): number {
  const wanted = (player: Seat['player']) => host.seats.findIndex((seat) => seat.player === player)
  const bot = wanted('bot')
  return bot >= 0 ? bot : wanted('nobody')
}

/** Adds a peer, as a player or as a spectator. Its welcome is in the outbox. */
export function addPeer(host: Host, seat: number, mode: Mode, path: Path = 'stream'): Peer {
  const peer: Peer = {
    mode,
    path,
    seat,
    outbox: [],
    counts: createInputCounts(),
    nextTick: host.world.tick,
    received: 0,
    viewer: createViewer(host.terminal, path),
    sight: createSight(),
    slack: NO_SLACK,
    stateSentAt: host.world.tick,
    wantsState: false,
    trail: NO_TRAIL,
    owesDifference: false,
    cameAt: host.world.tick,
    screenReports: 0,
    differences: [],
  }
  if (seat !== SPECTATOR) takeSeat(host, peer)
  host.peers.add(peer)
  host.options.onPeer?.(peer, true)
  const tracked = host.options.onScreens !== undefined && seat !== SPECTATOR
  queueWelcome(host, peer, tracked, mode === 'mirror' ? fullState(host) : undefined)
  return peer
}

function takeSeat(host: Host, peer: Peer): void {
  const seat = host.seats[peer.seat]
  if (seat.player === 'nobody' || seat.isOut) sit(host, peer.seat)
  seat.player = peer
  seat.awaySince = undefined
  seat.isOut = false
  clearSeatBuffer(seat.buffer)
}

/**
 * What the new player of a seat brings along: it goes with the join that is due. A player who has taken over the place of a bot
 * joins anew, so that `onJoin` hears of it: the bot leaves in the next tick, the player joins in the one after.
 */
export function bringAlong(host: Host, seat: number, data: AnyJoinData): void {
  const { controls, inside, options } = host
  const due = controls.findIndex((control) => control.control === 'join' && control.seat === seat)
  if (due >= 0) {
    controls[due] = { ...(controls[due] as Join), data }
    return
  }
  const team = options.teamOf?.(seat)
  controls.push({ control: 'leave', seat })
  inside.joinsAfter.push({ control: 'join', seat, ...(team !== undefined && { team }), data })
}

/** From now on messages to a peer arrive otherwise. What it has of the match is what it has said last. */
export function changePath(host: Host, peer: Peer, path: Path): void {
  if (peer.path === path) return
  peer.path = path
  keepFrames(host.terminal, path)
  if (peer.received === 0) return
  if (peer.mode === 'terminal') acknowledgeFrame(host.terminal, peer.viewer, peer.received)
  else peer.nextTick = Math.min(peer.received, host.world.tick)
}

/** Stops talking to a peer that is away. Its seat stays taken until it returns or gives it up; what is played in it says `whenAway`. */
export function suspendPeer(host: Host, peer: Peer): void {
  if (host.peers.delete(peer)) host.options.onPeer?.(peer, false)
  peer.outbox.length = 0
  const seat = host.seats[peer.seat]
  if (seat?.player !== peer) return
  seat.awaySince ??= host.world.tick
  // Levels hold until replaced: without this the ship of a player who is away would fly on at full thrust.
  clearSeatBuffer(seat.buffer)
  seat.buffer.waiting.push({ sequence: 1, tick: host.world.tick, codes: host.inside.held.idle, seenAgo: 0 })
}

/** Removes a peer permanently. The seat goes to a bot when seats are to be filled, else the player leaves the match. */
export function removePeer(host: Host, peer: Peer): void {
  if (host.peers.delete(peer)) host.options.onPeer?.(peer, false)
  const seat = host.seats[peer.seat]
  if (seat?.player !== peer) return
  const { isOut } = seat
  seat.awaySince = undefined
  seat.isOut = false
  clearSeatBuffer(seat.buffer)
  const wasBot = withdrawJoin(host, peer.seat)
  const { bots = [], fill = 0 } = host.options
  const taken = host.seats.filter(({ player }) => player !== 'nobody').length
  if (bots.length > 0 && (taken <= fill || wasBot)) {
    if (isOut) sit(host, peer.seat)
    seat.player = 'bot'
    return
  }
  seat.player = 'nobody'
  if (!isOut) host.controls.push({ control: 'leave', seat: peer.seat })
}

/** Takes out of the match those who are away for longer than a moment, where the game wants that. Called in every tick. */
export function takeOut({ seats, controls, world, game, options }: Host): void {
  if (options.whenAway !== 'leave') return
  const patience = LEAVES_AFTER_SECONDS * game.declaration.tickRate
  seats.forEach((seat, number) => {
    if (seat.awaySince === undefined || seat.isOut || world.tick - seat.awaySince < patience) return
    seat.isOut = true
    controls.push({ control: 'leave', seat: number })
  })
}

/** Takes back a join that waits for a bot to leave; the bot stays. Returns whether there was one. */
function withdrawJoin({ controls, inside: { joinsAfter } }: Host, seat: number): boolean {
  const at = joinsAfter.findIndex((join) => join.seat === seat)
  if (at < 0) return false
  joinsAfter.splice(at, 1)
  const leaving = controls.findIndex((control) => control.control === 'leave' && control.seat === seat)
  controls.splice(leaving, 1)
  return true
}

/** Where there are no bots, players who are not awaited leave. */
export function dismissBots(host: Host): void {
  if ((host.options.bots ?? []).length > 0) return
  host.seats.forEach((seat, number) => {
    if (seat.player !== 'bot') return
    seat.player = 'nobody'
    host.controls.push({ control: 'leave', seat: number })
  })
}

/** Brings the number of taken seats to `fill`. */
export function fillSeats(host: Host): void {
  const { bots = [], fill = 0 } = host.options
  if (bots.length === 0) return
  for (let seat = 0; seat < Math.min(fill, host.seats.length); seat++) {
    if (host.seats[seat].player !== 'nobody') continue
    sit(host, seat)
    host.seats[seat].player = 'bot'
  }
}

function sit(host: Host, seat: number): void {
  const team = host.options.teamOf?.(seat)
  // A player who left in this same tick is still there when it begins.
  const leaving = host.controls.findIndex((control) => control.control === 'leave' && control.seat === seat)
  if (leaving >= 0) host.controls.splice(leaving, 1)
  else host.controls.push({ control: 'join', seat, ...(team !== undefined && { team }) })
}
