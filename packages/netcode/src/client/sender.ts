/**
 * The inputs of a client: numbered, kept until the host has them, sent again with the next ones where packets get lost.
 *
 * An input that changes nothing is mostly not sent: what a player holds repeated by the host for some
 * ticks. 20 times a second it is sent all the same, so that the clocks agree and a silent client lets go.
 */

import type { AnyGame, InputLayout, PlayerInput } from 'hurtbox/tools'
import { type ByteWriter, createByteWriter, encodeInput, idleCodes, takeBytes } from 'hurtbox/wire'
import type { SeatInput } from '../protocol/input-packets.ts'
import { MESSAGES, writeMessage } from '../protocol/messages.ts'
import {
  HEARTBEAT_MS,
  MAX_CLIENT_MESSAGE,
  MAX_PACKET_INPUTS,
  NO_SLACK,
  type Path,
  repeatedTicks,
} from '../protocol/protocol.ts'
import { type HostClock, noteSlack, noteTick } from './clock.ts'

/** What a player does, by field; what is left out is idle. */
export type OwnInput = Readonly<Record<string, unknown>>

export type InputSender = {
  readonly layout: InputLayout
  readonly idle: Uint32Array
  readonly nonce: number
  /** How many inputs that were sent already each packet repeats. */
  repeats: number
  nextSequence: number
  /** Ticks between two inputs that are the same. */
  readonly sameEvery: number
  /** What was sent last, and for which tick. */
  readonly lastCodes: Uint32Array
  lastTick: number
  /** Inputs that the host has not acknowledged, oldest first, with the time they were first sent. */
  readonly open: (SeatInput & { readonly sentAt: number })[]
  /** How many of them no packet has carried yet. */
  fresh: number
  /** The part of our packets that get lost, 0 to 1, as far as the owner of the transport knows. */
  loss: number
  /** Round trip, ms, smoothed; undefined before the first answer. */
  rttMs: number | undefined
  /** How often the host said how early inputs came, and how often that was too late. */
  reports: number
  lateReports: number
  readonly writer: ByteWriter
}

/**
 * Where packets get lost: how often inputs are said again that may be lost, and how often the host is told what arrived. On a line that does lose them
 * a slow game's inputs are repeated with every frame of a screen: the sooner the next packet, the less lead a loss needs.
 */
const REPEAT_EVERY_MS = 25
const REPEAT_LOSSY_EVERY_MS = 15
const LOSSY = 0.01
const TELL_EVERY_MS = 50
const SOON_MS = 10
/** Where packets get lost, each repeats as many inputs as it has room for. */
const REPEATS: Readonly<Record<Path, number>> = { stream: 0, datagram: MAX_PACKET_INPUTS - 1 }

export function createInputSender(game: AnyGame, nonce: number, path: Path): InputSender {
  return {
    layout: game.input,
    idle: idleCodes(game.input),
    nonce,
    repeats: REPEATS[path],
    nextSequence: 1,
    sameEvery: repeatedTicks(game),
    lastCodes: new Uint32Array(game.input.fields.length),
    lastTick: Number.NEGATIVE_INFINITY,
    open: [],
    fresh: 0,
    loss: 0,
    rttMs: undefined,
    reports: 0,
    lateReports: 0,
    writer: createByteWriter(),
  }
}

/** From now on a client's packets arrive otherwise. What was sent and not acknowledged may be lost: the next packet has it again. */
export function usePath(client: { path: Path; readonly sender: InputSender }, path: Path): void {
  const { sender } = client
  if (client.path === path) return
  client.path = path
  sender.repeats = REPEATS[path]
  sender.fresh = Math.min(sender.open.length, MAX_PACKET_INPUTS)
}

/**
 * Numbers the input for `tick`, unless the host will repeat it by itself; `fresh` says whether there is anything to send. Returns the
 * codes. Throws, naming the field, when a value does not fit.
 */
export function sendLater(sender: InputSender, tick: number, input: OwnInput, now: number): Uint32Array {
  const { layout, open } = sender
  const codes = new Uint32Array(layout.fields.length)
  encodeInput(layout, input as PlayerInput, codes)
  if (tick - sender.lastTick < sender.sameEvery && isHeld(sender, codes)) return codes
  sender.lastCodes.set(codes)
  sender.lastTick = tick
  open.push({ sequence: sender.nextSequence++, tick, codes, sentAt: now })
  sender.fresh = Math.min(sender.fresh + 1, MAX_PACKET_INPUTS)
  if (open.length > 2 * MAX_PACKET_INPUTS) open.shift()
  return codes
}

/** Whether the host holds these codes already: the same levels, and no presses. */
function isHeld({ layout, lastCodes }: InputSender, codes: Uint32Array): boolean {
  for (let f = 0; f < codes.length; f++) if (codes[f] !== (layout.fields[f].isLevel ? lastCodes[f] : 0)) return false
  return true
}

/**
 * Whether a packet is due, `sinceMs` after the last: there are new inputs, or some that may be lost, or nothing was said for long. `untilMs`: when
 * the next input will be made. Its packet has everything again, so nothing is repeated a moment before it.
 */
export function isPacketDue({ fresh, open, loss }: InputSender, path: Path, sinceMs: number, untilMs: number): boolean {
  if (fresh > 0) return true
  if (path === 'stream') return sinceMs >= HEARTBEAT_MS
  if (sinceMs >= TELL_EVERY_MS) return true
  if (open.length === 0) return false
  return loss > LOSSY ? sinceMs >= REPEAT_LOSSY_EVERY_MS : sinceMs >= REPEAT_EVERY_MS && untilMs > SOON_MS
}

/** The packet to send now. */
export function makePacket(sender: InputSender, received: number, seenAgo: number): Uint8Array {
  const { open, writer, nonce } = sender
  let count = Math.min(sender.fresh + sender.repeats, MAX_PACKET_INPUTS, open.length)
  sender.fresh = 0
  // If the packet is too long for the host, keep only the newest half, again and again; one input always fits.
  for (; ; count >>= 1) {
    const inputs = count > 0 ? open.slice(-count) : []
    writeMessage(writer, MESSAGES.inputs, { nonce, received, seenAgo, inputs }, sender)
    const bytes = takeBytes(writer)
    if (bytes.length <= MAX_CLIENT_MESSAGE || count <= 1) return bytes
  }
}

/**
 * Takes what every message of the host says about our inputs: up to which one it has all, and how early the last ones came.
 * `tick` is the host's tick when it sent the message.
 */
export function noteFeedback(
  clock: HostClock,
  sender: InputSender,
  tick: number,
  acknowledged: number,
  slack: number,
  now: number,
): void {
  noteTick(clock, tick, now)
  noteAcknowledged(sender, acknowledged, now)
  if (slack >= NO_SLACK) return
  sender.reports++
  if (slack < 0) sender.lateReports++
  noteSlack(clock, slack, acknowledged, sender.nextSequence, now)
}

/** The host has everything up to `sequence`. */
function noteAcknowledged(sender: InputSender, sequence: number, now: number): void {
  const { open } = sender
  while (open.length > 0 && open[0].sequence <= sequence) {
    const { sentAt, sequence: own } = open.shift()!
    if (own !== sequence) continue
    const sample = now - sentAt
    sender.rttMs = sender.rttMs === undefined ? sample : sender.rttMs + (sample - sender.rttMs) / 8
  }
}
