/**
 * What enters a tick of the host: controls, what the players have sent, what the bots think.
 *
 * Inputs wait in the buffer of their seat until their tick comes. What a player claims to have seen is believed here only as far as its
 * connection can explain it.
 */

import { botInput, type Control, encodeInputs, type PlayerInput, seatRow } from 'hurtbox/tools'
import type { InputPacket } from '../protocol/input-packets.ts'
import { SPECTATOR } from '../protocol/protocol.ts'
import { takeOut } from './peers.ts'
import { offerInput, takeInput } from './seat-buffer.ts'
import { boundSeenAgo, noteLag, noteRoundTrip } from './sight.ts'
import type { Host, Peer, Seat } from './state.ts'
import { acknowledgeFrame, codesOfMatch } from './viewers.ts'

/** The inputs of a packet, and what it acknowledges. */
export function takePacket(host: Host, peer: Peer, packet: InputPacket): void {
  if (packet.received <= host.world.tick) peer.received = packet.received
  if (peer.path === 'datagram') {
    if (peer.mode === 'terminal') acknowledgeFrame(host.terminal, peer.viewer, packet.received)
    else if (packet.received > peer.nextTick && packet.received <= host.world.tick) peer.nextTick = packet.received
  }
  if (peer.seat === SPECTATOR || host.seats[peer.seat].player !== peer) return
  const { buffer } = host.seats[peer.seat]
  const seenAgo = believedClaim(host, peer, packet)
  packet.seenAgo = Math.max(seenAgo(packet.inputs.at(-1)?.tick ?? host.world.tick), 0)
  if (peer.mode === 'terminal') {
    const translated = (codes: Uint32Array) => codesOfMatch(host.terminal, peer.viewer, codes)
    packet.inputs = packet.inputs.map((given) => ({ ...given, codes: translated(given.codes) }))
  }
  host.options.onPacket?.(peer, packet)
  for (const input of packet.inputs) {
    const slack = offerInput(buffer, input, seenAgo(input.tick), host.world.tick, peer.counts)
    if (slack !== undefined && slack < peer.slack) peer.slack = slack
  }
}

/** Whether it matters how fast a peer's connection is: it may claim to have seen the past. */
export function mayClaimPast({ inside }: Host, { mode, seat }: Peer): boolean {
  return inside.seenField >= 0 && mode === 'terminal' && seat !== SPECTATOR
}

/** A ping that the transport of a peer answers has come back after so many ms. */
export function notePing({ world, game }: Host, { sight }: Peer, ms: number): void {
  noteRoundTrip(sight, world.tick, ms, game.declaration.tickRate)
}

/**
 * How long before the input of a tick its player saw the others, as far as that is believed. Asked for each input of a packet: the last one may be
 * for a tick far ahead, and what is believed of that one would be far too much for the others.
 */
function believedClaim(host: Host, peer: Peer, { received, seenAgo }: InputPacket): (inputTick: number) => number {
  // A mirror shows the present and saw no past.
  if (!mayClaimPast(host, peer)) return () => 0
  const { tick } = host.world
  const { tickRate } = host.game.declaration
  const { every } = host.terminal.scheme
  noteLag(peer.sight, tick, Math.min(received, tick), tickRate)
  return (inputTick) => boundSeenAgo(peer.sight, { seenAgo, inputTick, tick, every, tickRate })
}

/** Controls, what the bots think, and what the players have sent. */
export function gatherInputs(host: Host): void {
  const { world, seats, options, inside } = host
  const { inputs, seenField } = inside
  takeOut(host)
  const { entropy } = options
  if (entropy !== undefined && !world.paused && world.tick % entropy.every === 0) {
    host.controls.push({ control: 'entropy', bits: entropy.bits() >>> 0 })
  }
  const players = inputsOfBots(host)
  if (host.controls.length > 0 || inside.joinsAfter.length > 0 || players.length > 0) {
    const controls = host.controls.splice(0)
    host.controls.push(...inside.joinsAfter.splice(0))
    encodeInputs(world, { controls, players }, inputs)
  } else {
    // Mostly there is nothing to check.
    inputs.controls = NO_CONTROLS
    inputs.count = 0
  }
  const fields = inside.held.idle.length
  for (let seat = 0; seat < seats.length; seat++) {
    const { player, buffer } = seats[seat]
    if (typeof player === 'string' || isPlayedByBot(host, seats[seat])) continue
    const codes = takeInput(buffer, world.tick, seenField, player.counts)
    if (codes === undefined) continue
    inputs.seats[inputs.count] = seat
    const at = inputs.count * fields
    for (let field = 0; field < fields; field++) inputs.codes[at + field] = codes[field]
    inputs.count++
  }
}

const NO_CONTROLS: readonly Control[] = []
const NO_INPUTS: readonly PlayerInput[] = []

/** Whether a bot plays a seat: nobody else does, or its player is away. */
function isPlayedByBot({ options: { whenAway, bots = [] } }: Host, { player, awaySince }: Seat): boolean {
  return player === 'bot' || (whenAway === 'bot' && awaySince !== undefined && bots.length > 0)
}

function inputsOfBots(host: Host): readonly PlayerInput[] {
  const { world, seats, options } = host
  const { bots = [], botOf = (seat) => bots[seat % bots.length] } = options
  let players: PlayerInput[] | undefined
  for (let seat = 0; seat < seats.length; seat++) {
    if (!isPlayedByBot(host, seats[seat]) || seatRow(world, seat) < 0) continue
    const bot = botOf(seat)
    if (bot === undefined) continue
    players ??= []
    players.push({ ...botInput(bot, world, seat, world.seed), seat })
  }
  return players ?? NO_INPUTS
}
