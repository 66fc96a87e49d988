/** Opening the log of a new match without waiting for the store. */

import type { Done, MatchLog, MatchRecord, MatchStore, ReplayPiece, SeatRecord } from './store.ts'

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
