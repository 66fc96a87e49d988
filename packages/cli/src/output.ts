/**
 * What the command writes: results to stdout, progress to stderr.
 *
 * Lines are written at once and synchronously. A reader that has seen enough (`| head -1`) is then noticed at the next
 * line and not when the match is over, and no line is lost when the process exits.
 */

import { writeSync } from 'node:fs'

const STDOUT = 1
const STDERR = 2

/** Set when the reader of our stdout has gone away. There is one stdout per process. */
let isClosed = false

/** Whether our output is no longer read. A command that only prints may stop; one that checks goes on. */
export function isOutputClosed(): boolean {
  return isClosed
}

export function print(line: string): void {
  if (!isClosed) isClosed = !writeAll(STDOUT, `${line}\n`)
}

/** One object, one line. `line` says what sort of line it is. */
export function printJson(line: string, values: Readonly<Record<string, unknown>>): void {
  print(JSON.stringify({ line, ...values }))
}

export function printError(line: string): void {
  writeAll(STDERR, `${line}\n`)
}

export type Progress = {
  /** Shows a line now and then; cheap enough to call often. */
  show(text: () => string): void
  /** Removes what is shown, so that a result can follow. */
  clear(): void
}

const SILENCE: Progress = { show() {}, clear() {} }

/** Progress on stderr: a line that is rewritten on a terminal; line by line elsewhere, and there only when asked for. */
export function createProgress(isAskedFor: boolean): Progress {
  const isTerminal = process.stderr.isTTY === true
  if (!isTerminal && !isAskedFor) return SILENCE
  const everyMs = isTerminal ? 100 : 1000
  // On a terminal, what is quick shows nothing at all.
  let shownAt = isTerminal ? performance.now() : Number.NEGATIVE_INFINITY
  return {
    show(text) {
      const now = performance.now()
      if (now - shownAt < everyMs) return
      shownAt = now
      writeAll(STDERR, isTerminal ? `\r\x1b[K${text()}` : `${text()}\n`)
    },
    clear() {
      if (isTerminal) writeAll(STDERR, '\r\x1b[K')
    },
  }
}

/** False when the other end is closed. */
function writeAll(fd: number, text: string): boolean {
  let bytes = Buffer.from(text)
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(fd, bytes))
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      // Windows says EOF where others say EPIPE.
      if (code === 'EPIPE' || code === 'EOF') return false
      if (code !== 'EAGAIN') throw error
      // A pipe that somebody else has made non-blocking is full: wait for the reader.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
    }
  }
  return true
}
