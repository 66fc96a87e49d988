/**
 * Matches in Redis: for several processes, each of which can go on with a match of another.
 *
 *   hurtbox:m:<id>         a stream of entries, id `epoch-number`
 *   hurtbox:m:<id>:epoch   the epoch of the owner
 *   hurtbox:m:<id>:record  how the match began
 *   hurtbox:m:<id>:seats   who holds its seats, by the id of the entry that confirms it
 *   hurtbox:m:<id>:replay  the part of the replay that is final
 *   hurtbox:matches        all matches, by id: room, fingerprint, owner
 *   hurtbox:p:<process>    a living process: which games it serves. Expires unless it is renewed
 *   hurtbox:processes      those that were ever seen
 *
 * The log is the fence. To take a match is to count its epoch up and to add the first entry of the new one: Redis accepts no id
 * that is not above the last, so every later write of an earlier owner fails. What is not in the stream is either the same
 * no matter which process writes it (the replay), or counts only if the entry that confirms it was accepted (the seats).
 */

import {
  Fenced,
  type ListedMatch,
  type MatchLog,
  type MatchRecord,
  type MatchStore,
  type ProcessView,
  parseRecord,
  RECORD_BYTES,
  type SeatRecord,
  type TakenMatch,
} from '@hurtbox/netcode/host'
import { HurtboxError } from 'hurtbox'
import { Redis, type RedisOptions } from 'ioredis'
import {
  createSkips,
  LOG_BYTES,
  readListing,
  readProcess,
  requireSizes,
  type Skips,
  smallFields,
  smallValue,
} from './listings.ts'
import { EXPIRE_MS, keyOf, listing, MATCHES, openLog, type Shared } from './redis-log.ts'
import { settle } from './settle.ts'
import { createStreamBatch } from './stream-batch.ts'

export type RedisStore = MatchStore & {
  list(): Promise<ListedMatch[]>
  /** The match may be taken: its owner stops. Tells the other processes, so that none has to look for it. */
  release(id: string): Promise<void>
  onRelease(listener: () => void): Promise<void>
  /** Which process owns the match now; undefined when there is no such match. */
  ownerOf(id: string): Promise<string | undefined>
  /** Says that this process lives, for so long. */
  announce(view: ProcessView, ms: number): Promise<void>
  withdraw(processId: string): Promise<void>
  processes(): Promise<ProcessView[]>
  close(): void
}

const PROCESSES = 'hurtbox:processes'
const RELEASED = 'hurtbox:released'
const processKey = (id: string) => `hurtbox:p:${id}`

export async function redisStore(
  options: RedisOptions,
  processId: string,
  onError: (error: Error) => void,
): Promise<RedisStore> {
  const redis = await connect(options, onError)
  const shared: Shared = { redis, processId, addEntry: createStreamBatch(redis), onError }
  const skip = createSkips(onError)
  let ears: Redis | undefined
  return {
    create: (record, done) => settle(create(shared, record), done),
    take: (id, done) => settle(take(shared, id), done),
    list: () => listMatches(redis, skip),
    async release(id) {
      const text = await redis.hget(MATCHES, id)
      const known = text === null ? undefined : readListing(id, text)
      if (known?.owner !== processId) return
      await redis.pipeline().hset(MATCHES, id, listing(known, '')).publish(RELEASED, id).exec()
    },
    async onRelease(listener) {
      ears = redis.duplicate({ enableOfflineQueue: true })
      ears.on('error', onError)
      ears.on('message', listener)
      await ears.subscribe(RELEASED)
    },
    async ownerOf(id) {
      const text = await redis.hget(MATCHES, id)
      return text === null ? undefined : readListing(id, text)?.owner
    },
    async announce(view, ms) {
      await redis.pipeline().set(processKey(view.id), JSON.stringify(view), 'PX', ms).sadd(PROCESSES, view.id).exec()
    },
    async withdraw(id) {
      await redis.pipeline().del(processKey(id)).srem(PROCESSES, id).exec()
    },
    processes: () => listProcesses(shared, skip),
    close() {
      redis.disconnect()
      ears?.disconnect()
    },
  }
}

async function connect(options: RedisOptions, onError: (error: Error) => void): Promise<Redis> {
  const redis = new Redis({
    ...options,
    // A command that was sent and not answered may have been done. Sent again, an append would look like one of an old owner.
    autoResendUnfulfilledCommands: false,
    // And it must fail when the connection breaks: by default ioredis forgets such a command without an answer.
    maxRetriesPerRequest: 0,
    // A match must know at once that its store is away.
    enableOfflineQueue: false,
    retryStrategy: (times) => Math.min(50 * times, 500),
  })
  redis.on('error', onError)
  await new Promise<void>((resolve, reject) => {
    redis.once('ready', resolve)
    setTimeout(reject, 10_000, new HurtboxError('bad-argument', 'REDIS_URL: no answer within 10 s.')).unref()
  })
  return redis
}

async function create(shared: Shared, record: MatchRecord): Promise<MatchLog> {
  const { redis, processId } = shared
  const key = keyOf(record.id)
  const epoch = await redis.incr(`${key}:epoch`)
  await redis
    .multi()
    .del(key, `${key}:seats`, `${key}:replay`)
    .xadd(key, `${epoch}-0`, 'f', '')
    .set(`${key}:record`, JSON.stringify(record), 'PX', EXPIRE_MS)
    .hset(MATCHES, record.id, listing(record, processId))
    .exec()
  return openLog(shared, record, epoch)
}

