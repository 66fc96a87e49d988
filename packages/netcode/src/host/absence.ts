/**
 * How long a player may be away before its seat is given to others.
 *
 * A seat has a time, and being away uses it up. It does not begin anew whenever its player wakes up for a moment: who comes back once a
 * minute would hold a seat for ever. Being here pays it back, some seconds for each; so a player who is away now and then loses nothing.
 */

export type Absence = {
  /** When the player went away, ms; undefined while it is here. */
  since: number | undefined
  /** What was used up of the seat's time when it last went or came, ms, and when that was. */
  spentMs: number
  at: number
}

/** So many seconds of absence are paid back by one of presence. */
const PAID_BACK = 4

export function createAbsence(): Absence {
  return { since: undefined, spentMs: 0, at: 0 }
}

export function goAway(absence: Absence, now: number): void {
  if (absence.since !== undefined) return
  note(absence, now)
  absence.since = now
}

export function comeBack(absence: Absence, now: number): void {
  if (absence.since === undefined) return
  note(absence, now)
  absence.since = undefined
}

function note(absence: Absence, now: number): void {
  absence.spentMs = spentMs(absence, now)
  absence.at = now
}

/** What is used up of the seat's time, ms. */
export function spentMs({ since, spentMs: spent, at }: Absence, now: number): number {
  const ms = Math.max(0, now - at)
  return since === undefined ? Math.max(0, spent - PAID_BACK * ms) : spent + ms
}
