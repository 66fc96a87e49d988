/**
 * What outlives the process: replays and running matches, in one folder or in Redis.
 *
 * A server that may not write (a read-only container, a folder of another user) still serves: it keeps nothing, and says so.
 */

import { mkdirSync, mkdtempSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { replayFolder as createReplayFolder, type ReplaySink } from '@hurtbox/colyseus'
import { HurtboxError } from 'hurtbox'
import type { Logger } from './log.ts'
import { folderStore } from './matches/folder-store.ts'
import { redisMatches } from './matches/redis-matches.ts'
import { redisStore } from './matches/redis-store.ts'
import { folderMatches, type MatchService, type ServiceOptions } from './matches/service.ts'
import { redisOptions } from './redis.ts'

/** Where it is kept; `false` for not at all. */
export type KeptOptions = {
  readonly dataDir?: string
  readonly replays?: string | false
  readonly matches?: string | false
  readonly redisUrl?: string
}

type Told = { readonly log: Logger; readonly say: (line: string) => void }

const DATA_DIR = '.cache'
export const WRITABLE = 'Give a folder that can be written: --data-dir, or DATA_DIR.'

/** The folder for one sort of thing. */
export function folderOf(kind: 'replays' | 'matches' | 'results', dataDir = DATA_DIR): string {
  return join(dataDir, kind)
}

/** Makes a folder, and throws if nothing can be made in it: one that is there already may still be read-only. */
export function makeWritable(folder: string): void {
  mkdirSync(folder, { recursive: true })
  rmdirSync(mkdtempSync(join(folder, '.try-')))
}

/** The folder of replays and what writes into it; undefined where none are kept. */
export function openReplays(
  { replays, dataDir }: KeptOptions,
  told: Told,
): { readonly folder: string; readonly sink: ReplaySink } | undefined {
  if (replays === false) return undefined
  const folder = replays ?? folderOf('replays', dataDir)
  const onError = (error: unknown) => told.log.error({ err: error }, 'replay not written')
  return orNot('replays', told, () => {
    makeWritable(folder)
    return { folder, sink: createReplayFolder(folder, { onError, servedAt: 'replays/' }) }
  })
}

/** Where running matches are kept. */
export function openMatches(
  { matches, dataDir, redisUrl }: KeptOptions,
  service: ServiceOptions,
  told: Told,
): MatchService | undefined {
  if (matches === false) return undefined
  if (redisUrl) {
    const onError = (error: Error) => service.log.warn({ err: error.message }, 'redis')
    return redisMatches((processId) => redisStore(redisOptions(redisUrl), processId, onError), service)
  }
  const folder = matches ?? folderOf('matches', dataDir)
  return orNot('matches', told, () => {
    makeWritable(folder)
    return folderMatches(folderStore(folder), service)
  })
}

function orNot<T>(what: string, { log, say }: Told, open: () => T): T | undefined {
  try {
    return open()
  } catch (error) {
    const { message } = error as Error
    const isOurs = error instanceof HurtboxError
    const sentence = `${what} are not kept: ${message}${isOurs ? '' : `. ${WRITABLE}`}`
    log.warn(sentence)
    say(`hurtbox: ${sentence}`)
    return undefined
  }
}
