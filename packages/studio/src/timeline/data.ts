/** What the timeline shows: a stretch of ticks, and lanes of marks, one for each player and each kind of event. */

import { type LoadedModule, meaningOfEvent } from 'hurtbox/module'
import type { Survey } from '../model/studio.ts'
import { words } from '../model/words.ts'

/** Ticks `from` to `to`. */
export type Stretch = { readonly from: number; readonly to: number }

/** Fewer ticks than this are not worth a whole bar. */
const SMALLEST = 20

/** The stretch seen from nearer (factor below 1) or from further away, with the tick `at` where it is. */
export function zoom({ from, to }: Stretch, at: number, factor: number, whole: Stretch): Stretch {
  const length = Math.max(SMALLEST, Math.min(whole.to - whole.from, (to - from) * factor))
  const part = (at - from) / Math.max(1, to - from)
  return within({ from: at - part * length, to: at + (1 - part) * length }, whole)
}

export function pan({ from, to }: Stretch, by: number, whole: Stretch): Stretch {
  return within({ from: from + by, to: to + by }, whole)
}

/** Moved, not cut, into the whole. */
function within({ from, to }: Stretch, whole: Stretch): Stretch {
  const length = Math.min(to - from, Math.max(1, whole.to - whole.from))
  const start = Math.max(whole.from, Math.min(from, whole.to - length))
  return { from: start, to: start + length }
}

export type Lane = {
  readonly label: string
  /** Which marks are in it. */
  readonly of: { readonly seat: number } | { readonly kind: number }
}

/** What kinds of events are to people, the most wanted first. */
const RANKS = ['end', 'kill', 'score', 'hit', 'block', 'pickup', 'spawn', 'other'] as const
const MOST_KINDS = 6

/** A lane for each player, then one for each kind that has happened. */
export function lanesOf(
  module: LoadedModule,
  { marks, kinds }: Survey,
  seats: readonly number[],
  playerName: (seat: number) => string,
): Lane[] {
  const seen = new Set<number>()
  for (let i = 1; i < marks.length; i += 3) seen.add(marks[i])
  const rank = (kind: number) => RANKS.indexOf(meaningOfEvent(module, kinds[kind])?.is ?? 'other')
  const shown = [...seen].filter((kind) => kind >= 0).sort((a, b) => rank(a) - rank(b) || a - b)
  return [
    ...seats.map((seat) => ({ label: playerName(seat), of: { seat } })),
    ...shown.slice(0, MOST_KINDS).map((kind) => ({ label: words(kinds[kind]), of: { kind } })),
  ]
}

/** Where in `marks` those of a stretch are: from the first to before the second. */
export function marksIn(marks: readonly number[], { from, to }: Stretch): readonly [number, number] {
  return [placeOf(marks, from), placeOf(marks, to + 1)]
}

/** The first mark of `tick` or later. Marks are ascending by tick, three numbers each. */
function placeOf(marks: readonly number[], tick: number): number {
  let [low, high] = [0, marks.length / 3]
  while (low < high) {
    const middle = (low + high) >> 1
    if (marks[3 * middle] < tick) low = middle + 1
    else high = middle
  }
  return 3 * low
}

/** Colours by what an event is to people. */
export const TONES: Readonly<Record<(typeof RANKS)[number], string>> = {
  end: '#ffffff',
  kill: '#ff5468',
  score: '#c792ea',
  hit: '#ffd166',
  block: '#5aa8ff',
  pickup: '#5ef08c',
  spawn: '#6ee7d8',
  other: '#4a5470',
}

export function toneOf(module: LoadedModule, kind: string): string {
  return TONES[meaningOfEvent(module, kind)?.is ?? 'other']
}

export function isInLane({ of }: Lane, kind: number, seat: number): boolean {
  return 'seat' in of ? of.seat === seat : of.kind === kind
}

/** `0:13.5`. */
export function formatTime(seconds: number): string {
  const whole = Math.floor(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}.${Math.floor((seconds - whole) * 10)}`
}
