/**
 * The log of one match in Redis, as its owner writes it (the keys: `redis-store.ts`).
 *
 * Each entry has the epoch of its owner in its id, and Redis takes no id that is not above the last: what an owner writes after another has
 * taken the match is refused.
 */

import { type Done, Fenced, type MatchLog, type MatchRecord, type SeatRecord } from '@hurtbox/netcode/host'
import type { Redis } from 'ioredis'
import { settle } from './settle.ts'
import type { AddEntry } from './stream-batch.ts'

/** The connection of a process to the Redis that it shares with others. */
export type Shared = {
  readonly redis: Redis
  readonly processId: string
  readonly addEntry: AddEntry
  readonly onError: (error: Error) => void
}

/** Matches that no process goes on with are forgotten after this long. */
export const EXPIRE_MS = 3_600_000

export const MATCHES = 'hurtbox:matches'
export const keyOf = (id: string): string => `hurtbox:m:${id}`

/** What `hurtbox:matches` has of a match. */
export function listing({ room, fingerprint }: Pick<MatchRecord, 'room' | 'fingerprint'>, owner: string): string {
  return JSON.stringify({ room, fingerprint, owner })
}

/** A match as its owner of this epoch writes it. */
type Written = {
  readonly shared: Shared
  readonly record: MatchRecord
  readonly key: string
  readonly epoch: number
  /** Of the last entry. */
  number: number
  /** Where the newest seats are. */
  seatsField: string | undefined
}

type Fields = readonly (string | Uint8Array)[]

export function openLog(shared: Shared, record: MatchRecord, epoch: number): MatchLog {
  const match: Written = { shared, record, key: keyOf(record.id), epoch, number: 0, seatsField: undefined }
  const inOrder = createOrder()
  return {
    epoch,
    append: (entry, done) => void add(match, ['b', entry], false, inOrder(done)),
    checkpoint: (entry, { at, bytes }, done) => settle(checkpoint(match, entry, at, bytes), inOrder(done)),
    keepSeats: (seats, done) => settle(keepSeats(match, seats), inOrder(done)),
    remove: (done) => settle(remove(match), inOrder(done)),
    close() {},
  }
}

type Answer = { readonly done: Done; isKnown: boolean; error: Error | undefined }

/** Answers come in the order of the calls, however many steps each takes. */
function createOrder(): (done: Done) => (error?: Error) => void {
  const answers: Answer[] = []
  return (done) => {
    const own: Answer = { done, isKnown: false, error: undefined }
    answers.push(own)
    return (error) => {
      own.isKnown = true
      own.error = error
      while (answers[0]?.isKnown) {
        const first = answers.shift()!
        first.done(first.error)
      }
    }
  }
}

/** Adds an entry. One of an earlier epoch is refused; where there is no stream, the match is over or Redis lost it. */
function add(match: Written, fields: Fields, mayMake: boolean, done: (error?: Error) => void): string {
  const { shared, key, epoch } = match
  const id = `${epoch}-${++match.number}`
  shared.addEntry({ key, id, fields, mayMake }, (error, isAdded) => {
    if (isAdded) done()
    else if (error !== undefined) done(/equal or smaller/.test(error.message) ? new Fenced() : error)
    else shared.redis.get(`${key}:epoch`).then((known) => done(missing(Number(known) > epoch)), done)
  })
  return id
}

function added(match: Written, fields: Fields, mayMake: boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    const id = add(match, fields, mayMake, (error) => (error === undefined ? resolve(id) : reject(error)))
  })
}

async function checkpoint(match: Written, entry: Uint8Array, at: number, bytes: Uint8Array): Promise<void> {
  const { shared, record, key, epoch } = match
  const { redis, processId, onError } = shared
  // Both at once, so that the entries after it come after it.
  const [known, entryId] = await Promise.all([
    redis.get(`${key}:epoch`),
    added(match, ['b', entry, 'a', String(at), 'r', bytes], true),
  ])
  if (Number(known) > epoch) {
    // There was no stream that could refuse it: the match is over.
    await redis.del(key)
    throw new Fenced()
  }
  // The log has it. The rest makes room, and the process that takes the match can do it as well. A Redis that was started anew knows
  // nothing of the match.
  const work = redis.pipeline().hset(MATCHES, record.id, listing(record, processId)).xtrim(key, 'MINID', entryId)
  work.set(`${key}:epoch`, epoch, 'NX').set(`${key}:record`, JSON.stringify(record), 'NX')
  if (bytes.length > 0) work.setrange(`${key}:replay`, at, asBuffer(bytes))
  for (const part of ['', ':epoch', ':record', ':seats', ':replay']) work.pexpire(key + part, EXPIRE_MS)
  work.exec().catch(onError)
}

async function keepSeats(match: Written, seats: readonly SeatRecord[]): Promise<void> {
  const { key, epoch, number } = match
  const { redis, onError } = match.shared
  const field = `${epoch}-${number + 1}`
  await Promise.all([redis.hset(`${key}:seats`, field, JSON.stringify(seats)), added(match, ['f', ''], false)])
  if (match.seatsField !== undefined) redis.hdel(`${key}:seats`, match.seatsField).catch(onError)
  match.seatsField = field
}

async function remove(match: Written): Promise<void> {
  const { key, record } = match
  await added(match, ['f', ''], false)
  await match.shared.redis
    .pipeline()
    .incr(`${key}:epoch`)
    .pexpire(`${key}:epoch`, EXPIRE_MS)
    .del(key, `${key}:record`, `${key}:seats`, `${key}:replay`)
    .hdel(MATCHES, record.id)
    .exec()
}

function missing(isTaken: boolean): Error {
  return isTaken ? new Fenced() : new Error('Redis has lost the match')
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
