/** A program on a host: what it says is kept, and when it is ready is waited for. */

import { type ChildProcess, execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

export type Program = {
  /** What it has printed so far. */
  log(): string
  /** Its exit code, or the signal that ended it; undefined while it runs. */
  end(): number | string | undefined
  /** Sends a signal to the process that was started, or, of one that has a namespace of its own, to process 1 in there. */
  signal(signal: NodeJS.Signals): void
}

/** Waits until a program has printed `sign`. */
export async function whenReady(child: ChildProcess, sign: string, seconds: number): Promise<Program> {
  let log = ''
  let end: number | string | undefined
  const program: Program = {
    log: () => log,
    end: () => end,
    signal: (signal) => void process.kill(innermost(child.pid!), signal),
  }
  await new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`not ready after ${seconds} s, it said:\n${log}`)), seconds * 1000)
    const take = (text: string) => {
      log += text
      if (log.includes(sign)) done(resolve)
    }
    const done = (then: () => void) => {
      clearTimeout(late)
      then()
    }
    child.stdout?.setEncoding('utf8').on('data', take)
    child.stderr?.setEncoding('utf8').on('data', take)
    child.on('error', (error) => done(() => reject(error)))
    child.on('close', (code, signal) => {
      end = code ?? signal ?? 'ended'
      done(() => reject(new Error(`it ended with ${end}, and said:\n${log}`)))
    })
  })
  return program
}

/** `unshare` waits for the first process of its namespace, and passes no signals on. */
function innermost(pid: number): number {
  if (readFileSync(`/proc/${pid}/comm`, 'utf8') !== 'unshare\n') return pid
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim())
}

/** Whether a command is installed. */
export function isInstalled(command: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${command}`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