async function take(shared: Shared, id: string): Promise<TakenMatch | undefined> {
  const { redis, processId } = shared
  const key = keyOf(id)
  // Before anything is changed: a match that cannot be read stays as it is.
  const [text] = await Promise.all([
    redis.getrange(`${key}:record`, 0, RECORD_BYTES),
    requireSizes(redis, {
      [key]: LOG_BYTES,
      [`${key}:record`]: RECORD_BYTES,
      [`${key}:seats`]: RECORD_BYTES,
      [`${key}:replay`]: LOG_BYTES,
    }),
  ])
  const record = text === '' ? undefined : parseRecord(id, text)
  const epoch = record === undefined ? 0 : await redis.incr(`${key}:epoch`)
  if (record === undefined || !(await fence(redis, key, epoch))) {
    await redis.hdel(MATCHES, id)
    return undefined
  }
  // Only now: what an earlier owner wrote before its last accepted entry is there.
  const [seats, found, kept] = await Promise.all([
    redis.hgetall(`${key}:seats`),
    redis.xrangeBuffer(key, '-', '+') as Promise<[Buffer, Buffer[]][]>,
    redis.getBuffer(`${key}:replay`),
    redis.hset(MATCHES, id, listing(record, processId)),
  ])
  const entries = found.map(([, fields]) => fieldsOf(fields))
  const known = newestSeats(
    seats,
    found.map(([entryId]) => String(entryId)),
  )
  const last = entries.findLast(({ a }) => a !== undefined)
  const [at, piece] = [Number(last?.a ?? 0), last?.r ?? Buffer.of()]
  await Promise.all([
    // Under our own epoch, before anything of ours: whatever an earlier owner still writes is older.
    redis.hset(`${key}:seats`, `${epoch}-0`, JSON.stringify(known)),
    // The owner before may have died between the entry and this.
    piece.length > 0 && redis.setrange(`${key}:replay`, at, piece),
  ])
  return {
    record,
    seats: known,
    entries: entries.flatMap(({ b }) => (b ? [new Uint8Array(b)] : [])),
    replay: withPiece(kept ?? Buffer.of(), at, piece),
    log: openLog(shared, record, epoch),
  }
}

/** The first entry of an epoch; false when there is no such match. Throws when another was faster. */
async function fence(redis: Redis, key: string, epoch: number): Promise<boolean> {
  try {
    return (await redis.call('XADD', [key, 'NOMKSTREAM', `${epoch}-0`, 'f', ''])) !== null
  } catch (error) {
    if (/equal or smaller/.test(String(error))) throw new Fenced()
    throw error
  }
}

async function listMatches(redis: Redis, skip: Skips): Promise<ListedMatch[]> {
  const fields = await smallFields(redis, MATCHES, skip)
  return fields.flatMap(([id, text]) => {
    const match = readListing(id, text)
    if (match === undefined) skip(`${MATCHES} ${id}`, 'it is no match of ours')
    return match ?? []
  })
}

async function listProcesses({ redis, processId, onError }: Shared, skip: Skips): Promise<ProcessView[]> {
  const ids = await redis.smembers(PROCESSES)
  if (ids.length === 0) return []
  const [texts, heard] = await Promise.all([
    Promise.all(ids.map((id) => smallValue(redis, processKey(id)))),
    // A living process listens on a channel of its own; Redis drops it with the connection.
    redis.pubsub('NUMSUB', ...ids.map((id) => `p:${id}`)) as Promise<(string | number)[]>,
  ])
  const isHeard = (i: number) => ids[i] === processId || Number(heard[2 * i + 1]) > 0
  const gone = ids.filter((_, i) => texts[i] === undefined)
  if (gone.length > 0) redis.srem(PROCESSES, ...gone).catch(onError)
  return texts.flatMap((text, i) => {
    if (text === undefined || !isHeard(i)) return []
    const view = readProcess(text)
    if (view === undefined) skip(processKey(ids[i]), 'it is no process of ours')
    return view ?? []
  })
}

/** The newest seats whose confirming entry was accepted: it is not above the last one of its epoch. */
function newestSeats(seats: Readonly<Record<string, string>>, entryIds: readonly string[]): SeatRecord[] {
  const parts = (id: string) => id.split('-').map(Number) as [epoch: number, number: number]
  const lastOf = new Map<number, number>()
  for (const [epoch, number] of entryIds.map(parts)) lastOf.set(epoch, Math.max(number, lastOf.get(epoch) ?? 0))
  const accepted = Object.keys(seats).filter((field) => {
    const [epoch, number] = parts(field)
    return number <= (lastOf.get(epoch) ?? 0)
  })
  accepted.sort((a, b) => parts(b)[0] - parts(a)[0] || parts(b)[1] - parts(a)[1])
  return accepted.length > 0 ? (JSON.parse(seats[accepted[0]]) as SeatRecord[]) : []
}

/** The replay with a piece in its place. */
function withPiece(replay: Uint8Array, at: number, piece: Uint8Array): Uint8Array {
  const whole = new Uint8Array(Math.max(replay.length, at + piece.length))
  whole.set(replay)
  whole.set(piece, at)
  return whole
}

function fieldsOf(pairs: readonly Buffer[]): Readonly<Record<string, Buffer>> {
  const fields: Record<string, Buffer> = {}
  for (let i = 0; i < pairs.length; i += 2) fields[String(pairs[i])] = pairs[i + 1]
  return fields
}
