/**
 * Several processes on one Redis, and a janitor for those that died.
 *
 * A process that is killed leaves its rooms listed for good: Colyseus looks for dead processes only when it starts, and
 * only among those that still count their rooms. Players are then sent to rooms that no process serves. The janitor of every
 * process looks at the listed rooms, too. Redis itself shows which processes are dead: a living process listens on its channel,
 * and Redis drops the subscriptions of a connection that breaks.
 */

import { matchMaker } from '@colyseus/core'
import { RedisDriver } from '@colyseus/redis-driver'
import { RedisPresence } from '@colyseus/redis-presence'
import { HurtboxError } from 'hurtbox'
import { Redis } from 'ioredis'
import type { Logger } from './log.ts'
import { createSkips, smallFields } from './matches/listings.ts'
import { withdrawLoad } from './matchmaking.ts'

export type Cluster = { readonly presence: RedisPresence; readonly driver: RedisDriver }

export function connectRedis(url: string, log: Logger): Cluster {
  const options = redisOptions(url)
  const presence = new RedisPresence(options)
  const client = roomListOf(new Redis(options), log)
  // The presence listens for errors of its connections, the driver does not, and ioredis prints errors without a listener.
  client.on('error', (error) => log.warn({ err: error.message }, 'redis'))
  return { presence, driver: new RedisDriver(client) }
}

/** Leaves out what is no room when the driver reads its list: it parses all of it or fails, so one foreign value would end all joining. */
function roomListOf(client: Redis, log: Logger): Redis {
  const skip = createSkips((problem) => log.warn({ err: problem.message }, 'redis'))
  const readRooms = async (key: string) => {
    const rooms: Record<string, string> = {}
    for (const [roomId, text] of await smallFields(client, key, skip)) {
      if (isRoom(text)) rooms[roomId] = text
      else skip(`${key} ${roomId}`, 'it is no room')
    }
    return rooms
  }
  return Object.assign(client, { hgetall: readRooms })
}

function isRoom(text: string): boolean {
  try {
    const room = JSON.parse(text) as { readonly roomId?: unknown; readonly processId?: unknown } | null
    return typeof room?.roomId === 'string' && typeof room.processId === 'string'
  } catch {
    return false
  }
}

/** `redis://user:password@host:port/database`, or `rediss:` for TLS. */
export function redisOptions(url: string) {
  const parsed = URL.parse(url)
  if (parsed === null || !/^rediss?:$/.test(parsed.protocol)) {
    // Without the text itself, which may hold a password.
    throw new HurtboxError('bad-argument', 'REDIS_URL must be like redis://127.0.0.1:6379.')
  }
  return {
    host: parsed.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(parsed.port || 6379),
    db: Number(parsed.pathname.slice(1) || 0),
    ...(parsed.username && { username: decodeURIComponent(parsed.username) }),
    ...(parsed.password && { password: decodeURIComponent(parsed.password) }),
    ...(parsed.protocol === 'rediss:' && { tls: {} }),
    // Wait for a Redis that is away instead of giving up: those rejections have no handler, and Node would end the process.
    maxRetriesPerRequest: null,
  }
}

const SWEEP_MS = 3_000

/** Sweeps every so often; the returned function stops it. */
export function startJanitor(log: Logger, everyMs: number = SWEEP_MS): () => void {
  let isSweeping = false
  const timer = setInterval(async () => {
    if (isSweeping) return
    isSweeping = true
    try {
      const dead = await sweep()
      // A Redis that was started anew knows nothing of us.
      await matchMaker.restoreMissingRoomCaches()
      // By force: it counts time by Date.now, and would wait for hours when that is set back.
      await matchMaker.stats.persist(true)
      if (dead.length > 0) log.warn({ processes: dead }, 'rooms of dead processes removed')
    } catch (error) {
      log.warn({ err: String(error) }, 'could not look for dead processes')
    } finally {
      isSweeping = false
    }
  }, everyMs)
  return () => clearInterval(timer)
}

/** Removes what dead processes left; returns their ids. */
async function sweep(): Promise<string[]> {
  const [counted, rooms, channels] = await Promise.all([
    matchMaker.stats.fetchAll(),
    matchMaker.query({}),
    matchMaker.presence.channels('p:*'),
  ])
  const alive = new Set(channels.map((channel) => channel.slice('p:'.length)))
  const known = new Set([...counted, ...rooms].map(({ processId }) => processId))
  const silent = [...known].filter((id) => id !== matchMaker.processId && !alive.has(id))
  // The check asks the process once more, and cleans up when there is no answer.
  const answers = await Promise.all(silent.map((id) => matchMaker.healthCheckProcessId(id)))
  const dead = silent.filter((_, i) => answers[i] === false)
  await Promise.all(dead.map(withdrawLoad))
  return dead
}
