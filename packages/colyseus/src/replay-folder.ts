/**
 * Replays on disk: one file per match, written while it runs, with a bound on their number and size.
 *
 * A file that grows is called `….hbr.part`; it becomes `….hbr` when the match has ended. What a crash leaves is a replay
 * all the same: its valid prefix can be watched and verified. The oldest files go when there are too many.
 */

import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { appendFile, readdir, rename, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'

/** What is known of a match when its recording starts. */
export type MatchInfo = {
  readonly game: string
  readonly roomId: string
  /** Number of the match in its room, from 1. */
  readonly match: number
  readonly startedAt: Date
}

/** Where replays go. Errors are the sink's own business: a full disk must not end a match. */
export type ReplaySink = (info: MatchInfo) => ReplayFile
export type ReplayFile = { write(bytes: Uint8Array): void; end(): Promise<void> }

export type FolderLimits = {
  /** Default 200. */
  readonly maxFiles?: number
  /** Of all files together. Default 1 GiB. */
  readonly maxBytes?: number
  /** Of one match; what comes after is not kept. Default 64 MiB. */
  readonly maxFileBytes?: number
  readonly onError?: (error: unknown) => void
}

const EXTENSION = '.hbr'

export function replayFolder(folder: string, limits: FolderLimits = {}): ReplaySink {
  const { maxFileBytes = 1 << 26, onError = () => {} } = limits
  mkdirSync(folder, { recursive: true })
  return (info) => {
    const file = join(folder, fileName(info))
    let written = 0
    let isFull = false
    // One write after the other, in order.
    let work: Promise<unknown> = Promise.resolve()
    const then = (job: () => Promise<unknown>) => {
      work = work.then(job).catch(onError)
      return work
    }
    return {
      write(bytes) {
        // Nothing after what does not fit: a recording without its middle is worth nothing.
        isFull ||= written + bytes.length > maxFileBytes
        if (isFull) return
        written += bytes.length
        then(() => appendFile(`${file}.part`, bytes))
      },
      async end() {
        if (written > 0) await then(() => rename(`${file}.part`, file))
        await then(() => rotate(folder, limits))
      },
    }
  }
}

/**
 * `jet-raiders-2026-11-15T09-30-00-Xk3a9-1-….hbr`: sorts by game and time, and is safe on every file system. Whoever knows a
 * name may download the replay, and rooms and times are public; so it ends in 128 bits of chance.
 */
export function fileName({ game, roomId, match, startedAt }: MatchInfo): string {
  const time = startedAt.toISOString().slice(0, 19).replaceAll(':', '-')
  const secret = randomBytes(16).toString('base64url')
  return `${game}-${time}-${roomId.replace(/[^\w-]/g, '')}-${match}-${secret}${EXTENSION}`
}

/** Drops the oldest files until there are few and small enough. Files that are being written are not ours to drop. */
async function rotate(folder: string, { maxFiles = 200, maxBytes = 2 ** 30 }: FolderLimits): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(EXTENSION))
  const files = await Promise.all(
    names.map(async (name) => {
      const { mtimeMs, size } = await stat(join(folder, name))
      return { name, mtimeMs, size }
    }),
  )
  files.sort((a, b) => b.mtimeMs - a.mtimeMs || (a.name < b.name ? 1 : -1))
  let bytes = 0
  for (const [i, { name, size }] of files.entries()) {
    bytes += size
    if (i >= maxFiles || bytes > maxBytes) await unlink(join(folder, name))
  }
}
