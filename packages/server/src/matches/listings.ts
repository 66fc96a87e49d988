/**
 * What stands in Redis under our keys, read without trust.
 *
 * A Redis is shared: another program may write into our hash, a value may be damaged or far too large. One such value must cost its
 * own match and nothing else. It is left where it is, and said once. Nothing is fetched before its size is known, because a value of
 * megabytes, read ten times a second, would take the process.
 */

import type { ListedMatch, ProcessView } from '@hurtbox/colyseus'
import type { Redis } from 'ioredis'

/** A listing or a lease has some hundred bytes: names of rooms, a fingerprint for each. */
const SMALL_BYTES = 16_384
/** A log has the ticks since its last checkpoint, some hundred kB; its replay some 200 kB a minute, for hours. */
export const LOG_BYTES = 1 << 28
/** So many values are named in the log, then no more: their names are not ours. */
const MAX_NAMED = 64

/** Says once of each value that it is skipped. */
export type Skips = (value: string, why: string) => void

export function createSkips(say: (problem: Error) => void): Skips {
  const named = new Set<string>()
  return (value, why) => {
    if (named.has(value) || named.size >= MAX_NAMED) return
    named.add(value)
    const rest = named.size === MAX_NAMED ? ' Further ones are not named.' : ''
    say(new Error(`${value.slice(0, 100)} is skipped: ${why}.${rest}`))
  }
}

/**
 * The fields of a hash in turn with their values; nothing when it has more bytes than so many small fields have. In one step, so that
 * nothing large comes between the look and the reading. An operator may not let us ask for the size: then all is read.
 */
const ALL_SMALL = `
local bytes = redis.pcall('MEMORY', 'USAGE', KEYS[1], 'SAMPLES', '0')
if type(bytes) == 'number' and bytes > ARGV[1] * (redis.call('HLEN', KEYS[1]) + 1) then return false end
return redis.call('HGETALL', KEYS[1])`

/** The fields of a hash that are small, without the others. */
export async function smallFields(redis: Redis, key: string, skip: Skips): Promise<[field: string, text: string][]> {
  const all = (await redis.eval(ALL_SMALL, 1, key, SMALL_BYTES)) as string[] | null
  if (all !== null) return all.flatMap((name, i): [string, string][] => (i % 2 === 0 ? [[name, all[i + 1]]] : []))
  const names = await redis.hkeys(key)
  const sizes = await Promise.all(names.map((name) => redis.hstrlen(key, name)))
  const small = names.filter((name, i) => {
    if (sizes[i] > SMALL_BYTES) skip(`${key} ${name}`, `it has ${sizes[i]} bytes, at most ${SMALL_BYTES} are read`)
    return sizes[i] <= SMALL_BYTES
  })
  if (small.length === 0) return []
  const texts = await redis.hmget(key, ...small)
  return small.flatMap((name, i): [string, string][] => (texts[i] === null ? [] : [[name, texts[i]]]))
}

/** How much memory a value takes; 0 where the operator does not let us ask. */
async function bytesOf(redis: Redis, key: string): Promise<number> {
  try {
    return (await redis.memory('USAGE', key, 'SAMPLES', 0)) ?? 0
  } catch (error) {
    if (/NOPERM|unknown command/i.test(String(error))) return 0
    throw error
  }
}

/** Throws when something of a match is too large to be fetched. */
export async function requireSizes(redis: Redis, bounds: Readonly<Record<string, number>>): Promise<void> {
  const keys = Object.keys(bounds)
  const sizes = await Promise.all(keys.map((key) => bytesOf(redis, key)))
  keys.forEach((key, i) => {
    if (sizes[i] > bounds[key]) throw new Error(`${key} has ${sizes[i]} bytes, at most ${bounds[key]} are read`)
  })
}

/** The value of a key, cut where it is too large; undefined where there is none, or something else than a text. */
export async function smallValue(redis: Redis, key: string): Promise<string | undefined> {
  try {
    return (await redis.getrange(key, 0, SMALL_BYTES)) || undefined
  } catch (error) {
    if (/WRONGTYPE/.test(String(error))) return undefined
    throw error
  }
}

export function readListing(id: string, text: string): ListedMatch | undefined {
  const { room, fingerprint, owner } = readObject(text) ?? {}
  const isListing = typeof room === 'string' && typeof fingerprint === 'string' && typeof owner === 'string'
  return isListing ? { id, room, fingerprint, owner } : undefined
}

export function readProcess(text: string): ProcessView | undefined {
  const { id, games, isLeaving } = readObject(text) ?? {}
  const isProcess = typeof id === 'string' && typeof games === 'object' && games !== null
  return isProcess ? { id, games: games as ProcessView['games'], isLeaving: isLeaving === true } : undefined
}

function readObject(text: string): Record<string, unknown> | undefined {
  try {
    const read = JSON.parse(text)
    return typeof read === 'object' && read !== null ? read : undefined
  } catch {
    return undefined
  }
}
