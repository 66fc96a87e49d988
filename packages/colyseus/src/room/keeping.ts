/**
 * How rooms keep their matches: the store, what to do while it is away, and matches that were taken over and wait for
 * their room.
 *
 * A room is made by Colyseus, from a name and an id, so a match that was taken reaches its room by the id. It does not come with
 * the options of the room: those come from clients.
 */

import { ServerError } from '@colyseus/core'
import type { KeeperState } from '@hurtbox/netcode/host'
import { Fenced, type MatchLog, type MatchStore, type SeatRecord, type TakenMatch } from '@hurtbox/netcode/host'

export type MatchKeeping = {
  readonly store: MatchStore
  /** What a match does while the store is away: it goes on without protection (default), or stands still. */
  readonly whenStoreFails?: 'go-on' | 'freeze'
  /** Matches that were taken over, by the id of the room that goes on with them. */
  readonly taken: Map<string, TakenMatch>
  readonly onState?: (roomId: string, state: KeeperState, problem: Error | undefined) => void
  /** Something is wrong with a match that was taken over, and it goes on all the same. */
  readonly onProblem?: (roomId: string, problem: string) => void
}

/** How long a player who takes a seat waits for a store that does not answer. */
const PATIENCE_MS = 1_000

/** Writes down who holds which seat. Rejects when another process owns the match; a store that is away is not waited for. */
export function saveSeats(log: MatchLog, seats: readonly SeatRecord[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, PATIENCE_MS)
    log.keepSeats(seats, (error) => {
      clearTimeout(timer)
      if (error instanceof Fenced) reject(new ServerError(503, 'The match has moved. Try again.'))
      else resolve()
    })
  })
}
