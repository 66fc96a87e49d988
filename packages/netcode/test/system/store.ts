/** The store's machine: it is slow, fails before or after it did what it was asked, or is away. */

import { createByteReader, readByte, readVarint } from 'hurtbox/wire'
import { type Done, Fenced, type MatchLog, type MatchStore } from '../../src/host/store.ts'
import type { Process, Store, StoredMatch, System } from './parts.ts'
import { between, chance, isTroubled, later, runAt } from './time.ts'

export function createStore(): Store {
  return { matches: new Map(), leases: new Map(), loggedBy: new Map(), awayUntil: 0 }
}

/** The store as a process sees it. */
export function storeOf(system: System, process: Process): MatchStore {
  const { matches } = system.store
  return {
    create: (record, done) => {
      const create = () => {
        const epoch = (matches.get(record.id)?.epoch ?? 0) + 1
        const owner = process.id
        matches.set(record.id, { record, epoch, owner, entries: [], seats: [], replay: new Uint8Array(0) })
        return logOf(system, process, record.id, epoch)
      }
      ask(system, process, create, done)
    },
    take: (id, done) => {
      const take = () => {
        const match = matches.get(id)
        if (match === undefined) return undefined
        match.epoch++
        match.owner = process.id
        const { record, seats, replay, epoch } = match
        const entries = match.entries.map(({ bytes }) => bytes)
        return { record, seats, entries, replay: replay.slice(), log: logOf(system, process, id, epoch) }
      }
      ask(system, process, take, done)
    },
  }
}

function logOf(system: System, process: Process, id: string, epoch: number): MatchLog {
  const { store, problems } = system
  const owned = () => requireOwner(system, store.matches.get(id), epoch)
  return {
    epoch,
    append: (bytes, done) => {
      const append = () => {
        const match = owned()
        const tick = tickOf(bytes)
        const before = store.loggedBy.get(tick)
        if (before !== undefined) problems.push(`tick ${tick} was logged by epoch ${before} and ${epoch}`)
        store.loggedBy.set(tick, epoch)
        match.entries.push({ bytes, isCheckpoint: false })
      }
      ask(system, process, append, done)
    },
    checkpoint: (bytes, piece, done) => {
      const checkpoint = () => {
        const match = owned()
        if (piece.at > match.replay.length) problems.push('a piece of the replay is missing')
        const replay = new Uint8Array(piece.at + piece.bytes.length)
        replay.set(match.replay.subarray(0, piece.at))
        replay.set(piece.bytes, piece.at)
        match.replay = replay
        match.entries = [{ bytes, isCheckpoint: true }]
      }
      ask(system, process, checkpoint, done)
    },
    keepSeats: (seats, done) => ask(system, process, () => void (owned().seats = seats), done),
    remove: (done) => ask(system, process, () => void store.matches.delete(id), done),
    close() {},
  }
}

/** The tick of a logged entry. */
function tickOf(bytes: Uint8Array): number {
  const reader = createByteReader(bytes)
  readByte(reader)
  readVarint(reader)
  return readVarint(reader)
}

function requireOwner({ breaks }: System, match: StoredMatch | undefined, epoch: number): StoredMatch {
  if (match === undefined) throw new Fenced()
  if (breaks !== 'fence' && match.epoch !== epoch) throw new Fenced()
  return match
}

/**
 * A request of a process to the store: applied after a while, answered after another. When the process notices that the
 * connection has broken, every request on it fails, whether it was applied or not.
 */
export function ask<T>(system: System, process: Process, apply: () => T, done: Done<T>): void {
  const { time, store } = system
  const isSlow = isTroubled(system) && chance(system) < 0.02
  const delay = () => (isSlow ? between(system, 20, 500) : between(system, 0.1, 2))
  const isBreaking = isTroubled(system) && chance(system) < 0.004
  const breaksAt = isBreaking ? (chance(system) < 0.5 ? 'request' : 'answer') : undefined
  const fail = () => done(new Error('the connection broke'), undefined as T)
  process.open.add(fail)
  if (process.isCutOff) return
  const isBroken = () => process.isCutOff || !process.open.has(fail)
  process.requestAt = Math.max(process.requestAt, time.now + delay(), store.awayUntil)
  runAt(system, process.requestAt, undefined, () => {
    if (breaksAt === 'request') breakConnection(system, process)
    if (isBroken()) return
    let error: Error | undefined
    let result: T | undefined
    try {
      result = apply()
    } catch (thrown) {
      error = thrown as Error
    }
    process.answerAt = Math.max(process.answerAt, time.now + delay())
    runAt(system, process.answerAt, process, () => {
      if (breaksAt === 'answer') breakConnection(system, process)
      if (isBroken()) return
      process.open.delete(fail)
      done(error, result as T)
    })
  })
}

function breakConnection(system: System, process: Process): void {
  if (process.isCutOff) return
  process.isCutOff = true
  later(system, 0, process, () => {
    const failed = [...process.open]
    process.open.clear()
    process.isCutOff = false
    for (const fail of failed) fail()
  })
}
