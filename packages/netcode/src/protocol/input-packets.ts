/**
 * Input packets: what a client sends, several inputs at once.
 *
 *   nonce, received (ticks or frame known to the client), sequence of the last input, its tick, how long ago its
 *   player saw the others (32nds of a tick), number of inputs, then each from the oldest on: ticks after the one
 *   before, mask of changed fields, their codes
 *
 * Every packet repeats the inputs that the host has not acknowledged yet, as far as they fit, so a lost packet costs
 * nothing. The first input of a packet stands against the idle input and each further one against the one before it: a
 * packet can be read without any other. The nonce is the match's; inputs captured in one room mean nothing in another.
 */

import type { InputLayout } from 'hurtbox/tools'
import {
  type ByteReader,
  type ByteWriter,
  isWholeRead,
  readChanges,
  readCount,
  readVarint,
  writeChanges,
  writeVarint,
} from 'hurtbox/wire'
import { MAX_PACKET_INPUTS } from './protocol.ts'

/** One input of a seat: its number, the tick it is meant for, and its codes. */
export type SeatInput = { readonly sequence: number; readonly tick: number; readonly codes: Uint32Array }

export type InputPacket = {
  nonce: number
  /** Up to where the client has the match: the next confirmed tick it needs, or the last frame it has. */
  received: number
  /** How long before the tick of the last input its player saw the others, in the parts of a tick that `SEEN_AGO` names. */
  seenAgo: number
  /** Oldest first, sequence ascending one by one. */
  inputs: SeatInput[]
}

/** The longest view into the past that fits. */
export const MAX_SEEN_AGO = 0xffff

/** How inputs of a game are coded. */
export type InputCoding = { readonly layout: InputLayout; readonly idle: Uint32Array }

export function writeInputPacket(writer: ByteWriter, packet: InputPacket, { idle }: InputCoding): void {
  const { inputs } = packet
  const last = inputs[inputs.length - 1]
  writeVarint(writer, packet.nonce)
  writeVarint(writer, packet.received)
  writeVarint(writer, last?.sequence ?? 0)
  writeVarint(writer, last?.tick ?? 0)
  writeVarint(writer, packet.seenAgo)
  writeVarint(writer, inputs.length)
  let before = idle
  let tick = inputs[0]?.tick ?? 0
  for (const input of inputs) {
    writeVarint(writer, input.tick - tick)
    writeChanges(writer, before, 0, input.codes, 0, idle.length)
    before = input.codes
    tick = input.tick
  }
}

/** The packet, or undefined when anything about it is wrong. Codes are in range. */
export function readInputPacket(reader: ByteReader, { layout, idle }: InputCoding): InputPacket | undefined {
  const packet: InputPacket = { nonce: readVarint(reader), received: readVarint(reader), seenAgo: 0, inputs: [] }
  const lastSequence = readVarint(reader)
  const lastTick = readVarint(reader)
  packet.seenAgo = readCount(reader, MAX_SEEN_AGO)
  const count = readCount(reader, MAX_PACKET_INPUTS)
  if (lastSequence < count - 1) return undefined
  let before = idle
  const gaps: number[] = []
  const codes: Uint32Array[] = []
  let span = 0
  for (let i = 0; i < count; i++) {
    const gap = readVarint(reader)
    // Ticks ascend: two inputs for one tick would be a way to press twice as fast.
    if (i > 0 ? gap === 0 : gap !== 0) return undefined
    span += gap
    const own = before.slice()
    readChanges(reader, layout, own, 0)
    gaps.push(gap)
    codes.push(own)
    before = own
  }
  if (!isWholeRead(reader) || span > lastTick) return undefined
  let tick = lastTick - span
  for (let i = 0; i < count; i++) {
    tick += gaps[i]
    packet.inputs.push({ sequence: lastSequence - (count - 1 - i), tick, codes: codes[i] })
  }
  return packet
}
