/** What test files took: the form in which runs are saved, the last one and the one that is part of the repository. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

export type FileTime = {
  readonly file: string
  readonly project: string
  /** Files of one worker run one after the other. */
  readonly worker: number
  /** Since the start of the run. */
  readonly startMs: number
  readonly endMs: number
  /** Tests and hooks. */
  readonly testsMs: number
  /** Imports and what the runner sets up. */
  readonly importMs: number
  /** Of all processors, with the processes that the file started. */
  readonly cpuMs: number
}

export type Run = { readonly wallMs: number; readonly files: readonly FileTime[] }

export const LAST_RUN: string = fileURLToPath(new URL('../../.cache/tests.json', import.meta.url))

/** The run that later ones are compared with, and that says which files take longest. */
export const SAVED_RUN: string = fileURLToPath(new URL('saved.json', import.meta.url))

export function saveRun(path: string, run: Run): void {
  mkdirSync(dirname(path), { recursive: true })
  const files = run.files.map((file) => `    ${JSON.stringify(file)}`)
  writeFileSync(path, `{\n  "wallMs": ${run.wallMs},\n  "files": [\n${files.join(',\n')}\n  ]\n}\n`)
}

export function loadRun(path: string): Run | undefined {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Run) : undefined
}
