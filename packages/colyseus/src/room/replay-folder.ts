/**
 * Replays on disk: one file per match, and its track if there is one, with a bound on their number and size.
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
export type ReplayFile = {
  /** Where the replay is once it has ended, from the address of the server on. Undefined: nowhere. */
  readonly address?: string
  write(bytes: Uint8Array): void
  /** Of the track beside the replay. A sink without it keeps none. */
  writeTrack?(bytes: Uint8Array): void
  end(): Promise<void>
}

export type FolderLimits = {
  /** Of matches. Default 200. */
  readonly maxFiles?: number
  /** Of all files together. Default 1 GiB. */
  readonly maxBytes?: number
  /** Of one file; what comes after is not kept. Default 64 MiB. */
  readonly maxFileBytes?: number
  readonly onError?: (error: unknown) => void
  /** Where a server offers the files of the folder, from its own address on, like `replays/`. Default: nowhere. */
  readonly servedAt?: string
}

const REPLAY = '.hbr'
const TRACK = '.hbt'
const PART = '.part'
/** A file of ours: the name of its match, then what it is. */
const FILE = /^(.+)\.hb[rt](\.part)?$/

/** A `.part` of another process that was not written to for so long was left by a crash. */
const ORPHAN_MS = 3_600_000

export function replayFolder(folder: string, limits: FolderLimits = {}): ReplaySink {
  const { maxFileBytes = 1 << 26, onError = () => {}, servedAt } = limits
  mkdirSync(folder, { recursive: true })
  /** Names of the matches that we are writing. */
  const growing = new Set<string>()
  return (info) => {
    const name = matchName(info)
    growing.add(name)
    // One write after the other, in order.
    let work: Promise<unknown> = Promise.resolve()
    const then = (job: () => Promise<unknown>) => {
      work = work.then(job).catch(onError)
      return work
    }
    const replay = growingFile(join(folder, name + REPLAY), maxFileBytes, then)
    const track = growingFile(join(folder, name + TRACK), maxFileBytes, then)
    // Also at the start: a server that crashes before any match ends makes room as well.
    then(() => rotate(folder, limits, growing))
    return {
      ...(servedAt !== undefined && { address: servedAt + name + REPLAY }),
      write: replay.write,
      writeTrack: track.write,
      async end() {
        replay.end()
        track.end()
        await then(async () => growing.delete(name))
        await then(() => rotate(folder, limits, growing))
      },
    }
  }
}

/**
 * A file that is called `….part` until it ends. What a full disk has cut short stays one: what there is of it can be watched, and
 * nothing is written after a gap.
 */
function growingFile(path: string, maxBytes: number, then: (job: () => Promise<unknown>) => unknown) {
  const part = path + PART
  let written = 0
  let isFull = false
  let isBroken = false
  const append = async (bytes: Uint8Array, flag: string | number) => {
    if (isBroken) return
    try {
      await writeFile(part, bytes, { flag })
    } catch (error) {
      isBroken = true
      // Not even its beginning is there.
      if ((await stat(part).catch(() => undefined))?.size === 0) await rm(part, { force: true })
      throw error
    }
  }
  return {
    write(bytes: Uint8Array): void {
      // Nothing after what does not fit: a recording without its middle is worth nothing.
      isFull ||= written + bytes.length > maxBytes
      if (isFull || bytes.length === 0) return
      // Only the first write creates the file. If it was removed, the rest would be a file without a beginning.
      const flag = written === 0 ? 'ax' : constants.O_WRONLY | constants.O_APPEND
      written += bytes.length
      then(() => append(bytes, flag))
    },
    end(): void {
      if (written > 0) then(async () => isBroken || rename(part, path))
    },
  }
}

/**
 * `arena-2026-11-15T09-30-00-Xk3a9-1-….hbr`: sorts by game and time, and is safe on every file system. Anybody who knows a
 * name may download the replay, and rooms and times are public; so it ends in 128 bits of chance.
 */
export function fileName(info: MatchInfo): string {
  return matchName(info) + REPLAY
}

function matchName({ game, roomId, match, startedAt }: MatchInfo): string {
  const time = startedAt.toISOString().slice(0, 19).replaceAll(':', '-')
  const secret = randomBytes(16).toString('base64url')
  return `${game}-${time}-${roomId.replace(/[^\w-]/g, '')}-${match}-${secret}`
}

/** Removes the oldest matches until they are few and small enough. Those that are being written stay. */
async function rotate(
  folder: string,
  { maxFiles = 200, maxBytes = 2 ** 30 }: FolderLimits,
  growing: ReadonlySet<string>,
): Promise<void> {
  const matches = new Map<string, { files: string[]; bytes: number; mtimeMs: number; isPart: boolean }>()
  for (const file of await readdir(folder)) {
    const [, name, part] = FILE.exec(file) ?? []
    // Another process may have removed or renamed it in the meantime.
    const about = name === undefined ? undefined : await stat(join(folder, file)).catch(() => undefined)
    if (name === undefined || about === undefined) continue
    const known = matches.get(name) ?? { files: [], bytes: 0, mtimeMs: 0, isPart: false }
    known.files.push(file)
    known.bytes += about.size
    known.mtimeMs = Math.max(known.mtimeMs, about.mtimeMs)
    known.isPart ||= part !== undefined
    matches.set(name, known)
  }
  const removable = [...matches]
    .filter(([name, { isPart, mtimeMs }]) => !growing.has(name) && (!isPart || Date.now() - mtimeMs > ORPHAN_MS))
    .sort(([a, { mtimeMs: aMs }], [b, { mtimeMs: bMs }]) => bMs - aMs || (a < b ? 1 : -1))
  let bytes = 0
  for (const [i, [, match]] of removable.entries()) {
    bytes += match.bytes
    if (i < maxFiles && bytes <= maxBytes) continue
    for (const file of match.files) await rm(join(folder, file), { force: true })
  }
}
