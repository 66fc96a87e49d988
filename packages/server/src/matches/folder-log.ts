/**
 * The log of one match in a folder, as its owner writes it.
 *
 * Writes are done one after the other, by the threads that Node has for files. While one is under way the entries that come are collected and
 * written together: on a fast disk each entry is a write of its own, and on one that takes 150 ms a write each takes nine.
 */

import { close, constants, fdatasync, open, write } from 'node:fs'
import { readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Done, Fenced, type MatchLog, type ReplayPiece } from '@hurtbox/netcode/host'
import type { Folder } from './folder-store.ts'

const LOG = /^log-(\d+)-(\d+)$/

const openFile = promisify(open)
const closeFile = promisify(close)
const sync = promisify(fdatasync)

/** A write that waits for its turn. Entries that follow each other are one write. */
type Job = {
  readonly entry?: Uint8Array
  readonly work?: () => Promise<void>
  /** Whether it is done whoever owns the match. */
  readonly isAlways?: boolean
  readonly done: Done
}

/** What is open of a match. */
type Files = {
  readonly path: string
  /** The number of the owner's claim, and of the newest log. */
  readonly claim: number
  number: number
  log: number | undefined
  replay: number | undefined
  /** The removal of what stands before the last checkpoint. */
  tidying: Promise<void>
}

/** The log of a match, which its owner before can write no more. */
export function openFolderLog(folder: Folder, id: string, path: string): MatchLog {
  const { owners, claim } = folder
  const self = {}
  owners.set(id, self)
  const files: Files = {
    path,
    claim: claim!.number,
    number: 0,
    log: undefined,
    replay: undefined,
    tidying: Promise.resolve(),
  }
  const jobs: Job[] = []
  let isRunning = false
  const add = (job: Job) => {
    jobs.push(job)
    if (isRunning) return
    isRunning = true
    const running = run().finally(() => folder.pending.delete(running))
    folder.pending.add(running)
  }
  async function run(): Promise<void> {
    while (jobs.length > 0) {
      const batch = takeBatch(jobs)
      const [{ work, isAlways = false }] = batch
      let problem: Error | undefined
      try {
        if (!isAlways && !isKnownOwner()) await requireOwner()
        await (work?.() ?? append(files.log, batch))
        // What was written while the folder was another's may not have been read by the other.
        if (!isAlways && !isKnownOwner()) await requireOwner()
      } catch (error) {
        problem = error as Error
      }
      for (const { done } of batch) done(problem)
    }
    isRunning = false
  }
  const isCurrent = () => owners.get(id) === self && folder.claim === claim
  /** Nearly always: then nothing is waited for. */
  const isKnownOwner = () => isCurrent() && claim!.known() === true
  async function requireOwner(): Promise<void> {
    if (!isCurrent() || !(await claim!.isOurs())) throw new Fenced()
  }
  return {
    epoch: files.claim,
    append: (entry, done) => add({ entry, done }),
    checkpoint: (entry, piece, done) => add({ work: () => checkpoint(files, entry, piece), done }),
    keepSeats: (seats, done) => add({ work: () => writeJson(join(path, 'seats.json'), seats), done }),
    remove(done) {
      const work = async () => {
        await requireOwner()
        owners.delete(id)
        await rm(path, { recursive: true, force: true })
      }
      add({ work, isAlways: true, done })
    },
    close: () => add({ work: () => closeAll(files), isAlways: true, done: () => {} }),
  }
}

/** The next job, with all entries that follow it when it is one. */
function takeBatch(jobs: Job[]): Job[] {
  let count = 1
  if (jobs[0].entry !== undefined) while (jobs[count]?.entry !== undefined) count++
  return jobs.splice(0, count)
}

async function append(file: number | undefined, batch: readonly Job[]): Promise<void> {
  if (file === undefined) throw new Error('the log was closed')
  const bytes = batch.length === 1 ? batch[0].entry! : Buffer.concat(batch.map(({ entry }) => entry!))
  await writeWhole(file, bytes)
}

async function checkpoint(files: Files, entry: Uint8Array, piece: ReplayPiece): Promise<void> {
  const { path, claim } = files
  // Not appended but put where it belongs: after a failure between the two writes the same piece comes again.
  files.replay ??= await openFile(join(path, 'replay'), constants.O_RDWR | constants.O_CREAT)
  await writeWhole(files.replay, piece.bytes, piece.at)
  const before = files.log
  const next = await openFile(join(path, `log-${claim}-${++files.number}`), 'w')
  try {
    await writeWhole(next, entry)
  } catch (error) {
    // On a full disk this comes again every second.
    await closeFile(next)
    throw error
  }
  files.log = next
  // When it is on the disk, what stands before it is of no use. Nothing waits for that.
  const last: Place = [claim, files.number]
  files.tidying = files.tidying.then(() => tidy(path, before, next, last)).catch(() => {})
}

/** Removes what stands before a checkpoint. A disk that does not let us keeps some files too many, which is no reason to end matches. */
async function tidy(path: string, before: number | undefined, next: number, last: Place): Promise<void> {
  await sync(next)
  if (before !== undefined) await closeFile(before)
  for (const name of await logFiles(path))
    if (order(placeOf(name), last) < 0) await rm(join(path, name), { force: true })
}

async function closeAll(files: Files): Promise<void> {
  await files.tidying
  const open = [files.log, files.replay]
  files.log = undefined
  files.replay = undefined
  for (const file of open) if (file !== undefined) await closeFile(file)
}

/** Claim and number of a log. */
type Place = readonly [claim: number, number: number]

/** The log's files, oldest first. */
export async function logFiles(path: string): Promise<string[]> {
  const names = (await readdir(path).catch(() => [])).filter((name) => LOG.test(name))
  return names.sort((a, b) => order(placeOf(a), placeOf(b)))
}

function placeOf(name: string): Place {
  const [, claim, number] = LOG.exec(name)!
  return [Number(claim), Number(number)]
}

function order(a: Place, b: Place): number {
  return a[0] - b[0] || a[1] - b[1]
}

/** A disk that is nearly full takes part of what it is given. */
async function writeWhole(file: number, bytes: Uint8Array, at?: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) written += await writeSome(file, bytes, written, at)
}

function writeSome(file: number, bytes: Uint8Array, from: number, at: number | undefined): Promise<number> {
  return new Promise((resolve, reject) => {
    const place = at === undefined ? null : at + from
    write(file, bytes, from, bytes.length - from, place, (error, count) => (error ? reject(error) : resolve(count)))
  })
}

/** Replaces the file in one step: a reader sees the old text or the new one. */
export async function writeJson(path: string, value: unknown): Promise<void> {
  await writeFile(`${path}.new`, JSON.stringify(value))
  await rename(`${path}.new`, path)
}
