/** `hurtbox worker`: plays matches for `hurtbox balance --queue`, here or on another machine, until Ctrl+C. */

import { availableParallelism } from 'node:os'
import type { Worker } from 'bullmq'
import type { LoadedModule } from 'hurtbox/module'
import { loadModules } from 'hurtbox/module/node'
import {
  connectQueue,
  placeOf,
  type QueueConnection,
  type QueuedMatch,
  type QueuedResult,
  queueNameOf,
} from '../balance/queue.ts'
import { createMatchPool, type MatchPool } from '../balance/threads.ts'
import { messageOf, orUsageError, UsageError } from '../errors.ts'
import { loadGame } from '../games.ts'
import { print, printError, printJson } from '../output.ts'
import { grouped } from '../text.ts'

export type WorkerOptions = {
  readonly queue: string
  readonly threads?: number
  readonly silentSeconds: number
  readonly json?: boolean
}

/** How often a match may be lost by workers that died before it counts as the match's own fault. */
const MAX_LOST = 5

export async function worker(givenName: string | undefined, options: WorkerOptions): Promise<number> {
  const modules =
    givenName === undefined ? (await orUsageError(() => loadModules())).modules : [await loadGame(givenName)]
  if (modules.length === 0)
    throw new UsageError('there is no game here. Name one, or run this in the folder of a project.')
  const queue = await connectQueue(options.queue)
  const threads = options.threads ?? availableParallelism()
  const pool = createMatchPool(threads)
  const played = { matches: 0, failed: 0 }
  const workers = modules.map((module) =>
    serve(queue, module, givenName ?? module.id, pool, { ...options, threads }, played),
  )
  await Promise.all(workers.map((each) => each.waitUntilReady()))
  const games = modules.map(({ id }) => id)
  if (options.json) printJson('worker', { games, threads })
  else
    print(
      `plays ${games.join(', ')} for ${placeOf(options.queue)} on ${threads === 1 ? '1 thread' : `${threads} threads`}; Ctrl+C stops`,
    )

  await stopSignal()
  // Waits for the matches that are being played.
  await Promise.all(workers.map((each) => each.close()))
  await pool.close()
  queue.connection.disconnect()
  if (options.json) printJson('played', played)
  else print(`${grouped(played.matches)} played, ${grouped(played.failed)} of them failed`)
  return 0
}

function serve(
  { bullmq, connection }: QueueConnection,
  { game }: LoadedModule,
  name: string,
  pool: MatchPool,
  { threads, silentSeconds }: { readonly threads: number; readonly silentSeconds: number },
  played: { matches: number; failed: number },
): Worker {
  const work = async ({ data }: { readonly data: QueuedMatch }): Promise<QueuedResult> => {
    try {
      const record = await pool.play({ ...data, game: name })
      played.matches++
      return { record }
    } catch (error) {
      // The thread died, not the match: it is given out again, best elsewhere.
      if (isLostThread(error)) throw error
      played.matches++
      played.failed++
      return { failure: messageOf(error) }
    }
  }
  const silentMs = silentSeconds * 1000
  const each = new bullmq.Worker<QueuedMatch, QueuedResult>(queueNameOf(game), work, {
    connection,
    concurrency: threads,
    lockDuration: silentMs,
    stalledInterval: silentMs,
    maxStalledCount: MAX_LOST,
  })
  // Without a listener an outage of Redis would end the process; BullMQ goes on when it is back.
  let told = ''
  each.on('error', (error) => {
    if (error.message !== told) printError(`hurtbox: ${error.message}`)
    told = error.message
  })
  return each
}

function isLostThread(error: unknown): boolean {
  return String((error as { readonly code?: unknown }).code ?? '').startsWith('ERR_WORKER')
}

/** Resolves at the first signal; a second one ends the process at once, as if nothing listened. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      process.off('SIGINT', stop)
      process.off('SIGTERM', stop)
      resolve()
    }
    process.on('SIGINT', stop)
    process.on('SIGTERM', stop)
  })
}
