/**
 * Child processes and temporary folders that never outlive us.
 *
 * A browser is a family of processes, so each child leads its own process group and the whole group is ended. What is
 * still alive or on disk when this process exits, for whatever reason it can notice, is removed then.
 */

import { spawn, spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

export type Running = {
  readonly stdout: NodeJS.ReadableStream
  /** Settles when the process is gone; never rejects. A command that cannot be started ends with code null. */
  readonly ended: Promise<Ended>
  stop(): Promise<void>
}

export type StartOptions = {
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}

/** How long a process may take to leave after being asked, before it is killed. */
const GRACE_MS = 2_000
/** Only the end of what a process says is kept: enough for an error message. */
const MAX_OUTPUT = 16 * 1024 * 1024

const isWindows = process.platform === 'win32'
const alive = new Set<number>()
/** Folders that are worth nothing if we exit now. */
export const discardedAtExit: Set<string> = new Set<string>()

process.on('exit', () => {
  for (const pid of alive) signalGroup(pid, 'SIGKILL')
  for (const folder of discardedAtExit) rmSync(folder, { recursive: true, force: true })
})

/** Makes Ctrl-C and friends run the clean-up above, which a signal alone would skip. */
export function exitOnSignals(): void {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    process.once(signal, () => process.exit(code))
  }
}

export function start(command: string, args: readonly string[], options: StartOptions = {}): Running {
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: !isWindows,
    // npm is a script on Windows, and scripts are only found by the shell.
    shell: isWindows && command === 'npm',
  })
  const { pid } = child
  if (pid !== undefined) alive.add(pid)

  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout = (stdout + text).slice(-MAX_OUTPUT)))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-MAX_OUTPUT)))

  const ended = new Promise<Ended>((resolve) => {
    child.once('error', (error) => resolve({ code: null, stdout, stderr: error.message }))
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })

  return {
    stdout: child.stdout,
    ended,
    async stop() {
      if (pid === undefined || !alive.has(pid)) return
      signalGroup(pid, 'SIGTERM')
      await settlesWithin(ended, GRACE_MS)
      // Also when the leader has left in good order: members of its family may have stayed.
      signalGroup(pid, 'SIGKILL')
      await settlesWithin(ended, GRACE_MS)
      alive.delete(pid)
    },
  }
}

/** Runs a command to its end and returns what it printed. Throws when it fails or takes too long. */
export async function capture(
  command: string,
  args: readonly string[],
  options: StartOptions & { readonly timeoutMs: number },
): Promise<string> {
  const running = start(command, args, options)
  try {
    if (!(await settlesWithin(running.ended, options.timeoutMs))) {
      throw new Error(`gave no result within ${options.timeoutMs / 1000} s`)
    }
    const { code, stdout, stderr } = await running.ended
    if (code !== 0)
      throw new Error(`ended with ${code === null ? 'no exit code' : `code ${code}`}: ${lastLines(stderr)}`)
    return stdout
  } finally {
    await running.stop()
  }
}

export async function withTempFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'hurtbox-engines-'))
  discardedAtExit.add(folder)
  try {
    return await use(folder)
  } finally {
    // A browser that was just ended may still be writing; retry instead of failing on a folder that is not empty.
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
    discardedAtExit.delete(folder)
  }
}

/** True when `promise` settled in time. */
export async function settlesWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(resolve, ms, false)))
  try {
    return await Promise.race([promise.then(() => true), late])
  } finally {
    clearTimeout(timer)
  }
}

/** The end of an error output, short enough for one line of a report. */
export function lastLines(text: string): string {
  const lines = text.split('\n').map((line) => line.trim())
  return (
    lines
      .filter((line) => line !== '')
      .slice(-3)
      .join(' | ')
      .slice(-400) || '(no message)'
  )
}

function signalGroup(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    if (isWindows) spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'])
    else process.kill(-pid, signal)
  } catch {
    // The group is empty, as wanted.
  }
}
