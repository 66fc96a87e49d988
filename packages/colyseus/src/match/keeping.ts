/**
 * How rooms keep their matches: the store, what to do while it is away, and matches that were taken over and wait for
 * their room.
 *
 * A room is made by Colyseus, from a name and an id, so a match that was taken reaches its room by the id. It does not come with
 * the options of the room: those come from clients.
 */

import { ServerError } from '@colyseus/core'
import type { KeeperState } from './keeper.ts'
import {
  type Done,
  Fenced,
  type MatchLog,
  type MatchRecord,
  type MatchStore,
  type ReplayPiece,
  type SeatRecord,
  type TakenMatch,
} from './store.ts'

export type MatchKeeping = {
  readonly store: MatchStore
  /** What a match does while the store is away: it goes on without protection (default), or stands still. */
  readonly whenAway?: 'go-on' | 'freeze'
  /** Matches that were taken over, by the id of the room that goes on with them. */
  readonly taken: Map<string, TakenMatch>
  readonly onState?: (roomId: string, state: KeeperState, problem: Error | undefined) => void
  /** Something is wrong with a match that was taken over, and it goes on all the same. */
  readonly onProblem?: (roomId: string, problem: string) => void
}

/** The log of a new match. Writes wait until the store has it; where it could not be made, each checkpoint tries again. */
export function openLog(store: MatchStore, record: MatchRecord): MatchLog {
  let log: MatchLog | undefined
  let problem: Error | undefined
  let isClosed = false
  const waiting: (() => void)[] = []
  const create = () => {
    problem = undefined
    store.create(record, (error, made) => {
      problem = error
      log = made
      if (isClosed) log?.close()
      for (const write of waiting.splice(0)) write()
    })
  }
  const withLog = (write: (log: MatchLog) => void, done: Done) => {
    const run = () => (log === undefined ? done(problem) : write(log))
    if (log !== undefined || problem !== undefined) run()
    else waiting.push(run)
  }
  create()
  return {
    get epoch() {
      return log?.epoch ?? 0
    },
    append: (entry: Uint8Array, done: Done) => withLog((made) => made.append(entry, done), done),
    checkpoint(entry: Uint8Array, replay: ReplayPiece, done: Done) {
      if (problem !== undefined) create()
      withLog((made) => made.checkpoint(entry, replay, done), done)
    },
    keepSeats: (seats: readonly SeatRecord[], done: Done) => withLog((made) => made.keepSeats(seats, done), done),
    remove: (done: Done) => withLog((made) => made.remove(done), done),
    close() {
      isClosed = true
      log?.close()
    },
  }
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
