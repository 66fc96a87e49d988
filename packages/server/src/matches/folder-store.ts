/**
 * Matches in a folder: for one process, which finds its unfinished matches again when it starts anew.
 *
 *   <folder>/.process-<n>       which process uses the folder (`folder-claim.ts`)
 *   <folder>/<id>/record.json   how the match began
 *   <folder>/<id>/seats.json    who holds its seats
 *   <folder>/<id>/replay        the part of the replay that is final
 *   <folder>/<id>/log-<n>-<k>   entries since a checkpoint; the next checkpoint begins the next file (`folder-log.ts`)
 *
 * When is it safe? A tick is handed to the operating system before it is said: it survives the death of the process, however it
 * dies. The disk gets it when the system sees fit, and at the latest with the next checkpoint: a power cut costs a few seconds.
 *
 * Nothing here waits for the disk in the thread of the rooms. A disk that is slow for a moment delays what is said, not the matches.
 */

import { existsSync, mkdirSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type Done,
  type MatchLog,
  type MatchRecord,
  type MatchStore,
  parseRecord,
  RECORD_BYTES,
  type SeatRecord,
  type TakenMatch,
} from '@hurtbox/netcode/host'
import { HurtboxError } from 'hurtbox'
import { splitLog } from 'hurtbox/replay'
import { type Claim, claimFolder, type Holder } from './folder-claim.ts'
import { logFiles, openFolderLog, writeJson } from './folder-log.ts'
import { settle } from './settle.ts'

export type FolderStore = MatchStore & {
  readonly path: string
  /** Whether the folder is ours, as far as is known. */
  readonly isOurs: boolean
  /** Makes the folder ours. Says which process uses it when another does. */
  claim(): Promise<Holder | undefined>
  /** Ids of the matches that are in the folder and not this process's own. Whether each can be read shows when it is taken. */
  list(): Promise<string[]>
  /** Returns when everything is written, and gives the folder free for another process. */
  close(): Promise<void>
}

const ID = /^[A-Za-z0-9_-]{1,64}$/

/** What the logs of a folder share. */
export type Folder = {
  readonly path: string
  /** The owner of each match in this process. */
  readonly owners: Map<string, object>
  /** Undefined while another process uses the folder. */
  claim: Claim | undefined
  /** Work that the disk has not finished. */
  readonly pending: Set<Promise<unknown>>
}

/** Throws when the folder cannot be made. */
export function folderStore(path: string): FolderStore {
  mkdirSync(path, { recursive: true })
  const folder: Folder = { path, owners: new Map(), claim: undefined, pending: new Set() }
  const during = <T>(work: Promise<T>, done: Done<T>) => {
    const settled = work.catch(() => {}).finally(() => folder.pending.delete(settled))
    folder.pending.add(settled)
    settle(work, done)
  }
  return {
    path,
    get isOurs() {
      return folder.claim !== undefined && folder.claim.known() !== false
    },
    create: (record, done) => during(create(folder, record), done),
    take: (id, done) => during(take(folder, id), done),
    async claim() {
      const claimed = await claimFolder(path)
      if (!('isOurs' in claimed)) return claimed
      folder.claim = claimed
      folder.owners.clear()
      return undefined
    },
    async list() {
      const names = (await readdir(path)).filter((name) => ID.test(name) && !folder.owners.has(name))
      return names.filter((name) => existsSync(join(path, name, 'record.json')))
    },
    async close() {
      while (folder.pending.size > 0) await Promise.all(folder.pending)
      await folder.claim?.release().catch(() => {})
      folder.claim = undefined
    },
  }
}

async function create(folder: Folder, record: MatchRecord): Promise<MatchLog> {
  await requireOurs(folder)
  const path = pathOf(folder, record.id)
  await mkdir(path).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
    await rm(path, { recursive: true, force: true })
    await mkdir(path)
  })
  await writeJson(join(path, 'record.json'), record)
  return openFolderLog(folder, record.id, path)
}

async function take(folder: Folder, id: string): Promise<TakenMatch | undefined> {
  await requireOurs(folder)
  const path = pathOf(folder, id)
  const text = await readSmall(join(path, 'record.json'))
  if (text === undefined) return undefined
  const record = parseRecord(id, text)
  const entries = await readLog(path)
  const seats = JSON.parse((await readSmall(join(path, 'seats.json'))) ?? '[]') as SeatRecord[]
  const replay = new Uint8Array((await readIfThere(join(path, 'replay'))) ?? [])
  // A file of our own: an owner before that has it open still writes into the old one. A full disk must not keep the match from going on.
  await replaceFile(join(path, 'replay'), replay).catch(() => {})
  return { record, seats, entries, replay, log: openFolderLog(folder, id, path) }
}

const READ_TRIES = 5

/** All entries there are. An owner that does not know yet that it has lost the match may be removing what stands before its last checkpoint. */
async function readLog(path: string): Promise<Uint8Array[]> {
  for (let tries = 1; ; tries++) {
    try {
      const logs: Uint8Array[] = []
      for (const name of await logFiles(path)) logs.push(new Uint8Array(await readFile(join(path, name))))
      return logs.flatMap(splitLog)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || tries === READ_TRIES) throw error
    }
  }
}

/** Throws when another process uses the folder. */
async function requireOurs({ claim, path }: Folder): Promise<void> {
  if (claim === undefined || !(await claim.isOurs())) throw new Error(`another process uses ${path}`)
}

function pathOf({ path }: Folder, id: string): string {
  if (!ID.test(id)) throw new HurtboxError('bad-argument', 'the id of a match is made of letters, digits, _ and -.')
  return join(path, id)
}

async function replaceFile(path: string, bytes: Uint8Array): Promise<void> {
  await writeFile(`${path}.new`, bytes)
  await rename(`${path}.new`, path)
}

async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function readSmall(path: string): Promise<string | undefined> {
  const size = await stat(path).then(
    (about) => about.size,
    () => 0,
  )
  if (size > RECORD_BYTES) throw new Error(`${path} has ${size} bytes, at most ${RECORD_BYTES} are read`)
  return (await readIfThere(path))?.toString()
}
