/**
 * The inputs of one seat, from the moment they arrive until their tick takes them.
 *
 * An input waits for the tick it is meant for. When the host is past that tick it counts for the next one, and whatever
 * has piled up for a tick is folded into one input: newest levels, presses added up. So a stall costs time and nothing
 * else, and sending more does not play faster. Sequence numbers make duplicates harmless: each number counts once, and
 * what comes after a newer one has been played is too old to mean anything.
 */

import { SEEN_AGO } from 'hurtbox/rewind'
import { foldCodes, type InputLayout } from 'hurtbox/tools'
import type { SeatInput } from '../protocol/input-packets.ts'
import { MAX_LEAD_TICKS } from '../protocol/protocol.ts'

export type SeatBuffer = {
  readonly layout: InputLayout
  /** For how many ticks an input counts, unless another comes. */
  readonly repeated: number
  /** Waiting inputs by ascending sequence. */
  readonly waiting: (SeatInput & { readonly seenAgo: number })[]
  /** The newest input that a tick took. */
  playedSequence: number
  playedTick: number
  /** Scratch: what `takeInput` returns. */
  readonly taken: Uint32Array
}

/** No more inputs wait than this: what a stall of some seconds gathers is folded as it comes. */
const MAX_WAITING = 2 * MAX_LEAD_TICKS

/** What became of a seat's inputs. Counted for statistics and limits; none of it is an error of the host. */
export type InputCounts = {
  accepted: number
  /** Came when their tick was over; they counted for the next. */
  late: number
  /** Late ones that said what the seat held anyway: their tick was played as it was meant. */
  harmless: number
  /** Seen before. */
  duplicate: number
  /** Older than what was played already. */
  stale: number
  /** Too far ahead. */
  future: number
  /** Folded into another, because several were due at once. */
  folded: number
  /** Messages that are invalid or of another match. */
  malformed: number
}

export function createInputCounts(): InputCounts {
  return { accepted: 0, late: 0, harmless: 0, duplicate: 0, stale: 0, future: 0, folded: 0, malformed: 0 }
}

export function createSeatBuffer(layout: InputLayout, repeated = 1): SeatBuffer {
  return {
    layout,
    repeated,
    waiting: [],
    playedSequence: 0,
    playedTick: -1,
    taken: new Uint32Array(layout.fields.length),
  }
}

/** Clears everything: the seat has a new player, whose sequence numbers start at 1. */
export function clearSeatBuffer(buffer: SeatBuffer): void {
  buffer.waiting.length = 0
  buffer.playedSequence = 0
  buffer.playedTick = -1
}

/**
 * Takes in one input; `nextTick` is the tick that runs next. Returns by how many ticks it came early (0: just in time,
 * below: late), or undefined when it was not taken.
 */
export function offerInput(
  buffer: SeatBuffer,
  input: SeatInput,
  seenAgo: number,
  nextTick: number,
  counts: InputCounts,
): number | undefined {
  const { waiting } = buffer
  const { sequence, tick } = input
  if (sequence <= buffer.playedSequence) {
    counts[sequence === buffer.playedSequence || tick < nextTick ? 'duplicate' : 'stale']++
    return undefined
  }
  if (tick - nextTick >= MAX_LEAD_TICKS) {
    counts.future++
    return undefined
  }
  let at = waiting.length
  while (at > 0 && waiting[at - 1].sequence >= sequence) at--
  if (waiting[at]?.sequence === sequence) {
    counts.duplicate++
    return undefined
  }
  // Ticks ascend with sequence numbers; anything else is not from our client.
  const ticksAscend =
    tick > (waiting[at - 1]?.tick ?? buffer.playedTick) && tick < (waiting[at]?.tick ?? Number.POSITIVE_INFINITY)
  if (!ticksAscend) {
    counts.malformed++
    return undefined
  }
  const entry = { sequence, tick, codes: input.codes, seenAgo }
  if (at === waiting.length) waiting.push(entry)
  else waiting.splice(at, 0, entry)
  if (waiting.length > MAX_WAITING) foldOldest(buffer, counts)
  counts.accepted++
  if (tick < nextTick) {
    counts.late++
    if (isHeld(buffer, input.codes)) counts.harmless++
  }
  return tick - nextTick
}

/**
 * The input of the seat in `tick`, or undefined when there is none: the one that is due, or the last one again for a few
 * ticks, without its presses. A client need not send what stays the same. `seenField` is the input field for how long ago the player
 * saw the others (−1: the game has none). It is filled in here, because it depends on the tick in which the input is played.
 */
export function takeInput(
  buffer: SeatBuffer,
  tick: number,
  seenField: number,
  counts: InputCounts,
): Uint32Array | undefined {
  const { waiting, taken, layout } = buffer
  let due = 0
  while (due < waiting.length && waiting[due].tick <= tick) due++
  if (due === 0)
    return tick - buffer.playedTick < buffer.repeated && buffer.playedSequence > 0 ? levelsOf(buffer) : undefined
  taken.set(waiting[0].codes)
  for (let i = 1; i < due; i++) foldCodes(layout, taken, waiting[i].codes)
  counts.folded += due - 1
  const newest = waiting[due - 1]
  buffer.playedSequence = newest.sequence
  buffer.playedTick = newest.tick
  if (seenField >= 0) {
    const ago = newest.seenAgo + (tick - newest.tick) * SEEN_AGO.partsPerTick
    taken[seenField] = Math.min(Math.max(ago, 0), layout.fields[seenField].largestCode)
  }
  if (due === 1) waiting.shift()
  else waiting.splice(0, due)
  return taken
}

/** Whether codes are what the seat plays without an input: the levels of the last one, and no presses. */
function isHeld({ layout, taken, playedSequence }: SeatBuffer, codes: Uint32Array): boolean {
  if (playedSequence === 0) return false
  for (let f = 0; f < codes.length; f++) if (codes[f] !== (layout.fields[f].isLevel ? taken[f] : 0)) return false
  return true
}

function levelsOf({ layout, taken }: SeatBuffer): Uint32Array {
  for (let f = 0; f < taken.length; f++) if (!layout.fields[f].isLevel) taken[f] = 0
  return taken
}

/** Folds the two oldest into one, as `takeInput` would. */
function foldOldest({ waiting, layout }: SeatBuffer, counts: InputCounts): void {
  const [oldest, next] = waiting
  const codes = oldest.codes.slice()
  foldCodes(layout, codes, next.codes)
  waiting.splice(0, 2, { ...next, codes })
  counts.folded++
}

/** The newest sequence number up to which nothing is missing. */
export function acknowledged(buffer: SeatBuffer): number {
  let sequence = buffer.playedSequence
  for (const { sequence: next } of buffer.waiting) {
    if (next !== sequence + 1) break
    sequence = next
  }
  return sequence
}
