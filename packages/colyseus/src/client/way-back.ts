/**
 * The way back to a match: when to ask for the room again, and at which address.
 *
 * The room may be anywhere by now, so every question goes through matchmaking, never to the address at which the room was. The
 * first question is asked at once, the others at growing intervals; with several addresses each is asked in turn. In the
 * middle of a takeover the room is in no process at all, so "there is no such room" counts as "not yet" for a while. A room that does not
 * know the seat any more is believed sooner.
 */

import { SEAT_SECONDS } from '../netcode/protocol.ts'

export type WayBack = {
  /** When the connection was lost, ms. */
  readonly since: number
  /** Questions asked so far. */
  asked: number
  /** How often there was no such room, and how often the room had no such seat. */
  missing: number
  refused: number
  /** When to ask next, ms. */
  nextAt: number
}

/** After this long the match counts as ended: the seat is kept from when the room has noticed the loss, which may be some seconds later. */
const GIVE_UP_MS = (SEAT_SECONDS + 5) * 1_000
/** A room that is in no process may be in one again after a takeover. */
const MISSING = 3
const MISSING_MS = 10_000
/** A room that does not know the seat's token will not learn it. But there are two tokens to try, and the room may be about to be replaced. */
const REFUSALS = 4
const FIRST_DELAY_MS = 100
const LONGEST_DELAY_MS = 1_000
const GROWTH = 1.5
const FIRST_PATIENCE_MS = 1_500
const LONGEST_PATIENCE_MS = 10_000

export function startWayBack(now: number): WayBack {
  return { since: now, asked: 0, missing: 0, refused: 0, nextAt: now }
}

/**
 * How long an answer is waited for, and then the room's welcome, before the next question. It grows: a server that is slow gets fewer
 * questions, and comes to answer one of them before the next, which would end the connection of the one before.
 */
export function patienceMs({ asked }: WayBack): number {
  return Math.min(FIRST_PATIENCE_MS * GROWTH ** asked, LONGEST_PATIENCE_MS)
}

/** Notes a question in vain. `spread` is a random number from 0 to 1: clients of one match must not all ask at once. */
export function askLater(way: WayBack, now: number, spread: number): void {
  // A room that answers is asked again soon, however long it was looked for.
  const delay = Math.min(FIRST_DELAY_MS * GROWTH ** (way.refused > 0 ? way.refused : way.asked), LONGEST_DELAY_MS)
  way.asked++
  way.nextAt = now + delay * (0.75 + spread / 2)
}

/** Whether there is no point in asking on. */
export function isHopeless({ since, missing, refused }: WayBack, now: number): boolean {
  const ms = now - since
  return ms > GIVE_UP_MS || refused >= REFUSALS || (missing >= MISSING && ms > MISSING_MS)
}
