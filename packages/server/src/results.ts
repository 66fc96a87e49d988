/**
 * Results of matches, delivered at least once: to a function of one's own, or to an address.
 *
 * A result is a file before anything else is done with it, and the file goes when it was taken. What was not taken is tried
 * again, later and later, and after a restart. So a result may come twice (the answer was lost), and its key says so: the same
 * key is the same match. To an address it is signed, so that nobody else can make results up.
 */

import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { callUser, type RoomView } from '@hurtbox/colyseus'
import { HurtboxError, playerAt } from 'hurtbox'
import { type LoadedModule, scoreOf } from 'hurtbox/module'
import { failureOf, placeOfFailure } from 'hurtbox/tools'
import { folderOf, makeWritable, WRITABLE } from './kept.ts'
import type { Logger } from './log.ts'

export type MatchResult = {
  /** The same for every delivery of this result, and for no other. */
  readonly key: string
  readonly game: string
  readonly rulesVersion: number
  readonly room: string
  /** Number of the match in its room, from 1. */
  readonly match: number
  readonly startedAt: string
  readonly endedAt: string
  readonly ticks: number
  /** `over` by the rules, `abandoned` by all players, `failed` because a rule threw. */
  readonly end: 'over' | 'abandoned' | 'failed'
  readonly winner?: string | number
  readonly summary?: string
  readonly players: readonly ResultPlayer[]
}

export type ResultPlayer = {
  readonly seat: number
  readonly team: number
  /** By `auth`; empty for guests. */
  readonly id: string
  readonly name: string
  /** By the game's own count; left out where it keeps none, and for players who have left. */
  readonly score?: number
  /** The tick in which the player left; left out for those who stayed. */
  readonly leftAt?: number
}

export type ResultsOptions = {
  /** Takes a result; when it throws, the result comes again. */
  readonly take?: (result: MatchResult) => void | Promise<void>
  /** Is sent each result as a POST; any answer but 2xx, and it comes again. */
  readonly url?: string
  /** Signs what is sent to `url`. Default: `HURTBOX_RESULTS_SECRET`. */
  readonly secret?: string
  /** Where results wait. Default: `results` in the server's `dataDir`. */
  readonly folder?: string
}

export type Results = {
  /** Call when a match has ended. */
  ended(module: LoadedModule, room: RoomView): void
  /** Stops trying. What was not taken waits for the next start. */
  stop(): Promise<void>
}

/** Without a place for them results could be lost. That is no way to start. */
function makeFolder(folder: string): void {
  try {
    makeWritable(folder)
  } catch (error) {
    const { message } = error as Error
    throw new HurtboxError('bad-argument', `Results of matches have no place to wait: ${message}. ${WRITABLE}`)
  }
}

const SIGNATURE = 'hurtbox-signature'
const SECRET_LENGTH = 16
/** How long a receiver may take. */
const ANSWER_MS = 10_000
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 300_000
/** A signature is good for so long, or a recorded delivery could be played back for ever. */
const FRESH_SECONDS = 300

/** Delivers what waits in the folder, and every result from now on. `firstPauseMs` is for tests. */
export function createResults(options: ResultsOptions, log: Logger, firstPauseMs = FIRST_PAUSE_MS): Results {
  const { folder = folderOf('results') } = options
  const deliver = deliveryOf(options)
  makeFolder(folder)
  const timers = new Set<NodeJS.Timeout>()
  const running = new Set<Promise<void>>()
  /** Results that could not be written, by their keys. */
  const unwritten = new Map<string, string>()
  let isStopped = false
  for (const name of readdirSync(folder)) if (name.endsWith('.json')) start(name.slice(0, -'.json'.length), 0)

  return {
    ended(module, room) {
      const result = resultOf(module, room)
      const kept = keepResult(folder, result)
        .catch((error) => {
          // It is delivered all the same, from memory; only a restart would lose it.
          log.error({ err: error, key: result.key }, 'result not written: it would be lost with this process')
          unwritten.set(result.key, JSON.stringify(result))
        })
        .finally(() => {
          running.delete(kept)
          start(result.key, 0)
        })
      running.add(kept)
    },
    async stop() {
      isStopped = true
      for (const timer of timers) clearTimeout(timer)
      // What was kept is tried once more.
      while (running.size > 0) await Promise.all(running)
    },
  }

  function start(key: string, failures: number): void {
    const attempt = tryOnce(key, failures).finally(() => running.delete(attempt))
    running.add(attempt)
  }

  async function tryOnce(key: string, failures: number): Promise<void> {
    const file = join(folder, `${key}.json`)
    try {
      await deliver(unwritten.get(key) ?? (await readFile(file, 'utf8')), key)
      unwritten.delete(key)
      await rm(file, { force: true })
    } catch (error) {
      const pauseMs = Math.min(firstPauseMs * 2 ** failures, LONGEST_PAUSE_MS)
      log.warn({ ...placeOfFailure(error), err: error, key, failures: failures + 1, pauseMs }, 'result not taken')
      if (isStopped) return
      const timer = setTimeout(() => {
        timers.delete(timer)
        start(key, failures + 1)
      }, pauseMs)
      timers.add(timer.unref())
    }
  }
}

