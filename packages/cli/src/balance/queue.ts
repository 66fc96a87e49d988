/**
 * Matches over any number of machines: a queue in Redis, by BullMQ.
 *
 * `hurtbox balance --queue` puts matches in and takes results out; `hurtbox worker` plays them. A queue is of one build of
 * one game: its name has the fingerprint of the rules, so that a worker with other rules never sees these matches. A match
 * is known by the run and its place in the plan. It is in the queue once, however often it is put in, and a run that was
 * stopped finds the results that came in meanwhile.
 *
 * Neither package is installed with the command: most people never need them.
 */

import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import { resolve } from 'node:path'
import type { Job, Queue, QueueEvents } from 'bullmq'
import { fingerprint } from 'hurtbox/replay'
import type { AnyGame } from 'hurtbox/tools'
import { messageOf, UsageError } from '../errors.ts'
import { matchAt } from './plan.ts'
import type { MatchRecord, MatchTask } from './play.ts'
import { type Run, taskAt } from './threads.ts'

/** A match in the queue. Which game it is follows from the queue; where its module is, only the worker knows. */
export type QueuedMatch = Omit<MatchTask, 'game'>
/** A match that fails by its rules fails everywhere: that is a result, and not tried again. */
export type QueuedResult = { readonly record: MatchRecord } | { readonly failure: string }

/** Matches that are in the queue at a time: enough for hundreds of threads, and little in Redis however large the plan. */
const IN_QUEUE = 500
/** How often a match is given out when the thread that played it died. */
const ATTEMPTS = 3
/** How often results are looked for that no event told of. */
const SWEEP_MS = 2000
const POLITE_MS = 3000

export type QueueConnection = {
  readonly bullmq: typeof import('bullmq')
  readonly connection: import('ioredis').Redis
}

/** Host and port, for people: an address may have a password in it. */
export function placeOf(url: string): string {
  return new URL(url).host
}

export async function connectQueue(url: string): Promise<QueueConnection> {
  if (!URL.canParse(url) || !/^rediss?:$/.test(new URL(url).protocol)) {
    throw new UsageError('--queue must be the address of a Redis, like redis://127.0.0.1:6379.')
  }
  const [bullmq, { Redis }] = await loadPackages()
  // BullMQ waits for a Redis that went away, however long that takes.
  const connection = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: null })
  let problem: unknown
  connection.on('error', (error) => (problem = error))
  try {
    await connection.connect()
  } catch (error) {
    connection.disconnect()
    throw new UsageError(`there is no Redis at ${placeOf(url)}: ${messageOf(problem ?? error)}`, { cause: error })
  }
  return { bullmq, connection }
}

async function loadPackages() {
  try {
    return await Promise.all([import('bullmq'), import('ioredis')])
  } catch (error) {
    throw new UsageError('--queue needs BullMQ and its Redis client: npm install bullmq ioredis', { cause: error })
  }
}

/** The queue of a build of a game. */
export function queueNameOf(game: AnyGame): string {
  return `hurtbox-${game.declaration.id}-${shortHash(JSON.stringify(fingerprint(game)))}`
}

/** A run is a plan and the folder it is kept in: two people may play the same plan at the same time. */
export function runIdOf(planHash: string, folder: string): string {
  return shortHash(JSON.stringify([planHash, hostname(), resolve(folder)]))
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

export type QueueRun = Run & {
  readonly game: AnyGame
  readonly runId: string
  readonly url: string
  /** Told once when nobody works at the queue. */
  onIdle(): void
}

/** Puts the missing matches into the queue and takes the results, until there are none left. */
export async function playInQueue(run: QueueRun, signal: AbortSignal): Promise<void> {
  const { bullmq, connection } = await connectQueue(run.url)
  const name = queueNameOf(run.game)
  const queue: Queue<QueuedMatch, QueuedResult> = new bullmq.Queue(name, { connection })
  const events = new bullmq.QueueEvents(name, { connection })
  // Without listeners an outage would end the process. BullMQ goes on when Redis is back.
  queue.on('error', () => {})
  events.on('error', () => {})
  const collector = createCollector(run, queue)
  const hint = setTimeout(() => askForWorkers(run, queue), POLITE_MS)
  try {
    await events.waitUntilReady()
    listen(events, collector)
    await collector.fill()
    while (collector.open.size > 0 && !signal.aborted) {
      await collector.sweep()
      if (collector.open.size > 0) await collector.changed(SWEEP_MS, signal)
    }
    // Nobody wants these any more. Matches that are being played cannot be removed; their results wait for the next run.
    await Promise.all([...collector.open.keys()].map((id) => queue.remove(id).catch(() => {})))
  } finally {
    clearTimeout(hint)
    await Promise.all([events.close(), queue.close()])
    connection.disconnect()
  }
}

function listen(events: QueueEvents, { take }: Collector): void {
  events.on('completed', ({ jobId }) => void take(jobId).catch(() => {}))
  events.on('failed', ({ jobId }) => void take(jobId).catch(() => {}))
}

async function askForWorkers(run: QueueRun, queue: Queue): Promise<void> {
  const count = await queue.getWorkersCount().catch(() => 1)
  if (count === 0) run.onIdle()
}

type Collector = {
  /** Places in the plan of the matches in the queue, by id. */
  readonly open: Map<string, number>
  /** Puts matches in until enough are there. */
  fill(): Promise<void>
  /** Takes the result of a match, if it is one of ours and has one. */
  take(id: string): Promise<void>
  /** Takes every result that is there: those of an earlier run, and those whose event was missed. */
  sweep(): Promise<void>
  /** Until the last match has a result, or for some time. */
  changed(ms: number, signal: AbortSignal): Promise<void>
}

function createCollector(run: QueueRun, queue: Queue<QueuedMatch, QueuedResult>): Collector {
  const { plan, missing, runId } = run
  const open = new Map<string, number>()
  let wake = () => {}

  const put = async (indices: readonly number[]) => {
    const options = { attempts: ATTEMPTS, backoff: { type: 'fixed', delay: 1000 } }
    const jobs = indices.map((index) => {
      const { game: _, ...data } = taskAt(plan, matchAt(plan, index))
      const jobId = `${runId}-${index}`
      open.set(jobId, index)
      return { name: 'match', data, opts: { ...options, jobId } }
    })
    if (jobs.length > 0) await queue.addBulk(jobs)
  }
  const fill = () => put(missing.splice(0, Math.max(IN_QUEUE - open.size, 0)))

  const take = async (id: string) => {
    const index = open.get(id)
    if (index === undefined) return
    const job = await queue.getJob(id)
    // Redis was emptied.
    if (job === undefined && open.has(id)) await put([index])
    if (job?.finishedOn === undefined || !open.delete(id)) return
    report(run, index, job)
    await job.remove().catch(() => {})
    if (open.size <= IN_QUEUE / 2 && missing.length > 0) await fill()
    if (open.size === 0) wake()
  }

  return {
    open,
    fill,
    take,
    async sweep() {
      for (const id of [...open.keys()]) await take(id)
    },
    changed: (ms, signal) =>
      new Promise((done) => {
        const timer = setTimeout(done, ms)
        wake = () => {
          clearTimeout(timer)
          done()
        }
        signal.addEventListener('abort', wake, { once: true })
      }),
  }
}

function report({ onRecord, onFailure }: Run, index: number, job: Job<QueuedMatch, QueuedResult>): void {
  const result = job.returnvalue
  if (result === null || result === undefined) onFailure(index, `no worker could play it: ${job.failedReason}`)
  else if ('failure' in result) onFailure(index, result.failure)
  else onRecord(index, result.record)
}
