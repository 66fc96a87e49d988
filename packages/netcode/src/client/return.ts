/**
 * A client's return to its match: when to ask for the room again, and when to give up.
 *
 * The room may be in another process by now, so every request goes through matchmaking, never to the old address. The first is sent at
 * once, the others at short intervals for as long as the room keeps the seat. A request without an answer is not waited for: what was sent
 * into a dead network is lost, and the first after it lives again is the one that counts. A server that knows says that there is no way back,
 * and that ends the return. Others say that there is no such room, also while one is being taken over; they are believed after a while.
 */

export type Return = {
  /** When the connection was lost, ms. */
  readonly since: number
  /** How long the room keeps the seat. */
  readonly seatSeconds: number
  /** Requests so far. */
  asked: number
  /** How often there was no such room, and how often the room had no such seat. */
  missing: number
  refused: number
  /** When to ask next, ms. */
  nextAt: number
  /** The connection may still live: when it is heard, the return is over. */
  isDoubt: boolean
}

/** The seat is kept from when the room has noticed the loss, which may be so much later. */
const NOTICED_MS = 5_000
/** A room that is in no process may be in one again after a takeover. */
const MISSING = 3
const MISSING_MS = 10_000
/** A room that does not know the seat's token never will. But there are two tokens to try, and the room may be about to be replaced. */
const REFUSALS = 4
const FIRST_DELAY_MS = 100
const LONGEST_DELAY_MS = 600
const GROWTH = 1.5
/** How long to wait for an answer before the next request. The answer still counts when it comes. */
export const ANSWER_MS = 700
const FIRST_PATIENCE_MS = 1_500
const LONGEST_PATIENCE_MS = 10_000

export function startReturn(now: number, seatSeconds: number): Return {
  return { since: now, seatSeconds, asked: 0, missing: 0, refused: 0, nextAt: now, isDoubt: false }
}

/**
 * How long to wait for the room's welcome on a new connection. It grows: the next connection ends the one before, and a slow server must be
 * able to finish one.
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
export function isHopeless({ since, seatSeconds, missing, refused }: Return, now: number): boolean {
  const ms = now - since
  return ms > seatSeconds * 1_000 + NOTICED_MS || refused >= REFUSALS || (missing >= MISSING && ms > MISSING_MS)
}
