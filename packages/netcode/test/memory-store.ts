/** A store in memory for tests: it answers when it is told to, and fails when it is told to. */

import {
  type Done,
  Fenced,
  type MatchLog,
  type MatchRecord,
  type MatchStore,
  type SeatRecord,
} from '../src/host/store.ts'

export type MemoryStore = MatchStore & {
  entries: Uint8Array[]
  replay: Uint8Array
  seats: readonly SeatRecord[]
  /** Whether answers are given at once. Those that are not wait in `waiting`. */
  isPrompt: boolean
  readonly waiting: (() => void)[]
  /** What the next requests fail with. */
  failure: Error | undefined
  answerAll(): void
}

export function memoryStore(): MemoryStore {
  let record: MatchRecord | undefined
  let epoch = 0
  const request = <T>(work: () => T, done: Done<T>) => {
    let error = store.failure
    let result: T | undefined
    try {
      if (error === undefined) result = work()
    } catch (thrown) {
      error = thrown as Error
    }
    const answer = () => done(error, result as T)
    if (store.isPrompt) answer()
    else store.waiting.push(answer)
  }
  const logOf = (own: number): MatchLog => {
    const write = (work: () => void, done: Done) =>
      request(() => {
        if (own !== epoch) throw new Fenced()
        work()
      }, done)
    return {
      epoch: own,
      append: (entry, done) => write(() => void store.entries.push(entry), done),
      checkpoint: (entry, { at, bytes }, done) =>
        write(() => {
          const replay = new Uint8Array(at + bytes.length)
          replay.set(store.replay.subarray(0, at))
          replay.set(bytes, at)
          store.replay = replay
          store.entries = [entry]
        }, done),
      keepSeats: (seats, done) => write(() => void (store.seats = seats), done),
      remove: (done) => write(() => void (record = undefined), done),
      close() {},
    }
  }
  const store: MemoryStore = {
    entries: [],
    replay: new Uint8Array(0),
    seats: [],
    isPrompt: true,
    waiting: [],
    failure: undefined,
    answerAll() {
      for (const answer of store.waiting.splice(0)) answer()
    },
    create: (given, done) =>
      request(() => {
        record = given
        store.entries = []
        return logOf(++epoch)
      }, done),
    take: (_id, done) =>
      request(() => {
        if (record === undefined) return undefined
        const log = logOf(++epoch)
        return { record, seats: store.seats, entries: [...store.entries], replay: store.replay.slice(), log }
      }, done),
  }
  return store
}

export const RECORD: MatchRecord = {
  id: 'room',
  room: 'tag',
  fingerprint: 'build',
  setup: { seed: 7, options: {}, tuning: {} },
  nonce: 9,
  match: 1,
  isPrivate: false,
  startedAt: 0,
}