/** On the disk before anything else, and whole or not at all: half a file would be half a result. */
async function keepResult(folder: string, result: MatchResult): Promise<void> {
  const file = join(folder, `${result.key}.json`)
  await writeFile(`${file}.part`, JSON.stringify(result), { flush: true })
  await rename(`${file}.part`, file)
}

/** The header `hurtbox-signature` of a delivery: when, and the HMAC-SHA256 of when and body under the secret. */
export function signResult(body: string, secret: string, seconds: number = Math.floor(Date.now() / 1000)): string {
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
}

/** For receivers: whether a body was signed with the secret, not long ago. `signature` is the header `hurtbox-signature`. */
export function isSignedResult(body: string, signature: string | undefined, secret: string): boolean {
  const [, seconds] = /^t=(\d{1,12}),v1=[0-9a-f]{64}$/.exec(signature ?? '') ?? []
  if (seconds === undefined || Math.abs(Date.now() / 1000 - Number(seconds)) > FRESH_SECONDS) return false
  return timingSafeEqual(Buffer.from(signResult(body, secret, Number(seconds))), Buffer.from(signature!))
}

function deliveryOf(options: ResultsOptions): (body: string, key: string) => Promise<void> {
  const { take, url, secret = process.env.HURTBOX_RESULTS_SECRET } = options
  if (url === undefined && take === undefined) {
    throw new HurtboxError(
      'bad-argument',
      'results need a function that takes them, or an address: { take } or { url }.',
    )
  }
  if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new HurtboxError('bad-argument', `Results go to an address like https://example.org/results, got ${url}.`)
  }
  if (url !== undefined && (secret === undefined || secret.length < SECRET_LENGTH)) {
    throw new HurtboxError(
      'bad-argument',
      `Results that are sent are signed: set HURTBOX_RESULTS_SECRET to ${SECRET_LENGTH} characters or more.`,
    )
  }
  return async (body, key) => {
    try {
      if (take !== undefined) await callUser('results.take', () => take(JSON.parse(body)))
    } catch (error) {
      throw failureOf(error, { what: 'take of the results' })
    }
    if (url !== undefined) await send(url, body, { 'idempotency-key': key, [SIGNATURE]: signResult(body, secret!) })
  }
}

async function send(url: string, body: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(ANSWER_MS),
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`the receiver answers ${response.status}`)
}

function resultOf(module: LoadedModule, room: RoomView): MatchResult {
  const { host, world } = room
  const { status, result } = host
  return {
    key: randomUUID(),
    game: module.id,
    rulesVersion: module.game.declaration.rulesVersion,
    room: room.roomId,
    match: room.match,
    startedAt: room.startedAt.toISOString(),
    endedAt: new Date().toISOString(),
    ticks: world.tick,
    end: status === 'failed' ? 'failed' : result?.over ? 'over' : 'abandoned',
    ...(result?.winner !== undefined && { winner: result.winner }),
    ...(result?.summary !== undefined && { summary: result.summary }),
    players: room.players.map(({ seat, id, name, leftAt }) => {
      const player = leftAt === undefined ? playerAt(world, seat) : undefined
      const score = player && scoreOf(module, player as never, world)
      return {
        seat,
        team: player?.team ?? module.teamOf(seat),
        id,
        name,
        ...(score !== undefined && { score }),
        ...(leftAt !== undefined && { leftAt }),
      }
    }),
  }
}
