/**
 * A client's return to its match: when to ask for the room again, and when to give up.
 *
 * The room may be in another process by now, so every request goes through matchmaking, never to the old address. The first request
 * is sent at once, the others at growing intervals. During a takeover the room is in no process at all, so "there is no such room"
 * counts as "not yet" for a while. A room that no longer knows the seat is believed sooner.
 */

import { SEAT_SECONDS } from '../protocol/protocol.ts'

export type Return = {
  /** When the connection was lost, ms. */
  readonly since: number
  /** Requests so far. */
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
/** A room that does not know the seat's token never will. But there are two tokens to try, and the room may be about to be replaced. */
const REFUSALS = 4
const FIRST_DELAY_MS = 100
const LONGEST_DELAY_MS = 1_000
const GROWTH = 1.5
const FIRST_PATIENCE_MS = 1_500
const LONGEST_PATIENCE_MS = 10_000

export function startReturn(now: number): Return {
  return { since: now, asked: 0, missing: 0, refused: 0, nextAt: now }
}

/**
 * How long to wait for an answer, and then for the room's welcome, before the next request. It grows: a slow server gets fewer requests
 * and can finish one before the next, which would end the connection of the one before.
 */
export function patienceMs({ asked }: Return): number {
  return Math.min(FIRST_PATIENCE_MS * GROWTH ** asked, LONGEST_PATIENCE_MS)
}

/** Notes a request without success. `spread` is a random number from 0 to 1: clients of one match must not all ask at once. */
export function askLater(returning: Return, now: number, spread: number): void {
  // A room that answers is asked again soon, however long it was looked for.
  const delay = Math.min(
    FIRST_DELAY_MS * GROWTH ** (returning.refused > 0 ? returning.refused : returning.asked),
    LONGEST_DELAY_MS,
  )
  returning.asked++
  returning.nextAt = now + delay * (0.75 + spread / 2)
}

/** Whether asking again has no point. */
export function isHopeless({ since, missing, refused }: Return, now: number): boolean {
  const ms = now - since
  return ms > GIVE_UP_MS || refused >= REFUSALS || (missing >= MISSING && ms > MISSING_MS)
}
