/**
 * Replays on disk: one file per match, written while it runs, with a bound on their number and size.
 *
 * A file that grows is called `….hbr.part`; it becomes `….hbr` when the match has ended. What a crash leaves is a replay
 * all the same: its valid prefix can be watched and verified. The oldest files are removed when there are too many, those of
 * crashes included.
 */

import { randomBytes } from 'node:crypto'
import { constants, mkdirSync } from 'node:fs'
import { readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What is known of a match when its recording starts. */
export type MatchInfo = {
  readonly game: string
  readonly roomId: string
  /** Number of the match in its room, from 1. */
  readonly match: number
  readonly startedAt: Date
}

/** Where replays go. The sink handles its own errors: a full disk must not end a match. */
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
const PART = '.part'

/** A `.part` of another process that was not written to for so long was left by a crash. */
const ORPHAN_MS = 3_600_000

export function replayFolder(folder: string, limits: FolderLimits = {}): ReplaySink {
  const { maxFileBytes = 1 << 26, onError = () => {} } = limits
  mkdirSync(folder, { recursive: true })
  /** Names of the files that we are writing. */
  const growing = new Set<string>()
  return (info) => {
    const name = fileName(info)
    const part = join(folder, name + PART)
    growing.add(name + PART)
    let written = 0
    let isFull = false
    // One write after the other, in order.
    let work: Promise<unknown> = Promise.resolve()
    const then = (job: () => Promise<unknown>) => {
      work = work.then(job).catch(onError)
      return work
    }
    // Also at the start: a server that crashes before any match ends makes room as well.
    then(() => rotate(folder, limits, growing))
    return {
      write(bytes) {
        // Nothing after what does not fit: a recording without its middle is worth nothing.
        isFull ||= written + bytes.length > maxFileBytes
        if (isFull) return
        // Only the first write creates the file. If it was removed, the rest would be a replay without a beginning.
        const flag = written === 0 ? 'ax' : constants.O_WRONLY | constants.O_APPEND
        written += bytes.length
        then(() => writeFile(part, bytes, { flag }))
      },
      async end() {
        if (written > 0) await then(() => rename(part, join(folder, name)))
        growing.delete(name + PART)
        await then(() => rotate(folder, limits, growing))
      },
    }
  }
}

/**
 * `arena-2026-11-15T09-30-00-Xk3a9-1-….hbr`: sorts by game and time, and is safe on every file system. Anybody who knows a
 * name may download the replay, and rooms and times are public; so it ends in 128 bits of chance.
 */
export function fileName({ game, roomId, match, startedAt }: MatchInfo): string {
  const time = startedAt.toISOString().slice(0, 19).replaceAll(':', '-')
  const secret = randomBytes(16).toString('base64url')
  return `${game}-${time}-${roomId.replace(/[^\w-]/g, '')}-${match}-${secret}${EXTENSION}`
}

/** Removes the oldest files until they are few and small enough. Files that are being written stay. */
async function rotate(
  folder: string,
  { maxFiles = 200, maxBytes = 2 ** 30 }: FolderLimits,
  growing: ReadonlySet<string>,
): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(EXTENSION) || name.endsWith(EXTENSION + PART))
  const files = await Promise.all(
    names.map(async (name) => {
      // Another process may have removed or renamed it in the meantime.
      const about = await stat(join(folder, name)).catch(() => undefined)
      return about && { name, mtimeMs: about.mtimeMs, size: about.size }
    }),
  )
  const removable = files
    .filter((file) => file !== undefined)
    .filter(({ name, mtimeMs }) => !name.endsWith(PART) || (!growing.has(name) && Date.now() - mtimeMs > ORPHAN_MS))
    .sort((a, b) => b.mtimeMs - a.mtimeMs || (a.name < b.name ? 1 : -1))
  let bytes = 0
  for (const [i, { name, size }] of removable.entries()) {
    bytes += size
    if (i >= maxFiles || bytes > maxBytes) await rm(join(folder, name), { force: true })
  }
}
