/**
 * Which process may use a folder of matches. Two processes that went on with one match would tell its players two stories.
 *
 * Containers that share a volume see neither each other's processes nor the same clock, and all of them are process 1. So what counts is a
 * sign of life in the folder itself:
 *
 *   <folder>/.process-<n>   who claims the folder for the nth time; its time of change is renewed again and again
 *
 * A file of the next number can be made by one process only (`wx`), and that one owns the folder. It may make it when the newest claim was
 * given up, when its process is known to be dead, or when nothing was renewed while it watched. No clock is compared with another.
 *
 * A process that stood still for long may have lost the folder without knowing it. So an owner trusts its claim for a shorter time than the
 * others wait, and then looks again before it says anything. Numbers never begin anew, so an old owner cannot take a later claim for its own.
 */

import { randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { open, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'

/** Who owns or owned a folder, as it wrote itself down. */
export type Holder = {
  /** By chance; empty when the folder was given up. */
  readonly id: string
  readonly pid: number
  /** When the process began, in the units of the system, so that a number that was given to another program is known. '' where it is not told. */
  readonly began: string
  readonly host: string
  /** Which numbers of processes are the same: the boot of a kernel, and the namespace of a container. '' where it is not told. */
  readonly space: string
}

export type Claim = {
  /** Higher than that of every owner before. */
  readonly number: number
  /** Whether the folder is still ours. Asks the disk only when the last look is too long ago. */
  isOurs(): Promise<boolean>
  /** The same, if it is known without asking: undefined if it is not. */
  known(): boolean | undefined
  /** Gives the folder free for another process. */
  release(): Promise<void>
}

const CLAIM = /^\.process-(\d+)$/
const RENEW_MS = 300
/** So long an owner trusts its last look at its claim. */
const TRUST_MS = 1_000
/** So long nothing may be renewed before another takes the folder. */
const WATCH_MS = 2_000
const LOOK_MS = 100

/** Claims a folder. Returns the process that uses it if there is one. */
export async function claimFolder(folder: string, self: Holder = ourselves()): Promise<Claim | Holder> {
  for (;;) {
    const number = Math.max(0, ...(await claimNumbers(folder)))
    const holder = number === 0 ? undefined : await livingHolder(claimPath(folder, number), self)
    if (holder !== undefined) return holder
    const path = claimPath(folder, number + 1)
    if (!(await makeClaim(path, self))) continue
    for (const old of await claimNumbers(folder)) {
      if (old > number) continue
      await rm(claimPath(folder, old), { force: true })
      losses.get(claimPath(folder, old))?.()
    }
    return keepClaim(path, number + 1, self)
  }
}

/** How claims of this process learn at once that it has claimed the folder anew. */
const losses = new Map<string, () => void>()

function ourselves(): Holder {
  const { pid } = process
  return { id: randomUUID(), pid, began: beganAt(pid), host: hostname(), space: spaceOf() }
}

/** False when another process was faster. */
async function makeClaim(path: string, self: Holder): Promise<boolean> {
  try {
    await writeFile(path, JSON.stringify(self), { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function keepClaim(path: string, number: number, self: Holder): Claim {
  let isLost = false
  let lookedAt = times()
  const look = async () => {
    const at = times()
    try {
      if (readHolder(await readFile(path, 'utf8'))?.id === self.id) {
        await renew(path)
        lookedAt = at
      } else isLost = true
    } catch (error) {
      // The next owner removes it. A folder that was removed as a whole belongs to nobody else.
      isLost = (error as NodeJS.ErrnoException).code === 'ENOENT' && (await isFollowed(path, number))
      if (!isLost) throw error
    }
  }
  losses.set(path, () => {
    isLost = true
  })
  let looking: Promise<void> | undefined
  const lookOnce = () => {
    looking ??= look().finally(() => {
      looking = undefined
    })
    return looking
  }
  const timer = setInterval(() => lookOnce().catch(() => {}), RENEW_MS).unref()
  const known = () => {
    if (isLost) return false
    // By both clocks: one stands still while a machine sleeps, the other may be set.
    const now = times()
    return now.every((ms, i) => Math.abs(ms - lookedAt[i]) < TRUST_MS) ? true : undefined
  }
  return {
    number,
    known,
    async isOurs() {
      if (known() === undefined) await lookOnce()
      const answer = known()
      if (answer === undefined) throw new Error(`the disk does not say within ${TRUST_MS} ms who uses the folder`)
      return answer
    },
    async release() {
      clearInterval(timer)
      losses.delete(path)
      await looking?.catch(() => {})
      if (isLost) return
      isLost = true
      await writeFile(`${path}.new`, JSON.stringify({ ...self, id: '' }))
      await rename(`${path}.new`, path)
    },
  }
}

async function isFollowed(path: string, number: number): Promise<boolean> {
  return (await claimNumbers(dirname(path))).some((other) => other > number)
}

async function renew(path: string): Promise<void> {
  const now = new Date()
  await utimes(path, now, now)
}

const times = (): readonly [number, number] => [performance.now(), Date.now()]

/** The process of a claim, if it lives as far as can be known. */
async function livingHolder(path: string, self: Holder): Promise<Holder | undefined> {
  let before = await lookAt(path)
  const fate = before === undefined ? 'dead' : fateOf(readHolder(before.text), self)
  if (fate !== 'unknown') return fate === 'dead' ? undefined : readHolder(before!.text)
  const until = performance.now() + WATCH_MS
  while (performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    const now = await lookAt(path)
    if (now === undefined || readHolder(now.text)?.id === '') return undefined
    if (now.text !== before!.text || now.changedAt !== before!.changedAt) return readHolder(now.text) ?? UNKNOWN
    before = now
  }
  return undefined
}

const UNKNOWN: Holder = { id: '?', pid: 0, began: '', host: '', space: '' }

/** Opened each time: a file system of a network answers then with what is there now. */
async function lookAt(path: string): Promise<{ text: string; changedAt: number } | undefined> {
  try {
    const file = await open(path, 'r')
    try {
      const { mtimeMs: changedAt } = await file.stat()
      return { text: await file.readFile('utf8'), changedAt }
    } finally {
      await file.close()
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** What is known of a process without watching its claim. */
export function fateOf(
  holder: Holder | undefined,
  self: Holder,
  system: { isRunning: (pid: number) => boolean; beganAt: (pid: number) => string } = { isRunning, beganAt },
): 'dead' | 'alive' | 'unknown' {
  // A claim that is just being written has no text yet.
  if (holder === undefined) return 'unknown'
  if (holder.id === '') return 'dead'
  const isSameSpace = holder.space === self.space && holder.host === self.host
  if (!isSameSpace) return 'unknown'
  const isSelf = holder.pid === self.pid && holder.began === self.began
  // Claimed again by the same process: the claim before counts no more.
  if (isSelf && self.space !== '') return 'dead'
  if (holder.pid !== self.pid && !system.isRunning(holder.pid)) return 'dead'
  // Where the system does not say when a process began, another program may have its number by now.
  if (self.space === '' || holder.began === '') return 'unknown'
  return system.beganAt(holder.pid) === holder.began ? 'alive' : 'dead'
}

function readHolder(text: string): Holder | undefined {
  try {
    const { id, pid, began, host, space } = JSON.parse(text) as Partial<Record<keyof Holder, unknown>>
    return { id: String(id), pid: Number(pid), began: String(began), host: String(host), space: String(space) }
  } catch {
    return undefined
  }
}

async function claimNumbers(folder: string): Promise<number[]> {
  return (await readdir(folder)).flatMap((name) => CLAIM.exec(name)?.[1] ?? []).map(Number)
}

const claimPath = (folder: string, number: number) => join(folder, `.process-${number}`)

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function beganAt(pid: number): string {
  try {
    // The name of the program may have spaces in it; what follows it has none.
    return readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)!.split(' ')[19]
  } catch {
    return ''
  }
}

function spaceOf(): string {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return ''
  }
}
