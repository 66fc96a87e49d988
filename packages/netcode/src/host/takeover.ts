/**
 * Which matches of dead processes this one takes over.
 *
 * Every process asks for itself, without a vote: for each match the living processes have an order of their own, by a hash,
 * so the matches of a dead process spread evenly over the others. The first of the order takes the match when it has looked
 * twice and seen no owner; the others wait a look longer for each place, in case the first dies as well. If two take the
 * same match nothing breaks: the later one fences the earlier one.
 */

import { hashBytes } from 'hurtbox/tools'

/** A living process, as it announces itself. */
export type ProcessView = {
  readonly id: string
  /** Fingerprints of the games it serves, by name of the room. */
  readonly games: Readonly<Record<string, string>>
  /** It is shutting down: its matches are to be taken, and it takes none. */
  readonly isLeaving: boolean
}

/** A match of the store. `owner` is a process id; '' when its owner has released it. */
export type ListedMatch = {
  readonly id: string
  readonly room: string
  readonly fingerprint: string
  readonly owner: string
}

/** How often in a row each match was seen without a living owner. */
export type Looks = Map<string, number>

/** Looks until a match counts as abandoned: a connection to the store may break and come back. */
const LOOKS = 2

/** The matches that `self` takes now. Called at regular intervals, with the same `looks`. */
export function matchesToTake(
  self: string,
  processes: readonly ProcessView[],
  matches: readonly ListedMatch[],
  looks: Looks,
): ListedMatch[] {
  const alive = new Set(processes.map(({ id }) => id))
  const abandoned = matches.filter(({ owner }) => !alive.has(owner))
  for (const id of looks.keys()) if (!abandoned.some((match) => match.id === id)) looks.delete(id)
  return abandoned.filter((match) => {
    // A match that was released needs no second look.
    const seen = (looks.get(match.id) ?? (match.owner === '' ? LOOKS - 1 : 0)) + 1
    looks.set(match.id, seen)
    const place = placeOf(self, processes, match)
    if (place < 0 || seen < LOOKS + place) return false
    looks.delete(match.id)
    return true
  })
}

/**
 * A match as the process `self` should see it. What it is said to own and does not run has no owner: it was taken, and the answer
 * got lost.
 */
export function withoutOwner(match: ListedMatch, self: string, isRun: boolean): ListedMatch {
  return match.owner === self && !isRun ? { ...match, owner: '' } : match
}

/** Whether a process other than `self` could go on with the match. */
export function canBeTaken(self: string, processes: readonly ProcessView[], match: ListedMatch): boolean {
  return candidates(processes, match).some(({ id }) => id !== self)
}

function candidates(processes: readonly ProcessView[], { room, fingerprint }: ListedMatch): ProcessView[] {
  return processes.filter(({ games, isLeaving }) => !isLeaving && games[room] === fingerprint)
}

/** The place of `self` in the order of those that could go on with the match; −1 if it could not. */
function placeOf(self: string, processes: readonly ProcessView[], match: ListedMatch): number {
  const weight = (id: string) => hashBytes(new TextEncoder().encode(`${match.id} ${id}`))
  const order = candidates(processes, match).map(({ id }) => ({ id, weight: weight(id) }))
  order.sort((a, b) => (a.weight < b.weight ? -1 : 1))
  return order.findIndex(({ id }) => id === self)
}
