/**
 * Matches in a folder: for one process, which finds its unfinished matches again when it starts anew.
 *
 *   <folder>/.process         which process uses the folder
 *   <folder>/<id>/record.json how the match began
 *   <folder>/<id>/seats.json  who holds its seats
 *   <folder>/<id>/replay      the part of the replay that is final
 *   <folder>/<id>/log-<n>     entries since a checkpoint; the next checkpoint begins the next file
 *
 * When is it safe? A tick is handed to the operating system before it is said: it survives the death of the process, however it
 * dies. The disk gets it when the system sees fit, and at the latest with the next checkpoint: a power cut costs a few seconds.
 * Writes are synchronous on purpose. Some thirty bytes into the system's memory take microseconds, and the word need not
 * wait for an answer.
 */

import {
  closeSync,
  constants,
  existsSync,
  fdatasync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import {
  type Done,
  Fenced,
  type MatchLog,
  type MatchStore,
  parseRecord,
  RECORD_BYTES,
  type SeatRecord,
} from '@hurtbox/netcode/host'
import { HurtboxError } from 'hurtbox'
import { splitLog } from 'hurtbox/replay'

export type FolderStore = MatchStore & {
  /** Ids of the matches that are in the folder. Whether each can be read shows when it is taken. */
  list(): string[]
  /** Gives the folder free for another process. */
  close(): void
}

const ID = /^[A-Za-z0-9_-]{1,64}$/
const LOG = /^log-(\d+)$/

/** A folder, and the owner of each of its matches in this process. */
type Owned = { readonly folder: string; readonly owners: Map<string, object> }

/** Throws when a living process uses the folder. */
export function folderStore(folder: string): FolderStore {
  mkdirSync(folder, { recursive: true })
  claim(folder)
  const owned: Owned = { folder, owners: new Map() }
  return {
    create(record, done) {
      answer(() => {
        const path = pathOf(folder, record.id)
        rmSync(path, { recursive: true, force: true })
        mkdirSync(path, { recursive: true })
        writeJson(join(path, 'record.json'), record)
        return openLog(owned, record.id, 0)
      }, done)
    },
    take(id, done) {
      answer(() => {
        const path = pathOf(folder, id)
        const text = readSmall(join(path, 'record.json'))
        if (text === undefined) return undefined
        const record = parseRecord(id, text)
        const numbers = logNumbers(path)
        const entries = numbers.flatMap((number) => splitLog(new Uint8Array(readFileSync(logPath(path, number)))))
        const seats = JSON.parse(readSmall(join(path, 'seats.json')) ?? '[]') as SeatRecord[]
        const replay = new Uint8Array(readIfThere(join(path, 'replay')) ?? [])
        return { record, seats, entries, replay, log: openLog(owned, id, numbers.at(-1) ?? 0) }
      }, done)
    },
    list: () => readdirSync(folder).filter((name) => ID.test(name) && existsSync(join(folder, name, 'record.json'))),
    close: () => rmSync(join(folder, '.process'), { force: true }),
  }
}

/** The log of a match, which its owner before can write no more. */
function openLog({ folder, owners }: Owned, id: string, lastNumber: number): MatchLog {
  const path = pathOf(folder, id)
  const self = {}
  owners.set(id, self)
  let number = lastNumber
  let file: number | undefined
  let replay: number | undefined
  const write = (work: () => void, done: Done) => {
    answer(() => {
      if (owners.get(id) !== self) throw new Fenced()
      work()
    }, done)
  }
  return {
    epoch: lastNumber + 1,
    append(entry, done) {
      write(() => writeWhole(file, entry), done)
    },
    checkpoint(entry, piece, done) {
      write(() => {
        // Not appended but put where it belongs: after a failure between the two writes the same piece comes again.
        replay ??= openSync(join(path, 'replay'), constants.O_RDWR | constants.O_CREAT)
        writeWhole(replay, piece.bytes, piece.at)
        const before = file
        const next = openSync(logPath(path, ++number), 'w')
        try {
          writeWhole(next, entry)
        } catch (error) {
          // On a full disk this comes again every second.
          closeSync(next)
          throw error
        }
        file = next
        // When it is on the disk, what stands before it is of no use. Nothing waits for that.
        const last = number
        fdatasync(next, () => tidy(path, before, last))
      }, done)
    },
    keepSeats(seats, done) {
      write(() => writeJson(join(path, 'seats.json'), seats), done)
    },
    remove(done) {
      write(() => {
        owners.delete(id)
        rmSync(path, { recursive: true, force: true })
      }, done)
    },
    close() {
      for (const open of [file, replay]) if (open !== undefined) closeSync(open)
      file = undefined
      replay = undefined
    },
  }
}

function answer<T>(work: () => T, done: Done<T>): void {
  let error: Error | undefined
  let result: T | undefined
  try {
    result = work()
  } catch (thrown) {
    error = thrown as Error
  }
  done(error, result as T)
}

function pathOf(folder: string, id: string): string {
  if (!ID.test(id)) throw new HurtboxError('bad-argument', 'the id of a match is made of letters, digits, _ and -.')
  return join(folder, id)
}

const logPath = (path: string, number: number) => join(path, `log-${number}`)

/** Numbers of the log's files, ascending. */
function logNumbers(path: string): number[] {
  const names = namesIn(path).flatMap((name) => LOG.exec(name)?.[1] ?? [])
  return names.map(Number).sort((a, b) => a - b)
}

function namesIn(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

/** Removes what stands before a checkpoint. A disk that does not let us keeps some files too many, which is no reason to end matches. */
function tidy(path: string, before: number | undefined, last: number): void {
  try {
    if (before !== undefined) closeSync(before)
    for (const old of logNumbers(path)) if (old < last) rmSync(logPath(path, old), { force: true })
  } catch {}
}

/** A disk that is nearly full takes part of what it is given. */
function writeWhole(file: number | undefined, bytes: Uint8Array, at?: number): void {
  if (file === undefined) throw new Error('the log was closed')
  for (let written = 0; written < bytes.length; ) {
    const place = at === undefined ? null : at + written
    written += writeSync(file, bytes, written, bytes.length - written, place)
  }
}

/** Replaces the file in one step: a reader sees the old text or the new one. */
function writeJson(path: string, value: unknown): void {
  writeFileSync(`${path}.new`, JSON.stringify(value))
  renameSync(`${path}.new`, path)
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function readSmall(path: string): string | undefined {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size > RECORD_BYTES) throw new Error(`${path} has ${size} bytes, at most ${RECORD_BYTES} are read`)
  return readIfThere(path)?.toString()
}

/** Makes the folder ours. Numbers of processes come round again, so the time at which the process began is kept as well. */
function claim(folder: string): void {
  const path = join(folder, '.process')
  const [pid, began] = (readIfThere(path)?.toString() ?? '').split(' ')
  const isOther = pid !== '' && Number(pid) !== process.pid
  if (isOther && isRunning(Number(pid)) && began === beganAt(Number(pid))) {
    throw new HurtboxError(
      'bad-argument',
      `process ${pid} keeps its matches in ${folder}. Give this one another folder with --matches, or stop the other.`,
    )
  }
  writeFileSync(path, `${process.pid} ${beganAt(process.pid)}`)
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** When a process began, in the units of the system; '' where the system does not tell. */
function beganAt(pid: number): string {
  try {
    // The name of the program may have spaces in it; what follows it has none.
    return readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)!.split(' ')[19]
  } catch {
    return ''
  }
}
