/** The Redis that servers share: whether it takes what they write, keeps it, and answers within a tick. */

import { Redis } from 'ioredis'
import { redisOptions } from '../redis.ts'
import { type Finding, judge } from './finding.ts'

const WAIT_MS = 3_000
/** The first that trims streams by id (XTRIM MINID, XADD NOMKSTREAM). */
const LEAST = [6, 2] as const
const PINGS = 20
/** A tick of most games is 16 ms, and what was said in it waits for Redis. */
const SLOW_MS = 10
const FAR_CLOCK_MS = 5_000

type Facts = Readonly<Record<string, string>>

export async function examineRedis(url: string): Promise<readonly Finding[]> {
  const { ok, warning, wrong } = judge('redis')
  let redis: Redis | undefined
  try {
    redis = new Redis({
      ...redisOptions(url),
      lazyConnect: true,
      connectTimeout: WAIT_MS,
      maxRetriesPerRequest: 0,
      retryStrategy: () => null,
    })
    let problem = ''
    redis.on('error', (error: Error) => (problem ||= error.message))
    await redis.connect().catch((error) => {
      throw problem === '' ? error : new Error(problem)
    })
    const facts = factsIn(await redis.info())
    const latencyMs = await fastestPing(redis)
    const skewMs = await skewOf(redis)
    const findings = [
      versionFinding(facts),
      roleFinding(facts),
      evictionFinding(facts),
      persistenceFinding(facts, await savesOf(redis)),
      latencyMs > SLOW_MS &&
        warning(
          `Redis takes ${latencyMs.toFixed(1)} ms to answer, and players wait for it in every tick: put it on this machine or beside it.`,
        ),
      Math.abs(skewMs) > FAR_CLOCK_MS &&
        warning(
          `The clocks here and of Redis are ${Math.round(Math.abs(skewMs) / 1_000)} s apart: turn NTP on (timedatectl set-ntp true) on both.`,
        ),
    ].filter((finding) => finding !== false)
    if (findings.length > 0) return findings
    return [
      ok(
        `Redis ${facts.redis_version}, ${latencyMs.toFixed(1)} ms, on disk by ${facts.aof_enabled === '1' ? 'its log' : 'snapshots'}`,
      ),
    ]
  } catch (error) {
    return [wrong(connectionProblem((error as Error).message))]
  } finally {
    redis?.disconnect()
  }
}

/** Without the address, which may hold a password. */
function connectionProblem(message: string): string {
  if (/WRONGPASS|NOAUTH|invalid password/i.test(message))
    return 'Redis takes another password: put it into REDIS_URL (redis://:password@host:6379).'
  if (/NOPERM/.test(message))
    return 'The user in REDIS_URL may not do everything: give it all commands on hurtbox:* and those of Colyseus.'
  if (/REDIS_URL/.test(message)) return message
  return `Redis does not answer (${message || 'no connection'}): start it, or mend REDIS_URL.`
}

function versionFinding({ redis_version: version = '0' }: Facts): Finding | false {
  const [major, minor] = version.split('.').map(Number)
  if (major > LEAST[0] || (major === LEAST[0] && minor >= LEAST[1])) return false
  return judge('redis').wrong(`Redis ${version} is too old: install ${LEAST.join('.')} or newer.`)
}

function roleFinding({ role }: Facts): Finding | false {
  if (role !== 'slave') return false
  return judge('redis').wrong(
    'This Redis is a replica, which takes no writes: put the address of the primary into REDIS_URL.',
  )
}

function evictionFinding({ maxmemory, maxmemory_policy: policy }: Facts): Finding | false {
  if (maxmemory === '0' || policy === 'noeviction') return false
  return judge('redis').wrong(
    `Redis removes what it likes when its memory is full (${policy}), running matches too: CONFIG SET maxmemory-policy noeviction.`,
  )
}

function persistenceFinding(facts: Facts, saves: string | undefined): Finding | false {
  const { warning, wrong } = judge('redis')
  const { aof_enabled: log, aof_last_write_status: logged, rdb_last_bgsave_status: saved } = facts
  if (logged === 'err' || saved === 'err')
    return wrong('Redis could not write to its disk: look at its log, and make room.')
  if (log === '1' || saves !== '') return false
  return warning(
    'Redis keeps nothing on disk, so its restart ends what no process runs: CONFIG SET appendonly yes, and appendfsync always.',
  )
}

/** When it takes snapshots; '' for never. Undefined where it is not said, as by hosted ones. */
async function savesOf(redis: Redis): Promise<string | undefined> {
  const [, saves] = (await redis.config('GET', 'save').catch(() => [])) as string[]
  return saves
}

async function fastestPing(redis: Redis): Promise<number> {
  let fastest = Number.POSITIVE_INFINITY
  for (let i = 0; i < PINGS; i++) {
    const before = performance.now()
    await redis.ping()
    fastest = Math.min(fastest, performance.now() - before)
  }
  return fastest
}

async function skewOf(redis: Redis): Promise<number> {
  const [seconds, microseconds] = await redis.time()
  return Number(seconds) * 1_000 + Number(microseconds) / 1_000 - Date.now()
}

function factsIn(info: string): Facts {
  return Object.fromEntries([...info.matchAll(/^([\w-]+):(.*?)\r?$/gm)].map(([, name, value]) => [name, value]))
}
